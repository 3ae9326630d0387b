// Proofs of QLinearMatMul's requantization: from sums to codes. docs/proofs.md says what
// each proves, and why.
#ifndef QCONFORM_HARNESS_OPERATORS_Q_LINEAR_MAT_MUL_PROOFS_ACCUMULATORS_H_
#define QCONFORM_HARNESS_OPERATORS_Q_LINEAR_MAT_MUL_PROOFS_ACCUMULATORS_H_

#include <string>
#include <vector>

#include "cases/corpus/stored_case.h"
#include "harness/core/proofs/model_asker.h"
#include "harness/core/proofs/proof.h"
#include "oracle/base/result.h"
#include "oracle/operators/q_linear_mat_mul/thresholds.h"

namespace qconform::q_linear_mat_mul {

// All 2^32 sums through the requantization stage of the built-in kernels for a target;
// empty: the best. The scales are FLOATs.
Result<Proof> ProveAccumulators(const QLinearMatMulSums& sums, const std::string& target);

// For any other backend: both sides of every boundary between sums, and the ends
// of the range, by models whose operands add up to them.
Result<Proof> ProveAccumulatorBoundaries(const QLinearMatMulSums& sums,
                                         const MakeModelAsker& make_asker);

// A model whose one sum is the mismatch's x.
StoredCase MismatchCase(const QLinearMatMulSums& sums, const SweepMismatch& mismatch);

// The question by every combination of readings except the canonical one.
std::vector<QLinearMatMulSums> OtherReadings(const QLinearMatMulSums& sums);

// Whether what was answered at a mismatch is right by the readings of the question.
bool Explains(const QLinearMatMulSums& sums, const SweepMismatch& mismatch);

// The name of the question's readings, such as "MM-02:f32_multiplier_ab_first"; "" for
// the canonical ones.
std::string ReadingOf(const QLinearMatMulSums& sums);

}  // namespace qconform::q_linear_mat_mul

#endif  // QCONFORM_HARNESS_OPERATORS_Q_LINEAR_MAT_MUL_PROOFS_ACCUMULATORS_H_
