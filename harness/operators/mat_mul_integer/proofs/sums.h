// Proofs of MatMulInteger's products and sums, as models of one node. docs/proofs.md says
// what each proves.
#ifndef QCONFORM_HARNESS_OPERATORS_MAT_MUL_INTEGER_PROOFS_SUMS_H_
#define QCONFORM_HARNESS_OPERATORS_MAT_MUL_INTEGER_PROOFS_SUMS_H_

#include <cstdint>

#include "cases/corpus/stored_case.h"
#include "harness/core/proofs/model_asker.h"
#include "harness/core/proofs/proof.h"
#include "oracle/base/result.h"
#include "oracle/tensor/data_type.h"

namespace qconform::mat_mul_integer {

// What the proofs ask: the types, and the zero points of all sums of pairs.
struct Sums {
  DataType a = DataType::kUndefined;
  DataType b = DataType::kUndefined;
  uint64_t a_zero_point = 0;  // codes
  uint64_t b_zero_point = 0;
};

// All products of one term: each code of A with each a_zero_point, by each code of B with
// each b_zero_point, as zero points by row and by column. The zero points of `sums` have
// no meaning.
Result<Proof> ProveProducts(const Sums& sums, MakeModelAsker make_asker);

// All sums of two products: each pair of codes of A by each pair of codes of B.
Result<Proof> ProvePairs(const Sums& sums, MakeModelAsker make_asker);

// The case of one product, or of one sum, that shows a mismatch.
StoredCase ProductsCase(const Sums& sums, const SweepMismatch& mismatch);
StoredCase PairsCase(const Sums& sums, const SweepMismatch& mismatch);

}  // namespace qconform::mat_mul_integer

#endif  // QCONFORM_HARNESS_OPERATORS_MAT_MUL_INTEGER_PROOFS_SUMS_H_
