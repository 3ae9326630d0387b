// x and x_scale for which two ways to multiply differ: candidates next to the points
// where the composition of all roundings changes, kept if the two ways give different
// codes.
#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <vector>

#include "cases/operators/dequantize_linear/cases.h"
#include "cases/operators/dequantize_linear/float_triples.h"
#include "cases/operators/dequantize_linear/products.h"

namespace qconform::generators {
namespace {

using enum DataType;

// Candidates that the search for a channel's scale may take, and for one x.
constexpr int kScaleTries = 300;
constexpr int kXTries = 3;
// A pair that so many candidates did not tell apart is asked less.
constexpr int kHopeless = 700;

// x of INT32 and significands of FLOAT scales whose product lies one unit of 2^-55 beside
// a tie of FLOAT16 and of BFLOAT16: a product in DOUBLE is that tie. They are factors of
// such products.
struct WidePair {
  uint32_t x;
  uint32_t significand;
};
constexpr WidePair kBesideTiesOfFloat16[] = {
    {1927007987, 11863493}, {1299675285, 13921603}, {1479869273, 12915945},
    {1142360189, 16731947}, {1928636109, 13650427}, {1824966243, 15592267},
    {1874609831, 10027287}, {1177675573, 15961315}};
constexpr WidePair kBesideTiesOfBfloat16[] = {
    {1643243817, 11091175}, {1565394891, 11822563}, {1479560207, 12508433},
    {1230214885, 15386899}, {1941974857, 9964807},  {1491981891, 13064597},
    {1206639165, 16387349}, {1840527483, 10819917}};

struct Candidate {
  uint64_t scale = 0;
  uint64_t x = 0;
  std::optional<uint64_t> zero_point{};  // nothing: as it was
};

// The pairs that need a scale of their own come first.
std::vector<ProductPair> OrderedPairs(const DequantizeLinearQuestion& question) {
  std::vector<ProductPair> pairs = ProductPairs(question);
  std::ranges::stable_sort(pairs, {}, [](const ProductPair& pair) {
    if (pair.a.inner != pair.b.inner) return 0;
    const bool is_float = pair.a.difference == kFloat || pair.b.difference == kFloat;
    const bool is_exact =
        pair.a.difference == kUndefined || pair.b.difference == kUndefined;
    return is_float && is_exact && pair.a.difference != pair.b.difference ? 1 : 2;
  });
  return pairs;
}

class Search {
 public:
  explicit Search(DequantizeLinearQuestion& question)
      : question_(question), pairs_(OrderedPairs(question)), misses_(pairs_.size(), 0) {}

  bool empty() const { return pairs_.empty(); }
  void Start(size_t turn) { turn_ = turn; }
  void Next() { ++turn_; }
  const ProductPair& pair() const { return pairs_[turn_ % pairs_.size()]; }
  bool hopeless() const { return misses_[turn_ % pairs_.size()] >= kHopeless; }

  // Whether the ways of this turn differ.
  bool Tells(const DequantizeLinearChannel& channel, uint64_t x_code) {
    const bool differs = CodeOfWay(question_, channel, x_code, pair().a) !=
                         CodeOfWay(question_, channel, x_code, pair().b);
    int& misses = misses_[turn_ % pairs_.size()];
    if (misses < kHopeless) misses = differs ? -1000 : misses + 1;
    return differs;
  }

  Candidate ScaleAndX(uint64_t zero_point);
  uint64_t X(const DequantizeLinearChannel& channel);

 private:
  // Either of the ways of this turn.
  const ProductWay& OneWay() { return question_.rng.OneIn(2) ? pair().a : pair().b; }
  int InnerBits() const {
    return pair().a.inner == kDouble || pair().b.inner == kDouble ? 53 : 24;
  }
  // The odd part of the scale as this way multiplies by it.
  uint64_t FactorOf(uint64_t scale_code, const ProductWay& way) const {
    ExactValue scale = Prepared(question_.x_scale).decode(scale_code);
    if (way.scale != kUndefined) {
      scale = RoundTo(FormatOf(way.scale), ToUnrounded(scale));
    }
    return scale.value_class == ValueClass::kFinite ? OddPart(scale) : 1;
  }
  uint64_t XBesideTie(const DequantizeLinearChannel& channel);
  std::optional<Candidate> KnownTriple();
  uint64_t ScaleBesideTie(const DequantizeLinearChannel& rough, uint64_t x_code,
                          int exponent);

