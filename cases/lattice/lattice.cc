#include "cases/lattice/lattice.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <span>

#include "cases/core/operator_cases.h"
#include "onnx/common/assertions.h"
#include "onnx/defs/data_type_utils.h"
#include "onnx/defs/schema.h"

namespace qconform {
namespace {

// ONNX registers its schemas in the first call. Without memory for one of them it goes on
// without that one, counts them at the end, and throws an error about the number.
const onnx::OpSchema* FindSchema(std::string_view op_type, int opset_version) {
  try {
    return onnx::OpSchemaRegistry::Schema(std::string(op_type), opset_version,
                                          onnx::ONNX_DOMAIN);
  } catch (const onnx::assert_error&) {
    throw std::bad_alloc();
  }
}

std::vector<SinceVersion> ReadVersions(std::string_view op_type) {
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

// Returns all definitions of an operator, judged or not, ascending. Those of the
// operators that have cases are read once: asking the registry takes longer than a small
// model.
std::vector<SinceVersion> AllVersions(std::string_view op_type) {
  static const auto kept = [] {
    std::map<std::string_view, std::vector<SinceVersion>> versions;
    for (const OperatorCases* cases : AllOperatorCases()) {
      versions[cases->op_type] =
          cases->versions ? cases->versions() : ReadVersions(cases->op_type);
    }
    return versions;
  }();
  const auto found = kept.find(op_type);
  if (found != kept.end()) return found->second;
  // ONNX's other operators, of which a model may have a million nodes. Names that ONNX
  // does not know are not kept.
  thread_local std::map<std::string, std::vector<SinceVersion>, std::less<>> others;
  const auto read = others.find(op_type);
  if (read != others.end()) return read->second;
  std::vector<SinceVersion> versions = ReadVersions(op_type);
  if (!versions.empty()) others.emplace(op_type, versions);
  return versions;
}

bool IsJudged(std::string_view op_type, const SinceVersion& version) {
  const OperatorCases* cases = FindOperatorCases(op_type);
  return cases == nullptr || version.since_version <= cases->newest_since_version;
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

std::vector<std::string> GranularitiesOf(const OperatorCases& cases,
                                         const onnx::OpSchema& schema) {
  std::vector<std::string> granularities;
  for (const GranularityInfo& info : cases.granularities) {
    if (info.attribute.empty() ||
        schema.attributes().contains(std::string(info.attribute))) {
      granularities.emplace_back(info.name);
    }
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

const OperatorCases* FindOperatorCases(std::string_view op_type) {
  for (const OperatorCases* cases : AllOperatorCases()) {
    if (cases->op_type == op_type) return cases;
  }
  return nullptr;
}

const GeneratorInfo* FindGenerator(std::string_view op_type, std::string_view name) {
  const OperatorCases* cases = FindOperatorCases(op_type);
  if (cases == nullptr) return nullptr;
  for (const GeneratorInfo& info : cases->generators) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

uint64_t GranularityNumber(const Cell& cell) {
  const auto& all = FindOperatorCases(cell.op_type)->granularities;
  return std::ranges::find(all, cell.granularity, &GranularityInfo::name)->number;
}

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

std::optional<int> DefinitionBeyondOnnx(std::string_view op_type) {
  const OperatorCases* cases = FindOperatorCases(op_type);
  if (cases == nullptr || cases->newest_since_version <= NewestOpsetVersion()) {
    return std::nullopt;
  }
  return cases->newest_since_version;
}

std::vector<std::string> AttributeNames(std::string_view op_type, int opset_version) {
  std::vector<std::string> names;
  if (const onnx::OpSchema* schema = FindSchema(op_type, opset_version)) {
    for (const auto& [name, attribute] : schema->attributes()) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<DataType> SchemaTypes(std::string_view op_type, int opset_version,
                                  std::string_view formal) {
  const onnx::OpSchema* schema = FindSchema(op_type, opset_version);
  if (schema == nullptr || schema->inputs().empty()) return {};
  const auto* found =
      formal.empty() ? &schema->inputs().front() : FindFormal(*schema, formal);
  return found == nullptr ? std::vector<DataType>{} : TypesOf(*found);
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
  const OperatorCases* cases = FindOperatorCases(op_type);
  if (cases == nullptr) return cells;
  if (cases->cells) return cases->cells(op_type);
  for (const SinceVersion& version : SinceVersions(op_type)) {
    const onnx::OpSchema& schema = *FindSchema(op_type, version.since_version);
    std::vector<const onnx::OpSchema::FormalParameter*> formals;
    for (const std::string_view name : cases->formals) {
      if (const auto* formal = FindFormal(schema, name)) formals.push_back(formal);
    }
    if (formals.size() != cases->formals.size()) continue;  // UnknownTypes names it
    std::vector<DataType> types;
    std::vector<std::vector<DataType>> choices;
    AppendChoices(formals, types, choices);
    for (const std::vector<DataType>& choice : choices) {
      for (const std::string& granularity : GranularitiesOf(*cases, schema)) {
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
  const OperatorCases* cases = FindOperatorCases(op_type);
  if (cases != nullptr && cases->cells) return unknown;
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
    if (cases == nullptr) continue;
    for (const std::string_view name : cases->formals) {
      if (FindFormal(schema, name) == nullptr) {
        unknown.push_back({version.since_version, std::string(name), ""});
      }
    }
  }
  return unknown;
}

std::vector<std::string> CellFormals(std::string_view op_type) {
  const OperatorCases* cases = FindOperatorCases(op_type);
  if (cases == nullptr) return {};
  return {cases->formals.begin(), cases->formals.end()};
}

std::vector<std::string> CellGranularities(std::string_view op_type, int since_version) {
  const OperatorCases* cases = FindOperatorCases(op_type);
  const onnx::OpSchema* schema = FindSchema(op_type, since_version);
  if (cases == nullptr || schema == nullptr) return {};
  return GranularitiesOf(*cases, *schema);
}

std::vector<std::string> JudgedOperators() {
  std::vector<std::string> op_types;
  for (const OperatorCases* cases : AllOperatorCases()) {
    if (!AllVersions(cases->op_type).empty()) op_types.emplace_back(cases->op_type);
  }
  return op_types;
}

}  // namespace qconform
