#include "reports/record/record_json.h"

#include <algorithm>

namespace qconform {

void SetText(Json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

namespace {

Verdict VerdictOf(const Fields& fields, std::string_view key, VerdictWords words) {
  const auto parse = words == VerdictWords::kLater ? VerdictOfLaterVersion : ParseVerdict;
  return fields.Word(key, parse, AllVerdicts, VerdictName);
}

// Makes a text what the document will hold.
void Clean(std::string* text) {
  if (text->size() > kLongestText) {
    size_t end = kLongestText - 3;  // so that doing it twice changes nothing
    while (end > 0 && (static_cast<unsigned char>((*text)[end]) & 0xC0) == 0x80) --end;
    *text = text->substr(0, end) + "...";
  }
  // char has a sign on some machines alone.
  if (std::any_of(text->begin(), text->end(), [](unsigned char c) { return c > 127; })) {
    *text = ParseJsonOrNull(Dump(*text)).text();
  }
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
}

void CleanTexts(NodeTestRecord* test) { Clean(&test->reason); }

void CleanTexts(NegativeRecord* record) { Clean(&record->text); }

Json CellToJson(const CellRecord& cell) {
  Json json = Json::object();
  json["cell"] = cell.cell;
  json["verdict"] = VerdictName(cell.verdict);
  json["op_type"] = cell.op_type;
  json["since_version"] = cell.since_version;
  Json& types = json["types"] = Json::array();
  for (const DataType type : cell.types) types.push_back(DataTypeName(type));
  json["granularity"] = cell.granularity;
  Json& opsets = json["opset_versions"] = Json::object();
  for (const OpsetRecord& opset : cell.opset_versions) {
    opsets[std::to_string(opset.opset_version)] = VerdictName(opset.verdict);
  }
  if (cell.judged_at_opset_version != 0) {
    json["judged_at_opset_version"] = cell.judged_at_opset_version;
  }
  Json& verdicts = json["verdicts"] = Json::object();
  for (const FormRecord& form : cell.forms) {
    Json& tiers = verdicts[form.form] = Json::object();
    for (const TierRecord& tier : form.tiers)
      tiers[tier.tier] = VerdictName(tier.verdict);
  }
  json["cases"] = cell.cases;
  json["declined"] = cell.declined;
  json["elements"] = Json::object();
  json["mismatches"] = Json::object();
  for (const TierCounts& tier : cell.tiers) {
    json["elements"][tier.tier] = tier.elements;
    if (tier.mismatches > 0) json["mismatches"][tier.tier] = tier.mismatches;
  }
  json["free"] = cell.free;
  json["coverage"] = cell.coverage;
  SetText(json, "dynamic_shapes", cell.dynamic_shapes);
  SetText(json, "reading", cell.reading);
  if (!cell.not_told_apart.empty()) json["not_told_apart"] = cell.not_told_apart;
  for (const MixedTier& mixed : cell.mixed) {
    Json parts = Json::object();
    for (const MixedPart& part : mixed.parts) parts[part.part] = part.reading;
    json["mixed"].push_back({{"tier", mixed.tier}, {"by", mixed.by}, {"parts", parts}});
  }
  for (const BoundOnlyTier& tier : cell.bound_only) {
    json["bound_only"].push_back({{"tier", tier.tier}, {"readings", tier.readings}});
  }
  SetText(json, "diagnosis", cell.diagnosis);
  if (cell.deviation)
    json["deviation"] = DeviationToJson(cell.diagnosis, *cell.deviation);
  SetText(json, "reason", cell.reason);
  if (!cell.observed.empty()) {
    Json& observed = json["observed"] = Json::array();
    for (const Observation& one : cell.observed)
      observed.push_back(ObservationToJson(one));
  }
  if (!cell.notes.empty()) {
    json["notes"] = cell.notes;
  }
  if (!cell.counterexamples.empty()) {
    Json& examples = json["counterexamples"] = Json::array();
    for (const Counterexample& example : cell.counterexamples) {
      examples.push_back(CounterexampleToJson(example));
    }
  }
  if (cell.example) json["example"] = CounterexampleToJson(*cell.example);
  return json;
}

CellRecord CellFromJson(const Fields& fields, VerdictWords words) {
  CellRecord cell;
  cell.cell = fields.String("cell");
  cell.verdict = VerdictOf(fields, "verdict", words);
  cell.op_type = fields.String("op_type");
  cell.since_version = fields.Int("since_version");
  cell.types = fields.Types("types");
  if (cell.types.empty())
    fields.Fail("types", "is empty; the cell's data types are right");
  cell.granularity = fields.String("granularity");
  for (const auto& [name, opset] : fields.Object("opset_versions").Members()) {
    OpsetRecord record;
    const bool number = !name.empty() && name.size() <= 9 &&
                        name.find_first_not_of("0123456789") == std::string::npos;
    if (number) {
      record.opset_version = std::stoi(name);
    } else {
      opset.Fail("", "is named \"" + name + "\"; an opset_version is right");
    }
    record.verdict = VerdictOf(fields.Object("opset_versions"), name, words);
    cell.opset_versions.push_back(record);
  }
  if (fields.Has("judged_at_opset_version")) {
    cell.judged_at_opset_version = fields.Int("judged_at_opset_version");
  }
  for (const auto& [form, tiers] : fields.Object("verdicts").Members()) {
    FormRecord record{form, {}};
    for (const auto& [tier, word] : tiers.Members()) {
      record.tiers.push_back({tier, VerdictOf(tiers, tier, words)});
    }
    cell.forms.push_back(std::move(record));
  }
  cell.cases = fields.Count("cases");
  cell.declined = fields.Count("declined");
  const Fields elements = fields.Object("elements");
  const Fields mismatches = fields.Object("mismatches");
  for (const auto& [tier, count] : elements.Members()) {
    cell.tiers.push_back({tier, elements.Count(tier), mismatches.Count(tier, 0)});
  }
  for (const auto& [tier, count] : mismatches.Members()) {
    if (!elements.Has(tier))
      count.Fail("", "counts mismatches of a tier without elements");
  }
  cell.free = fields.Count("free");
  cell.coverage = fields.CountMap("coverage");
  cell.dynamic_shapes = fields.String("dynamic_shapes", "");
  if (!cell.dynamic_shapes.empty() && cell.dynamic_shapes != kDynamicShapesAnswered &&
      cell.dynamic_shapes != kDynamicShapesDeclined) {
    fields.Fail("dynamic_shapes", "is \"" + cell.dynamic_shapes +
                                      "\"; \"answered\" and \"declined\" are right");
  }
  cell.reading = fields.String("reading", "");
  if (fields.Has("not_told_apart")) {
    cell.not_told_apart = fields.Strings("not_told_apart");
  }
  if (fields.Has("mixed")) {
    for (const Fields& one : fields.Objects("mixed")) {
      MixedTier mixed{one.String("tier"), one.String("by"), {}};
      if (mixed.by != kMixedByOperandForm && mixed.by != kMixedByRows) {
        one.Fail("by", "is \"" + mixed.by + "\"; \"operand_form\" and \"M\" are right");
      }
      for (const auto& [part, reading] : one.Object("parts").Members()) {
        mixed.parts.push_back({part, one.Object("parts").String(part)});
      }
      cell.mixed.push_back(std::move(mixed));
    }
  }
  if (fields.Has("bound_only")) {
    for (const Fields& one : fields.Objects("bound_only")) {
      cell.bound_only.push_back({one.String("tier"), one.Strings("readings")});
    }
  }
  cell.diagnosis = fields.String("diagnosis", "");
  cell.reason = fields.String("reason", "");
  if (fields.Has("deviation")) {
    cell.deviation = DeviationFromJson(fields.Object("deviation"));
  }
  if (fields.Has("observed")) {
    for (const Fields& one : fields.Objects("observed")) {
      cell.observed.push_back(ObservationFromJson(one));
    }
  }
  if (fields.Has("notes")) {
    for (std::string& note : fields.Strings("notes")) {
      // Version 1.0 had no members for observations and diagnoses.
      if (auto observation = ObservationFromNote(note)) {
        cell.observed.push_back(*std::move(observation));
      } else {
        cell.notes.push_back(std::move(note));
      }
    }
  }
  if (fields.Has("counterexamples")) {
    for (const Fields& example : fields.Objects("counterexamples")) {
      cell.counterexamples.push_back(CounterexampleFromJson(example));
    }
  }
  if (fields.Has("example")) {
    cell.example = CounterexampleFromJson(fields.Object("example"));
  }
  return cell;
}

Json NodeTestToJson(const NodeTestRecord& test) {
  Json json = Json::object();
  json["name"] = test.name;
  json["verdict"] = NodeVerdictName(test.verdict);
  json["release"] = test.release;
  json["op_type"] = test.op_type;
  json["opset_version"] = test.opset_version;
  SetText(json, "reason", test.reason);
  SetText(json, "digest", test.digest);
  return json;
}

NodeTestRecord NodeTestFromJson(const Fields& fields) {
  NodeTestRecord test;
  test.name = fields.String("name");
  test.verdict =
      fields.Word("verdict", ParseNodeVerdict, AllNodeVerdicts, NodeVerdictName);
  test.release = fields.String("release");
  test.op_type = fields.String("op_type");
  test.opset_version = fields.Int("opset_version");
  test.reason = fields.String("reason", "");
  test.digest = fields.String("digest", "");
  return test;
}

Json NegativeToJson(const NegativeRecord& record) {
  Json json = Json::object();
  json["id"] = record.id;
  json["result"] = NegativeResultName(record.result);
  json["kind"] = record.kind;
  json["clause"] = record.clause;
  json["op_type"] = record.op_type;
  json["opset_version"] = record.opset_version;
  json["phase"] = record.phase;
  SetText(json, "text", record.text);
  return json;
}

NegativeRecord NegativeFromJson(const Fields& fields) {
  NegativeRecord record;
  record.id = fields.String("id");
  record.result =
      fields.Word("result", ParseNegativeResult, AllNegativeResults, NegativeResultName);
  record.kind = fields.String("kind");
  record.clause = fields.String("clause");
  record.op_type = fields.String("op_type");
  record.opset_version = fields.Int("opset_version");
  record.phase = fields.String("phase");
  record.text = fields.String("text", "");
  return record;
}

}  // namespace qconform
