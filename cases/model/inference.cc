#include "cases/model/inference.h"

#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cases/model/read_proto.h"
#include "cases/model/serialize.h"
#include "cases/model/tensor_proto.h"
#include "cases/model/text.h"
#include "onnx/common/constants.h"
#include "onnx/defs/data_type_utils.h"
#include "onnx/defs/schema.h"
#include "onnx/onnx_pb.h"
#include "onnx/shape_inference/implementation.h"
#include "oracle/base/expected.h"

namespace qconform {
namespace {

// The domain that calls of functions get.
constexpr const char* kFunctionDomain = "qconform.function";

// Since this IR version an initializer need not be a graph input as well.
constexpr int64_t kLeastIrVersion = 4;

int64_t NewestVersion() {
  return onnx::OpSchemaRegistry::DomainToVersionRange::Instance()
      .Map()
      .at(onnx::ONNX_DOMAIN)
      .second;
}

using Functions = std::set<std::pair<std::string, std::string>>;

std::string OwnDomain(const std::string& domain) {
  return onnx::IsOnnxDomain(domain) ? "" : domain;
}

// Removes the elements of a repeated field that `leaves` is true for.
template <typename Field, typename Leaves>
void EraseIf(Field& field, Leaves leaves) {
  int kept = 0;
  for (int i = 0; i < field.size(); ++i) {
    if (leaves(field.Get(i))) continue;
    if (kept != i) field.SwapElements(kept, i);
    ++kept;
  }
  field.DeleteSubrange(kept, field.size() - kept);
}

void DropUnwritable(onnx::TensorShapeProto& shape) {
  for (auto& dimension : *shape.mutable_dim()) {
    dimension.clear_denotation();
    if (dimension.has_dim_param() && !IsUtf8(dimension.dim_param())) {
      dimension.clear_dim_param();
    }
  }
}

// Drops names of dimensions that are not UTF-8: protobuf would complain about them on
// stderr whenever the type is written.
void DropUnwritable(onnx::TypeProto& type) {
  type.clear_denotation();
  if (type.has_tensor_type() && type.tensor_type().has_shape()) {
    DropUnwritable(*type.mutable_tensor_type()->mutable_shape());
  } else if (type.has_sparse_tensor_type() && type.sparse_tensor_type().has_shape()) {
    DropUnwritable(*type.mutable_sparse_tensor_type()->mutable_shape());
  } else if (type.has_sequence_type()) {
    DropUnwritable(*type.mutable_sequence_type()->mutable_elem_type());
  } else if (type.has_optional_type()) {
    DropUnwritable(*type.mutable_optional_type()->mutable_elem_type());
  } else if (type.has_map_type()) {
    DropUnwritable(*type.mutable_map_type()->mutable_value_type());
  }
}

class Preparation {
 public:
  explicit Preparation(onnx::ModelProto& model) : model_(model) {}

  void Run() {
    for (const onnx::FunctionProto& function : model_.functions()) {
      functions_.insert({OwnDomain(function.domain()), function.name()});
    }
    model_.clear_functions();
    for (const onnx::ValueInfoProto& input : model_.graph().input()) {
      inputs_.insert(input.name());
    }
    onnx::GraphProto& graph = *model_.mutable_graph();
    for (auto* infos :
         {graph.mutable_input(), graph.mutable_value_info(), graph.mutable_output()}) {
      for (onnx::ValueInfoProto& info : *infos) {
        if (info.has_type()) DropUnwritable(*info.mutable_type());
      }
    }
    Prepare(graph);
    model_.set_ir_version(std::clamp<int64_t>(model_.ir_version(), kLeastIrVersion,
                                              onnx::Version::IR_VERSION));
    for (onnx::OperatorSetIdProto& import : *model_.mutable_opset_import()) {
      import.set_domain(OwnDomain(import.domain()));
      domains_.erase(import.domain());
    }
    domains_.erase("");  // without a version no operator has a meaning
    for (const std::string& domain : domains_) {
      onnx::OperatorSetIdProto& import = *model_.add_opset_import();
      import.set_domain(domain);
      import.set_version(1);
    }
  }

 private:
  // Makes a constant an input of the main graph, whose values subgraphs see.
  void Hoist(const std::string& name, const onnx::TensorProto& tensor) {
    if (!inputs_.insert(name).second) return;
    onnx::ValueInfoProto& input = *model_.mutable_graph()->add_input();
    input.set_name(name);
    onnx::TypeProto::Tensor& type = *input.mutable_type()->mutable_tensor_type();
    type.set_elem_type(tensor.data_type());
    type.mutable_shape();
    for (const int64_t size : tensor.dims()) {
      type.mutable_shape()->add_dim()->set_dim_value(size);
    }
  }

