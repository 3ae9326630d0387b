#include "harness/runner/cell_judge.h"

#include <algorithm>
#include <utility>

#include "harness/compare/inference.h"
#include "harness/compare/oracle_model.h"
#include "harness/diagnosis/diagnosis.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

// Of a case: among them some that no reading allows, where there are such.
constexpr int kRememberedMismatches = 32;

constexpr struct {
  uint16_t bit;
  const char* name;
} kCoverage[] = {{kFeatureTie, "tie"},
                 {kFeatureNearTie, "near_tie"},
                 {kFeatureSaturatedLow, "saturated_low"},
                 {kFeatureSaturatedHigh, "saturated_high"},
                 {kFeatureInexact, "inexact"},
                 {kFeatureQuotientRounded, "quotient_rounded"},
                 {kFeatureNan, "nan"},
                 {kFeatureInfinity, "infinity"},
                 {kFeatureZeroResult, "zero_result"},
                 {kFeatureSubnormalResult, "subnormal_result"},
                 {kFeatureZeroPoint, "zero_point"}};

constexpr int64_t kTailLanes = 16;

// How many elements of x lie in a last block that is not whole.
int64_t ElementsOfPartialBlock(const OpCase& op_case) {
  if (op_case.key.cell.granularity != Granularity::kBlocked) return 0;
  int64_t axis = 1;
  int64_t block = 0;
  for (const Attribute& attribute : op_case.model.node.attributes) {
    const auto* value = std::get_if<int64_t>(&attribute.value);
    if (value == nullptr) continue;
    if (attribute.name == "axis") axis = *value;
    if (attribute.name == "block_size") block = *value;
  }
  const Shape& shape = op_case.operands.front().shape;
  if (axis < 0) axis += static_cast<int64_t>(shape.size());
  if (block <= 0 || axis < 0 || axis >= static_cast<int64_t>(shape.size())) return 0;
  const int64_t size = shape[static_cast<size_t>(axis)];
  if (size == 0) return 0;
  return ElementCount(shape).value_or(0) / size * (size % block);
}

// The clause that a deviating element offends most plainly.
std::string ClauseOf(const Cell& cell, DataType type, const ElementAnswer& expected) {
  if (cell.op_type == "QLinearMatMul") {
    constexpr uint16_t kSpecial = kFeatureNan | kFeatureInfinity;
    return (expected.features & kSpecial) != 0 ? "MM-11" : "MM-03";
  }
  const bool saturated =
      (expected.features & (kFeatureSaturatedLow | kFeatureSaturatedHigh)) != 0;
  if (IsInteger(type)) return saturated ? "QL-11" : "QL-10";
  // NaN of a finite quotient is overflow (QL-20).
  if ((expected.features & kFeatureNan) != 0) return "QL-23";
  if ((expected.features & kFeatureInfinity) != 0) {
    return type == DataType::kFloat4E2M1 ? "QL-25" : "QL-21";
  }
  return type == DataType::kFloat4E2M1 ? "QL-25" : "QL-20";
}

Shape Unravel(const Shape& shape, int64_t index) {
  Shape coordinates(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    coordinates[i] = index % shape[i];
    index /= shape[i];
  }
  return coordinates;
}

std::vector<TensorView> Views(const std::vector<Tensor>& tensors) {
  std::vector<TensorView> views;
  views.reserve(tensors.size());
  for (const Tensor& tensor : tensors) views.push_back(tensor.view());
  return views;
}

Verdict VerdictOf(BackendError::Kind kind) {
  switch (kind) {
    case BackendError::Kind::kCrashed: return Verdict::kCrashed;
    case BackendError::Kind::kTimedOut: return Verdict::kTimedOut;
    case BackendError::Kind::kNondeterministic: return Verdict::kNonconformant;
    case BackendError::Kind::kInvalidOutput:
    case BackendError::Kind::kFailed: break;
  }
  return Verdict::kInvalidOutput;
}

Verdict TierVerdictOf(const TierCount& count, bool explained) {
  if (count.mismatches == 0) return Verdict::kConformant;
  return explained ? Verdict::kAdmissible : Verdict::kNonconformant;
}

}  // namespace

std::string ReplayLine(const std::string& case_id, const ReplayContext& context) {
  const auto quoted = [](const std::string& text) {
    if (text.find_first_of(" '\"$&;()*\\`|<>#~") == std::string::npos) return text;
    std::string inside;
    for (const char c : text) inside += c == '\'' ? "'\\''" : std::string(1, c);
    return "'" + inside + "'";
  };
  std::string line = "qconform replay " + case_id + " --backend " + quoted(context.backend);
  for (const std::string& option : context.backend_options) {
    line += " --backend-option " + quoted(option);
  }
  return line + " --seed " + std::to_string(context.seed);
}

