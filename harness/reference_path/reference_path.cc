#include "harness/reference_path/reference_path.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "cases/lattice/lattice.h"
#include "cases/model/text.h"
#include "harness/backends/run_model.h"
#include "harness/backends/whole_model.h"
#include "harness/core/bound_model.h"
#include "harness/parts/part.h"
#include "oracle/graphs/evaluate.h"

namespace qconform {
namespace {

std::string NameOf(const FileNode& node) {
  if (!node.name.empty()) return node.name;
  return node.node.outputs.empty() ? "" : node.node.outputs.front();
}

std::string OpTypeOf(const FileNode& node) {
  const bool is_onnx = node.node.domain.empty();
  return (is_onnx ? "" : node.node.domain + ".") + node.node.op_type;
}

// Returns why there are no outputs.
template <typename Answer>
std::string WhyNone(const Answer& answer) {
  if (const auto* unsupported = std::get_if<Unsupported>(&answer)) {
    return unsupported->Words();
  }
  if (const auto* refused = std::get_if<Refused>(&answer)) return RefusedWords(*refused);
  if (const auto* error = std::get_if<BackendError>(&answer)) return error->text;
  return "";
}

// One evaluation of a model.
class Evaluation {
 public:
  Evaluation(const ModelFile& file, const ReferencePath& path, const NamedTensors& inputs,
             const ValueNames& wanted)
      : file_(file),
        path_(path),
        wanted_(wanted),
        values_(inputs),
        is_needed_(file.nodes().size()),
        is_judged_(file.nodes().size()),
        is_stopped_(file.nodes().size()) {
    for (size_t node = 0; node < file.nodes().size(); ++node) {
      is_judged_[node] = IsJudged(file.nodes()[node]);
    }
    FindNeeded();
  }

  Result<ReferenceValues> Evaluate() {
    for (bool any = true; any;) {
      any = RunEachNode();
      const auto ran = RunOthers();
      if (!ran) return ran.error();
      any = any || *ran;
      DropValues();
    }
    ReferenceValues result;
    for (const std::string& name : wanted_) {
      const auto found = values_.find(name);
      if (found != values_.end()) result.values.insert(*found);
    }
    std::ranges::sort(stopped_, {}, &StoppedNode::node);
    result.stopped = std::move(stopped_);
    return result;
  }

 private:
  // Whether the kernels or the oracle compute the node.
  bool IsJudged(const FileNode& node) const {
    return IsQuantized(node) && node.unread.empty() && CheckIsJudged(ModelOf(node));
  }

  // Finds the nodes that the wanted values depend on.
  void FindNeeded() {
    std::vector<std::string> open(wanted_.begin(), wanted_.end());
    while (!open.empty()) {
      const std::string name = std::move(open.back());
      open.pop_back();
      if (values_.contains(name)) continue;
      const auto producer = file_.ProducerOf(name);
      if (!producer || is_needed_[*producer]) continue;
      is_needed_[*producer] = true;
      for (const std::string& input : InputsOf(*producer)) open.push_back(input);
    }
  }

  // Returns all values that a node reads, also in its subgraphs.
  std::vector<std::string> InputsOf(size_t index) const {
    const FileNode& node = file_.nodes()[index];
    std::vector<std::string> names;
    for (const auto* some : {&node.node.inputs, &node.captured}) {
      for (const std::string& name : *some) {
        if (!name.empty()) names.push_back(name);
      }
    }
    return names;
  }

  bool IsKnown(const std::string& name) const {
    return values_.contains(name) || file_.FindConstant(name) != nullptr;
  }

  bool IsDone(size_t index) const {
    return std::ranges::all_of(
        file_.nodes()[index].node.outputs, [&](const std::string& name) {
          return name.empty() || values_.contains(name) || dropped_.contains(name);
        });
  }

  // Frees the values that nobody reads any more.
  void DropValues() {
    std::erase_if(values_, [&](const auto& value) {
      const std::string& name = value.first;
      if (wanted_.contains(name)) return false;
      const bool is_read = std::ranges::any_of(
          file_.ReadersOf(name), [&](size_t reader) { return IsOpen(reader); });
      if (!is_read) dropped_.insert(name);
      return !is_read;
    });
  }

  // Whether the node still has to run.
  bool IsOpen(size_t index) const {
    return is_needed_[index] && !is_stopped_[index] && !IsDone(index);
  }

  bool IsReady(size_t index) const {
    return std::ranges::all_of(InputsOf(index),
                               [&](const std::string& name) { return IsKnown(name); });
  }

  // Returns the node as a model of its own, with nothing but its node.
  Model ModelOf(const FileNode& node) const {
    Model model;
    model.opset_version = file_.opset_version();
    model.ir_version = file_.ir_version();
    model.node = node.node;
    return model;
  }

