// Wrong models of QuantizeLinear, for the kill test alone: a second evaluation
// over exact arithmetic with many switches, each of which is a mistake that
// somebody may make. Without a switch it must agree with the oracle.
#ifndef QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_TESTING_WRONG_MODELS_H_
#define QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_TESTING_WRONG_MODELS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cases/core/case.h"
#include "cases/operators/quantize_linear/channel_layout.h"
#include "oracle/formats/number_format.h"

namespace qconform::generators {

// A case, unpacked.
struct Setting {
  const NumberFormat* x = nullptr;
  const NumberFormat* scale = nullptr;
  const NumberFormat* y = nullptr;
  const NumberFormat* p = nullptr;          // null: exact quotient
  const NumberFormat* default_p = nullptr;  // P if `precision` were ignored
  bool saturate = true;
  std::vector<ExactValue> x_values;
  std::vector<uint64_t> x_codes;
  std::vector<ExactValue> scales;
  std::vector<ExactValue> zero_points;  // one for each scale; zeros where left out
  QuantizeLinearGranularity granularity = QuantizeLinearGranularity::kPerTensor;
  bool default_axis = false;
  int64_t rank = 0;
  Shape shape;
  int64_t axis = 0;
  int64_t block = 1;
};
Setting Unpack(const OpCase& made);

struct Recipe {
  enum class Quotient : uint8_t {
    kCanonical,
    kExact,
    kConvertedExact,
    kUnconverted,
    kReciprocal,
    kDivisionIn,
    kReciprocalIn,
    kTruncated,
    kTruncatedConversion,
    kThrough,
    kIntegerDivision,
  };
  enum class Rounding : uint8_t { kEven, kAway, kHalfUp, kHalfDown, kZero, kDown, kUp };
  enum class Order : uint8_t { kAfter, kBeforeExact, kBeforeInP, kClampFirst, kIgnored };
  enum class Overflow : uint8_t {
    kSaturate,
    kInt32Min,
    kWrapInt32,
    kWrap,
    kThroughInt16,
    kNarrowRange,
    kInfinityIsZero,
  };
  Quotient quotient = Quotient::kCanonical;
  const NumberFormat* type = nullptr;
  bool default_precision = false;
  bool flush_x = false, flush_scale = false, flush_quotient = false;
  bool absolute_scale = false, zero_scale_is_one = false;
  Rounding rounding = Rounding::kEven;
  Order order = Order::kAfter;
  Overflow overflow = Overflow::kSaturate;
  // Float targets.
  bool flush_result = false, other_saturate = false, early_overflow = false;
  bool negative_zero_code = false, drop_zero_sign = false, nan_is_zero = false;
  bool infinity_is_nan = false, saturate_to_infinity = false;
};

struct WrongModel {
  std::string name;
  std::function<std::vector<uint64_t>(const Setting&)> answer;
};

// The code of one x, by the scale and the zero point of these indices.
uint64_t CodeFor(const Setting& setting, const Recipe& recipe, const ExactValue& x,
                 size_t scale, size_t zero_point);
std::vector<uint64_t> Evaluate(const Setting& setting, const Recipe& recipe);
const std::vector<WrongModel>& WrongModels();

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_QUANTIZE_LINEAR_TESTING_WRONG_MODELS_H_
