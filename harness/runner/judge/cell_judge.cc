#include "harness/runner/judge/cell_judge.h"

#include <algorithm>
#include <utility>

#include "harness/compare/explain_limit.h"
#include "harness/compare/inference.h"
#include "harness/core/allows.h"
#include "harness/core/fault.h"
#include "harness/core/oracle_model.h"
#include "harness/diagnosis/diagnosis.h"
#include "harness/runner/ask/case_failure.h"
#include "harness/runner/judge/mixed_readings.h"
#include "harness/runner/judge/readings_told.h"
#include "oracle/base/stopwatch.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

// Of each case the first mismatches are remembered. If a reading allows them all, the
// others are looked at again.
constexpr int kRememberedMismatches = 32;

// A repetition with fewer judged elements shows too little.
constexpr int64_t kFewElements = 16;
// Most kernels use several threads for this many elements.
constexpr int64_t kManyElements = 64 * 1024;

// The evidence of a large case may take this many seconds if the budget of explanations
// is used.
constexpr double kLeastForEvidence = 5;

int64_t JudgedElements(const AskedCase& asked) {
  return static_cast<int64_t>(asked.expected->elements.size()) -
         asked.comparison.free_elements;
}

// The number of different codes among the first elements that are not free.
size_t DifferentCodes(const AskedCase& asked) {
  constexpr size_t kFirst = 1024;
  std::set<uint64_t> codes;
  const auto& elements = asked.expected->elements;
  for (size_t i = 0; i < std::min(elements.size(), kFirst); ++i) {
    if (elements[i].freedom == Freedom::kNone) codes.insert(elements[i].code);
  }
  return codes.size();
}

// Of a deviation that depends on what ran before, or is another one each time: leaves
// only a model that does so, too.
void KeepOnlyState(Diagnosis& diagnosis) {
  const Fault* fault = FindFault(diagnosis.explained_by);
  if (fault != nullptr && fault->has_state) return;
  Deviation& deviation = diagnosis.deviation;
  diagnosis.explained_by.clear();
  diagnosis.model.reset();
  deviation.model.clear();
  deviation.indistinguishable_from.clear();
  deviation.also_explained_by.clear();
  deviation.elements_explained = 0;
  deviation.elements_confirmed = 0;
  deviation.nearest.clear();
  diagnosis.missed.reset();
}

}  // namespace

CellJudge::CellJudge(Cell cell, ReplayContext context, int judged_at)
    : cell_(std::move(cell)), context_(std::move(context)) {
  record_.cell = CellId(cell_);
  record_.op_type = cell_.op_type;
  record_.since_version = cell_.since_version;
  record_.types = cell_.types;
  record_.granularity = cell_.granularity;
  record_.judged_at_opset_version = judged_at;
}

void CellJudge::CountFailure(const CaseKey& key, Verdict verdict, bool shows_at_once) {
  Form& form = forms_[key.form];
  form.worst_failure = Worst(form.worst_failure, verdict);
  const auto failed = failed_variants_.emplace(key.variant, verdict).first;
  failed->second = Worst(failed->second, verdict);
  failed_cases_.push_back(key);
  Opset& opset = opsets_[key.opset_version];
  if (!opset.worst_case || verdict < opset.worst) {
    opset.worst = verdict;
    opset.worst_case = key;
    opset.shows_at_once = shows_at_once;
  }
}

void CellJudge::AddFailure(const CaseKey& key, CaseFailure failure) {
  const Verdict verdict = failure.verdict;
  CountFailure(key, verdict, !failure.second_answer);
  differs_when_repeated_ =
      differs_when_repeated_ ||
      (failure.second_answer && failure.second_answer->changed == kChangedRepetition);
  // The examples must support the verdict: the worst comes first, and its words become
  // the reason of the cell, rather than those of cases that were declined.
  if (failures_.empty() || verdict < failures_.front()) record_.reason = failure.text;
  const auto place = std::upper_bound(failures_.begin(), failures_.end(), verdict);
  const auto index = static_cast<size_t>(place - failures_.begin());
  if (index == kDefaultCounterexamples) return;
  Counterexample example;
  example.case_id = CaseId(key);
  example.operand_form = OperandFormName(key.form);
  example.message = std::move(failure.text);
  example.second_answer = std::move(failure.second_answer);
  example.replay = ReplayLine(example.case_id, context_);
  failures_.insert(place, verdict);
  auto& examples = record_.counterexamples;
  examples.insert(examples.begin() + index, std::move(example));
  if (examples.size() <= kDefaultCounterexamples) return;
  failures_.pop_back();
  examples.pop_back();
}

