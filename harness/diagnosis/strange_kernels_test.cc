// Wrong kernels in the machine's own floats, written without the catalogue: each is
// caught at level standard, and is named, or has a pattern that is right; nothing
// misleads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/backends/faulty/decode.h"
#include "harness/core/oracle_model.h"
#include "harness/core/patterns/pattern.h"
#include "harness/operators/mat_mul_integer/faults.h"
#include "harness/operators/quantize_linear/faults.h"
#include "harness/runner/testing/changed_backend.h"
#include "harness/runner/testing/run_on.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "oracle/formats/prepared.h"
#include "reports/record/evidence.h"

namespace qconform {
namespace {

// One element of QuantizeLinear as a kernel of FLOAT sees it.
struct Element {
  const Model& model;
  const DecodedQuantizeLinear& decoded;
  int64_t index;
  int64_t size;  // elements of y
  int64_t scale_index;
  float x;
  float scale;
  float zero_point;
  uint64_t right;  // the oracle's code

  float quotient() const { return x / scale; }
  bool is_special() const { return std::isnan(quotient()) || std::isnan(zero_point); }
  const NumberFormat& y() const { return *decoded.y; }

  uint64_t Integer(float value) const {
    const auto low = static_cast<double>(IntegerMin(y()));
    const auto high = static_cast<double>(IntegerMax(y()));
    const double clamped = std::fmin(std::fmax(value, low), high);
    return static_cast<uint64_t>(static_cast<int64_t>(clamped)) &
           ((uint64_t{1} << y().bits) - 1);
  }
  uint64_t Float(float value, RoundingMode mode = RoundingMode::kNearestEven) const {
    const ExactValue exact =
        Decode(FormatOf(DataType::kFloat), std::bit_cast<uint32_t>(value));
    return Round(
        y(), ToUnrounded(exact), mode,
        decoded.saturate ? OverflowPolicy::kSaturate : OverflowPolicy::kNonSaturating);
  }
};

// Returns the code that a kernel gives; nothing: the right one.
using Kernel = std::function<std::optional<uint64_t>(const Element&)>;

float FloatOf(const ExactValue& value) {
  if (value.value_class == ValueClass::kNan) return NAN;
  if (value.value_class == ValueClass::kInfinity)
    return value.negative ? -INFINITY : INFINITY;
  if (value.value_class == ValueClass::kZero) return value.negative ? -0.0f : 0.0f;
  return static_cast<float>(*NumberOf(value));
}

ChangedBackend Quantizing(Kernel kernel) {
  return ChangedBackend([kernel](const Model& model, auto inputs,
                                 RunResult result) -> RunResult {
    if (!std::holds_alternative<Outputs>(result)) return result;
    Tensor& y = FirstOutput(result);
    const auto oracle = OracleModel::Create(model);
    const auto decoded =
        DecodeCase(model, oracle->since_version(), inputs, *oracle->Evaluate(inputs));
    const DecodedQuantizeLinear& d = quantize_linear::Case::Of(**decoded);
    const QuantizeLinearLayout& layout = d.layout;
    const int64_t size = *ElementCount(y.shape);
    for (int64_t i = 0; i < size; ++i) {
      const int64_t line = i / layout.inner;
      const int64_t at =
          layout.ScaleIndex(line / layout.axis, line % layout.axis, i % layout.inner);
      const Element element{
          model,
          d,
          i,
          size,
          at,
          FloatOf(d.x_values[static_cast<size_t>(i)]),
          FloatOf(d.scales[static_cast<size_t>(at)]),
          FloatOf(d.zero_points[d.zero_points.size() == 1 ? 0 : static_cast<size_t>(at)]),
          ReadCode(y.view(), i)};
      if (const auto code = kernel(element)) WriteCode(y.mutable_view(), i, *code);
    }
    return result;
  });
}

// Flips a bit of the elements that `wrong` says.
Kernel Flip(std::function<bool(const Element&)> wrong) {
  return [wrong](const Element& e) -> std::optional<uint64_t> {
    if (!wrong(e)) return std::nullopt;
    return e.right ^ 1;
  };
}

struct Strange {
  const char* name;
  const char* cell;
  Kernel kernel;
  const char* diagnosis = "";  // "": none
  const char* pattern = "";    // "": none
};

void PrintTo(const Strange& strange, std::ostream* out) { *out << strange.name; }

constexpr const char* kUint8 = "QuantizeLinear/21/FLOAT-FLOAT-UINT8/per_tensor";
constexpr const char* kInt8 = "QuantizeLinear/21/FLOAT-FLOAT-INT8/per_tensor";
constexpr const char* kPerAxis = "QuantizeLinear/21/FLOAT-FLOAT-INT8/per_axis";
constexpr const char* kE4M3 = "QuantizeLinear/19/FLOAT-FLOAT-FLOAT8E4M3FN/per_tensor";
constexpr const char* kE5M2 = "QuantizeLinear/21/FLOAT-FLOAT-FLOAT8E5M2/per_axis";
constexpr const char* kWithPrecision = "QuantizeLinear/25/FLOAT-FLOAT-UINT8/per_tensor";
constexpr const char* kOfTwoTypes = "QuantizeLinear/28/FLOAT-FLOAT16-INT8/per_tensor";

std::optional<uint64_t> FakeQuantize(const Element& e) {
  if (e.is_special()) return std::nullopt;
  const auto low_code = static_cast<float>(IntegerMin(e.y()));
  const auto high_code = static_cast<float>(IntegerMax(e.y()));
  const float lo = (low_code - e.zero_point) * e.scale;
  const float hi = (high_code - e.zero_point) * e.scale;
  const float x = std::fmin(std::fmax(e.x, lo), hi);
  const float level = std::nearbyint((x - lo) / (hi - lo) * (high_code - low_code));
  if (std::isnan(level)) return e.Integer(low_code);
  return e.Integer(level + low_code);
}

std::vector<Strange> Stranges() {
  std::vector<Strange> all;
  const auto named = [&](const char* name, const char* cell, const char* diagnosis,
                         Kernel kernel) {
    all.push_back({name, cell, std::move(kernel), diagnosis, ""});
  };
  const auto patterned = [&](const char* name, const char* cell, const char* pattern,
                             Kernel kernel) {
    all.push_back({name, cell, std::move(kernel), "", pattern});
  };
  // Kernels of public reports.
  const Kernel rounds_first = [](const Element& e) -> std::optional<uint64_t> {
    if (e.is_special() || std::isinf(e.quotient())) return std::nullopt;
    return e.Float(std::nearbyint(e.quotient()) +
                   (e.zero_point == 0 ? -0.0f : e.zero_point));
  };
  named("rounds_before_e4m3", kE4M3, "rounds_to_integer_first", rounds_first);
  named("rounds_before_e5m2", kE5M2, "rounds_to_integer_first", rounds_first);
  named("int32_before_e4m3", kE4M3, "converts_to_int32_first",
        [](const Element& e) -> std::optional<uint64_t> {
          const float q = e.quotient();
          const bool fits = std::fabs(q) < 2147483648.0f;
          const int32_t whole =
              fits ? static_cast<int32_t>(std::nearbyint(q)) : INT32_MIN;
          return e.Float(static_cast<float>(whole) + e.zero_point);
        });
  named("magnitude_of_int8", kInt8, "sign_lost",
        [](const Element& e) -> std::optional<uint64_t> {
          if (e.is_special()) return std::nullopt;
          return e.Integer(std::nearbyint(std::fabs(e.quotient())) + e.zero_point);
        });
  named("magnitude_of_e4m3", kE4M3, "sign_lost",
        [](const Element& e) -> std::optional<uint64_t> {
          if (e.is_special()) return std::nullopt;
          return e.right & 0x7F;
        });
  named("fma", kUint8, "fused_multiply_add",
        [](const Element& e) -> std::optional<uint64_t> {
          const float sum = std::fma(e.x, 1 / e.scale, e.zero_point);
          if (std::isnan(sum) || e.is_special()) return std::nullopt;
          return e.Integer(std::nearbyint(sum));
        });
  named("fake_quantize_uint8", kUint8, "fake_quantize_formula", FakeQuantize);
  named("fake_quantize_int8", kPerAxis, "fake_quantize_formula", FakeQuantize);
  named("negative_axis", kPerAxis, "negative_axis_off_by_one",
        [](const Element& e) -> std::optional<uint64_t> {
          const ScalePlaces& places = e.decoded.places;
          if (places.given_axis >= 0 || e.is_special()) return std::nullopt;
          const int64_t axis = std::max<int64_t>(places.axis - 1, 0);
          int64_t inner = 1;
          for (size_t d = static_cast<size_t>(axis) + 1; d < places.shape.size(); ++d) {
            inner *= places.shape[d];
          }
          const int64_t along = e.index / inner % places.shape[static_cast<size_t>(axis)];
          const auto at = static_cast<size_t>(std::min<int64_t>(
              along, static_cast<int64_t>(e.decoded.scales.size()) - 1));
          const float scale = FloatOf(e.decoded.scales[at]);
          const float zero =
              FloatOf(e.decoded.zero_points[e.decoded.zero_points.size() == 1 ? 0 : at]);
          const float q = e.x / scale;
          return e.Integer(std::isnan(q) ? -INFINITY : std::nearbyint(q) + zero);
        });
  named("reciprocal_unless_precision", kWithPrecision, "reciprocal_without_precision",
        [](const Element& e) -> std::optional<uint64_t> {
          if (e.decoded.precision != e.decoded.default_precision) return std::nullopt;
          const float q = e.x * (1 / e.scale);
          return e.Integer(std::isnan(q) ? -INFINITY : std::nearbyint(q) + e.zero_point);
        });
  named("x_without_low_bits", kInt8, "x_truncated_to_bfloat16",
        [](const Element& e) -> std::optional<uint64_t> {
          const float x =
              std::bit_cast<float>(std::bit_cast<uint32_t>(e.x) & 0xFFFF0000u);
          const float q = x / e.scale;
          if (std::isnan(q) || e.is_special()) return std::nullopt;
          return e.Integer(std::nearbyint(q) + e.zero_point);
        });
  named("axis_of_channels", kPerAxis, "axis_is_one",
        [](const Element& e) -> std::optional<uint64_t> {
          const Shape& shape = e.decoded.places.shape;
          int64_t inner = 1;
          for (size_t d = 2; d < shape.size(); ++d) inner *= shape[d];
          const int64_t extent = shape.size() < 2 ? e.size : shape[1];
          const auto at =
              static_cast<size_t>(e.index / inner % extent) % e.decoded.scales.size();
          const float q = e.x / FloatOf(e.decoded.scales[at]);
          if (std::isnan(e.x)) return std::nullopt;
          const float zero =
              FloatOf(e.decoded.zero_points[e.decoded.zero_points.size() == 1 ? 0 : at]);
          return e.Integer(std::isnan(q) ? 0.0f : std::nearbyint(q) + zero);
        });
  named("cast_of_sum_with_half", kInt8, "adds_half_in_p_and_truncates",
        [](const Element& e) -> std::optional<uint64_t> {
          const float q = e.quotient();
          if (std::isnan(q) || e.is_special()) return std::nullopt;
          return e.Integer(std::trunc(q + 0.5f) + e.zero_point);
        });
  named("flushed_by_exponent", kE4M3, "float_subnormals_flushed_before_rounding",
        [](const Element& e) -> std::optional<uint64_t> {
          const float sum = e.quotient() + (e.zero_point == 0 ? -0.0f : e.zero_point);
          if (!(std::fabs(sum) < 0x1p-6f)) return std::nullopt;
          return e.Float(std::copysign(0.0f, sum));
        });
  named("range_of_fnuz", kE4M3, "e4m3fn_ends_at_240",
        [](const Element& e) -> std::optional<uint64_t> {
          const double sum = static_cast<double>(e.quotient()) + e.zero_point;
          if (!(std::fabs(sum) > 240)) return std::nullopt;
          return e.Float(std::copysign(240.0f, static_cast<float>(sum)));
        });
  named("int32_then_low_bits", kInt8, "int32_sum_wraps_at_output",
        [](const Element& e) -> std::optional<uint64_t> {
          const double sum =
              static_cast<double>(std::nearbyint(e.quotient())) + e.zero_point;
          if (std::isnan(sum) || e.is_special()) return std::nullopt;
          const double clamped = std::fmin(std::fmax(sum, INT32_MIN), INT32_MAX);
          return static_cast<uint64_t>(static_cast<int64_t>(clamped)) & 0xFF;
        });
  named("numpy", kOfTwoTypes, "int32_minimum_wraps+promoted_division",
        [](const Element& e) -> std::optional<uint64_t> {
          const auto in_p = NumberOf(e.decoded.quotients[static_cast<size_t>(e.index)]);
          const float promoted = e.quotient();
          if (std::isnan(promoted) || !in_p) return std::nullopt;
          const double q = e.decoded.has_precision ? *in_p : promoted;
          const double whole = std::nearbyint(q);
          const bool fits = whole >= INT32_MIN && whole <= INT32_MAX;
          const auto sum = static_cast<int64_t>(fits ? whole : INT32_MIN) +
                           static_cast<int64_t>(e.zero_point);
          return e.Integer(static_cast<float>(static_cast<int32_t>(sum)));
        });
  // Kernels that nobody has a name for.
  patterned("scale_with_epsilon", kInt8,
            "scales, as if about 1e-06 were added to each y_scale",
            [](const Element& e) -> std::optional<uint64_t> {
              const float q = e.x / (e.scale + 1e-6f);
              if (std::isnan(q) || e.is_special()) return std::nullopt;
              return e.Integer(std::nearbyint(q) + e.zero_point);
            });
  // Its quotients are rounded to FLOAT, so it takes some for ties that are next to one.
  patterned("ties_to_odd", kInt8,
            "only where the quotient x / y_scale is within a relative 2^-23 of a tie",
            [](const Element& e) -> std::optional<uint64_t> {
              const float q = e.quotient();
              const float below = std::floor(q);
              if (e.is_special() || q - below != 0.5f) return std::nullopt;
              const bool is_odd = std::fmod(below, 2.0f) != 0;
              return e.Integer((is_odd ? below : below + 1) + e.zero_point);
            });
  patterned("one_code", kInt8, "only where the right answer is 127",
            Flip([](const Element& e) { return e.right == 127; }));
  patterned("large_quotients", kInt8,
            "only where the quotient x / y_scale is at least 100",
            Flip([](const Element& e) { return e.quotient() >= 100; }));
  patterned("negative_zero_points", kInt8, "only where y_zero_point is at most -",
            Flip([](const Element& e) { return e.zero_point < 0; }));
  patterned("channels_from_16", kPerAxis,
            "only where the index of the scale is at least 16",
            Flip([](const Element& e) { return e.scale_index >= 16; }));
  patterned("every_fifth_channel_of_eight", kPerAxis,
            "only where the index of the scale modulo 8 is 5",
            Flip([](const Element& e) { return e.scale_index % 8 == 5; }));
  patterned("all_channels_but_the_first", kPerAxis,
            "only where the index of the scale is not 0",
            Flip([](const Element& e) { return e.scale_index != 0; }));
  // Without the zero point, as some reading has it: such elements are no part of what
  // deviates, though the rest of the cell does not show clearly what it follows.
  patterned("clips_where_it_does_not_saturate", kE4M3,
            "only where the magnitude of the quotient x / y_scale is between 4",
            [](const Element& e) -> std::optional<uint64_t> {
              const float q = e.quotient();
              const bool clips = !e.decoded.saturate && std::fabs(q) <= 896.0f;
              return e.Float(clips ? std::fmin(std::fmax(q, -448.0f), 448.0f) : q);
            });
  patterned("elements_from_1024", kInt8, "only where the index is at least 1024",
            Flip([](const Element& e) { return e.index >= 1024; }));
  patterned("rank_from_3", kInt8, "only where the rank of the output is at least 3",
            Flip([](const Element& e) { return e.decoded.places.shape.size() >= 3; }));
  patterned("negative_quotients", kInt8, "only negative quotients",
            Flip([](const Element& e) { return e.quotient() < 0; }));
  patterned("initializers", kInt8, "only in operand form initializers",
            Flip([](const Element& e) { return !e.model.initializers.empty(); }));
  patterned("precision", kWithPrecision, "only where the attribute precision is given",
            Flip([](const Element& e) {
              for (const Attribute& each : e.model.node.attributes) {
                if (each.name == "precision") return true;
              }
              return false;
            }));
  patterned("no_zero_point", kInt8, "only without y_zero_point",
            Flip([](const Element& e) { return !e.decoded.has_zero_point; }));
  patterned("lengths_of_multiples_of_8", kInt8,
            "only where the number of elements of the output is a multiple of 8",
            Flip([](const Element& e) { return e.size % 8 == 0; }));
  // A handful of elements have something in common by chance only.
  patterned("few_elements", kInt8, "", Flip([](const Element& e) {
              return e.size > 100 && (e.index * 2654435761u >> 7) % 499 == 3;
            }));
  // Neither that zeros and NaN are right says something, nor a range of lengths that few
  // shapes bear out.
  patterned("all_but_zeros", kE4M3, "", Flip([](const Element& e) {
              return (e.right & 0x7F) != 0 && (e.right & 0x7F) != 0x7F;
            }));
  patterned("channels_in_flat_order", kPerAxis, "",
            [](const Element& e) -> std::optional<uint64_t> {
              const auto count = static_cast<int64_t>(e.decoded.scales.size());
              const auto at = static_cast<size_t>(e.index * count / e.size);
              const float q = e.x / FloatOf(e.decoded.scales[at]);
              const auto& zero_points = e.decoded.zero_points;
              const float zero_point =
                  FloatOf(zero_points[zero_points.size() == 1 ? 0 : at]);
              if (std::isnan(q)) return std::nullopt;
              return e.Integer(std::nearbyint(q) + zero_point);
            });
  // A multiplication by an estimate of the reciprocal: no pair of others gives that.
  patterned("reciprocal_of_12_bits", kUint8,
            "scales, as if each y_scale had a relative error of its own, up to about",
            [](const Element& e) -> std::optional<uint64_t> {
              const float r = std::bit_cast<float>(std::bit_cast<uint32_t>(1 / e.scale) &
                                                   0xFFFFF000u);
              const float q = e.x * r;
              if (std::isnan(q) || e.is_special()) return std::nullopt;
              return e.Integer(std::nearbyint(q) + e.zero_point);
            });
  return all;
}

class StrangeKernel : public testing::TestWithParam<Strange> {};

TEST_P(StrangeKernel, IsCaughtAndWellDescribed) {
  const Strange& strange = GetParam();
  ChangedBackend backend = Quantizing(strange.kernel);
  const auto records = RunOn(backend, {strange.cell}, Level::kStandard);
  ASSERT_EQ(records.size(), 1u);
  const CellRecord& record = records.front();
  EXPECT_EQ(record.verdict, Verdict::kNonconformant);
  ASSERT_TRUE(record.deviation.has_value());
  EXPECT_EQ(record.diagnosis, strange.diagnosis) << DiagnosisText(record);
  if (*strange.diagnosis != 0) return;
  EXPECT_EQ(record.deviation->follows, "") << DiagnosisText(record);
  if (*strange.pattern == 0) {
    EXPECT_THAT(record.deviation->pattern, testing::IsEmpty()) << DiagnosisText(record);
  } else {
    EXPECT_THAT(record.deviation->pattern,
                testing::Contains(testing::StartsWith(strange.pattern)))
        << DiagnosisText(record);
  }
}

INSTANTIATE_TEST_SUITE_P(All, StrangeKernel, testing::ValuesIn(Stranges()),
                         [](const auto& tested) {
                           return std::string(tested.param.name);
                         });

// Sums: what is wrong depends on their length, or on where they lie.
struct StrangeSum {
  const char* name;
  std::function<bool(int64_t terms, int64_t row, int64_t column)> wrong;
  const char* pattern;
};

void PrintTo(const StrangeSum& strange, std::ostream* out) { *out << strange.name; }

class StrangeSumKernel : public testing::TestWithParam<StrangeSum> {};

TEST_P(StrangeSumKernel, HasItsPattern) {
  const StrangeSum& strange = GetParam();
  ChangedBackend backend([&](const Model& model, auto inputs, RunResult result) {
    const auto oracle = OracleModel::Create(model);
    const auto decoded =
        DecodeCase(model, oracle->since_version(), inputs, *oracle->Evaluate(inputs));
    const MatMulLayout& layout = mat_mul_integer::Case::Of(**decoded).layout;
    Tensor& y = FirstOutput(result);
    for (int64_t i = 0; i < *ElementCount(y.shape); ++i) {
      if (strange.wrong(layout.terms(), i / layout.y.columns % layout.y.rows,
                        i % layout.y.columns)) {
        WriteCode(y.mutable_view(), i, ReadCode(y.view(), i) ^ 1);
      }
    }
    return result;
  });
  const auto records =
      RunOn(backend, {"MatMulInteger/10/UINT8-INT8-INT32/per_tensor-per_tensor"},
            Level::kStandard);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records.front().diagnosis, "");
  ASSERT_TRUE(records.front().deviation.has_value());
  EXPECT_THAT(records.front().deviation->pattern,
              testing::Contains(testing::StartsWith(strange.pattern)))
      << DiagnosisText(records.front());
}

INSTANTIATE_TEST_SUITE_P(
    All, StrangeSumKernel,
    testing::Values(
        StrangeSum{"k_3_modulo_8", [](int64_t k, int64_t, int64_t) { return k % 8 == 3; },
                   "only K that is 3 modulo 8"},
        StrangeSum{"k_from_64", [](int64_t k, int64_t, int64_t) { return k >= 64; },
                   "only K of at least 64"},
        StrangeSum{"rows_from_8", [](int64_t, int64_t row, int64_t) { return row >= 8; },
                   "only where the row of a is at least 8"},
        StrangeSum{"every_fourth_column",
                   [](int64_t, int64_t, int64_t column) { return column % 4 == 3; },
                   "only where the column of b modulo 4 is 3"}),
    [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace qconform
