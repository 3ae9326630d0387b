#include "oracle/graphs/nodes/definition.h"

#include <algorithm>
#include <utility>

#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform::graphs {
namespace {

// The version of ONNX's operators that took a type to those that take all types.
struct TypeSince {
  DataType type;
  int since_version;
};
constexpr TypeSince kNewTypes[] = {
    {DataType::kFloat8E4M3FN, 19}, {DataType::kFloat8E4M3FNUZ, 19},
    {DataType::kFloat8E5M2, 19},   {DataType::kFloat8E5M2FNUZ, 19},
    {DataType::kUint4, 21},        {DataType::kInt4, 21},
    {DataType::kFloat4E2M1, 23},   {DataType::kFloat8E8M0, 24},
    {DataType::kUint2, 25},        {DataType::kInt2, 25},
    {DataType::kFloat6E2M3, 28},   {DataType::kFloat6E3M2, 28},
};

size_t CountOf(const NodeDefinition& definition) {
  const auto named = [](const NodeInput& input) { return !input.name.empty(); };
  return static_cast<size_t>(std::ranges::count_if(definition.inputs, named));
}

}  // namespace

Error NodeReader::Expected(std::string_view thing, std::string_view expected,
                           std::string_view got) const {
  return Error{node_.op_type + " " + std::string(thing) + ": expected " +
               std::string(expected) + ", got " + std::string(got)};
}

bool NodeReader::Takes(DataType type) const {
  const DataTypes& types = definition_.types;
  if ((types.mask >> static_cast<int>(type) & 1) != 0) return true;
  return types.grows && std::ranges::any_of(kNewTypes, [&](const TypeSince& since) {
           return since.type == type && since.since_version <= since_version_;
         });
}

Status NodeReader::CheckOperand(const NodeInput& input, size_t position) const {
  const TensorView& operand = *operands_[position];
  const std::string got(DataTypeName(operand.type));
  switch (input.kind) {
    case InputKind::kData:
      if (!Takes(operand.type)) {
        return Expected(input.name,
                        "a type of since_version " + std::to_string(since_version_), got);
      }
      if (operand.type != type()) {
        return Expected(input.name, DataTypeName(type()), got);
      }
      break;
    case InputKind::kAmounts:
      if (operand.type != DataType::kInt64) return Expected(input.name, "INT64", got);
      break;
    case InputKind::kIndices:
      if (operand.type != DataType::kInt64 && operand.type != DataType::kInt32) {
        return Expected(input.name, "INT32 or INT64", got);
      }
      break;
  }
  const std::optional<int64_t> count = ElementCount(operand.shape);
  if (!count) {
    return Expected(input.name, "dimensions that are not negative, and a size to hold",
                    ShapeToString(operand.shape));
  }
  return Ok();
}

Status NodeReader::Check() const {
  const size_t most = CountOf(definition_);
  const bool is_variadic = definition_.inputs[most - 1].is_variadic;
  if (operands_.size() > most && !is_variadic) {
    return Expected("inputs", "at most " + std::to_string(most),
                    std::to_string(operands_.size()));
  }
  for (size_t i = 0; i < std::max(most, operands_.size()); ++i) {
    const NodeInput& input = definition_.inputs[std::min(i, most - 1)];
    const bool is_given = i < operands_.size() && operands_[i].has_value();
    if (!is_given) {
      if (input.is_optional) continue;
      return Expected(input.name, "an operand", "none");
    }
    if (const Status status = CheckOperand(input, i); !status) return status.error();
  }
  for (const Attribute& attribute : node_.attributes) {
    if (!KnowsAttribute(attribute.name)) {
      return Expected("attribute " + attribute.name,
                      "an attribute of since_version " + std::to_string(since_version_),
                      "one that it does not have");
    }
  }
  return Ok();
}

std::optional<int> NodeReader::Find(std::string_view name) const {
  const NodeInput* const at =
      std::ranges::find(definition_.inputs, name, &NodeInput::name);
  if (at == std::ranges::end(definition_.inputs)) return std::nullopt;
  const auto position = static_cast<size_t>(at - definition_.inputs);
  if (position >= operands_.size() || !operands_[position]) return std::nullopt;
  return static_cast<int>(position);
}

