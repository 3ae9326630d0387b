#include "reports/record/record_json.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "oracle/base/text.h"

namespace qconform {
namespace {

// Returns the text with each line only once, however often it occurs.
std::string WithoutRepeatedLines(const std::string& text) {
  std::set<std::string> seen;
  std::vector<std::string> lines = Split(text, "\n");
  std::erase_if(lines,
                [&](const std::string& line) { return !seen.insert(line).second; });
  return Joined(lines, "\n");
}

// Makes a text what the document will hold. A backend may list everything that it tried
// before it says why it declined, so repeated lines go first, and whole sentences next.
void Clean(std::string* text) {
  // The mark of what is left out counts, so that doing it twice changes nothing.
  if (text->size() > kLongestText) *text = WithoutRepeatedLines(*text);
  if (text->size() > kLongestText) *text = FirstSentences(*text, kLongestText - 4);
  if (text->size() > kLongestText) *text = Shortened(*text, kLongestText - 3);
  // char is signed on some machines only.
  if (std::any_of(text->begin(), text->end(), [](unsigned char c) { return c > 127; })) {
    *text = ParseJsonOrNull(Dump(*text)).text();
  }
}

// The deviation of a cell, with the cell's diagnosis in front of it.
struct ExplainedDeviation {
  const std::string& explained_by;
  std::optional<Deviation>& deviation;

