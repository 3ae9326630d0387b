#include "harness/backends/compose/compose_backend.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cases/lattice/lattice.h"
#include "harness/core/bound_model.h"
#include "harness/core/operands.h"
#include "oracle/core/operator.h"
#include "oracle/graphs/evaluate.h"

namespace qconform {
namespace {

// The types and shapes of the outputs of one-node models that were asked for. They depend
// only on the node and on the types and shapes of its operands.
class OutputForms {
 public:
  // Sets `model.outputs`, of which only the names are known.
  Status Complete(Model& model, const Operands& operands) {
    const std::string key = KeyOf(model, operands);
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = known_.find(key); found != known_.end()) {
        Set(model, found->second);
        return Ok();
      }
    }
    const auto bound = BindModel(model);
    if (!bound) return bound.error();
    const auto answers = bound->bound->Evaluate(operands, ReadingSet());
    if (!answers) return answers.error();
    std::vector<Form> forms;
    for (const Answer& answer : *answers) forms.push_back({answer.type, answer.shape});
    Set(model, forms);
    const std::lock_guard lock(mutex_);
    if (known_.size() >= kMostKnown) known_.clear();
    known_.emplace(key, std::move(forms));
    return Ok();
  }

 private:
  struct Form {
    DataType type = DataType::kUndefined;
    Shape shape;
  };
  static constexpr size_t kMostKnown = 4096;

  static std::string KeyOf(const Model& model, const Operands& operands) {
    std::ostringstream key;
    key << model.node.op_type << "@" << model.opset_version;
    for (const Attribute& attribute : model.node.attributes) {
      key << " " << attribute.name << "=";
      std::visit([&](const auto& value) { Write(key, value); }, attribute.value);
    }
    for (const auto& operand : operands) {
      key << ",";
      if (operand) key << DataTypeName(operand->type) << ShapeToString(operand->shape);
    }
    return key.str();
  }

  static void Write(std::ostringstream& key, const auto& value) { key << value; }
  static void Write(std::ostringstream& key, const std::vector<int64_t>& values) {
    key << ShapeToString(values);
  }

  static void Set(Model& model, const std::vector<Form>& forms) {
    for (size_t i = 0; i < model.outputs.size() && i < forms.size(); ++i) {
      model.outputs[i].type = forms[i].type;
      model.outputs[i].shape = forms[i].shape;
    }
  }

  std::mutex mutex_;
  std::map<std::string, std::vector<Form>> known_;
};

std::string NodeText(const Node& node, size_t number) {
  return "node " + std::to_string(number) + " (" + node.op_type + "): ";
}

// Returns what a backend gave for a node in place of outputs, with the node's number.
std::optional<RunResult> InsteadOfNode(auto& result, const Node& node, size_t number) {
  auto instead = AnswerInstead<RunResult>(result);
  if (!instead) return std::nullopt;
  const std::string text = NodeText(node, number);
  if (auto* unsupported = std::get_if<Unsupported>(&*instead)) {
    unsupported->reason = text + unsupported->reason;
  } else if (auto* refused = std::get_if<Refused>(&*instead)) {
    refused->reason = text + refused->reason;
  } else if (auto* error = std::get_if<BackendError>(&*instead)) {
    error->text = text + error->text;
    // These answers are the node's, and not the graph's.
    error->unsteady = nullptr;
  }
  return instead;
}

// A node that the inner backend runs.
struct PreparedNode {
  Model model;  // with the sizes that it was prepared for
  std::unique_ptr<PreparedModel> prepared;
};

class ComposedModel : public PreparedModel {
 public:
  ComposedModel(Backend& inner, OutputForms& forms, const Model& model)
      : inner_(inner), forms_(forms), model_(model), nodes_(model.node.body.size()) {}

  RunResult Run(std::span<const TensorView> inputs) override {
    RunResult result = RunNodes(inputs);
    const auto* error = std::get_if<BackendError>(&result);
    if (error == nullptr || error->kind != BackendError::Kind::kHarness) return result;
    // What cannot be composed may be no model at all.
    if (auto reason = WhyInvalid(inputs)) return Refused{*std::move(reason)};
    return result;
  }

