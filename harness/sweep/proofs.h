// The exhaustive proofs of QuantizeLinear and of QLinearMatMul's requantization, as
// plans for RunSweep. docs/proofs.md says what each proves, and why.
#ifndef QCONFORM_HARNESS_SWEEP_PROOFS_H_
#define QCONFORM_HARNESS_SWEEP_PROOFS_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cases/corpus/stored_case.h"
#include "harness/sweep/subject.h"
#include "harness/sweep/sweep.h"
#include "oracle/base/result.h"
#include "oracle/operators/q_linear_mat_mul/thresholds.h"
#include "oracle/operators/quantize_linear/thresholds.h"

namespace qconform {

struct Proof {
  std::string kind;
  std::string ran;
  std::string inputs;  // "all 2^32 codes of x": what a complete sweep visits
  std::vector<std::pair<std::string, std::string>> question;
  std::vector<std::string> assumed;
  uint64_t expected_inputs = 0;  // of all chunks
  SweepPlan plan;
};

// All x of line.x against line.scale, by a source that was made for the line.
Result<Proof> ProveLine(const QuantizeLinearLine& line, const SubjectSource& source);

// All x by all codes of y_scale. Precondition: both have 16 bits; line.scale is not
// read.
Result<Proof> ProvePlane(const QuantizeLinearLine& line, const SubjectSource& source);

// Both sides of every boundary, for FLOAT x and FLOAT scales: all positive finite
// ones, or those of some binades (their exponents). Integer y: zero points at both ends
// of the range, so that the boundaries of both signs are seen; line.zero_point is not
// read. `source` is called with the line of each zero point.
using SourceOf = std::function<Result<SubjectSource>(const QuantizeLinearLine&)>;
Result<Proof> ProveAllScales(const QuantizeLinearLine& line,
                             const std::vector<int>& binades, const SourceOf& source);

// QLinearMatMul: all 2^32 sums through the requantization stage of the built-in
// kernels for a target; empty: the best. The scales are FLOATs.
Result<Proof> ProveAccumulators(const QLinearMatMulSums& sums, const std::string& target);

// For any other backend: both sides of every boundary between sums, and the ends
// of the range, by models whose operands add up to them. `note`: as BackendSubjects'.
Result<Proof> ProveAccumulatorBoundaries(const QLinearMatMulSums& sums, Backend& backend,
                                         UnansweredNote* note = nullptr);

// A model of QLinearMatMul whose one sum is the mismatch's x.
StoredCase MismatchCase(const QLinearMatMulSums& sums, const SweepMismatch& mismatch);

// The least case that shows a mismatch of one of the three of QuantizeLinear, as one
// element.
StoredCase MismatchCase(const QuantizeLinearLine& line, const SweepMismatch& mismatch);

// Runs the subject alone on as many elements as a line has, without comparing, and
// returns the seconds, on one thread. An Error soon after `stop` becomes true.
Result<double> TimeKernelAlone(const QuantizeLinearLine& line,
                               const SubjectSource& source,
                               const std::atomic<bool>& stop);

// "INT8", "0x3f800000 (0x1p+0)" and so on, for Proof::question. A reading is named where
// it is not the canonical one.
std::vector<std::pair<std::string, std::string>> DescribeLine(
    const QuantizeLinearLine& line);

// The kind of a proof and its question in one line, for SweepPlan::identity.
std::string IdentityOf(const Proof& proof);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_SWEEP_PROOFS_H_
