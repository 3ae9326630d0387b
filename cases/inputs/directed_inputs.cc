#include "cases/inputs/directed_inputs.h"

#include <algorithm>
#include <cstdlib>
#include <span>

#include "cases/core/counter_rng.h"
#include "cases/core/exact_value.h"
#include "cases/core/rounding_boundaries.h"
#include "cases/quantization/values.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

using namespace generators;  // NOLINT: this file is made of their parts

// The widest codes of which all are asked.
constexpr int kMostBitsOfAllCodes = 16;

// Terms that are not 0 of a sum with few of them: for more, the bound of reduced
// precision is wider (GR-06).
constexpr int64_t kNeighbours = 16;

uint64_t MaskOf(const NumberFormat& format) {
  return format.bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << format.bits) - 1;
}

uint64_t AnyCode(const NumberFormat& format, CounterRng& rng) {
  return rng.Next64() & MaskOf(format);
}

// The codes of one input, element by element.
class Filler {
 public:
  Filler(const InputFacts& facts, uint64_t key)
      : facts_(facts),
        format_(FormatOf(facts.type)),
        tensor_(Tensor::Zeros(facts.type, facts.shape)),
        count_(*ElementCount(facts.shape)),
        rng_(key) {}

  CounterRng& rng() { return rng_; }
  const NumberFormat& format() const { return format_; }

  // Fills all elements: `code_of(index)` returns a code.
  template <typename CodeOf>
  Tensor Fill(CodeOf code_of) {
    for (int64_t i = 0; i < count_; ++i) {
      WriteCode(tensor_.mutable_view(), i, code_of(i) & MaskOf(format_));
    }
    return std::move(tensor_);
  }

  size_t ChannelOf(int64_t index) const {
    return facts_.channel.empty() ? 0 : facts_.channel[static_cast<size_t>(index)];
  }
  // Returns the code of the zero point; 0 if there is none.
  uint64_t ZeroPointOf(int64_t index) const {
    const std::vector<uint64_t>& codes = facts_.zero_points;
    if (codes.empty()) return 0;
    return codes[std::min(ChannelOf(index), codes.size() - 1)];
  }
  // Returns the sum of an element's coordinates along the axes of the sum, by which one
  // of them is chosen.
  int64_t PlaceInSum(int64_t index) const {
    int64_t place = 0;
    for (size_t axis = facts_.shape.size(); axis-- > 0;) {
      const int64_t size = facts_.shape[axis];
      const int64_t coordinate = index % size;
      index /= size;
      if (std::ranges::find(facts_.summed, axis) != facts_.summed.end()) {
        place = place * size + coordinate;
      }
    }
    return place;
  }
  int64_t TermsOfSum() const {
    int64_t terms = 1;
    for (const size_t axis : facts_.summed) terms *= facts_.shape[axis];
    return std::max<int64_t>(terms, 1);
  }

 private:
  const InputFacts& facts_;
  const NumberFormat& format_;
  Tensor tensor_;
  int64_t count_;
  CounterRng rng_;
};

// --- codes ------------------------------------------------------------------------

bool IsInteger(const NumberFormat& format) { return format.kind == NumberKind::kInteger; }

// The ends of the codes, with their neighbours; of floats the finite ends.
std::vector<uint64_t> EndsOf(const NumberFormat& format) {
  if (IsInteger(format)) {
    const int64_t low = IntegerMin(format);
    const int64_t high = IntegerMax(format);
    return {IntegerCode(format, low), IntegerCode(format, high),
            IntegerCode(format, low + 1), IntegerCode(format, high - 1)};
  }
  const uint64_t high = LargestFinite(format);
  return {high, Negated(format, high), SmallestPositive(format), uint64_t{0}};
}

