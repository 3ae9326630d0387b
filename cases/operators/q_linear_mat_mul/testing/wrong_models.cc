#include "cases/operators/q_linear_mat_mul/testing/wrong_models.h"

#include <algorithm>
#include <initializer_list>

#include "cases/core/exact_value.h"
#include "oracle/formats/codes.h"

namespace qconform::generators {
namespace {

using Place = MatMulRecipe::Place;

// One operand with its scales and zero points, as matrices.
struct Side {
  const NumberFormat* format = nullptr;
  Shape batch;
  int64_t rows = 1;
  int64_t columns = 1;
  std::vector<ExactValue> values;
  std::vector<ExactValue> scales;
  std::vector<ExactValue> zero_points;
};

std::vector<ExactValue> ValuesOf(const Tensor& tensor) {
  std::vector<ExactValue> values;
  for (int64_t i = 0; i < ElementCount(tensor.shape).value(); ++i) {
    values.push_back(Decode(FormatOf(tensor.type), ReadCode(tensor.view(), i)));
  }
  return values;
}

Side SideOf(const Tensor& operand, const Tensor& scale, const Tensor& zero_point,
            bool left) {
  Side side;
  side.format = &FormatOf(operand.type);
  const Shape& shape = operand.shape;
  if (shape.size() == 1) {
    (left ? side.columns : side.rows) = shape[0];
  } else {
    side.batch.assign(shape.begin(), shape.end() - 2);
    side.rows = shape[shape.size() - 2];
    side.columns = shape.back();
  }
  side.values = ValuesOf(operand);
  side.scales = ValuesOf(scale);
  side.zero_points = ValuesOf(zero_point);
  return side;
}

bool Special(const ExactValue& value) {
  return value.value_class == ValueClass::kNan ||
         value.value_class == ValueClass::kInfinity;
}

// Units of 2^-40: every product of two operand values is a whole number of them.
constexpr int kUnit = -40;

Int128 Units(const ExactValue& value, int unit) {
  if (value.value_class != ValueClass::kFinite) return 0;
  const Int128 magnitude = static_cast<Int128>(value.significand)
                           << (value.exponent - unit);
  return value.negative ? -magnitude : magnitude;
}

// The index of a matrix of `from` for a matrix of the broadcast `to`.
int64_t BatchOf(const Shape& from, const Shape& to, int64_t index) {
  int64_t result = 0;
  int64_t stride = 1;
  for (size_t back = 1; back <= to.size(); ++back) {
    const int64_t at = index % to[to.size() - back];
    index /= to[to.size() - back];
    if (back > from.size()) continue;
    const int64_t size = from[from.size() - back];
    if (size != 1) result += at * stride;
    stride *= size;
  }
  return result;
}

size_t PlaceOf(Place place, size_t count, int64_t line, int64_t other) {
  if (count <= 1) return 0;
  const auto last = static_cast<int64_t>(count) - 1;
  switch (place) {
    case Place::kRight:
      break;
    case Place::kFirst:
      return 0;
    case Place::kNext:
      return static_cast<size_t>(std::min(line + 1, last));
    case Place::kSwapped:
      return static_cast<size_t>(std::min(other, last));
  }
  return static_cast<size_t>(line);
}

class Evaluation {
 public:
  Evaluation(const OpCase& made, const MatMulRecipe& recipe)
      : recipe_(recipe),
        a_(SideOf(made.operands[0], made.operands[1], made.operands[2], true)),
        b_(SideOf(made.operands[3], made.operands[4], made.operands[5], false)),
        y_(FormatOf(made.operands[7].type)),
        y_scale_(ValuesOf(made.operands[6])[0]),
        y_zero_point_(ValuesOf(made.operands[7])[0]) {
    if (recipe.scales_as != DataType::kUndefined) {
      const NumberFormat& narrow = FormatOf(recipe.scales_as);
      for (std::vector<ExactValue>* scales : {&a_.scales, &b_.scales}) {
        for (ExactValue& scale : *scales) scale = Narrow(narrow, scale);
      }
      y_scale_ = Narrow(narrow, y_scale_);
    }
    if (recipe.absolute_scales) {
      for (ExactValue& scale : a_.scales) scale.negative = false;
      for (ExactValue& scale : b_.scales) scale.negative = false;
      y_scale_.negative = false;
    }
  }

