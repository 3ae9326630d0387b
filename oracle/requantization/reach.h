// What a sum of products may become whose operands are dequantized first: a' = F(A
// a_scale), b' = F(B b_scale), products and sums of these in FLOAT or better, in any
// order, divided by y_scale. F is FLOAT, or the scales' type T. A rounding moves a normal
// result by a factor 1 + d, |d| <= u, and a subnormal one by half of the smallest
// subnormal; what the type holds is not moved. docs/bounds.md has the proofs.
#ifndef QCONFORM_ORACLE_REQUANTIZATION_REACH_H_
#define QCONFORM_ORACLE_REQUANTIZATION_REACH_H_

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "oracle/formats/number_format.h"
#include "oracle/formats/prepared.h"
#include "oracle/matmul/accumulate.h"
#include "oracle/requantization/requantize.h"

namespace qconform {

// The values of v that may come about.
struct FloatReach {
  bool nan = false;
  bool plus_infinity = false;
  bool minus_infinity = false;
  bool zero = false;  // no more is known of a finite v
  // v is no further from C * a_scale * b_scale / y_scale than this; nothing: no v is.
  std::optional<ExactValue> error{};
  // v lies between the least and the greatest of these, which are finite (OfScaleType).
  std::vector<Unrounded> range{};
};

// Where the scales' type T is rounded to again; four choices, each followed throughout.
struct ScaleTypeSteps {
  bool sum = false;       // the sum, once it is formed
  bool quotient = false;  // by y_scale; else FLOAT or better
};

class FloatReachOf {
 public:
  // Both operands must outlive it.
  FloatReachOf(const MatMulOperand& a, const MatMulOperand& b);

  // Operands are dequantized to the scales' type. A line has the same scale each time.
  FloatReach OfScaleType(DataType scale, const ScaleTypeSteps& steps, int64_t a_line,
                         int64_t b_line, const RequantizationScales& scales);

  // Operands are dequantized to FLOAT. `sum` is the exact sum of the two lines and of a
  // bias, if there is one, with its magnitude. A bias is dequantized with a_scale *
  // b_scale, in FLOAT or better.
  FloatReach operator()(int64_t a_line, int64_t b_line, const Accumulated& sum,
                        const RequantizationScales& scales,
                        std::optional<int32_t> bias = std::nullopt) const;

 private:
  struct Sums;     // of products of one sign, and what is known of all
  class Products;  // of dequantized operands
  using Lines = std::map<int64_t, std::vector<ExactValue>>;

  // F(A scale) of all elements of a line, from `known` where it was asked for before;
  // or F(F(A) scale), where the zero point is subtracted in F.
  const std::vector<ExactValue>& Dequantized(const MatMulOperand& operand, int64_t line,
                                             DataType type, const ExactValue& scale,
                                             bool difference_is_rounded,
                                             Lines& known) const;

  // Of two lines that were dequantized to T.
  FloatReach OfValues(const std::vector<ExactValue>& a_values,
                      const std::vector<ExactValue>& b_values, DataType scale,
                      const ScaleTypeSteps& steps,
                      const RequantizationScales& scales) const;

  // Whether all that is dequantized, its products and any sum of them are 0 or normal.
  bool StaysNormal(const RequantizationScales& scales, std::optional<int32_t> bias) const;
  // Whether no operand, product or sum is rounded, in any order.
  bool IsExact(const Accumulated& sum, const RequantizationScales& scales) const;
  // By how much F(x) may differ from x, a magnitude.
  ExactValue ErrorOf(const Unrounded& x) const;
  // (1 + u)^n - 1, rounded up.
  ExactValue Growth(int64_t n) const;
  bool Overflows(const ExactValue& magnitude) const;
  Sums Multiply(int64_t a_line, int64_t b_line, const RequantizationScales& scales,
                std::optional<int32_t> bias) const;
  FloatReach Divide(const Sums& sums, const Accumulated& sum,
                    const RequantizationScales& scales) const;

  const MatMulOperand* a_;
  const MatMulOperand* b_;
  Rounder round_;
  int digits_;           // of F
  int smallest_normal_;  // exponents
  int smallest_unit_;
  ExactValue u_;
  Lines a_lines_[2], b_lines_[2];  // 1: with differences that are rounded
};

}  // namespace qconform

#endif  // QCONFORM_ORACLE_REQUANTIZATION_REACH_H_