// Returns the code `steps` above the zero point; of floats above 0.
uint64_t NextToZeroPoint(const NumberFormat& format, uint64_t zero_point, int64_t steps) {
  if (!IsInteger(format)) return Step(format, 0, static_cast<int>(steps));
  return IntegerCode(format, ToInteger(format, zero_point) + steps);
}

Tensor AllCodes(Filler filler, size_t round) {
  const NumberFormat& format = filler.format();
  if (format.bits > kMostBitsOfAllCodes) {
    const std::span<const uint32_t> special = SpecialCodes(format);
    return filler.Fill([&](int64_t i) -> uint64_t {
      if (format.type != DataType::kInt32 || i % 2 == 1) {
        return AnyCode(format, filler.rng()) >> filler.rng().Below(24);
      }
      return special[(static_cast<size_t>(i) / 2 + round * 7) % special.size()];
    });
  }
  Stride stride(uint32_t{1} << format.bits, filler.rng());
  return filler.Fill([&](int64_t) { return stride.Next(); });
}

// All but `count` neighbouring terms of each sum are 0. They are others along each other
// axis, and all of one element are the same end of the codes.
Tensor FewTerms(Filler filler, int64_t count) {
  const std::vector<uint64_t> ends = EndsOf(filler.format());
  const int64_t terms = filler.TermsOfSum();
  const auto first = static_cast<int64_t>(
      filler.rng().Below(static_cast<uint32_t>(std::min<int64_t>(terms, 1 << 30))));
  return filler.Fill([&](int64_t i) {
    const int64_t row = i / terms;
    const int64_t place = filler.PlaceInSum(i) - (first + row * count) % terms;
    return place >= 0 && place < count ? ends[static_cast<size_t>(row) % ends.size()]
                                       : filler.ZeroPointOf(i);
  });
}

Tensor DirectedCodes(Filler filler, size_t kind, size_t round) {
  const NumberFormat& format = filler.format();
  const std::vector<uint64_t> ends = EndsOf(format);
  const bool is_sum = filler.TermsOfSum() > 1;
  // Of a long sum the bounds are wide, but not of one with few terms.
  if (kind == 1 && is_sum) return FewTerms(std::move(filler), kNeighbours);
  if (kind == 1 || (kind == 7 && is_sum)) {  // both ends
    return filler.Fill([&](int64_t) { return ends[filler.rng().Below(2)]; });
  }
  switch (kind) {
    case 2:  // the largest code everywhere, then the smallest: the largest sums
    case 3: {
      const uint64_t code = ends[kind == 2 ? 1 : 0];
      return filler.Fill([&](int64_t) { return code; });
    }
    case 4:  // all but one term are 0, another one along each other axis
      return FewTerms(std::move(filler), 1);
    case 5:  // next to the zero point
      return filler.Fill([&](int64_t i) {
        return NextToZeroPoint(format, filler.ZeroPointOf(i),
                               filler.rng().Between(-2, 2));
      });
    case 6:  // ends and their neighbours, zero points
      return filler.Fill([&](int64_t i) {
        const uint32_t way = filler.rng().Below(5);
        return way < ends.size() ? ends[way] : filler.ZeroPointOf(i);
      });
    default:
      return AllCodes(std::move(filler), round);
  }
}

// --- numbers ----------------------------------------------------------------------

// Makes numbers of an input that is quantized.
class Grid {
 public:
  explicit Grid(const InputFacts& facts)
      : codes_(FormatOf(facts.grid)),
        x_(FormatOf(facts.type)),
        boundaries_(RoundingBoundaries::Of(facts.grid)) {
    const NumberFormat& scale = FormatOf(facts.scale_type);
    for (const uint64_t code : facts.scales) scales_.push_back(Decode(scale, code));
    for (const uint64_t code : facts.zero_points) {
      zero_points_.push_back(Decode(codes_, code));
    }
  }

  int64_t boundaries() const { return boundaries_.count(); }

