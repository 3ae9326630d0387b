#include "harness/explain/answer_json.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cases/lattice/cell.h"
#include "cases/lattice/definitions.h"
#include "cases/model/lookup.h"
#include "harness/core/granularity.h"
#include "harness/core/value_text.h"
#include "harness/explain/outputs_text.h"
#include "harness/explain/question.h"
#include "oracle/base/expected.h"
#include "oracle/base/json.h"
#include "oracle/core/operator.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

struct Asked {
  std::string op_type;
  int opset_version = 0;
  std::vector<std::string> settings;
  std::optional<uint64_t> element{};
  std::string actual{};
};

Result<Asked> ReadAsked(std::string_view text) {
  const auto json = ParseJson(text, "question");
  if (!json) return json.error();
  const auto wrong = [](const char* key, const char* expected) {
    return Expected(std::string("question: ") + key, expected, "another value or none");
  };
  const auto is_count = [](const Json& value) {
    return value.is_number_unsigned() && value.get<uint64_t>() <= 1 << 30;
  };
  Asked asked;
  const Json& op_type = (*json)["operator"];
  if (!op_type.is_string()) return wrong("operator", "a text");
  asked.op_type = op_type.text();
  const Json& settings = (*json)["settings"];
  if (!settings.is_array()) return wrong("settings", "a list of texts");
  for (const Json& setting : settings) {
    if (!setting.is_string()) return wrong("settings", "a list of texts");
    asked.settings.push_back(setting.text());
  }
  if (const Json* opset = json->Find("opset")) {
    if (!is_count(*opset) || opset->get<int>() < 1 || opset->get<int>() > 1000) {
      return wrong("opset", "an integer from 1 to 1000");
    }
    asked.opset_version = opset->get<int>();
  }
  if (const Json* element = json->Find("element")) {
    if (!is_count(*element)) return wrong("element", "an integer from 0");
    asked.element = element->get<uint64_t>();
  }
  if (const Json* actual = json->Find("actual")) {
    if (!actual->is_string()) return wrong("actual", "a text");
    asked.actual = actual->text();
  }
  return asked;
}

std::string Name(DataType type) { return std::string(DataTypeName(type)); }

Json TensorJson(const std::string& name, DataType type, const Shape& shape,
                std::span<const uint32_t> codes) {
  Json values = Json::array();
  for (const uint32_t code : codes) values.push_back(CodeText(type, code));
  return {{"name", name},
          {"type", Name(type)},
          {"shape", ShapeToString(shape)},
          {"values", std::move(values)}};
}

Json OutputsJson(const CaseAnswer& answer, std::span<const uint32_t> codes) {
  Json outputs = Json::array();
  for (size_t i = 0; i < answer.outputs.size(); ++i) {
    const OutputForm& form = answer.outputs[i];
    outputs.push_back(TensorJson(form.name, form.type, form.shape,
                                 codes.subspan(form.first, answer.SizeOf(i))));
  }
  return outputs;
}

Json StepsJson(const std::vector<WorkedStep>& steps) {
  Json json = Json::array();
  for (const WorkedStep& step : steps) {
    Json one = {{"step", step.step}, {"expected", step.expected}};
    if (!step.actual.empty()) one["actual"] = step.actual;
    json.push_back(std::move(one));
  }
  return json;
}

Json OthersJson(const CaseAnswer& answer, const OtherAnswers& others) {
  Json readings = Json::array();
  for (size_t i = 0; i < others.readings.size() && i < kMostShown; ++i) {
    const auto& [name, codes] = others.readings[i];
    readings.push_back({{"name", name}, {"outputs", OutputsJson(answer, codes)}});
  }
  return {{"freedoms", others.freedoms},
          {"free_elements", others.free_elements},
          {"readings", std::move(readings)},
          {"readings_in_all", others.readings.size()},
          {"bounds", others.bounds}};
}

Json JudgedCodesJson(const CaseAnswer& answer, const JudgedCodes& judgement,
                     std::span<const uint32_t> codes) {
  using Kind = JudgedCodes::Kind;
  Json json = {{"verdict", judgement.kind == Kind::kRight        ? "right"
                           : judgement.kind == Kind::kAdmissible ? "admissible"
                                                                 : "deviates"},
               {"outputs", OutputsJson(answer, codes)}};
  if (!judgement.readings.empty()) json["readings"] = judgement.readings;
  if (judgement.kind != Kind::kDeviates) return json;
  json["element"] = answer.NameOf(judgement.element);
  json["steps"] = StepsJson(judgement.steps);
  Json models = Json::array();
  for (const GivingModel& model : judgement.models) {
    models.push_back({{"name", model.fault->name}, {"sentence", model.sentence}});
  }
  json["models"] = std::move(models);
  return json;
}

