#include "harness/runner/judge/mixed_readings.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace qconform {
namespace {

// A part's place in the order of parts, and its name.
using Part = std::pair<int, std::string>;
using Parts = std::map<Part, std::vector<AnsweredCase>>;

Parts ByOperandForm(const std::vector<AskedCase>& asked) {
  Parts parts;
  for (const AskedCase& one : asked) {
    const OperandForm form = one.op_case->key.form;
    const Part part{static_cast<int>(form), std::string(OperandFormName(form))};
    parts[part].push_back(AsAnswered(one));
  }
  return parts;
}

// Parts by the number of rows, M; one part if the operator has no such dimensions.
Result<Parts> ByRows(const std::vector<AskedCase>& asked) {
  Parts parts;
  for (const AskedCase& one : asked) {
    const auto oracle = one.content->Oracle();
    if (!oracle) return oracle.error();
    const auto dimensions = (*oracle)->DimensionsOf(one.content->inputs());
    if (!dimensions) return dimensions.error();
    int64_t rows = 1;
    for (const Dimension& dimension : *dimensions) {
      if (dimension.is_rows) rows *= dimension.size;
    }
    const Part part = rows <= 1   ? Part{0, "M = 1"}
                      : rows < 16 ? Part{1, "M from 2 to 15"}
                                  : Part{2, "M of 16 and more"};
    parts[part].push_back(AsAnswered(one));
  }
  return parts;
}

MixedTier RecordOf(size_t tier, const char* by, const Explanation& explanation) {
  MixedTier record;
  record.tier = TierName(static_cast<Tier>(tier));
  record.by = by;
  for (const Explanation::Part& part : explanation.parts) {
    record.parts.push_back({part.name, part.reading.Name()});
  }
  return record;
}

// The cases and tiers to be explained, and the explanations so far.
struct Open {
  TierFlags tiers{};
  Explanations& explanations;
  std::vector<std::pair<size_t, MixedTier>> records{};
};

// Explains the open tiers that the parts explain.
Status Explain(const Parts& parts, const char* by, const std::string& words, Open& open) {
  if (parts.size() < 2) return Ok();
  TierFlags left = open.tiers;
  std::array<Explanation, kTierCount> mixed;
  for (const auto& [part, cases] : parts) {
    if (std::ranges::none_of(left, std::identity())) return Ok();
    auto explanations = ExplainByReadings(cases);
    if (!explanations) return explanations.error();
    for (size_t tier = 0; tier < kTierCount; ++tier) {
      const auto has = [tier](const AnsweredCase& one) {
        return one.content->tiers()[tier];
      };
      if (!left[tier] || std::ranges::none_of(cases, has)) continue;
      std::optional<Explanation>& found = (*explanations)[tier];
      left[tier] = found.has_value();
      if (!left[tier]) continue;
      mixed[tier].parts.push_back({part.second, std::move(found->parts.front().reading)});
    }
  }
  for (size_t tier = 0; tier < kTierCount; ++tier) {
    if (!left[tier] || mixed[tier].parts.size() < 2) continue;
    mixed[tier].mixed_by = words;
    open.records.emplace_back(tier, RecordOf(tier, by, mixed[tier]));
    open.explanations[tier] = std::move(mixed[tier]);
    open.tiers[tier] = false;
  }
  return Ok();
}

}  // namespace

Result<std::vector<MixedTier>> ExplainByParts(const std::vector<AskedCase>& asked,
                                              Explanations& explanations) {
  Open open{.explanations = explanations};
  for (const AskedCase& one : asked) {
    for (size_t tier = 0; tier < kTierCount; ++tier) {
      if (one.comparison.tiers[tier].mismatches != 0 && !explanations[tier]) {
        open.tiers[tier] = true;
      }
    }
  }
  std::vector<MixedTier> tiers;
  if (std::ranges::none_of(open.tiers, std::identity())) return tiers;
  Status explained =
      Explain(ByOperandForm(asked), kMixedByOperandForm, "operand form", open);
  if (!explained) return explained.error();
  const auto by_rows = ByRows(asked);
  if (!by_rows) return by_rows.error();
  explained = Explain(*by_rows, kMixedByRows, "M", open);
  if (!explained) return explained.error();
  std::ranges::sort(open.records, {}, [](const auto& record) { return record.first; });
  for (auto& [tier, record] : open.records) tiers.push_back(std::move(record));
  return tiers;
}

Result<std::vector<BoundOnlyTier>> HiddenByBounds(std::span<const AnsweredCase> answered,
                                                  const Explanations& explanations) {
  std::vector<BoundOnlyTier> tiers;
  for (size_t tier = 0; tier < kTierCount; ++tier) {
    if (!explanations[tier] || explanations[tier]->is_mixed()) continue;
    const auto pair = PairBehindBound(answered, static_cast<Tier>(tier),
                                      explanations[tier]->parts.front().reading);
    if (!pair) return pair.error();
    if (!*pair) continue;
    tiers.push_back({std::string(TierName(static_cast<Tier>(tier))),
                     {Spell((*pair)->first), Spell((*pair)->second)}});
  }
  return tiers;
}

}  // namespace qconform
