#include <algorithm>
#include <string>

#include "harness/core/bound_model.h"
#include "harness/core/operands.h"
#include "harness/core/operator_faults.h"
#include "harness/explain/explained.h"
#include "harness/explain/outputs_text.h"
#include "harness/explain/question.h"
#include "reports/record/evidence.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

std::string Indented(const std::string& indent, const std::string& text) {
  return indent + OneLine(text) + "\n";
}

}  // namespace

std::string QuestionText(const Explained& question) {
  const Model& model = question.model();
  std::string text = Indented(
      "", model.node.op_type + ", opset_version " + std::to_string(model.opset_version) +
              " (since_version " + std::to_string(question.since_version()) + ")");
  size_t width = 0;
  for (const ValueInfo& input : model.inputs) width = std::max(width, input.name.size());
  for (const auto& [name, tensor] : model.initializers) {
    width = std::max(width, name.size());
  }
  const auto add = [&](const std::string& name, const Tensor& tensor, const char* kind) {
    text += Indented("  ", name + std::string(width - name.size() + 2, ' ') +
                               std::string(DataTypeName(tensor.type)) +
                               ShapeToString(tensor.shape) + "  " + TensorText(tensor) +
                               kind);
  };
  for (size_t i = 0; i < model.inputs.size(); ++i) {
    add(model.inputs[i].name, question.inputs()[i], "");
  }
  for (const auto& [name, tensor] : model.initializers) add(name, tensor, "  constant");
  return text + NodesText(model.node, "  ");
}

Result<std::string> IntermediatesText(const Explained& question) {
  const Node& graph = question.model().node;
  if (!graph.is_graph()) return std::string();
  const auto operands = ResolveOperands(question.model(), ViewsOf(question.inputs()));
  if (!operands) return operands.error();
  const auto values = IntermediatesOf(question.model(), *operands);
  if (!values) return values.error();
  std::string text = "Node by node, by the canonical readings:\n";
  for (size_t n = 0; n < values->size(); ++n) {
    const Node& node = graph.body[n];
    const auto& outputs = (*values)[n];
    for (size_t i = 0; i < outputs.size() && i < node.outputs.size(); ++i) {
      text += Indented(
          "  ", std::to_string(n + 1) + " " + node.op_type + ": " + node.outputs[i] +
                    "  " + std::string(DataTypeName(outputs[i].type)) +
                    ShapeToString(outputs[i].shape) + "  " + TensorText(outputs[i]));
    }
  }
  return text;
}

std::string StepsText(std::vector<WorkedStep> steps, const std::string& column) {
  Counterexample example;
  example.steps = std::move(steps);
  std::string text;
  for (const std::string& line : WorkedLines(example, column)) {
    text += Indented("    ", line);
  }
  return text;
}

std::string OtherAnswersText(const CaseAnswer& answer, const OtherAnswers& others) {
  std::string text;
  for (const std::string& freedom : others.freedoms) text += Indented("  ", freedom);
  if (others.free_elements > kMostShown) {
    text += "  and " + std::to_string(others.free_elements - kMostShown) + " more\n";
  }
  if (others.none()) {
    return text + "No admissible reading of an open clause gives other bits.\n";
  }
  if (!others.readings.empty()) {
    text += "Admissible too, by readings of open clauses:\n";
  }
  for (size_t i = 0; i < others.readings.size() && i < kMostShown; ++i) {
    const auto& [name, codes] = others.readings[i];
    text += Indented("  ", name) + OutputsText("    ", answer, codes);
  }
  if (others.readings.size() > kMostShown) {
    text += "  and " + std::to_string(others.readings.size() - kMostShown) + " more\n";
  }
  for (const std::string& bound : others.bounds) {
    text += Indented("", "Admissible too: whatever lies within the bound " + bound);
  }
  return text;
}

std::string JudgedCodesText(const Explained& question, const JudgedCodes& judgement) {
  const CaseAnswer& answer = question.answer();
  if (judgement.kind == JudgedCodes::Kind::kRight) return "  right\n";
  if (judgement.kind == JudgedCodes::Kind::kAdmissible) {
    return Indented("  ", "admissible: " + judgement.readings);
  }
  std::string text = "  deviates: no admissible reading gives these bits\n";
  if (answer.elements.size() > 1) {
    text += Indented("  ", answer.NameOf(judgement.element) + ":");
  }
  text +=
      StepsText(judgement.steps, judgement.models.empty()
                                     ? "actual"
                                     : std::string(judgement.models.front().fault->name));
  if (judgement.models.empty()) {
    const bool has_models = FindOperatorFaults(question.model().node.op_type) != nullptr;
    return text + (has_models
                       ? "  No named wrong model gives it.\n"
                       : "  No wrong graphs are known for a graph of no family.\n");
  }
  return text + "  Named wrong models that give it:\n" +
         ModelsText("    ", judgement.models);
}

Result<std::string> AnswerText(const Explained& question,
                               std::optional<uint64_t> element) {
  const auto intermediates = IntermediatesText(question);
  if (!intermediates) return intermediates.error();
  const CaseAnswer& answer = question.answer();
  std::string text = *intermediates + OutputsText("", answer, question.Codes());
  if (!answer.elements.empty()) {
    const size_t first = element.value_or(0);
    if (answer.elements.size() > 1) text += Indented("  ", answer.NameOf(first) + ":");
    auto steps = StepsOf(question, static_cast<int64_t>(first), nullptr, {});
    if (!steps) return steps.error();
    text += StepsText(*std::move(steps), "");
  }
  const auto others = OtherAnswersOf(question);
  if (!others) return others.error();
  return text + OtherAnswersText(answer, *others);
}

}  // namespace qconform
