#include "harness/runner/judge/cell_evidence.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "harness/compare/explain_limit.h"
#include "harness/core/operator_faults.h"
#include "harness/core/value_text.h"
#include "oracle/formats/codes.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

// At most this many elements are checked for a reading that allows them; the others count
// as allowed.
constexpr size_t kMostAsked = 400;

// Each product of an element adds the complexity of an operand with four digits.
constexpr int64_t kPerTerm = 16;

std::string FirstClauseOf(const ReadingSet& set) {
  return set.is_canonical() ? "canonical" : set.readings.front().clause;
}

std::string ReadingName(const ReadingSet& set) {
  return set.is_canonical() ? "the canonical reading" : Spell(set);
}

}  // namespace

AnsweredCase AsAnswered(const AskedCase& asked) {
  return {asked.content, asked.expected, asked.codes, asked.op_case->key.form,
          asked.op_case->key.opset_version};
}

std::string FlagsOf(const ReplayContext& context) {
  std::string flags = "--backend " + ShellWord(context.backend);
  for (const std::string& option : context.backend_options) {
    flags += " --backend-option " + ShellWord(option);
  }
  return flags + context.more_flags + " --seed " + std::to_string(context.seed);
}

std::string ReplayLine(const std::string& case_id, const ReplayContext& context) {
  if (!context.part_line.empty()) return context.part_line;
  return "qconform replay " + ShellWord(case_id) + " " + FlagsOf(context);
}

std::string RerunLine(const Cell& cell, Level level, const ReplayContext& context) {
  return "qconform run --cells " + ShellWord(CellId(cell)) + " " + FlagsOf(context) +
         " --level " + std::string(LevelName(level)) + " --jobs 1";
}

std::vector<CellEvidence::Place> CellEvidence::SimplestFirst(
    Tier tier, Comparison AskedCase::*of) const {
  std::vector<Place> places;
  for (const AskedCase& asked : *asked_) {
    size_t weighed = 0;
    const int64_t terms = TermsOf(asked);
    const auto oracle = errors_->Keep(asked.content->Oracle());
    if (!oracle) continue;
    for (const Mismatch& mismatch : (asked.*of).first) {
      if (mismatch.expected.tier != tier) continue;
      if (weighed++ == kWeighedPerCase) break;
      const int64_t complexity =
          ComplexityOf((*oracle)->op(), OperandsOf(asked, mismatch.index)) +
          kPerTerm * terms;
      places.push_back({&asked, mismatch, complexity});
    }
  }
  std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return a.complexity < b.complexity;
  });
  return places;
}

int64_t CellEvidence::TermsOf(const AskedCase& asked) const {
  const auto oracle = errors_->Keep(asked.content->Oracle());
  if (!oracle) return 0;
  const auto dimensions = errors_->Keep((*oracle)->DimensionsOf(asked.content->inputs()));
  int64_t terms = 0;
  for (const Dimension& dimension : dimensions.value_or(Dimensions())) {
    if (dimension.is_summed) terms = std::max<int64_t>(terms, 1) * dimension.size;
  }
  return terms;
}

std::vector<ElementOperand> CellEvidence::OperandsOf(const AskedCase& asked,
                                                     int64_t index) const {
  const auto oracle = errors_->Keep(asked.content->Oracle());
  if (!oracle) return {};
  auto operands = errors_->Keep((*oracle)->OperandsOfElement(
      asked.content->inputs(), asked.expected->PlaceOf(static_cast<size_t>(index))));
  return operands ? *std::move(operands) : std::vector<ElementOperand>();
}

Counterexample CellEvidence::Describe(const Place& place) const {
  const AskedCase& asked = *place.asked;
  const Mismatch& mismatch = place.mismatch;
  const auto at = static_cast<size_t>(mismatch.index);
  const ElementPlace element = asked.expected->PlaceOf(at);
  const OutputForm& output = asked.expected->outputs[element.output];
  const DataType type = output.type;
  Counterexample example;
  example.case_id = CaseId(asked.op_case->key);
  example.tier = TierName(mismatch.expected.tier);
  example.operand_form = OperandFormName(asked.op_case->key.form);
  example.output = asked.expected->RecordedName(element.output);
  example.index = Unravel(output.shape, element.index);
  example.operands = ShownOperands(OperandsOf(asked, mismatch.index));
  example.expected = ShownValue(type, asked.expected->elements[at].code);
  example.actual = ShownValue(type, mismatch.actual);
  if (asked.expected->elements[at].freedom == Freedom::kSameCode) {
    const size_t same = *asked.expected->same_code_as;
    example.message = "the code of " + asked.expected->NameOf(same) + " is right, " +
                      BitsToString(type, asked.codes[same]) + " in this answer";
  }
  const uint32_t followed = asked.followed->elements[at].code;
  if (followed != asked.expected->elements[at].code) {
    example.message =
        "by the reading that others follow it is " + BitsToString(type, followed);
  }
  if (const auto oracle = errors_->Keep(asked.content->Oracle())) {
    example.clause = (*oracle)->op().ClauseOffendedAt(element.output, type,
                                                      mismatch.expected, mismatch.actual);
  }
  example.replay = ReplayLine(example.case_id, *context_);
  return example;
}