  void Prepare(onnx::GraphProto& graph) {
    EraseIf(*graph.mutable_initializer(), [&](const onnx::TensorProto& tensor) {
      if (!IsWithoutData(tensor)) return false;
      Hoist(tensor.name(), tensor);
      return true;
    });
    EraseIf(*graph.mutable_node(), [&](const onnx::NodeProto& node) {
      if (!IsConstant(node) || node.output_size() != 1) return false;
      for (const onnx::AttributeProto& attribute : node.attribute()) {
        if (!attribute.has_t() || !IsWithoutData(attribute.t())) continue;
        Hoist(node.output(0), attribute.t());
        return true;
      }
      return false;
    });
    for (onnx::NodeProto& node : *graph.mutable_node()) {
      node.set_domain(OwnDomain(node.domain()));
      if (functions_.contains({node.domain(), node.op_type()})) {
        node.set_domain(kFunctionDomain);
      }
      domains_.insert(node.domain());
      for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
        if (attribute.has_g()) Prepare(*attribute.mutable_g());
        for (onnx::GraphProto& subgraph : *attribute.mutable_graphs()) Prepare(subgraph);
      }
    }
  }

  onnx::ModelProto& model_;
  Functions functions_;
  std::set<std::string> inputs_;
  std::set<std::string> domains_;
};

void Infer(onnx::ModelProto& model, onnx::shape_inference::DataValueMap& values) {
  constexpr bool kCheckTypes = false;
  constexpr int kNotStrict = 0;
  constexpr bool kPropagateData = true;
  try {
    onnx::shape_inference::InferShapes(
        model, onnx::OpSchemaRegistry::Instance(),
        onnx::ShapeInferenceOptions{kCheckTypes, kNotStrict, kPropagateData}, &values);
  } catch (...) {  // what was found before stays in the model
  }
}

// The element types of values, 0 if one is not known.
using ElementTypes = std::map<std::string, int32_t>;

ElementTypes CollectElementTypes(const onnx::ModelProto& model) {
  ElementTypes types;
  ForEachType(model, [&](const std::string& name, const onnx::TypeProto& type) {
    if (type.has_tensor_type() && type.tensor_type().elem_type() != 0) {
      types[name] = type.tensor_type().elem_type();
    }
  });
  for (const onnx::TensorProto& tensor : model.graph().initializer()) {
    types[tensor.name()] = tensor.data_type();
  }
  return types;
}

// The operands and results of a node whose types a schema calls by one name.
struct SameType {
  std::vector<std::string> values;
  std::set<int32_t> allowed;
};

std::vector<SameType> SameTypesOf(const onnx::NodeProto& node,
                                  const onnx::OpSchema& schema) {
  std::map<std::string, SameType> groups;
  const auto add = [&](const auto& names, const auto& formals) {
    for (int i = 0; i < names.size() && !formals.empty(); ++i) {
      const auto& formal = formals[std::min(static_cast<size_t>(i), formals.size() - 1)];
      const bool is_one = static_cast<size_t>(i) < formals.size() ||
                          formal.GetOption() == onnx::OpSchema::Variadic;
      if (names.Get(i).empty() || !is_one || !formal.GetIsHomogeneous()) continue;
      SameType& group = groups[formal.GetTypeStr()];
      group.values.push_back(names.Get(i));
      for (const onnx::DataType type : formal.GetTypes()) {
        const onnx::TypeProto& proto = onnx::Utils::DataTypeUtils::ToTypeProto(type);
        group.allowed.insert(proto.has_tensor_type() ? proto.tensor_type().elem_type()
                                                     : 0);
      }
    }
  };
  add(node.input(), schema.inputs());
  add(node.output(), schema.outputs());
  std::vector<SameType> result;
  for (auto& [name, group] : groups) result.push_back(std::move(group));
  return result;
}

// Returns the types that the schemas of the nodes imply for values whose types are not
// known. `guesses`: if a schema allows several, FLOAT is taken if another operand of the
// node is FLOAT: the data that is quantized has the type of the scale, in every model
// that a quantizer wrote.
ElementTypes ImpliedTypes(const onnx::ModelProto& model, bool guesses) {
  int opset_version = 0;
  for (const onnx::OperatorSetIdProto& import : model.opset_import()) {
    if (import.domain().empty() && import.version() <= NewestVersion()) {
      opset_version = static_cast<int>(import.version());
    }
  }
  ElementTypes known = CollectElementTypes(model);
  ElementTypes implied;
  for (const onnx::NodeProto& node : model.graph().node()) {
    if (!node.domain().empty()) continue;
    const onnx::OpSchema* schema =
        onnx::OpSchemaRegistry::Schema(node.op_type(), opset_version, onnx::ONNX_DOMAIN);
    if (schema == nullptr) continue;
    const std::vector<SameType> groups = SameTypesOf(node, *schema);
    const bool has_float = std::ranges::any_of(groups, [&](const SameType& group) {
      return std::ranges::any_of(group.values, [&](const std::string& value) {
        const auto type = known.find(value);
        return type != known.end() && type->second == onnx::TensorProto::FLOAT;
      });
    });
    for (const SameType& group : groups) {
      int32_t type = group.allowed.size() == 1 ? *group.allowed.begin() : 0;
      for (const std::string& value : group.values) {
        const auto found = known.find(value);
        if (found != known.end() && group.allowed.contains(found->second)) {
          type = found->second;
        }
      }
      if (type == 0 && guesses && has_float &&
          group.allowed.contains(onnx::TensorProto::FLOAT)) {
        type = onnx::TensorProto::FLOAT;
      }
      if (type == 0) continue;
      for (const std::string& value : group.values) {
        if (known.emplace(value, type).second) implied[value] = type;
      }
    }
  }
  return implied;
}

// Gives a type's open dimensions sizes.
void Substitute(const Sizes& sizes, onnx::TypeProto& type) {
  if (!type.has_tensor_type() || !type.tensor_type().has_shape()) return;
  for (auto& dimension : *type.mutable_tensor_type()->mutable_shape()->mutable_dim()) {
    if (dimension.has_dim_value()) continue;
    const auto named = sizes.named.find(dimension.dim_param());
    dimension.set_dim_value(named == sizes.named.end() ? sizes.other : named->second);
  }
}

std::optional<Shape> CompleteShape(const onnx::TypeProto& type) {
  if (!type.has_tensor_type() || !type.tensor_type().has_shape()) return std::nullopt;
  Shape shape;
  for (const auto& dimension : type.tensor_type().shape().dim()) {
    if (!dimension.has_dim_value() || dimension.dim_value() < 0) return std::nullopt;
    shape.push_back(dimension.dim_value());
  }
  return ElementCount(shape) ? std::optional(shape) : std::nullopt;
}

void CollectShapes(const onnx::ModelProto& model, KnownShapes& known) {
  ForEachType(model, [&](const std::string& name, const onnx::TypeProto& type) {
    if (auto shape = CompleteShape(type)) known.shapes[name] = *std::move(shape);
  });
  for (const onnx::TensorProto& tensor : model.graph().initializer()) {
    known.shapes[tensor.name()] = Shape(tensor.dims().begin(), tensor.dims().end());
  }
}

}  // namespace

