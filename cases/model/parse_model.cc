// Reads model.onnx and trusts nothing in the bytes.

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "cases/model/lookup.h"
#include "cases/model/read_proto.h"
#include "cases/model/serialize.h"
#include "cases/model/tensor_proto.h"
#include "cases/model/text.h"
#include "onnx/common/constants.h"
#include "onnx/onnx_pb.h"
#include "oracle/base/expected.h"

namespace qconform {
namespace {

constexpr std::string_view kNoModel =
    "not an ONNX model: protobuf cannot read it (truncated, or another kind of file)";

// Returns the op_type, with its domain in front if that is not ONNX's own.
std::string OperatorName(const onnx::NodeProto& node) {
  std::string name = Printable(node.op_type());
  if (!onnx::IsOnnxDomain(node.domain())) name = Printable(node.domain()) + "." + name;
  return name;
}

Result<int> ReadOpsetVersion(const onnx::ModelProto& proto) {
  std::optional<int64_t> version;
  for (const onnx::OperatorSetIdProto& import : proto.opset_import()) {
    if (!onnx::IsOnnxDomain(import.domain())) continue;
    if (version && *version != import.version()) {
      return Error{"opset_import: domain \"\" is imported as " +
                   std::to_string(*version) + " and as " +
                   std::to_string(import.version())};
    }
    version = import.version();
  }
  if (!version) {
    return Error{
        "opset_import: ONNX's own domain \"\" is missing, so no operator has a meaning"};
  }
  if (*version < 1 || *version > std::numeric_limits<int>::max()) {
    return Error{"opset_import: version " + std::to_string(*version) +
                 " of domain \"\" is out of range; versions start at 1"};
  }
  return static_cast<int>(*version);
}

Result<ValueInfo> ReadValueInfo(const onnx::ValueInfoProto& proto,
                                const std::string& kind) {
  if (Status status = CheckName(proto.name(), kind); !status) return status.error();
  const std::string what = kind + " " + Quoted(proto.name());
  if (!proto.type().has_tensor_type())
    return Error{what + ": is not a tensor, or has no type"};
  const onnx::TypeProto::Tensor& tensor = proto.type().tensor_type();
  const Result<DataType> type = ReadDataType(tensor.elem_type(), what);
  if (!type) return type.error();
  if (!tensor.has_shape()) return Error{what + ": has no shape; sizes must be given"};
  ValueInfo info{.name = proto.name(), .type = *type, .shape = {}};
  for (const auto& dimension : tensor.shape().dim()) {
    if (!dimension.has_dim_value()) {
      return Error{what + ": dimension " + std::to_string(info.shape.size()) +
                   " has no fixed size; sizes must be numbers"};
    }
    info.shape.push_back(dimension.dim_value());
  }
  if (const auto count = ReadElementCount(info.shape, what); !count) return count.error();
  return info;
}

Result<Node> ReadNode(const onnx::NodeProto& proto) {
  Node node;
  if (Status status = CheckName(proto.op_type(), "the node's op_type"); !status) {
    return status.error();
  }
  node.op_type = proto.op_type();
  if (!onnx::IsOnnxDomain(proto.domain())) node.domain = proto.domain();
  if (Status status = CheckText(node.domain, "the node's domain"); !status) {
    return status.error();
  }
  node.inputs.assign(proto.input().begin(), proto.input().end());
  node.outputs.assign(proto.output().begin(), proto.output().end());
  for (const auto* names : {&node.inputs, &node.outputs}) {
    for (const std::string& name : *names) {
      // An empty name leaves an optional operand out.
      if (name.empty()) continue;
      if (Status status = CheckName(name, "an operand of the node"); !status) {
        return status.error();
      }
    }
  }
  std::set<std::string> seen;
  for (const onnx::AttributeProto& attribute : proto.attribute()) {
    Result<Attribute> read = ReadAttribute(attribute);
    if (!read) return read.error();
    if (!seen.insert(read->name).second) {
      return Error{"attribute " + Quoted(read->name) + " is given twice"};
    }
    node.attributes.push_back(std::move(*read));
  }
  return node;
}

// Reads initializers and Constant nodes.
Result<std::vector<Initializer>> ReadInitializers(const onnx::GraphProto& graph) {
  if (graph.sparse_initializer_size() != 0) {
    return Error{"the graph has sparse initializers; only dense ones are read"};
  }
  std::vector<Initializer> initializers;
  for (const onnx::TensorProto& proto : graph.initializer()) {
    if (Status status = CheckName(proto.name(), "an initializer"); !status) {
      return status.error();
    }
    Result<Tensor> tensor = ReadTensorProto(proto, "initializer " + Quoted(proto.name()));
    if (!tensor) return tensor.error();
    initializers.push_back({proto.name(), std::move(*tensor)});
  }
  for (const onnx::NodeProto& node : graph.node()) {
    if (!IsConstant(node)) continue;
    Result<Initializer> constant = ReadConstant(node);
    if (!constant) return constant.error();
    initializers.push_back(std::move(*constant));
  }
  return initializers;
}

// Reads the graph inputs. Inputs that have an initializer are not fed: they are
// left out, but must agree with it.
Result<std::vector<ValueInfo>> ReadInputs(const onnx::GraphProto& graph,
                                          const std::vector<Initializer>& initializers) {
  std::map<std::string_view, const Tensor*> constants;
  for (const Initializer& initializer : initializers) {
    constants.emplace(initializer.name, &initializer.tensor);
  }
  std::vector<ValueInfo> inputs;
  for (const onnx::ValueInfoProto& proto : graph.input()) {
    Result<ValueInfo> input = ReadValueInfo(proto, "graph input");
    if (!input) return input.error();
    const auto constant = constants.find(input->name);
    if (constant == constants.end()) {
      inputs.push_back(std::move(*input));
    } else if (constant->second->type != input->type ||
               constant->second->shape != input->shape) {
      return Error{"graph input " + Quoted(input->name) +
                   ": type or shape differs from its initializer's"};
    }
  }
  return inputs;
}

// Moves each node behind those that give its inputs, and keeps the order of the file
// otherwise. An Error if there is a cycle.
Status SortNodes(std::vector<Node>& nodes) {
  std::multiset<std::string> to_come;  // outputs of the nodes that are not sorted yet
  for (const Node& node : nodes) to_come.insert(node.outputs.begin(), node.outputs.end());
  to_come.erase("");
  for (auto next = nodes.begin(); next != nodes.end(); ++next) {
    const auto found = std::find_if(next, nodes.end(), [&](const Node& node) {
      return std::ranges::none_of(
          node.inputs, [&](const std::string& name) { return to_come.contains(name); });
    });
    if (found == nodes.end()) {
      return Error{
          "expected an order in which each node follows its inputs, got a cycle "
          "with node output " +
          Quoted(*to_come.begin())};
    }
    for (const std::string& name : found->outputs) {
      if (const auto one = to_come.find(name); one != to_come.end()) to_come.erase(one);
    }
    std::rotate(next, found, found + 1);
  }
  return Ok();
}

// Returns the graph of several nodes as one node with a body. `name` is the graph's.
Result<Node> MakeGraph(std::vector<Node> nodes, const std::string& name,
                       const std::vector<ValueInfo>& outputs) {
  if (Status sorted = SortNodes(nodes); !sorted) return sorted.error();
  Node graph;
  // Reports show op_types, so other bytes than those of a family's name are not taken.
  const bool is_name = std::ranges::all_of(
      name, [](char c) { return (c >= 'a' && c <= 'z') || c == '_' || c == '.'; });
  graph.op_type = IsGraphFamily(name) && is_name ? name : kGraphOpType;
  graph.inputs = OuterInputs(nodes);
  for (const ValueInfo& output : outputs) graph.outputs.push_back(output.name);
  graph.body = std::move(nodes);
  return graph;
}

// Reads the nodes besides Constant.
Result<std::vector<Node>> ReadNodes(const onnx::GraphProto& graph) {
  const auto count = std::ranges::count_if(
      graph.node(), [](const onnx::NodeProto& node) { return !IsConstant(node); });
  if (count < 1 || count > static_cast<int64_t>(kMostGraphNodes)) {
    return Error{"the graph has " + std::to_string(count) +
                 " nodes besides Constant; models with 1 to " +
                 std::to_string(kMostGraphNodes) + " are read"};
  }
  std::vector<Node> nodes;
  for (const onnx::NodeProto& proto : graph.node()) {
    if (IsConstant(proto)) continue;
    Result<Node> node = ReadNode(proto);
    if (!node) return node.error();
    nodes.push_back(*std::move(node));
  }
  return nodes;
}

// Checks that every name has one source, and that the nodes' operands and the
// graph's outputs have one.
Status CheckNames(const Model& model, const std::vector<Node>& nodes) {
  const bool is_graph = nodes.size() > 1;
  std::set<std::string> known;
  for (const ValueInfo& input : model.inputs) {
    if (!known.insert(input.name).second) {
      return Error{"graph input " + Quoted(input.name) + " is there twice"};
    }
  }
  for (const Initializer& initializer : model.initializers) {
    if (!known.insert(initializer.name).second) {
      return Error{"initializer " + Quoted(initializer.name) + " is there twice"};
    }
  }
  std::set<std::string> produced;
  for (const Node& node : nodes) {
    for (const std::string& name : node.outputs) {
      if (!name.empty() && (known.count(name) || !produced.insert(name).second)) {
        return Error{"node output " + Quoted(name) + " has a second source"};
      }
    }
  }
  for (const Node& node : nodes) {
    for (const std::string& name : node.inputs) {
      if (name.empty() || known.count(name) || (is_graph && produced.count(name))) {
        continue;
      }
      return Error{"node input " + Quoted(name) +
                   " is neither a graph input nor an initializer" +
                   (is_graph ? " nor another node's output" : "")};
    }
  }
  for (const ValueInfo& output : model.outputs) {
    if (produced.erase(output.name) == 0) {
      return Error{"graph output " + Quoted(output.name) + " is not an output of " +
                   (is_graph ? "a node" : "the node") + ", or is there twice"};
    }
  }
  if (model.outputs.empty()) return Error{"the graph has no output"};
  return Ok();
}

}  // namespace

Result<std::vector<std::string>> OperatorsOf(std::string_view bytes) {
  onnx::ModelProto proto;
  if (!ParseQuietly(bytes, proto)) return Error{std::string(kNoModel)};
  if (!proto.has_graph()) return Error{"not a whole ONNX model: it has no graph"};
  std::vector<std::string> operators;
  for (const onnx::NodeProto& node : proto.graph().node()) {
    if (!IsConstant(node)) operators.push_back(OperatorName(node));
  }
  return operators;
}

Result<Model> ParseModel(std::string_view bytes) {
  onnx::ModelProto proto;
  if (!ParseQuietly(bytes, proto)) return Error{std::string(kNoModel)};
  if (!proto.has_graph()) return Error{"not a whole ONNX model: it has no graph"};
  if (proto.functions_size() != 0) {
    return Error{
        "the model has functions of its own, which could redefine an operator; "
        "they are not read"};
  }
  Model model;
  if (proto.ir_version() < 1 || proto.ir_version() > std::numeric_limits<int>::max()) {
    return Error{"ir_version " + std::to_string(proto.ir_version()) +
                 " is missing or out of range; versions start at 1"};
  }
  model.ir_version = static_cast<int>(proto.ir_version());
  const Result<int> opset_version = ReadOpsetVersion(proto);
  if (!opset_version) return opset_version.error();
  model.opset_version = *opset_version;

  const onnx::GraphProto& graph = proto.graph();
  Result<std::vector<Initializer>> initializers = ReadInitializers(graph);
  if (!initializers) return initializers.error();
  model.initializers = std::move(*initializers);
  Result<std::vector<ValueInfo>> inputs = ReadInputs(graph, model.initializers);
  if (!inputs) return inputs.error();
  model.inputs = std::move(*inputs);
  for (const onnx::ValueInfoProto& output : graph.output()) {
    Result<ValueInfo> info = ReadValueInfo(output, "graph output");
    if (!info) return info.error();
    model.outputs.push_back(std::move(*info));
  }
  Result<std::vector<Node>> nodes = ReadNodes(graph);
  if (!nodes) return nodes.error();
  if (Status status = CheckNames(model, *nodes); !status) return status.error();
  if (nodes->size() == 1) {
    model.node = std::move(nodes->front());
    return model;
  }
  Result<Node> node = MakeGraph(*std::move(nodes), graph.name(), model.outputs);
  if (!node) return node.error();
  model.node = *std::move(node);
  return model;
}

}  // namespace qconform