  bool has_value() const { return deviation.has_value(); }
};

void Describe(Fields& fields, ExplainedDeviation& explained) {
  if (fields.reads()) explained.deviation.emplace();
  if (!explained.explained_by.empty()) {
    fields.Written("explained_by", explained.explained_by);
  }
  Describe(fields, *explained.deviation);
}

// The counts of each tier are in two objects.
void DescribeTiers(Fields& fields, std::vector<TierCounts>& tiers) {
  std::vector<std::pair<std::string, int64_t>> elements, mismatches;
  for (const TierCounts& tier : tiers) {
    elements.emplace_back(tier.tier, tier.elements);
    if (tier.mismatches > 0) mismatches.emplace_back(tier.tier, tier.mismatches);
  }
  fields.Required("elements", elements, "mismatches", mismatches);
  if (!fields.reads()) return;
  for (const auto& [tier, count] : elements) tiers.push_back({tier, count, 0});
  for (const auto& [tier, count] : mismatches) {
    const auto found = std::ranges::find(tiers, tier, &TierCounts::tier);
    fields.Check(found != tiers.end(), "mismatches",
                 "expected tiers that have elements, got " + tier);
    if (found != tiers.end()) found->mismatches = count;
  }
}

// Whether a word begins as ids of clauses do: capital letters, a hyphen and a digit.
bool BeginsWithClause(const std::string& text) {
  const size_t hyphen = text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  return hyphen != 0 && hyphen != std::string::npos && text[hyphen] == '-' &&
         hyphen + 1 < text.size() && text[hyphen + 1] >= '0' && text[hyphen + 1] <= '9';
}

// An observation as version 1.0 had it, "CLAUSE CLASS: BEHAVIOUR, unstable"; nothing if
// the note is none.
std::optional<Observation> ObservationFromNote(const std::string& note) {
  if (!BeginsWithClause(note)) return std::nullopt;
  const size_t space = note.find(' ');
  const size_t colon = note.find(": ");
  if (space == std::string::npos || colon == std::string::npos || space > colon) {
    return std::nullopt;
  }
  Observation observation{
      note.substr(0, space), note.substr(space + 1, colon - space - 1), {}, {}};
  for (std::string& word : Split(note.substr(colon + 2), ", ")) {
    if (word == "unstable") {
      observation.varies_with = {"alignment"};  // the only thing that version 1.0 tried
    } else {
      observation.behaviours.push_back(std::move(word));
    }
  }
  return observation;
}

void MoveObservationsFromNotes(CellRecord& cell) {
  std::erase_if(cell.notes, [&](const std::string& note) {
    auto observation = ObservationFromNote(note);
    if (observation) cell.observed.push_back(*std::move(observation));
    return observation.has_value();
  });
}

void CheckWord(const Fields& fields, const char* key, const std::string& word,
               std::initializer_list<std::string_view> words) {
  const bool right = std::find(words.begin(), words.end(), word) != words.end();
  fields.Check(right, key,
               "expected " + Joined(words, " or ") + ", got \"" + word + "\"");
}

}  // namespace

void CleanTexts(CellRecord* cell) {
  Clean(&cell->reading);
  Clean(&cell->diagnosis);
  Clean(&cell->reason);
  for (std::string& note : cell->notes) Clean(&note);
  for (Counterexample& example : cell->counterexamples) {
    Clean(&example.message);
    Clean(&example.replay);
  }
  if (cell->example) Clean(&cell->example->replay);
  for (VariedRecord& varied : cell->varied) {
    Clean(&varied.reading);
    Clean(&varied.diagnosis);
    Clean(&varied.not_found);
    if (!varied.example) continue;
    Clean(&varied.example->message);
    Clean(&varied.example->replay);
  }
}

void CleanTexts(NodeTestRecord* test) { Clean(&test->reason); }

void CleanTexts(NegativeRecord* record) { Clean(&record->text); }

void Convert(const JsonPlace& place, Verdict& verdict) {
  const bool later = place.reads() && place.state().later_words;
  ConvertWord(place, verdict, AllVerdicts(), VerdictName,
              later ? VerdictOfLaterVersion : ParseVerdict);
}

void Convert(const JsonPlace& place, NodeVerdict& verdict) {
  ConvertWord(place, verdict, AllNodeVerdicts(), NodeVerdictName, ParseNodeVerdict);
}

void Convert(const JsonPlace& place, NegativeResult& result) {
  ConvertWord(place, result, AllNegativeResults(), NegativeResultName,
              ParseNegativeResult);
}

void Describe(Fields& fields, CellRecord& cell) {
  fields.Required("cell", cell.cell);
  fields.Optional("part", cell.part);
  fields.Required("verdict", cell.verdict, "op_type", cell.op_type, "since_version",
                  cell.since_version, "types", cell.types, "granularity",
                  cell.granularity, "opset_versions", cell.opset_versions);
  fields.Check(!cell.types.empty(), "types", "expected data types, got []");
  fields.Optional("judged_at_opset_version", cell.judged_at_opset_version);
  fields.Required("verdicts", cell.forms);
  fields.Optional("variants", cell.variants, "variants_by_chance",
                  cell.variants_by_chance, "varied", cell.varied);
  fields.Required("cases", cell.cases, "declined", cell.declined);
  fields.Optional("refused_legal", cell.refused_legal);
  DescribeTiers(fields, cell.tiers);
  fields.Required("free", cell.free, "coverage", cell.coverage);
  fields.Optional("dynamic_shapes", cell.dynamic_shapes);
  CheckWord(fields, "dynamic_shapes", cell.dynamic_shapes,
            {kDynamicShapesAnswered, kDynamicShapesDeclined, ""});
  fields.Optional("reading", cell.reading, "not_told_apart", cell.not_told_apart, "mixed",
                  cell.mixed, "bound_only", cell.bound_only, "by_wider_bound",
                  cell.by_wider_bound, "diagnosis", cell.diagnosis);
  fields.Optional("not_explained", cell.not_explained);
  fields.Optional("deviation", ExplainedDeviation{cell.diagnosis, cell.deviation},
                  "reason", cell.reason, "observed", cell.observed, "notes", cell.notes,
                  "counterexamples", cell.counterexamples, "example", cell.example);
  if (fields.reads() && fields.place().state().is_1_0) MoveObservationsFromNotes(cell);
}

void Describe(Fields& fields, NodeTestRecord& test) {
  fields.Required("name", test.name, "verdict", test.verdict, "release", test.release,
                  "op_type", test.op_type, "opset_version", test.opset_version);
  fields.Optional("reason", test.reason, "digest", test.digest);
}

void Describe(Fields& fields, NegativeRecord& record) {
  fields.Required("id", record.id, "result", record.result, "kind", record.kind, "clause",
                  record.clause, "op_type", record.op_type, "opset_version",
                  record.opset_version, "phase", record.phase);
  fields.Optional("text", record.text);
}

void Describe(Fields& fields, ValueRecord& value) {
  fields.Required("bits", value.bits, "value", value.value);
}

void Describe(Fields& fields, OperandRecord& operand) {
  fields.Required("name", operand.name, "type", operand.type);
  Describe(fields, operand.value);
}

void Describe(Fields& fields, WorkedStep& step) {
  fields.Required("step", step.step);
  fields.Optional("expected", step.expected, "actual", step.actual);
}

void Describe(Fields& fields, SecondAnswer& answer) {
  fields.Required("changed", answer.changed);
  fields.Optional("output", answer.output, "index", answer.index, "first", answer.first,
                  "second", answer.second);
}

void Describe(Fields& fields, Counterexample& example) {
  fields.Required("case", example.case_id);
  fields.Optional("tier", example.tier, "operand_form", example.operand_form, "output",
                  example.output, "index", example.index, "operands", example.operands,
                  "expected", example.expected, "actual", example.actual, "clause",
                  example.clause, "message", example.message, "reading", example.reading,
                  "steps", example.steps, "second_answer", example.second_answer);
  fields.Required("replay", example.replay);
}

void Describe(Fields& fields, NotReproduced& element) {
  fields.Required("case", element.case_id);
  fields.Optional("output", element.output, "index", element.index, "operands",
                  element.operands);
  fields.Required("expected", element.expected, "actual", element.actual, "model",
                  element.model);
}

void Describe(Fields& fields, Deviation& deviation) {
  fields.Optional("follows", deviation.follows, "nearest", deviation.nearest,
                  "not_reproduced", deviation.not_reproduced, "model", deviation.model,
                  "indistinguishable_from", deviation.indistinguishable_from,
                  "also_explained_by", deviation.also_explained_by);
  fields.Required("elements_deviating", deviation.elements_deviating,
                  "elements_explained", deviation.elements_explained);
  fields.Check(deviation.elements_explained <= deviation.elements_deviating,
               "elements_explained",
               "expected at most the " + std::to_string(deviation.elements_deviating) +
                   " that deviate, got " + std::to_string(deviation.elements_explained));
  fields.Optional("elements_confirmed", deviation.elements_confirmed, "pattern",
                  deviation.pattern, "rerun", deviation.rerun, "mixed_readings",
                  deviation.mixed_readings);
}

void Describe(Fields& fields, Observation& observation) {
  fields.Required("clause", observation.clause, "input_class", observation.input_class,
                  "behaviours", observation.behaviours);
  fields.Optional("varies_with", observation.varies_with);
}

void Describe(Fields& fields, VariedRecord& varied) {
  fields.Required("setting", varied.setting, "verdict", varied.verdict);
  fields.Optional("reading", varied.reading, "diagnosis", varied.diagnosis, "without",
                  varied.without, "not_found", varied.not_found, "example",
                  varied.example);
}

void Describe(Fields& fields, MixedTier& mixed) {
  fields.Required("tier", mixed.tier, "by", mixed.by, "parts", mixed.parts);
  CheckWord(fields, "by", mixed.by, {kMixedByOperandForm, kMixedByRows});
}

void Describe(Fields& fields, BoundOnlyTier& tier) {
  fields.Required("tier", tier.tier, "readings", tier.readings);
}

void Describe(Fields& fields, FindingRecord& finding) {
  fields.Written("finding", finding.id.Text(), "op_type", finding.id.op_type, "group",
                 finding.id.group, "clause", finding.id.clause, "diagnosis",
                 finding.id.diagnosis, "inputs", finding.id.inputs, "output",
                 finding.id.output, "since_versions", finding.since_versions, "elements",
                 finding.elements);
  fields.Optional("patterns", finding.patterns, "example", finding.example);
  fields.Written("cells", finding.cells);
}

}  // namespace qconform