bool IsWithoutData(const onnx::TensorProto& tensor) {
  if (tensor.data_location() == onnx::TensorProto::EXTERNAL) return true;
  if (tensor.has_raw_data() || tensor.float_data_size() > 0 ||
      tensor.int32_data_size() > 0 || tensor.string_data_size() > 0 ||
      tensor.int64_data_size() > 0 || tensor.double_data_size() > 0 ||
      tensor.uint64_data_size() > 0) {
    return false;
  }
  return std::ranges::none_of(tensor.dims(), [](int64_t size) { return size == 0; });
}

void ForEachType(
    const onnx::ModelProto& model,
    const std::function<void(const std::string&, const onnx::TypeProto&)>& visit) {
  const onnx::GraphProto& graph = model.graph();
  for (const auto* infos : {&graph.input(), &graph.value_info(), &graph.output()}) {
    for (const onnx::ValueInfoProto& info : *infos) {
      if (info.has_type()) visit(info.name(), info.type());
    }
  }
}

void PrepareForInference(onnx::ModelProto& model) { Preparation(model).Run(); }

void InferTypes(onnx::ModelProto& model) {
  onnx::shape_inference::DataValueMap values;
  Infer(model, values);
}

void ImplyTypes(onnx::ModelProto& model) {
  constexpr int kMostRounds = 16;
  for (int round = 0; round < kMostRounds; ++round) {
    ElementTypes implied = ImpliedTypes(model, false);
    if (implied.empty()) implied = ImpliedTypes(model, true);
    if (implied.empty()) return;
    std::set<std::string> outputs;
    for (onnx::ValueInfoProto& output : *model.mutable_graph()->mutable_output()) {
      const auto type = implied.find(output.name());
      if (type == implied.end()) continue;
      output.mutable_type()->mutable_tensor_type()->set_elem_type(type->second);
      outputs.insert(output.name());
    }
    for (const auto& [name, type] : implied) {
      if (outputs.contains(name)) continue;
      onnx::ValueInfoProto& info = *model.mutable_graph()->add_value_info();
      info.set_name(name);
      info.mutable_type()->mutable_tensor_type()->set_elem_type(type);
    }
    InferTypes(model);
  }
}

bool HasOpenDimensions(const onnx::ModelProto& model) {
  bool open = false;
  ForEachType(model, [&](const std::string&, const onnx::TypeProto& type) {
    open = open || !CompleteShape(type);
  });
  return open;
}