void CellJudge::AddNotTaken(NotTaken not_taken) {
  const CaseKey& key = not_taken.op_case->key;
  ++forms_[key.form].declined;
  ++opsets_[key.opset_version].declined;
  ++record_.declined;
  if (record_.reason.empty()) record_.reason = not_taken.words;
  not_taken_.push_back(std::move(not_taken));
}

void CellJudge::AddRefusedLegal(const CaseKey& key, const std::string& words,
                                bool counted) {
  CountFailure(key, Verdict::kRefusedLegal, /*shows_at_once=*/true);
  if (counted) {
    --forms_[key.form].declined;
    --opsets_[key.opset_version].declined;
    --record_.declined;
    ++record_.refused_legal;
  }
  if (refused_legal_.size() == kDefaultCounterexamples) return;
  Counterexample& example = refused_legal_.emplace_back();
  example.case_id = CaseId(key);
  example.operand_form = OperandFormName(key.form);
  example.message = words;
  example.replay = ReplayLine(example.case_id, context_);
}

void CellJudge::ShowRefusedLegal() {
  if (record_.verdict != Verdict::kRefusedLegal) return;
  record_.reason = refused_legal_.front().message;
  record_.counterexamples = refused_legal_;
}

Result<std::optional<Reading>> CellJudge::RefusalOf(const OpCase& op_case) {
  const auto oracle = OracleModel::Create(op_case.model);
  if (!oracle) return oracle.error();
  return oracle->ReadingOfRefusal(ViewsOf(op_case.inputs));
}

void CellJudge::FindRefusals() {
  std::vector<std::optional<Reading>> readings(not_taken_.size());
  for (size_t i = 0; i < not_taken_.size(); ++i) {
    // In a cell of which no case is answered, those that were declined are unsupported,
    // whatever the reason.
    if (asked_.empty() && !not_taken_[i].as_invalid) continue;
    readings[i] = errors_.Keep(RefusalOf(*not_taken_[i].op_case)).value_or(std::nullopt);
    if (!readings[i] || asked_.empty()) continue;
    if (std::ranges::find(refusals_, *readings[i]) == refusals_.end()) {
      refusals_.push_back(*readings[i]);
    }
  }
  for (const AskedCase& asked : asked_) {
    if (refusals_.empty()) break;
    const auto oracle = errors_.Keep(asked.content->Oracle());
    const auto reading =
        oracle ? errors_.Keep((*oracle)->ReadingOfRefusal(asked.content->inputs()))
               : std::nullopt;
    if (reading && *reading) std::erase(refusals_, **reading);
  }
  // Cases that no reading allows to refuse say more than those of a reading that is not
  // followed.
  for (const bool by_other_reading : {false, true}) {
    for (size_t i = 0; i < not_taken_.size(); ++i) {
      if (readings[i].has_value() != by_other_reading) continue;
      const CaseKey& key = not_taken_[i].op_case->key;
      if (not_taken_[i].as_invalid && !readings[i]) {
        AddRefusedLegal(key, not_taken_[i].words, /*counted=*/true);
        continue;
      }
      Form& form = forms_[key.form];
      Opset& opset = opsets_[key.opset_version];
      const bool followed =
          readings[i] && std::ranges::find(refusals_, *readings[i]) != refusals_.end();
      if (followed) {
        --form.declined, ++form.refused;
        --opset.declined, ++opset.refused;
      }
      std::optional<CaseKey>& first =
          followed ? opset.first_refused : opset.first_declined;
      if (!first) first = key;
    }
  }
}

