#include "harness/runner/suites/part_cases.h"

#include <algorithm>

#include "cases/core/counter_rng.h"
#include "harness/core/bound_model.h"
#include "harness/core/operands.h"
#include "harness/runner/ask/dynamic_shapes.h"
#include "harness/runner/runner.h"
#include "harness/runner/suites/part_inputs.h"

namespace qconform {
namespace {

// Of the inputs: a higher one gives other inputs.
constexpr int kInputsVersion = 1;

// As parts of case ids spell it.
constexpr const char* kVariant = "model";

// Small tensors are asked more often, until this many elements were.
constexpr int64_t kEnoughElements = 8192;
constexpr int kMostDirected = 64;

// All cases of a part together take so many times MostWorkOf; at least kFewestCases of
// each kind are asked.
constexpr int64_t kMostCasesOfMostWork = 16;
constexpr int64_t kFewestCases = 3;

// Of the inputs that show wrong models which a bound may hide.
constexpr size_t kMostTelling = 32;

}  // namespace

Result<PartCases> PartCases::Create(const PartQuestion& question, uint64_t seed) {
  std::vector<std::vector<InputFacts>> facts;
  for (const Model& model : question.models) {
    auto of_model = FactsOfInputs(model);
    if (!of_model) return of_model.error();
    facts.push_back(*std::move(of_model));
  }
  PartCases made(question, std::move(facts), seed);
  const auto most = std::max<size_t>(kMostTelling / question.models.size(), 1);
  for (size_t model = 0; model < question.models.size(); ++model) {
    for (auto& [input, tensor] : TellingInputsOf(question.models[model], most)) {
      made.telling_.push_back({model, input, std::move(tensor)});
    }
  }
  return made;
}

Result<std::optional<OpCase>> PartCases::Make(std::string_view generator, int index,
                                              uint64_t more_seed) {
  // Cases take turns; what a run of the whole model gave is that of the first.
  const Telling* telling =
      generator == kPartTelling ? &telling_[static_cast<size_t>(index)] : nullptr;
  const size_t turn = telling != nullptr ? telling->model
                      : generator == kPartActivations
                          ? 0
                          : static_cast<size_t>(index) % question_->models.size();
  const Model& model = question_->models[turn];
  OpCase made;
  made.key = KeyOf(model, generator, index);
  made.model = model;
  for (size_t i = 0; i < model.inputs.size(); ++i) {
    made.inputs.push_back(telling != nullptr && telling->input == i
                              ? telling->tensor
                              : InputOf(facts_[turn][i], generator, index, i, more_seed));
  }
  const auto validity = ValidityOf(made);
  if (!validity) return validity.error();
  if (validity->kind == ModelValidity::Kind::kInvalid) {
    why_not_ = validity->clause + ": " + validity->reason;
    return std::optional<OpCase>();
  }
  is_open_ = validity->kind == ModelValidity::Kind::kOpen;
  const Status resolved = AddOperands(made);
  if (!resolved) return resolved.error();
  return std::optional(std::move(made));
}

CaseKey PartCases::KeyOf(const Model& model, std::string_view generator,
                         int index) const {
  CaseKey key{.cell = question_->cell,
              .opset_version = model.opset_version,
              .form = model.initializers.empty() ? OperandForm::kInputs
                                                 : OperandForm::kInitializers,
              .variant = kVariant,
              .generator = std::string(generator),
              .index = index};
  // Ids of its cases name the part.
  key.cell.granularity += "#" + question_->part.name;
  return key;
}

Tensor PartCases::InputOf(const InputFacts& facts, std::string_view generator, int index,
                          size_t input, uint64_t more_seed) const {
  if (generator == kPartActivations) {
    return question_->activations[static_cast<size_t>(index)][input];
  }
  const std::string id = question_->part.name + "/" + std::string(generator) + "/" +
                         std::to_string(index) + "/" + std::to_string(input);
  const uint64_t key = generators::ContentKey(id, seed_ + more_seed, kInputsVersion);
  if (generator == kPartRandom) return RandomInput(facts, key);
  // Every second time around, the other inputs are of other kinds than the first.
  const auto turn = static_cast<size_t>(index);
  const size_t other = input * (turn / kDirectedInputs % 2) * 3;
  return DirectedInput(facts, turn + other, key);
}

Status PartCases::AddOperands(OpCase& made) {
  constexpr int64_t kMost = 4096;
  if (made.model.node.is_graph()) return Ok();
  const std::vector<TensorView> views = ViewsOf(made.inputs);
  const auto operands = ResolveOperands(made.model, views);
  if (!operands) return operands.error();
  for (const auto& operand : *operands) {
    Tensor& tensor = made.operands.emplace_back();
    if (!operand) continue;
    tensor.type = operand->type;
    tensor.shape.assign(operand->shape.begin(), operand->shape.end());
    if (*ElementCount(tensor.shape) > kMost) continue;
    tensor.data.assign(operand->data.begin(), operand->data.end());
  }
  return Ok();
}

Result<std::optional<AnsweredCase>> FurtherInputs::Question(size_t index) {
  const auto number = static_cast<int>(index);
  auto made = cases_->Make(index % 2 == 0 ? kPartDirected : kPartRandom, number / 2,
                           /*more_seed=*/1);
  if (!made) return made.error();
  if (!*made) return std::optional<AnsweredCase>();
  return Answered(**std::move(made));
}

Result<std::optional<AnsweredCase>> FurtherInputs::Varied(size_t index) {
  auto made = cases_->Make(kPartRandom, static_cast<int>(index), /*more_seed=*/2);
  if (!made) return made.error();
  if (!*made) return std::optional<AnsweredCase>();
  OpCase op_case = **std::move(made);
  std::vector<Tensor*> inputs;
  for (Tensor& input : op_case.inputs) inputs.push_back(&input);
  VaryTensors(cases_->seed() + index, inputs);
  const auto validity = ValidityOf(op_case);
  if (!validity) return validity.error();
  if (validity->kind == ModelValidity::Kind::kInvalid) {
    return std::optional<AnsweredCase>();
  }
  return Answered(std::move(op_case));
}

Result<PartAmounts> AmountsOf(const PartQuestion& question, const PartRequest& request) {
  const auto work = WorkOf(question.models.front());
  if (!work) return work.error();
  const int64_t most = kMostCasesOfMostWork * MostWorkOf(question.models.front());
  const int64_t room = std::max(most / std::max<int64_t>(*work, 1), 2 * kFewestCases);
  const int64_t elements = std::max<int64_t>(ElementsOf(question.models.front()), 1);
  const int64_t wanted = std::min<int64_t>(kEnoughElements / elements, kMostDirected);
  PartAmounts amounts;
  amounts.activations = static_cast<int>(question.activations.size());
  // Of only constants there is one question.
  if (question.models.front().inputs.empty() && request.random > 0) {
    amounts.random = 1;
    return amounts;
  }
  amounts.random = static_cast<int>(std::min<int64_t>(request.random, room / 2));
  if (request.directed == 0) return amounts;
  amounts.directed = static_cast<int>(
      std::min<int64_t>(std::max<int64_t>(request.directed, wanted), room / 2));
  return amounts;
}

}  // namespace qconform
