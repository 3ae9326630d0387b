// `qconform prove convolution-products` and `convolution-pairs`.
#include "harness/core/proofs/proof_kind.h"
#include "harness/operators/conv_integer/proofs/sums.h"

namespace qconform::conv_integer {

const ProofKinds& GetProofKinds();
const ProofKinds& GetProofKinds() {
  using integer_sums::Kind;
  static const integer_sums::SumsKind products(SumsOfConvolution(), Kind::kProducts);
  static const integer_sums::SumsKind pairs(SumsOfConvolution(), Kind::kPairs);
  static const ProofKinds kinds{&products, &pairs};
  return kinds;
}

}  // namespace qconform::conv_integer