void CellJudge::Add(std::shared_ptr<const OpCase> op_case,
                    std::shared_ptr<const CaseAnswer> expected, RunResult result) {
  Form& form = forms_[op_case->key.form];
  ++form.cases;
  ++record_.cases;
  ++opsets_[op_case->key.opset_version].cases;
  if (const auto* declined = std::get_if<Unsupported>(&result)) {
    return AddNotTaken({std::move(op_case), false, declined->Words()});
  }
  if (const auto* refused = std::get_if<Refused>(&result)) {
    // Whether a clause leaves that open is known when all cases are (FindRefusals).
    return AddNotTaken({std::move(op_case), true, RefusedWords(*refused)});
  }
  std::shared_ptr<const UnsteadyAnswer> unsteady;
  if (const auto* error = std::get_if<BackendError>(&result)) unsteady = error->unsteady;
  result = Settled(*expected, std::move(result));
  if (const auto* error = std::get_if<BackendError>(&result)) {
    differs_when_repeated_ =
        differs_when_repeated_ ||
        (unsteady != nullptr &&
         std::ranges::any_of(unsteady->others, [](const auto& other) {
           return other.changed == kChangedRepetition;
         }));
    return AddFailure(op_case->key, {VerdictOf(error->kind), error->text});
  }
  if (unsteady != nullptr) {
    for (const OtherAnswer& other : unsteady->others) {
      observations_.AddRepeat(*op_case, *expected, CodesOf(unsteady->first),
                              CodesOf(other.outputs), other.changed);
    }
  }
  const auto& outputs = std::get<Outputs>(result);
  if (std::string wrong = WrongForm(*expected, outputs); !wrong.empty()) {
    return AddFailure(op_case->key, {Verdict::kInvalidOutput, std::move(wrong)});
  }
  std::vector<uint32_t> codes = CodesOf(outputs);
  Comparison comparison = Compare(*expected, codes, kRememberedMismatches);
  for (size_t tier = 0; tier < kTierCount; ++tier) {
    form.tiers[tier].elements += comparison.tiers[tier].elements;
    form.tiers[tier].mismatches += comparison.tiers[tier].mismatches;
    form.left[tier] += comparison.tiers[tier].mismatches;
  }
  record_.free += comparison.free_elements;
  errors_.Keep(coverage_.Add(*op_case, *expected));
  const Stopwatch watch;
  if (observes_) observations_.Add(op_case, expected, codes, outputs);
  explain_ms_ += watch.milliseconds();
  Comparison left = comparison;
  std::shared_ptr<const CaseAnswer> followed = expected;
  auto content = answers_.ContentOf(op_case->model, ViewsOf(op_case->inputs), expected);
  asked_.push_back({std::move(op_case), std::move(content), std::move(expected),
                    std::move(codes), std::move(comparison), std::move(followed),
                    std::move(left)});
}

const AskedCase* CellJudge::Find(const OpCase& op_case) const {
  const auto found = std::find_if(
      asked_.begin(), asked_.end(),
      [&](const AskedCase& asked) { return asked.op_case.get() == &op_case; });
  return found == asked_.end() ? nullptr : &*found;
}

std::vector<std::shared_ptr<const OpCase>> CellJudge::ToRepeat() const {
  const AskedCase* free = nullptr;    // the last with free elements
  const AskedCase* judged = nullptr;  // the first with most elements that are not free
  for (const AskedCase& asked : asked_) {
    if (asked.comparison.free_elements > 0) free = &asked;
    if (judged == nullptr || JudgedElements(asked) > JudgedElements(*judged)) {
      judged = &asked;
    }
  }
  std::vector<std::shared_ptr<const OpCase>> cases;
  if (free != nullptr) cases.push_back(free->op_case);
  // A case with only NaNs, or with one element, shows no instability.
  const bool shows = free != nullptr && JudgedElements(*free) >= kFewElements;
  // A case that is large enough for several threads.
  const bool is_shared = judged != nullptr && JudgedElements(*judged) >= kManyElements;
  if (judged != nullptr && judged != free && (!shows || is_shared)) {
    cases.push_back(judged->op_case);
  }
  return cases;
}

std::shared_ptr<const OpCase> CellJudge::FirstDeviating() const {
  const auto deviates = [](const AskedCase& asked) {
    return asked.comparison.mismatches() != 0;
  };
  const auto found = std::ranges::find_if(asked_, deviates);
  return found == asked_.end() ? nullptr : found->op_case;
}

