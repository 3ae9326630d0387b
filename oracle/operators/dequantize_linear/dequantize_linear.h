// DequantizeLinear, the definition that every other implementation is compared with, bit
// for bit.
//
//   y = round_P((x - x_zero_point) * x_scale), where P is the type of y         (1)
//
// ONNX DequantizeLinear, since_version 10, 13, 19, 21, 23, 24, 25, 28. Clauses DQ-01 to
// DQ-50: docs/semantics.md and clauses.cc.
#ifndef QCONFORM_ORACLE_OPERATORS_DEQUANTIZE_LINEAR_DEQUANTIZE_LINEAR_H_
#define QCONFORM_ORACLE_OPERATORS_DEQUANTIZE_LINEAR_DEQUANTIZE_LINEAR_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "oracle/base/attribute.h"
#include "oracle/base/reading.h"
#include "oracle/base/result.h"
#include "oracle/core/operator.h"
#include "oracle/tensor/tensor.h"

namespace qconform::dequantize_linear {

// The definitions of the operator, ascending.
std::span<const int> SinceVersions();

// The attributes as the node has them; absent ones have the schema's default.
struct Attributes {
  std::optional<int64_t> axis{};  // default 1
  int64_t block_size = 0;
  int64_t output_dtype = 0;  // a number of TensorProto.DataType
  std::string unknown{};     // the name of an attribute that no definition has
};

// An Error if an attribute is of the wrong kind.
Result<Attributes> ReadAttributes(std::span<const Attribute> attributes);

struct Problem {
  int since_version = 0;
  TensorView x{};
  TensorView x_scale{};
  std::optional<TensorView> x_zero_point{};
  Attributes attributes{};
};

// An Error if x or x_scale is missing. The problem's views are those of the operands.
Result<Problem> ProblemOf(int since_version, const Attributes& attributes,
                          const Operands& operands);

// Which reading of each open parametric clause is followed. The defaults are the
// canonical ones. d = x - x_zero_point, s = x_scale, P = the type of y.
struct Readings {
  // DQ-08: the difference of floats whose zero point is not zero.
  enum class Difference : uint8_t {
    kCanonical,           // exact
    kInFloat,             // rounded to FLOAT
    kInP,                 // rounded to P
    kInXType,             // rounded to the type of x, saturating
    kInXTypeOverflowing,  // the same, to its Inf or NaN
    kZeroPointIgnored,    // also a zero point of -0 (DQ-07)
  };
  // DQ-03, DQ-04, DQ-11; and of DQ-05 whether the scale is converted: which operands of
  // the product are converted to P.
  enum class Operands : uint8_t {
    kCanonical,    // both by DQ-04, none by the others
    kUnconverted,  // DQ-04
    kInP,          // DQ-11: both
    kDifferenceInP,
    kScaleInP,
  };
  // DQ-05: the product with an INT32 x.
  enum class Int32Product : uint8_t {
    kCanonical,  // f32(x) * s
    kExact,      // x * s
    kF64,        // f64(x * s)
    kF32,        // f32(f32(x) * s)
    kXInP,       // round_P(x) * s
  };
  Difference difference = Difference::kCanonical;
  Operands operands = Operands::kCanonical;
  bool f32_product = false;  // DQ-03, DQ-04, DQ-11: the product is rounded to FLOAT first
  Int32Product int32_product = Int32Product::kCanonical;
  bool zero_sign_dropped = false;  // DQ-07, DQ-10, DQ-12: +0 for -0

  friend bool operator==(const Readings&, const Readings&) = default;
};

// The one number that ReadingSet::code holds; 0 for the canonical readings.
uint64_t EncodeReadings(const Readings& readings);
Readings DecodeReadings(uint64_t code);

// The types that decide which readings there are.
struct Types {
  int since_version = 0;
  DataType x = DataType::kUndefined;
  DataType x_scale = DataType::kUndefined;
  DataType y = DataType::kUndefined;
};

// Returns the readings that are not canonical, in the order of the ledger's report.
std::vector<Reading> NamesOf(const Readings& readings, const Types& types);

// Returns every combination of readings that the clauses allow for these types, the
// canonical one first (G-01). A reading that is the same function as one before it for
// all operands of these types is left out.
std::vector<Readings> ReadingCombinations(const Types& types);

// Returns those that ReadingCombinations leaves out.
std::vector<ReadingLeftOut> ReadingsLeftOut(const Types& types);

// Whether the last rounding of the canonical reading, that of the product to the type of
// y, changes some product of regular operands. x of a float type counts without a zero
// point, because those are zero as a rule.
bool IsRounded(const Types& types);

// DQ-14, DQ-30 to DQ-36: whether the specification defines the model.
ModelValidity Validate(const Problem& problem);

// Returns y. Open models are answered with their plain meaning; an Error, citing the
// clause, where the model is invalid.
Result<Answer> EvaluateDequantizeLinear(const Problem& problem,
                                        const Readings& readings = {});

}  // namespace qconform::dequantize_linear

#endif  // QCONFORM_ORACLE_OPERATORS_DEQUANTIZE_LINEAR_DEQUANTIZE_LINEAR_H_
