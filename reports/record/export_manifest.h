// manifest.json of an exported corpus: which folder holds which case, made of
// what, and the digest of every file.
//
// One case per line and keys in a fixed order: equal exports give equal bytes.
// Version 1.x: later ones may add members, and remove none.
#ifndef QCONFORM_REPORTS_RECORD_EXPORT_MANIFEST_H_
#define QCONFORM_REPORTS_RECORD_EXPORT_MANIFEST_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace qconform {

// Elements of y whose expected code is one of several right ones. A runner that
// compares exactly fails a backend that rightly gives another.
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
  std::string why = {};   // of a stored case: what it is for. Since 1.2.
  std::string generator;  // "stored" for a stored case
  int generator_version = 1;
  // Ids of those that decide some element: the normative and free ones that it shows, and
  // the open ones of which another reading, or the bound, has another code there. For a
  // stored case, those that it names itself and the open ones. Since 1.1.
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