const TensorView& NodeReader::operand(std::string_view name) const {
  return operand(static_cast<size_t>(*Find(name)));
}

Result<std::vector<int64_t>> NodeReader::Indices(std::string_view name) const {
  const TensorView& given = operand(name);
  const int64_t count = *ElementCount(given.shape);
  if (given.data.size() != PackedByteSize(given.type, count)) {
    return Expected(
        name, std::to_string(count) + " values that are known before the graph runs",
        std::to_string(given.data.size()) + " bytes");
  }
  std::vector<int64_t> values;
  for (const uint64_t code : ReadCodes(given)) {
    values.push_back(ToInteger(FormatOf(given.type), code));
  }
  return values;
}

Result<std::optional<std::vector<int64_t>>> NodeReader::Amounts(
    std::string_view name) const {
  if (!Find(name)) return std::optional<std::vector<int64_t>>();
  if (operand(name).shape.size() != 1) {
    return Expected(name, "rank 1", "shape " + ShapeToString(operand(name).shape));
  }
  auto values = Indices(name);
  if (!values) return values.error();
  return std::optional(*std::move(values));
}

bool NodeReader::HasAttribute(std::string_view name) const {
  return std::ranges::find(node_.attributes, name, &Attribute::name) !=
         node_.attributes.end();
}

bool NodeReader::KnowsAttribute(std::string_view name) const {
  return std::ranges::find(definition_.attributes, name) !=
         std::ranges::end(definition_.attributes);
}

Result<int64_t> NodeReader::Integer(std::string_view name, int64_t otherwise) const {
  const auto value = IntegerAttribute(node_.attributes, name);
  if (!value) return Error{node_.op_type + " " + value.error().message};
  return value->value_or(otherwise);
}

Result<bool> NodeReader::Flag(std::string_view name, bool otherwise) const {
  const auto value = Integer(name, otherwise ? 1 : 0);
  if (!value) return value.error();
  if (*value != 0 && *value != 1) {
    return Expected(name, "0 or 1", std::to_string(*value));
  }
  return *value == 1;
}

Result<std::optional<std::vector<int64_t>>> NodeReader::Integers(
    std::string_view name) const {
  auto value = IntegersAttribute(node_.attributes, name);
  if (!value) return Error{node_.op_type + " " + value.error().message};
  return value;
}

Result<std::string> NodeReader::String(std::string_view name,
                                       std::string_view otherwise) const {
  const auto value = StringAttribute(node_.attributes, name);
  if (!value) return Error{node_.op_type + " " + value.error().message};
  return value->value_or(std::string(otherwise));
}

Result<uint32_t> NodeReader::Float(std::string_view name, uint32_t otherwise) const {
  const auto value = FloatAttributeBits(node_.attributes, name);
  if (!value) return Error{node_.op_type + " " + value.error().message};
  return value->value_or(otherwise);
}

Result<size_t> NodeReader::Axis(std::string_view thing, int64_t axis, size_t rank) const {
  const auto signed_rank = static_cast<int64_t>(rank);
  if (axis < -signed_rank || axis >= signed_rank) {
    return Expected(thing, "an axis of a tensor of rank " + std::to_string(rank),
                    std::to_string(axis));
  }
  return static_cast<size_t>(axis < 0 ? axis + signed_rank : axis);
}

Result<std::vector<size_t>> NodeReader::Axes(std::string_view thing,
                                             const std::vector<int64_t>& axes,
                                             size_t rank) const {
  std::vector<size_t> from_front;
  for (const int64_t each : axes) {
    const auto axis = Axis(thing, each, rank);
    if (!axis) return axis.error();
    if (std::ranges::find(from_front, *axis) != from_front.end()) {
      return Expected(thing, "each axis once", ShapeToString(axes));
    }
    from_front.push_back(*axis);
  }
  return from_front;
}

}  // namespace qconform::graphs
