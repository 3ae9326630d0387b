// The verdicts of a cell at each opset_version. One opset_version is asked the whole list
// of cases, the others one content of it. A reported difference between them is a real
// one.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "harness/runner/ask/case_failure.h"
#include "harness/runner/judge/cell_judge.h"

namespace qconform {
bool CellJudge::DeclinesAll(int opset_version) const {
  const auto found = opsets_.find(opset_version);
  if (found == opsets_.end()) return false;
  const Opset& opset = found->second;
  return opset.cases > 0 && opset.declined + opset.refused == opset.cases;
}

bool CellJudge::Answers(int opset_version) const {
  return std::any_of(asked_.begin(), asked_.end(), [&](const AskedCase& asked) {
    return asked.op_case->key.opset_version == opset_version;
  });
}

Verdict CellJudge::CaseVerdict(const AskedCase& asked, const Explanations& explanations) {
  Verdict verdict = Verdict::kConformant;
  for (size_t i = 0; i < kTierCount; ++i) {
    verdict = Worst(
        verdict, TierVerdictOf(asked.comparison.tiers[i], asked.left.tiers[i].mismatches,
                               explanations[i].has_value()));
  }
  return verdict;
}

Verdict CellJudge::OpsetVerdict(int opset_version,
                                const Explanations& explanations) const {
  const Opset& opset = opsets_.at(opset_version);
  const bool partial = opset.declined > 0;
  Verdict verdict = DeclinesAll(opset_version) ? Verdict::kUnsupported
                    : partial                  ? Verdict::kPartial
                    : opset.refused > 0        ? Verdict::kAdmissible
                                               : Verdict::kConformant;
  verdict = Worst(verdict, opset.worst);
  for (const AskedCase& asked : asked_) {
    if (asked.op_case->key.opset_version != opset_version) continue;
    verdict = Worst(verdict, CaseVerdict(asked, explanations));
  }
  return verdict;
}

int CellJudge::WholeListAt() const {
  const int judged_at = record_.judged_at_opset_version;
  return judged_at != 0 || opsets_.empty() ? judged_at : opsets_.rbegin()->first;
}

std::optional<CaseKey> CellJudge::CaseAnswered() const {
  for (const AskedCase& asked : asked_) {
    if (asked.op_case->key.opset_version == WholeListAt()) return asked.op_case->key;
  }
  return std::nullopt;
}

std::optional<CaseKey> CellJudge::CaseOfVerdict(Verdict verdict,
                                                const Explanations& explanations) const {
  const Opset& opset = opsets_.at(WholeListAt());
  if (verdict == opset.worst) {
    return opset.shows_at_once ? opset.worst_case : std::nullopt;
  }
  if (verdict == Verdict::kPartial) {
    return opset.first_declined ? opset.first_declined : opset.first_refused;
  }
  for (const AskedCase& asked : asked_) {
    const CaseKey& key = asked.op_case->key;
    if (key.opset_version == WholeListAt() &&
        CaseVerdict(asked, explanations) == verdict) {
      return key;
    }
  }
  return verdict == Verdict::kAdmissible ? opset.first_refused : std::nullopt;
}

void CellJudge::AddAtOtherOpset(const CaseKey& of_list, int opset_version,
                                AnswerToKey answer, const Explanations& explanations) {
  Opset& opset = opsets_.at(opset_version);
  ++opset.cases;
  const auto* refused = std::get_if<Refused>(&answer.result);
  if (refused != nullptr || std::holds_alternative<Unsupported>(answer.result)) {
    const bool by_reading = of_list == opsets_.at(WholeListAt()).first_refused;
    if (refused != nullptr && !answer.refusal_is_open) {
      CaseKey key = of_list;
      key.opset_version = opset_version;
      AddRefusedLegal(key, RefusedWords(*refused), /*counted=*/false);
      return;
    }
    ++(by_reading ? opset.refused : opset.declined);
    return;
  }
  const CaseAnswer& expected = *answer.expected;
  const RunResult result = Settled(expected, std::move(answer.result));
  if (auto failure = FormFailure(result, expected)) {
    const bool deviates =
        std::any_of(opsets_.begin(), opsets_.end(), [&](const auto& entry) {
          return IsDeviation(OpsetVerdict(entry.first, explanations));
        });
    opset.worst = Worst(opset.worst, failure->verdict);
    if (deviates) return;  // the cell shows evidence of the whole list
    CaseKey key = of_list;
    key.opset_version = opset_version;
    AddFailure(key, WhenAskedAgain(*std::move(failure), kChangedOpsetVersion,
                                   " at opset_version " + std::to_string(opset_version)));
    return;
  }
  const std::vector<uint32_t> now = CodesOf(std::get<Outputs>(result));
  if (Compare(expected, now, 1).mismatches() == 0) return;
  const auto same =
      std::find_if(asked_.begin(), asked_.end(),
                   [&](const AskedCase& asked) { return asked.op_case->key == of_list; });
  if (same != asked_.end() && FirstUnsteady(expected, now, same->codes) < 0) {
    opset.worst = Worst(opset.worst, CaseVerdict(*same, explanations));
  } else {
    // One case is not enough to find a reading, or to know that there is none.
    opset.is_known = false;
  }
}

void CellJudge::AskOtherOpsets(const Explanations& explanations, const AskKey& ask) {
  const int at = WholeListAt();
  if (!opsets_.contains(at)) return;
  for (auto& [opset_version, opset] : opsets_) {
    // First a case that shows whether any case is taken, then the case that decides the
    // verdict of the whole list.
    for (const bool answered : {true, false}) {
      const Verdict whole = OpsetVerdict(at, explanations);
      const Verdict own = OpsetVerdict(opset_version, explanations);
      const bool declines = own == Verdict::kUnsupported;
      // No further case is needed if the cases of the opset_version show enough.
      if (opset_version == at || whole == Verdict::kUnsupported) break;
      if (declines ? !answered || opset_version > at : answered || own <= whole) continue;
      const auto of_list = answered ? CaseAnswered() : CaseOfVerdict(whole, explanations);
      std::optional<AnswerToKey> answer;
      if (of_list && ask) {
        CaseKey key = *of_list;
        key.opset_version = opset_version;
        answer = errors_.Keep(ask(key));
      }
      if (answer) {
        AddAtOtherOpset(*of_list, opset_version, *std::move(answer), explanations);
      } else {
        opset.is_known = opset.is_known && declines;
      }
    }
  }
}

std::vector<OpsetRecord> CellJudge::JudgeOpsets(const Explanations& explanations) const {
  std::vector<OpsetRecord> records;
  for (const auto& [opset_version, opset] : opsets_) {
    if (!opset.is_known) continue;
    records.push_back({opset_version, OpsetVerdict(opset_version, explanations)});
  }
  return records;
}

}  // namespace qconform
