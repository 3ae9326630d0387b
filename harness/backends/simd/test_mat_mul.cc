#include "test_mat_mul.h"

#include <gmpxx.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <sstream>

namespace qconform::simd {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Binary formats: bits of exponent and mantissa, bias, and which codes are not
// numbers.
struct Format {
  int exponent_bits, mantissa_bits, bias;
  bool fnuz = false, fn = false;
};

Format FormatOfType(DataType type) {
  switch (type) {
    case DataType::kFloat16:
      return {5, 10, 15};
    case DataType::kBfloat16:
      return {8, 7, 127};
    case DataType::kFloat8E4M3FN:
      return {4, 3, 7, false, true};
    case DataType::kFloat8E4M3FNUZ:
      return {4, 3, 8, true};
    case DataType::kFloat8E5M2:
      return {5, 2, 15};
    case DataType::kFloat8E5M2FNUZ:
      return {5, 2, 16, true};
    default:
      return {8, 23, 127};  // FLOAT
  }
}

double Decode(DataType type, uint64_t code) {
  if (type == DataType::kUint8) return static_cast<double>(code);
  if (type == DataType::kInt8) return static_cast<int8_t>(code);
  const Format f = FormatOfType(type);
  const int width = 1 + f.exponent_bits + f.mantissa_bits;
  const bool negative = (code >> (width - 1) & 1) != 0;
  const uint64_t magnitude = code & ((uint64_t{1} << (width - 1)) - 1);
  const auto exponent = static_cast<int>(magnitude >> f.mantissa_bits);
  const auto mantissa =
      static_cast<double>(magnitude & ((uint64_t{1} << f.mantissa_bits) - 1));
  if (f.fnuz) {
    if (negative && magnitude == 0) return kNan;
  } else if (f.fn) {
    if (magnitude == 0x7F) return kNan;
  } else if (exponent == (1 << f.exponent_bits) - 1) {
    return mantissa != 0 ? kNan : negative ? -kInf : kInf;
  }
  const double one = exponent == 0 ? 0 : std::ldexp(1.0, f.mantissa_bits);
  const double value =
      std::ldexp(one + mantissa, std::max(exponent, 1) - f.bias - f.mantissa_bits);
  return negative ? -value : value;
}

uint64_t CodeOf(const Tensor& t, int64_t index) {
  const auto bytes = static_cast<size_t>(BitWidth(t.type) / 8);
  uint64_t code = 0;
  std::memcpy(&code, t.data.data() + static_cast<size_t>(index) * bytes, bytes);
  return code;
}

double ValueOf(const Tensor& t, int64_t index) {
  return Decode(t.type, CodeOf(t, index));
}

void SetCode(Tensor* t, int64_t index, uint64_t code) {
  const auto bytes = static_cast<size_t>(BitWidth(t->type) / 8);
  std::memcpy(t->data.data() + static_cast<size_t>(index) * bytes, &code, bytes);
}

int64_t CountOf(const Shape& shape) { return *ElementCount(shape); }

// Index of an element of a tensor of `shape` for a position in a larger shape,
// aligned on the right, where a dimension of one repeats.
int64_t Broadcast(const Shape& shape, const Shape& position) {
  int64_t index = 0;
  const size_t skip = position.size() - shape.size();
  for (size_t i = 0; i < shape.size(); ++i) {
    index = index * shape[i] + (shape[i] == 1 ? 0 : position[skip + i]);
  }
  return index;
}

// Index of the scale or zero point of (batch..., row or column `line`), MM-04 and
// the plain meanings of MM-06.
int64_t ParameterIndex(const Shape& parameter, const Shape& batch, int64_t line,
                       bool is_row) {
  if (CountOf(parameter) == 1) return 0;
  if (parameter.size() == 1) return line;
  Shape position = batch;
  position.push_back(is_row ? line : 0);
  position.push_back(is_row ? 0 : line);
  return Broadcast(parameter, position);
}

mpz_class Power(int exponent) {
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 2, static_cast<unsigned long>(exponent));
  return power;
}