std::vector<const AskedCase*> CellJudge::ToRunOnce() const {
  using Weight = std::pair<size_t, size_t>;
  std::map<OperandForm, std::pair<Weight, const AskedCase*>> of_form;
  for (const AskedCase& asked : asked_) {
    const Weight weight{asked.op_case->inputs.size(), DifferentCodes(asked)};
    auto& [most, found] = of_form[asked.op_case->key.form];
    if (found != nullptr && weight <= most) continue;
    most = weight;
    found = &asked;
  }
  std::vector<const AskedCase*> cases;
  for (const auto& [form, found] : of_form) cases.push_back(found.second);
  return cases;
}

void CellJudge::AddFurtherFailure(const AskedCase& asked, CaseFailure failure) {
  further_failures_.emplace_back(asked.op_case, std::move(failure));
}

void CellJudge::AddDynamicShapes(const DynamicShapes& dynamic) {
  using Kind = DynamicShapes::Kind;
  if (dynamic.kind == Kind::kNotAsked || dynamic.kind == Kind::kCrashed) return;
  const bool answered = dynamic.kind != Kind::kDeclined;
  // A cell that is answered in one operand form counts as answered.
  if (answered || record_.dynamic_shapes.empty()) {
    record_.dynamic_shapes = answered ? kDynamicShapesAnswered : kDynamicShapesDeclined;
  }
}

void CellJudge::AddMoved(const OpCase& repeated, const FedModel& moved,
                         const std::vector<int64_t>& sources, RunResult result) {
  const AskedCase* asked = Find(repeated);
  if (asked == nullptr) return;
  const auto* outputs = std::get_if<Outputs>(&result);
  std::vector<uint32_t> codes;
  if (outputs != nullptr && WrongForm(*asked->expected, *outputs).empty()) {
    codes = CodesOf(*outputs);
    observations_.AddMoved(*asked->op_case, *asked->expected, asked->codes, codes,
                           sources);
  }
  auto failure =
      errors_.Keep(JudgeMoved(moved, sources, asked->codes, std::move(result)));
  if (!failure || !*failure) return;
  if (!codes.empty()) moved_.push_back({asked->op_case->key, moved, std::move(codes)});
  AddFurtherFailure(*asked, **std::move(failure));
}

void CellJudge::AddRepeat(const OpCase& repeated, RunResult result, const char* changed,
                          const std::function<Result<RunResult>()>& as_it_was) {
  const AskedCase* asked = Find(repeated);
  if (asked == nullptr) return;
  const CaseAnswer& expected = *asked->expected;
  const auto fail = [&](CaseFailure failure) {
    AddFailure(asked->op_case->key,
               WhenAskedAgain(std::move(failure), changed,
                              " with another " + std::string(changed)));
  };
  result = Settled(expected, std::move(result));
  if (auto failure = FormFailure(result, expected)) return fail(*std::move(failure));
  const auto* outputs = std::get_if<Outputs>(&result);
  if (outputs == nullptr) return fail({Verdict::kFailed, "declined"});
  const std::vector<uint32_t> now = CodesOf(*outputs);
  const int64_t index =
      observations_.AddRepeat(*asked->op_case, expected, asked->codes, now, changed);
  if (index < 0) return;
  const auto at = static_cast<size_t>(index);
  const DataType type = expected.TypeOf(at);
  const auto again = errors_.Keep(as_it_was());
  const auto* same = again ? std::get_if<Outputs>(&*again) : nullptr;
  if (same != nullptr && WrongForm(expected, *same).empty() &&
      CodesOf(*same)[at] != asked->codes[at]) {
    changed = kChangedRepetition;
  }
  const std::string how = std::string_view(changed) == kChangedRepetition
                              ? "run once more"
                              : "another " + std::string(changed);
  AddFailure(asked->op_case->key,
             {Verdict::kNonconformant,
              "not the same bits for the same inputs (" + how + "): element " +
                  expected.NumberOf(at) + " was " + BitsToString(type, asked->codes[at]) +
                  ", then " + BitsToString(type, now[at]),
              OtherBits(changed, expected, at, asked->codes[at], now[at])});
}

