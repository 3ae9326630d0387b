// x from all over its type: every code, both ends of the differences, zero points of
// floats, and random bits.
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cases/operators/dequantize_linear/cases.h"
#include "cases/operators/dequantize_linear/products.h"

namespace qconform::generators {
namespace {

using enum ZeroPointFamily;

// Parts of the codes of 16-bit x: two for each of the nine cells that a since_version has
// of them at least.
constexpr int kParts = 18;
constexpr int64_t kCodesOf16Bits = 1 << 16;
constexpr int64_t kPart = kCodesOf16Bits / kParts + 1;

// A little more than a part.
AxisShape ShapeOfPart(const DequantizeLinearQuestion& question) {
  const bool odd = question.index % 2 == 1;
  if (question.is_per_tensor()) {
    return {{kPart + 3 + (question.tail + 64 - (kPart + 3) % 64) % 64}};
  }
  if (question.granularity == ScaleGranularity::kBlocked) {
    return odd ? AxisShape{{410, 9}, 0, AxisForm::kPositive, 16}
               : AxisShape{{9, 409}, 1, AxisForm::kDefault, 32};
  }
  return odd ? AxisShape{{281, 13}, 1, AxisForm::kNegative}
             : AxisShape{{11, 333}, 0, AxisForm::kPositive};
}

// Scales of every kind in turn.
void SetMixedChannels(DequantizeLinearQuestion& question,
                      std::initializer_list<ZeroPointFamily> zero_points) {
  using enum DequantizeScale;
  // One scale of few bits would leave a tensor nothing to round.
  if (question.is_per_tensor()) {
    question.SetChannels({kFull}, zero_points);
  } else {
    question.SetChannels({kFull, kFull, kFewBits, kFull, kNearPowerOfTwo}, zero_points);
  }
  for (int64_t c = 0; c < question.layout.channel_count; ++c) {
    if ((c + question.index) % 5 != 1) continue;
    const uint64_t zero_point = question.channels[static_cast<size_t>(c)].zero_point_code;
    question.SetChannel(c, ScaleOfTies(question, zero_point), zero_point);
  }
}

// x next to both ends of the range and to the zero point, and where signed and unsigned
// arithmetic of x's width part.
uint64_t EndX(DequantizeLinearQuestion& question,
              const DequantizeLinearChannel& channel) {
  CounterRng& rng = question.rng;
  const NumberFormat& x = question.x;
  const int64_t low = IntegerMin(x);
  const int64_t high = IntegerMax(x);
  const int64_t zero_point = ToInteger(x, channel.zero_point_code);
  const int64_t middle = (low + high + 1) / 2;
  const int64_t ends[] = {low,     high,     zero_point, zero_point + 1, zero_point - 1,
                          low + 1, high - 1, middle,     middle - 1,     0,
                          1,       -1};
  return IntegerCode(x, ends[rng.Below(std::size(ends))]);
}

// x that FLOAT cannot hold, next to powers of two and to multiples of FLOAT's units.
uint64_t WideIntegerX(DequantizeLinearQuestion& question) {
  CounterRng& rng = question.rng;
  const auto special = SpecialCodes(question.x);
  if (rng.OneIn(3)) return rng.Pick(special);
  const int bits = static_cast<int>(rng.Between(24, 31));
  const uint32_t odd = (rng.Next32() >> (32 - bits)) | (1u << (bits - 1)) | 1u;
  return rng.OneIn(2) ? odd : uint32_t{0} - odd;
}

}  // namespace

int PartsOfCodes(DataType x) { return BitWidth(x) == 16 ? kParts : 1; }

int FirstPartOfCodes(const Cell& cell) {
  if (BitWidth(cell.types[0]) != 16) return 0;
  const auto place = [](DataType type) {
    switch (type) {
      case DataType::kFloat:
        return 0;
      case DataType::kFloat16:
        return 1;
      case DataType::kBfloat16:
        return 2;
      default:
        return 3;
    }
  };
  const int cell_place = static_cast<int>(GranularityOf(cell)) +
                         3 * (place(cell.types[1]) + 4 * place(cell.types[2]));
  // With scales of y's own type, as since 21, the last term counts nothing more.
  const int turn = cell.types[1] == cell.types[2]
                       ? static_cast<int>(GranularityOf(cell)) + 3 * place(cell.types[1])
                       : cell_place;
  return 2 * turn % kParts;
}

void FillCodes(DequantizeLinearQuestion& question) {
  const NumberFormat& x = question.x;
  const bool wide = x.bits >= 16;
  const int64_t codes = wide ? kPart : int64_t{1} << x.bits;
  if (wide) {
    question.SetLayout(LayoutOf(question.granularity, ShapeOfPart(question)));
  } else {
    const int64_t slack = question.is_per_tensor() ? 40 : 90;
    question.SetDirectedLayout(question.index, std::max<int64_t>(codes + slack, 150));
  }
  SetMixedChannels(question, {kAny, kZero, kOdd, kMiddle, kLow});
  Stride order(static_cast<uint32_t>(codes), question.rng);
  const int64_t first = wide ? codes * (question.index % kParts) : 0;
  for (uint32_t& code : question.x_codes) {
    const int64_t next = first + order.Next();
    code = static_cast<uint32_t>(wide ? next % kCodesOf16Bits : next);
  }
}

void FillDifferences(DequantizeLinearQuestion& question) {
  const bool many = !question.is_per_tensor();
  question.SetDirectedLayout(question.index + 2, many ? 200 : 120);
  SetMixedChannels(question, {kLow, kHigh, kOdd, kMiddle, kAny});
  question.FillX([&](int64_t, const DequantizeLinearChannel& channel) {
    const uint32_t choice = question.rng.Below(4);
    if (choice == 0) return DirectedX(question, channel);
    if (question.x.type == DataType::kInt32) return WideIntegerX(question);
    return choice == 1 ? question.AnyX() : EndX(question, channel);
  });
}

namespace {

// The zero points of a float x: 0 and -0, which clauses decide, and others, which are
// open.
std::vector<uint64_t> ZeroPointsOf(const NumberFormat& x) {
  const std::span<const uint64_t> others = FloatZeroPoints(x);
  return {others.begin(), others.end()};
}

}  // namespace

int FloatZeroPointCount(DataType x) {
  return static_cast<int>(FloatZeroPoints(FormatOf(x)).size());
}

void FillZeroPoints(DequantizeLinearQuestion& question) {
  const NumberFormat& x = question.x;
  const int64_t codes = int64_t{1} << x.bits;
  const bool many = !question.is_per_tensor();
  question.SetDirectedLayout(question.index + 1,
                             std::max<int64_t>(codes + 40, many ? 200 : 100));
  SetMixedChannels(question, {kZero});
  const std::vector<uint64_t> zero_points = ZeroPointsOf(x);
  for (int64_t c = 0; c < question.layout.channel_count; ++c) {
    const auto turn = static_cast<size_t>(c + question.index);
    const uint64_t zero_point = zero_points[turn % zero_points.size()];
    // Products that are ties after the difference was rounded show that it was.
    const uint64_t scale = turn % 2 == 0
                               ? question.channels[static_cast<size_t>(c)].scale_code
                               : ScaleOfTies(question, zero_point);
    question.SetChannel(c, scale, zero_point);
  }
  Stride order(static_cast<uint32_t>(codes), question.rng);
  const uint64_t largest = LargestFinite(x);
  question.FillX([&](int64_t, const DequantizeLinearChannel&) -> uint64_t {
    if (question.rng.OneIn(6)) {
      return question.rng.OneIn(2) ? largest : Negated(x, largest);
    }
    return order.Next();
  });
}

void FillRandomBits(DequantizeLinearQuestion& question) {
  const bool many = !question.is_per_tensor();
  question.SetDirectedLayout(question.index + 3, many ? 260 : 180);
  SetMixedChannels(question, {kAny, kZero, kMiddle});
  // Every other scale from anywhere in its type's range.
  for (int64_t c = (question.index + 1) % 2; c < question.layout.channel_count; c += 2) {
    const NumberFormat& scale = question.x_scale;
    const auto exponent = static_cast<int>(
        question.rng.Between(SmallestExponent(scale) + 1, LargestExponent(scale) - 1));
    question.SetScale(c, question.ScaleAt(DequantizeScale::kFull, exponent));
  }
  question.FillX([&](int64_t, const auto&) { return question.AnyX(); });
}

}  // namespace qconform::generators
