#include "cases/operators/q_linear_mat_mul/question.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace qconform::generators {
namespace {

// Returns a value of an 8-bit type in units of 2^unit; 0 for what is no number.
int64_t UnitsOf(const NumberFormat& format, uint64_t code, int unit) {
  const ExactValue value = Prepared(format).decode(code);
  if (value.value_class != ValueClass::kFinite) return 0;
  const auto magnitude =
      static_cast<int64_t>(value.significand << (value.exponent - unit));
  return value.negative ? -magnitude : magnitude;
}

}  // namespace

const OperandValues& OperandValues::Of(DataType type) {
  static const auto all = [] {
    std::vector<OperandValues> tables;
    for (const DataType each : AllDataTypes()) {
      if (each == DataType::kInt8 || each == DataType::kUint8 || IsFloat8(each)) {
        tables.push_back(OperandValues(each));
      }
    }
    return tables;
  }();
  for (const OperandValues& values : all) {
    if (values.format_->type == type) return values;
  }
  assert(false && "operands are INT8, UINT8 or float8");
  return all.front();
}

OperandValues::OperandValues(DataType type) : format_(&FormatOf(type)) {
  if (format_->kind == NumberKind::kFloat) {
    unit_ = Decode(*format_, SmallestPositive(*format_)).exponent;
  }
  for (uint64_t code = 0; code < units_.size(); ++code) {
    units_[code] = UnitsOf(*format_, code, unit_);
    lowest_ = std::min(lowest_, units_[code]);
    highest_ = std::max(highest_, units_[code]);
  }
}

uint8_t OperandValues::Nearest(int64_t units) const {
  // Long sums ask this for every one of their products.
  if (format_->kind == NumberKind::kInteger) {
    return static_cast<uint8_t>(std::clamp(units, lowest_, highest_));
  }
  return static_cast<uint8_t>(RoundNearest(*format_, ToUnrounded(Dyadic(units, unit_))));
}

MatMulQuestion::MatMulQuestion(const Cell& cell_in, VectorForm form_in, int index_in,
                               CounterRng rng_in)
    : cell(cell_in),
      form(form_in),
      index(index_in),
      scale(FormatOf(cell_in.types[0])),
      y(FormatOf(cell_in.types[3])),
      a_values(OperandValues::Of(cell_in.types[1])),
      b_values(OperandValues::Of(cell_in.types[2])),
      boundaries(RoundingBoundaries::Of(cell_in.types[3])),
      rng(rng_in) {}

void MatMulQuestion::SetSizes(MatMulSizes sizes) {
  layout = MakeMatMulLayout(cell, {form, form}, std::move(sizes));
  const MatMulSizes& s = layout.sizes;
  a.assign(static_cast<size_t>(layout.a_matrices * s.rows * s.k), 0);
  b.assign(static_cast<size_t>(layout.b_matrices * s.k * s.columns), 0);
  const uint64_t one = RoundNearest(scale, ToUnrounded(Dyadic(1, 0)));
  a_scales.assign(static_cast<size_t>(layout.a_channels()), one);
  b_scales.assign(static_cast<size_t>(layout.b_channels()), one);
  a_zero_points.assign(a_scales.size(), 0);
  b_zero_points.assign(b_scales.size(), 0);
  y_scale = one;
}

void MatMulQuestion::Regroup(Shape a_batch, Shape b_ones) {
  MatMulSizes sizes = layout.sizes;
  assert(sizes.a_batch.empty() && sizes.b_batch.empty());
  for (const int64_t size : a_batch) {
    assert(size > 0 && sizes.rows % size == 0);
    sizes.rows /= size;
  }
  sizes.a_batch = std::move(a_batch);
  sizes.b_batch = std::move(b_ones);
  layout = MakeMatMulLayout(cell, {form, form}, std::move(sizes));
}

void MatMulQuestion::RegroupByTurn(uint32_t turn) {
  if (layout.a_matrices != 1 || layout.b_matrices != 1) return;
  const int64_t rows = layout.sizes.rows;
  if (rows < 1) return;
  const int64_t part = rows % 2 == 0 ? 2 : rows;
  constexpr int kTurns = 8;
  const std::array<std::pair<Shape, Shape>, kTurns> batches{{{{1}, {}},
                                                             {{part, 1, 1}, {}},
                                                             {{1}, {1}},
                                                             {{rows}, {}},
                                                             {{1, 1}, {}},
                                                             {{1, part}, {1, 1, 1}},
                                                             {{}, {1}},
                                                             {{part}, {1}}}};
  const auto& [a_batch, b_ones] = batches[turn % kTurns];
  Regroup(a_can_have_batch() ? a_batch : Shape{}, b_can_have_batch() ? b_ones : Shape{});
}

