#include "harness/certificate/row_check.h"

#include <algorithm>
#include <map>
#include <set>

#include "harness/compare/compare.h"
#include "harness/compare/inference.h"
#include "harness/core/oracle_model.h"
#include "harness/core/value_text.h"
#include "harness/runner/ask/dynamic_shapes.h"
#include "harness/runner/ask/prepared_state.h"
#include "harness/runner/judge/cell_evidence.h"
#include "harness/runner/judge/cell_judge.h"
#include "oracle/base/first_error.h"
#include "oracle/base/text.h"
#include "oracle/formats/codes.h"
#include "reports/report/row_rules.h"

namespace qconform {
namespace {

class RowReport {
 public:
  explicit RowReport(const CellRecord& row) : row_(row) {}

  void Add(std::string_view kind, const std::string& what) {
    findings_.push_back({std::string(kind), row_.cell + ": " + what});
  }
  // Adds the finding unless `right`.
  void Expect(bool right, std::string_view kind, const std::string& what) {
    if (!right) Add(kind, what);
  }
  Findings Take() { return std::move(findings_); }

 private:
  const CellRecord& row_;
  Findings findings_;
};

std::string Named(Verdict verdict) { return std::string(VerdictName(verdict)); }

std::optional<Verdict> VerdictOf(const CellRecord& row, std::string_view form,
                                 std::string_view tier) {
  for (const FormRecord& record : row.forms) {
    if (record.form != form) continue;
    for (const TierRecord& found : record.tiers) {
      if (found.tier == tier) return found.verdict;
    }
  }
  return std::nullopt;
}

bool IsMixedBy(const CellRecord& row, std::string_view tier, std::string_view by) {
  return std::any_of(row.mixed.begin(), row.mixed.end(), [&](const MixedTier& mixed) {
    return mixed.tier == tier && mixed.by == by;
  });
}

// A cell whose cases crash or hang is abandoned after a few of them, and after many such
// cells the others are not asked at all. Then the row's forms, tiers and declined cases
// do not cover the cases that were not asked.
bool MayBeLeft(const CellRecord& row) {
  return row.verdict == Verdict::kCrashed || row.verdict == Verdict::kTimedOut ||
         !IsOfBackend(row.verdict);
}

// The whole list is asked at the newest opset_version that the backend takes.
void CheckJudgedAt(const CellRecord& row, const SelectedCell& cell, RowReport& report) {
  const std::vector<int>& versions = cell.versions.opset_versions;
  const int at = row.judged_at_opset_version;
  const bool older = std::find(versions.begin(), versions.end(), at) != versions.end() &&
                     at != versions.back();
  report.Expect(at == 0 || older, "row",
                "is judged at opset " + std::to_string(at) +
                    ", which is not an older opset_version of its since_version");
  if (MayBeLeft(row)) return;
  const int judged_at = at == 0 ? versions.back() : at;
  bool newer_taken = false;
  bool older_taken = false;
  bool taken = false;
  for (const OpsetRecord& opset : row.opset_versions) {
    const bool declined = opset.verdict == Verdict::kUnsupported;
    const bool answered = IsPass(opset.verdict) || opset.verdict == Verdict::kPartial;
    const bool refused = opset.verdict == Verdict::kRefusedLegal;
    newer_taken =
        newer_taken || (opset.opset_version > judged_at && !declined && !refused);
    older_taken = older_taken || (opset.opset_version < judged_at && answered);
    taken = taken || (opset.opset_version == judged_at && !declined);
  }
  report.Expect(!newer_taken && (taken || !older_taken), "row",
                "was not asked the whole list at the newest opset_version that it takes");
}

void CheckQuestions(const CellRecord& row, const SelectedCell& cell, Level level,
                    RowReport& report) {
  std::set<int> opsets;
  for (const OpsetRecord& opset : row.opset_versions) opsets.insert(opset.opset_version);
  std::set<int> wanted_opsets;
  std::set<std::string> wanted_forms;
  const std::vector<CaseKey> keys =
      CasesOf(cell.cell, cell.versions, level, row.judged_at_opset_version);
  for (const CaseKey& key : keys) {
    wanted_opsets.insert(key.opset_version);
    wanted_forms.emplace(OperandFormName(key.form));
  }
  const bool left = MayBeLeft(row);
  const bool all_known =
      !left && !IsDeviation(row.verdict) && row.verdict != Verdict::kAdmissible;
  report.Expect(all_known ? opsets == wanted_opsets
                          : std::includes(wanted_opsets.begin(), wanted_opsets.end(),
                                          opsets.begin(), opsets.end()),
                "row", "has other opset_versions than the cases of this level");
  CheckJudgedAt(row, cell, report);
  std::set<std::string> forms;
  for (const FormRecord& form : row.forms) forms.insert(form.form);
  report.Expect(left ? std::includes(wanted_forms.begin(), wanted_forms.end(),
                                     forms.begin(), forms.end())
                     : forms == wanted_forms,
                "row", "has other operand forms than the cases");
  const int64_t cases = static_cast<int64_t>(keys.size());
  report.Expect(left ? row.cases <= cases : row.cases == cases, "row",
                "has " + std::to_string(row.cases) + " cases; " +
                    std::to_string(keys.size()) + " are asked at this level");
}

uint64_t CodeIn(const Sample& sample, ElementPlace place) {
  return ReadCode(sample.outputs[place.output].view(), place.index);
}

// The expected answer to the second question.
Result<std::shared_ptr<const CaseAnswer>> ExpectedSecond(const SecondAnswer& second,
                                                         const JudgedSample& answer) {
  const OpCase& op_case = *answer.op_case;
  std::optional<FedModel> changed;
  if (second.changed == kChangedInputs) {
    auto others = OtherInputs(op_case.model, op_case.inputs);
    if (!others) return others.error();
    changed = FedModel{op_case.model, *std::move(others)};
  } else if (second.changed == kChangedSize) {
    auto half = HalfWithSameConstants(op_case);
    if (!half) return half.error();
    changed = *std::move(half);
  }
  if (!changed) return answer.expected;
  const auto oracle = OracleModel::Create(changed->model);
  if (!oracle) return oracle.error();
  auto expected = oracle->Evaluate(ViewsOf(changed->inputs));
  if (!expected) return expected.error();
  return std::make_shared<const CaseAnswer>(*std::move(expected));
}

// The code that a text such as "0x83" shows of an element of the type, or nothing.
std::optional<uint64_t> CodeShownBy(const ValueRecord& value, DataType type) {
  const auto code = ParseHex(value.bits);
  const bool fits = code && (BitWidth(type) == 64 || *code >> BitWidth(type) == 0);
  return fits && ShownValue(type, *code) == value ? code : std::nullopt;
}

// A case that was asked twice must have been answered the first time. It must show two
// codes of an element that are not both allowed, or belong to a cell in which cases
// failed.
void CheckSecondAnswer(const CellRecord& row, const Counterexample& example,
                       const JudgedSample& answer, RowReport& report,
                       FirstError& errors) {
  const SecondAnswer& second = *example.second_answer;
  const std::string name = "counterexample " + example.case_id;
  if (answer.sample->kind != Sample::Kind::kAnswered) {
    // At another opset_version the sample is the second answer, and fails as that answer
    // did.
    report.Expect(answer.sample->kind == Sample::Kind::kFailed && !second.index &&
                      (second.changed == kChangedOpsetVersion ||
                       second.changed == kChangedRepetition),
                  "counterexample",
                  name + " claims a second answer, but its sample has no first one");
    return;
  }
  if (!second.index) {
    report.Expect(IsDeviation(row.verdict) && (row.verdict != Verdict::kNonconformant ||
                                               second.changed == kChangedRepetition),
                  "counterexample",
                  name + " claims other bits the second time, but shows none");
    return;
  }
  const auto expected = errors.Keep(ExpectedSecond(second, answer));
  if (!expected) return;
  const auto at = (*expected)->ElementAt(second.output, *second.index);
  if (!at) {
    report.Add("counterexample",
               name + " names an element that the second answer does not have");
    return;
  }
  const DataType type = (*expected)->TypeOf(*at);
  const auto first_code = CodeShownBy(second.first, type);
  const auto second_code = CodeShownBy(second.second, type);
  const bool of_case = *expected == answer.expected;
  report.Expect(
      first_code && second_code &&
          (!of_case || *first_code == CodeIn(*answer.sample, (*expected)->PlaceOf(*at))),
      "counterexample", name + " shows another first answer than its sample");
  if (!first_code || !second_code) return;
  const ElementAnswer& element = (*expected)->elements[*at];
  report.Expect(
      *first_code != *second_code && !MayVary(type, element, *first_code, *second_code),
      "counterexample", name + " shows two answers that may both be given");
}

// The evidence must agree with the oracle and with the backend's answer.
void CheckCounterexample(const CellRecord& row, const Counterexample& example,
                         const JudgedSample& answer, RowReport& report,
                         FirstError& errors) {
  const std::string name = "counterexample " + example.case_id;
  if (!example.index && example.second_answer) {
    return CheckSecondAnswer(row, example, answer, report, errors);
  }
  if (!example.index) {
    if (row.verdict == Verdict::kRefusedLegal) {
      report.Expect(answer.sample->kind == Sample::Kind::kRefused, "counterexample",
                    name + " says that the case was refused, but its sample does not");
      return;
    }
    report.Expect(answer.sample->kind == Sample::Kind::kFailed, "counterexample",
                  name + " says that the case failed, but its sample does not");
    return;
  }
  const CaseAnswer& expected = *answer.expected;
  const auto at = expected.ElementAt(example.output, *example.index);
  if (!at || answer.sample->kind != Sample::Kind::kAnswered) {
    report.Add("counterexample",
               name + " names an element that the answer does not have");
    return;
  }
  const ElementAnswer& element = expected.elements[*at];
  const DataType type = expected.TypeOf(*at);
  const ElementPlace place = expected.PlaceOf(*at);
  const uint64_t actual = CodeIn(*answer.sample, place);
  const bool shown = example.expected == ShownValue(type, element.code) &&
                     example.actual == ShownValue(type, actual) &&
                     example.tier == TierName(element.tier) &&
                     example.operand_form == OperandFormName(answer.op_case->key.form);
  report.Expect(shown, "counterexample",
                name + " shows other bits than the oracle and the sample have");
  // One side of mixed readings may be the canonical one.
  report.Expect(
      !example.reading.empty() || !Allows(expected, *at, CodesOf(answer.sample->outputs)),
      "counterexample", name + " shows a correct answer");
  const auto model = errors.Keep(OracleModel::Create(answer.op_case->model));
  if (!model) return;
  const auto operands =
      errors.Keep(model->OperandsOfElement(ViewsOf(answer.op_case->inputs), place));
  if (!operands) return;
  report.Expect(example.operands == ShownOperands(*operands), "counterexample",
                name + " shows other operands than the case has");
}

}  // namespace

Findings CheckRow(const CellRecord& row, const SelectedCell& cell, Level level) {
  RowReport report(row);
  for (const Contradiction& found :
       ContradictionsIn(row, OperatorRecordOf({}, row.op_type))) {
    report.Add(found.kind, found.sentence);
  }
  CheckQuestions(row, cell, level, report);
  return report.Take();
}

Result<Findings> CheckAnswers(const CellRecord& row,
                              const std::vector<JudgedSample>& answers) {
  RowReport report(row);
  FirstError errors;
  std::map<std::string, const JudgedSample*> by_case;
  CellAnswers contents;
  std::vector<AnsweredCase> answered;
  std::vector<Comparison> comparisons;
  std::vector<std::vector<uint32_t>> codes;  // what `answered` points to
  codes.reserve(answers.size());
  std::vector<const JudgedSample*> compared;
  for (const JudgedSample& answer : answers) {
    const Sample& sample = *answer.sample;
    by_case[sample.case_id] = &answer;
    switch (sample.kind) {
      case Sample::Kind::kDeclined:
        report.Expect(
            row.declined > 0 || MayBeLeft(row), "sample",
            sample.case_id + " was declined, but the row counts no declined case");
        continue;
      case Sample::Kind::kRefused: {
        const auto open = errors.Keep(CellJudge::RefusalOf(*answer.op_case));
        const bool by_reading = open && open->has_value();
        report.Expect(
            by_reading ? row.declined > 0 : row.verdict <= Verdict::kRefusedLegal,
            "sample",
            sample.case_id + " was refused as invalid, but the row is " +
                Named(row.verdict));
        continue;
      }
      case Sample::Kind::kFailed:
        report.Expect(IsDeviation(row.verdict), "sample",
                      sample.case_id + " failed, but the row is " + Named(row.verdict));
        continue;
      case Sample::Kind::kAnswered:
        break;
    }
    const int opset_version = answer.op_case->key.opset_version;
    report.Expect(row.judged_at_opset_version == 0 ||
                      opset_version <= row.judged_at_opset_version || MayBeLeft(row),
                  "sample",
                  sample.case_id + " was answered, but the row is judged at opset " +
                      std::to_string(row.judged_at_opset_version));
    report.Expect(
        row.declined < row.cases, "sample",
        sample.case_id + " was answered, but the row counts every case as declined");
    Comparison comparison = Compare(*answer.expected, sample.outputs, 1);
    if (!comparison.invalid_output.empty()) {
      report.Add("sample", sample.case_id + ": " + comparison.invalid_output);
      by_case.erase(sample.case_id);  // it has no elements to compare evidence with
      continue;
    }
    answered.push_back(
        {contents.ContentOf(answer.op_case->model, ViewsOf(answer.op_case->inputs),
                            answer.expected),
         answer.expected, codes.emplace_back(CodesOf(sample.outputs))});
    comparisons.push_back(std::move(comparison));
    compared.push_back(&answer);
  }
  const bool deviates = std::any_of(
      comparisons.begin(), comparisons.end(),
      [](const Comparison& comparison) { return comparison.mismatches() > 0; });
  std::map<std::string, std::vector<AnsweredCase>> by_form;
  for (size_t i = 0; i < answered.size(); ++i) {
    by_form[std::string(OperandFormName(compared[i]->op_case->key.form))].push_back(
        answered[i]);
  }
  // What explains the answers, by tier.
  const auto explain = [&](const std::vector<AnsweredCase>& cases) {
    return errors.Keep(ExplainByReadings(cases)).value_or(Explanations{});
  };
  Explanations all{};
  std::map<std::string, Explanations> of_form;
  if (deviates) {
    all = explain(answered);
    for (const auto& [form, cases] : by_form) of_form[form] = explain(cases);
  }
  for (size_t i = 0; i < comparisons.size(); ++i) {
    const std::string form(OperandFormName(compared[i]->op_case->key.form));
    for (size_t t = 0; t < kTierCount; ++t) {
      if (comparisons[i].tiers[t].mismatches == 0) continue;
      const std::string tier(TierName(static_cast<Tier>(t)));
      const auto verdict = VerdictOf(row, form, tier);
      // If one form deviates, another may still follow a reading, and each form may
      // follow its own. The same holds for classes of M, so that only the case by itself
      // is explained.
      const auto of_tier = TierVerdict(row, tier);
      const bool by_form_only =
          (of_tier && IsDeviation(*of_tier)) || IsMixedBy(row, tier, kMixedByOperandForm);
      const bool explained =
          all[t] || (by_form_only && of_form[form][t]) ||
          (IsMixedBy(row, tier, kMixedByRows) && explain({answered[i]})[t]);
      const bool admitted =
          verdict && (*verdict == Verdict::kAdmissible || *verdict == Verdict::kPartial);
      const bool told =
          verdict ? IsDeviation(*verdict) || (explained && admitted) : MayBeLeft(row);
      report.Expect(told, "sample",
                    compared[i]->sample->case_id + " deviates in tier " + tier +
                        ", but the row says " + (verdict ? Named(*verdict) : "nothing") +
                        " for that tier");
    }
  }
  for (const Counterexample& example : row.counterexamples) {
    const auto found = by_case.find(example.case_id);
    if (found != by_case.end())
      CheckCounterexample(row, example, *found->second, report, errors);
  }
  if (row.example) {
    const auto found = by_case.find(row.example->case_id);
    if (found != by_case.end())
      CheckCounterexample(row, *row.example, *found->second, report, errors);
  }
  if (errors.error()) return *errors.error();
  return report.Take();
}

Result<Findings> CheckAnswersAt(const CellRecord& row, const VariedRecord& at,
                                const std::vector<JudgedSample>& answers) {
  CellRecord there;
  there.cell = row.cell + " at " + at.setting;
  there.verdict = at.verdict;
  RowReport report(there);
  FirstError errors;
  const bool deviates = IsDeviation(at.verdict);
  const JudgedSample* shown = nullptr;
  for (const JudgedSample& answer : answers) {
    const Sample& sample = *answer.sample;
    if (at.example && sample.case_id == at.example->case_id) shown = &answer;
    if (sample.kind == Sample::Kind::kDeclined) {
      report.Expect(
          at.verdict != Verdict::kConformant || row.declined > 0 ||
              row.judged_at_opset_version > 0,
          "sample",
          sample.case_id + " was declined, but the row is " + Named(at.verdict));
    }
    if (sample.kind == Sample::Kind::kFailed) {
      report.Expect(deviates, "sample",
                    sample.case_id + " failed, but the row is " + Named(at.verdict));
    }
    if (sample.kind != Sample::Kind::kAnswered) continue;
    const Comparison comparison = Compare(*answer.expected, sample.outputs, 1);
    if (!comparison.invalid_output.empty()) {
      report.Add("sample", sample.case_id + ": " + comparison.invalid_output);
      continue;
    }
    report.Expect(
        deviates || comparison.mismatches() == 0 || at.verdict == Verdict::kAdmissible ||
            at.verdict == Verdict::kPartial,
        "sample", sample.case_id + " deviates, but the row is " + Named(at.verdict));
  }
  report.Expect(deviates == at.example.has_value(), "counterexample",
                deviates ? "deviates without a counterexample"
                         : "has a counterexample, but is " + Named(at.verdict));
  if (shown != nullptr) CheckCounterexample(there, *at.example, *shown, report, errors);
  if (errors.error()) return *errors.error();
  return report.Take();
}

}  // namespace qconform
