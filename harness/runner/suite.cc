#include "harness/runner/suite.h"

#include <algorithm>

#include "cases/core/case.h"
#include "cases/core/levels.h"
#include "cases/core/operator_cases.h"
#include "cases/lattice/lattice.h"
#include "cases/model/serialize.h"
#include "cases/negative/negative_model.h"
#include "oracle/base/node.h"
#include "oracle/base/sha256.h"
#include "oracle/core/clauses.h"

namespace qconform {

std::string SuiteText(std::span<const std::string> subjects) {
  const auto has = [&](std::string_view op_type) {
    return std::ranges::find(subjects, op_type) != subjects.end();
  };
  std::string text;
  for (const OperatorCases* cases : AllOperatorCases()) {
    if (!has(cases->op_type)) continue;
    for (const GeneratorInfo& info : cases->generators) {
      text += std::string(cases->op_type) + " " + std::string(info.name) + " " +
              std::to_string(info.version) + "\n";
    }
  }
  // The clauses of all operators hold for the nodes of graphs.
  const bool has_graphs = std::ranges::any_of(subjects, IsGraphFamily);
  for (const Clause& clause : Clauses()) {
    if (!clause.op_type.empty() && !has(clause.op_type) && !has_graphs) continue;
    text += std::string(clause.id);
    for (const ClauseReading& reading : clause.readings)
      text += " " + std::string(reading.name);
    text += "\n";
  }
  for (const std::string& op_type : subjects) {
    for (const SinceVersion& version : SinceVersions(op_type)) {
      text += op_type + " " + std::to_string(version.since_version) + ":";
      for (const int opset_version : version.opset_versions) {
        text += " " + std::to_string(opset_version);
      }
      text += "\n";
    }
    for (const Cell& cell : CellsOf(op_type)) text += CellId(cell) + "\n";
  }
  for (const std::string& op_type : subjects) {
    for (const FrozenLevels& frozen : FrozenLevelsOf(op_type)) {
      for (const Level level : kAllLevels) {
        text += op_type + " " + std::string(LevelName(level)) + " " +
                std::to_string(frozen.digests[static_cast<size_t>(level)]) + "\n";
      }
    }
  }
  for (const NegativeModel& model : NegativeModels()) {
    if (!has(model.question.model.node.op_type)) continue;
    text += model.id + " " + model.clause + " ";
    text += std::string(ModelKindName(model.kind)) + "\n";
    text += SerializeModel(model.question.model);
    for (const Tensor& input : model.question.inputs) {
      text.append(reinterpret_cast<const char*>(input.data.data()), input.data.size());
    }
  }
  return text;
}

std::string SuiteDigest(std::span<const std::string> subjects) {
  return Sha256Hex(SuiteText(subjects));
}

}  // namespace qconform