  // Returns the number at a boundary of rounding, or `steps` of its type above it.
  uint64_t Boundary(int64_t index, size_t channel, int steps) const {
    const uint64_t code = Scaled(boundaries_.At(index, ZeroPointOf(channel)), channel);
    return steps == 0 ? code : Step(x_, code, steps);
  }

  // Returns a number between the ends of the range, or a little beyond.
  uint64_t Between(size_t channel, CounterRng& rng) const {
    if (IsInteger(codes_)) {
      constexpr int kFraction = 10;
      const int64_t low = IntegerMin(codes_);
      const int64_t high = IntegerMax(codes_);
      const int64_t beyond = (high - low) / 8 + 1;
      const int64_t quotient = rng.Between(low - beyond, high + beyond);
      const ExactValue zero = ZeroPointOf(channel);
      const int64_t zero_point =
          zero.value_class == ValueClass::kFinite ? IntegerOf(zero) : 0;
      const int64_t fine =
          (quotient - zero_point) * (1 << kFraction) + rng.Below(1 << kFraction);
      return Scaled(Dyadic(fine, -kFraction), channel);
    }
    const int64_t index = rng.Between(0, boundaries() - 1);
    const int room = std::max(x_.mantissa_bits - codes_.mantissa_bits, 1);
    const int most = 1 << std::min(room, 20);
    return Boundary(index, channel, static_cast<int>(rng.Between(-most, most)));
  }

  // Returns scale * significand * 2^exponent.
  uint64_t OfScale(int64_t significand, int exponent, size_t channel) const {
    return Scaled(Dyadic(significand, exponent), channel);
  }

 private:
  // Integers of grids have at most 16 bits.
  static int64_t IntegerOf(const ExactValue& value) {
    const auto magnitude =
        static_cast<int64_t>(value.exponent >= 0 ? value.significand << value.exponent
                                                 : value.significand >> -value.exponent);
    return value.negative ? -magnitude : magnitude;
  }
  ExactValue ZeroPointOf(size_t channel) const {
    if (zero_points_.empty()) return {};
    return zero_points_[std::min(channel, zero_points_.size() - 1)];
  }
  uint64_t Scaled(const ExactValue& quotient, size_t channel) const {
    const ExactValue& scale = scales_[std::min(channel, scales_.size() - 1)];
    return RoundNearest(x_, Multiply(quotient, scale));
  }

  const NumberFormat& codes_;
  const NumberFormat& x_;
  const RoundingBoundaries& boundaries_;
  std::vector<ExactValue> scales_;
  std::vector<ExactValue> zero_points_;
};

uint64_t SpecialNumber(const NumberFormat& format, CounterRng& rng) {
  if (format.bits <= 8) return AnyCode(format, rng);
  if (format.bits > 32) return rng.OneIn(2) ? 0 : Negated(format, 0);
  return rng.Pick(SpecialCodes(format));
}

Tensor DirectedNumbers(Filler filler, const Grid& grid, size_t kind) {
  CounterRng& rng = filler.rng();
  const int64_t count = grid.boundaries();
  switch (kind) {
    case 1:  // both ends of the range, and beyond
      return filler.Fill([&](int64_t i) {
        const int64_t from_end = rng.Below(4);
        const int64_t index = std::clamp<int64_t>(
            rng.OneIn(2) ? from_end : count - 1 - from_end, 0, count - 1);
        return grid.Boundary(index, filler.ChannelOf(i),
                             static_cast<int>(rng.Between(-1, 1)));
      });
    case 2:  // 0 and what rounds to the zero point
      return filler.Fill([&](int64_t i) {
        const int64_t part = rng.Between(-3, 3);
        return grid.OfScale(part, -2, filler.ChannelOf(i));
      });
    case 3:  // far beyond the ends
      return filler.Fill([&](int64_t i) {
        const int64_t sign = rng.OneIn(2) ? 1 : -1;
        return grid.OfScale(sign * rng.Between(1, 255), static_cast<int>(rng.Below(40)),
                            filler.ChannelOf(i));
      });
    case 4:  // a few special values among others
      return filler.Fill([&](int64_t i) {
        return rng.OneIn(8) ? SpecialNumber(filler.format(), rng)
                            : grid.Between(filler.ChannelOf(i), rng);
      });
    case 5:  // special values
      return filler.Fill([&](int64_t) { return SpecialNumber(filler.format(), rng); });
    default: {  // ties and their neighbours: kinds 0, 6 and 7
      Stride stride(static_cast<uint32_t>(std::min<int64_t>(count, 1 << 30)), rng);
      const int reach = kind == 6 ? 1 : 0;
      return filler.Fill([&](int64_t i) {
        return grid.Boundary(stride.Next(), filler.ChannelOf(i),
                             static_cast<int>(rng.Between(-reach, reach)));
      });
    }
  }
}

