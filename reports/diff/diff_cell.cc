#include "reports/diff/diff_cell.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "oracle/base/text.h"
#include "reports/record/evidence.h"
#include "reports/record/finding.h"
#include "reports/record/record_json.h"

namespace qconform {
namespace {

using Kinds = std::set<ChangeKind>;

bool IsAsked(const CellRecord* row) {
  return row != nullptr && IsOfBackend(row->verdict);
}

// How good a verdict is among those of what was answered.
int RankOf(Verdict verdict) { return IsPass(verdict) ? 200 : static_cast<int>(verdict); }

// What became of a part of a cell, or of the cell as a whole. Declined cases of a part
// that was answered for the rest are not looked at one by one here: what it gained may be
// right or wrong. Where as many cases were declined as before, nothing was gained or
// lost.
void AddStep(Verdict before, Verdict after, bool as_many_declined, Kinds* kinds) {
  using enum Verdict;
  if (before == after) return;
  const bool partly = before == kPartial || after == kPartial;
  const bool deviates = IsDeviation(before) || IsDeviation(after);
  if (as_many_declined && partly && deviates) {
    kinds->insert(after < before ? ChangeKind::kRegressed : ChangeKind::kFixed);
  } else if (!IsOfBackend(before) || !IsOfBackend(after)) {
    kinds->insert(!IsOfBackend(before) ? ChangeKind::kNewlyAsked
                                       : ChangeKind::kNoLongerAsked);
  } else if (!IsKnown(before) || !IsKnown(after)) {
    kinds->insert(ChangeKind::kOtherAnswers);
  } else if (before == kRefusedLegal || after == kRefusedLegal) {
    // A backend that refuses what it answered wrongly supports less; one that refuses a
    // legal model in place of saying that it does not support it is worse.
    if (deviates) {
      kinds->insert(IsDeviation(after) ? ChangeKind::kNewlySupportedWrong
                                       : ChangeKind::kNoLongerSupported);
    } else {
      kinds->insert(after == kRefusedLegal ? ChangeKind::kRegressed : ChangeKind::kFixed);
    }
  } else if (after == kUnsupported || (after == kPartial && before != kUnsupported)) {
    kinds->insert(ChangeKind::kNoLongerSupported);
  } else if (before == kUnsupported || before == kPartial) {
    kinds->insert(IsDeviation(after) ? ChangeKind::kNewlySupportedWrong
                                     : ChangeKind::kNewlySupportedRight);
  } else if (RankOf(before) != RankOf(after)) {
    kinds->insert(RankOf(after) < RankOf(before) ? ChangeKind::kRegressed
                                                 : ChangeKind::kFixed);
  } else {
    kinds->insert(ChangeKind::kOtherAnswers);
  }
}

using Parts = std::map<std::string, Verdict>;

Parts TierVerdicts(const CellRecord& cell) {
  Parts verdicts;
  for (const FormRecord& form : cell.forms) {
    for (const TierRecord& tier : form.tiers) {
      verdicts["tier " + tier.tier + " of " + form.form] = tier.verdict;
    }
  }
  return verdicts;
}

// The operand forms that are declined throughout: they show one tier, whatever they have.
std::set<std::string> DeclinedForms(const CellRecord& cell) {
  std::set<std::string> forms;
  for (const FormRecord& form : cell.forms) {
    const bool declined = std::all_of(
        form.tiers.begin(), form.tiers.end(),
        [](const TierRecord& tier) { return tier.verdict == Verdict::kUnsupported; });
    if (declined) forms.insert(form.form);
  }
  return forms;
}

// The verdict of a cell is its worst one, and hides what happens in its parts.
void AddPartSteps(const CellRecord& before, const CellRecord& after,
                  bool as_many_declined, Kinds* kinds) {
  const std::set<std::string> declined_before = DeclinedForms(before);
  const std::set<std::string> declined_after = DeclinedForms(after);
  std::map<std::pair<std::string, std::string>,
           std::pair<std::optional<Verdict>, std::optional<Verdict>>>
      parts;
  for (const FormRecord& form : before.forms) {
    for (const TierRecord& tier : form.tiers) {
      parts[{form.form, tier.tier}].first = tier.verdict;
    }
  }
  for (const FormRecord& form : after.forms) {
    for (const TierRecord& tier : form.tiers) {
      parts[{form.form, tier.tier}].second = tier.verdict;
    }
  }
  for (auto& [part, verdicts] : parts) {
    auto& [old_verdict, new_verdict] = verdicts;
    if (declined_before.contains(part.first)) old_verdict = Verdict::kUnsupported;
    if (declined_after.contains(part.first)) new_verdict = Verdict::kUnsupported;
    if (!old_verdict || !new_verdict) continue;
    AddStep(*old_verdict, *new_verdict, as_many_declined, kinds);
  }
  std::map<int, Verdict> opsets;
  for (const OpsetRecord& opset : before.opset_versions) {
    opsets[opset.opset_version] = opset.verdict;
  }
  for (const OpsetRecord& opset : after.opset_versions) {
    const auto old = opsets.find(opset.opset_version);
    if (old == opsets.end()) continue;
    AddStep(old->second, opset.verdict, as_many_declined, kinds);
  }
}

// Counts of the same questions: more or fewer cases declined, more or fewer elements
// wrong.
void AddCountSteps(const CellRecord& before, const CellRecord& after, Kinds* kinds) {
  if (before.cases != after.cases) return;
  if (before.refused_legal != after.refused_legal) {
    // Where the verdict changed too, the steps of verdicts say how.
    if (kinds->empty()) {
      kinds->insert(after.refused_legal > before.refused_legal ? ChangeKind::kRegressed
                                                               : ChangeKind::kFixed);
    }
    return;
  }
  if (before.declined != after.declined) {
    const bool more_wrong = after.mismatches() > before.mismatches();
    const bool less = after.declined > before.declined;
    if (less) {
      kinds->insert(ChangeKind::kNoLongerSupported);
    } else if (kinds->count(ChangeKind::kNewlySupportedWrong) == 0) {
      kinds->insert(more_wrong ? ChangeKind::kNewlySupportedWrong
                               : ChangeKind::kNewlySupportedRight);
    }
    return;
  }
  std::map<std::string, TierCounts> old_tiers;
  for (const TierCounts& tier : before.tiers) old_tiers[tier.tier] = tier;
  for (const TierCounts& tier : after.tiers) {
    const auto old = old_tiers.find(tier.tier);
    if (old == old_tiers.end() || old->second.elements != tier.elements) continue;
    const int64_t was = old->second.mismatches;
    if (tier.mismatches > was) kinds->insert(ChangeKind::kRegressed);
    if (tier.mismatches < was) kinds->insert(ChangeKind::kFixed);
  }
}

// Opset_versions whose verdicts changed in the same way share a sentence.
void CheckOpsetVersions(const CellRecord& before, const CellRecord& after,
                        bool same_questions, Differences* differences) {
  std::map<int, std::pair<std::string, std::string>> verdicts;
  for (const OpsetRecord& opset : before.opset_versions) {
    verdicts[opset.opset_version].first = VerdictName(opset.verdict);
  }
  for (const OpsetRecord& opset : after.opset_versions) {
    verdicts[opset.opset_version].second = VerdictName(opset.verdict);
  }
  std::map<std::pair<std::string, std::string>, std::string> versions;
  for (const auto& [version, change] : verdicts) {
    const bool in_one = change.first.empty() || change.second.empty();
    if (in_one && !same_questions) continue;
    std::string& list = versions[change];
    list += (list.empty() ? "" : ", ") + std::to_string(version);
  }
  for (const auto& [change, list] : versions) {
    differences->Check("verdict at opset_version " + list, change.first, change.second);
  }
}

std::string AnswerOf(const CellRecord& cell) {
  if (cell.counterexamples.empty()) return "";
  const Counterexample& first = cell.counterexamples.front();
  return first.case_id + " " + CounterexampleSentence(first);
}

// Behaviour where a clause leaves it free, class by class.
void CheckObserved(const CellRecord& before, const CellRecord& after,
                   Differences* differences) {
  std::map<std::string, std::pair<std::string, std::string>> seen;
  const auto name = [](const Observation& one) {
    return one.clause + " " + one.input_class;
  };
  for (const Observation& one : before.observed) seen[name(one)].first = one.Text();
  for (const Observation& one : after.observed) seen[name(one)].second = one.Text();
  for (const auto& [what, texts] : seen) {
    differences->Check("observed " + what, texts.first, texts.second);
  }
}

// Wrong elements that moved from tier to tier.
void CheckTierCounts(const CellRecord& before, const CellRecord& after,
                     Differences* differences) {
  std::map<std::string, std::pair<int64_t, int64_t>> counts;
  for (const TierCounts& tier : before.tiers) counts[tier.tier].first = tier.mismatches;
  for (const TierCounts& tier : after.tiers) counts[tier.tier].second = tier.mismatches;
  for (const auto& [tier, wrong] : counts) {
    differences->Check("wrong elements of tier " + tier, wrong.first, wrong.second);
  }
}

// The sentences on what differs, those that say most first.
struct CellDifferences {
  std::vector<std::string> conclusions;  // diagnosis, reading, counts, ...
  std::vector<std::string> verdicts;     // of opset_versions and tiers
  std::vector<std::string> evidence;