KnownShapes InferWith(const onnx::ModelProto& prepared, const Sizes& sizes) {
  // Shapes that the file declares are only for values that ONNX cannot infer: the others
  // may have names for sizes that follow from those of the inputs.
  std::set<std::string> foreign;
  for (const onnx::NodeProto& node : prepared.graph().node()) {
    if (!node.domain().empty())
      foreign.insert(node.output().begin(), node.output().end());
  }
  onnx::ModelProto model = prepared;
  onnx::GraphProto& graph = *model.mutable_graph();
  for (onnx::ValueInfoProto& input : *graph.mutable_input()) {
    Substitute(sizes, *input.mutable_type());
  }
  EraseIf(*graph.mutable_value_info(), [&](const onnx::ValueInfoProto& info) {
    return !foreign.contains(info.name());
  });
  for (onnx::ValueInfoProto& info : *graph.mutable_value_info()) {
    Substitute(sizes, *info.mutable_type());
  }
  for (onnx::ValueInfoProto& output : *graph.mutable_output()) {
    if (foreign.contains(output.name())) {
      Substitute(sizes, *output.mutable_type());
    } else if (output.type().has_tensor_type()) {
      output.mutable_type()->mutable_tensor_type()->clear_shape();
    }
  }
  KnownShapes known;
  onnx::shape_inference::DataValueMap values;
  // A second time, from the declared shapes of what was not found the first time.
  for (const bool again : {false, true}) {
    values.clear();
    Infer(model, values);
    known.shapes.clear();
    CollectShapes(model, known);
    if (again) break;
    std::set<std::string> done{""};
    std::map<std::string, onnx::TypeProto> declared;
    for (const auto* infos :
         {&prepared.graph().value_info(), &prepared.graph().output()}) {
      for (const onnx::ValueInfoProto& info : *infos) {
        if (known.shapes.contains(info.name()) || !done.insert(info.name()).second) {
          continue;
        }
        onnx::TypeProto type = info.type();
        Substitute(sizes, type);
        if (!CompleteShape(type)) continue;
        declared.emplace(info.name(), std::move(type));
      }
    }
    if (declared.empty()) break;
    EraseIf(*graph.mutable_value_info(), [&](const onnx::ValueInfoProto& other) {
      return declared.contains(other.name());
    });
    for (const auto& [name, type] : declared) {
      onnx::ValueInfoProto& info = *graph.add_value_info();
      info.set_name(name);
      *info.mutable_type() = type;
    }
  }
  for (const auto& [name, shape] : values) {
    std::vector<int64_t> numbers;
    for (const auto& dimension : shape.dim()) {
      if (dimension.has_dim_value()) numbers.push_back(dimension.dim_value());
    }
    if (static_cast<int>(numbers.size()) == shape.dim_size()) {
      known.numbers[name] = std::move(numbers);
    }
  }
  return known;
}

Result<std::vector<ValueInfo>> InferOutputs(const Model& model,
                                            std::span<const std::string> names) {
  // Large constants are inputs here, which have a shape and no data.
  Model small{.opset_version = model.opset_version,
              .ir_version = model.ir_version,
              .node = model.node,
              .inputs = model.inputs,
              .outputs = {},
              .initializers = {}};
  for (const Initializer& constant : model.initializers) {
    const Tensor& tensor = constant.tensor;
    if (tensor.data.size() <= ModelFile::kSmallBytes) {
      small.initializers.push_back(constant);
    } else {
      small.inputs.push_back({constant.name, tensor.type, tensor.shape});
    }
  }
  onnx::ModelProto proto;
  if (!ParseQuietly(SerializeModel(small), proto)) {
    return Expected("part", "a model that protobuf can read", "another one");
  }
  for (const std::string& name : names) {
    proto.mutable_graph()->add_output()->set_name(name);
  }
  try {
    constexpr bool kCheckTypes = true;
    constexpr int kStrict = 1;
    constexpr bool kPropagateData = true;
    onnx::shape_inference::DataValueMap values;
    onnx::shape_inference::InferShapes(
        proto, onnx::OpSchemaRegistry::Instance(),
        onnx::ShapeInferenceOptions{kCheckTypes, kStrict, kPropagateData}, &values);
  } catch (const std::exception& error) {
    constexpr size_t kMostCharacters = 300;
    return Error{"shape inference: " + Printable(error.what(), kMostCharacters)};
  }
  std::vector<ValueInfo> outputs;
  for (const onnx::ValueInfoProto& output : proto.graph().output()) {
    const std::string what = "value " + Quoted(output.name());
    const auto shape = CompleteShape(output.type());
    if (!shape) return Expected(what, "a shape that can be inferred", "none");
    const auto type = ReadDataType(output.type().tensor_type().elem_type(), what);
    if (!type) return type.error();
    outputs.push_back({output.name(), *type, *shape});
  }
  return outputs;
}

}  // namespace qconform