CellJudge::CellJudge(Cell cell, ReplayContext context)
    : cell_(std::move(cell)), context_(std::move(context)) {
  record_.cell = CellId(cell_);
  record_.op_type = cell_.op_type;
  record_.since_version = cell_.since_version;
  record_.types = cell_.types;
  record_.granularity = GranularityName(cell_.granularity);
}

void CellJudge::AddFailure(const OpCase& op_case, Verdict verdict,
                           const std::string& message) {
  Form& form = forms_[op_case.key.form];
  form.worst_failure = Worst(form.worst_failure, verdict);
  const int opset = op_case.key.opset_version;
  const auto [entry, added] = opset_failures_.emplace(opset, verdict);
  if (!added) entry->second = Worst(entry->second, verdict);
  if (record_.reason.empty()) record_.reason = message;
  if (record_.counterexamples.size() >= kDefaultCounterexamples) return;
  Counterexample example;
  example.case_id = CaseId(op_case.key);
  example.operand_form = OperandFormName(op_case.key.form);
  example.message = message;
  example.replay = ReplayLine(example.case_id, context_);
  record_.counterexamples.push_back(std::move(example));
}

void CellJudge::AddUnasked(int64_t cases) {
  record_.reason += "; after so many of these, " + std::to_string(cases) +
                    " more cases of the cell were not asked";
}

void CellJudge::AddCoverage(const OpCase& op_case, const Answer& expected) {
  const auto count = static_cast<int64_t>(expected.elements.size());
  // Behind the last whole vector of 16, and in a last block that is not whole.
  if (count % kTailLanes != 0) record_.coverage["tail"] += count % kTailLanes;
  const int64_t partial = ElementsOfPartialBlock(op_case);
  if (partial > 0) record_.coverage["last_partial_block"] += partial;
  for (const ElementAnswer& element : expected.elements) {
    if (element.tier == Tier::kSubnormal) ++record_.coverage["subnormal"];
    if (element.tier == Tier::kDegenerateScale) ++record_.coverage["degenerate"];
    for (const auto& [bit, name] : kCoverage) {
      if ((element.features & bit) != 0) ++record_.coverage[name];
    }
    if (element.tier != Tier::kRegular || element.freedom == Freedom::kAnyCode) continue;
    const bool saturated =
        (element.features & (kFeatureSaturatedLow | kFeatureSaturatedHigh)) != 0;
    ++regular_judged_;
    if (!saturated && (element.features & kFeatureInexact) != 0) ++regular_rounded_;
    if ((element.features & (kFeatureTie | kFeatureNearTie)) != 0) ++regular_ties_;
  }
}

void CellJudge::Add(std::shared_ptr<const OpCase> op_case,
                    std::shared_ptr<const Answer> expected, RunResult result) {
  Form& form = forms_[op_case->key.form];
  ++form.cases;
  ++record_.cases;
  ++opset_cases_[op_case->key.opset_version];
  if (const auto* declined = std::get_if<Unsupported>(&result)) {
    ++form.declined;
    ++record_.declined;
    ++opset_declined_[op_case->key.opset_version];
    if (record_.reason.empty()) record_.reason = declined->reason;
    return;
  }
  if (const auto* refused = std::get_if<Refused>(&result)) {
    // A legal model held to be invalid is declined; the words say how.
    ++form.declined;
    ++record_.declined;
    ++opset_declined_[op_case->key.opset_version];
    if (record_.reason.empty()) record_.reason = "refused as invalid: " + refused->reason;
    return;
  }
  if (const auto* error = std::get_if<BackendError>(&result)) {
    return AddFailure(*op_case, VerdictOf(error->kind), error->text);
  }
  auto& outputs = std::get<Outputs>(result);
  Comparison comparison = Compare(*expected, outputs, kRememberedMismatches);
  if (!comparison.invalid_output.empty()) {
    return AddFailure(*op_case, Verdict::kInvalidOutput, comparison.invalid_output);
  }
  for (size_t tier = 0; tier < kTierCount; ++tier) {
    form.tiers[tier].elements += comparison.tiers[tier].elements;
    form.tiers[tier].mismatches += comparison.tiers[tier].mismatches;
  }
  record_.free += comparison.free_elements;
  AddCoverage(*op_case, *expected);
  observations_.Add(*op_case, *expected, outputs.front());
  asked_.push_back({std::move(op_case), std::move(expected), std::move(outputs.front()),
                    std::move(comparison)});
}

