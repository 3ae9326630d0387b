// Proofs of DequantizeLinear over all scales of a type: for one code of x or for all of
// them. docs/proofs.md says what each proves.
#ifndef QCONFORM_HARNESS_OPERATORS_DEQUANTIZE_LINEAR_PROOFS_PRODUCTS_H_
#define QCONFORM_HARNESS_OPERATORS_DEQUANTIZE_LINEAR_PROOFS_PRODUCTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cases/corpus/stored_case.h"
#include "harness/core/proofs/model_asker.h"
#include "harness/core/proofs/proof.h"
#include "oracle/base/result.h"
#include "oracle/operators/dequantize_linear/dequantize_linear.h"

namespace qconform::dequantize_linear {

// What the proofs ask: types, and one zero point for all x.
struct Products {
  Types types{};
  std::optional<uint64_t> x{};           // code; nothing: all codes of x
  std::optional<uint64_t> zero_point{};  // code; absent where there is none
  Readings readings{};
};

// One x, or each x, by all codes of x_scale, as models with scales per axis. x and the
// scale are fed. Precondition: since_version has axes.
Result<Proof> ProveLines(const Products& products, MakeModelAsker make_asker);

// All x by all codes of an x_scale of 16 bits, as models with a scalar scale. An Error if
// x has more than 16 bits, or the scale another number of them.
Result<Proof> ProvePlane(const Products& products, MakeModelAsker make_asker);

// The same by every other combination of readings.
std::vector<Products> OtherReadings(const Products& products);

// Whether what was answered at a mismatch is right by these readings.
bool Explains(const Products& products, const SweepMismatch& mismatch);

// The name of the readings; "" for the canonical ones.
std::string ReadingOf(const Products& products);

// The smallest case that shows a mismatch.
StoredCase MismatchCase(const Products& products, const SweepMismatch& mismatch);

}  // namespace qconform::dequantize_linear

#endif  // QCONFORM_HARNESS_OPERATORS_DEQUANTIZE_LINEAR_PROOFS_PRODUCTS_H_
