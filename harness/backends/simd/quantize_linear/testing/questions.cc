#include "harness/backends/simd/quantize_linear/testing/questions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <sstream>

#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform::simd {
namespace {

double ValueOf(DataType type, uint64_t code) {
  const ExactValue v = Decode(FormatOf(type), code);
  double value = std::ldexp(static_cast<double>(v.significand), v.exponent);
  if (v.value_class == ValueClass::kZero) value = 0;
  if (v.value_class == ValueClass::kInfinity) value = INFINITY;
  if (v.value_class == ValueClass::kNan) value = NAN;
  return v.negative ? -value : value;
}

uint64_t AllOnes(DataType type) {
  const int bits = BitWidth(type);
  return bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
}

// Zeros, the ends of the exponent range and their neighbours, NaNs.
uint64_t SpecialCode(DataType type, Random& random) {
  const NumberFormat& f = FormatOf(type);
  if (f.kind == NumberKind::kInteger) {
    const uint64_t edges[] = {0,
                              1,
                              AllOnes(type),
                              uint64_t{1} << (f.bits - 1),
                              (uint64_t{1} << (f.bits - 1)) - 1,
                              0x1000001,
                              0x40400001};
    return edges[random.Below(7)] & AllOnes(type);
  }
  if (f.kind == NumberKind::kPowerOfTwo) {
    const uint64_t edges[] = {0, 1, 2, 126, 127, 128, 253, 254, 255};
    return edges[random.Below(9)];
  }
  const uint64_t sign = f.is_signed ? (random.Next() & 1) << (f.bits - 1) : 0;
  const uint64_t one = uint64_t{1} << f.mantissa_bits;
  const uint64_t inf = ((uint64_t{1} << f.exponent_bits) - 1) << f.mantissa_bits;
  const uint64_t edges[] = {0,
                            1,
                            2,
                            one - 1,
                            one,
                            one + 1,
                            inf - 1,
                            inf - 2,
                            inf,
                            inf + 1,
                            inf + one / 2,
                            inf + one - 1,
                            random.Next() % one,
                            inf - one};
  return sign | (edges[random.Below(14)] & (AllOnes(type) >> 1));
}

uint64_t ScaleCode(DataType type, Random& random) {
  const int64_t kind = random.Below(16);
  if (kind == 0) return SpecialCode(type, random);
  if (kind == 1) return random.Next() & AllOnes(type);
  if (type == DataType::kInt32) {
    const int64_t magnitude = random.Below(int64_t{1} << (1 + random.Below(31)));
    return static_cast<uint64_t>(kind == 2 ? -magnitude : magnitude) & 0xFFFFFFFF;
  }
  if (type == DataType::kFloat8E8M0) return static_cast<uint64_t>(100 + random.Below(50));
  const double significand = 1 + static_cast<double>(random.Below(1 << 30)) * 0x1p-30;
  const int exponent =
      static_cast<int>(kind < 12 ? random.Below(9) - 8 : random.Below(40) - 20);
  return RoundTo(type, (kind == 2 ? -1 : 1) * std::ldexp(significand, exponent));
}

// Half way from a code of float y to the next one, which behind the largest finite code
// is as far off as the one before; or that place itself, to which x may be clamped.
double FloatBoundary(DataType y, Random& random) {
  const uint64_t most = AllOnes(y) >> 1;
  uint64_t code = random.Next() & most;
  while (!std::isfinite(ValueOf(y, code))) --code;
  const double low = ValueOf(y, code);
  const double next = code == most ? INFINITY : ValueOf(y, code + 1);
  if (std::isfinite(next)) return (low + next) / 2;
  const double step = low - ValueOf(y, code - 1);
  return low + step * static_cast<double>(random.Below(3)) / 2;
}

// x near scale * boundary, where boundary is between two codes of y.
uint64_t XCode(DataType type, double scale, DataType y, Random& random) {
  const int64_t kind = random.Below(16);
  if (kind == 0) return SpecialCode(type, random);
  if (kind == 1) return random.Next() & AllOnes(type);
  double boundary;
  if (IsInteger(y)) {
    const int64_t codes = int64_t{1} << BitWidth(y);
    // Beyond both ends too: zero points move the range.
    boundary = static_cast<double>(random.Below(4 * codes) - 2 * codes) + 0.5;
    if (random.Below(4) == 0) boundary = static_cast<double>(random.Below(8) - 4) + 0.5;
  } else {
    boundary = FloatBoundary(y, random);
    if (random.Next() & 1) boundary = -boundary;
  }
  const double x = scale * boundary;
  if (!std::isfinite(x)) return SpecialCode(type, random);
  const uint64_t code = RoundTo(type, x);
  return (code + static_cast<uint64_t>(random.Below(3) - 1)) & AllOnes(type);
}

int64_t CountOf(const Shape& shape) { return *ElementCount(shape); }

// The scale of each element of x, by plain counting of coordinates.
int64_t ScaleIndex(const Layout& layout, int64_t element) {
  if (CountOf(layout.scale) == 1) return 0;
  const size_t rank = layout.x.size();
  std::vector<int64_t> at(rank);
  for (size_t i = rank; i-- > 0;) {
    at[i] = element % layout.x[i];
    element /= layout.x[i];
  }
  const auto axis = static_cast<size_t>(
      layout.axis < 0 ? layout.axis + static_cast<int64_t>(rank) : layout.axis);
  if (layout.block_size == 0) return at[axis];
  at[axis] /= layout.block_size;
  int64_t index = 0;
  for (size_t i = 0; i < rank; ++i) index = index * layout.scale[i] + at[i];
  return index;
}

}  // namespace