void MatMulQuestion::SetScales(ScaleFamily a_family, ScaleFamily b_family,
                               ScaleFamily y_family, int sum_exponent,
                               int result_exponent) {
  const ScaleExponents exponents =
      ChooseScaleExponents(scale, sum_exponent, result_exponent, rng);
  const auto fill = [&](std::vector<uint64_t>& codes, ScaleFamily family, int exponent,
                        bool varies) {
    for (uint64_t& code : codes) {
      const int more = varies ? static_cast<int>(rng.Below(2)) : 0;
      code = ScaleCode(scale, family, exponent + more, rng);
    }
  };
  fill(a_scales, a_family, exponents.a, layout.per_row);
  fill(b_scales, b_family, exponents.b, layout.per_column);
  y_scale = ScaleCode(scale, y_family, exponents.y, rng);
}

uint8_t MatMulQuestion::ZeroPoint(DataType type, uint32_t turn) {
  const uint32_t draw = rng.Next32();  // always one word
  if (!IsInteger(type)) return 0;
  const bool is_signed = type == DataType::kInt8;
  switch (turn % 6) {
    case 0:
      return 0;
    case 1:
      return is_signed ? 0x80 : 0x00;
    case 2:
      return is_signed ? 0x7F : 0xFF;
    case 3:
      return static_cast<uint8_t>(draw | 1);
    case 4:
      return is_signed ? 0x00 : 0x80;
    default:
      return static_cast<uint8_t>(draw);
  }
}

void MatMulQuestion::SetZeroPoints(uint32_t turn) {
  uint32_t each = turn;
  for (uint8_t& code : a_zero_points) code = ZeroPoint(cell.types[1], each++);
  each = turn + 1;
  for (uint8_t& code : b_zero_points) code = ZeroPoint(cell.types[2], each++);
  y_zero_point = ZeroPoint(cell.types[3], turn + 3);
}

uint8_t MatMulQuestion::AnyCode(DataType type) {
  const auto code = static_cast<uint8_t>(rng.Next32());
  if (IsInteger(type)) return code;
  const ValueClass value_class = Prepared(FormatOf(type)).decode(code).value_class;
  const bool finite =
      value_class == ValueClass::kFinite || value_class == ValueClass::kZero;
  return finite ? code : static_cast<uint8_t>(code & 0x3F);
}

RequantizationScales MatMulQuestion::ScalesOf(int64_t a_channel,
                                              int64_t b_channel) const {
  const Decoder& decode = Prepared(scale).decode;
  return {decode(a_scales[static_cast<size_t>(a_channel)]),
          decode(b_scales[static_cast<size_t>(b_channel)]), decode(y_scale)};
}

size_t MatMulQuestion::AIndex(int64_t matrix, int64_t row, int64_t k) const {
  return static_cast<size_t>((matrix * layout.sizes.rows + row) * layout.sizes.k + k);
}

size_t MatMulQuestion::BIndex(int64_t matrix, int64_t k, int64_t column) const {
  return static_cast<size_t>((matrix * layout.sizes.k + k) * layout.sizes.columns +
                             column);
}

int64_t MatMulQuestion::AValue(int64_t matrix, int64_t row, int64_t k) const {
  const auto channel = static_cast<size_t>(layout.a_channel(matrix, row));
  return a_values[a[AIndex(matrix, row, k)]] - a_values[a_zero_points[channel]];
}

int64_t MatMulQuestion::BValue(int64_t matrix, int64_t k, int64_t column) const {
  const auto channel = static_cast<size_t>(layout.b_channel(matrix, column));
  return b_values[b[BIndex(matrix, k, column)]] - b_values[b_zero_points[channel]];
}

Int128 MatMulQuestion::Sum(int64_t a_matrix, int64_t row, int64_t b_matrix,
                           int64_t column) const {
  Int128 sum = 0;
  for (int64_t k = 0; k < layout.sizes.k; ++k) {
    sum += static_cast<Int128>(AValue(a_matrix, row, k)) * BValue(b_matrix, k, column);
  }
  return sum;
}

}  // namespace qconform::generators
