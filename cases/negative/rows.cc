#include "cases/negative/rows.h"

#include <bit>

#include "cases/core/operator_cases.h"
#include "cases/lattice/lattice.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform::negative {
namespace {

constexpr int kScales[] = {2, 3, 5, 6, 7, 9, 10};
constexpr int kPowersOfTwo[] = {2, 4, 8, 1};
constexpr int kZeroPoints[] = {1, 0, 1, 1, 0};
constexpr int kZero[] = {0};

uint64_t CodeOf(DataType type, int value) {
  if (IsInteger(type)) {
    return static_cast<uint64_t>(value) & ((uint64_t{1} << BitWidth(type)) - 1);
  }
  if (type == DataType::kFloat8E8M0) {
    return static_cast<uint64_t>(127 - 2 +
                                 std::countr_zero(static_cast<unsigned>(value)));
  }
  const ExactValue quarters{
      .value_class = value == 0 ? ValueClass::kZero : ValueClass::kFinite,
      .negative = value < 0,
      .significand = static_cast<uint64_t>(value < 0 ? -value : value),
      .exponent = -2};
  return Round(FormatOf(type), ToUnrounded(quarters), RoundingMode::kNearestEven,
               OverflowPolicy::kSaturate);
}

Tensor MakeTensor(const Operand& operand, std::span<const int> pattern) {
  Tensor tensor = Tensor::Zeros(operand.type, operand.shape);
  const std::span<const int> values =
      operand.values.empty() ? pattern : std::span<const int>(operand.values);
  const int64_t count = *ElementCount(operand.shape);
  for (int64_t i = 0; i < count; ++i) {
    WriteCode(tensor.mutable_view(), i,
              CodeOf(operand.type, values[static_cast<size_t>(i) % values.size()]));
  }
  return tensor;
}

}  // namespace

std::span<const int> ScalePattern(const Operand& operand) {
  if (operand.type == DataType::kFloat8E8M0) return kPowersOfTwo;
  return kScales;
}

std::span<const int> ZeroPointPattern(const Operand& operand) {
  if (IsInteger(operand.type)) return kZeroPoints;
  return kZero;
}

bool OnnxHas(int opset_version) { return opset_version <= NewestOpsetVersion(); }

ModelBuilder::ModelBuilder(std::string_view op_type, int opset_version) {
  fed_.model.opset_version = opset_version;
  fed_.model.ir_version = IrVersionFor(opset_version);
  fed_.model.node.op_type = op_type;
}

void ModelBuilder::AddInput(const std::string& name, const Operand& operand,
                            std::span<const int> pattern) {
  fed_.model.node.inputs.push_back(name);
  fed_.model.inputs.push_back({name, operand.TypeInModel(), operand.ShapeInModel()});
  fed_.inputs.push_back(MakeTensor(operand, pattern));
}

void ModelBuilder::AddAttribute(const char* name, std::optional<int64_t> value) {
  if (value) fed_.model.node.attributes.push_back({name, *value});
}

void ModelBuilder::AddAttributes(const std::vector<Attribute>& attributes) {
  std::vector<Attribute>& all = fed_.model.node.attributes;
  all.insert(all.end(), attributes.begin(), attributes.end());
}

FedModel ModelBuilder::Finish(std::vector<ValueInfo> outputs) {
  for (const ValueInfo& output : outputs) fed_.model.node.outputs.push_back(output.name);
  fed_.model.outputs = std::move(outputs);
  return std::move(fed_);
}

}  // namespace qconform::negative

namespace qconform {

std::string_view ModelKindName(ModelKind kind) {
  constexpr std::string_view kNames[] = {"invalid", "legal", "open"};
  return kNames[static_cast<size_t>(kind)];
}

std::string_view ModelPhaseName(ModelPhase phase) {
  constexpr std::string_view kNames[] = {"none", "checker", "shape_inference", "load",
                                         "run"};
  return kNames[static_cast<size_t>(phase)];
}

std::vector<NegativeModel> NegativeModels() {
  std::vector<NegativeModel> models;
  for (const OperatorCases* cases : AllOperatorCases()) {
    if (cases->negative_models == nullptr) continue;
    for (NegativeModel& model : cases->negative_models()) {
      models.push_back(std::move(model));
    }
  }
  return models;
}

}  // namespace qconform