  // Computes the nodes whose inputs are known and that are computed one by one, in order.
  // Returns whether there were any.
  bool RunEachNode() {
    bool any = false;
    for (size_t index = 0; index < file_.nodes().size(); ++index) {
      if (!IsOpen(index) || !IsReady(index)) continue;
      if (is_judged_[index]) {
        RunJudged(index);
      } else if (path_.others == nullptr) {
        const std::string why = RunFloat(index);
        if (!why.empty()) Stop(index, why);
      } else {
        continue;
      }
      any = true;
    }
    return any;
  }

  void Stop(size_t index, std::string reason) {
    const FileNode& node = file_.nodes()[index];
    is_stopped_[index] = true;
    stopped_.push_back({index, NameOf(node), OpTypeOf(node), std::move(reason)});
  }

  void Keep(size_t index, std::vector<Tensor> outputs) {
    // An output that the node leaves out may have a tensor or not.
    const std::vector<std::string>& names = file_.nodes()[index].node.outputs;
    const bool all = outputs.size() == names.size();
    size_t next = 0;
    for (const std::string& name : names) {
      if (name.empty()) {
        next += all ? 1 : 0;
      } else if (next < outputs.size()) {
        values_.insert_or_assign(name, std::move(outputs[next++]));
      }
    }
  }

  void RunJudged(size_t index) {
    const FileNode& node = file_.nodes()[index];
    Model model = ModelOf(node);
    std::vector<TensorView> fed;
    std::set<std::string> seen{""};
    for (const std::string& name : node.node.inputs) {
      if (!seen.insert(name).second) continue;
      if (const auto value = values_.find(name); value != values_.end()) {
        model.inputs.push_back({name, value->second.type, value->second.shape});
        fed.push_back(value->second.view());
        continue;
      }
      auto constant = file_.LoadConstant(name);
      if (!constant) return Stop(index, constant.error().message);
      model.initializers.push_back({name, *std::move(constant)});
    }
    for (const std::string& name : node.node.outputs) {
      if (!name.empty()) model.outputs.push_back({.name = name, .shape = {}});
    }
    std::string why = "nothing computes it";
    for (Backend* backend : path_.judged) {
      auto result = RunModel(*backend, model, fed);
      if (!result) {
        why = result.error().message;
        continue;
      }
      if (auto* outputs = std::get_if<Outputs>(&*result)) {
        Keep(index, std::move(*outputs));
        if (IsDone(index)) return;
        why = "it has too few outputs";
      } else {
        why = WhyNone(*result);
      }
    }
    Stop(index, why);
  }

  // Computes a float node by the oracle. Returns why it cannot, or "".
  std::string RunFloat(size_t index) {
    const FileNode& node = file_.nodes()[index];
    if (!IsOwn(node) || !node.unread.empty()) {
      return "it needs ONNX Runtime, which is not there";
    }
    const auto version = JudgingVersionFor(node.node.op_type, file_.opset_version());
    if (!version) return version.error().message;
    std::vector<Tensor> constants;
    constants.reserve(node.node.inputs.size());
    Operands operands;
    for (const std::string& name : node.node.inputs) {
      std::optional<TensorView>& operand = operands.emplace_back();
      if (name.empty()) continue;
      if (const auto value = values_.find(name); value != values_.end()) {
        operand = value->second.view();
        continue;
      }
      auto constant = file_.LoadConstant(name);
      if (!constant) return constant.error().message;
      constants.push_back(*std::move(constant));
      operand = constants.back().view();
    }
    auto outputs = EvaluateFloatNode(node.node, version->since_version, operands);
    if (!outputs) return outputs.error().message;
    Keep(index, *std::move(outputs));
    return IsDone(index) ? "" : "it has too few outputs";
  }

  // Runs all nodes that are not judged and whose inputs are known or made by such nodes.
  // Returns whether there were any.
  Result<bool> RunOthers() {
    if (path_.others == nullptr) return false;
    const std::vector<bool> reached = Reached();
    const std::vector<std::string> demanded = Demanded(reached);
    if (demanded.empty()) return false;
    const std::vector<size_t> nodes = NodesFor(demanded);
    if (RunTogether(nodes, demanded).empty()) return true;
    // Each value by itself: a node that cannot run costs only what depends on it.
    for (const std::string& name : demanded) {
      if (values_.contains(name)) continue;
      const std::vector<size_t> some = NodesFor({name});
      const bool is_stopped = std::ranges::any_of(
          some, [&](size_t node) -> bool { return is_stopped_[node]; });
      if (is_stopped || RunTogether(some, {name}).empty()) continue;
      StopFirst(some);
    }
    return true;
  }

  // Returns which nodes can run without a judged one in between.
  std::vector<bool> Reached() const {
    std::vector<bool> reached(file_.nodes().size());
    for (size_t index = 0; index < reached.size(); ++index) {
      if (is_judged_[index] || !IsOpen(index)) continue;
      reached[index] = std::ranges::all_of(InputsOf(index), [&](const std::string& name) {
        if (IsKnown(name)) return true;
        const auto producer = file_.ProducerOf(name);
        return producer && reached[*producer];
      });
    }
    return reached;
  }

