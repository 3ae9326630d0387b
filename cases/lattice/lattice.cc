#include "cases/lattice/lattice.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "onnx/defs/data_type_utils.h"
#include "onnx/defs/schema.h"

namespace qconform {
namespace {

// What the schema does not say of an operator: which operands' types name a
// cell, in which order, and whether scales lie along rows and columns (MM-04).
struct JudgedOperator {
  std::string_view op_type;
  std::span<const std::string_view> operands;
  // The newest definition that the clauses were written for. A newer one may mean
  // something else, so it waits until somebody has read it.
  int newest_since_version = 0;
  bool rows_and_columns = false;
};

constexpr std::array<std::string_view, 3> kQuantizeLinear{"x", "y_scale", "y"};
constexpr std::array<std::string_view, 4> kQLinearMatMul{"a_scale", "a", "b", "y"};
constexpr std::array<JudgedOperator, 2> kJudged{{
    {.op_type = "QuantizeLinear",
     .operands = kQuantizeLinear,
     .newest_since_version = 25},
    {.op_type = "QLinearMatMul",
     .operands = kQLinearMatMul,
     .newest_since_version = 21,
     .rows_and_columns = true},
}};

const JudgedOperator* FindJudged(std::string_view op_type) {
  for (const JudgedOperator& judged : kJudged) {
    if (judged.op_type == op_type) return &judged;
  }
  return nullptr;
}

const onnx::OpSchema* FindSchema(std::string_view op_type, int opset_version) {
  return onnx::OpSchemaRegistry::Schema(std::string(op_type), opset_version,
                                        onnx::ONNX_DOMAIN);
}

// Returns all definitions of an operator, judged or not, ascending.
std::vector<SinceVersion> AllVersions(std::string_view op_type) {
  std::vector<SinceVersion> versions;
  const int newest = NewestOpsetVersion();
  for (int opset_version = 1; opset_version <= newest; ++opset_version) {
    const onnx::OpSchema* schema = FindSchema(op_type, opset_version);
    if (schema == nullptr || schema->Deprecated()) continue;
    if (versions.empty() || versions.back().since_version != schema->SinceVersion()) {
      versions.push_back({.since_version = schema->SinceVersion(), .opset_versions = {}});
    }
    versions.back().opset_versions.push_back(opset_version);
  }
  return versions;
}

bool IsJudged(std::string_view op_type, const SinceVersion& version) {
  const JudgedOperator* judged = FindJudged(op_type);
  return judged == nullptr || version.since_version <= judged->newest_since_version;
}

// Returns the input or output of that name, inputs first.
const onnx::OpSchema::FormalParameter* FindFormal(const onnx::OpSchema& schema,
                                                  std::string_view name) {
  for (const auto* formals : {&schema.inputs(), &schema.outputs()}) {
    for (const auto& formal : *formals) {
      if (formal.GetName() == name) return &formal;
    }
  }
  return nullptr;
}

// Returns the project's type for ONNX's "tensor(float)".
std::optional<DataType> TypeOf(onnx::DataType type) {
  const onnx::TypeProto& proto = onnx::Utils::DataTypeUtils::ToTypeProto(type);
  if (!proto.has_tensor_type()) return std::nullopt;
  return DataTypeFromNumber(proto.tensor_type().elem_type());
}

// Returns the types that the project knows of one formal parameter, by number.
std::vector<DataType> TypesOf(const onnx::OpSchema::FormalParameter& formal) {
  std::vector<DataType> types;
  for (const onnx::DataType type : formal.GetTypes()) {
    if (const auto known = TypeOf(type)) types.push_back(*known);
  }
  std::sort(types.begin(), types.end());
  return types;
}

std::vector<Granularity> GranularitiesOf(const JudgedOperator& judged,
                                         const onnx::OpSchema& schema) {
  if (judged.rows_and_columns) {
    return {Granularity::kPerTensorPerTensor, Granularity::kPerTensorPerColumn,
            Granularity::kPerRowPerTensor, Granularity::kPerRowPerColumn};
  }
  std::vector<Granularity> granularities{Granularity::kPerTensor};
  if (schema.attributes().count("axis")) granularities.push_back(Granularity::kPerAxis);
  if (schema.attributes().count("block_size")) {
    granularities.push_back(Granularity::kBlocked);
  }
  return granularities;
}

// Appends to `types` all choices for the operands from `types.size()` on.
void AppendChoices(std::span<const onnx::OpSchema::FormalParameter* const> formals,
                   std::vector<DataType>& types,
                   std::vector<std::vector<DataType>>& choices) {
  if (types.size() == formals.size()) {
    choices.push_back(types);
    return;
  }
  const auto& formal = *formals[types.size()];
  // Formals of one constraint ("T1") take one choice together.
  for (size_t i = 0; i < types.size(); ++i) {
    if (formals[i]->GetTypeStr() == formal.GetTypeStr()) {
      types.push_back(types[i]);
      AppendChoices(formals, types, choices);
      types.pop_back();
      return;
    }
  }
  for (const DataType type : TypesOf(formal)) {
    types.push_back(type);
    AppendChoices(formals, types, choices);
    types.pop_back();
  }
}

}  // namespace

int NewestOpsetVersion() {
  return onnx::OpSchemaRegistry::DomainToVersionRange::Instance()
      .Map()
      .at(onnx::ONNX_DOMAIN)
      .second;
}

std::vector<SinceVersion> SinceVersions(std::string_view op_type) {
  std::vector<SinceVersion> versions = AllVersions(op_type);
  std::erase_if(versions,
                [&](const SinceVersion& version) { return !IsJudged(op_type, version); });
  return versions;
}

std::vector<SinceVersion> UnjudgedVersions(std::string_view op_type) {
  std::vector<SinceVersion> versions = AllVersions(op_type);
  std::erase_if(versions,
                [&](const SinceVersion& version) { return IsJudged(op_type, version); });
  return versions;
}

Result<JudgingVersion> JudgingVersionFor(std::string_view op_type, int opset_version) {
  // Asking the schema registry takes longer than a small model.
  static const auto known = [] {
    std::map<std::string, std::vector<SinceVersion>, std::less<>> versions;
    for (const std::string& judged : JudgedOperators())
      versions[judged] = SinceVersions(judged);
    return versions;
  }();
  const auto found = known.find(op_type);
  const std::vector<SinceVersion> versions =
      found != known.end() ? found->second : SinceVersions(op_type);
  const std::string asked =
      std::string(op_type) + ": opset_version " + std::to_string(opset_version);
  if (versions.empty() || opset_version < versions.front().since_version) {
    return Error{asked + " has no " + std::string(op_type) +
                 " that the linked ONNX knows" +
                 (versions.empty() ? ""
                                   : "; its first is of opset_version " +
                                         std::to_string(versions.front().since_version))};
  }
  const SinceVersion& newest = versions.back();
  if (opset_version > newest.opset_versions.back()) {
    return JudgingVersion{
        newest.since_version,
        asked + " is newer than those that are judged: this is by since_version " +
            std::to_string(newest.since_version)};
  }
  JudgingVersion judging;
  for (const SinceVersion& version : versions) {
    if (version.since_version <= opset_version)
      judging.since_version = version.since_version;
  }
  return judging;
}

int IrVersionFor(int opset_version) {
  // The library has no such table: the first release of each opset_version in
  // onnx/helper.py, VERSION_TABLE. Newer opsets get the library's newest.
  struct Row {
    int last_opset_version;
    int ir_version;
  };
  constexpr std::array<Row, 12> kRows{{{8, 3},
                                       {9, 4},
                                       {10, 5},
                                       {11, 6},
                                       {14, 7},
                                       {18, 8},
                                       {20, 9},
                                       {22, 10},
                                       {23, 11},
                                       {24, 12},
                                       {27, 13},
                                       {28, 14}}};
  const int newest = onnx::Version::IR_VERSION;
  for (const Row& row : kRows) {
    if (opset_version <= row.last_opset_version) return std::min(row.ir_version, newest);
  }
  return newest;
}

std::vector<Cell> CellsOf(std::string_view op_type) {
  std::vector<Cell> cells;
  const JudgedOperator* judged = FindJudged(op_type);
  if (judged == nullptr) return cells;
  for (const SinceVersion& version : SinceVersions(op_type)) {
    const onnx::OpSchema& schema = *FindSchema(op_type, version.since_version);
    std::vector<const onnx::OpSchema::FormalParameter*> formals;
    for (const std::string_view name : judged->operands) {
      if (const auto* formal = FindFormal(schema, name)) formals.push_back(formal);
    }
    if (formals.size() != judged->operands.size()) continue;  // UnknownTypes tells
    std::vector<DataType> types;
    std::vector<std::vector<DataType>> choices;
    AppendChoices(formals, types, choices);
    for (const std::vector<DataType>& choice : choices) {
      for (const Granularity granularity : GranularitiesOf(*judged, schema)) {
        cells.push_back({.op_type = std::string(op_type),
                         .since_version = version.since_version,
                         .types = choice,
                         .granularity = granularity});
      }
    }
  }
  return cells;
}

std::vector<UnknownType> UnknownTypes(std::string_view op_type) {
  std::vector<UnknownType> unknown;
  const JudgedOperator* judged = FindJudged(op_type);
  for (const SinceVersion& version : SinceVersions(op_type)) {
    const onnx::OpSchema& schema = *FindSchema(op_type, version.since_version);
    for (const auto* formals : {&schema.inputs(), &schema.outputs()}) {
      for (const auto& formal : *formals) {
        std::set<std::string> types;  // the schema's set has no order of its own
        for (const onnx::DataType type : formal.GetTypes()) {
          if (!TypeOf(type)) types.insert(*type);
        }
        for (const std::string& type : types) {
          unknown.push_back({version.since_version, formal.GetName(), type});
        }
      }
    }
    if (judged == nullptr) continue;
    for (const std::string_view name : judged->operands) {
      if (FindFormal(schema, name) == nullptr) {
        unknown.push_back({version.since_version, std::string(name), ""});
      }
    }
  }
  return unknown;
}

std::vector<std::string> JudgedOperators() {
  std::vector<std::string> op_types;
  for (const JudgedOperator& judged : kJudged) op_types.emplace_back(judged.op_type);
  return op_types;
}

}  // namespace qconform
