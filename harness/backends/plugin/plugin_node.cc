#include "harness/backends/plugin/plugin_node.h"

#include <cstring>
#include <utility>
#include <variant>

#include "cases/model/serialize.h"

namespace qconform {
namespace {

qconform_attribute ToC(const Attribute& attribute) {
  qconform_attribute c{};
  c.struct_size = sizeof c;
  c.name = attribute.name.c_str();
  if (const auto* i = std::get_if<int64_t>(&attribute.value)) {
    c.kind = QCONFORM_INT;
    c.i = *i;
  } else if (const auto* f = std::get_if<float>(&attribute.value)) {
    c.kind = QCONFORM_FLOAT;
    c.f = *f;
  } else if (const auto* s = std::get_if<std::string>(&attribute.value)) {
    c.kind = QCONFORM_STRING;
    c.s = s->c_str();
  } else {
    const auto& ints = std::get<std::vector<int64_t>>(attribute.value);
    c.kind = QCONFORM_INTS;
    c.ints = ints.data();
    c.ints_count = ints.size();
  }
  return c;
}

}  // namespace

Result<std::unique_ptr<PluginNode>> PluginNode::Create(const Model& model,
                                                       GuardedPool& pool) {
  std::unique_ptr<PluginNode> made(new PluginNode(model));
  const Model& own = made->shown_;
  const size_t count = own.node.inputs.size();
  made->bytes_ = SerializeModel(own);
  made->tensors_.resize(count);
  made->operands_.resize(count);
  for (size_t i = 0; i < count; ++i) {
    const std::string& name = own.node.inputs[i];
    qconform_tensor& tensor = made->tensors_[i];
    qconform_operand& operand = made->operands_[i];
    tensor.struct_size = sizeof tensor;
    operand = {sizeof operand, QCONFORM_ABSENT, name.c_str(), nullptr};
    made->operand_pointers_.push_back(&operand);
    if (name.empty()) continue;
    for (const ValueInfo& input : own.inputs) {
      if (input.name != name) continue;
      operand.kind = QCONFORM_FED;
      operand.tensor = &tensor;
      tensor.data_type = static_cast<int32_t>(input.type);
      tensor.dims = input.shape.data();
      tensor.rank = input.shape.size();
      const auto elements = ElementCount(input.shape);
      if (elements && input.type != DataType::kUndefined) {
        tensor.data_size = PackedByteSize(input.type, *elements);
      }
    }
    for (size_t k = 0; k < own.initializers.size(); ++k) {
      const Initializer& initializer = own.initializers[k];
      if (initializer.name != name || operand.kind != QCONFORM_ABSENT) continue;
      operand.kind = QCONFORM_CONSTANT;
      operand.tensor = &tensor;
      const Tensor& value = initializer.tensor;
      auto lease = pool.Take(value.data.size());
      if (!lease) return lease.error();
      std::byte* place = (*lease)->PlaceAtEnd(value.data.size()).data();
      if (!value.data.empty()) std::memcpy(place, value.data.data(), value.data.size());
      tensor.data_type = static_cast<int32_t>(value.type);
      tensor.dims = value.shape.data();
      tensor.rank = value.shape.size();
      tensor.data = place;
      tensor.data_size = value.data.size();
      made->constants_.push_back(*std::move(lease));
      made->constant_values_.push_back(&made->model_.initializers[k].tensor);
      made->constant_places_.push_back(place);
    }
    if (operand.kind == QCONFORM_ABSENT) {
      return Error{"the node's input '" + name +
                   "' is neither an input of the graph nor an initializer"};
    }
  }
  made->attributes_.reserve(own.node.attributes.size());
  for (const Attribute& attribute : own.node.attributes) {
    made->attributes_.push_back(ToC(attribute));
    made->attribute_pointers_.push_back(&made->attributes_.back());
  }
  qconform_node& node = made->node_;
  node.struct_size = sizeof node;
  node.opset_version = own.opset_version;
  node.op_type = own.node.op_type.c_str();
  node.domain = own.node.domain.c_str();
  node.attributes = made->attribute_pointers_.data();
  node.attribute_count = made->attribute_pointers_.size();
  node.operands = made->operand_pointers_.data();
  node.operand_count = count;
  node.output_count = own.node.outputs.size();
  node.model = made->bytes_.data();
  node.model_size = made->bytes_.size();
  return made;
}

void PluginNode::SetConstantsReadOnly(bool read_only) const {
  for (const GuardedPool::Lease& constant : constants_) constant->SetReadOnly(read_only);
}

bool PluginNode::ConstantsIntact() const {
  for (size_t i = 0; i < constants_.size(); ++i) {
    const auto& data = constant_values_[i]->data;
    if (!constants_[i]->Intact() ||
        (!data.empty() &&
         std::memcmp(constant_places_[i], data.data(), data.size()) != 0)) {
      return false;
    }
  }
  return true;
}

}  // namespace qconform
