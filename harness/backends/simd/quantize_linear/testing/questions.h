// Questions for the tests of this folder: operands that expose wrong roundings,
// ranges and conversions, and the comparison with the oracle.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_TESTING_QUESTIONS_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_TESTING_QUESTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/backends/simd/core/targets.h"
#include "harness/backends/simd/core/testing/random.h"
#include "harness/backends/simd/quantize_linear/quantize_linear.h"
#include "oracle/operators/quantize_linear/quantize_linear.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

// Returns the code of `type` nearest to a value.
uint64_t RoundTo(DataType type, double value);

// One QuantizeLinear, with its operands.
struct QuantizeLinearQuestion {
  int since_version = 28;
  Tensor x;
  Tensor y_scale;
  std::optional<Tensor> y_zero_point;
  QuantizeLinearAttributes attributes;

  QuantizeLinearProblem Problem() const;  // for the oracle
  std::string Name() const;
};

// Types and attributes of a question before its operands are made.
struct Variant {
  int since_version = 28;
  DataType x = DataType::kFloat;
  DataType scale = DataType::kFloat;
  DataType y = DataType::kUint8;
  DataType precision = DataType::kUndefined;  // kUndefined: not given
  bool saturate = true;
};

// Every legal combination of types, precision and saturate of a since_version.
std::vector<Variant> AllVariants(int since_version);

// How scales lie along x, and zero points with them.
struct Layout {
  Shape x;
  Shape scale;
  int64_t axis = 1;
  int64_t block_size = 0;
  bool zero_point = true;
  // This many of the first scales are above 0 and, except INT32, within `binades` binades
  // around 1.
  int64_t ordinary_scales = 0;
  int binades = 8;
};

// Fills operands: ties s * (k + 1/2) and their neighbours for most elements,
// special values and random bits for the others; a scale in eight is degenerate,
// unless it is to be ordinary.
QuantizeLinearQuestion MakeQuestion(const Variant& variant, const Layout& layout,
                                    Random& random);

// Runs `question` on `target`, with each way of reading x and writing y, and returns ""
// where y is the oracle's answer, else a text that says what differs first. y lies
// between guard bytes, and `x` and y at the given offsets from an aligned address. NaN
// codes are equal where the oracle says so; codes that are free must be the canonical
// ones all the same.
std::string Difference(const QuantizeLinearQuestion& question, const Answer& expected,
                       const Target& target, size_t offset = 0, int threads = 1);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_TESTING_QUESTIONS_H_