  std::vector<std::optional<uint64_t>> Run() {
    Shape batch(std::max(a_.batch.size(), b_.batch.size()), 1);
    int64_t matrices = 1;
    for (size_t back = 1; back <= batch.size(); ++back) {
      int64_t& dimension = batch[batch.size() - back];
      if (back <= a_.batch.size()) dimension = a_.batch[a_.batch.size() - back];
      if (back <= b_.batch.size() && dimension == 1) {
        dimension = b_.batch[b_.batch.size() - back];
      }
      matrices *= dimension;
    }
    std::vector<std::optional<uint64_t>> codes;
    for (int64_t m = 0; m < matrices; ++m) {
      const int64_t am = recipe_.first_batch ? 0 : BatchOf(a_.batch, batch, m);
      const int64_t bm = recipe_.first_batch ? 0 : BatchOf(b_.batch, batch, m);
      for (int64_t row = 0; row < a_.rows; ++row) {
        for (int64_t column = 0; column < b_.columns; ++column) {
          codes.push_back(Element(am, row, bm, column));
        }
      }
    }
    return codes;
  }

 private:
  static ExactValue Narrow(const NumberFormat& format, const ExactValue& value) {
    return value.value_class == ValueClass::kFinite ? RoundTo(format, ToUnrounded(value))
                                                    : value;
  }

  std::optional<uint64_t> Element(int64_t am, int64_t row, int64_t bm, int64_t column) {
    const int64_t a_line = am * a_.rows + row;
    const int64_t b_line = bm * b_.columns + column;
    const auto a_at = [&](Place p) {
      return PlaceOf(p, a_.scales.size(), a_line, b_line);
    };
    const auto b_at = [&](Place p) {
      return PlaceOf(p, b_.scales.size(), b_line, a_line);
    };
    const ExactValue& a_zero = a_.zero_points[a_at(recipe_.a_zero_point)];
    const ExactValue& b_zero = b_.zero_points[b_at(recipe_.b_zero_point)];
    const ExactValue& a_scale = a_.scales[a_at(recipe_.a_scale)];
    const ExactValue& b_scale = b_.scales[b_at(recipe_.b_scale)];
    for (const ExactValue* value : std::initializer_list<const ExactValue*>{
             &a_zero, &b_zero, &a_scale, &b_scale, &y_scale_}) {
      if (Special(*value)) return std::nullopt;
    }
    if (y_scale_.value_class == ValueClass::kZero || Special(y_zero_point_)) {
      return std::nullopt;
    }

    const int64_t depth = a_.columns;
    if (depth == 0 && recipe_.empty_is_zero) return 0;
    const Int128 za = recipe_.no_a_zero_point ? 0 : Units(a_zero, kUnit / 2);
    const Int128 zb = recipe_.no_b_zero_point ? 0 : Units(b_zero, kUnit / 2);
    const int64_t whole =
        recipe_.lost_tail > 0 ? depth - depth % recipe_.lost_tail : depth;
    const int64_t corrected =
        recipe_.uncorrected_tail > 0 ? depth - depth % recipe_.uncorrected_tail : depth;
    Int128 sum = 0;
    Int128 pair = 0;
    ExactValue short_sum;
    for (int64_t k = 0; k < whole; ++k) {
      const ExactValue& a = a_.values[static_cast<size_t>(a_line * depth + k)];
      const ExactValue& b =
          b_.values[static_cast<size_t>((bm * depth + k) * b_.columns + column)];
      if (Special(a) || Special(b)) return std::nullopt;
      const bool zeros = k < corrected;
      const Int128 ua = Units(a, kUnit / 2) - (zeros ? za : 0);
      const Int128 ub = Units(b, kUnit / 2) - (zeros ? zb : 0);
      const Int128 product = ua * ub - (recipe_.no_cross_term ? za * zb : 0);
      switch (recipe_.sum) {
        case MatMulRecipe::Sum::kExact:
          sum += product;
          break;
        case MatMulRecipe::Sum::kPairsSaturate16: {
          // On the raw codes, as the instruction does; corrections stay exact.
          const Int128 raw = Units(a, kUnit / 2) * Units(b, kUnit / 2);
          sum += product - raw;
          pair += raw;
          if (k % 2 == 1 || k == whole - 1) {
            const Int128 high = Int128{32767} << -kUnit;
            const Int128 low = -(Int128{32768} << -kUnit);
            sum += std::clamp(pair, low, high);
            pair = 0;
          }
          break;
        }
        case MatMulRecipe::Sum::kWrap16:
          sum += Int128{static_cast<int16_t>(product >> -kUnit)} << -kUnit;
          break;
        case MatMulRecipe::Sum::kBfloat16:
          short_sum = RoundTo(FormatOf(DataType::kBfloat16),
                              Add(AsUnrounded(product), short_sum));
          break;
      }
    }
    Unrounded c = AsUnrounded(sum);
    if (recipe_.sum == MatMulRecipe::Sum::kBfloat16) c = ToUnrounded(short_sum);
    const Unrounded product = MultiplyWide(c, ToExact(Multiply(a_scale, b_scale)));
    return CodeOf(DivideWide(product, y_scale_));
  }

