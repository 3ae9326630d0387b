#include "harness/certificate/asked_again.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "harness/compare/compare.h"
#include "harness/runner/ask/further_cases.h"
#include "harness/runner/judge/cell_judge.h"

namespace qconform {
namespace {

// Whether two answers differ where the specification does not allow that.
// Precondition: both have the form of `expected`.
bool Differ(const CaseAnswer& expected, const Outputs& first, const Outputs& second) {
  const std::vector<uint32_t> a = CodesOf(first);
  const std::vector<uint32_t> b = CodesOf(second);
  for (size_t i = 0; i < expected.elements.size(); ++i) {
    if (a[i] == b[i]) continue;
    if (!Allows(expected, i, a) || !Allows(expected, i, b)) return true;
  }
  return false;
}

}  // namespace

bool CountsEveryElement(const CellRecord& row) {
  return row.declined == 0 && row.refused_legal == 0 &&
         std::none_of(row.counterexamples.begin(), row.counterexamples.end(),
                      [](const Counterexample& example) { return !example.index; });
}

bool TellsReadingsByItsCases(const CellRecord& row) {
  return row.verdict == Verdict::kConformant && row.free == 0 && CountsEveryElement(row);
}

Result<Findings> RecountCell(const CellRecord& row, const SelectedCell& cell, Level level,
                             uint64_t seed, bool readings_told) {
  CellJudge judge(cell.cell, {});
  if (!readings_told) judge.LeaveNotToldApart();
  CaseMaker cases(seed);
  std::shared_ptr<const CaseAnswer> expected;
  Outputs packed;
  for (const CaseKey& key :
       CasesOf(cell.cell, cell.versions, level, row.judged_at_opset_version)) {
    auto made = cases.Make(key);
    if (!made) return made.error();
    // Cases of equal content share one answer.
    if (cases.content_is_new()) {
      auto answer = AnswerCase(*made);
      if (!answer) return answer.error();
      expected = *std::move(answer);
      packed = PackAnswer(*expected);
    }
    judge.Add(std::make_shared<const OpCase>(*std::move(made)), expected, packed);
  }
  const auto finished = judge.Finish();
  if (!finished) return finished.error();
  const CellRecord& counted = *finished;
  Findings findings;
  const auto expect = [&](bool right, const std::string& what) {
    if (!right) findings.push_back({"recount", row.cell + ": " + what});
  };
  const auto elements = [](const CellRecord& record) {
    std::vector<std::pair<std::string, int64_t>> list;
    for (const TierCounts& tier : record.tiers)
      list.emplace_back(tier.tier, tier.elements);
    return list;
  };
  expect(elements(row) == elements(counted),
         "elements: expected " + std::to_string(counted.elements()) +
             " in their tiers, got " + std::to_string(row.elements()) +
             " or other tiers");
  expect(row.free == counted.free, "free elements: expected " +
                                       std::to_string(counted.free) + ", got " +
                                       std::to_string(row.free));
  expect(row.coverage == counted.coverage, "has another coverage than its cases");
  expect(!readings_told || row.not_told_apart == counted.not_told_apart,
         "not_told_apart lists other readings than its cases leave open");
  return findings;
}

Result<Findings> AskedAgain::Same(const CaseKey& key, const Sample& stored) {
  const auto op_case = MakeCase(key, seed_);
  if (!op_case) return op_case.error();
  const auto answer = AnswerCase(*op_case);
  if (!answer) return answer.error();
  const CaseAnswer& expected = **answer;
  const auto taken = TakeSample(*backend_.At(stored.setting), *op_case, expected);
  if (!taken) return taken.error();
  const Sample& now = *taken;
  ++asked_;
  if (now.kind != stored.kind) {
    return Findings{
        {"backend", stored.case_id + " was " +
                        (stored.kind == Sample::Kind::kAnswered   ? "answered"
                         : stored.kind == Sample::Kind::kDeclined ? "declined"
                         : stored.kind == Sample::Kind::kRefused  ? "refused"
                                                                  : "failed at") +
                        "; now the backend behaves differently: " + now.words}};
  }
  if (now.kind != Sample::Kind::kAnswered) return Findings();
  // TakeSample checked the form of the new answer; the stored one may have any form.
  const std::string wrong = WrongForm(expected, stored.outputs);
  if (!wrong.empty()) {
    return Findings{
        {"backend", stored.case_id + ": the stored answer has a wrong form: " + wrong}};
  }
  if (Differ(expected, now.outputs, stored.outputs)) {
    return Findings{{"backend", stored.case_id +
                                    ": the backend's answer differs from that in the "
                                    "package"}};
  }
  return Findings();
}

}  // namespace qconform
