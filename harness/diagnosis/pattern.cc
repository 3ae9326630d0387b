#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "harness/diagnosis/evidence_case.h"
#include "harness/operators/q_linear_mat_mul/fault_model.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

using Holds = std::function<bool(const EvidenceCase&, int64_t)>;

struct Pattern {
  std::string words;
  Holds holds;
  // Whether elements that are not like that would deviate too, if they did as often.
  bool only_if_others_would = false;
};

Holds HasFeature(uint16_t features) {
  return [features](const EvidenceCase& one, int64_t i) {
    return (one.answer->elements[static_cast<size_t>(i)].features & features) != 0;
  };
}

bool QuotientBeyondInt32(const EvidenceCase& one, int64_t i) {
  const DecodedQuantizeLinear* decoded = one.decoded->quantize_linear();
  if (decoded == nullptr) return false;
  const Unrounded& q = decoded->quotients[static_cast<size_t>(i)];
  if (q.value_class == ValueClass::kInfinity) return true;
  return q.value_class == ValueClass::kFinite && q.significand != 0 &&
         TopBit(q.significand) + q.exponent >= 31;
}

bool XIsNegative(const EvidenceCase& one, int64_t i) {
  const DecodedQuantizeLinear* decoded = one.decoded->quantize_linear();
  return decoded != nullptr && decoded->x_values[static_cast<size_t>(i)].negative;
}

bool InLastBlock(const EvidenceCase& one, int64_t i) {
  const DecodedQuantizeLinear* decoded = one.decoded->quantize_linear();
  if (decoded == nullptr) return false;
  const QuantizeLinearLayout& layout = decoded->layout;
  if (layout.granularity != QuantizeLinearLayout::Granularity::kBlocked) return false;
  return i / layout.inner % layout.axis / layout.block == layout.blocks - 1;
}

// --- QLinearMatMul

struct MatMulPlace {
  int64_t matrix = 0;  // of the batch
  int64_t row = 0;
  int64_t column = 0;
};

MatMulPlace PlaceOf(const EvidenceCase& one, int64_t i) {
  const MatMulStack& y = one.decoded->mat_mul()->layout.y;
  return {i / y.columns / y.rows, i / y.columns % y.rows, i % y.columns};
}

int64_t TermsOf(const EvidenceCase& one) { return one.decoded->mat_mul()->terms; }

// v = C * a_scale * b_scale / y_scale, where it is no special value.
std::optional<Unrounded> ProductOf(const EvidenceCase& one, int64_t i) {
  const auto trace = TraceElement(*one.decoded->mat_mul(), {}, i);
  if (!trace) return std::nullopt;
  return trace->product;
}

bool ProductBeyondInt32(const EvidenceCase& one, int64_t i) {
  const auto v = ProductOf(one, i);
  return v && v->value_class == ValueClass::kFinite && v->significand != 0 &&
         TopBit(v->significand) + v->exponent >= 31;
}

// By K, where those of the deviating elements have something in common.
void AddTermPatterns(std::span<const EvidenceCase> cases,
                     std::vector<Pattern>& patterns) {
  int64_t least = INT64_MAX;
  int64_t most = 0;
  for (const EvidenceCase& one : cases) {
    if (one.deviating.empty()) continue;
    least = std::min(least, TermsOf(one));
    most = std::max(most, TermsOf(one));
  }
  const auto add = [&](std::string words, std::function<bool(int64_t)> holds) {
    patterns.push_back({"only K " + std::move(words),
                        [holds = std::move(holds)](const EvidenceCase& one, int64_t) {
                          return holds(TermsOf(one));
                        },
                        true});
  };
  if (least == most) {
    add("= " + std::to_string(most), [most](int64_t k) { return k == most; });
  }
  for (const int64_t of : {64, 32, 16, 8, 4, 2}) {
    const std::string number = std::to_string(of);
    add("that is a multiple of " + number, [of](int64_t k) { return k % of == 0; });
  }
  for (const int64_t of : {2, 4, 8, 16, 32, 64}) {
    const std::string number = std::to_string(of);
    add("that is no multiple of " + number, [of](int64_t k) { return k % of != 0; });
  }
  add("of at most " + std::to_string(most), [most](int64_t k) { return k <= most; });
  add("of at least " + std::to_string(least), [least](int64_t k) { return k >= least; });
}

