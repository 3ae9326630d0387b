#include "cases/negative/rows.h"

#include <bit>
#include <span>
#include <string_view>
#include <utility>

#include "cases/lattice/lattice.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform::negative {
namespace {

// Neighbouring elements differ, so that a wrong index shows in the answer; the
// quotients are no ties and few of them saturate.
constexpr int kValues[] = {-9, 2, 7, 30, 101, -1, 55, 13, -30, 77, 5};
constexpr int kWholeNumbers[] = {1, 7, 2, 5, 0, 9, 3};
constexpr int kScales[] = {2, 3, 5, 6, 7, 9, 10};
constexpr int kPowersOfTwo[] = {2, 4, 8, 1};  // FLOAT8E8M0 has no others
constexpr int kZeroPoints[] = {1, 0, 1, 1, 0};
// A zero point other than zero is open where y is a float (QL-24).
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

std::span<const int> ScalePattern(const Operand& operand) {
  if (operand.type == DataType::kFloat8E8M0) return kPowersOfTwo;
  return kScales;
}

std::span<const int> ZeroPointPattern(const Operand& operand) {
  if (IsInteger(operand.type)) return kZeroPoints;
  return kZero;
}

void AddInput(const std::string& name, const Operand& operand,
              std::span<const int> pattern, FedModel& fed) {
  fed.model.node.inputs.push_back(name);
  fed.model.inputs.push_back({name, operand.declared_type.value_or(operand.type),
                              operand.declared_shape.value_or(operand.shape)});
  fed.inputs.push_back(MakeTensor(operand, pattern));
}

FedModel Begin(const char* op_type, int opset_version) {
  FedModel fed;
  fed.model.opset_version = opset_version;
  fed.model.ir_version = IrVersionFor(opset_version);
  fed.model.node.op_type = op_type;
  fed.model.node.outputs = {"y"};
  return fed;
}

FedModel Build(const QuantizeLinearSpec& spec, int opset_version) {
  FedModel fed = Begin("QuantizeLinear", opset_version);
  AddInput("x", spec.x, kValues, fed);
  AddInput("y_scale", spec.y_scale, ScalePattern(spec.y_scale), fed);
  if (spec.y_zero_point) {
    AddInput("y_zero_point", *spec.y_zero_point, ZeroPointPattern(*spec.y_zero_point),
             fed);
  } else if (spec.empty_zero_point) {
    fed.model.node.inputs.emplace_back();
  }
  const std::pair<const char*, std::optional<int64_t>> attributes[] = {
      {"axis", spec.axis},
      {"block_size", spec.block_size},
      {"saturate", spec.saturate},
      {"output_dtype", spec.output_dtype},
      {"precision", spec.precision}};
  for (const auto& [name, value] : attributes) {
    if (value) fed.model.node.attributes.push_back({name, *value});
  }
  fed.model.outputs = {{"y", spec.y, spec.x.declared_shape.value_or(spec.x.shape)}};
  return fed;
}

FedModel Build(const QLinearMatMulSpec& spec, int opset_version) {
  FedModel fed = Begin("QLinearMatMul", opset_version);
  const struct {
    const char* name;
    const Operand& operand;
    std::span<const int> pattern;
  } operands[] = {
      {"a", spec.a, kWholeNumbers},
      {"a_scale", spec.a_scale, kScales},
      {"a_zero_point", spec.a_zero_point, ZeroPointPattern(spec.a_zero_point)},
      {"b", spec.b, kWholeNumbers},
      {"b_scale", spec.b_scale, kScales},
      {"b_zero_point", spec.b_zero_point, ZeroPointPattern(spec.b_zero_point)},
      {"y_scale", spec.y_scale, kScales},
      {"y_zero_point", spec.y_zero_point, ZeroPointPattern(spec.y_zero_point)}};
  const auto last = std::ssize(operands) - 1;
  for (int i = 0; i <= last; ++i) {
    if (i != spec.missing) {
      AddInput(operands[i].name, operands[i].operand, operands[i].pattern, fed);
    } else if (i != last) {
      fed.model.node.inputs.emplace_back();
    }
  }
  fed.model.outputs = {
      {"y", spec.y_zero_point.declared_type.value_or(spec.y_zero_point.type), spec.y}};
  return fed;
}

template <typename Spec>
void AddRows(const char* op_type, const char* clause, ModelKind kind,
             const std::vector<Row<Spec>>& rows, std::vector<NegativeModel>& models) {
  for (const Row<Spec>& row : rows) {
    for (const int opset_version : row.opset_versions) {
      NegativeModel model;
      model.id =
          std::string(op_type) + "@" + std::to_string(opset_version) + "/" + row.name;
      model.clause = clause;
      model.sentence = row.sentence;
      model.kind = kind;
      model.phase = row.phase;
      model.question = Build(row.spec, opset_version);
      if (row.meaning) {
        model.meaning = Build(*row.meaning, row.meaning_opset_version == 0
                                                ? opset_version
                                                : row.meaning_opset_version);
      }
      models.push_back(std::move(model));
    }
  }
}

}  // namespace

void Add(const char* clause, ModelKind kind, const std::vector<QuantizeLinearRow>& rows,
         std::vector<NegativeModel>& models) {
  AddRows("QuantizeLinear", clause, kind, rows, models);
}

void Add(const char* clause, ModelKind kind, const std::vector<QLinearMatMulRow>& rows,
         std::vector<NegativeModel>& models) {
  AddRows("QLinearMatMul", clause, kind, rows, models);
}

}  // namespace qconform::negative

namespace qconform {

std::string_view ModelKindName(ModelKind kind) {
  switch (kind) {
    case ModelKind::kInvalid:
      return "invalid";
    case ModelKind::kLegal:
      return "legal";
    case ModelKind::kOpen:
      return "open";
  }
  return "";
}

std::string_view ModelPhaseName(ModelPhase phase) {
  switch (phase) {
    case ModelPhase::kNone:
      return "none";
    case ModelPhase::kChecker:
      return "checker";
    case ModelPhase::kShapeInference:
      return "shape_inference";
    case ModelPhase::kLoad:
      return "load";
    case ModelPhase::kRun:
      return "run";
  }
  return "";
}

std::vector<NegativeModel> NegativeModels() {
  std::vector<NegativeModel> models;
  negative::AddQuantizeLinearShapes(models);
  negative::AddQuantizeLinearBlocks(models);
  negative::AddQuantizeLinearTypes(models);
  negative::AddQuantizeLinearAttributes(models);
  negative::AddQuantizeLinearFeeds(models);
  negative::AddQuantizeLinearLegal(models);
  negative::AddQuantizeLinearOpen(models);
  negative::AddQLinearMatMulInvalid(models);
  negative::AddQLinearMatMulOthers(models);
  return models;
}

}  // namespace qconform
