// Ids of cases, as text and back.
#include <algorithm>
#include <charconv>
#include <optional>

#include "cases/core/case.h"
#include "cases/core/known_cells.h"

namespace qconform {
namespace {

using namespace generators;  // NOLINT: this file is their door for ids

constexpr size_t kParts = 8;

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// Returns a number without sign, leading zeros or anything behind it.
std::optional<int> ParseNumber(std::string_view text) {
  int number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stopped != end) return std::nullopt;
  if (std::to_string(number) != text) return std::nullopt;
  return number;
}

void AddName(std::string& names, std::string_view name) {
  names.append(names.empty() ? "" : ", ").append(name);
}

std::string GeneratorNames(std::string_view op_type) {
  std::string names;
  for (const GeneratorInfo& info : FindOperatorCases(op_type)->generators) {
    AddName(names, info.name);
  }
  return names;
}

std::string OperandFormNames(std::string_view op_type) {
  std::string names;
  for (const OperandForm form : OperandFormsOf(op_type)) {
    AddName(names, OperandFormName(form));
  }
  return names;
}

Error PartError(std::string_view id, std::string_view part, const std::string& why) {
  return Error{"case id '" + std::string(id) + "': '" + std::string(part) + "' " + why};
}

}  // namespace

std::string_view OperandFormName(OperandForm form) {
  switch (form) {
    case OperandForm::kInputs:
      return "inputs";
    case OperandForm::kInitializers:
      return "initializers";
    case OperandForm::kParameters:
      break;
  }
  return "parameters";
}

std::span<const OperandForm> OperandFormsOf(std::string_view op_type) {
  const OperatorCases* cases = FindOperatorCases(op_type);
  // Without weights the last two are one.
  return std::span(kAllOperandForms).first(cases && cases->has_weights ? 3 : 2);
}

std::string_view LevelName(Level level) {
  switch (level) {
    case Level::kSmoke:
      return "smoke";
    case Level::kStandard:
      return "standard";
    case Level::kExhaustive:
      break;
  }
  return "exhaustive";
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

Result<CaseKey> ParseCaseId(std::string_view id) {
  const std::vector<std::string_view> parts = Split(id, '/');
  if (parts.size() != kParts) {
    return Error{"case id '" + std::string(id) + "' has " + std::to_string(parts.size()) +
                 " parts; it should have 8: "
                 "op_type/since_version@opset_version/types/granularity/form/variant/"
                 "generator/index"};
  }
  CaseKey key;

  const auto operators = JudgedOperators();
  key.cell.op_type = parts[0];
  if (std::find(operators.begin(), operators.end(), parts[0]) == operators.end()) {
    std::string known;
    for (const std::string& name : operators) AddName(known, name);
    return PartError(id, parts[0], "is no operator; known: " + known);
  }

  const std::vector<std::string_view> versions = Split(parts[1], '@');
  const auto since = ParseNumber(versions[0]);
  const auto opset = versions.size() == 2 ? ParseNumber(versions[1]) : std::nullopt;
  if (!since || !opset) {
    return PartError(id, parts[1], "is no since_version@opset_version such as 21@22");
  }
  key.cell.since_version = *since;
  key.opset_version = *opset;

  for (const std::string_view name : Split(parts[2], '-')) {
    const auto type = ParseDataType(name);
    if (!type)
      return PartError(id, name,
                       "is no data type; types are spelled as in FLOAT-FLOAT-UINT8");
    key.cell.types.push_back(*type);
  }

  const auto granularity = ParseGranularity(parts[3]);
  if (!granularity) {
    return PartError(id, parts[3],
                     "is no granularity such as per_tensor, per_axis, blocked");
  }
  key.cell.granularity = *granularity;
  if (const Status known = CheckCell(key.cell); !known)
    return PartError(id, parts[2], known.error().message);
  if (const Status known = CheckOpsetVersion(key.cell, key.opset_version); !known) {
    return PartError(id, parts[1], known.error().message);
  }

  const auto forms = OperandFormsOf(key.cell.op_type);
  const auto form = std::find_if(forms.begin(), forms.end(), [&](OperandForm known) {
    return OperandFormName(known) == parts[4];
  });
  if (form == forms.end()) {
    return PartError(id, parts[4],
                     "is no operand form of " + key.cell.op_type +
                         "; known: " + OperandFormNames(key.cell.op_type));
  }
  key.form = *form;

  key.variant = parts[5];
  if (const Status known = CheckVariant(key.cell, key.variant); !known) {
    return PartError(id, parts[5], known.error().message);
  }

  key.generator = parts[6];
  if (FindGenerator(key.cell.op_type, key.generator) == nullptr) {
    return PartError(id, parts[6],
                     "is no generator of " + key.cell.op_type +
                         "; known: " + GeneratorNames(key.cell.op_type));
  }

  const auto index = ParseNumber(parts[7]);
  if (!index || !IndexExists(*index)) {
    return PartError(id, parts[7], "is no index from 0 to " + std::to_string(kMaxIndex));
  }
  key.index = *index;
  return key;
}

}  // namespace qconform