  // Returns the values of reached nodes that are wanted or that other nodes need.
  std::vector<std::string> Demanded(const std::vector<bool>& reached) const {
    std::vector<std::string> demanded;
    for (size_t index = 0; index < reached.size(); ++index) {
      if (!reached[index]) continue;
      for (const std::string& name : file_.nodes()[index].node.outputs) {
        if (name.empty() || values_.contains(name)) continue;
        const bool is_read =
            std::ranges::any_of(file_.ReadersOf(name), [&](size_t reader) {
              return !reached[reader] && IsOpen(reader) && IsCarried(name);
            });
        if (is_read || wanted_.contains(name)) demanded.push_back(name);
      }
    }
    return demanded;
  }

  // Whether a tensor can hold the value, or nothing is known of its type.
  bool IsCarried(const std::string& name) const {
    const FileValue* value = file_.FindValue(name);
    if (value == nullptr || value->type != DataType::kUndefined) return true;
    return value->type_name.empty() || value->type_name == "BOOL" ||
           value->type_name == "UINT32" || value->type_name == "UINT64";
  }

  // Returns the nodes that make the values from known ones, in order.
  std::vector<size_t> NodesFor(const std::vector<std::string>& names) const {
    std::set<size_t> nodes;
    std::vector<std::string> open = names;
    while (!open.empty()) {
      const std::string name = std::move(open.back());
      open.pop_back();
      if (IsKnown(name)) continue;
      const auto producer = file_.ProducerOf(name);
      if (!producer || !nodes.insert(*producer).second) continue;
      for (const std::string& input : InputsOf(*producer)) open.push_back(input);
    }
    return {nodes.begin(), nodes.end()};
  }

  // Runs the nodes as one model and keeps the values `names`. Returns why that is not
  // possible, or "".
  std::string RunTogether(std::span<const size_t> nodes,
                          const std::vector<std::string>& names) {
    std::set<std::string> made;
    std::vector<ValueInfo> inputs;
    std::vector<TensorView> fed;
    for (const size_t index : nodes) {
      for (const std::string& name : InputsOf(index)) {
        const auto value = values_.find(name);
        if (made.contains(name) || value == values_.end()) continue;
        made.insert(name);
        inputs.push_back({name, value->second.type, value->second.shape});
        fed.push_back(value->second.view());
      }
      for (const std::string& name : file_.nodes()[index].node.outputs) made.insert(name);
    }
    std::vector<std::string> input_names;
    for (const ValueInfo& input : inputs) input_names.push_back(input.name);
    auto bytes = file_.ExtractBytes(nodes, inputs, names);
    if (!bytes) return bytes.error().message;
    auto prepared =
        PrepareWholeModel(*path_.others, {*std::move(bytes), input_names, names});
    auto* whole = std::get_if<std::unique_ptr<PreparedModel>>(&prepared);
    if (whole == nullptr) return WhyNone(prepared);
    RunResult result = (*whole)->Run(fed);
    auto* outputs = std::get_if<Outputs>(&result);
    if (outputs == nullptr) return WhyNone(result);
    if (outputs->size() != names.size()) return "it has another number of outputs";
    for (size_t i = 0; i < names.size(); ++i) {
      values_.insert_or_assign(names[i], std::move((*outputs)[i]));
    }
    return "";
  }

  // Finds the first of these nodes with which they cannot run.
  void StopFirst(const std::vector<size_t>& nodes) {
    size_t fine = 0;  // so many nodes run
    size_t stops = nodes.size();
    std::string why;
    while (stops - fine > 1) {
      const size_t middle = fine + (stops - fine) / 2;
      if (RunPrefix(nodes, middle).empty()) {
        fine = middle;
      } else {
        stops = middle;
      }
    }
    why = RunPrefix(nodes, stops);
    const size_t node = nodes[stops - 1];
    if (IsReady(node) && RunFloat(node).empty()) return;
    Stop(node, why.empty() ? "it does not run together with the nodes before it" : why);
  }

  std::string RunPrefix(const std::vector<size_t>& nodes, size_t count) {
    std::vector<std::string> outputs;
    for (const std::string& name : file_.nodes()[nodes[count - 1]].node.outputs) {
      if (!name.empty()) outputs.push_back(name);
    }
    return RunTogether(std::span(nodes).first(count), outputs);
  }

  const ModelFile& file_;
  const ReferencePath& path_;
  const ValueNames& wanted_;
  NamedTensors values_;
  ValueNames dropped_;  // values that were known and are not needed any more
  std::vector<bool> is_needed_;
  std::vector<bool> is_judged_;
  std::vector<bool> is_stopped_;
  std::vector<StoppedNode> stopped_;
};

}  // namespace

std::string StoppedNode::Words() const {
  return "node " + Quoted(name) + " (" + op_type + "): " + reason;
}

Result<ReferenceValues> EvaluateModel(const ModelFile& file, const ReferencePath& path,
                                      const NamedTensors& inputs,
                                      const ValueNames& wanted) {
  return Evaluation(file, path, inputs, wanted).Evaluate();
}

}  // namespace qconform
