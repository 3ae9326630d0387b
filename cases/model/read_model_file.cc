// Reads the skeleton of a model file, and trusts nothing in it.
#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "cases/model/inference.h"
#include "cases/model/model_file_state.h"
#include "cases/model/read_proto.h"
#include "cases/model/tensor_proto.h"
#include "cases/model/text.h"
#include "onnx/common/constants.h"
#include "onnx/onnx_pb.h"
#include "oracle/base/expected.h"

namespace qconform {
namespace {

// Returns ONNX's name of an element type.
std::string TypeName(int64_t number) {
  if (number > 0 && number <= std::numeric_limits<int>::max() &&
      onnx::TensorProto::DataType_IsValid(static_cast<int>(number))) {
    return onnx::TensorProto::DataType_Name(static_cast<int>(number));
  }
  return number == 0 ? "" : "type " + std::to_string(number);
}

DataType TypeOf(int64_t number) {
  return DataTypeFromNumber(number).value_or(DataType::kUndefined);
}

std::string KindOf(const onnx::TypeProto& type) {
  if (type.has_sequence_type()) return "SEQUENCE";
  if (type.has_map_type()) return "MAP";
  if (type.has_optional_type()) return "OPTIONAL";
  if (type.has_sparse_tensor_type()) return "SPARSE_TENSOR";
  return "";
}

FileValue ValueOf(const std::string& name, const onnx::TypeProto& type) {
  FileValue value{.name = name, .type_name = KindOf(type), .shape = {}};
  if (!type.has_tensor_type()) return value;
  const onnx::TypeProto::Tensor& tensor = type.tensor_type();
  value.type = TypeOf(tensor.elem_type());
  value.type_name = TypeName(tensor.elem_type());
  if (!tensor.has_shape()) return value;
  value.shape.emplace();
  bool has_names = false;
  for (const auto& dimension : tensor.shape().dim()) {
    const bool fixed = dimension.has_dim_value() && dimension.dim_value() >= 0;
    value.shape->push_back(fixed ? dimension.dim_value() : -1);
    const bool named = !fixed && CheckText(dimension.dim_param(), "dim_param").ok();
    value.dim_params.push_back(named ? dimension.dim_param() : "");
    has_names = has_names || !value.dim_params.back().empty();
  }
  if (!has_names) value.dim_params.clear();
  return value;
}

// --- subgraphs ------------------------------------------------------------------------

// Adds the names that a graph uses and does not define. `known`: what it sees besides.
void AddCaptured(const onnx::GraphProto& graph, std::set<std::string> known,
                 std::vector<std::string>& captured) {
  for (const auto& input : graph.input()) known.insert(input.name());
  for (const auto& tensor : graph.initializer()) known.insert(tensor.name());
  for (const auto& tensor : graph.sparse_initializer()) {
    known.insert(tensor.values().name());
  }
  for (const auto& node : graph.node()) {
    known.insert(node.output().begin(), node.output().end());
  }
  const auto use = [&](const std::string& name) {
    if (name.empty() || known.contains(name)) return;
    if (std::ranges::find(captured, name) == captured.end()) captured.push_back(name);
  };
  for (const auto& node : graph.node()) {
    for (const std::string& input : node.input()) use(input);
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) AddCaptured(attribute.g(), known, captured);
      for (const auto& subgraph : attribute.graphs()) {
        AddCaptured(subgraph, known, captured);
      }
    }
  }
  for (const auto& output : graph.output()) use(output.name());
}

std::string QualifiedName(const std::string& domain, const std::string& name) {
  return onnx::IsOnnxDomain(domain) ? Printable(name)
                                    : Printable(domain) + "." + Printable(name);
}

void AddNested(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes,
               const std::string& where, std::vector<NestedNode>& nested);

void AddNestedOf(const onnx::NodeProto& node, std::vector<NestedNode>& nested) {
  const std::string label =
      QualifiedName(node.domain(), node.op_type()) + " " +
      Quoted(!node.name().empty() || node.output().empty() ? node.name()
                                                           : node.output(0));
  for (const auto& attribute : node.attribute()) {
    const std::string where = Printable(attribute.name()) + " of " + label;
    if (attribute.has_g()) AddNested(attribute.g().node(), where, nested);
    for (const auto& subgraph : attribute.graphs()) {
      AddNested(subgraph.node(), where, nested);
    }
  }
}

void AddNested(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes,
               const std::string& where, std::vector<NestedNode>& nested) {
  for (const onnx::NodeProto& node : nodes) {
    if (!IsConstant(node)) {
      nested.push_back({onnx::IsOnnxDomain(node.domain()) ? "" : Printable(node.domain()),
                        Printable(node.op_type()), Printable(node.name()), where});
    }
    AddNestedOf(node, nested);
  }
}

// --- nodes ----------------------------------------------------------------------------