// Codes of float8 by value.
const std::map<double, uint8_t>& Grid(DataType type) {
  static std::map<DataType, std::map<double, uint8_t>> grids;
  auto& grid = grids[type];
  if (grid.empty()) {
    for (int code = 0; code < 256; ++code) {
      const double value = Decode(type, static_cast<uint64_t>(code));
      if (std::isfinite(value) && !(value == 0 && code != 0)) {
        grid[value] = static_cast<uint8_t>(code);
      }
    }
  }
  return grid;
}

uint8_t NanCode(DataType type) {
  if (type == DataType::kInt8) return 0x80;
  if (type == DataType::kUint8) return 0;
  return FormatOfType(type).fnuz ? 0x80 : 0x7F;
}

// v is `exact`, or where that is nothing one of NaN and the infinities.
uint8_t CodeFor(DataType type, const std::optional<mpq_class>& exact, double special,
                double zero_point) {
  if (!exact && std::isnan(special)) return NanCode(type);
  if (IsInteger(type)) {
    const int low = type == DataType::kInt8 ? -128 : 0;
    const int high = low + 255;
    if (!exact) return static_cast<uint8_t>(special > 0 ? high : low);
    // Nearest integer, even at ties: ceil(v - 1/2) or floor(v + 1/2).
    mpz_class floor, ceiling;
    const mpq_class up = *exact + mpq_class(1, 2);
    const mpq_class down = *exact - mpq_class(1, 2);
    mpz_fdiv_q(floor.get_mpz_t(), up.get_num_mpz_t(), up.get_den_mpz_t());
    mpz_cdiv_q(ceiling.get_mpz_t(), down.get_num_mpz_t(), down.get_den_mpz_t());
    mpz_class y = mpz_even_p(floor.get_mpz_t()) != 0 ? floor : ceiling;
    y += static_cast<int>(zero_point);
    return static_cast<uint8_t>(y < low    ? low
                                : y > high ? high
                                           : static_cast<int>(y.get_si()));
  }
  const auto& grid = Grid(type);
  if (!exact || !std::isfinite(zero_point)) {
    const double sum = (exact ? 0 : special) + zero_point;
    if (std::isnan(sum)) return NanCode(type);
    return sum > 0 ? grid.rbegin()->second : grid.begin()->second;
  }
  const mpq_class w = *exact + mpq_class(zero_point);
  if (w >= mpq_class(grid.rbegin()->first)) return grid.rbegin()->second;
  if (w <= mpq_class(grid.begin()->first)) return grid.begin()->second;
  auto upper = grid.begin();  // the first value above w
  {
    auto low = grid.upper_bound(w.get_d());
    while (low != grid.begin() && mpq_class(std::prev(low)->first) > w) --low;
    while (mpq_class(low->first) <= w) ++low;
    upper = low;
  }
  const auto lower = std::prev(upper);
  const mpq_class twice = 2 * w;
  const mpq_class sum = mpq_class(lower->first) + mpq_class(upper->first);
  if (twice != sum) return twice < sum ? lower->second : upper->second;
  return lower->second % 2 == 0 ? lower->second : upper->second;
}

// A sum C: finite, or one of NaN and the infinities.
struct Sum {
  mpq_class exact;
  double special = 0;  // not finite, where it counts
};

float RoundToFloat(const mpq_class& value) {
  // Nearest even by trying: the truncated double has 53 bits.
  if (value == 0) return 0;
  const double d = value.get_d();  // truncated toward zero
  const auto near = static_cast<float>(d);
  float best = near;
  mpq_class distance = abs(mpq_class(near) - value);
  for (const float other :
       {std::nextafter(near, -HUGE_VALF), std::nextafter(near, HUGE_VALF)}) {
    const mpq_class far = abs(mpq_class(other) - value);
    uint32_t bits;
    std::memcpy(&bits, &other, 4);
    if (far < distance || (far == distance && bits % 2 == 0)) {
      best = other;
      distance = far;
    }
  }
  return best;
}