uint64_t RoundTo(DataType type, double value) {
  const auto exact = Decode(FormatOf(DataType::kDouble), std::bit_cast<uint64_t>(value));
  return Round(
      FormatOf(type), ToUnrounded(exact), RoundingMode::kNearestEven,
      IsInteger(type) ? OverflowPolicy::kSaturate : OverflowPolicy::kNonSaturating);
}

QuantizeLinearProblem QuantizeLinearQuestion::Problem() const {
  QuantizeLinearProblem problem;
  problem.since_version = since_version;
  problem.x = x.view();
  problem.y_scale = y_scale.view();
  if (y_zero_point) problem.y_zero_point = y_zero_point->view();
  problem.attributes = {attributes.axis, attributes.block_size, attributes.saturate,
                        attributes.output_dtype, attributes.precision};
  return problem;
}

std::string QuantizeLinearQuestion::Name() const {
  std::ostringstream out;
  out << "QuantizeLinear/" << since_version << ' ' << DataTypeName(x.type)
      << ShapeToString(x.shape) << ' ' << DataTypeName(y_scale.type)
      << ShapeToString(y_scale.shape) << " zero_point="
      << (y_zero_point ? std::string(DataTypeName(y_zero_point->type)) +
                             ShapeToString(y_zero_point->shape)
                       : "none")
      << " axis=" << (attributes.axis ? std::to_string(*attributes.axis) : "none")
      << " block_size=" << attributes.block_size << " saturate=" << attributes.saturate
      << " output_dtype=" << attributes.output_dtype
      << " precision=" << attributes.precision;
  return out.str();
}