Result<FileNode> ReadFileNode(const onnx::NodeProto& proto) {
  FileNode read;
  if (Status name = CheckName(proto.op_type(), "the op_type of a node"); !name) {
    return name.error();
  }
  read.node.op_type = proto.op_type();
  if (!onnx::IsOnnxDomain(proto.domain())) read.node.domain = proto.domain();
  if (Status text = CheckText(read.node.domain, "the domain of a node"); !text) {
    return text.error();
  }
  read.name = AsUtf8(proto.name());
  if (!IsPrintableText(read.name)) read.name = Printable(read.name);
  read.node.inputs.assign(proto.input().begin(), proto.input().end());
  read.node.outputs.assign(proto.output().begin(), proto.output().end());
  for (const auto* names : {&read.node.inputs, &read.node.outputs}) {
    for (const std::string& name : *names) {
      const std::string what = "an operand of " + Quoted(proto.op_type());
      if (Status text = CheckText(name, what + ": name"); !text) return text.error();
    }
  }
  std::set<std::string> seen;
  for (const onnx::AttributeProto& attribute : proto.attribute()) {
    Result<Attribute> known = ReadAttribute(attribute);
    if (known && !seen.insert(known->name).second) {
      known = Error{"attribute " + Quoted(attribute.name()) + " is given twice"};
    }
    if (known) {
      read.node.attributes.push_back(*std::move(known));
    } else if (read.unread.empty()) {
      read.unread = known.error().message;
    }
    if (attribute.has_g()) AddCaptured(attribute.g(), {}, read.captured);
    for (const auto& subgraph : attribute.graphs()) {
      AddCaptured(subgraph, {}, read.captured);
    }
  }
  return read;
}

}  // namespace

Status ModelFile::State::Read() {
  if (!proto.has_graph()) {
    return Expected(file.path().string(), "an ONNX model", "a file without a graph");
  }
  if (proto.ir_version() >= 0 && proto.ir_version() <= std::numeric_limits<int>::max()) {
    ir_version = static_cast<int>(proto.ir_version());
  }
  for (Status (State::*read)() : {&State::ReadImports, &State::ReadConstants,
                                  &State::ReadNodes, &State::ReadEdges}) {
    if (Status done = (this->*read)(); !done) {
      return Error{file.path().string() + ": " + done.error().message};
    }
  }
  if (Status order = CheckOrder(); !order) {
    return Error{file.path().string() + ": " + order.error().message};
  }
  ReadTypes();
  return Ok();
}

Status ModelFile::State::ReadImports() {
  for (const onnx::OperatorSetIdProto& import : proto.opset_import()) {
    const std::string domain = onnx::IsOnnxDomain(import.domain()) ? "" : import.domain();
    if (Status text = CheckText(domain, "opset_import: domain"); !text) return text;
    const auto [known, added] = imports.emplace(domain, import.version());
    if (!added && known->second != import.version()) {
      return Expected(
          "opset_import", "one version of domain " + Quoted(domain),
          std::to_string(known->second) + " and " + std::to_string(import.version()));
    }
  }
  for (const onnx::FunctionProto& function : proto.functions()) {
    const std::string domain =
        onnx::IsOnnxDomain(function.domain()) ? "" : function.domain();
    for (const std::string& text : {domain, function.name()}) {
      if (Status valid = CheckText(text, "the name of a function"); !valid) return valid;
    }
    functions.push_back(
        {domain, function.name(), static_cast<size_t>(function.node_size())});
    AddNested(function.node(),
              "function " + QualifiedName(function.domain(), function.name()), nested);
  }
  return Ok();
}

Status ModelFile::State::AddConstant(const std::string& name,
                                     const onnx::TensorProto& tensor, Source source) {
  if (Status valid = CheckName(name, "a constant"); !valid) return valid;
  FileConstant constant{.name = name,
                        .type = TypeOf(tensor.data_type()),
                        .type_name = TypeName(tensor.data_type()),
                        .shape = Shape(tensor.dims().begin(), tensor.dims().end())};
  if (tensor.data_location() == onnx::TensorProto::EXTERNAL) {
    for (const auto& entry : tensor.external_data()) {
      if (entry.key() == "location") constant.external_file = AsUtf8(entry.value());
    }
  }
  if (!constant_by_name.emplace(name, constants.size()).second) {
    return Expected("constant " + Quoted(name), "one source", "two");
  }
  constants.push_back(std::move(constant));
  sources.push_back(source);
  return Ok();
}

Status ModelFile::State::ReadConstants() {
  const onnx::GraphProto& graph = proto.graph();
  for (int i = 0; i < graph.initializer_size(); ++i) {
    const onnx::TensorProto& tensor = graph.initializer(i);
    if (Status added = AddConstant(tensor.name(), tensor,
                                   {Source::kInitializer, static_cast<size_t>(i)});
        !added) {
      return added;
    }
  }
  for (int i = 0; i < graph.sparse_initializer_size(); ++i) {
    onnx::TensorProto tensor;
    const onnx::SparseTensorProto& sparse = graph.sparse_initializer(i);
    *tensor.mutable_dims() = sparse.dims();
    tensor.set_data_type(sparse.values().data_type());
    if (Status added = AddConstant(sparse.values().name(), tensor,
                                   {Source::kSparse, static_cast<size_t>(i)});
        !added) {
      return added;
    }
  }
  return Ok();
}

