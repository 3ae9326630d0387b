#include "cases/model/read_proto.h"

#include <utility>
#include <vector>

#include "cases/model/tensor_proto.h"
#include "cases/model/text.h"
#include "onnx/common/constants.h"
#include "onnx/onnx_pb.h"

namespace qconform {

bool IsConstant(const onnx::NodeProto& node) {
  return onnx::IsOnnxDomain(node.domain()) && node.op_type() == "Constant";
}

Status CheckText(const std::string& text, const std::string& what) {
  const std::string named = what + " " + Quoted(text);
  if (!IsUtf8(text)) return Error{named + " is not UTF-8"};
  if (!IsPrintableText(text)) {
    return Error{named + " has characters that cannot be printed"};
  }
  return Ok();
}

Status CheckName(const std::string& name, const std::string& what) {
  if (name.empty()) return Error{what + " has no name"};
  return CheckText(name, what + ": name");
}

Result<Attribute> ReadAttribute(const onnx::AttributeProto& proto) {
  if (Status status = CheckName(proto.name(), "an attribute"); !status)
    return status.error();
  const std::string what = "attribute " + Quoted(proto.name());
  if (!proto.ref_attr_name().empty()) {
    return Error{what + ": refers to an attribute of a function; values must be given"};
  }
  switch (proto.type()) {
    case onnx::AttributeProto::INT:
      return Attribute{proto.name(), proto.i()};
    case onnx::AttributeProto::FLOAT:
      return Attribute{proto.name(), proto.f()};
    case onnx::AttributeProto::STRING:
      return Attribute{proto.name(), proto.s()};
    case onnx::AttributeProto::INTS:
      return Attribute{proto.name(),
                       std::vector<int64_t>(proto.ints().begin(), proto.ints().end())};
    default:
      return Error{what + ": type " +
                   onnx::AttributeProto::AttributeType_Name(proto.type()) +
                   " is not read; INT, FLOAT, STRING and INTS are"};
  }
}

Result<onnx::TensorProto> TensorOfConstant(const onnx::NodeProto& node) {
  if (node.output_size() != 1) {
    return Error{"a Constant node has " + std::to_string(node.output_size()) +
                 " outputs, not 1"};
  }
  if (Status status = CheckName(node.output(0), "a Constant node's output"); !status) {
    return status.error();
  }
  const std::string what = "Constant " + Quoted(node.output(0));
  if (node.attribute_size() != 1) {
    return Error{what + ": has " + std::to_string(node.attribute_size()) +
                 " attributes, not 1"};
  }
  const onnx::AttributeProto& attribute = node.attribute(0);
  onnx::TensorProto tensor;
  if (attribute.name() == "value" && attribute.has_t()) {
    tensor = attribute.t();
  } else if (attribute.name() == "value_float" && attribute.has_f()) {
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    tensor.add_float_data(attribute.f());
  } else if (attribute.name() == "value_floats") {
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    tensor.add_dims(attribute.floats_size());
    *tensor.mutable_float_data() = attribute.floats();
  } else if (attribute.name() == "value_int" && attribute.has_i()) {
    tensor.set_data_type(onnx::TensorProto::INT64);
    tensor.add_int64_data(attribute.i());
  } else if (attribute.name() == "value_ints") {
    tensor.set_data_type(onnx::TensorProto::INT64);
    tensor.add_dims(attribute.ints_size());
    *tensor.mutable_int64_data() = attribute.ints();
  } else {
    return Error{what + ": attribute " + Quoted(attribute.name()) +
                 " is not read; value, value_float, value_floats, value_int and "
                 "value_ints are"};
  }
  return tensor;
}

Result<Initializer> ReadConstant(const onnx::NodeProto& node) {
  const auto tensor = TensorOfConstant(node);
  if (!tensor) return tensor.error();
  Result<Tensor> read = ReadTensorProto(*tensor, "Constant " + Quoted(node.output(0)));
  if (!read) return read.error();
  return Initializer{node.output(0), std::move(*read)};
}

}  // namespace qconform