uint8_t Requantize(const MatMulQuestion& q, const Sum& c, double a, double b) {
  const double y = ValueOf(q.y_scale, 0);
  const DataType type = q.y_zero_point.type;
  const double zero_point = ValueOf(q.y_zero_point, 0);
  const bool finite_sum = std::isfinite(c.special);
  if (q.requantization == Requantization::kF32Multiplier) {
    const float product = static_cast<float>(a) * static_cast<float>(b);
    const float m = product / static_cast<float>(y);
    const float sum = finite_sum ? RoundToFloat(c.exact) : static_cast<float>(c.special);
    const float v = sum * m;
    if (!std::isfinite(v)) return CodeFor(type, std::nullopt, v, zero_point);
    return CodeFor(type, mpq_class(v), 0, zero_point);
  }
  if (finite_sum && std::isfinite(a) && std::isfinite(b) && std::isfinite(y) && y != 0) {
    return CodeFor(type, mpq_class(c.exact * mpq_class(a) * mpq_class(b) / mpq_class(y)),
                   0, zero_point);
  }
  // Extended reals from left to right (MM-20); only their kind matters.
  const double sum = finite_sum ? static_cast<double>(sgn(c.exact)) : c.special;
  const double v = sum * a * b / y;
  if (std::isnan(v) || std::isinf(v)) return CodeFor(type, std::nullopt, v, zero_point);
  return CodeFor(type, mpq_class(0), 0, zero_point);
}

// Row `a` times column `b`, k values each, zero points subtracted.
Sum Dot(const std::vector<double>& a, const std::vector<double>& b, bool integers) {
  Sum sum;
  double special = 0;
  __int128 total = 0;  // in units of 2^-34
  for (size_t i = 0; i < a.size(); ++i) {
    if (!std::isfinite(a[i]) || !std::isfinite(b[i])) {
      special += a[i] * b[i];
      continue;
    }
    total += static_cast<__int128>(std::ldexp(a[i], 17)) *
             static_cast<__int128>(std::ldexp(b[i], 17));
  }
  const bool negative = total < 0;
  const auto magnitude = static_cast<unsigned __int128>(negative ? -total : total);
  mpz_class z = static_cast<unsigned long>(magnitude >> 64);
  z = z * Power(64) + static_cast<unsigned long>(magnitude);
  if (negative) z = -z;
  if (integers) {  // modulo 2^32 (MM-01b)
    z /= Power(34);
    mpz_class wrapped;
    mpz_fdiv_r_2exp(wrapped.get_mpz_t(), z.get_mpz_t(), 32);
    if (wrapped >= Power(31)) wrapped -= Power(32);
    sum.exact = wrapped;
  } else {
    sum.exact = mpq_class(z, Power(34));
    sum.exact.canonicalize();
  }
  sum.special = special;
  return sum;
}

uint64_t RandomCode(DataType type, bool extreme, Dice& dice) {
  if (!extreme) {
    uint64_t code = dice.Next() & 0xFF;
    // Infinities and NaN spoil whole sums: few.
    while (!std::isfinite(Decode(type, code)) && dice.Below(64) != 0)
      code = dice.Next() & 0xFF;
    return code;
  }
  if (type == DataType::kUint8) return dice.Below(8) == 0 ? 0 : 255;
  if (type == DataType::kInt8) return dice.Below(8) == 0 ? 127 : 128;
  const auto& grid = Grid(type);
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

void SetScale(Tensor* scale, int64_t index, double value) {
  const auto narrow = static_cast<float>(value);
  uint32_t bits;
  std::memcpy(&bits, &narrow, 4);
  if (scale->type == DataType::kFloat) return SetCode(scale, index, bits);
  const Format f = FormatOfType(scale->type);
  const uint64_t sign = uint64_t{bits >> 31} << 15;
  const uint64_t infinity = ((uint64_t{1} << f.exponent_bits) - 1) << f.mantissa_bits;
  if (std::isnan(narrow)) return SetCode(scale, index, infinity | 1);
  // The largest value that is not above: any value will do.
  uint64_t low = 0;
  uint64_t high = infinity;
  while (high - low > 1) {
    const uint64_t middle = (low + high) / 2;
    (Decode(scale->type, middle) <= std::abs(value) ? low : high) = middle;
  }
  SetCode(scale, index, sign | (std::isinf(narrow) ? infinity : low));
}

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
      return IsInteger(t.type) ? 80.0 : Grid(t.type).rbegin()->first / 16;
    };
    const double k = static_cast<double>(std::max<int64_t>(layout.a.back(), 1));
    const double most = IsInteger(types.y) ? 90 : Grid(types.y).rbegin()->first / 2;
    double y = std::abs(ValueOf(q.a_scale, 0) * ValueOf(q.b_scale, 0)) * typical(q.a) *
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