// Of an input that no node quantizes at once.
Tensor PlainNumbers(Filler filler, bool with_specials) {
  CounterRng& rng = filler.rng();
  const NumberFormat& format = filler.format();
  return filler.Fill([&](int64_t) {
    if (with_specials && rng.OneIn(8)) return SpecialNumber(format, rng);
    return RoundNearest(format, ToUnrounded(Dyadic(rng.Between(-4096, 4096), -9)));
  });
}

Tensor Scales(Filler filler) {
  CounterRng& rng = filler.rng();
  return filler.Fill([&](int64_t) {
    const int exponent = -static_cast<int>(rng.Between(9, 18));
    return RoundNearest(filler.format(),
                        ToUnrounded(Dyadic(rng.Between(1024, 2047), exponent)));
  });
}

Tensor Biases(Filler filler) {
  CounterRng& rng = filler.rng();
  const NumberFormat& format = filler.format();
  if (!IsInteger(format)) return PlainNumbers(std::move(filler), false);
  return filler.Fill([&](int64_t) {
    const int64_t most = int64_t{1} << rng.Below(std::min(format.bits - 1, 18));
    return IntegerCode(format, rng.Between(-most, most));
  });
}

bool HasGrid(const InputFacts& facts) {
  return facts.grid != DataType::kUndefined && !facts.scales.empty();
}

}  // namespace

Tensor DirectedInput(const InputFacts& facts, size_t index, uint64_t key) {
  Filler filler(facts, key);
  const size_t kind = index % kDirectedInputs;
  switch (facts.kind) {
    case InputFacts::Kind::kCodes:
      return DirectedCodes(std::move(filler), kind, index / kDirectedInputs);
    case InputFacts::Kind::kNumbers:
      if (HasGrid(facts)) return DirectedNumbers(std::move(filler), Grid(facts), kind);
      return PlainNumbers(std::move(filler), kind == 4);
    default:
      return RandomInput(facts, key);
  }
}

Tensor RandomInput(const InputFacts& facts, uint64_t key) {
  Filler filler(facts, key);
  switch (facts.kind) {
    case InputFacts::Kind::kCodes:
    case InputFacts::Kind::kZeroPoint:
      if (filler.format().bits > kMostBitsOfAllCodes) {
        return AllCodes(std::move(filler), 0);
      }
      return filler.Fill([&](int64_t) { return AnyCode(filler.format(), filler.rng()); });
    case InputFacts::Kind::kNumbers:
      if (HasGrid(facts)) {
        const Grid grid(facts);
        return filler.Fill(
            [&](int64_t i) { return grid.Between(filler.ChannelOf(i), filler.rng()); });
      }
      return PlainNumbers(std::move(filler), false);
    case InputFacts::Kind::kScale:
      return Scales(std::move(filler));
    case InputFacts::Kind::kBias:
      return Biases(std::move(filler));
    case InputFacts::Kind::kPlain:
      break;
  }
  return Tensor::Zeros(facts.type, facts.shape);
}

}  // namespace qconform