void CellEvidence::AddSteps(const Place& place, const WorkedModel& model,
                            Counterexample& example) const {
  auto steps = errors_->Keep(WorkThrough(AsAnswered(*place.asked), cell_->since_version,
                                         place.mismatch.index, model));
  if (steps) example.steps = *std::move(steps);
}

CellEvidence::Place CellEvidence::PlaceAt(const AskedCase& asked, size_t index) {
  return {
      &asked,
      {static_cast<int64_t>(index), asked.expected->elements[index], asked.codes[index]},
      0};
}

std::vector<size_t> CellEvidence::MismatchesOf(const AskedCase& asked, Tier tier) {
  std::vector<size_t> indices;
  for (size_t i = 0; i < asked.followed->elements.size(); ++i) {
    const ElementAnswer& element = asked.followed->elements[i];
    if (element.tier == tier && !Allows(*asked.followed, i, asked.codes)) {
      indices.push_back(i);
    }
  }
  return indices;
}

std::vector<CellEvidence::Place> CellEvidence::AllUnallowed(Tier tier,
                                                            size_t most) const {
  std::vector<Place> places;
  // Cases of equal content share an answer, and most backends give them equal bits.
  std::set<std::pair<const CaseAnswer*, std::vector<uint32_t>>> seen;
  for (const AskedCase& asked : *asked_) {
    if (asked.left.tiers[static_cast<size_t>(tier)].mismatches == 0) continue;
    if (!seen.emplace(asked.expected.get(), asked.codes).second) continue;
    const std::vector<size_t> indices = MismatchesOf(asked, tier);
    const auto admissible = Weigh(asked, indices);
    for (size_t i = 0; admissible && i < indices.size(); ++i) {
      if ((*admissible)[i]) continue;
      places.push_back(PlaceAt(asked, indices[i]));
      if (places.size() == most) return places;
    }
  }
  return places;
}

std::vector<Counterexample> CellEvidence::FirstMismatch(Tier tier) const {
  for (const AskedCase& asked : *asked_) {
    if (asked.left.tiers[static_cast<size_t>(tier)].mismatches == 0) continue;
    return {Describe(PlaceAt(asked, MismatchesOf(asked, tier).front()))};
  }
  return {};
}

std::optional<std::vector<bool>> CellEvidence::Weigh(
    const AskedCase& asked, std::span<const size_t> indices) const {
  auto admissible = AdmissibleAlone(AsAnswered(asked), indices);
  if (!admissible && ExplainLimit::HasPassed()) return std::nullopt;
  return errors_->Keep(std::move(admissible));
}

std::vector<Counterexample> CellEvidence::OfTier(Tier tier, size_t room) {
  if (room == 0) return {};
  std::vector<Counterexample> examples;
  if (!seconds_) {
    examples = Search(tier, room);
  } else {
    const ExplainLimit limit(*seconds_);
    examples = Search(tier, room);
  }
  // All remembered elements may belong to other tiers.
  return examples.empty() && room > 1 ? FirstMismatch(tier) : examples;
}

std::vector<Counterexample> CellEvidence::Search(Tier tier, size_t room) {
  std::vector<Counterexample> examples;
  const std::vector<Place> places = SimplestFirst(tier, &AskedCase::left);
  // By case, filled for the whole case when its first element is needed.
  std::map<const AskedCase*, std::map<size_t, bool>> alone;
  std::set<std::pair<const CaseAnswer*, int64_t>> shown;
  size_t asked = 0;
  for (const Place& place : places) {
    if (examples.size() == room || asked++ == kMostAsked) break;
    const auto index = static_cast<size_t>(place.mismatch.index);
    // One case is enough if weighing is bounded.
    if (seconds_ && !examples.empty() && !alone.contains(place.asked)) continue;
    std::map<size_t, bool>& of_case = alone[place.asked];
    if (of_case.empty()) {
      std::vector<size_t> indices;
      for (const Place& other : places) {
        if (other.asked != place.asked) continue;
        indices.push_back(static_cast<size_t>(other.mismatch.index));
      }
      const auto admissible = Weigh(*place.asked, indices);
      if (!admissible && ExplainLimit::HasPassed()) return examples;
      for (size_t i = 0; i < indices.size(); ++i) {
        of_case[indices[i]] = admissible && (*admissible)[i];
      }
    }
    if (of_case[index]) continue;
    // Cases of equal content share an answer, so one of them is enough.
    if (!shown.emplace(place.asked->expected.get(), place.mismatch.index).second)
      continue;
    if (!first_) first_ = place;
    examples.push_back(Describe(place));
  }
  if (!examples.empty()) return examples;
  // Only the first elements of each case are remembered, so look at the others.
  for (const Place& place : AllUnallowed(tier, room)) {
    if (!first_) first_ = place;
    examples.push_back(Describe(place));
  }
  if (!examples.empty()) return examples;
  // Elements that some reading allows are shown only if there are no others: the tier as
  // a whole is not explained, but such an element by itself is not a deviation.
  if (room < 2) return examples;
  examples = Conflict(tier);
  for (size_t i = 0; examples.empty() && i < std::min(room, places.size()); ++i) {
    examples.push_back(Describe(places[i]));
  }
  return examples;
}