  static Unrounded AsUnrounded(Int128 units) {
    if (units == 0) return {};
    Unrounded value{.value_class = ValueClass::kFinite, .negative = units < 0};
    value.significand = static_cast<Uint128>(units < 0 ? -units : units);
    value.exponent = kUnit;
    return value;
  }

  uint64_t CodeOf(const Unrounded& v) const {
    using O = MatMulRecipe::Overflow;
    const RoundingMode mode =
        recipe_.rounding == MatMulRecipe::Rounding::kZero   ? RoundingMode::kTowardZero
        : recipe_.rounding == MatMulRecipe::Rounding::kDown ? RoundingMode::kDown
        : recipe_.rounding == MatMulRecipe::Rounding::kUp   ? RoundingMode::kUp
                                                            : RoundingMode::kNearestEven;
    const bool add = !recipe_.no_y_zero_point;
    if (y_.kind == NumberKind::kFloat) {
      const Unrounded sum = add && y_zero_point_.value_class == ValueClass::kFinite
                                ? Add(v, y_zero_point_)
                                : v;
      const uint64_t code = Round(y_, sum, mode, OverflowPolicy::kSaturate);
      return (code & 0x7F) == 0 && y_.has_negative_zero ? 0 : code;
    }
    static constexpr NumberFormat kWide{
        .kind = NumberKind::kInteger, .bits = 60, .is_signed = true};
    const auto whole = [&](const Unrounded& value) {
      return ToInteger(kWide, Round(kWide, value, mode, OverflowPolicy::kSaturate));
    };
    const int64_t zero = add ? static_cast<int64_t>(Units(y_zero_point_, 0)) : 0;
    int64_t result = 0;
    if (recipe_.zero_point_before_rounding) {
      result = whole(Add(v, y_zero_point_));
    } else {
      int64_t rounded = whole(v);
      if (recipe_.overflow == O::kInt32Min &&
          (rounded > INT32_MAX || rounded < INT32_MIN)) {
        rounded = INT32_MIN;
      }
      if (recipe_.overflow == O::kClampFirst) {
        rounded = std::clamp(rounded, IntegerMin(y_), IntegerMax(y_));
      }
      result = rounded + zero;
    }
    if (recipe_.overflow == O::kWrap) return static_cast<uint64_t>(result) & 0xFF;
    return IntegerCode(y_, result);
  }

