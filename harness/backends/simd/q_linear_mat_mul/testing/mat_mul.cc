#include "harness/backends/simd/q_linear_mat_mul/testing/mat_mul.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "harness/backends/simd/q_linear_mat_mul/testing/codes.h"

namespace qconform::simd {
namespace {

int64_t CountOf(const Shape& shape) { return *ElementCount(shape); }

uint64_t RandomCode(DataType type, bool extreme, Dice& dice) {
  if (!extreme) {
    uint64_t code = dice.Next() & 0xFF;
    // Infinities and NaN spoil whole sums: few.
    while (!std::isfinite(ValueOfCode(type, code)) && dice.Below(64) != 0)
      code = dice.Next() & 0xFF;
    return code;
  }
  if (type == DataType::kUint8) return dice.Below(8) == 0 ? 0 : 255;
  if (type == DataType::kInt8) return dice.Below(8) == 0 ? 127 : 128;
  const auto& grid = Float8Grid(type);
  return dice.Below(8) == 0 ? grid.begin()->second : grid.rbegin()->second;
}

// Shape of a scale and zero point of an operand.
Shape ParameterShape(const Shape& operand, Lines lines, bool is_row, Dice& dice) {
  if (lines == Lines::kPerTensor || operand.size() < 2) {
    return dice.Below(2) == 0 ? Shape{} : Shape{1};
  }
  const int64_t count = operand[operand.size() - (is_row ? 2 : 1)];
  if (lines == Lines::kVector) return {count};
  Shape shape = operand;
  shape[shape.size() - (is_row ? 1 : 2)] = 1;
  return shape;
}

double ScaleValue(ScaleKind kind, Dice& dice) {
  switch (kind) {
    case ScaleKind::kPowerOfTwo:
    case ScaleKind::kRatio:
      return std::ldexp(1.0, static_cast<int>(dice.Below(3)) - 6);
    case ScaleKind::kDegenerate: {
      static const std::vector<double> kValues = {
          0.0,     -0.0,   kInf,     -kInf,    kNan,      0x1p-149, 0x1p-126, -0x1.8p-130,
          0x1p127, 0x1p60, 0x1p-100, -0x1p-60, 0x1.8p-20, -0.37,    1.7,      -1.0};
      return dice.Pick(kValues);
    }
    default:
      return std::ldexp(1.0 + static_cast<double>(dice.Below(1 << 24)) * 0x1p-24,
                        static_cast<int>(dice.Below(3)) - 6) *
             (dice.Below(16) == 0 ? -1 : 1);
  }
}

}  // namespace

QLinearMatMulArgs MatMulQuestion::Args() const {
  return {a.view(),       a_scale.view(),      a_zero_point.view(), b.view(),
          b_scale.view(), b_zero_point.view(), y_scale.view(),      y_zero_point.view()};
}

std::string MatMulQuestion::Name() const {
  std::ostringstream name;
  for (const Tensor* t : {&a_scale, &a, &b, &y_zero_point}) {
    name << DataTypeName(t->type) << (t == &y_zero_point ? " " : "-");
  }
  for (const Tensor* t : {&a, &a_scale, &a_zero_point, &b, &b_scale, &b_zero_point}) {
    name << ShapeToString(t->shape);
  }
  return name.str() + (requantization == Requantization::kExact ? "" : " f32_multiplier");
}

std::vector<MatMulTypes> AllMatMulTypes() {
  using enum DataType;
  const DataType types[] = {kUint8,      kInt8,           kFloat8E4M3FN,
                            kFloat8E5M2, kFloat8E4M3FNUZ, kFloat8E5M2FNUZ};
  std::vector<MatMulTypes> all;
  for (const DataType scale : {kFloat, kFloat16, kBfloat16}) {
    for (const DataType a : types) {
      for (const DataType b : types) {
        for (const DataType y : types) all.push_back({scale, a, b, y});
      }
    }
  }
  return all;
}

MatMulQuestion MakeMatMulQuestion(const MatMulTypes& types, const MatMulLayout& layout,
                                  Dice& dice) {
  MatMulQuestion q;
  const auto operand = [&](DataType type, const Shape& shape) {
    Tensor t = Tensor::Zeros(type, shape);
    for (int64_t i = 0; i < CountOf(shape); ++i) {
      SetCode(&t, i, RandomCode(type, layout.extreme, dice));
    }
    return t;
  };
  q.a = operand(types.a, layout.a);
  q.b = operand(types.b, layout.b);
  const Shape a_shape = ParameterShape(layout.a, layout.a_lines, true, dice);
  const Shape b_shape = ParameterShape(layout.b, layout.b_lines, false, dice);
  const auto zero_point = [&](DataType type, const Shape& shape) {
    Tensor t = operand(type, shape);
    const int64_t kind = dice.Below(4);
    for (int64_t i = 0; i < CountOf(shape); ++i) {
      if (kind == 0) SetCode(&t, i, 0);
      if (kind == 1) SetCode(&t, i, 128);  // NaN for some
      if (kind == 1 && !IsInteger(type)) SetCode(&t, i, 0x38);
    }
    return t;
  };
  q.a_zero_point = zero_point(types.a, a_shape);
  q.b_zero_point = zero_point(types.b, b_shape);
  q.y_zero_point = zero_point(types.y, dice.Below(2) == 0 ? Shape{} : Shape{1});
  const auto scale = [&](const Shape& shape) {
    Tensor t = Tensor::Zeros(types.scale, shape);
    for (int64_t i = 0; i < CountOf(shape); ++i) {
      ScaleKind kind = layout.scales;
      // One bad scale among good ones, too.
      if (kind == ScaleKind::kDegenerate && dice.Below(3) == 0)
        kind = ScaleKind::kOrdinary;
      SetScale(&t, i, ScaleValue(kind, dice));
    }
    return t;
  };
  q.a_scale = scale(a_shape);
  q.b_scale = scale(b_shape);
  q.y_scale = scale(dice.Below(2) == 0 ? Shape{} : Shape{1});
  if (layout.scales != ScaleKind::kDegenerate &&
      CountOf(a_shape) * CountOf(b_shape) != 0) {
    // So that y is about as wide as its type: C is about sqrt(K) times a product.
    const auto typical = [](const Tensor& t) {
      return IsInteger(t.type) ? 80.0 : Float8Grid(t.type).rbegin()->first / 16;
    };
    const double k = static_cast<double>(std::max<int64_t>(layout.a.back(), 1));
    const double most = IsInteger(types.y) ? 90 : Float8Grid(types.y).rbegin()->first / 2;
    double y = std::abs(ValueAt(q.a_scale, 0) * ValueAt(q.b_scale, 0)) * typical(q.a) *
               typical(q.b) * std::sqrt(k) / most;
    if (layout.scales != ScaleKind::kOrdinary) {
      y = std::exp2(std::floor(std::log2(y)));
      if (layout.scales == ScaleKind::kRatio) y *= 1.5;
    }
    if (types.scale == DataType::kFloat16) y = std::min(y, 60000.0);
    SetScale(&q.y_scale, 0, y);
  }
  return q;
}

std::string MatMulDifference(const MatMulQuestion& q,
                             const std::vector<uint8_t>& expected, const Target& target,
                             QLinearMatMulOptions options, bool pack, size_t offset) {
  const std::string name = q.Name() + " on " + std::string(target.name) +
                           (options.dot_product ? "" : " without dot products") +
                           (pack ? ", packed: " : ": ");
  QLinearMatMulArgs args = q.Args();
  std::vector<std::byte> a(q.a.data.size() + offset);
  std::vector<std::byte> b(q.b.data.size() + offset);
  std::copy(q.a.data.begin(), q.a.data.end(), a.begin() + static_cast<int64_t>(offset));
  std::copy(q.b.data.begin(), q.b.data.end(), b.begin() + static_cast<int64_t>(offset));
  args.a.data = std::span(a).subspan(offset);
  args.b.data = std::span(b).subspan(offset);
  options.target = target.bit;
  options.requantization = q.requantization;

  const auto shape = QLinearMatMulOutputShape(args);
  if (!shape) return name + shape.error().message;
  if (CountOf(*shape) != static_cast<int64_t>(expected.size())) {
    return name + "y of shape " + ShapeToString(*shape);
  }
  constexpr size_t kGuard = 64;
  std::vector<std::byte> buffer(expected.size() + 2 * kGuard + offset, std::byte{0xC5});
  const MutableTensorView y = {
      q.y_zero_point.type, *shape,
      std::span(buffer).subspan(kGuard + offset, expected.size())};
  std::optional<PackedB> packed;
  if (pack) {
    auto result = PackedB::Pack(args.b, options);
    if (!result) return name + result.error().message;
    packed.emplace(std::move(*result));
  }
  const Status status = QLinearMatMul(args, packed ? &*packed : nullptr, y, options);
  if (!status) return name + status.error().message;
  const int64_t n = shape->empty() ? 1 : shape->back();
  for (size_t i = 0; i < expected.size(); ++i) {
    const auto code = std::to_integer<uint8_t>(y.data[i]);
    if (code == expected[i]) continue;
    if (std::isnan(ValueOfCode(y.type, code)) &&
        std::isnan(ValueOfCode(y.type, expected[i])))
      continue;
    std::ostringstream text;
    text << name << "y[" << i << "] (column " << static_cast<int64_t>(i) % n << ") is "
         << static_cast<int>(code) << ", expected " << static_cast<int>(expected[i]);
    return text.str();
  }
  for (size_t i = 0; i < buffer.size(); ++i) {
    if (i >= kGuard + offset && i < kGuard + offset + expected.size()) continue;
    if (buffer[i] != std::byte{0xC5}) return name + "wrote outside of y";
  }
  return "";
}

}  // namespace qconform::simd