void CellJudge::Follow(const Diagnosis& diagnosis, Explanations& explanations) {
  if (!diagnosis.follows) return;
  const FollowedReading& follows = *diagnosis.follows;
  for (auto& [form, state] : forms_) state.left = {};
  for (size_t c = 0; c < asked_.size(); ++c) {
    AskedCase& asked = asked_[c];
    asked.followed = diagnosis.answers[c];
    asked.left = Compare(*asked.followed, asked.codes, kRememberedMismatches);
    std::array<int64_t, kTierCount>& left = forms_[asked.op_case->key.form].left;
    for (size_t i = 0; i < kTierCount; ++i) left[i] += asked.left.tiers[i].mismatches;
  }
  // One combination for the whole tier if there is one.
  for (size_t i = 0; i < kTierCount; ++i) {
    const bool by_reading = explanations[i] && !explanations[i]->is_canonical();
    if (by_reading && !follows.other_tiers[i])
      explanations[i] = Explanation{{{"", follows}}};
  }
}

void CellJudge::AddDiagnosis(const Diagnosis& diagnosis) {
  record_.diagnosis = diagnosis.explained_by;
  record_.deviation = diagnosis.deviation;
  if (diagnosis.follows) record_.deviation->follows = diagnosis.follows->Name();
}

void CellJudge::Work(const Diagnosis& diagnosis, CellEvidence& evidence) {
  for (const Counterexample& example : record_.counterexamples) {
    std::vector<std::string>& mixed = record_.deviation->mixed_readings;
    if (example.reading.empty() ||
        std::find(mixed.begin(), mixed.end(), example.reading) != mixed.end()) {
      continue;
    }
    mixed.push_back(example.reading);
  }
  if (diagnosis.missed) {
    record_.deviation->not_reproduced = evidence.NotReproducedAt(*diagnosis.missed);
  }
  evidence.Work(record_.counterexamples,
                {.faults = diagnosis.model,
                 .broken = diagnosis.broken,
                 .follows = diagnosis.follows ? &*diagnosis.follows : nullptr});
}

bool CellJudge::IsExplained(const Explanations& explanations) const {
  for (const AskedCase& asked : asked_) {
    for (size_t i = 0; i < kTierCount; ++i) {
      if (asked.comparison.tiers[i].mismatches != 0 && !explanations[i]) return false;
    }
  }
  return true;
}

void CellJudge::AddReading(const std::string& reading) {
  record_.reading += (record_.reading.empty() ? "" : "; ") + reading;
}

void CellJudge::AddWiderBound(size_t tier, const Explanation& explanation) {
  const bool is_wider = std::ranges::any_of(
      explanation.parts,
      [](const Explanation::Part& part) { return part.reading.is_wider(); });
  if (!is_wider) return;
  int64_t& others =
      record_.by_wider_bound[std::string(TierName(static_cast<Tier>(tier)))];
  for (const AskedCase& asked : asked_) others += asked.comparison.tiers[tier].mismatches;
}

void CellJudge::ShowTiers(const Explanations& explanations, CellEvidence& evidence) {
  for (size_t i = 0; i < kTierCount; ++i) {
    const auto tier = static_cast<Tier>(i);
    const bool differs = std::any_of(
        asked_.begin(), asked_.end(),
        [&](const AskedCase& asked) { return asked.comparison.tiers[i].mismatches > 0; });
    if (!differs) continue;
    if (explanations[i]) {
      AddReading(std::string(TierName(tier)) + ": " + explanations[i]->Name());
      AddWiderBound(i, *explanations[i]);
      if (!record_.example) record_.example = evidence.OfReading(tier, *explanations[i]);
      continue;
    }
    if (record_.deviation && !record_.deviation->follows.empty()) {
      AddReading(std::string(TierName(tier)) + ": " + record_.deviation->follows);
    }
    // Failures may take all places, so a wrong element is shown in addition.
    const bool shows_element = std::any_of(
        record_.counterexamples.begin(), record_.counterexamples.end(),
        [](const Counterexample& example) { return example.index.has_value(); });
    const size_t shown =
        std::min(kDefaultCounterexamples, record_.counterexamples.size());
    const size_t room =
        std::max<size_t>(kDefaultCounterexamples - shown, shows_element ? 0 : 1);
    for (Counterexample& example : evidence.OfTier(tier, room)) {
      record_.counterexamples.push_back(std::move(example));
    }
  }
  const auto is_admissible = [](const FormRecord& form) {
    return std::any_of(form.tiers.begin(), form.tiers.end(), [](const TierRecord& tier) {
      return tier.verdict == Verdict::kAdmissible;
    });
  };
  if (std::any_of(record_.forms.begin(), record_.forms.end(), is_admissible)) {
    for (const Reading& refusal : refusals_) AddReading(Spell(std::vector{refusal}));
  }
}

