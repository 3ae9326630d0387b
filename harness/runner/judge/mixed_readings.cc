#include "harness/runner/judge/mixed_readings.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "harness/compare/behind_bounds.h"
#include "harness/compare/inference.h"

namespace qconform {
namespace {

// A part's place in the order of parts, and its name; nothing: the case has none.
using PartOf = std::function<std::pair<int, std::string>(const AskedCase&)>;

std::pair<int, std::string> FormOf(const AskedCase& asked) {
  const OperandForm form = asked.op_case->key.form;
  return {static_cast<int>(form), std::string(OperandFormName(form))};
}

// The rows of a, which are those of each matrix of y.
std::pair<int, std::string> RowsOf(const AskedCase& asked) {
  const Shape& a = asked.op_case->operands.front().shape;
  const int64_t rows = a.size() < 2 ? 1 : a[a.size() - 2];
  if (rows <= 1) return {0, "M = 1"};
  return rows < 16 ? std::pair<int, std::string>{1, "M from 2 to 15"}
                   : std::pair<int, std::string>{2, "M of 16 and more"};
}

using AnsweredParts = std::map<std::pair<int, std::string>, std::vector<AnsweredCase>>;

bool Has(const AnsweredCase& answered, size_t tier) {
  for (const ElementAnswer& element : answered.answer->elements) {
    if (static_cast<size_t>(element.tier) == tier) return true;
  }
  return false;
}

std::string TextOf(const MixedTier& mixed) {
  std::string text = "mixed by ";
  text += mixed.by == kMixedByOperandForm ? "operand form" : "M";
  std::string separator = ": ";
  for (const MixedPart& part : mixed.parts) {
    text += separator + part.part + " " + part.reading;
    separator = ", ";
  }
  return text;
}

// Adds the tiers of `open` that the parts explain, and takes them from it.
Status Explain(const AnsweredParts& parts, const char* by,
               std::array<bool, kTierCount>& open,
               std::array<std::optional<MixedTier>, kTierCount>& found) {
  if (parts.size() < 2) return Ok();
  std::array<bool, kTierCount> left = open;
  std::array<MixedTier, kTierCount> mixed;
  for (const auto& [name, cases] : parts) {
    if (std::ranges::none_of(left, std::identity())) return Ok();
    const auto explanations = ExplainByReadings(cases);
    if (!explanations) return explanations.error();
    for (size_t tier = 0; tier < kTierCount; ++tier) {
      const auto has = [tier](const AnsweredCase& one) { return Has(one, tier); };
      if (!left[tier] || std::ranges::none_of(cases, has)) continue;
      left[tier] = (*explanations)[tier].has_value();
      if (left[tier]) mixed[tier].parts.push_back({name.second, *(*explanations)[tier]});
    }
  }
  for (size_t tier = 0; tier < kTierCount; ++tier) {
    if (!left[tier] || mixed[tier].parts.size() < 2) continue;
    mixed[tier].tier = TierName(static_cast<Tier>(tier));
    mixed[tier].by = by;
    found[tier] = std::move(mixed[tier]);
    open[tier] = false;
  }
  return Ok();
}

AnsweredParts Divide(const std::vector<AskedCase>& asked, const PartOf& part_of) {
  AnsweredParts parts;
  for (const AskedCase& one : asked) parts[part_of(one)].push_back(AsAnswered(one));
  return parts;
}

}  // namespace

Result<std::vector<MixedTier>> ExplainByParts(const std::vector<AskedCase>& asked,
                                              Explanations& explanations) {
  std::array<bool, kTierCount> open{};
  for (const AskedCase& one : asked) {
    for (size_t tier = 0; tier < kTierCount; ++tier) {
      const bool differs = one.comparison.tiers[tier].mismatches != 0;
      open[tier] = open[tier] || (differs && !explanations[tier]);
    }
  }
  std::vector<MixedTier> tiers;
  if (std::ranges::none_of(open, std::identity())) return tiers;
  std::array<std::optional<MixedTier>, kTierCount> found;
  Status explained = Explain(Divide(asked, FormOf), kMixedByOperandForm, open, found);
  if (explained && asked.front().op_case->key.cell.op_type == "QLinearMatMul") {
    explained = Explain(Divide(asked, RowsOf), kMixedByRows, open, found);
  }
  if (!explained) return explained.error();
  for (size_t tier = 0; tier < kTierCount; ++tier) {
    if (!found[tier]) continue;
    explanations[tier] = TextOf(*found[tier]);
    tiers.push_back(*std::move(found[tier]));
  }
  return tiers;
}

Result<std::vector<BoundOnlyTier>> HiddenByBounds(const std::vector<AskedCase>& asked,
                                                  const Explanations& explanations) {
  std::vector<BoundOnlyTier> tiers;
  std::vector<AnsweredCase> answered;
  for (size_t i = 0; i < kTierCount; ++i) {
    if (!explanations[i] || *explanations[i] == "canonical") continue;
    if (answered.empty()) {
      for (const AskedCase& one : asked) answered.push_back(AsAnswered(one));
    }
    const auto pair = PairBehindBound(answered, static_cast<Tier>(i), *explanations[i]);
    if (!pair) return pair.error();
    if (pair->empty()) continue;
    tiers.push_back({std::string(TierName(static_cast<Tier>(i))), *pair});
  }
  return tiers;
}

}  // namespace qconform