  bool any() const {
    return !conclusions.empty() || !verdicts.empty() || !evidence.empty();
  }
  std::vector<std::string> InOrder(bool verdicts_first) const {
    std::vector<std::string> sentences = conclusions;
    sentences.insert(verdicts_first ? sentences.begin() : sentences.end(),
                     verdicts.begin(), verdicts.end());
    sentences.insert(sentences.end(), evidence.begin(), evidence.end());
    return sentences;
  }
};

// Where the questions were not the same, counts and examples differ without
// meaning anything.
CellDifferences WhatDiffers(const CellRecord& before, const CellRecord& after,
                            bool same_questions) {
  CellDifferences sorted;
  Differences differences;
  differences.Check("diagnosis", SortedNames(before.diagnosis),
                    SortedNames(after.diagnosis));
  differences.Check("reading", before.reading, after.reading);
  differences.Check("reason", before.reason, after.reason);
  const auto judged_at = [](const CellRecord& cell) {
    const int opset_version = cell.judged_at_opset_version;
    return opset_version == 0 ? "the newest" : std::to_string(opset_version);
  };
  differences.Check("opset_version of the whole list", judged_at(before),
                    judged_at(after));
  // Early reports do not have it.
  if (!before.dynamic_shapes.empty() && !after.dynamic_shapes.empty()) {
    differences.Check("dynamic_shapes", before.dynamic_shapes, after.dynamic_shapes);
  }
  if (same_questions) {
    differences.Check("wrong elements", before.mismatches(), after.mismatches());
    if (before.mismatches() == after.mismatches()) {
      CheckTierCounts(before, after, &differences);
    }
    differences.Check("declined cases", before.declined, after.declined);
    differences.Check("cases refused as invalid", before.refused_legal,
                      after.refused_legal);
  }
  sorted.conclusions = std::exchange(differences, {}).Take();
  CheckOpsetVersions(before, after, same_questions, &differences);
  const Parts old_verdicts = TierVerdicts(before);
  const Parts new_verdicts = TierVerdicts(after);
  for (const auto& [what, verdict] : old_verdicts) {
    const auto found = new_verdicts.find(what);
    const bool in_both = found != new_verdicts.end();
    if (!in_both && !same_questions) continue;
    differences.Check(what, std::string(VerdictName(verdict)),
                      in_both ? std::string(VerdictName(found->second)) : "");
  }
  for (const auto& [what, verdict] : new_verdicts) {
    if (!old_verdicts.contains(what) && same_questions)
      differences.Check(what, "", std::string(VerdictName(verdict)));
  }
  sorted.verdicts = std::exchange(differences, {}).Take();
  if (same_questions) {
    differences.Check("cases", before.cases, after.cases);
    differences.Check("elements", before.elements(), after.elements());
    differences.Check("first counterexample", AnswerOf(before), AnswerOf(after));
    if (before.deviation && after.deviation) {
      differences.Check("pattern", Joined(before.deviation->pattern, ", "),
                        Joined(after.deviation->pattern, ", "));
      differences.Check("reading followed", before.deviation->follows,
                        after.deviation->follows);
      differences.Check("elements explained", before.deviation->elements_explained,
                        after.deviation->elements_explained);
    }
    CheckObserved(before, after, &differences);
  }
  sorted.evidence = differences.Take();
  return sorted;
}

bool SameAnswers(CellRecord before, CellRecord after) {
  if (before.dynamic_shapes.empty() || after.dynamic_shapes.empty()) {
    before.dynamic_shapes = after.dynamic_shapes = "";  // early reports do not have it
  }
  return AnswersToJson(before) == AnswersToJson(after);
}

// As a report of version 1.x would have it.
CellRecord WithoutFailed(CellRecord row) {
  const auto replace = [](Verdict* verdict) {
    if (*verdict == Verdict::kFailed) *verdict = Verdict::kInvalidOutput;
  };
  replace(&row.verdict);
  for (OpsetRecord& opset : row.opset_versions) replace(&opset.verdict);
  for (FormRecord& form : row.forms) {
    for (TierRecord& tier : form.tiers) replace(&tier.verdict);
  }
  return row;
}

// `row` as a report before 2.1 would have it, if `old_row` was declined where the row now
// refuses legal models.
CellRecord WithoutRefusedLegal(CellRecord row, const CellRecord& old_row) {
  const auto replace = [](Verdict& verdict, Verdict old_verdict) {
    const bool was_declined =
        old_verdict == Verdict::kUnsupported || old_verdict == Verdict::kPartial;
    if (verdict == Verdict::kRefusedLegal && was_declined) verdict = old_verdict;
  };
  if (row.refused_legal == 0 && row.verdict != Verdict::kRefusedLegal) return row;
  if (row.verdict == Verdict::kRefusedLegal) row.counterexamples.clear();
  replace(row.verdict, old_row.verdict);
  for (OpsetRecord& opset : row.opset_versions) {
    for (const OpsetRecord& old : old_row.opset_versions) {
      if (old.opset_version == opset.opset_version) replace(opset.verdict, old.verdict);
    }
  }
  for (FormRecord& form : row.forms) {
    for (TierRecord& tier : form.tiers) {
      for (const FormRecord& old : old_row.forms) {
        if (old.form != form.form) continue;
        for (const TierRecord& old_tier : old.tiers) {
          if (old_tier.tier == tier.tier) replace(tier.verdict, old_tier.verdict);
        }
      }
    }
  }
  row.declined += row.refused_legal;
  row.refused_legal = 0;
  return row;
}

// Whether only one of the rows was explained, and counts from a reading that it follows:
// then tiers and mismatches differ although the answers may be the same.
bool AreCountedOtherwise(const CellRecord& before, const CellRecord& after) {
  if (before.not_explained.empty() == after.not_explained.empty()) return false;
  const CellRecord& explained = before.not_explained.empty() ? before : after;
  return explained.deviation && !explained.deviation->follows.empty();
}

// What became of a cell that both reports asked.
Kinds KindsOf(const CellRecord& before, const CellRecord& after,
              const Circumstances& circumstances, bool any_difference) {
  Kinds kinds;
  const bool as_many_declined =
      circumstances.same_questions && before.cases == after.cases &&
      before.declined == after.declined && before.refused_legal == after.refused_legal;
  AddStep(before.verdict, after.verdict, as_many_declined, &kinds);
  if (!AreCountedOtherwise(before, after)) {
    AddPartSteps(before, after, as_many_declined, &kinds);
    if (circumstances.same_questions) AddCountSteps(before, after, &kinds);
  }
  if (kinds.size() > 1) kinds.erase(ChangeKind::kOtherAnswers);
  // A cell that deviates is not called right because some of its parts are.
  if (kinds.contains(ChangeKind::kNewlySupportedWrong)) {
    kinds.erase(ChangeKind::kNewlySupportedRight);
  }
  if (kinds.empty() && any_difference) {
    const bool same = circumstances.same_questions ? SameAnswers(before, after)
                                                   : before.reading == after.reading;
    kinds.insert(same ? ChangeKind::kOtherWords : ChangeKind::kOtherAnswers);
  }
  if (kinds.empty() || kinds == Kinds{ChangeKind::kOtherWords} ||
      circumstances.same_questions || !circumstances.same_backend) {
    return kinds;
  }
  // The same backend, asked by another suite: it did not get better or worse.
  if (after.cases > before.cases) return {ChangeKind::kNewlyAsked};
  if (after.cases < before.cases) return {ChangeKind::kNoLongerAsked};
  return {ChangeKind::kJudgedOtherwise};
}

std::vector<std::string> TextsOf(const CellRecord* row) {
  std::vector<std::string> texts;
  if (row == nullptr) return texts;
  for (const FindingId& id : FindingsIn(*row)) texts.push_back(id.Text());
  return texts;
}

}  // namespace

std::optional<ChangeKind> KindOfStep(Verdict before, Verdict after) {
  Kinds kinds;
  AddStep(before, after, /*as_many_declined=*/false, &kinds);
  return kinds.empty() ? std::nullopt : std::optional(*kinds.begin());
}

void Differences::Check(const std::string& what, const std::string& before,
                        const std::string& after) {
  const auto shown = [](const std::string& text) {
    return text.empty() ? "not given" : text;
  };
  if (before == after) return;
  sentences_.push_back(what + " was " + shown(before) + ", is " + shown(after));
}

void Differences::Check(const std::string& what, int64_t before, int64_t after) {
  Check(what, GroupedDigits(before), GroupedDigits(after));
}

void Differences::CheckMembers(const std::string& what, const Json& before,
                               const Json& after) {
  const auto text = [](const Json& object, const std::string& key) {
    if (!object.contains(key)) return std::string();
    return object[key].is_string() ? object[key].get<std::string>() : Dump(object[key]);
  };
  for (const auto& [key, value] : before.items()) {
    Check(what + "." + key, text(before, key), text(after, key));
  }
  for (const auto& [key, value] : after.items()) {
    if (!before.contains(key)) Check(what + "." + key, "", text(after, key));
  }
}

std::optional<CellChange> JudgeChange(const CellRecord* before, const CellRecord* after,
                                      const Circumstances& circumstances) {
  CellChange change;
  change.cell = (before != nullptr ? before : after)->cell;
  if (before != nullptr) change.before = before->verdict;
  if (after != nullptr) change.after = after->verdict;
  change.findings_before = TextsOf(before);
  change.findings_after = TextsOf(after);
  change.wrong_before = before != nullptr ? before->mismatches() : 0;
  change.wrong_after = after != nullptr ? after->mismatches() : 0;
  if (after != nullptr && !after->counterexamples.empty()) {
    change.evidence = after->counterexamples.front();
  }
  if (before == nullptr || after == nullptr) {
    change.kinds = {before == nullptr ? ChangeKind::kNewlyAsked
                                      : ChangeKind::kNoLongerAsked};
    return change;
  }
  const bool one_is_old = circumstances.failed_is_invalid_output;
  CellRecord old_row = one_is_old ? WithoutFailed(*before) : *before;
  CellRecord new_row = one_is_old ? WithoutFailed(*after) : *after;
  if (circumstances.refused_legal_is_declined) {
    old_row = WithoutRefusedLegal(std::move(old_row), *after);
    new_row = WithoutRefusedLegal(std::move(new_row), *before);
  }
  const CellDifferences differences =
      WhatDiffers(old_row, new_row, circumstances.same_questions);
  change.what = differences.InOrder(/*verdicts_first=*/false);
  if (IsAsked(before) != IsAsked(after)) {
    change.kinds = {IsAsked(after) ? ChangeKind::kNewlyAsked
                                   : ChangeKind::kNoLongerAsked};
    return change;
  }
  const bool differs = differences.any() || old_row.verdict != new_row.verdict;
  if (!differs) return std::nullopt;
  const Kinds kinds = KindsOf(old_row, new_row, circumstances, differs);
  change.kinds.assign(kinds.begin(), kinds.end());
  // What makes it worse comes first, where the verdict of the cell does not.
  change.what = differences.InOrder(DefaultFailOn().contains(change.kinds.front()));
  return change;
}

}  // namespace qconform
