#include "cases/model/serialize.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/message_lite.h>

#include <set>

#include "cases/model/tensor_proto.h"
#include "cases/model/write_proto.h"
#include "onnx/onnx_pb.h"

namespace qconform {
namespace {

// Since this IR version an initializer need not be a graph input as well.
constexpr int kInitializersAlone = 4;

std::string ToBytes(const google::protobuf::MessageLite& message) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    message.SerializeToCodedStream(&coded);
  }  // the streams write the rest when they end
  return bytes;
}

void WriteValueInfo(const ValueInfo& info, onnx::ValueInfoProto& proto) {
  proto.set_name(info.name);
  onnx::TypeProto::Tensor& tensor = *proto.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(static_cast<int32_t>(info.type));
  onnx::TensorShapeProto& dimensions =
      *tensor.mutable_shape();  // there, if empty: a scalar
  for (size_t i = 0; i < info.shape.size(); ++i) {
    onnx::TensorShapeProto::Dimension& dimension = *dimensions.add_dim();
    if (i < info.dim_params.size() && !info.dim_params[i].empty()) {
      dimension.set_dim_param(info.dim_params[i]);
    } else {
      dimension.set_dim_value(info.shape[i]);
    }
  }
}

void WriteAttribute(const Attribute& attribute, onnx::AttributeProto& proto) {
  struct Visitor {
    onnx::AttributeProto& proto;
    void operator()(int64_t value) const {
      proto.set_type(onnx::AttributeProto::INT);
      proto.set_i(value);
    }
    void operator()(float value) const {
      proto.set_type(onnx::AttributeProto::FLOAT);
      proto.set_f(value);
    }
    void operator()(const std::string& value) const {
      proto.set_type(onnx::AttributeProto::STRING);
      proto.set_s(value);
    }
    void operator()(const std::vector<int64_t>& values) const {
      proto.set_type(onnx::AttributeProto::INTS);
      for (const int64_t value : values) proto.add_ints(value);
    }
  };
  proto.set_name(attribute.name);
  std::visit(Visitor{proto}, attribute.value);
}

}  // namespace

void WriteNode(const Node& node, onnx::NodeProto& proto) {
  proto.set_op_type(node.op_type);
  if (!node.domain.empty()) proto.set_domain(node.domain);
  for (const std::string& name : node.inputs) proto.add_input(name);
  for (const std::string& name : node.outputs) proto.add_output(name);
  for (const Attribute& attribute : node.attributes) {
    WriteAttribute(attribute, *proto.add_attribute());
  }
}

std::string SerializeModel(const Model& model) {
  onnx::ModelProto proto;
  proto.set_ir_version(model.ir_version);
  proto.set_producer_name("qconform");
  onnx::OperatorSetIdProto& opset = *proto.add_opset_import();
  opset.set_domain("");
  opset.set_version(model.opset_version);
  std::set<std::string> domains{""};
  for (const Node& node : NodesOf(model.node)) {
    if (!domains.insert(node.domain).second) continue;
    onnx::OperatorSetIdProto& other = *proto.add_opset_import();
    other.set_domain(node.domain);
    other.set_version(1);
  }

  onnx::GraphProto& graph = *proto.mutable_graph();
  graph.set_name(model.node.is_graph() ? model.node.op_type : "qconform");
  for (const Node& node : NodesOf(model.node)) WriteNode(node, *graph.add_node());
  for (const ValueInfo& input : model.inputs) {
    WriteValueInfo(input, *graph.add_input());
  }
  for (const Initializer& initializer : model.initializers) {
    WriteTensorProto(initializer.tensor, initializer.name, TensorField::kRawData,
                     *graph.add_initializer());
    if (model.ir_version < kInitializersAlone) {
      WriteValueInfo(
          {initializer.name, initializer.tensor.type, initializer.tensor.shape},
          *graph.add_input());
    }
  }
  for (const ValueInfo& output : model.outputs) {
    WriteValueInfo(output, *graph.add_output());
  }
  return ToBytes(proto);
}

std::string SerializeTensor(const Tensor& tensor, std::string_view name,
                            TensorField field) {
  onnx::TensorProto proto;
  WriteTensorProto(tensor, name, field, proto);
  return ToBytes(proto);
}

Result<Tensor> ParseTensor(std::string_view bytes) {
  onnx::TensorProto proto;
  if (!ParseQuietly(bytes, proto)) {
    return Error{
        "not a TensorProto: protobuf cannot read it (truncated, or another kind of "
        "file)"};
  }
  return ReadTensorProto(proto, "tensor");
}

}  // namespace qconform