std::vector<Variant> AllVariants(int since_version) {
  using enum DataType;
  std::vector<DataType> xs = {kFloat, kInt32};
  if (since_version >= 19) xs.insert(xs.end(), {kFloat16, kBfloat16});
  std::vector<DataType> ys = {kUint8, kInt8};
  if (since_version >= 19) {
    ys.insert(ys.end(), {kFloat8E4M3FN, kFloat8E4M3FNUZ, kFloat8E5M2, kFloat8E5M2FNUZ});
  }
  if (since_version >= 21) ys.insert(ys.end(), {kUint16, kInt16, kUint4, kInt4});
  if (since_version >= 23) ys.push_back(kFloat4E2M1);
  if (since_version >= 25) ys.insert(ys.end(), {kUint2, kInt2});
  if (since_version >= 28) ys.insert(ys.end(), {kFloat6E2M3, kFloat6E3M2});
  std::vector<DataType> precisions = {kUndefined};
  if (since_version >= 23) {
    precisions.insert(precisions.end(), {kFloat, kFloat16, kBfloat16, kDouble});
  }
  std::vector<Variant> variants;
  for (const DataType x : xs) {
    std::vector<DataType> scales = since_version < 19   ? std::vector{kFloat}
                                   : since_version < 23 ? std::vector{x}
                                                        : xs;
    if (since_version >= 24) scales.push_back(kFloat8E8M0);
    for (const DataType scale : scales) {
      for (const DataType y : ys) {
        for (const DataType precision : precisions) {
          variants.push_back({since_version, x, scale, y, precision, true});
          if (IsFloat8(y))
            variants.push_back({since_version, x, scale, y, precision, false});
        }
      }
    }
  }
  return variants;
}

QuantizeLinearQuestion MakeQuestion(const Variant& variant, const Layout& layout,
                                    Random& random) {
  QuantizeLinearQuestion q;
  q.since_version = variant.since_version;
  q.x = Tensor::Zeros(variant.x, layout.x);
  q.y_scale = Tensor::Zeros(variant.scale, layout.scale);
  if (variant.since_version >= 13) q.attributes.axis = layout.axis;
  q.attributes.block_size = layout.block_size;
  q.attributes.saturate = variant.saturate ? 1 : 0;
  q.attributes.precision = static_cast<int64_t>(variant.precision);
  const int64_t scales = CountOf(layout.scale);
  std::vector<double> values(static_cast<size_t>(scales));
  for (int64_t i = 0; i < scales; ++i) {
    uint64_t code = ScaleCode(variant.scale, random);
    if (i < layout.ordinary_scales && variant.scale == DataType::kInt32) {
      code = static_cast<uint64_t>(1 + random.Below(INT32_MAX >> random.Below(31)));
    } else if (i < layout.ordinary_scales) {
      const double significand = 1 + static_cast<double>(random.Below(1 << 20)) * 0x1p-20;
      const auto binade = static_cast<int>(random.Below(layout.binades));
      code = RoundTo(variant.scale, std::ldexp(significand, binade - layout.binades / 2));
    }
    WriteCode(q.y_scale.mutable_view(), i, code);
    values[static_cast<size_t>(i)] =
        ValueOf(variant.scale, ReadCode(q.y_scale.view(), i));
  }
  if (layout.zero_point || variant.since_version < 21) {
    q.y_zero_point = Tensor::Zeros(variant.y, layout.scale);
    if (layout.zero_point) {
      for (int64_t i = 0; i < scales; ++i) {
        const uint64_t code =
            random.Below(4) == 0 ? SpecialCode(variant.y, random) : random.Next();
        WriteCode(q.y_zero_point->mutable_view(), i, code & AllOnes(variant.y));
      }
    }
  } else {
    q.attributes.output_dtype = static_cast<int64_t>(variant.y);
  }
  for (int64_t i = 0; i < CountOf(layout.x); ++i) {
    const double scale = values[static_cast<size_t>(ScaleIndex(layout, i))];
    WriteCode(q.x.mutable_view(), i, XCode(variant.x, scale, variant.y, random));
  }
  return q;
}