void CellJudge::AddMixed(std::span<const AnsweredCase> answered,
                         Explanations& explanations) {
  auto mixed = errors_.Keep(ExplainByParts(asked_, explanations));
  if (mixed) record_.mixed = *std::move(mixed);
  auto bound_only = errors_.Keep(HiddenByBounds(answered, explanations));
  if (bound_only) record_.bound_only = *std::move(bound_only);
}

void CellJudge::AddNotToldApart(std::span<const AnsweredCase> answered,
                                const Explanations& explanations) {
  if (!record_.mixed.empty()) return;
  if (!tells_apart_ || (!IsPass(record_.verdict) && record_.reading.empty())) return;
  auto names = errors_.Keep(ReadingsNotToldApart(answered, explanations));
  if (!names) return;
  record_.not_told_apart = *std::move(names);
  // A reading by which a case is refused gives no bits.
  std::erase_if(record_.not_told_apart, [&](const std::string& name) {
    return std::ranges::any_of(refusals_, [&](const Reading& refusal) {
      return name.starts_with(refusal.clause + ":");
    });
  });
}

Result<std::optional<Diagnosis>> CellJudge::DiagnoseWithinBudget(
    std::span<const AnsweredCase> answered, const Explanations& explanations,
    FurtherCases* further) {
  if (explain_budget_ == nullptr) {
    auto diagnosis = Diagnose(cell_, answered, explanations, further);
    if (!diagnosis) return diagnosis.error();
    return std::optional(*std::move(diagnosis));
  }
  const double left = explain_budget_->Left();
  if (left <= 0) {
    record_.not_explained = explain_budget_->WhyNot(/*was_begun=*/false);
    return std::optional<Diagnosis>();
  }
  ExplainLimit limit(left);
  auto diagnosis = Diagnose(cell_, answered, explanations, further);
  explain_budget_->AddExplained(limit.used());
  if (!diagnosis) return diagnosis.error();
  if (diagnosis->is_cut) {
    record_.not_explained = explain_budget_->WhyNot(/*was_begun=*/true);
    // Without patterns and a nearest model, there is nothing else in it.
    if (diagnosis->deviation.elements_deviating == 0) return std::optional<Diagnosis>();
  }
  return std::optional(*std::move(diagnosis));
}

Result<std::optional<Diagnosis>> CellJudge::DiagnoseMoved(
    std::vector<AnsweredCase> answered, FurtherCases* further) {
  for (const MovedAnswer& moved : moved_) {
    auto content = ContentAnswers::Create(moved.fed.model, ViewsOf(moved.fed.inputs));
    if (!content) return content.error();
    answered.push_back({*content, (*content)->canonical(), moved.codes, moved.key.form,
                        moved.key.opset_version});
  }
  const auto explanations = ExplainByReadings(answered);
  if (!explanations) return explanations.error();
  auto diagnosis = DiagnoseWithinBudget(answered, *explanations, further);
  if (!diagnosis) return diagnosis.error();
  if (*diagnosis && (*diagnosis)->explained_by.empty()) diagnosis->reset();
  return diagnosis;
}