std::vector<uint8_t> ExpectedCodes(const MatMulQuestion& q) {
  Shape a_shape = q.a.shape;
  Shape b_shape = q.b.shape;
  if (a_shape.size() == 1) a_shape.insert(a_shape.begin(), 1);
  if (b_shape.size() == 1) b_shape.push_back(1);
  const auto k = static_cast<size_t>(a_shape.back());
  const int64_t m = a_shape[a_shape.size() - 2];
  const int64_t n = b_shape.back();
  const Shape a_batch(a_shape.begin(), a_shape.end() - 2);
  const Shape b_batch(b_shape.begin(), b_shape.end() - 2);
  Shape batch(std::max(a_batch.size(), b_batch.size()), 1);
  for (const Shape* from : {&a_batch, &b_batch}) {
    for (size_t i = 0; i < from->size(); ++i) {
      int64_t& size = batch[batch.size() - from->size() + i];
      if ((*from)[i] != 1) size = (*from)[i];
    }
  }
  const bool integers = IsInteger(q.a.type) && IsInteger(q.b.type);
  std::vector<uint8_t> codes;
  for (int64_t p = 0; p < CountOf(batch); ++p) {
    Shape position(batch.size());
    int64_t rest = p;
    for (size_t i = batch.size(); i-- > 0;) {
      position[i] = rest % batch[i];
      rest /= batch[i];
    }
    const auto own = [&](const Shape& own_batch) {
      Shape at(position.end() - static_cast<int64_t>(own_batch.size()), position.end());
      for (size_t i = 0; i < at.size(); ++i) at[i] = own_batch[i] == 1 ? 0 : at[i];
      return at;
    };
    const Shape a_at = own(a_batch);
    const Shape b_at = own(b_batch);
    const int64_t a_matrix = Broadcast(a_batch, a_at);
    const int64_t b_matrix = Broadcast(b_batch, b_at);
    std::vector<std::vector<double>> columns(static_cast<size_t>(n),
                                             std::vector<double>(k));
    for (int64_t j = 0; j < n; ++j) {
      const double zero =
          ValueOf(q.b_zero_point, ParameterIndex(q.b_zero_point.shape, b_at, j, false));
      for (size_t i = 0; i < k; ++i) {
        const int64_t index =
            (b_matrix * static_cast<int64_t>(k) + static_cast<int64_t>(i)) * n + j;
        columns[static_cast<size_t>(j)][i] = ValueOf(q.b, index) - zero;
      }
    }
    std::vector<double> row(k);
    for (int64_t i = 0; i < m; ++i) {
      const double zero =
          ValueOf(q.a_zero_point, ParameterIndex(q.a_zero_point.shape, a_at, i, true));
      for (size_t l = 0; l < k; ++l) {
        row[l] = ValueOf(q.a, (a_matrix * m + i) * static_cast<int64_t>(k) +
                                  static_cast<int64_t>(l)) -
                 zero;
      }
      const double a_scale =
          ValueOf(q.a_scale, ParameterIndex(q.a_scale.shape, a_at, i, true));
      for (int64_t j = 0; j < n; ++j) {
        const double b_scale =
            ValueOf(q.b_scale, ParameterIndex(q.b_scale.shape, b_at, j, false));
        codes.push_back(Requantize(q, Dot(row, columns[static_cast<size_t>(j)], integers),
                                   a_scale, b_scale));
      }
    }
  }
  return codes;
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
    if (std::isnan(Decode(y.type, code)) && std::isnan(Decode(y.type, expected[i])))
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
