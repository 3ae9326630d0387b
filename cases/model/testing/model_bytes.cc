#include "cases/model/testing/model_bytes.h"

#include <fstream>

#include "cases/model/tensor_proto.h"
#include "cases/model/write_proto.h"
#include "onnx/onnx_pb.h"

namespace qconform {
namespace {

void WriteGraph(const GraphToWrite& graph, onnx::GraphProto& proto);

void WriteInfo(const ValueInfo& info, onnx::ValueInfoProto& proto) {
  proto.set_name(info.name);
  if (info.type == DataType::kUndefined) return;
  auto& tensor = *proto.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(static_cast<int32_t>(info.type));
  tensor.mutable_shape();
  for (size_t i = 0; i < info.shape.size(); ++i) {
    auto& dimension = *tensor.mutable_shape()->add_dim();
    if (info.shape[i] >= 0) dimension.set_dim_value(info.shape[i]);
    if (i < info.dim_params.size() && !info.dim_params[i].empty()) {
      dimension.set_dim_param(info.dim_params[i]);
    }
  }
}

void WriteNode(const NodeToWrite& node, onnx::NodeProto& proto) {
  qconform::WriteNode(node.node, proto);
  if (!node.name.empty()) proto.set_name(node.name);
  for (const auto& [name, graph] : node.subgraphs) {
    onnx::AttributeProto& written = *proto.add_attribute();
    written.set_name(name);
    written.set_type(onnx::AttributeProto::GRAPH);
    WriteGraph(graph, *written.mutable_g());
  }
}

void WriteConstant(const ConstantToWrite& constant, onnx::NodeProto& proto) {
  proto.set_op_type("Constant");
  proto.add_output(constant.name);
  onnx::AttributeProto& attribute = *proto.add_attribute();
  if (constant.tensor.type != DataType::kUndefined) {
    attribute.set_name("value");
    attribute.set_type(onnx::AttributeProto::TENSOR);
    WriteTensorProto(constant.tensor, "", TensorField::kRawData, *attribute.mutable_t());
  } else if (!constant.ints.empty()) {
    attribute.set_name("value_ints");
    attribute.set_type(onnx::AttributeProto::INTS);
    for (const int64_t value : constant.ints) attribute.add_ints(value);
  } else {
    attribute.set_name("value_string");
    attribute.set_type(onnx::AttributeProto::STRING);
    attribute.set_s(constant.text);
  }
}

void WriteGraph(const GraphToWrite& graph, onnx::GraphProto& proto) {
  proto.set_name("graph");
  for (const ConstantToWrite& constant : graph.constants) {
    WriteConstant(constant, *proto.add_node());
  }
  for (const NodeToWrite& node : graph.nodes) WriteNode(node, *proto.add_node());
  for (const ValueInfo& info : graph.inputs) WriteInfo(info, *proto.add_input());
  for (const ValueInfo& info : graph.outputs) WriteInfo(info, *proto.add_output());
  for (const ValueInfo& info : graph.values) WriteInfo(info, *proto.add_value_info());
  for (const Initializer& initializer : graph.initializers) {
    WriteTensorProto(initializer.tensor, initializer.name, TensorField::kRawData,
                     *proto.add_initializer());
  }
  for (const ExternalToWrite& external : graph.externals) {
    onnx::TensorProto& tensor = *proto.add_initializer();
    tensor.set_name(external.name);
    tensor.set_data_type(static_cast<int32_t>(external.type));
    for (const int64_t size : external.shape) tensor.add_dims(size);
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    for (const auto& [key, value] : external.entries) {
      onnx::StringStringEntryProto& entry = *tensor.add_external_data();
      entry.set_key(key);
      entry.set_value(value);
    }
  }
}

}  // namespace

std::string ModelBytes(const ModelToWrite& model) {
  onnx::ModelProto proto;
  proto.set_ir_version(model.ir_version);
  for (const auto& [domain, version] : model.imports) {
    onnx::OperatorSetIdProto& import = *proto.add_opset_import();
    import.set_domain(domain);
    import.set_version(version);
  }
  WriteGraph(model.graph, *proto.mutable_graph());
  for (const FunctionToWrite& function : model.functions) {
    onnx::FunctionProto& written = *proto.add_functions();
    written.set_domain(function.domain);
    written.set_name(function.name);
    for (const std::string& name : function.inputs) written.add_input(name);
    for (const std::string& name : function.outputs) written.add_output(name);
    for (const NodeToWrite& node : function.nodes) WriteNode(node, *written.add_node());
    *written.mutable_opset_import() = proto.opset_import();
  }
  return proto.SerializeAsString();
}

void WriteBytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace qconform
