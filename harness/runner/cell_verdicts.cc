// The verdicts of a cell: of its tiers, operand forms and opset_versions.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/runner/cell_judge.h"

namespace qconform {
namespace {

// `left`: of the mismatches with the canonical answer, those that no reading that is
// followed allows.
Verdict TierVerdictOf(const TierCount& count, int64_t left, bool explained) {
  if (count.mismatches == 0 && left == 0) return Verdict::kConformant;
  return explained || left == 0 ? Verdict::kAdmissible : Verdict::kNonconformant;
}

}  // namespace

std::vector<FormRecord> CellJudge::JudgeForms(const Explanations& explanations) const {
  std::vector<FormRecord> records;
  for (const auto& [form, state] : forms_) {
    FormRecord record;
    record.form = OperandFormName(form);
    const bool all_declined = state.declined + state.refused == state.cases;
    const int64_t declined = state.declined + (RefusesZeroPoints() ? 0 : state.refused);
    for (size_t i = 0; i < kTierCount; ++i) {
      const TierCount& count = state.tiers[i];
      if (count.elements == 0) continue;
      TierRecord tier;
      tier.tier = TierName(static_cast<Tier>(i));
      tier.verdict = TierVerdictOf(count, state.left[i], explanations[i].has_value());
      if (state.refused > 0) tier.verdict = Worst(tier.verdict, Verdict::kAdmissible);
      if (declined > 0) tier.verdict = Worst(tier.verdict, Verdict::kPartial);
      tier.verdict = Worst(tier.verdict, state.worst_failure);
      record.tiers.push_back(std::move(tier));
    }
    if (record.tiers.empty()) {
      // Nothing was answered: the form as a whole is what its failures are.
      TierRecord tier;
      tier.tier = TierName(Tier::kRegular);
      tier.verdict = all_declined ? Verdict::kUnsupported : state.worst_failure;
      if (!all_declined && tier.verdict == Verdict::kConformant) {
        tier.verdict = Verdict::kUntested;
      }
      record.tiers.push_back(std::move(tier));
    }
    records.push_back(std::move(record));
  }
  return records;
}

std::vector<OpsetRecord> CellJudge::JudgeOpsets(const Explanations& explanations) const {
  std::map<int, Verdict> verdicts;
  const auto of = [](const std::map<int, int64_t>& counts, int opset) {
    const auto found = counts.find(opset);
    return found == counts.end() ? 0 : found->second;
  };
  for (const auto& [opset, cases] : opset_cases_) {
    const int64_t refused = of(opset_refused_, opset);
    const int64_t declined = of(opset_declined_, opset);
    const bool partial = declined > 0 || (refused > 0 && !RefusesZeroPoints());
    verdicts[opset] = declined + refused == cases ? Verdict::kUnsupported
                      : partial                   ? Verdict::kPartial
                      : refused > 0               ? Verdict::kAdmissible
                                                  : Verdict::kConformant;
  }
  for (const auto& [opset, verdict] : opset_failures_) {
    verdicts[opset] = Worst(verdicts[opset], verdict);
  }
  for (const AskedCase& asked : asked_) {
    Verdict& verdict = verdicts[asked.op_case->key.opset_version];
    for (size_t i = 0; i < kTierCount; ++i) {
      verdict = Worst(verdict, TierVerdictOf(asked.comparison.tiers[i],
                                             asked.left.tiers[i].mismatches,
                                             explanations[i].has_value()));
    }
  }
  std::vector<OpsetRecord> records;
  for (const auto& [opset, verdict] : verdicts) records.push_back({opset, verdict});
  return records;
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
  if (!IsPass(record_.verdict)) return;
  const std::string why = coverage_.WhyMistrusted(cell_.granularity);
  if (why.empty()) return;
  record_.verdict = Verdict::kMistrusted;
  record_.reason = why;
}

}  // namespace qconform