std::vector<Counterexample> CellEvidence::Conflict(Tier tier) const {
  std::vector<AnsweredCase> answered;
  for (const AskedCase& asked : *asked_) answered.push_back(AsAnswered(asked));
  auto found = FindConflict(answered, tier);
  if (!found && ExplainLimit::HasPassed()) return {};
  const auto conflict = errors_->Keep(std::move(found));
  if (!conflict || !*conflict) return {};
  // First the element that differs from the canonical answer: the other may be just that.
  std::array order{&(*conflict)->first, &(*conflict)->second};
  if (order[0]->choice.is_canonical()) std::swap(order[0], order[1]);
  std::vector<Counterexample> sides;
  for (size_t i = 0; i < order.size(); ++i) {
    const ConflictSide& side = *order[i];
    const AskedCase& asked = (*asked_)[side.case_index];
    const ConflictSide& against = *order[1 - i];
    const AskedCase& beside = (*asked_)[against.case_index];
    const Place place = PlaceAt(asked, side.element);
    Counterexample example = Describe(place);
    example.reading = Spell(side.choice);
    example.clause = FirstClauseOf(side.choice.is_canonical() ? side.other : side.choice);
    example.message =
        "follows " + ReadingName(side.choice) + ", where " + ReadingName(side.other) +
        " gives " + BitsToString(asked.expected->TypeOf(side.element), side.other_code) +
        "; no reading allows both this and " + beside.expected->NameOf(against.element) +
        " = " +
        BitsToString(beside.expected->TypeOf(against.element),
                     beside.codes[against.element]) +
        " of " + (&asked == &beside ? "the same case" : CaseId(beside.op_case->key));
    if (sides.empty() || !side.choice.is_canonical()) {
      AddSteps(place, {.reading = side.choice}, example);
    }
    sides.push_back(std::move(example));
  }
  return sides;
}

std::optional<Counterexample> CellEvidence::OfReading(Tier tier,
                                                      const Explanation& explanation) {
  const std::vector<Place> places = SimplestFirst(tier, &AskedCase::comparison);
  if (places.empty()) return std::nullopt;
  const Place& place = places.front();
  Counterexample example = Describe(place);
  example.reading = explanation.Name();
  example.message.clear();
  WorkedModel worked;
  // The reading set of this model; if the tier is mixed, the longest of its parts.
  const auto key = errors_->Keep(place.asked->content->ReadingsKey());
  for (const Explanation::Part& part : explanation.parts) {
    const auto set = key ? part.reading.sets.find(*key) : part.reading.sets.end();
    if (set == part.reading.sets.end() || set->second.is_canonical()) continue;
    if (!worked.reading || Spell(set->second).size() > Spell(*worked.reading).size()) {
      worked.reading = set->second;
    }
  }
  if (worked.reading) example.clause = FirstClauseOf(*worked.reading);
  AddSteps(place, worked, example);
  return example;
}

NotReproduced CellEvidence::NotReproducedAt(const MissedElement& missed) const {
  const AskedCase& asked = (*asked_)[missed.case_index];
  const Counterexample example = Describe(PlaceAt(asked, missed.element));
  return {.case_id = example.case_id,
          .output = example.output,
          .index = example.index,
          .operands = example.operands,
          .expected = example.expected,
          .actual = example.actual,
          .model = ShownValue(asked.expected->TypeOf(missed.element), missed.model)};
}

std::string_view CellEvidence::ClauseBrokenBy(const WorkedModel& model,
                                              const std::string& case_id) const {
  const OperatorFaults* faults = FindOperatorFaults(cell_->op_type);
  if (faults == nullptr || !model.faults) return "";
  const auto asked = std::ranges::find_if(
      *asked_, [&](const AskedCase& one) { return CaseId(one.op_case->key) == case_id; });
  if (asked == asked_->end()) return "";
  return faults->BrokenClause(*cell_, asked->op_case->model.node,
                              model.broken ? *model.broken : *model.faults);
}

void CellEvidence::Work(std::vector<Counterexample>& examples,
                        const WorkedModel& model) const {
  for (Counterexample& example : examples) {
    // A case without an answer has no cause. The model explains all elements, also those
    // that follow a reading or were moved, so the clause, and with it the finding, is
    // that of the model.
    const bool is_moved =
        example.second_answer && example.second_answer->changed == kChangedPosition;
    if (!example.index.has_value() && !is_moved) continue;
    const std::string_view clause = ClauseBrokenBy(model, example.case_id);
    if (!clause.empty()) example.clause = clause;
  }
  if (!first_) return;
  // Not simply the first example, because a crash or a refusal has no element.
  const Counterexample first = Describe(*first_);
  const auto example =
      std::find_if(examples.begin(), examples.end(), [&](const Counterexample& one) {
        return one.index == first.index && one.case_id == first.case_id;
      });
  if (example != examples.end()) AddSteps(*first_, model, *example);
}

}  // namespace qconform