// By the place in y of the first element that deviates: the others share it, or the
// pattern does not hold.
void AddPlacePatterns(std::span<const EvidenceCase> cases,
                      std::vector<Pattern>& patterns) {
  const auto first = std::ranges::find_if(
      cases, [](const EvidenceCase& one) { return !one.deviating.empty(); });
  if (first == cases.end()) return;
  const MatMulPlace at = PlaceOf(*first, first->deviating.front());
  const auto add =
      [&](std::string words,
          std::function<bool(const MatMulPlace&, const MatMulStack&)> holds) {
        patterns.push_back(
            {"only " + std::move(words),
             [holds = std::move(holds)](const EvidenceCase& one, int64_t i) {
               return holds(PlaceOf(one, i), one.decoded->mat_mul()->layout.y);
             },
             true});
      };
  add("row " + std::to_string(at.row) + " of a",
      [row = at.row](const auto& place, const auto&) { return place.row == row; });
  add("column " + std::to_string(at.column) + " of b",
      [column = at.column](const auto& place, const auto&) {
        return place.column == column;
      });
  add("the last row of a",
      [](const auto& place, const auto& y) { return place.row + 1 == y.rows; });
  add("the last column of b",
      [](const auto& place, const auto& y) { return place.column + 1 == y.columns; });
  add("matrix " + std::to_string(at.matrix) + " of a batch",
      [matrix = at.matrix](const auto& place, const auto&) {
        return place.matrix == matrix;
      });
  add("matrices behind the first of a batch",
      [](const auto& place, const auto&) { return place.matrix > 0; });
  for (const int64_t lanes : {2, 4, 8, 16, 32, 64}) {
    add("columns behind the last multiple of " + std::to_string(lanes),
        [lanes](const auto& place, const auto& y) {
          return place.column >= y.columns / lanes * lanes;
        });
  }
}

std::vector<Pattern> MatMulPatterns(std::span<const EvidenceCase> cases) {
  std::vector<Pattern> patterns;
  for (const EvidenceCase& one : cases) {
    if (one.decoded->mat_mul() == nullptr) return patterns;
  }
  patterns.push_back({"only where |v| >= 2^31", ProductBeyondInt32});
  AddTermPatterns(cases, patterns);
  AddPlacePatterns(cases, patterns);
  const auto has_sign = [](bool negative) {
    return [negative](const EvidenceCase& one, int64_t i) {
      const auto v = ProductOf(one, i);
      return v && v->value_class != ValueClass::kZero && v->negative == negative;
    };
  };
  patterns.push_back({"only negative results", has_sign(true), true});
  patterns.push_back({"only positive results", has_sign(false), true});
  return patterns;
}

int64_t SizeOf(const EvidenceCase& one) {
  return static_cast<int64_t>(one.answer->elements.size());
}

std::vector<Pattern> Patterns(std::span<const EvidenceCase> cases) {
  std::vector<Pattern> patterns{
      {"only NaN quotients", HasFeature(kFeatureNan)},
      {"only infinite quotients", HasFeature(kFeatureInfinity)},
      {"only NaN and infinite quotients", HasFeature(kFeatureNan | kFeatureInfinity)},
      {"only where |q| >= 2^31", QuotientBeyondInt32},
      {"only ties", HasFeature(kFeatureTie)},
      {"only results that saturate",
       HasFeature(kFeatureSaturatedLow | kFeatureSaturatedHigh)},
      {"only results that are subnormal in y", HasFeature(kFeatureSubnormalResult)},
      {"only the last element of a tensor",
       [](const EvidenceCase& one, int64_t i) { return i + 1 == SizeOf(one); }},
  };
  for (Pattern& pattern : MatMulPatterns(cases)) patterns.push_back(std::move(pattern));
  for (const int64_t lanes : {2, 4, 8, 16, 32, 64, 128}) {
    patterns.push_back(
        {"only elements behind the last multiple of " + std::to_string(lanes),
         [lanes](const EvidenceCase& one, int64_t i) {
           return i >= SizeOf(one) / lanes * lanes;
         }});
  }
  patterns.push_back({"only the last block along the axis", InLastBlock});
  for (const int64_t lanes : {64, 32, 16, 8, 4, 2}) {
    for (int64_t place = 0; place < lanes; ++place) {
      patterns.push_back({"only elements whose index modulo " + std::to_string(lanes) +
                              " is " + std::to_string(place),
                          [lanes, place](const EvidenceCase&, int64_t i) {
                            return i % lanes == place;
                          }});
    }
  }
  patterns.push_back({"only negative x", XIsNegative});
  patterns.push_back(
      {"only x that are not negative", [](const EvidenceCase& one, int64_t i) {
         return one.decoded->quantize_linear() != nullptr && !XIsNegative(one, i);
       }});
  for (int tier = 0; tier < kTierCount; ++tier) {
    patterns.push_back(
        {"only elements of tier " + std::string(TierName(static_cast<Tier>(tier))),
         [tier](const EvidenceCase& one, int64_t i) {
           return one.answer->elements[static_cast<size_t>(i)].tier ==
                  static_cast<Tier>(tier);
         },
         true});
  }
  return patterns;
}

