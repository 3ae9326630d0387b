// x and x_scale for which two ways to multiply differ: candidates next to the points
// where the composition of all roundings changes, kept if the two ways give different
// codes.
#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "cases/operators/dequantize_linear/cases.h"
#include "cases/operators/dequantize_linear/products.h"

namespace qconform::generators {
namespace {

using enum DataType;

// Candidates that the search for a channel's scale may take, and for one x.
constexpr int kScaleTries = 24;
constexpr int kXTries = 3;
// A pair that so many candidates did not tell apart is asked less.
constexpr int kHopeless = 60;

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
};

// The pairs that need a scale of their own come first.
std::vector<ProductPair> OrderedPairs(const DequantizeLinearQuestion& question) {
  std::vector<ProductPair> pairs = ProductPairs(question);
  std::ranges::stable_partition(
      pairs, [](const ProductPair& pair) { return pair.a.inner != pair.b.inner; });
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
  Unrounded Hub(const DequantizeLinearChannel& channel, uint64_t x_code) const {
    const Unrounded difference = DifferenceOf(question_, channel, x_code);
    const DataType type = pair().a.difference;
    return type == kUndefined ? difference
                              : ToUnrounded(RoundTo(FormatOf(type), difference));
  }
  // The scale as the ways of this turn multiply by it, of an odd significand.
  uint64_t FactorOf(uint64_t scale_code) const {
    ExactValue scale = Prepared(question_.x_scale).decode(scale_code);
    if (pair().a.scale != kUndefined) {
      scale = RoundTo(FormatOf(pair().a.scale), ToUnrounded(scale));
    }
    if (scale.value_class != ValueClass::kFinite) return 1;
    return scale.significand >> std::countr_zero(scale.significand);
  }
  uint64_t XBesideTie(const DequantizeLinearChannel& channel, uint64_t factor);

  DequantizeLinearQuestion& question_;
  std::vector<ProductPair> pairs_;
  std::vector<int> misses_;
  size_t turn_ = 0;
};

// An x whose difference times `factor` is the tie of y in the precision of the pair's
// inner type, and no tie without it.
uint64_t Search::XBesideTie(const DequantizeLinearChannel& channel, uint64_t factor) {
  CounterRng& rng = question_.rng;
  const bool int32 = question_.x.type == kInt32;
  int bits = int32 ? 31 : question_.x.bits;
  // FLOAT16 holds differences of 16 bits only.
  if (int32 && question_.y.type == kFloat16 && rng.OneIn(2)) bits = 16;
  if (pair().a.difference != kUndefined) {
    bits = std::min(bits, PrecisionOf(FormatOf(pair().a.difference)));
  }
  const uint64_t difference = DifferenceBesideTie(factor, bits, PrecisionOf(question_.y),
                                                  rng.Between(-3, 3), rng);
  if (difference == 0) return question_.AnyX();
  ExactValue value = Dyadic(static_cast<int64_t>(difference), 0);
  const ExactValue& zero_point = channel.zero_point;
  value.negative = zero_point.value_class == ValueClass::kFinite && !zero_point.negative;
  return question_.XOfDifference(channel, value);
}

Candidate Search::ScaleAndX(uint64_t zero_point) {
  CounterRng& rng = question_.rng;
  const int exponent = question_.ScaleExponent();
  const bool wide = question_.x.type == kInt32 && question_.x_scale.type == kFloat &&
                    question_.y.type != kFloat;
  if (wide && (pair().a.inner == kDouble || pair().b.inner == kDouble)) {
    const auto& chosen = question_.y.type == kFloat16 ? rng.Pick(kBesideTiesOfFloat16)
                                                      : rng.Pick(kBesideTiesOfBfloat16);
    const uint64_t scale =
        question_.NearestScale(ToUnrounded(Dyadic(chosen.significand, exponent - 23)));
    return {scale, rng.OneIn(2) ? chosen.x : ~chosen.x + uint64_t{1}};
  }
  const uint32_t choice = rng.Below(4);
  const uint64_t full = question_.ScaleAt(DequantizeScale::kFull, exponent);
  const DequantizeLinearChannel rough = question_.Channel(full, zero_point);
  if (question_.x.bits >= 16 && choice < 2) {
    return {full, XBesideTie(rough, FactorOf(full)) & 0xFFFFFFFFu};
  }
  const uint64_t x = question_.AnyX();
  const Unrounded hub = Hub(rough, x);
  if (hub.value_class != ValueClass::kFinite || choice == 3 ||
      question_.x_scale.kind == NumberKind::kPowerOfTwo) {
    return {full, x};
  }
  // The scale that brings the difference next to a tie of y.
  const int precision = PrecisionOf(question_.y);
  const int64_t tie =
      (int64_t{1} << precision) |
      static_cast<int64_t>(rng.Next32() & ((uint64_t{1} << precision) - 1)) | 1;
  ExactValue positive = RoundTo(FormatOf(kDouble), hub);
  positive.negative = false;
  const ExactValue product = Dyadic(tie, FloorLog2(positive) + exponent - precision);
  const uint64_t nearest = question_.NearestScale(Divide(product, positive));
  const uint64_t scale =
      Step(question_.x_scale, nearest, static_cast<int>(rng.Below(3)) - 1);
  const bool usable =
      !IsSubnormal(question_.x_scale, scale) &&
      Prepared(question_.x_scale).decode(scale).value_class == ValueClass::kFinite &&
      !Prepared(question_.x_scale).decode(scale).negative;
  return {usable ? scale : full, x};
}

uint64_t Search::X(const DequantizeLinearChannel& channel) {
  const bool wide = question_.x.bits >= 16 && !question_.rng.OneIn(3);
  if (wide) return XBesideTie(channel, FactorOf(channel.scale_code)) & 0xFFFFFFFFu;
  return question_.AnyX();
}

// Gives a channel a scale, with an x, that tells the pair of this turn apart.
void ChooseScale(DequantizeLinearQuestion& question, Search& search, int64_t c) {
  const uint64_t zero_point = question.channels[static_cast<size_t>(c)].zero_point_code;
  const int tries = search.hopeless() ? 2 : kScaleTries;
  for (int i = 0; i < tries; ++i) {
    const Candidate candidate = search.ScaleAndX(zero_point);
    question.SetChannel(c, candidate.scale, zero_point);
    DequantizeLinearChannel& channel = question.channels[static_cast<size_t>(c)];
    if (!search.Tells(channel, candidate.x)) continue;
    channel.anchor = static_cast<uint32_t>(candidate.x);
    return;
  }
}

}  // namespace

void FillProducts(DequantizeLinearQuestion& question) {
  using enum ZeroPointFamily;
  const bool many = !question.is_per_tensor();
  question.SetDirectedLayout(question.index, many ? 200 : 150);
  question.SetChannels({DequantizeScale::kFull}, {kLow, kZero, kOdd, kHigh, kAny});
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
