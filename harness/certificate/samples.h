// Samples: cases by id, which anyone can make again, and the raw outputs that
// the backend gave for them.
//
// The sampled cases follow only from the report and the lattice, by a hash over the
// digest of the results. So the maker of a package cannot choose them, and a verifier
// knows which must be there:
//   - every case that the report names as a counterexample;
//   - for each cell one case of each operand form;
//   - for each cell one case that is aimed at each contested tier (G-02);
//   - if options of the backend were varied, these at the setting that the row describes,
//     and at each other setting one case, and that of its counterexample.
// Untested cells have no samples. A case is skipped if its output is larger than
// kLargestOutput, or if it does not fit into kMostOutputBytes any more.
#ifndef QCONFORM_HARNESS_CERTIFICATE_SAMPLES_H_
#define QCONFORM_HARNESS_CERTIFICATE_SAMPLES_H_

#include <string>
#include <string_view>
#include <vector>

#include "cases/core/case.h"
#include "harness/backends/backend.h"
#include "harness/core/case_answer.h"
#include "harness/runner/selection.h"
#include "oracle/base/result.h"
#include "reports/report/report.h"

namespace qconform {

inline constexpr size_t kLargestOutput = 8192;          // bytes
inline constexpr size_t kMostOutputBytes = 16'000'000;  // of all samples

struct PlannedSample {
  CaseKey key;
  size_t row = 0;         // of the report
  std::string setting{};  // where it is asked, if options were varied
};

// Returns the cases to be sampled, by row, setting and id. `cells` are those of the
// report's rows. Returns an Error if a case cannot be made.
Result<std::vector<PlannedSample>> PlanSamples(const Report& report,
                                               const std::vector<SelectedCell>& cells,
                                               Level level);

struct Sample {
  enum class Kind : uint8_t { kAnswered, kDeclined, kRefused, kFailed };
  std::string case_id;
  std::string setting{};  // as PlannedSample::setting
  std::string inputs;     // SHA-256 over types, shapes and bytes of all operands
  Kind kind = Kind::kAnswered;
  Outputs outputs{};    // where answered
  std::string words{};  // of the backend, where not

  friend bool operator==(const Sample&, const Sample&) = default;
};

std::string InputsDigest(const OpCase& op_case);

// Runs the case on the backend. Answers that are not of the form of `expected`
// (another count, type, shape or size) are failures. An Error is one of the harness.
Result<Sample> TakeSample(Backend& backend, const OpCase& op_case,
                          const CaseAnswer& expected);

// JSON lines, one per sample.
std::string SamplesText(const std::vector<Sample>& samples);
// An Error names the line; `name` is the name of the file.
Result<std::vector<Sample>> ParseSamples(std::string_view text, std::string_view name);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CERTIFICATE_SAMPLES_H_