const CellJudge::Asked* CellJudge::RepeatedCase() const {
  const Asked* last = nullptr;
  for (const Asked& asked : asked_) {
    if (last == nullptr || asked.comparison.free_elements > 0 ||
        last->comparison.free_elements == 0) {
      last = &asked;
    }
  }
  return last;
}

std::shared_ptr<const OpCase> CellJudge::ToRepeat() const {
  const Asked* asked = RepeatedCase();
  return asked == nullptr ? nullptr : asked->op_case;
}

void CellJudge::AddRepeat(RunResult result) {
  const Asked* asked = RepeatedCase();
  if (asked == nullptr) return;
  const std::string again = "asked again: ";
  if (const auto* error = std::get_if<BackendError>(&result)) {
    return AddFailure(*asked->op_case, VerdictOf(error->kind), again + error->text);
  }
  const auto* outputs = std::get_if<Outputs>(&result);
  if (outputs == nullptr) {
    return AddFailure(*asked->op_case, Verdict::kInvalidOutput, again + "declined");
  }
  const Comparison comparison = Compare(*asked->expected, *outputs, 1);
  if (!comparison.invalid_output.empty()) {
    return AddFailure(*asked->op_case, Verdict::kInvalidOutput,
                      again + comparison.invalid_output);
  }
  const int64_t index =
      observations_.AddRepeat(*asked->expected, asked->output, outputs->front());
  if (index < 0) return;
  const auto bits = [&](const Tensor& y) {
    return BitsToString(y.type, ReadCode(y.view(), index));
  };
  AddFailure(*asked->op_case, Verdict::kNonconformant,
             "not the same bits for the same inputs: element " + std::to_string(index) +
                 " was " + bits(asked->output) + ", then " + bits(outputs->front()));
}

std::string CellJudge::WhyMistrusted() const {
  const auto covers = [&](const char* feature) { return record_.coverage.contains(feature); };
  if (regular_judged_ == 0 || regular_rounded_ == 0 || regular_ties_ == 0) {
    return "no regular element was rounded at or next to a tie";
  }
  if (!covers("tail")) return "no element lies behind the last whole vector";
  if (cell_.granularity == Granularity::kBlocked && !covers("last_partial_block")) {
    return "no last block is partial";
  }
  return "";
}

void CellJudge::AddDiagnosis(const std::vector<AnsweredCase>& answered) {
  const auto diagnosis = Diagnose(cell_, answered);
  if (!diagnosis) return;
  record_.diagnosis = diagnosis->explained_by;
  record_.notes.push_back(diagnosis->Text());
}

