// Nodes of a model file as a model of their own.
#include <algorithm>
#include <map>
#include <set>

#include "cases/model/inference.h"
#include "cases/model/model_file_state.h"
#include "cases/model/serialize.h"
#include "cases/model/text.h"
#include "oracle/base/expected.h"

namespace qconform {
namespace {

void AppendMessage(uint32_t number, std::string_view bytes, std::string& out) {
  AppendVarint(number << 3 | 2, out);
  AppendVarint(bytes.size(), out);
  out += bytes;
}

// Sets a tensor's type and shape; dimensions of -1 are open.
void SetTensorType(int32_t type, const Shape& shape,
                   const std::vector<std::string>& dim_params,
                   onnx::ValueInfoProto& info) {
  onnx::TypeProto::Tensor& tensor = *info.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(type);
  tensor.mutable_shape();
  for (size_t i = 0; i < shape.size(); ++i) {
    auto& dimension = *tensor.mutable_shape()->add_dim();
    if (i < dim_params.size() && !dim_params[i].empty()) {
      dimension.set_dim_param(dim_params[i]);
    } else if (shape[i] >= 0) {
      dimension.set_dim_value(shape[i]);
    }
  }
}

}  // namespace

Result<std::string> ModelFile::ExtractBytes(std::span<const size_t> nodes,
                                            std::span<const ValueInfo> inputs,
                                            std::span<const std::string> outputs) const {
  constexpr uint64_t kMostModelBytes = (uint64_t{1} << 31) - 1;
  const Error too_long = Expected("the nodes of " + path().string(),
                                  "a model of less than 2 GiB", "a longer one");
  std::set<std::string, std::less<>> known{""};
  for (const ValueInfo& input : inputs) known.insert(input.name);
  for (const size_t node : nodes) {
    const auto& names = state_->nodes[node].node.outputs;
    known.insert(names.begin(), names.end());
  }

  // (1) The constants: nodes go first, initializers behind the nodes.
  std::string graph;
  std::string initializers;
  for (const size_t node : nodes) {
    const FileNode& read = state_->nodes[node];
    for (const auto* names : {&read.node.inputs, &read.captured}) {
      for (const std::string& name : *names) {
        if (!known.insert(name).second) continue;
        const auto constant = state_->constant_by_name.find(name);
        if (constant == state_->constant_by_name.end()) {
          return Expected(
              "value " + Quoted(name),
              "an input, a constant or the output of a node that is extracted",
              "another value");
        }
        const State::Source& source = state_->sources[constant->second];
        std::string external;
        if (!state_->constants[constant->second].external_file.empty()) {
          const auto tensor = LoadConstant(name);
          if (!tensor) return tensor.error();
          external = SerializeTensor(*tensor, name);
        }
        const bool is_node = source.kind == State::Source::kNode;
        if (!external.empty()) {
          AppendMessage(5, external, initializers);
        } else {
          const auto& places = is_node ? state_->skeleton.nodes
                               : source.kind == State::Source::kSparse
                                   ? state_->skeleton.sparse_initializers
                                   : state_->skeleton.initializers;
          const auto bytes = state_->BytesOf(places[source.index]);
          if (!bytes) return bytes.error();
          const uint32_t number = is_node                                 ? 1
                                  : source.kind == State::Source::kSparse ? 15
                                                                          : 5;
          AppendMessage(number, *bytes, is_node ? graph : initializers);
        }
        if (graph.size() + initializers.size() > kMostModelBytes) return too_long;
      }
    }
  }

  // (2) The nodes.
  for (const size_t node : nodes) {
    const auto bytes = state_->BytesOf(state_->skeleton.nodes[state_->positions[node]]);
    if (!bytes) return bytes.error();
    AppendMessage(1, *bytes, graph);
  }
  AppendMessage(2, "qconform", graph);
  graph += initializers;

  // (3) The inputs and outputs, with the types that are known.
  std::map<std::string, const onnx::TypeProto*> types;
  ForEachType(state_->prepared,
              [&](const std::string& name, const onnx::TypeProto& type) {
                types.emplace(name, &type);
              });
  // Returns false if nothing is known of the value.
  const auto set_type = [&](onnx::ValueInfoProto& info) {
    if (const auto type = types.find(info.name()); type != types.end()) {
      *info.mutable_type() = *type->second;
      return true;
    }
    const FileConstant* constant = FindConstant(info.name());
    if (constant == nullptr) return false;
    SetTensorType(static_cast<int32_t>(constant->type), constant->shape, {}, info);
    return constant->type != DataType::kUndefined;
  };
  for (const ValueInfo& input : inputs) {
    onnx::ValueInfoProto info;
    info.set_name(input.name);
    if (input.type != DataType::kUndefined) {
      SetTensorType(static_cast<int32_t>(input.type), input.shape, input.dim_params,
                    info);
    } else if (!set_type(info)) {
      return Expected("value " + Quoted(input.name), "a type that is known", "none");
    }
    AppendMessage(11, info.SerializeAsString(), graph);
  }
  for (const std::string& name : outputs) {
    onnx::ValueInfoProto info;
    info.set_name(name);
    set_type(info);
    AppendMessage(12, info.SerializeAsString(), graph);
  }
  if (graph.size() > kMostModelBytes) return too_long;

  // (4) The model around it.
  onnx::ModelProto model;
  model.set_ir_version(state_->proto.ir_version());
  model.set_producer_name("qconform");
  *model.mutable_opset_import() = state_->proto.opset_import();
  std::string bytes = model.SerializeAsString();
  for (const Place& place : state_->skeleton.functions) {
    const auto function = state_->BytesOf(place);
    if (!function) return function.error();
    AppendMessage(25, *function, bytes);
  }
  AppendMessage(7, graph, bytes);
  if (bytes.size() > kMostModelBytes) return too_long;
  return bytes;
}

}  // namespace qconform
