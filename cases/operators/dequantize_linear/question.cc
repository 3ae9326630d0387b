#include "cases/operators/dequantize_linear/question.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace qconform::generators {
namespace {

constexpr std::array<int64_t, 12> kFewBits{3, 5, 7, 11, 13, 9, 15, 21, 27, 29, 31, 41};

}  // namespace

DequantizeLinearQuestion::DequantizeLinearQuestion(
    const Cell& cell_in, const DequantizeLinearVariant& variant_in, int index_in,
    CounterRng rng_in)
    : cell(cell_in),
      granularity(GranularityOf(cell_in)),
      variant(variant_in),
      index(index_in),
      x(FormatOf(cell_in.types[0])),
      x_scale(FormatOf(cell_in.types[1])),
      y(FormatOf(cell_in.types[2])),
      rng(rng_in) {}

void DequantizeLinearQuestion::SetLayout(ChannelLayout chosen) {
  layout = std::move(chosen);
  channels.assign(static_cast<size_t>(layout.channel_count), {});
  x_codes.assign(static_cast<size_t>(layout.element_count), 0);
}

void DequantizeLinearQuestion::SetDirectedLayout(int kind, int64_t elements) {
  SetLayout(DirectedLayout(granularity, kind, elements, tail, rng));
}

DequantizeLinearChannel DequantizeLinearQuestion::Channel(
    uint64_t scale_code, uint64_t zero_point_code) const {
  DequantizeLinearChannel channel;
  channel.scale_code = scale_code;
  channel.scale = Prepared(x_scale).decode(scale_code);
  if (has_zero_point() && !has_only_zero_as_zero_point()) {
    channel.zero_point_code = zero_point_code;
    channel.zero_point = Prepared(x).decode(zero_point_code);
  }
  return channel;
}

void DequantizeLinearQuestion::SetChannel(int64_t channel, uint64_t scale_code,
                                          uint64_t zero_point_code) {
  channels[static_cast<size_t>(channel)] = Channel(scale_code, zero_point_code);
}

void DequantizeLinearQuestion::SetScale(int64_t channel, uint64_t scale_code) {
  SetChannel(channel, scale_code, channels[static_cast<size_t>(channel)].zero_point_code);
}

void DequantizeLinearQuestion::SetChannels(
    std::initializer_list<DequantizeScale> scales,
    std::initializer_list<ZeroPointFamily> zero_points) {
  for (int64_t c = 0; c < layout.channel_count; ++c) {
    const auto turn = static_cast<size_t>(c) + static_cast<size_t>(index);
    const uint64_t scale = ScaleCode(scales.begin()[turn % scales.size()]);
    SetChannel(c, scale, ZeroPoint(zero_points.begin()[turn % zero_points.size()]));
  }
}

uint64_t DequantizeLinearQuestion::AnyX() {
  const uint32_t draw = rng.Next32();
  if (x.type != DataType::kInt32) return draw & (~uint32_t{0} >> (32 - x.bits));
  const bool small = rng.OneIn(y.type == DataType::kFloat16 ? 2 : 4);
  const uint32_t magnitude = small ? draw >> 16 : draw >> (1 + rng.Below(8));
  return (draw & 1) != 0 ? magnitude : uint32_t{0} - magnitude;
}

int DequantizeLinearQuestion::ScaleExponent() {
  int low = std::max(SmallestExponent(x_scale), SmallestExponent(y)) + 1;
  int high = std::min(LargestExponent(x_scale), LargestExponent(y)) - 1;
  // The products of the smallest and of the largest difference.
  const bool integer = has_integer_x();
  const int smallest = integer ? 0 : FloorLog2(x, SmallestPositive(x));
  const bool few = y.type == DataType::kFloat16 && x.bits > 16 && !rng.OneIn(3);
  const int bits = few ? 16 : x.bits;
  const int largest = integer ? bits : LargestExponent(x) + 1;
  const int least = std::max(low, SmallestExponent(y) - smallest);
  const int most = std::min(high, LargestExponent(y) - 1 - largest);
  if (least <= most) {
    low = least;
    high = most;
  } else {  // no scale is right for all x
    const int middle = std::clamp((least + most) / 2, low, high);
    low = std::max(middle - 3, low);
    high = std::min(middle + 3, high);
  }
  // Most scales are ordinary ones.
  if (!rng.OneIn(3)) {
    low = std::clamp(-10, low, high);
    high = std::clamp(6, low, high);
  }
  return static_cast<int>(rng.Between(low, high));
}

uint64_t DequantizeLinearQuestion::NearestScale(const Unrounded& value) const {
  if (x_scale.kind != NumberKind::kPowerOfTwo) return RoundNearest(x_scale, value);
  const ExactValue as_float = RoundTo(FormatOf(DataType::kFloat), value);
  if (as_float.value_class != ValueClass::kFinite) return 127;
  return static_cast<uint64_t>(std::clamp(FloorLog2(as_float) + 127, 1, 254));
}

uint64_t DequantizeLinearQuestion::ScaleAt(DequantizeScale family, int exponent) {
  const auto nearest = [&](int64_t significand, int unit) {
    return NearestScale(ToUnrounded(Dyadic(significand, unit)));
  };
  if (x_scale.kind == NumberKind::kPowerOfTwo) return nearest(1, exponent);
  switch (family) {
    case DequantizeScale::kPowerOfTwo:
      return nearest(1, exponent);
    case DequantizeScale::kFewBits: {
      const int64_t odd = rng.Pick(kFewBits);
      const int width = static_cast<int>(std::bit_width(static_cast<uint64_t>(odd)));
      return nearest(odd, exponent - width + 1);
    }
    case DequantizeScale::kFull: {
      const int bits = x_scale.mantissa_bits;
      const auto low_bits =
          static_cast<int64_t>(rng.Next32() & ((uint64_t{1} << bits) - 1)) | 1;
      return nearest((int64_t{1} << bits) | low_bits, exponent - bits);
    }
    case DequantizeScale::kNearPowerOfTwo:
      break;
  }
  const uint64_t code = nearest(1, exponent);
  return rng.OneIn(2) ? NextUp(x_scale, code) : NextDown(x_scale, code);
}

uint64_t DequantizeLinearQuestion::ZeroPoint(ZeroPointFamily family) {
  const uint64_t code = ZeroPointCode(x, family, rng);
  return has_only_zero_as_zero_point() ? 0 : code;
}

uint64_t DequantizeLinearQuestion::XOfDifference(const DequantizeLinearChannel& channel,
                                                 const ExactValue& difference) const {
  const Unrounded wanted = Add(ToUnrounded(difference), channel.zero_point);
  // FLOAT8E5M2 and its kin round beyond their range to the largest finite value here.
  return RoundNearest(x, wanted);
}

Unrounded DifferenceOf(const DequantizeLinearQuestion& question,
                       const DequantizeLinearChannel& channel, uint64_t x_code) {
  const Unrounded x = ToUnrounded(Prepared(question.x).decode(x_code));
  if (!question.has_zero_point()) return x;
  ExactValue zero_point = channel.zero_point;
  zero_point.negative = !zero_point.negative;
  return Add(x, zero_point);
}

}  // namespace qconform::generators
