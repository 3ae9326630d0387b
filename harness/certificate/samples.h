// Samples: cases by id, which anyone can make again, and the raw outputs that
// the backend gave for them.
//
// Which cases are sampled follows from the report and the lattice alone, by a
// hash over the digest of the results: whoever makes a package cannot choose
// them, and whoever verifies it knows which must be there. First every case that
// the report names as a counterexample; then for each cell one case of each
// operand form, and one that is aimed at each contested tier (G-02); none of a cell that
// is untested. A case whose output is larger than kLargestOutput, or does not fit into
// kMostOutputBytes any more, is passed over.
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
  size_t row = 0;  // of the report
};

// Returns the cases to be sampled, by row and id. `cells` are those of the
// report's rows. An error where a case cannot be made.
Result<std::vector<PlannedSample>> PlanSamples(const Report& report,
                                               const std::vector<SelectedCell>& cells,
                                               Level level);

struct Sample {
  enum class Kind : uint8_t { kAnswered, kDeclined, kFailed };
  std::string case_id;
  std::string inputs;  // SHA-256 over types, shapes and bytes of all operands
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

// JSON lines, one a sample.
std::string SamplesText(const std::vector<Sample>& samples);
// An error names the line; `name` is the file's.
Result<std::vector<Sample>> ParseSamples(std::string_view text, std::string_view name);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CERTIFICATE_SAMPLES_H_