Result<bool> CellJudge::IsReproducedAlone(const AskAlone& alone,
                                          const Explanations& explanations) const {
  constexpr int kMostAskedAlone = 3;
  if (!alone) return true;
  bool is_asked = false;
  int left = kMostAskedAlone;
  for (const AskedCase& asked : asked_) {
    bool deviates = false;
    for (size_t i = 0; i < kTierCount; ++i) {
      deviates =
          deviates || (asked.comparison.tiers[i].mismatches != 0 && !explanations[i]);
    }
    if (!deviates) continue;
    if (left-- == 0) break;
    auto made = alone(*asked.op_case);
    if (!made) return made.error();
    if (!made->has_value()) continue;
    const RunResult result = Settled(*asked.expected, **std::move(made));
    const auto* outputs = std::get_if<Outputs>(&result);
    if (outputs == nullptr || !WrongForm(*asked.expected, *outputs).empty()) continue;
    is_asked = true;
    const std::vector<uint32_t> codes = CodesOf(*outputs);
    bool same = true;
    for (size_t i = 0; i < codes.size() && same; ++i) {
      same = codes[i] == asked.codes[i] || Allows(*asked.expected, i, asked.codes);
    }
    if (same) return true;
  }
  return !is_asked;
}

Result<CellRecord> CellJudge::Finish(const AskFurther& ask) {
  const Stopwatch watch;
  if (unasked_ > 0) {
    record_.reason += "; after so many of these, " + std::to_string(unasked_) +
                      " more cases of the cell were not asked";
  }
  const bool deviates = std::any_of(
      asked_.begin(), asked_.end(),
      [](const AskedCase& asked) { return asked.comparison.mismatches() != 0; });
  std::vector<AnsweredCase> answered;
  for (const AskedCase& asked : asked_) answered.push_back(AsAnswered(asked));
  Explanations explanations{};
  if (deviates) {
    auto explained = ExplainByReadings(answered);
    if (!explained) return explained.error();
    explanations = *std::move(explained);
    AddMixed(answered, explanations);
  }
  // If the cell deviates anyway, the simpler evidence explains more.
  const bool is_further = failures_.empty() && IsExplained(explanations);
  if (is_further) {
    for (auto& [op_case, failure] : further_failures_) {
      AddFailure(op_case->key, std::move(failure));
    }
  }
  std::optional<Diagnosis> diagnosis;
  if (is_further && !moved_.empty()) {
    auto made = DiagnoseMoved(answered, ask.cases);
    if (!made) return made.error();
    diagnosis = *std::move(made);
  }
  if (!IsExplained(explanations)) {
    const auto is_reproduced = IsReproducedAlone(ask.alone, explanations);
    if (!is_reproduced) return is_reproduced.error();
    auto made = DiagnoseWithinBudget(answered, explanations, ask.cases);
    if (!made) return made.error();
    diagnosis = *std::move(made);
    if (diagnosis && (!*is_reproduced || differs_when_repeated_)) {
      KeepOnlyState(*diagnosis);
    }
    if (diagnosis && !*is_reproduced) {
      diagnosis->deviation.rerun = ask.rerun;
      if (diagnosis->explained_by.empty()) diagnosis->deviation.pattern.clear();
    }
  }
  if (diagnosis) {
    Follow(*diagnosis, explanations);
    AddDiagnosis(*diagnosis);
  }
  FindRefusals();
  if (const Status within = ExplainLimit::StatusOfLimit(); !within) return within.error();
  AskOtherOpsets(explanations, ask.key);
  if (const Status within = ExplainLimit::StatusOfLimit(); !within) return within.error();
  JudgeTiers(explanations);
  auto observed = errors_.Keep(observations_.Records());
  if (observed) record_.observed = *std::move(observed);
  record_.coverage = coverage_.counts();
  CellEvidence evidence(cell_, context_, asked_, errors_);
  if (bounds_evidence_) {
    const double left = explain_budget_ != nullptr ? explain_budget_->Left() : 0;
    evidence.SetLimit(std::max(left, kLeastForEvidence));
  }
  ShowTiers(explanations, evidence);
  AddNotToldApart(answered, explanations);
  ShowRefusedLegal();
  if (diagnosis) Work(*diagnosis, evidence);
  if (errors_.error()) return *errors_.error();
  record_.explain_ms = explain_ms_ + watch.milliseconds();
  return std::move(record_);
}

}  // namespace qconform
