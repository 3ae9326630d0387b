// `qconform prove integer-products` and `integer-pairs`.
#include "harness/core/proofs/proof_kind.h"
#include "harness/operators/mat_mul_integer/proofs/sums.h"

namespace qconform::mat_mul_integer {

const ProofKinds& GetProofKinds();
const ProofKinds& GetProofKinds() {
  using integer_sums::Kind;
  static const integer_sums::SumsKind products(SumsOfProduct(), Kind::kProducts);
  static const integer_sums::SumsKind pairs(SumsOfProduct(), Kind::kPairs);
  static const ProofKinds kinds{&products, &pairs};
  return kinds;
}

}  // namespace qconform::mat_mul_integer