Status ModelFile::State::ReadNodes() {
  const onnx::GraphProto& graph = proto.graph();
  std::set<std::pair<std::string, std::string>> of_functions;
  for (const FileFunction& function : functions) {
    of_functions.insert({function.domain, function.name});
  }
  for (int i = 0; i < graph.node_size(); ++i) {
    const onnx::NodeProto& proto_node = graph.node(i);
    const auto position = static_cast<size_t>(i);
    if (IsConstant(proto_node) && !of_functions.contains({"", proto_node.op_type()})) {
      if (proto_node.output_size() != 1) {
        return Expected("Constant", "1 output", std::to_string(proto_node.output_size()));
      }
      // Texts and sparse values have no type that the project knows.
      const auto tensor = TensorOfConstant(proto_node);
      if (Status added =
              AddConstant(proto_node.output(0), tensor ? *tensor : onnx::TensorProto(),
                          {Source::kNode, position});
          !added) {
        return added;
      }
      continue;
    }
    auto node = ReadFileNode(proto_node);
    if (!node) return node.error();
    node->is_function = of_functions.contains({node->node.domain, node->node.op_type});
    AddNestedOf(proto_node, nested);
    nodes.push_back(*std::move(node));
    positions.push_back(position);
  }
  return Ok();
}

Status ModelFile::State::ReadEdges() {
  for (const auto& input : proto.graph().input()) {
    if (Status name = CheckName(input.name(), "a graph input"); !name) return name;
    if (constant_by_name.contains(input.name())) continue;
    if (std::ranges::find(inputs, input.name()) != inputs.end()) {
      return Expected("graph input " + Quoted(input.name()), "one of that name", "two");
    }
    inputs.push_back(input.name());
  }
  for (const auto& output : proto.graph().output()) {
    if (Status name = CheckName(output.name(), "a graph output"); !name) return name;
    if (output_names.insert(output.name()).second) outputs.push_back(output.name());
  }
  const std::set<std::string> fed(inputs.begin(), inputs.end());
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (const std::string& name : nodes[i].node.outputs) {
      if (name.empty()) continue;
      if (constant_by_name.contains(name) || fed.contains(name) ||
          !producers.emplace(name, i).second) {
        return Expected("value " + Quoted(name), "one source", "two");
      }
    }
    for (const auto* names : {&nodes[i].node.inputs, &nodes[i].captured}) {
      for (const std::string& name : *names) {
        if (name.empty()) continue;
        std::vector<size_t>& all = readers[name];
        if (all.empty() || all.back() != i) all.push_back(i);
      }
    }
  }
  return Ok();
}

// The nodes need not be sorted, but there is no cycle among them.
Status ModelFile::State::CheckOrder() const {
  std::vector<size_t> waits(nodes.size());  // for this many producers
  std::vector<size_t> ready;
  for (size_t i = 0; i < nodes.size(); ++i) {
    std::set<std::string> names(nodes[i].node.inputs.begin(), nodes[i].node.inputs.end());
    names.insert(nodes[i].captured.begin(), nodes[i].captured.end());
    for (const std::string& name : names) waits[i] += producers.count(name);
    if (waits[i] == 0) ready.push_back(i);
  }
  size_t done = 0;
  while (!ready.empty()) {
    const size_t node = ready.back();
    ready.pop_back();
    ++done;
    for (const std::string& output : nodes[node].node.outputs) {
      const auto found = readers.find(output);
      if (output.empty() || found == readers.end()) continue;
      for (const size_t reader : found->second) {
        if (--waits[reader] == 0) ready.push_back(reader);
      }
    }
  }
  if (done == nodes.size()) return Ok();
  const auto stuck = std::ranges::find_if(waits, [](size_t n) { return n > 0; });
  const FileNode& node = nodes[static_cast<size_t>(stuck - waits.begin())];
  return Expected("graph", "an order in which each node follows its inputs",
                  "a cycle with " + node.node.op_type + " " + Quoted(node.name));
}

void ModelFile::State::ReadTypes() {
  prepared = proto;
  PrepareForInference(prepared);
  checker = CheckerMessage(prepared);
  InferTypes(prepared);
  ImplyTypes(prepared);
  // The declared types first: inference adds to them.
  ForEachType(prepared, [&](const std::string& name, const onnx::TypeProto& type) {
    if (name.empty() || (values.contains(name) && values[name].shape)) return;
    values[name] = ValueOf(name, type);
  });
  for (const FileConstant& constant : constants) {
    values[constant.name] = {constant.name, constant.type, constant.type_name,
                             constant.shape};
  }
  for (const auto* names : {&inputs, &outputs}) {
    for (const std::string& name : *names) values[name].name = name;
  }
  for (const FileNode& node : nodes) {
    for (const std::string& name : node.node.outputs) {
      if (!name.empty()) values[name].name = name;
    }
  }
}

}  // namespace qconform
