// DynamicQuantizeLinear, the definition that every other implementation is compared with,
// bit for bit.
//
//   max = max(0, all x),  min = min(0, all x)                                   (1)
//   y_scale = f32(f32(max - min) / 255)                                         (2)
//   y_zero_point = rne(clip(f32(0 - f32(min / y_scale)), 0, 255))               (3)
//   y = saturate(rne(f32(x / y_scale)) + y_zero_point)                          (4)
//
// ONNX DynamicQuantizeLinear, since_version 11. Clauses DYN-01 to DYN-10:
// docs/semantics.md and clauses.cc.
#ifndef QCONFORM_ORACLE_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_DYNAMIC_QUANTIZE_LINEAR_H_
#define QCONFORM_ORACLE_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_DYNAMIC_QUANTIZE_LINEAR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "oracle/base/attribute.h"
#include "oracle/base/reading.h"
#include "oracle/base/result.h"
#include "oracle/core/operator.h"
#include "oracle/tensor/tensor.h"

namespace qconform::dynamic_quantize_linear {

struct Problem {
  int since_version = 0;
  TensorView x{};
  std::string unknown_attribute{};  // the operator has none
};

// The problem's view is that of the operand; a missing x has the type kUndefined, which
// is invalid.
Problem ProblemOf(int since_version, const std::string& unknown_attribute,
                  const Operands& operands);

// Which reading of each open parametric clause is followed. The defaults are the
// canonical ones.
struct Readings {
  // DYN-01: where (2) is rounded.
  enum class Scale : uint8_t {
    kCanonical,           // f32(f32(max - min) / 255)
    kFusedRange,          // f32((max - min) / 255)
    kFusedRangeInDouble,  // f32(f64(f64(max - min) / 255))
  };
  // DYN-04: y_scale where max = min = 0.
  enum class NoRange : uint8_t {
    kCanonical,  // 0
    kOne255th,   // f32(1 / 255)
    kOne,        // 1
  };
  Scale scale = Scale::kCanonical;
  NoRange no_range = NoRange::kCanonical;

  friend bool operator==(const Readings&, const Readings&) = default;
};

// The one number that ReadingSet::code holds; 0 for the canonical readings.
uint64_t EncodeReadings(const Readings& readings);
Readings DecodeReadings(uint64_t code);

// Returns the readings that are not canonical.
std::vector<Reading> NamesOf(const Readings& readings);

// Returns every combination of readings, the canonical one first (G-01).
std::vector<Readings> ReadingCombinations();

// (1), as codes of FLOAT.
struct Range {
  uint64_t max = 0;
  uint64_t min = 0;
  bool is_empty = true;  // x has no elements
  bool has_nan = false;
  bool has_minus_zero = false;

  bool is_zero() const { return max == 0 && min == 0; }
};

// A NaN is neither the largest nor the smallest.
Range RangeOf(const std::vector<uint64_t>& x);

// (2). Returns the code of y_scale. Precondition: x has elements and no NaN.
uint64_t ScaleOf(const Range& range, const Readings& readings);

// DYN-07, DYN-10: whether the specification defines the model.
ModelValidity Validate(const Problem& problem);

// The same of operands whose data may be missing.
ModelValidity ValidateWithoutData(const Problem& problem);

// Returns y, y_scale and y_zero_point. Open models have free answers; an Error, citing
// the clause, where the model is invalid.
Result<std::vector<Answer>> EvaluateDynamicQuantizeLinear(const Problem& problem,
                                                          const Readings& readings = {});

}  // namespace qconform::dynamic_quantize_linear

#endif  // QCONFORM_ORACLE_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_DYNAMIC_QUANTIZE_LINEAR_H_