std::vector<FormRecord> CellJudge::JudgeForms(const Explanations& explanations) const {
  std::vector<FormRecord> records;
  for (const auto& [form, state] : forms_) {
    FormRecord record;
    record.form = OperandFormName(form);
    const bool all_declined = state.declined == state.cases;
    for (size_t i = 0; i < kTierCount; ++i) {
      const TierCount& count = state.tiers[i];
      if (count.elements == 0) continue;
      TierRecord tier;
      tier.tier = TierName(static_cast<Tier>(i));
      tier.verdict = TierVerdictOf(count, explanations[i].has_value());
      if (state.declined > 0) tier.verdict = Worst(tier.verdict, Verdict::kPartial);
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
  for (const auto& [opset, cases] : opset_cases_) {
    Verdict verdict = Verdict::kConformant;
    const auto declined = opset_declined_.find(opset);
    if (declined != opset_declined_.end()) {
      verdict = declined->second == cases ? Verdict::kUnsupported : Verdict::kPartial;
    }
    verdicts[opset] = verdict;
  }
  for (const auto& [opset, verdict] : opset_failures_) {
    verdicts[opset] = Worst(verdicts[opset], verdict);
  }
  for (const Asked& asked : asked_) {
    Verdict& verdict = verdicts[asked.op_case->key.opset_version];
    for (size_t i = 0; i < kTierCount; ++i) {
      verdict = Worst(verdict, TierVerdictOf(asked.comparison.tiers[i],
                                             explanations[i].has_value()));
    }
  }
  std::vector<OpsetRecord> records;
  for (const auto& [opset, verdict] : verdicts) records.push_back({opset, verdict});
  return records;
}

Counterexample CellJudge::Describe(const Asked& asked, const Mismatch& mismatch) const {
  const DataType type = asked.expected->type;
  Counterexample example;
  example.case_id = CaseId(asked.op_case->key);
  example.tier = TierName(mismatch.expected.tier);
  example.operand_form = OperandFormName(asked.op_case->key.form);
  example.index = Unravel(asked.expected->shape, mismatch.index);
  const auto model = OracleModel::Create(asked.op_case->model);
  if (model) {
    const auto operands =
        model->OperandsOfElement(Views(asked.op_case->inputs), mismatch.index);
    if (operands) {
      for (const ElementOperand& operand : *operands) {
        example.operands.push_back({operand.name,
                                    operand.type,
                                    {BitsToString(operand.type, operand.code),
                                     ValueToString(operand.type, operand.code)}});
      }
    }
  }
  example.expected = {BitsToString(type, mismatch.expected.code),
                      ValueToString(type, mismatch.expected.code)};
  example.actual = {BitsToString(type, mismatch.actual), ValueToString(type, mismatch.actual)};
  example.clause = ClauseOf(cell_, type, mismatch.expected);
  example.replay = ReplayLine(example.case_id, context_);
  return example;
}

void CellJudge::AddCounterexamples(Tier tier) {
  const auto room = [&] {
    return record_.counterexamples.size() < kDefaultCounterexamples;
  };
  // What some reading allows is shown only where there is nothing else: the tier as a
  // whole is not explained, but that element alone accuses nobody.
  std::vector<std::pair<const Asked*, const Mismatch*>> admissible;
  for (const Asked& asked : asked_) {
    if (!room()) return;
    std::vector<const Mismatch*> mismatches;
    std::vector<int64_t> indices;
    for (const Mismatch& mismatch : asked.comparison.first) {
      if (mismatch.expected.tier != tier) continue;
      mismatches.push_back(&mismatch);
      indices.push_back(mismatch.index);
    }
    if (indices.empty()) continue;
    const auto alone =
        AdmissibleAlone({&asked.op_case->model, Views(asked.op_case->inputs),
                         asked.expected, &asked.output},
                        indices);
    for (size_t i = 0; i < indices.size(); ++i) {
      if (alone && (*alone)[i]) {
        admissible.emplace_back(&asked, mismatches[i]);
      } else if (room()) {
        record_.counterexamples.push_back(Describe(asked, *mismatches[i]));
      }
    }
  }
  for (const auto& [asked, mismatch] : admissible) {
    if (!room()) return;
    record_.counterexamples.push_back(Describe(*asked, *mismatch));
  }
}

CellRecord CellJudge::Finish(bool sampled) {
  const bool deviates = std::any_of(asked_.begin(), asked_.end(), [](const Asked& asked) {
    return asked.comparison.mismatches() != 0;
  });
  Explanations explanations{};
  std::vector<AnsweredCase> answered;
  if (deviates) {
    for (const Asked& asked : asked_) {
      answered.push_back({&asked.op_case->model, Views(asked.op_case->inputs),
                          asked.expected, &asked.output});
    }
    auto explained = ExplainByReadings(answered);
    if (explained) explanations = *std::move(explained);
  }
  for (size_t i = 0; i < kTierCount; ++i) {
    TierCounts counts{std::string(TierName(static_cast<Tier>(i))), 0, 0};
    for (const auto& [form, state] : forms_) {
      counts.elements += state.tiers[i].elements;
      if (!explanations[i]) counts.mismatches += state.tiers[i].mismatches;
    }
    if (counts.elements > 0) record_.tiers.push_back(std::move(counts));
  }
  record_.forms = JudgeForms(explanations);
  record_.opset_versions = JudgeOpsets(explanations);
  record_.verdict = CellVerdict(record_.forms);
  record_.notes = observations_.Notes();
  if (IsPass(record_.verdict) && !sampled) {
    const std::string why = WhyMistrusted();
    if (!why.empty()) {
      record_.verdict = Verdict::kMistrusted;
      record_.reason = why;
    }
  }
  for (size_t tier = 0; deviates && tier < kTierCount; ++tier) {
    for (const Asked& asked : asked_) {
      if (asked.comparison.tiers[tier].mismatches == 0) continue;
      if (explanations[tier]) {
        const std::string name =
            std::string(TierName(static_cast<Tier>(tier))) + ": " + *explanations[tier];
        if (record_.reading.find(name) == std::string::npos) {
          record_.reading += (record_.reading.empty() ? "" : "; ") + name;
        }
        continue;
      }
    }
    if (!explanations[tier]) AddCounterexamples(static_cast<Tier>(tier));
  }
  const bool unexplained =
      std::any_of(record_.tiers.begin(), record_.tiers.end(),
                  [](const TierCounts& counts) { return counts.mismatches > 0; });
  if (unexplained) AddDiagnosis(answered);
  return std::move(record_);
}

}  // namespace qconform