Result<Json> AnswerTo(std::string_view text) {
  const auto asked = ReadAsked(text);
  if (!asked) return asked.error();
  auto fed = ReadQuestion(asked->op_type, asked->opset_version, asked->settings);
  if (!fed) return fed.error();
  const auto question = Explained::Create(*std::move(fed));
  if (!question) return question.error();
  const CaseAnswer& answer = question->answer();
  if (const Status checked = CheckElement(answer, asked->element); !checked) {
    return checked.error();
  }
  std::optional<std::vector<uint32_t>> actual;
  if (!asked->actual.empty()) {
    auto read = ReadActual(asked->actual, answer);
    if (!read) return read.error();
    actual = *std::move(read);
  }

  const Model& model = question->model();
  const std::vector<uint32_t> codes = question->Codes();
  Json inputs = Json::array();
  for (size_t i = 0; i < model.inputs.size(); ++i) {
    const Tensor& tensor = question->inputs()[i];
    inputs.push_back({{"name", model.inputs[i].name},
                      {"type", Name(tensor.type)},
                      {"shape", ShapeToString(tensor.shape)},
                      {"text", TensorText(tensor)}});
  }
  Json attributes = Json::array();
  for (const Attribute& attribute : model.node.attributes) {
    attributes.push_back(attribute.name + " = " + AttributeText(attribute));
  }
  Json json = {{"operator", model.node.op_type},
               {"opset", model.opset_version},
               {"since_version", question->since_version()},
               {"note", question->note()},
               {"cell", CellOfQuestion(*question)},
               {"inputs", std::move(inputs)},
               {"attributes", std::move(attributes)},
               {"outputs", OutputsJson(answer, codes)}};
  if (!answer.elements.empty()) {
    const size_t element = asked->element.value_or(0);
    const auto steps = StepsOf(*question, static_cast<int64_t>(element), nullptr, {});
    if (!steps) return steps.error();
    json["element"] = answer.NameOf(element);
    json["steps"] = StepsJson(*steps);
  }
  const auto others = OtherAnswersOf(*question);
  if (!others) return others.error();
  json["others"] = OthersJson(answer, *others);
  const auto worked = AnswerText(*question, asked->element);
  if (!worked) return worked.error();
  std::string printed = QuestionText(*question);
  if (!question->note().empty()) printed += "note: " + question->note() + "\n";
  printed += "\n" + *worked;
  if (actual) {
    const auto judgement = JudgeCodes(*question, *actual, asked->element);
    if (!judgement) return judgement.error();
    json["actual"] = JudgedCodesJson(answer, *judgement, *actual);
    printed += "\nactual:\n" + OutputsText("  ", answer, *actual) +
               JudgedCodesText(*question, *judgement);
  }
  json["text"] = std::move(printed);
  return json;
}

}  // namespace

std::string CellOfQuestion(const Explained& question) {
  const Model& model = question.model();
  const Operator* op = FindOperator(model.node.op_type);
  if (op == nullptr || model.node.is_graph()) return "";
  Cell cell{.op_type = model.node.op_type,
            .since_version = question.since_version(),
            .types = {},
            .granularity = GranularityOfNode(
                *op, model.node,
                CellGranularities(model.node.op_type, question.since_version()),
                [&](const std::string& name) -> std::optional<Shape> {
                  const ValueInfo* input = FindInput(model, name);
                  return input == nullptr ? std::nullopt : std::optional(input->shape);
                })};
  if (cell.granularity.empty()) return "";
  // A formal that is left out has the type that the definition gives it.
  for (const std::string& formal : CellFormals(model.node.op_type)) {
    DataType type = DataType::kUndefined;
    for (const auto* infos : {&model.inputs, &model.outputs}) {
      for (const ValueInfo& info : *infos) {
        if (info.name == formal) type = info.type;
      }
    }
    if (type == DataType::kUndefined) return "";
    cell.types.push_back(type);
  }
  return CellId(cell);
}

std::string ErrorJson(const std::string& message) {
  Json json = Json::object();
  json["error"] = message;
  return Dump(json);
}

std::string AnswerJson(std::string_view question) {
  const auto answer = AnswerTo(question);
  return answer ? Dump(*answer) : ErrorJson(answer.error().message);
}

}  // namespace qconform
