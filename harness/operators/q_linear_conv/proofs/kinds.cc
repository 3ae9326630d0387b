// `qconform prove conv_accumulators`.
#include "harness/core/proofs/proof_kind.h"
#include "harness/operators/q_linear_conv/proofs/sums.h"
#include "harness/requantization/accumulators.h"

namespace qconform::q_linear_conv {

const ProofKinds& GetProofKinds();
const ProofKinds& GetProofKinds() {
  static const requantization::AccumulatorsKind accumulators(SumsOfConvolution());
  static const ProofKinds kinds{&accumulators};
  return kinds;
}

}  // namespace qconform::q_linear_conv