 private:
  // Returns why the graph is no model of ONNX with these inputs; nullopt if it is one.
  std::optional<std::string> WhyInvalid(std::span<const TensorView> inputs) const {
    const auto bound = BindModel(model_);
    if (!bound) return bound.error().message;
    const auto operands = ResolveOperands(model_, inputs);
    if (!operands) return operands.error().message;
    const auto validity = bound->bound->Validate(*operands);
    if (!validity) return validity.error().message;
    if (validity->kind != ModelValidity::Kind::kInvalid) return std::nullopt;
    return validity->reason;
  }

  RunResult RunNodes(std::span<const TensorView> inputs) {
    if (inputs.size() != model_.inputs.size()) {
      return HarnessFailed({"the model has " + std::to_string(model_.inputs.size()) +
                            " inputs, but " + std::to_string(inputs.size()) +
                            " tensors were fed"});
    }
    std::map<std::string, TensorView> values;
    for (const Initializer& initializer : model_.initializers) {
      values[initializer.name] = initializer.tensor.view();
    }
    for (size_t i = 0; i < inputs.size(); ++i) values[model_.inputs[i].name] = inputs[i];
    std::vector<std::vector<Tensor>> computed;  // what `values` views
    computed.reserve(nodes_.size());
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = model_.node.body[i];
      Operands operands;
      for (const std::string& name : node.inputs) {
        std::optional<TensorView>& operand = operands.emplace_back();
        if (name.empty()) continue;
        const auto found = values.find(name);
        if (found == values.end()) {
          return HarnessFailed({NodeText(node, i + 1) + "the value '" + name +
                                "' is given by no node before it"});
        }
        operand = found->second;
      }
      RunResult result = FindOperator(node.op_type) != nullptr
                             ? RunNode(i, operands)
                             : RunFloatNode(node, i + 1, operands);
      auto* outputs = std::get_if<Outputs>(&result);
      if (outputs == nullptr) return result;
      computed.push_back(std::move(*outputs));
      for (size_t output = 0; output < node.outputs.size(); ++output) {
        const std::string& name = node.outputs[output];
        if (name.empty()) continue;
        if (!values.emplace(name, computed.back()[output].view()).second) {
          return HarnessFailed(
              {NodeText(node, i + 1) + "the value '" + name + "' is given twice"});
        }
      }
    }
    Outputs outputs;
    for (const std::string& name : model_.node.outputs) {
      const TensorView& value = values.at(name);
      outputs.push_back({value.type,
                         Shape(value.shape.begin(), value.shape.end()),
                         {value.data.begin(), value.data.end()}});
    }
    return outputs;
  }

  bool IsConstant(const std::string& name) const {
    return std::ranges::any_of(model_.initializers, [&](const Initializer& initializer) {
      return initializer.name == name;
    });
  }

  // Returns the node as a model of its own. An Error if the oracle knows no outputs.
  Result<Model> ModelOf(const Node& node, const Operands& operands) {
    Model made;
    made.opset_version = model_.opset_version;
    made.ir_version = model_.ir_version;
    made.node = node;
    std::set<std::string> declared;
    for (size_t i = 0; i < operands.size(); ++i) {
      const std::string& name = node.inputs[i];
      if (!operands[i] || !declared.insert(name).second) continue;
      const Shape shape(operands[i]->shape.begin(), operands[i]->shape.end());
      if (IsConstant(name)) {
        made.initializers.push_back(
            {name,
             {operands[i]->type,
              shape,
              {operands[i]->data.begin(), operands[i]->data.end()}}});
      } else {
        made.inputs.push_back({name, operands[i]->type, shape});
      }
    }
    for (const std::string& name : node.outputs) {
      if (!name.empty()) made.outputs.push_back({.name = name, .shape = {}});
    }
    const Status completed = forms_.Complete(made, operands);
    if (!completed) return completed.error();
    return made;
  }

  // Whether the node's model was prepared for operands of these shapes.
  static bool Fits(const Model& model, const Operands& operands) {
    for (size_t i = 0; i < operands.size(); ++i) {
      for (const ValueInfo& input : model.inputs) {
        if (operands[i] && input.name == model.node.inputs[i] &&
            !std::ranges::equal(input.shape, operands[i]->shape)) {
          return false;
        }
      }
    }
    return true;
  }

  RunResult RunNode(size_t index, const Operands& operands) {
    const Node& node = model_.node.body[index];
    PreparedNode& kept = nodes_[index];
    if (kept.prepared == nullptr || !Fits(kept.model, operands)) {
      auto made = ModelOf(node, operands);
      if (!made) {
        return HarnessFailed({NodeText(node, index + 1) + made.error().message});
      }
      auto prepared = inner_.Prepare(*made);
      if (auto instead = InsteadOfNode(prepared, node, index + 1)) return *instead;
      kept = {*std::move(made),
              std::get<std::unique_ptr<PreparedModel>>(std::move(prepared))};
    }
    std::vector<TensorView> fed;
    for (const ValueInfo& input : kept.model.inputs) {
      const auto place = std::ranges::find(node.inputs, input.name);
      fed.push_back(*operands[static_cast<size_t>(place - node.inputs.begin())]);
    }
    RunResult result = kept.prepared->Run(fed);
    if (auto instead = InsteadOfNode(result, node, index + 1)) return *instead;
    auto& outputs = std::get<Outputs>(result);
    // An output that the node leaves out has a place in the order, but no value.
    Outputs placed;
    size_t next = 0;
    for (const std::string& name : node.outputs) {
      if (name.empty()) {
        placed.emplace_back();
        continue;
      }
      if (next >= outputs.size() || outputs[next].type != kept.model.outputs[next].type ||
          outputs[next].shape != kept.model.outputs[next].shape) {
        return BackendError{BackendError::Kind::kInvalidOutput,
                            NodeText(node, index + 1) + name +
                                " is missing, or has another type or shape than ONNX "
                                "gives it"};
      }
      placed.push_back(std::move(outputs[next++]));
    }
    return placed;
  }

  RunResult RunFloatNode(const Node& node, size_t number,
                         const Operands& operands) const {
    const auto version = JudgingVersionFor(node.op_type, model_.opset_version);
    if (!version)
      return Unsupported{NodeText(node, number) + version.error().message, ""};
    auto outputs = EvaluateFloatNode(node, version->since_version, operands);
    if (!outputs)
      return HarnessFailed({NodeText(node, number) + outputs.error().message});
    return *std::move(outputs);
  }

  Backend& inner_;
  OutputForms& forms_;
  Model model_;
  std::vector<PreparedNode> nodes_;  // of the body; float nodes have nothing
};

class ComposeBackend : public Backend {
 public:
  explicit ComposeBackend(std::unique_ptr<Backend> inner)
      : inner_(std::move(inner)), info_(inner_->info()) {
    info_.name += kComposedSuffix;
  }

  const BackendInfo& info() const override { return info_; }
  bool concurrent() const override { return inner_->concurrent(); }
  std::set<std::string> CodeFiles() override { return inner_->CodeFiles(); }

  PrepareResult Prepare(const Model& model) override {
    if (!model.node.is_graph()) return inner_->Prepare(model);
    return std::make_unique<ComposedModel>(*inner_, forms_, model);
  }

  std::optional<RunResult> RunAlone(const Model& model,
                                    std::span<const TensorView> inputs) override {
    if (model.node.is_graph()) return std::nullopt;  // its nodes are run one by one
    return inner_->RunAlone(model, inputs);
  }

 private:
  std::unique_ptr<Backend> inner_;
  BackendInfo info_;
  OutputForms forms_;
};

}  // namespace

std::unique_ptr<Backend> MakeComposeBackend(std::unique_ptr<Backend> inner) {
  return std::make_unique<ComposeBackend>(std::move(inner));
}

}  // namespace qconform
