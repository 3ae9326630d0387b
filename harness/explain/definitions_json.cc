#include "harness/explain/definitions_json.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cases/lattice/lattice.h"
#include "harness/explain/question.h"
#include "oracle/core/operator.h"

namespace qconform {
namespace {

std::string_view RoleName(OperandRole role) {
  switch (role) {
    case OperandRole::kData:
      return "data";
    case OperandRole::kWeight:
      return "weight";
    case OperandRole::kBias:
      return "bias";
    case OperandRole::kScale:
      return "scale";
    case OperandRole::kZeroPoint:
      break;
  }
  return "zero_point";
}

Json OperandsJson(const Operator& op, int since_version) {
  Json operands = Json::array();
  for (const OperandInfo& operand : op.operands()) {
    Json types = Json::array();
    for (const DataType type : SchemaTypes(op.op_type(), since_version, operand.name)) {
      types.push_back(DataTypeName(type));
    }
    if (types.empty()) continue;  // the definition does not have the operand
    operands.push_back({{"name", operand.name},
                        {"role", RoleName(operand.role)},
                        {"optional", operand.is_optional},
                        {"types", std::move(types)}});
  }
  return operands;
}

// Returns settings that a person can read and change: small tensors of the first rank
// that the operator takes, and no optional operands but zero points.
std::vector<std::string> ExampleOf(const Operator& op, int since_version) {
  const auto type_of = [&](std::string_view name) {
    const auto types = SchemaTypes(op.op_type(), since_version, name);
    for (const DataType wanted : {DataType::kFloat, DataType::kUint8}) {
      if (std::ranges::count(types, wanted) != 0) return wanted;
    }
    return types.empty() ? DataType::kUndefined : types.front();
  };
  struct Values {
    const char* of_floats;
    const char* of_integers;
  };
  constexpr Values kTried[] = {{"[2.5,-1,3.5]", "[1,2,3]"},
                               {"[[2.5,-1],[3.5,4]]", "[[1,2],[3,4]]"},
                               {"[[[[2.5,-1],[3.5,4]]]]", "[[[[1,2],[3,4]]]]"}};
  for (const Values& values : kTried) {
    std::vector<std::string> settings;
    for (const OperandInfo& operand : op.operands()) {
      const bool is_zero_point = operand.role == OperandRole::kZeroPoint;
      if (operand.is_optional && !is_zero_point) continue;
      const DataType type = type_of(
          is_zero_point && operand.of ? op.operands()[*operand.of].name : operand.name);
      const std::string value = is_zero_point                         ? "1"
                                : operand.role == OperandRole::kScale ? "0.5"
                                : type == DataType::kFloat            ? values.of_floats
                                                           : values.of_integers;
      settings.push_back(std::string(operand.name) + "=" + value + ":" +
                         std::string(DataTypeName(type)));
    }
    if (ReadQuestion(std::string(op.op_type()), 0, settings)) return settings;
  }
  return {};
}

}  // namespace

Json DefinitionsJson() {
  Json all = Json::object();
  for (const std::string& op_type : TypedOperators()) {
    const Operator& op = *FindOperator(op_type);
    Json versions = Json::array();
    const std::vector<SinceVersion> definitions = SinceVersions(op_type);
    for (const SinceVersion& version : definitions) {
      versions.push_back(
          {{"since_version", version.since_version},
           {"opset_versions", version.opset_versions},
           {"attributes", AttributeNames(op_type, version.since_version)},
           {"granularities", CellGranularities(op_type, version.since_version)},
           {"operands", OperandsJson(op, version.since_version)}});
    }
    all[op_type] = {{"formals", CellFormals(op_type)},
                    {"versions", std::move(versions)},
                    {"example", ExampleOf(op, definitions.back().since_version)}};
  }
  return all;
}

}  // namespace qconform
