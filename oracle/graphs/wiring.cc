#include "oracle/graphs/wiring.h"

#include <algorithm>
#include <initializer_list>
#include <string>

#include "oracle/graphs/nodes/definition.h"
#include "oracle/graphs/nodes/nodes.h"

namespace qconform {
namespace graphs {
namespace {

using enum DataType;
using enum InputKind;

constexpr DataTypes Types(std::initializer_list<DataType> types) {
  DataTypes set;
  for (const DataType type : types) set.mask |= 1u << static_cast<int>(type);
  return set;
}

constexpr DataTypes kFloats = Types({kFloat, kFloat16, kDouble});
constexpr DataTypes kAllFloats = kFloats | Types({kBfloat16});
constexpr DataTypes kSums = kAllFloats | Types({kInt32, kInt64});
constexpr DataTypes kReduced = kSums | Types({kUint8, kInt8});
constexpr DataTypes kSigned = kSums | Types({kInt8, kInt16});
constexpr DataTypes kNumbers = kSigned | Types({kUint8, kUint16});
constexpr DataTypes kEverything = {kNumbers.mask, true};

constexpr NodeInput kAxes{"axes", kAmounts, true};
constexpr NodeInput kOperands{"data_0", kData, false, true};

// ONNX's definitions that models of opset_version 13 and newer select, those of an
// operator in ascending order.
constexpr NodeDefinition kDefinitions[] = {
    {"Identity", 13, {{"input"}}, {}, kEverything, WireIdentity},
    {"Transpose", 13, {{"data"}}, {"perm"}, kEverything, WireTranspose},
    {"Reshape", 13, {{"data"}, {"shape", kAmounts}}, {}, kEverything, WireReshape},
    {"Reshape",
     14,
     {{"data"}, {"shape", kAmounts}},
     {"allowzero"},
     kEverything,
     WireReshape},
    {"Flatten", 13, {{"input"}}, {"axis"}, kEverything, WireFlatten},
    {"Squeeze", 13, {{"data"}, kAxes}, {}, kEverything, WireSqueeze},
    {"Unsqueeze", 13, {{"data"}, {"axes", kAmounts}}, {}, kEverything, WireUnsqueeze},
    {"Expand", 13, {{"input"}, {"shape", kAmounts}}, {}, kNumbers, WireExpand},
    {"Tile", 13, {{"input"}, {"repeats", kAmounts}}, {}, kNumbers, WireTile},
    {"DepthToSpace", 13, {{"input"}}, {"blocksize", "mode"}, kNumbers, WireDepthToSpace},
    {"SpaceToDepth", 13, {{"input"}}, {"blocksize"}, kNumbers, WireSpaceToDepth},
    {"SpaceToDepth", 28, {{"input"}}, {"blocksize", "mode"}, kNumbers, WireSpaceToDepth},
    {"Slice",
     13,
     {{"data"},
      {"starts", kIndices},
      {"ends", kIndices},
      {"axes", kIndices, true},
      {"steps", kIndices, true}},
     {},
     kNumbers,
     WireSlice},
    {"Split", 13, {{"input"}, {"split", kAmounts, true}}, {"axis"}, kNumbers, WireSplit},
    {"Split",
     18,
     {{"input"}, {"split", kAmounts, true}},
     {"axis", "num_outputs"},
     kNumbers,
     WireSplit},
    {"Concat", 13, {{"inputs", kData, false, true}}, {"axis"}, kNumbers, WireConcat},
    {"Gather", 13, {{"data"}, {"indices", kIndices}}, {"axis"}, kNumbers, WireGather},
    {"GatherElements",
     13,
     {{"data"}, {"indices", kIndices}},
     {"axis"},
     kNumbers,
     WireGatherElements},
    {"Pad",
     13,
     {{"data"}, {"pads", kAmounts}, {"constant_value", kData, true}},
     {"mode"},
     kNumbers,
     WirePad},
    {"Pad",
     18,
     {{"data"},
      {"pads", kAmounts},
      {"constant_value", kData, true},
      {"axes", kIndices, true}},
     {"mode"},
     kNumbers,
     WirePad},
    {"Pad",
     19,
     {{"data"},
      {"pads", kAmounts},
      {"constant_value", kData, true},
      {"axes", kIndices, true}},
     {"mode"},
     kNumbers,
     WirePadWithWrap},
    {"Pad",
     21,
     {{"data"},
      {"pads", kAmounts},
      {"constant_value", kData, true},
      {"axes", kIndices, true}},
     {"mode"},
     kEverything,
     WirePadWithWrap},

    {"MaxPool",
     12,
     {{"X"}},
     {"auto_pad", "ceil_mode", "dilations", "kernel_shape", "pads", "storage_order",
      "strides"},
     kFloats | Types({kInt8, kUint8}),
     WireMaxPool},
    {"MaxPool",
     22,
     {{"X"}},
     {"auto_pad", "ceil_mode", "dilations", "kernel_shape", "pads", "storage_order",
      "strides"},
     kAllFloats | Types({kInt8, kUint8}),
     WireMaxPool},
    {"ReduceMax", 13, {{"data"}}, {"axes", "keepdims"}, kReduced, WireReduceMax},
    {"ReduceMax",
     18,
     {{"data"}, kAxes},
     {"keepdims", "noop_with_empty_axes"},
     kReduced,
     WireReduceMax},
    {"ReduceMin", 13, {{"data"}}, {"axes", "keepdims"}, kReduced, WireReduceMin},
    {"ReduceMin",
     18,
     {{"data"}, kAxes},
     {"keepdims", "noop_with_empty_axes"},
     kReduced,
     WireReduceMin},
    {"Max", 13, {kOperands}, {}, kNumbers, WireMax},
    {"Min", 13, {kOperands}, {}, kNumbers, WireMin},
    {"Relu", 13, {{"X"}}, {}, kAllFloats, WireRelu},
    {"Relu", 14, {{"X"}}, {}, kSigned, WireRelu},
    {"Clip",
     13,
     {{"input"}, {"min", kData, true}, {"max", kData, true}},
     {},
     kNumbers,
     WireClip},
    {"ArgMax",
     13,
     {{"data"}},
     {"axis", "keepdims", "select_last_index"},
     kNumbers,
     WireArgMax},
    {"ArgMin",
     13,
     {{"data"}},
     {"axis", "keepdims", "select_last_index"},
     kNumbers,
     WireArgMin},

    {"Add", 13, {{"A"}, {"B"}}, {}, kSums, WireAdd},
    {"Add", 14, {{"A"}, {"B"}}, {}, kNumbers, WireAdd},
    {"Sub", 13, {{"A"}, {"B"}}, {}, kSums, WireSub},
    {"Sub", 14, {{"A"}, {"B"}}, {}, kNumbers, WireSub},
    {"Mul", 13, {{"A"}, {"B"}}, {}, kSums, WireMul},
    {"Mul", 14, {{"A"}, {"B"}}, {}, kNumbers, WireMul},
    {"Div", 13, {{"A"}, {"B"}}, {}, kSums, WireDiv},
    {"Div", 14, {{"A"}, {"B"}}, {}, kNumbers, WireDiv},
    {"LeakyRelu", 6, {{"X"}}, {"alpha"}, kFloats, WireLeakyRelu},
    {"LeakyRelu", 16, {{"X"}}, {"alpha"}, kAllFloats, WireLeakyRelu},
    {"PRelu", 9, {{"X"}, {"slope"}}, {}, kFloats | Types({kInt32, kInt64}), WirePRelu},
    {"PRelu", 16, {{"X"}, {"slope"}}, {}, kSums, WirePRelu},
    {"HardSigmoid", 6, {{"X"}}, {"alpha", "beta"}, kFloats, WireHardSigmoid},
    {"HardSigmoid", 22, {{"X"}}, {"alpha", "beta"}, kAllFloats, WireHardSigmoid},
    {"HardSwish", 14, {{"X"}}, {}, kFloats, WireHardSwish},
    {"HardSwish", 22, {{"X"}}, {}, kAllFloats, WireHardSwish},
    {"Neg", 13, {{"X"}}, {}, kSigned, WireNeg},
    {"Abs", 13, {{"X"}}, {}, kNumbers, WireAbs},
    {"Cast", 13, {{"input"}}, {"to"}, kEverything, WireCast},
    {"Cast", 19, {{"input"}}, {"saturate", "to"}, kEverything, WireCast},
    {"Cast", 24, {{"input"}}, {"round_mode", "saturate", "to"}, kEverything, WireCast},

    {"MatMul", 13, {{"A"}, {"B"}}, {}, kSums, WireMatMul},
    {"Gemm",
     13,
     {{"A"}, {"B"}, {"C", kData, true}},
     {"alpha", "beta", "transA", "transB"},
     kSums,
     WireGemm},
    {"Conv",
     11,
     {{"X"}, {"W"}, {"B", kData, true}},
     {"auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"},
     kFloats,
     WireConv},
    {"Conv",
     22,
     {{"X"}, {"W"}, {"B", kData, true}},
     {"auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"},
     kAllFloats,
     WireConv},
    {"AveragePool",
     11,
     {{"X"}},
     {"auto_pad", "ceil_mode", "count_include_pad", "kernel_shape", "pads", "strides"},
     kFloats,
     WireAveragePool},
    {"AveragePool",
     19,
     {{"X"}},
     {"auto_pad", "ceil_mode", "count_include_pad", "dilations", "kernel_shape", "pads",
      "strides"},
     kFloats,
     WireAveragePool},
    {"AveragePool",
     22,
     {{"X"}},
     {"auto_pad", "ceil_mode", "count_include_pad", "dilations", "kernel_shape", "pads",
      "strides"},
     kAllFloats,
     WireAveragePool},
    {"GlobalAveragePool", 1, {{"X"}}, {}, kFloats, WireGlobalAveragePool},
    {"GlobalAveragePool", 22, {{"X"}}, {}, kAllFloats, WireGlobalAveragePool},
    {"ReduceMean", 13, {{"data"}}, {"axes", "keepdims"}, kSums, WireReduceMean},
    {"ReduceMean",
     18,
     {{"data"}, kAxes},
     {"keepdims", "noop_with_empty_axes"},
     kSums,
     WireReduceMean},
};

}  // namespace

const NodeDefinition* FindDefinition(std::string_view op_type, int since_version) {
  const NodeDefinition* found = nullptr;
  for (const NodeDefinition& definition : kDefinitions) {
    const bool applies =
        definition.op_type == op_type && definition.since_version <= since_version;
    if (applies) found = &definition;
  }
  return found;
}

}  // namespace graphs

bool IsFloatNode(std::string_view op_type) {
  return std::ranges::find(graphs::kDefinitions, op_type,
                           &graphs::NodeDefinition::op_type) !=
         std::ranges::end(graphs::kDefinitions);
}

Result<Wiring> WireNode(const Node& node, int since_version, const Operands& operands) {
  const graphs::NodeDefinition* const definition =
      graphs::FindDefinition(node.op_type, since_version);
  if (definition == nullptr || !node.domain.empty()) {
    return Error{node.op_type + ": expected a float node of ONNX's domain, got domain '" +
                 node.domain + "', since_version " + std::to_string(since_version)};
  }
  const graphs::NodeReader reader(node, *definition, since_version, operands);
  if (const Status status = reader.Check(); !status) return status.error();
  return definition->wire(reader);
}

}  // namespace qconform
