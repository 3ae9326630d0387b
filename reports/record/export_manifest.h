// manifest.json of an exported corpus: the folders with their cases, the origin of
// each case, and the digest of every file.
//
// It has one case per line and keys in a fixed order, so equal exports give equal
// bytes. Version 1.x: later versions may add members, and remove none.
#ifndef QCONFORM_REPORTS_RECORD_EXPORT_MANIFEST_H_
#define QCONFORM_REPORTS_RECORD_EXPORT_MANIFEST_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace qconform {

// Elements of y whose expected code is one of several right ones. A runner that
// compares exactly fails a backend that has another right code.
struct FreeElements {
  int64_t any_code = 0;  // the specification says nothing
  int64_t any_nan = 0;   // any NaN is right
  int64_t readings = 0;  // an admissible reading, bound or sign of zero gives another
  int64_t total() const { return any_code + any_nan + readings; }

  friend bool operator==(const FreeElements&, const FreeElements&) = default;
};

struct ExportedCase {
  std::string case_id;    // or the name of a stored case
  std::string folder;     // below the directory
  std::string why = {};   // the purpose of a stored case. Since 1.2.
  std::string generator;  // "stored" for a stored case
  int generator_version = 1;
  // Ids of the clauses that decide some element: normative and free clauses that it
  // shows, and open clauses of which another reading, or the bound, has another code
  // there. For a stored case, the clauses that it names itself and the open ones.
  // Since 1.1.
  std::vector<std::string> clauses = {};
  int64_t elements = 0;
  FreeElements free = {};
  // Path below the folder, and SHA-256; in the order in which they are written.
  std::vector<std::pair<std::string, std::string>> files = {};
};

struct ExportManifest {
  std::string tool_version;
  std::string onnx_version;
  std::string suite_digest;
  std::string profile = {};  // whose cells these are; empty: none. Since 1.3.
  std::vector<std::string> cell_patterns;  // empty: all cells
  std::string level;
  uint64_t seed = 0;
  bool strict = false;  // cases with free elements are left out
  bool int32_data =
      false;  // tensors have their data in int32_data, if they may. Since 1.2.
  int64_t left_out = 0;
  std::vector<ExportedCase> cases;
};

// Returns the JSON document.
std::string ExportManifestText(const ExportManifest& manifest);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_RECORD_EXPORT_MANIFEST_H_