  DequantizeLinearQuestion& question_;
  std::vector<ProductPair> pairs_;
  std::vector<int> misses_;
  size_t turn_ = 0;
};

// An x whose product with the channel's scale lies next to a tie of y.
uint64_t Search::XBesideTie(const DequantizeLinearChannel& channel) {
  CounterRng& rng = question_.rng;
  const ProductWay& way = OneWay();
  const uint64_t factor = FactorOf(channel.scale_code, way);
  const int precision = PrecisionOf(question_.y);
  const bool int32 = question_.x.type == kInt32;
  int bits = int32 ? 31 : question_.x.bits;
  uint64_t difference = 0;
  if (int32 && pair().a.difference != pair().b.difference && !rng.OneIn(3)) {
    // A tie in FLOAT, next to which FLOAT has no other value.
    const int long_bits = static_cast<int>(rng.Between(26, 31));
    difference = FactorOfTie(factor, std::min(long_bits, 24), precision, rng);
    if (difference != 0) {
      difference <<= long_bits - static_cast<int>(std::bit_width(difference));
      const int64_t beside = rng.Between(1, (int64_t{1} << (long_bits - 25)) - 1);
      difference += static_cast<uint64_t>(rng.OneIn(2) ? beside : -beside);
    }
  }
  if (difference == 0) {
    // FLOAT16 holds differences of 16 bits only.
    if (int32 && question_.y.type == kFloat16 && rng.OneIn(2)) bits = 16;
    if (way.difference != kUndefined) {
      bits = std::min(bits, PrecisionOf(FormatOf(way.difference)));
    }
    difference = FactorBesideTie(factor, bits, precision, InnerBits(), rng);
  }
  if (difference == 0) return question_.AnyX();
  ExactValue value = Dyadic(static_cast<int64_t>(difference), 0);
  const ExactValue& zero_point = channel.zero_point;
  value.negative = zero_point.value_class == ValueClass::kFinite && !zero_point.negative;
  return question_.XOfDifference(channel, value) & 0xFFFFFFFFu;
}

// A scale whose product with the difference of this x is a tie of y, or lies next to one;
// 0 if there is none.
uint64_t Search::ScaleBesideTie(const DequantizeLinearChannel& rough, uint64_t x_code,
                                int exponent) {
  CounterRng& rng = question_.rng;
  const ProductWay& way = OneWay();
  const Unrounded exact = DifferenceOf(question_, rough, x_code);
  const ExactValue difference =
      RoundTo(FormatOf(way.difference == kUndefined ? kDouble : way.difference), exact);
  if (difference.value_class != ValueClass::kFinite) return 0;
  const NumberFormat& scale = question_.x_scale;
  int bits = PrecisionOf(scale);
  if (way.scale != kUndefined) {
    bits = std::min(bits, PrecisionOf(FormatOf(way.scale)));
  }
  const uint64_t odd = OddPart(difference);
  const int precision = PrecisionOf(question_.y);
  const uint64_t factor = rng.OneIn(3)
                              ? FactorOfTie(odd, bits, precision, rng)
                              : FactorBesideTie(odd, bits, precision, InnerBits(), rng);
  if (factor == 0) return 0;
  const auto width = static_cast<int>(std::bit_width(factor));
  const uint64_t code = question_.NearestScale(
      ToUnrounded(Dyadic(static_cast<int64_t>(factor), exponent - width + 1)));
  // Others that are converted to the same scale.
  const int more = scale.mantissa_bits - question_.y.mantissa_bits;
  if (way.scale == kUndefined || more < 2 || rng.OneIn(3)) return code;
  const int64_t half = int64_t{1} << (more - 1);
  return Step(scale, code, static_cast<int>(rng.Between(1 - half, half - 1)));
}

// One of kFloatTriples for a way of this turn.
std::optional<Candidate> Search::KnownTriple() {
  CounterRng& rng = question_.rng;
  if (question_.has_integer_x() || !question_.has_zero_point()) return std::nullopt;
  const ProductWay& way = OneWay();
  const int precision = PrecisionOf(question_.y);
  int bits = PrecisionOf(question_.x_scale);
  if (way.scale != kUndefined) bits = std::min(bits, precision);
  std::vector<const FloatTriple*> triples;
  for (const FloatTriple& triple : kFloatTriples) {
    if (triple.x_type == question_.x.type && triple.scale_bits == bits &&
        triple.precision == precision) {
      triples.push_back(&triple);
    }
  }
  if (triples.empty()) return std::nullopt;
  const FloatTriple& triple = *rng.Pick(triples);
  const DequantizeLinearChannel channel = question_.Channel(0, triple.zero_point);
  const ExactValue difference =
      RoundTo(FormatOf(kDouble), DifferenceOf(question_, channel, triple.x));
  const NumberFormat& scale = question_.x_scale;
  const int most = LargestExponent(question_.y) - 2 - FloorLog2(difference);
  const int least = std::max(SmallestExponent(scale), SmallestExponent(question_.y)) + 1;
  const auto exponent =
      static_cast<int>(rng.Between(std::min(least, most - 1), std::min(most, 4)));
  const uint64_t code = question_.NearestScale(
      ToUnrounded(Dyadic(triple.significand, exponent - bits + 1)));
  return Candidate{code, triple.x, triple.zero_point};
}

Candidate Search::ScaleAndX(uint64_t zero_point) {
  CounterRng& rng = question_.rng;
  if (!rng.OneIn(3)) {
    if (const auto known = KnownTriple()) return *known;
  }
  int exponent = question_.ScaleExponent();
  const bool wide = question_.x.type == kInt32 && question_.x_scale.type == kFloat &&
                    question_.y.type != kFloat;
  if (wide && InnerBits() == 53) {
    const bool half = question_.y.type == kFloat16;
    if (half) exponent = static_cast<int>(rng.Between(-30, -17));
    const auto& chosen =
        half ? rng.Pick(kBesideTiesOfFloat16) : rng.Pick(kBesideTiesOfBfloat16);
    const uint64_t scale =
        question_.NearestScale(ToUnrounded(Dyadic(chosen.significand, exponent - 23)));
    return {scale, rng.OneIn(2) ? chosen.x : uint32_t{0} - chosen.x};
  }
  if (question_.x.type == kInt32 && question_.y.type == kFloat16 &&
      pair().a.difference != pair().b.difference && !rng.OneIn(3)) {
    exponent = static_cast<int>(rng.Between(-30, -17));  // for x of 31 bits
  }
  const bool power = question_.x_scale.kind == NumberKind::kPowerOfTwo;
  if (power && !question_.has_integer_x() && question_.has_zero_point()) {
    // Powers of two round subnormal products only.
    const NumberFormat& y = question_.y;
    const int more = rng.OneIn(2) ? LargestExponent(question_.x) : 0;
    const auto below = static_cast<int>(rng.Between(0, y.mantissa_bits + more));
    const int code = std::max(SmallestExponent(y) - below + 127, 0);
    uint64_t other = question_.AnyX();
    if (IsNan(question_.x, other)) other = 0;
    return {static_cast<uint64_t>(code), question_.AnyX(), other};
  }
  const uint64_t full = question_.ScaleAt(DequantizeScale::kFull, exponent);
  const DequantizeLinearChannel rough = question_.Channel(full, zero_point);
  if (question_.x.bits >= 16 && rng.OneIn(2)) return {full, XBesideTie(rough)};
  const uint64_t x = question_.AnyX();
  if (power || rng.OneIn(4)) return {full, x};
  const uint64_t scale = ScaleBesideTie(rough, x, exponent);
  const ExactValue value = Prepared(question_.x_scale).decode(scale);
  const bool usable = value.value_class == ValueClass::kFinite && !value.negative &&
                      !IsSubnormal(question_.x_scale, scale);
  return {usable ? scale : full, x};
}

uint64_t Search::X(const DequantizeLinearChannel& channel) {
  const bool wide = question_.x.bits >= 16 && !question_.rng.OneIn(3);
  return wide ? XBesideTie(channel) : question_.AnyX();
}

// Gives a channel a scale, with an x, that tells the pair of this turn apart.
void ChooseScale(DequantizeLinearQuestion& question, Search& search, int64_t c) {
  const uint64_t zero_point = question.channels[static_cast<size_t>(c)].zero_point_code;
  const bool power = question.x_scale.kind == NumberKind::kPowerOfTwo;
  const int most = power || question.is_per_tensor() ? 5 * kScaleTries : kScaleTries;
  const int tries = search.hopeless() ? 2 : most;
  for (int i = 0; i < tries; ++i) {
    const Candidate candidate = search.ScaleAndX(zero_point);
    question.SetChannel(c, candidate.scale, candidate.zero_point.value_or(zero_point));
    DequantizeLinearChannel& channel = question.channels[static_cast<size_t>(c)];
    if (!search.Tells(channel, candidate.x)) continue;
    channel.anchor = static_cast<uint32_t>(candidate.x);
    return;
  }
}

// Differences of floats have more bits than their operands if the zero point is smaller.
void SetFloatZeroPoints(DequantizeLinearQuestion& question) {
  const NumberFormat& x = question.x;
  if (question.has_integer_x()) return;
  for (int64_t c = 0; c < question.layout.channel_count; ++c) {
    if ((c + question.index) % 3 == 0) continue;
    uint64_t zero_point = question.AnyX();
    for (int i = 0; i < 4 && IsNan(x, zero_point); ++i) zero_point = question.AnyX();
    const DequantizeLinearChannel& channel = question.channels[static_cast<size_t>(c)];
    question.SetChannel(c, channel.scale_code, zero_point);
  }
}

}  // namespace

void FillProducts(DequantizeLinearQuestion& question) {
  using enum ZeroPointFamily;
  const bool many = !question.is_per_tensor();
  question.SetDirectedLayout(question.index, many ? 200 : 150);
  question.SetChannels({DequantizeScale::kFull}, {kLow, kZero, kOdd, kHigh, kAny});
  SetFloatZeroPoints(question);
  Search search(question);
  if (search.empty()) {
    question.FillX([&](int64_t, const auto&) { return question.AnyX(); });
    return;
  }
  search.Start(static_cast<size_t>(question.index));
  for (int64_t c = 0; c < question.layout.channel_count; ++c, search.Next()) {
    ChooseScale(question, search, c);
  }
  CounterRng& rng = question.rng;
  std::vector<bool> asked(question.channels.size(), false);
  const int64_t count = question.layout.element_count;
  question.FillX([&](int64_t i, const DequantizeLinearChannel& channel) {
    const auto c = static_cast<size_t>(question.layout.ChannelOf(i));
    const bool again = !asked[c] || i + 1 == count || rng.OneIn(5);
    asked[c] = true;
    if (channel.anchor && again) return uint64_t{*channel.anchor};
    search.Next();
    uint64_t code = 0;
    const int tries = search.hopeless() ? 1 : kXTries;
    for (int k = 0; k < tries; ++k) {
      code = search.X(channel);
      if (search.Tells(channel, code)) break;
    }
    return code;
  });
}

void FillTies(DequantizeLinearQuestion& question) {
  using enum ZeroPointFamily;
  const bool many = !question.is_per_tensor();
  question.SetDirectedLayout(question.index + 1, many ? 180 : 130);
  question.SetChannels({DequantizeScale::kFewBits}, {kLow, kHigh, kOdd, kAny, kZero});
  for (int64_t c = 0; c < question.layout.channel_count; ++c) {
    const uint64_t zero_point = question.channels[static_cast<size_t>(c)].zero_point_code;
    question.SetChannel(c, ScaleOfTies(question, zero_point), zero_point);
  }
  question.FillX([&](int64_t, const DequantizeLinearChannel& channel) {
    return DirectedX(question, channel);
  });
}

}  // namespace qconform::generators
