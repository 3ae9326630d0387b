#include "oracle/exact/operators/q_linear_mat_mul/testing/questions.h"

#include <utility>

#include "oracle/exact/testing/random_layout.h"
#include "oracle/exact/testing/random_matrices.h"

namespace qconform::agreement {
namespace {

using exact::Codes;
using exact::Format;
using exact::QLinearMatMulInput;
using exact::Value;
using Dims = std::vector<int64_t>;

Codes RandomScales(int type, const Dims& shape, Random& random) {
  Codes codes{type, shape, {}};
  const Format& format = exact::GetFormat(type);
  const uint64_t magnitude = (uint64_t{1} << (format.bits - 1)) - 1;
  for (size_t i = 0; i < CountOf(shape); ++i) {
    const mpq_class v = (1 + mpq_class(random.Between(0, 0xFFFFFF), 0x1000000)) *
                        exact::PowerOfTwo(static_cast<int>(random.Between(-7, 4)));
    uint64_t code = CodeNear(format, v, 0, random);
    if (random.OneIn(4)) code = RandomCode(format, random) & magnitude;
    if (random.OneIn(40)) code = RandomCode(format, random);
    codes.codes.push_back(code);
  }
  return codes;
}

// Sets one scale so that v of this element meets a boundary of y.
void Aim(const QLinearMatMulCell& cell, const exact::Accumulator& element, Random& random,
         QLinearMatMulInput& input) {
  const Format& ts = exact::GetFormat(cell.scale);
  const Format& target = exact::GetFormat(cell.y);
  const Value a = exact::ValueOf(ts, input.a_scale.codes[element.a_index]);
  const Value b = exact::ValueOf(ts, input.b_scale.codes[element.b_index]);
  const Value y = exact::ValueOf(ts, input.y_scale.codes[0]);
  const Value zero_point = exact::ValueOf(target, input.y_zero_point.codes[0]);
  if (!a.IsNumber() || !b.IsNumber() || !y.IsNumber() || !element.c.IsNumber()) return;
  mpq_class v = RandomBoundary(target, random);
  if (zero_point.IsNumber() && random.OneIn(2)) v -= zero_point.number;
  if (sgn(v) == 0 || element.c.IsZero() || a.IsZero() || b.IsZero()) return;
  const int distance = random.OneIn(2) ? 0 : 2;
  const uint64_t magnitude = (uint64_t{1} << (ts.bits - 1)) - 1;
  const auto near = [&](const mpq_class& scale) {
    return CodeNear(ts, abs(scale), distance, random) & magnitude;
  };
  if (cell.per_row && random.OneIn(2) && !y.IsZero()) {
    input.a_scale.codes[element.a_index] =
        near(v * y.number / (element.c.number * b.number));
  } else if (cell.per_column && random.OneIn(2) && !y.IsZero()) {
    input.b_scale.codes[element.b_index] =
        near(v * y.number / (element.c.number * a.number));
  } else {
    input.y_scale.codes[0] = near(element.c.number * a.number * b.number / v);
  }
}

}  // namespace

std::vector<QLinearMatMulCell> QLinearMatMulCells() {
  const std::vector<int> integers = {exact::kInt8, exact::kUint8};
  std::vector<int> all = integers;
  all.insert(all.end(), {exact::kFloat8E4M3FN, exact::kFloat8E4M3FNUZ, exact::kFloat8E5M2,
                         exact::kFloat8E5M2FNUZ});
  std::vector<QLinearMatMulCell> cells;
  for (int since_version : {10, 21}) {
    const bool is_old = since_version == 10;
    const std::vector<int>& types = is_old ? integers : all;
    for (int scale : {exact::kFloat, exact::kFloat16, exact::kBfloat16}) {
      if (is_old && scale != exact::kFloat) continue;
      for (int a : types) {
        for (int b : types) {
          for (int y : types) {
            for (bool per_row : {false, true}) {
              for (bool per_column : {false, true}) {
                cells.push_back({since_version, scale, a, b, y, per_row, per_column});
              }
            }
          }
        }
      }
    }
  }
  return cells;
}

QLinearMatMulInput MakeQuestion(const QLinearMatMulCell& cell, Random& random) {
  const MatMulShapes shapes = RandomMatMulShapes(cell.per_row, cell.per_column, random);
  QLinearMatMulInput input;
  input.a = RandomOperands(cell.a, shapes.a, random);
  input.b = RandomOperands(cell.b, shapes.b, random);
  input.a_scale = RandomScales(cell.scale, shapes.a_scale, random);
  input.b_scale = RandomScales(cell.scale, shapes.b_scale, random);
  input.a_zero_point = RandomZeroPoints(cell.a, shapes.a_scale, random);
  input.b_zero_point = RandomZeroPoints(cell.b, shapes.b_scale, random);
  const Dims single = random.OneIn(2) ? Dims{} : Dims{1};
  input.y_scale = RandomScales(cell.scale, single, random);
  input.y_zero_point = RandomZeroPoints(cell.y, single, random);
  const std::vector<exact::Accumulator> elements = exact::Accumulate(input);
  if (elements.empty()) return input;
  for (int i = 0; i < 3; ++i) {
    Aim(cell, elements[random.Below(elements.size())], random, input);
  }
  return input;
}

QLinearMatMulInput MakeExtremeQuestion(const QLinearMatMulCell& cell, Random& random) {
  QLinearMatMulInput input = MakeQuestion(cell, random);
  const Format& ts = exact::GetFormat(cell.scale);
  const Format& range = random.OneIn(2) ? ts : exact::GetFormat(exact::kFloat);
  const int smallest = range.min_exponent - range.precision + 1;
  const int largest = exact::FloorLog2(range.highest);
  const auto near = [&](int exponent) {
    // Few digits, so that sums meet the end of the range, or tie.
    const auto steps = static_cast<long>(random.Between(4, 7));
    return exact::Round(ts, Value::Number(exact::PowerOfTwo(exponent - 2) * steps),
                        exact::Overflow::kSaturate);
  };
  const bool is_large = random.OneIn(2);
  const int end = is_large ? largest - static_cast<int>(random.Between(0, 20))
                           : smallest + static_cast<int>(random.Between(-8, 20));
  // One operand leaves the range by itself, or the product does.
  const int a_part = random.Pick<int>({end, end / 2, 0});
  for (uint64_t& code : input.a_scale.codes) code = near(a_part);
  for (uint64_t& code : input.b_scale.codes) code = near(end - a_part);
  if (random.OneIn(2)) {
    for (uint64_t& code : input.b_scale.codes) code = near(random.OneIn(2) ? -end : end);
  }
  input.y_scale.codes[0] = near(random.Pick<int>({end, end + 4, smallest, largest - 2}));
  if (random.OneIn(3)) {
    const uint64_t special = random.Pick<uint64_t>(
        {0, uint64_t{1} << (ts.bits - 1), ts.highest_rank + 1, ts.highest_rank + 2,
         (uint64_t{1} << (ts.bits - 1)) + near(0)});
    Codes& scales =
        *random.Pick<Codes*>({&input.a_scale, &input.b_scale, &input.y_scale});
    if (!scales.codes.empty()) scales.codes[random.Below(scales.codes.size())] = special;
  }
  const std::vector<exact::Accumulator> elements = exact::Accumulate(input);
  if (!elements.empty() && random.OneIn(2)) {
    Aim(cell, elements[random.Below(elements.size())], random, input);
  }
  return input;
}

QLinearMatMulInput MakeLongSum(const QLinearMatMulCell& cell, Random& random) {
  QLinearMatMulInput input;
  LongSum sum = RandomLongSum(cell.a, cell.b, random);
  input.a = std::move(sum.a);
  input.b = std::move(sum.b);
  input.a_zero_point = std::move(sum.a_zero_point);
  input.b_zero_point = std::move(sum.b_zero_point);
  input.a_scale = RandomScales(cell.scale, {}, random);
  input.b_scale = RandomScales(cell.scale, {}, random);
  input.y_scale = RandomScales(cell.scale, {}, random);
  input.y_zero_point = RandomZeroPoints(cell.y, {}, random);
  return input;
}

std::string ToString(const QLinearMatMulInput& input) {
  std::string text;
  const auto add = [&](const char* name, const Codes& codes) {
    // A long sum is known by its first terms.
    Codes shown = codes;
    if (shown.codes.size() > 400) shown.codes.resize(8);
    text += std::string("\n  ") + name + " " + ToString(shown);
  };
  add("a", input.a);
  add("a_scale", input.a_scale);
  add("a_zero_point", input.a_zero_point);
  add("b", input.b);
  add("b_scale", input.b_scale);
  add("b_zero_point", input.b_zero_point);
  add("y_scale", input.y_scale);
  add("y_zero_point", input.y_zero_point);
  return text;
}

OracleMatMulProblem::OracleMatMulProblem(int since_version,
                                         const QLinearMatMulInput& input)
    : tensors_{Pack(input.a),       Pack(input.a_scale),     Pack(input.a_zero_point),
               Pack(input.b),       Pack(input.b_scale),     Pack(input.b_zero_point),
               Pack(input.y_scale), Pack(input.y_zero_point)} {
  problem_ = {.since_version = since_version,
              .a = tensors_[0].view(),
              .a_scale = tensors_[1].view(),
              .a_zero_point = tensors_[2].view(),
              .b = tensors_[3].view(),
              .b_scale = tensors_[4].view(),
              .b_zero_point = tensors_[5].view(),
              .y_scale = tensors_[6].view(),
              .y_zero_point = tensors_[7].view()};
}

exact::QLinearMatMulReadings JudgeReadings(const QLinearMatMulReadings& readings) {
  using Oracle = QLinearMatMulReadings;
  using exact::Requantization;
  exact::QLinearMatMulReadings judge;
  switch (readings.requantization) {
    case Oracle::Requantization::kCanonical:
      break;
    case Oracle::Requantization::kF32Multiplier:
      judge.requantization = Requantization::kF32Multiplier;
      break;
    case Oracle::Requantization::kF32DequantizeQuantize:
      judge.requantization = Requantization::kF32DequantizeQuantize;
      break;
    case Oracle::Requantization::kF32CombinedDequantizeQuantize:
      judge.requantization = Requantization::kF32CombinedDequantizeQuantize;
      break;
    case Oracle::Requantization::kF64Product:
      judge.requantization = Requantization::kF64Product;
      break;
    case Oracle::Requantization::kF64Chain:
      judge.requantization = Requantization::kF64Chain;
      break;
    case Oracle::Requantization::kScaleTypeMultiplier:
      judge.requantization = Requantization::kScaleTypeMultiplier;
      break;
  }
  switch (readings.order) {
    case Oracle::MultiplierOrder::kAbFirst:
      break;
    case Oracle::MultiplierOrder::kByFirst:
      judge.order = exact::MultiplierOrder::kByFirst;
      break;
    case Oracle::MultiplierOrder::kAyFirst:
      judge.order = exact::MultiplierOrder::kAyFirst;
      break;
  }
  judge.product_in_double = readings.product_in_double;
  judge.b_scale_first = readings.b_first;
  judge.target.float_zero_point = JudgeFloatZeroPoint(readings.float_zero_point);
  judge.target.other_fnuz_infinity = readings.fnuz_infinity_largest;
  judge.target.e5m2_infinity_kept = readings.e5m2_infinity;
  return judge;
}

}  // namespace qconform::agreement
