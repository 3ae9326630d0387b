#include "oracle/exact/operators/q_linear_conv/testing/questions.h"

#include <algorithm>
#include <cstdint>

#include "oracle/exact/format.h"
#include "oracle/exact/testing/random_layout.h"

namespace qconform::agreement {
namespace {

using exact::Codes;
using exact::Format;
using exact::QLinearConvInput;
using exact::Value;
using Dims = std::vector<int64_t>;

const Format& Float() { return exact::GetFormat(exact::kFloat); }

Codes RandomScales(const Dims& shape, Random& random) {
  Codes codes{exact::kFloat, shape, {}};
  const bool any = random.OneIn(16);
  for (size_t i = 0; i < CountOf(shape); ++i) {
    uint64_t code = RandomCode(Float(), random);
    if (!any) {  // positive, of a moderate size
      const mpq_class v = (1 + mpq_class(random.Between(0, 0xFFFFFF), 0x1000000)) *
                          exact::PowerOfTwo(static_cast<int>(random.Between(-12, 4)));
      code = exact::Round(Float(), Value::Number(v), exact::Overflow::kSaturate);
      if (random.OneIn(3)) code &= ~uint64_t{0x7FFFF};  // few digits, where v may tie
    }
    codes.codes.push_back(code);
  }
  return codes;
}

Codes RandomBias(int64_t channels, Random& random) {
  Codes codes{exact::kInt32, {channels}, {}};
  const uint64_t kind = random.Below(6);
  for (int64_t i = 0; i < channels; ++i) {
    int64_t value = random.Between(-300, 300);
    if (kind == 0) value = random.Pick<int64_t>({INT32_MIN, INT32_MAX, -1, 0});
    if (kind == 1) value = random.Between(INT32_MIN, INT32_MAX);
    if (kind == 2) value = random.Between(-100'000, 100'000);
    if (kind == 3) {  // near an end of INT32, where a sum may leave it
      value = random.Between(0, 40'000) * (random.OneIn(2) ? 1 : -1);
      value = value >= 0 ? INT32_MAX - value : INT32_MIN - value;
    }
    codes.codes.push_back(static_cast<uint32_t>(value));
  }
  return codes;
}

// Sets one scale so that v of this element meets a boundary of y.
void Aim(const exact::ConvAccumulator& element, Random& random, QLinearConvInput& input) {
  const Format& target = exact::GetFormat(input.y_zero_point.type);
  const Value x = exact::ValueOf(Float(), input.x_scale.codes[0]);
  const Value w = exact::ValueOf(Float(), input.w_scale.codes[element.b_index]);
  const Value y = exact::ValueOf(Float(), input.y_scale.codes[0]);
  const mpq_class zero_point = exact::ValueOf(target, input.y_zero_point.codes[0]).number;
  if (!x.IsNumber() || !w.IsNumber() || !y.IsNumber()) return;
  mpq_class v = RandomBoundary(target, random);
  if (random.OneIn(6)) v = exact::RoundHalfEven(v);  // nothing is to be rounded
  if (random.OneIn(2)) v -= zero_point;
  if (sgn(v) == 0 || element.c.IsZero() || x.IsZero() || w.IsZero()) return;
  const int distance = random.OneIn(2) ? 0 : 2;
  const auto near = [&](const mpq_class& scale) {
    return CodeNear(Float(), abs(scale), distance, random) & 0x7FFFFFFF;
  };
  if (random.OneIn(2) && !y.IsZero()) {
    input.w_scale.codes[element.b_index] =
        near(v * y.number / (element.c.number * x.number));
  } else {
    input.y_scale.codes[0] = near(element.c.number * x.number * w.number / v);
  }
}

std::vector<exact::ConvAccumulator> ElementsOf(const QLinearConvInput& input) {
  Dims shape;
  return exact::Accumulate(input, shape);
}

}  // namespace

std::vector<QLinearConvCell> QLinearConvCells() {
  std::vector<QLinearConvCell> cells;
  for (const int x : {exact::kInt8, exact::kUint8}) {
    for (const int w : {exact::kInt8, exact::kUint8}) {
      for (const int y : {exact::kInt8, exact::kUint8}) {
        for (const bool per_channel : {false, true}) {
          cells.push_back({x, w, y, per_channel});
        }
      }
    }
  }
  return cells;
}

QLinearConvQuestion MakeQuestion(const QLinearConvCell& cell, Random& random) {
  const RandomConvolution convolution = MakeConvolution(random);
  QLinearConvQuestion question;
  question.attributes = NodeAttributes(convolution, random);
  QLinearConvInput& input = question.input;
  input.attributes = convolution.attributes;
  const int64_t channels = convolution.w_shape.front();
  const Dims of_channels = cell.per_channel ? Dims{channels} : Dims{};
  input.x = RandomOperand(cell.x, convolution.x_shape, random);
  input.w = RandomOperand(cell.w, convolution.w_shape, random);
  input.x_scale = RandomScales({}, random);
  input.w_scale = RandomScales(of_channels, random);
  input.y_scale = RandomScales({}, random);
  input.x_zero_point = RandomOperand(cell.x, {}, random);
  input.w_zero_point = RandomOperand(cell.w, of_channels, random);
  input.y_zero_point = RandomOperand(cell.y, {}, random);
  if (random.OneIn(2)) input.b = RandomBias(channels, random);
  const std::vector<exact::ConvAccumulator> elements = ElementsOf(input);
  for (int i = 0; i < 2 && !random.OneIn(6); ++i) {
    Aim(elements[random.Below(elements.size())], random, input);
  }
  return question;
}

QLinearConvQuestion MakeExtremeQuestion(const QLinearConvCell& cell, Random& random) {
  QLinearConvQuestion question = MakeQuestion(cell, random);
  QLinearConvInput& input = question.input;
  const auto near = [&](int exponent) {
    // Few digits, so that sums meet the end of the range, or tie.
    const auto steps = static_cast<long>(random.Between(4, 7));
    return exact::Round(Float(), Value::Number(exact::PowerOfTwo(exponent - 2) * steps),
                        exact::Overflow::kSaturate);
  };
  const int end = random.OneIn(2) ? 127 - static_cast<int>(random.Between(0, 36))
                                  : -149 + static_cast<int>(random.Between(-8, 26));
  const int x_part = random.Pick<int>({end, end / 2, 0});
  input.x_scale.codes[0] = near(x_part);
  for (uint64_t& code : input.w_scale.codes) code = near(end - x_part);
  if (random.OneIn(2)) {
    for (uint64_t& code : input.w_scale.codes) code = near(random.OneIn(2) ? -end : end);
  }
  input.y_scale.codes[0] = near(random.Pick<int>({end, end + 4, -149, 125}));
  if (random.OneIn(3)) {
    Codes& scales =
        *random.Pick<Codes*>({&input.x_scale, &input.w_scale, &input.y_scale});
    scales.codes[random.Below(scales.codes.size())] = random.Pick<uint64_t>(
        {0, 0x80000000, 0x7F800000, 0x7F800001, 0x80000000 + near(0)});
  }
  if (random.OneIn(2)) {
    const std::vector<exact::ConvAccumulator> elements = ElementsOf(input);
    Aim(elements[random.Below(elements.size())], random, input);
  }
  return question;
}

QLinearConvQuestion MakeLongSum(const QLinearConvCell& cell, Random& random) {
  const int64_t k = 33026 + random.Between(-3, 3);  // 2^31 / 255^2 is 33025.5
  const auto end = [](int type, bool low) {
    const Format& format = exact::GetFormat(type);
    return exact::CodeOf(format, Value::Number(low ? format.lowest : format.highest));
  };
  const bool x_low = random.OneIn(2), w_low = random.OneIn(2);
  const Dims of_channels = cell.per_channel ? Dims{1} : Dims{};
  const auto count = static_cast<size_t>(k);
  QLinearConvQuestion question;
  QLinearConvInput& input = question.input;
  input.x = {cell.x, {1, k, 1}, std::vector<uint64_t>(count, end(cell.x, x_low))};
  input.w = {cell.w, {1, k, 1}, std::vector<uint64_t>(count, end(cell.w, w_low))};
  input.x_zero_point = {cell.x, {}, {end(cell.x, !x_low)}};
  input.w_zero_point = {cell.w, of_channels, {end(cell.w, !w_low)}};
  input.y_zero_point = RandomOperand(cell.y, {}, random);
  input.x_scale = RandomScales({}, random);
  input.w_scale = RandomScales(of_channels, random);
  input.y_scale = RandomScales({}, random);
  if (random.OneIn(2)) input.b = RandomBias(1, random);
  return question;
}

std::string ToString(const QLinearConvInput& input) {
  return "\n  " + ToString(input.attributes) + OperandText("x", input.x) +
         OperandText("x_scale", input.x_scale) +
         OperandText("x_zero_point", input.x_zero_point) + OperandText("w", input.w) +
         OperandText("w_scale", input.w_scale) +
         OperandText("w_zero_point", input.w_zero_point) +
         OperandText("y_scale", input.y_scale) +
         OperandText("y_zero_point", input.y_zero_point) + OperandText("B", input.b);
}

OracleQuestion Ask(const QLinearConvQuestion& question) {
  const QLinearConvInput& input = question.input;
  return {"QLinearConv",
          10,
          question.attributes,
          {input.x, input.x_scale, input.x_zero_point, input.w, input.w_scale,
           input.w_zero_point, input.y_scale, input.y_zero_point, input.b}};
}

std::optional<exact::QLinearConvReadings> JudgeReadings(const ReadingSet& readings) {
  using exact::ConvRounding;
  using exact::MultiplierOrder;
  using exact::Requantization;
  static const std::vector<std::pair<std::string, exact::RequantizationReadings>> ways = {
      {"f32_multiplier_ab_first", {Requantization::kF32Multiplier}},
      {"f32_multiplier_by_first",
       {Requantization::kF32Multiplier, MultiplierOrder::kByFirst}},
      {"f32_multiplier_ay_first",
       {Requantization::kF32Multiplier, MultiplierOrder::kAyFirst}},
      {"f32_dequantize_quantize", {Requantization::kF32DequantizeQuantize}},
      {"f32_dequantize_quantize_b_first",
       {.requantization = Requantization::kF32DequantizeQuantize, .b_scale_first = true}},
      {"f32_combined_dequantize_quantize",
       {Requantization::kF32CombinedDequantizeQuantize}},
      {"f64_product_ab_first", {Requantization::kF64Product}},
      {"f64_product_by_first", {Requantization::kF64Product, MultiplierOrder::kByFirst}},
      {"f64_product_ay_first", {Requantization::kF64Product, MultiplierOrder::kAyFirst}},
      {"f64_chain", {Requantization::kF64Chain}},
      {"f64_chain_b_first",
       {.requantization = Requantization::kF64Chain, .b_scale_first = true}}};
  static const std::vector<std::pair<std::string, ConvRounding>> roundings = {
      {"ties_away", ConvRounding::kTiesAway},
      {"ties_up", ConvRounding::kTiesUp},
      {"zero_point_before_rounding", ConvRounding::kZeroPointBeforeRounding},
      {"zero_point_before_rounding_ties_away",
       ConvRounding::kZeroPointBeforeRoundingTiesAway}};
  exact::QLinearConvReadings judge;
  for (const Reading& reading : readings.readings) {
    bool is_known = readings.is_bounded() && reading.clause == "QC-04";
    for (const auto& [name, way] : ways) {
      if (reading != Reading{"QC-04", name}) continue;
      static_cast<exact::RequantizationReadings&>(judge) = way;
      is_known = true;
    }
    for (const auto& [name, rounding] : roundings) {
      if (reading != Reading{"QC-01", name}) continue;
      judge.rounding = rounding;
      is_known = true;
    }
    if (!is_known) return std::nullopt;
  }
  return judge;
}

}  // namespace qconform::agreement
