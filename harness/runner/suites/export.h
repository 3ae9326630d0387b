// Exports cases as a corpus of ONNX node tests: folders with model.onnx and
// test_data_set_0, which ONNX's own runner and others can read, and manifest.json.
// The cases are those of cells, or stored ones.
//
// Expected outputs are the oracle's canonical codes. Runners compare them bit by
// bit, so the manifest counts for each case the elements for which another code is
// right as well; `strict` leaves such cases out. Equal requests give equal bytes
// on every machine.
#ifndef QCONFORM_HARNESS_RUNNER_SUITES_EXPORT_H_
#define QCONFORM_HARNESS_RUNNER_SUITES_EXPORT_H_

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cases/core/case.h"
#include "cases/corpus/stored_case.h"
#include "cases/model/serialize.h"
#include "harness/runner/selection.h"
#include "oracle/base/result.h"
#include "oracle/core/answer.h"
#include "reports/record/export_manifest.h"

namespace qconform {

// A stored case; its node test is called "test_" and its name.
struct NamedCase {
  std::string name;
  StoredCase stored;
};

struct ExportRequest {
  std::filesystem::path directory;
  std::string profile{};                   // for the manifest; empty: none
  std::vector<std::string> cell_patterns;  // for the manifest; empty: all cells
  std::vector<SelectedCell> cells;
  std::vector<NamedCase> stored{};  // exported too
  Level level = Level::kSmoke;
  uint64_t seed = 1;
  bool strict = false;
  TensorField field = TensorField::kRawData;
  std::string tool_version;
};

// Returns the folder of a case: "test_" and its id, with `.` for `/` and `-` for
// `@`.
std::string ExportFolder(const CaseKey& key);

// Returns an Error if ExportCases cannot write there, because it is something other than
// an empty directory, or because no directory can be made there.
Status CheckExportDirectory(const std::filesystem::path& directory);

// Writes the corpus and returns its manifest. The directory appears completely or not at
// all: after an Error, or if `stop` became true (which is also an Error), nothing is
// left. `progress` gets the number of cells that are done. Every model is first checked
// with ONNX's checker and strict shape inference.
Result<ExportManifest> ExportCases(const ExportRequest& request,
                                   const std::function<void(int64_t cells)>& progress,
                                   const std::atomic<bool>& stop);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_SUITES_EXPORT_H_
