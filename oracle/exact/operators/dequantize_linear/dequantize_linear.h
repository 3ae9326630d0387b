// DequantizeLinear, by the judge: rational arithmetic, one element at a time.
//
//   y = (x - x_zero_point) * x_scale
//
// Clauses DQ-01 to DQ-50 of docs/semantics.md. Models are not validated; open ones
// (DQ-14, DQ-34) get their plain meaning. In this folder d is the difference x -
// x_zero_point, s the scale, and P the type of y.
#ifndef QCONFORM_ORACLE_EXACT_OPERATORS_DEQUANTIZE_LINEAR_DEQUANTIZE_LINEAR_H_
#define QCONFORM_ORACLE_EXACT_OPERATORS_DEQUANTIZE_LINEAR_DEQUANTIZE_LINEAR_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/exact/answer.h"
#include "oracle/exact/format.h"

namespace qconform::exact {

struct DequantizeLinearInput {
  int since_version = 0;
  Codes x;
  Codes x_scale;
  std::optional<Codes> x_zero_point;
  int64_t axis = 1;
  int64_t block_size = 0;
  int64_t output_dtype = 0;
};

// How y comes from x, x_zero_point and x_scale, step by step. The defaults are the plain
// formula, rounded once; for which types they are canonical, CanonicalReadings says.
struct DequantizeLinearReadings {
  // Step 1: what d is.
  enum class Difference : uint8_t {
    kExact,
    kInFloat,            // DQ-05: f32(x); DQ-08: difference_in_float
    kInXType,            // DQ-08: difference_in_x_type; overflow gives Inf or NaN
    kInXTypeSaturating,  // DQ-08: the same, but overflow gives the largest finite
    kZeroPointIgnored,   // DQ-07, DQ-08: zero_point_ignored, d = x
  };
  // Step 3: what d * s is rounded to before it is rounded to P.
  enum class Product : uint8_t { kExact, kInFloat, kInDouble };

  Difference difference = Difference::kExact;
  // Step 2: what is rounded to P before the product.
  bool difference_in_p = false;
  bool scale_in_p = false;
  Product product = Product::kExact;
  bool zero_sign_dropped = false;  // DQ-07, DQ-10

  friend bool operator==(const DequantizeLinearReadings&,
                         const DequantizeLinearReadings&) = default;
};

// Returns the canonical readings for these types (numbers of TensorProto.DataType).
DequantizeLinearReadings CanonicalReadings(int since_version, int x, int x_scale, int y);

// Returns all combinations that the clauses allow for these types, the canonical one
// first (G-01). Two of them may be one function.
std::vector<DequantizeLinearReadings> AllowedReadings(int since_version, int x,
                                                      int x_scale, int y);

// Returns the type of y (DQ-30).
int OutputType(const DequantizeLinearInput& input);

// Returns y. The tier of an element does not follow the reading: it belongs to the
// question (DQ-13). Preconditions: the types are those of the since_version; x has as
// many codes as its shape says; x_scale's shape is as ScaleIndices wants it;
// x_zero_point's is x_scale's or one element.
Answer DequantizeLinear(const DequantizeLinearInput& input,
                        const DequantizeLinearReadings& readings);

// The same with the canonical readings.
Answer DequantizeLinear(const DequantizeLinearInput& input);

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_OPERATORS_DEQUANTIZE_LINEAR_DEQUANTIZE_LINEAR_H_