// The one channel that deviates, where it is one of several.
std::string OneChannel(std::span<const EvidenceCase> cases) {
  int64_t channel = -1;
  bool several = false;
  for (const EvidenceCase& one : cases) {
    const DecodedQuantizeLinear* decoded = one.decoded->quantize_linear();
    if (decoded == nullptr) return "";
    const QuantizeLinearLayout& layout = decoded->layout;
    several = several || decoded->scales.size() > 1;
    for (const int64_t i : one.deviating) {
      const int64_t line = i / layout.inner;
      const int64_t at =
          layout.ScaleIndex(line / layout.axis, line % layout.axis, i % layout.inner);
      if (channel >= 0 && channel != at) return "";
      channel = at;
    }
  }
  return several && channel >= 0 ? "only elements of scale " + std::to_string(channel)
                                 : "";
}

// Whether so many elements are not like that that of these, too, several would deviate if
// the pattern were chance.
bool OthersWould(const Holds& holds, int64_t deviating,
                 std::span<const EvidenceCase> cases) {
  constexpr int64_t kSeveral = 8;
  int64_t like = 0;
  int64_t all = 0;
  for (const EvidenceCase& one : cases) {
    all += SizeOf(one);
    for (int64_t i = 0; i < SizeOf(one); ++i) like += holds(one, i) ? 1 : 0;
  }
  return deviating * (all - like) >= kSeveral * like;
}

// Whether b says nothing of these cases that a does not say.
bool Implies(const Holds& a, const Holds& b, std::span<const EvidenceCase> cases) {
  for (const EvidenceCase& one : cases) {
    for (int64_t i = 0; i < SizeOf(one); ++i) {
      if (a(one, i) && !b(one, i)) return false;
    }
  }
  return true;
}

}  // namespace

std::vector<std::string> PatternOf(std::span<const EvidenceCase> cases) {
  constexpr size_t kMost = 2;
  int64_t deviating = 0;
  for (const EvidenceCase& one : cases)
    deviating += static_cast<int64_t>(one.deviating.size());
  // Of one or two elements everything has something in common.
  if (deviating < 3) return {};
  std::vector<std::string> words;
  std::vector<Pattern> found;
  for (Pattern& pattern : Patterns(cases)) {
    bool all = true;
    bool others = false;  // elements that do not deviate and are not like that
    for (const EvidenceCase& one : cases) {
      for (const int64_t i : one.deviating) all = all && pattern.holds(one, i);
      if (!all) break;
      for (int64_t i = 0; i < SizeOf(one) && !others; ++i)
        others = !pattern.holds(one, i);
    }
    if (!all || !others) continue;
    if (pattern.only_if_others_would && !OthersWould(pattern.holds, deviating, cases)) {
      continue;
    }
    const auto follows = [&](const Pattern& said) {
      return Implies(said.holds, pattern.holds, cases);
    };
    if (std::ranges::any_of(found, follows)) continue;
    words.push_back(pattern.words);
    if (words.size() == kMost) return words;
    found.push_back(std::move(pattern));
  }
  const std::string channel = OneChannel(cases);
  if (!channel.empty()) words.push_back(channel);
  return words;
}

}  // namespace qconform
