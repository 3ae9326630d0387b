// The evidence of a cell as JSON: counterexamples, deviations, observations.
#include <algorithm>

#include "reports/record/record_json.h"

namespace qconform {
namespace {

void SetTexts(Json& object, const char* key, const std::vector<std::string>& texts) {
  if (!texts.empty()) object[key] = texts;
}

std::vector<std::string> TextsOrNone(const Fields& fields, const char* key) {
  return fields.Has(key) ? fields.Strings(key) : std::vector<std::string>();
}

ValueRecord ValueFromJson(const Fields& fields) {
  return {fields.String("bits"), fields.String("value")};
}

bool HasValue(const ValueRecord& value) {
  return !value.bits.empty() || !value.value.empty();
}

}  // namespace

Json CounterexampleToJson(const Counterexample& example) {
  Json json = Json::object();
  json["case"] = example.case_id;
  SetText(json, "tier", example.tier);
  SetText(json, "operand_form", example.operand_form);
  if (example.index) json["index"] = *example.index;
  if (!example.operands.empty()) {
    json["operands"] = OperandsToJson(example.operands);
  }
  if (HasValue(example.expected)) json["expected"] = ValueToJson(example.expected);
  if (HasValue(example.actual)) json["actual"] = ValueToJson(example.actual);
  SetText(json, "clause", example.clause);
  SetText(json, "message", example.message);
  SetText(json, "reading", example.reading);
  if (!example.steps.empty()) {
    Json& steps = json["steps"] = Json::array();
    for (const WorkedStep& step : example.steps) {
      Json item = Json::object();
      item["step"] = step.step;
      SetText(item, "expected", step.expected);
      SetText(item, "actual", step.actual);
      steps.push_back(std::move(item));
    }
  }
  json["replay"] = example.replay;
  return json;
}

Counterexample CounterexampleFromJson(const Fields& fields) {
  Counterexample example;
  example.case_id = fields.String("case");
  example.tier = fields.String("tier", "");
  example.operand_form = fields.String("operand_form", "");
  if (fields.Has("index")) {
    const Json& index = fields.value()["index"];
    const bool right =
        index.is_array() && std::all_of(index.begin(), index.end(), [](const Json& item) {
          return item.is_number_integer() && item.get<int64_t>() >= 0;
        });
    if (right) {
      example.index = index.get<Shape>();
    } else {
      fields.Fail("index", "is no array of integers from 0 up");
    }
  }
  if (fields.Has("operands")) {
    for (const Fields& operand : fields.Objects("operands")) {
      example.operands.push_back(
          {operand.String("name"), operand.Type("type"), ValueFromJson(operand)});
    }
  }
  if (fields.Has("expected")) example.expected = ValueFromJson(fields.Object("expected"));
  if (fields.Has("actual")) example.actual = ValueFromJson(fields.Object("actual"));
  example.clause = fields.String("clause", "");
  example.message = fields.String("message", "");
  example.reading = fields.String("reading", "");
  if (fields.Has("steps")) {
    for (const Fields& step : fields.Objects("steps")) {
      example.steps.push_back(
          {step.String("step"), step.String("expected", ""), step.String("actual", "")});
    }
  }
  example.replay = fields.String("replay");
  return example;
}

Json ValueToJson(const ValueRecord& value) {
  Json json = Json::object();
  json["bits"] = value.bits;
  json["value"] = value.value;
  return json;
}

Json OperandsToJson(const std::vector<OperandRecord>& operands) {
  Json json = Json::array();
  for (const OperandRecord& operand : operands) {
    Json item = Json::object();
    item["name"] = operand.name;
    item["type"] = DataTypeName(operand.type);
    item["bits"] = operand.value.bits;
    item["value"] = operand.value.value;
    json.push_back(std::move(item));
  }
  return json;
}

Json DeviationToJson(const std::string& explained_by, const Deviation& deviation) {
  Json json = Json::object();
  SetText(json, "explained_by", explained_by);
  SetText(json, "follows", deviation.follows);
  SetText(json, "nearest", deviation.nearest);
  SetText(json, "model", deviation.model);
  SetTexts(json, "indistinguishable_from", deviation.indistinguishable_from);
  SetTexts(json, "also_explained_by", deviation.also_explained_by);
  json["elements_deviating"] = deviation.elements_deviating;
  json["elements_explained"] = deviation.elements_explained;
  if (deviation.elements_confirmed > 0) {
    json["elements_confirmed"] = deviation.elements_confirmed;
  }
  SetTexts(json, "pattern", deviation.pattern);
  SetTexts(json, "mixed_readings", deviation.mixed_readings);
  return json;
}

Deviation DeviationFromJson(const Fields& fields) {
  Deviation deviation;
  deviation.follows = fields.String("follows", "");
  deviation.nearest = fields.String("nearest", "");
  deviation.model = fields.String("model", "");
  deviation.indistinguishable_from = TextsOrNone(fields, "indistinguishable_from");
  deviation.also_explained_by = TextsOrNone(fields, "also_explained_by");
  deviation.elements_deviating = fields.Count("elements_deviating");
  deviation.elements_explained = fields.Count("elements_explained");
  deviation.elements_confirmed = fields.Count("elements_confirmed", 0);
  deviation.pattern = TextsOrNone(fields, "pattern");
  deviation.mixed_readings = TextsOrNone(fields, "mixed_readings");
  if (deviation.elements_explained > deviation.elements_deviating) {
    fields.Fail("elements_explained", "is more than deviate");
  }
  return deviation;
}

Json ObservationToJson(const Observation& observation) {
  Json json = Json::object();
  json["clause"] = observation.clause;
  json["input_class"] = observation.input_class;
  json["behaviours"] = observation.behaviours;
  SetTexts(json, "varies_with", observation.varies_with);
  return json;
}

Observation ObservationFromJson(const Fields& fields) {
  return {fields.String("clause"), fields.String("input_class"),
          fields.Strings("behaviours"), TextsOrNone(fields, "varies_with")};
}

Json FindingsToJson(const std::vector<FindingRecord>& findings) {
  Json list = Json::array();
  for (const FindingRecord& finding : findings) {
    Json item = Json::object();
    item["finding"] = finding.id.Text();
    item["op_type"] = finding.id.op_type;
    item["group"] = finding.id.group;
    item["clause"] = finding.id.clause;
    item["diagnosis"] = finding.id.diagnosis;
    item["inputs"] = finding.id.inputs;
    item["output"] = finding.id.output;
    item["since_versions"] = finding.since_versions;
    item["elements"] = finding.elements;
    if (!finding.patterns.empty()) item["patterns"] = finding.patterns;
    if (finding.example) item["example"] = CounterexampleToJson(*finding.example);
    item["cells"] = finding.cells;
    list.push_back(std::move(item));
  }
  return list;
}

// "QL-12 NaN to an integer: qmin, unstable"
std::optional<Observation> ObservationFromNote(const std::string& note) {
  if (!note.starts_with("QL-") && !note.starts_with("MM-")) return std::nullopt;
  const size_t space = note.find(' ');
  const size_t colon = note.find(": ");
  if (space == std::string::npos || colon == std::string::npos || space > colon) {
    return std::nullopt;
  }
  Observation observation{
      note.substr(0, space), note.substr(space + 1, colon - space - 1), {}, {}};
  for (size_t start = colon + 2; start < note.size();) {
    const size_t end = std::min(note.find(", ", start), note.size());
    std::string word = note.substr(start, end - start);
    if (word == "unstable") {
      observation.varies_with = {"alignment"};  // what version 1.0 tried
    } else {
      observation.behaviours.push_back(std::move(word));
    }
    start = end + 2;
  }
  return observation;
}

}  // namespace qconform