  const MatMulRecipe& recipe_;
  Side a_;
  Side b_;
  const NumberFormat& y_;
  ExactValue y_scale_;
  ExactValue y_zero_point_;
};

std::vector<MatMulWrongModel> MakeModels() {
  using R = MatMulRecipe;
  std::vector<MatMulWrongModel> all;
  const auto add = [&](std::string name, auto change) {
    R recipe;
    change(recipe);
    all.push_back({std::move(name), recipe});
  };
  add("sum.pairs_saturate_16", [](R& r) { r.sum = R::Sum::kPairsSaturate16; });
  add("sum.wrap_16", [](R& r) { r.sum = R::Sum::kWrap16; });
  add("sum.bfloat16", [](R& r) { r.sum = R::Sum::kBfloat16; });
  for (const int64_t lanes : {2, 4, 8, 16, 32, 64}) {
    const std::string text = std::to_string(lanes);
    add("k.lost_tail_" + text, [=](R& r) { r.lost_tail = lanes; });
    add("k.uncorrected_tail_" + text, [=](R& r) { r.uncorrected_tail = lanes; });
  }
  add("k.empty_is_zero", [](R& r) { r.empty_is_zero = true; });
  add("zero_point.no_a", [](R& r) { r.no_a_zero_point = true; });
  add("zero_point.no_b", [](R& r) { r.no_b_zero_point = true; });
  add("zero_point.no_cross_term", [](R& r) { r.no_cross_term = true; });
  add("zero_point.no_y", [](R& r) { r.no_y_zero_point = true; });
  add("zero_point.before_rounding", [](R& r) { r.zero_point_before_rounding = true; });
  add("place.first_batch", [](R& r) { r.first_batch = true; });
  add("place.a_scale_first", [](R& r) { r.a_scale = Place::kFirst; });
  add("place.a_scale_next", [](R& r) { r.a_scale = Place::kNext; });
  add("place.a_scale_swapped", [](R& r) { r.a_scale = Place::kSwapped; });
  add("place.b_scale_first", [](R& r) { r.b_scale = Place::kFirst; });
  add("place.b_scale_next", [](R& r) { r.b_scale = Place::kNext; });
  add("place.b_scale_swapped", [](R& r) { r.b_scale = Place::kSwapped; });
  add("place.a_zero_point_first", [](R& r) { r.a_zero_point = Place::kFirst; });
  add("place.b_zero_point_first", [](R& r) { r.b_zero_point = Place::kFirst; });
  add("place.b_zero_point_next", [](R& r) { r.b_zero_point = Place::kNext; });
  add("scales.bfloat16", [](R& r) { r.scales_as = DataType::kBfloat16; });
  add("scales.float16", [](R& r) { r.scales_as = DataType::kFloat16; });
  add("scales.absolute", [](R& r) { r.absolute_scales = true; });
  add("rounding.zero", [](R& r) { r.rounding = R::Rounding::kZero; });
  add("rounding.down", [](R& r) { r.rounding = R::Rounding::kDown; });
  add("rounding.up", [](R& r) { r.rounding = R::Rounding::kUp; });
  add("overflow.wrap", [](R& r) { r.overflow = R::Overflow::kWrap; });
  add("overflow.int32_min", [](R& r) { r.overflow = R::Overflow::kInt32Min; });
  add("overflow.clamp_first", [](R& r) { r.overflow = R::Overflow::kClampFirst; });
  return all;
}

}  // namespace

const std::vector<MatMulWrongModel>& MatMulWrongModels() {
  static const std::vector<MatMulWrongModel> all = MakeModels();
  return all;
}

std::vector<std::optional<uint64_t>> EvaluateMatMul(const OpCase& made,
                                                    const MatMulRecipe& recipe) {
  return Evaluation(made, recipe).Run();
}

}  // namespace qconform::generators
