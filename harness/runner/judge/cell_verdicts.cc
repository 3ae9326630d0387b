// The verdicts of a cell: of its tiers and operand forms.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/compare/chance.h"
#include "harness/runner/judge/cell_judge.h"
#include "oracle/base/text.h"
#include "reports/record/evidence.h"

namespace qconform {

Verdict CellJudge::TierVerdictOf(const TierCount& count, int64_t left, bool explained) {
  if (count.mismatches == 0 && left == 0) return Verdict::kConformant;
  return explained || left == 0 ? Verdict::kAdmissible : Verdict::kNonconformant;
}

std::vector<FormRecord> CellJudge::JudgeForms(const Explanations& explanations) const {
  std::vector<FormRecord> records;
  for (const auto& [form, state] : forms_) {
    FormRecord record;
    record.form = OperandFormName(form);
    const bool all_declined = state.declined + state.refused == state.cases;
    for (size_t i = 0; i < kTierCount; ++i) {
      const TierCount& count = state.tiers[i];
      if (count.elements == 0) continue;
      TierRecord tier;
      tier.tier = TierName(static_cast<Tier>(i));
      tier.verdict = TierVerdictOf(count, state.left[i], explanations[i].has_value());
      if (state.refused > 0) tier.verdict = Worst(tier.verdict, Verdict::kAdmissible);
      if (state.declined > 0) tier.verdict = Worst(tier.verdict, Verdict::kPartial);
      tier.verdict = Worst(tier.verdict, state.worst_failure);
      record.tiers.push_back(std::move(tier));
    }
    if (record.tiers.empty()) {
      // Nothing was answered, so the form has the verdict of its failures.
      TierRecord tier;
      tier.tier = TierName(Tier::kRegular);
      tier.verdict = state.worst_failure;
      if (tier.verdict == Verdict::kConformant) {
        tier.verdict = all_declined ? Verdict::kUnsupported : Verdict::kUntested;
      }
      record.tiers.push_back(std::move(tier));
    }
    records.push_back(std::move(record));
  }
  return records;
}

std::vector<VariantRecord> CellJudge::JudgeVariants(
    const Explanations& explanations) const {
  std::map<std::string, Verdict> verdicts = failed_variants_;
  for (const AskedCase& asked : asked_) {
    const Verdict verdict = CaseVerdict(asked, explanations);
    const auto known = verdicts.emplace(asked.op_case->key.variant, verdict).first;
    known->second = Worst(known->second, verdict);
  }
  for (const NotTaken& not_taken : not_taken_) {
    const auto [known, added] =
        verdicts.emplace(not_taken.op_case->key.variant, Verdict::kUnsupported);
    if (!added && known->second != Verdict::kUnsupported) {
      known->second = Worst(known->second, Verdict::kPartial);
    }
  }
  std::vector<VariantRecord> records;
  size_t passes = 0;
  for (const auto& [variant, verdict] : verdicts) {
    records.push_back({variant, verdict});
    passes += IsPass(verdict) ? 1 : 0;
  }
  if (passes == 0 || passes == records.size()) return {};
  return records;
}

// Contents are counted once, in whatever form and at whatever opset_version they were
// asked, and only among those of their generator.
bool CellJudge::VariantsDifferByChance(const Explanations& explanations) const {
  constexpr double kChance = 1e-6;
  const VariantSign sign = SignOfVariants(record_);
  // What a backend declines, it declines by what it is asked.
  const bool deviates = std::ranges::any_of(
      record_.variants,
      [](const VariantRecord& variant) { return IsDeviation(variant.verdict); });
  if (sign.text.empty() || !deviates) return false;
  struct Content {
    std::string variant;
    bool passes = true;
  };
  std::map<std::string, std::map<std::string, Content>> contents;  // by generator
  const auto content_of = [&](const CaseKey& key) -> Content& {
    Content& content = contents[key.generator][ContentId(key)];
    content.variant = key.variant;
    return content;
  };
  for (const AskedCase& asked : asked_) {
    Content& content = content_of(asked.op_case->key);
    content.passes = content.passes && IsPass(CaseVerdict(asked, explanations));
  }
  for (const NotTaken& one : not_taken_) content_of(one.op_case->key).passes = false;
  for (const CaseKey& key : failed_cases_) content_of(key).passes = false;
  double log_chance = 0;
  for (const auto& [generator, all] : contents) {
    int64_t with = 0;
    int64_t wrong = 0;
    for (const auto& [id, content] : all) {
      with += sign.IsOf(content.variant) ? 1 : 0;
      wrong += content.passes ? 0 : 1;
    }
    // Other contents do not have the sign, and none of them is wrong.
    if (wrong > with) return true;
    if (wrong > 0) log_chance += LogAllAmong(wrong, with, std::ssize(all));
  }
  std::set<std::string> settings;
  for (const VariantRecord& variant : record_.variants) {
    for (const std::string& setting : Split(variant.variant, ",")) {
      settings.insert(setting);
    }
  }
  return log_chance > std::log(kChance / static_cast<double>(settings.size()));
}

void CellJudge::JudgeTiers(const Explanations& explanations) {
  for (size_t i = 0; i < kTierCount; ++i) {
    TierCounts counts{std::string(TierName(static_cast<Tier>(i))), 0, 0};
    for (const auto& [form, state] : forms_) {
      counts.elements += state.tiers[i].elements;
      if (!explanations[i]) counts.mismatches += state.left[i];
    }
    if (counts.elements > 0) record_.tiers.push_back(std::move(counts));
  }
  record_.forms = JudgeForms(explanations);
  record_.opset_versions = JudgeOpsets(explanations);
  record_.verdict = CellVerdict(record_.forms);
  if (!IsPass(record_.verdict)) {
    record_.variants = JudgeVariants(explanations);
    record_.variants_by_chance = VariantsDifferByChance(explanations);
  }
  if (!IsPass(record_.verdict) || !mistrusts_) return;
  const std::string why = coverage_.WhyMistrusted();
  if (why.empty()) return;
  record_.verdict = Verdict::kMistrusted;
  record_.reason = why;
}

}  // namespace qconform