namespace {

const char* WordOf(Stores stores) {
  switch (stores) {
    case Stores::kFetched:
      return " fetched";
    case Stores::kStreamed:
      return " streamed";
    default:
      return "";
  }
}

std::string DifferenceStored(const QuantizeLinearQuestion& question,
                             const Answer& expected, const Target& target, size_t offset,
                             int threads, Stores stores) {
  constexpr size_t kGuard = 64;  // and the alignment of y, but for the offset
  constexpr auto kUnwritten = std::byte{0xA5};
  std::vector<std::byte> x(question.x.data.size() + kGuard + offset);
  std::copy(question.x.data.begin(), question.x.data.end(),
            x.begin() + static_cast<std::ptrdiff_t>(offset));
  const TensorView x_view{
      question.x.type, question.x.shape, {x.data() + offset, question.x.data.size()}};
  std::optional<TensorView> zero_point;
  if (question.y_zero_point) zero_point = question.y_zero_point->view();
  const auto resolved =
      ResolveQuantizeLinear(question.since_version, question.attributes, x_view,
                            question.y_scale.view(), zero_point);
  if (const auto* refusal = std::get_if<Refusal>(&resolved)) {
    return question.Name() + ": refused: " + refusal->reason;
  }
  const auto& args = std::get<QuantizeLinearArgs>(resolved);
  if (args.output_dtype != expected.type) return question.Name() + ": wrong output type";

  const size_t bytes =
      PackedByteSize(expected.type, static_cast<int64_t>(expected.elements.size()));
  std::vector<std::byte> room(bytes + 3 * kGuard + offset, kUnwritten);
  const size_t to_line = (0 - reinterpret_cast<uintptr_t>(room.data())) % kGuard;
  const std::span y(room.data() + to_line, bytes + 2 * kGuard + offset);
  const MutableTensorView y_view{expected.type, question.x.shape,
                                 y.subspan(kGuard + offset, bytes)};
  const Status status = QuantizeLinear(
      args, y_view, {.target = target.bit, .threads = threads, .stores = stores});
  if (!status) return question.Name() + ": " + status.error().message;
  for (size_t i = 0; i < y.size(); ++i) {
    const bool inside = i >= kGuard + offset && i < kGuard + offset + bytes;
    if (!inside && y[i] != kUnwritten) return question.Name() + ": wrote out of bounds";
  }

  const TensorView result{expected.type, question.x.shape, y_view.data};
  for (size_t i = 0; i < expected.elements.size(); ++i) {
    const auto index = static_cast<int64_t>(i);
    const uint64_t actual = ReadCode(result, index);
    const ElementAnswer& answer = expected.elements[i];
    if (actual == answer.code) continue;
    if (answer.freedom == Freedom::kAnyNan &&
        Decode(FormatOf(expected.type), actual).value_class == ValueClass::kNan) {
      continue;
    }
    std::ostringstream out;
    out << question.Name() << " target=" << target.name << " offset=" << offset
        << WordOf(stores) << "\n  y[" << i << "]: expected "
        << CodeToString(expected.type, answer.code) << " actual "
        << CodeToString(expected.type, actual)
        << "  x=" << CodeToString(question.x.type, ReadCode(question.x.view(), index));
    if (CountOf(question.y_scale.shape) == 1) {
      out << " scale="
          << CodeToString(question.y_scale.type, ReadCode(question.y_scale.view(), 0));
      if (question.y_zero_point) {
        out << " zero_point="
            << CodeToString(question.y_zero_point->type,
                            ReadCode(question.y_zero_point->view(), 0));
      }
    }
    return out.str();
  }
  return "";
}

}  // namespace

std::string Difference(const QuantizeLinearQuestion& question, const Answer& expected,
                       const Target& target, size_t offset, int threads) {
  std::string difference;
  for (const Stores stores : {Stores::kCached, Stores::kFetched}) {
    difference = DifferenceStored(question, expected, target, offset, threads, stores);
    if (!difference.empty()) return difference;
  }
  // What can be streamed depends on y's place within a line.
  for (const size_t place : {offset, offset + 16}) {
    difference =
        DifferenceStored(question, expected, target, place, threads, Stores::kStreamed);
    if (!difference.empty()) return difference;
  }
  return "";
}

}  // namespace qconform::simd
