// `qconform prove accumulators`.
#include "harness/core/proofs/proof_kind.h"
#include "harness/operators/q_linear_mat_mul/proofs/sums.h"
#include "harness/requantization/accumulators.h"

namespace qconform::q_linear_mat_mul {

const ProofKinds& GetProofKinds();
const ProofKinds& GetProofKinds() {
  static const requantization::AccumulatorsKind accumulators(SumsOfProducts());
  static const ProofKinds kinds{&accumulators};
  return kinds;
}

}  // namespace qconform::q_linear_mat_mul
