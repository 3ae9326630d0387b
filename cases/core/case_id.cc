// Ids of cases, as text and back.
#include <algorithm>
#include <functional>
#include <optional>

#include "cases/core/case.h"
#include "cases/core/known_cells.h"
#include "oracle/base/expected.h"
#include "oracle/base/text.h"

namespace qconform {
namespace {

using namespace generators;  // NOLINT: this file is their door for ids

constexpr size_t kParts = 8;

// Returns the number if the text is one and nothing else, without leading zeros.
std::optional<int> ParsePlainNumber(std::string_view text) {
  const auto number = ParseNumber<int>(text);
  return number && std::to_string(*number) == text ? number : std::nullopt;
}

// Returns "one of A, B, C".
template <typename Items, typename NameOf>
std::string OneOf(const Items& items, NameOf name_of) {
  return "one of " + Joined(items, ", ", name_of);
}

std::string Quote(std::string_view text) { return "'" + std::string(text) + "'"; }

}  // namespace

std::string_view OperandFormName(OperandForm form) {
  constexpr std::string_view kNames[] = {"inputs", "initializers", "parameters"};
  return kNames[static_cast<size_t>(form)];
}

std::span<const OperandForm> OperandFormsOf(std::string_view op_type) {
  const OperatorCases* cases = FindOperatorCases(op_type);
  const std::span all(kAllOperandForms);
  if (cases != nullptr && !cases->has_parameters) return all.first(1);
  // Without weights the last two are one.
  return all.first(cases != nullptr && cases->has_weights ? 3 : 2);
}

std::string_view LevelName(Level level) {
  constexpr std::string_view kNames[] = {"smoke", "standard", "exhaustive"};
  return kNames[static_cast<size_t>(level)];
}

std::optional<Level> ParseLevel(std::string_view name) {
  const auto* const found = std::ranges::find(kAllLevels, name, LevelName);
  return found == kAllLevels.end() ? std::nullopt : std::optional(*found);
}

std::string CaseId(const CaseKey& key) {
  // CellId is "op_type/since_version/types/granularity".
  std::string id = CellId(key.cell);
  const size_t types = id.find('/', id.find('/') + 1);
  id.insert(types, "@" + std::to_string(key.opset_version));
  id.append("/").append(OperandFormName(key.form));
  id.append("/").append(key.variant).append("/").append(key.generator);
  return id.append("/").append(std::to_string(key.index));
}

std::string ContentId(const CaseKey& key) {
  std::string id = CellId(key.cell);
  id.append("/").append(key.variant).append("/").append(key.generator);
  return id.append("/").append(std::to_string(key.index));
}

Status CheckKey(const CaseKey& key) {
  // This runs for every case: ids are spelled for errors only.
  const auto wrong = [&](const std::string& thing, std::string_view expected,
                         std::string_view got, std::string_view what_to_do = "") {
    return Expected("case id " + Quote(CaseId(key)) + ": " + thing, expected, got,
                    what_to_do);
  };
  const OperatorCases* found = FindOperatorCases(key.cell.op_type);
  if (found == nullptr) {
    return wrong("operator", OneOf(JudgedOperators(), std::identity{}),
                 Quote(key.cell.op_type));
  }
  const OperatorCases& cases = *found;
  if (std::ranges::find(cases.granularities, key.cell.granularity,
                        &GranularityInfo::name) == cases.granularities.end()) {
    return wrong("granularity",
                 OneOf(cases.granularities, std::mem_fn(&GranularityInfo::name)),
                 Quote(key.cell.granularity));
  }
  if (!IsInLattice(key.cell)) {
    return wrong("cell", "one of the lattice", Quote(CellId(key.cell)),
                 "'qconform list cells --ids' prints them all");
  }
  const std::vector<int>& opset_versions = OpsetVersionsOf(key.cell);
  if (std::ranges::find(opset_versions, key.opset_version) == opset_versions.end()) {
    return wrong(
        "opset_version of since_version " + std::to_string(key.cell.since_version),
        OneOf(opset_versions, [](int v) { return std::to_string(v); }),
        std::to_string(key.opset_version));
  }
  const auto forms = OperandFormsOf(key.cell.op_type);
  if (std::ranges::find(forms, key.form) == forms.end()) {
    return wrong("operand form", OneOf(forms, OperandFormName),
                 Quote(OperandFormName(key.form)));
  }
  if (const Status right = cases.check_variant(key.cell, key.variant); !right) {
    return Error{"case id " + Quote(CaseId(key)) + ": " + right.error().message};
  }
  if (FindGenerator(key.cell.op_type, key.generator) == nullptr) {
    return wrong("generator", OneOf(cases.generators, std::mem_fn(&GeneratorInfo::name)),
                 Quote(key.generator));
  }
  if (key.index < 0 || key.index > kMaxIndex) {
    return wrong("index", "a number from 0 to " + std::to_string(kMaxIndex),
                 std::to_string(key.index));
  }
  return Ok();
}

Result<CaseKey> ParseCaseId(std::string_view text) {
  const std::string id = "case id " + Quote(text);
  const std::vector<std::string> parts = Split(text, "/");
  if (parts.size() != kParts) {
    return Expected(id,
                    "8 parts, op_type/since_version@opset_version/types/granularity/form/"
                    "variant/generator/index",
                    std::to_string(parts.size()));
  }
  CaseKey key{.cell = {.op_type = parts[0], .types = {}, .granularity = parts[3]},
              .variant = parts[5],
              .generator = parts[6]};

  const std::vector<std::string> versions = Split(parts[1], "@");
  const auto since = ParsePlainNumber(versions[0]);
  const auto opset = versions.size() == 2 ? ParsePlainNumber(versions[1]) : std::nullopt;
  if (!since || !opset) {
    return Expected(id + ": version", "since_version@opset_version such as 21@22",
                    Quote(parts[1]));
  }
  key.cell.since_version = *since;
  key.opset_version = *opset;

  for (const std::string& name : Split(parts[2], "-")) {
    const auto type = ParseDataType(name);
    if (!type)
      return Expected(id + ": type", "ONNX's name of a type such as UINT8", Quote(name));
    key.cell.types.push_back(*type);
  }

  const auto form = std::ranges::find(kAllOperandForms, parts[4], OperandFormName);
  if (form == kAllOperandForms.end()) {
    return Expected(id + ": operand form",
                    OneOf(OperandFormsOf(key.cell.op_type), OperandFormName),
                    Quote(parts[4]));
  }
  key.form = *form;

  const auto index = ParsePlainNumber(parts[7]);
  if (!index) {
    return Expected(id + ": index", "a number from 0 to " + std::to_string(kMaxIndex),
                    Quote(parts[7]));
  }
  key.index = *index;
  if (const Status right = CheckKey(key); !right) return right.error();
  return key;
}

}  // namespace qconform
