// The cells and contents of the families of graphs.
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cases/core/operator_cases.h"
#include "cases/graphs/frozen.h"
#include "cases/graphs/generators.h"
#include "cases/graphs/negative/models.h"
#include "cases/graphs/question.h"
#include "cases/graphs/table.h"
#include "oracle/base/expected.h"

namespace qconform {
namespace graphs {
// The registry declares it, too, and calls it once for each family.
const OperatorCases& GetCases(std::string_view family);
}  // namespace graphs

namespace {

using namespace generators;  // NOLINT: this file is the families' only door

Status CheckVariant(const Cell& cell, std::string_view variant) {
  if (variant == "plain") return Ok();
  return Expected("variant of " + CellId(cell), "plain",
                  "'" + std::string(variant) + "'");
}

// How many contents a cell is asked at smoke, at most.
constexpr size_t kSmokeContents = 4;

std::vector<ContentName> Contents(const Cell& cell, Level level) {
  std::vector<ContentName> contents;
  for (const GraphGenerator& generator : GraphGeneratorsOf(cell.op_type)) {
    int count = level == Level::kSmoke ? generator.smoke : generator.standard;
    if (generator.most != nullptr) {
      count = std::min(count, generator.most(*FindGraph(cell)));
    }
    for (int i = 0; i < count; ++i) contents.push_back({"plain", generator.info.name, i});
  }
  // The generators that come first have precedence.
  if (level == Level::kSmoke && contents.size() > kSmokeContents) {
    contents.erase(contents.begin() + kSmokeContents, contents.end());
  }
  return contents;
}

Result<Content> MakeContent(const Cell& cell, const ContentName& name, CounterRng rng) {
  if (const Status valid = CheckVariant(cell, name.variant); !valid) return valid.error();
  for (const GraphGenerator& generator : GraphGeneratorsOf(cell.op_type)) {
    if (generator.info.name != name.generator) continue;
    const GraphInfo& graph = *FindGraph(cell);
    GraphQuestion question(cell, graph, generator.plan(cell, name.index), name.index,
                           rng);
    graph.make(question);
    return question.Take();
  }
  return Expected("generator of " + CellId(cell), "one of the family's",
                  "'" + std::string(name.generator) + "'");
}

struct FamilyInfo {
  std::string_view op_type;
  std::vector<NegativeModel> (*negative_models)();
  std::vector<std::string_view> formals;
  bool has_weights = false;
};

const FamilyInfo& InfoOf(std::string_view family) {
  static const std::vector<FamilyInfo> families = {
      {"graphs.round_trip",
       [] { return GraphNegativeModels("graphs.round_trip"); },
       {"codes", "scale"}},
      {"graphs.requantization",
       [] { return GraphNegativeModels("graphs.requantization"); },
       {"x", "scale", "y"}},
      {"graphs.movers",
       [] { return GraphNegativeModels("graphs.movers"); },
       {"x", "scale", "y"}},
      {"graphs.choosers",
       [] { return GraphNegativeModels("graphs.choosers"); },
       {"x", "scale", "y"}},
      {"graphs.arithmetic",
       [] { return GraphNegativeModels("graphs.arithmetic"); },
       {"x", "scale", "y"},
       true},
      {"graphs.sums",
       [] { return GraphNegativeModels("graphs.sums"); },
       {"x", "w", "scale", "y"},
       true},
      {"graphs.weights",
       [] { return GraphNegativeModels("graphs.weights"); },
       {"w", "scale", "y"},
       true},
      {"graphs.dynamic",
       [] { return GraphNegativeModels("graphs.dynamic"); },
       {"x", "w", "y"},
       true},
  };
  return *std::ranges::find(families, family, &FamilyInfo::op_type);
}

OperatorCases Describe(const FamilyInfo& family) {
  OperatorCases cases;
  cases.op_type = family.op_type;
  cases.formals = family.formals;
  for (const std::string_view name : GraphGranularities(family.op_type)) {
    cases.granularities.push_back(
        {.name = name, .attribute = {}, .number = cases.granularities.size()});
  }
  cases.newest_since_version = NewestGraphVersion();
  cases.versions = GraphVersions;
  cases.cells = GraphCells;
  cases.rule_of_types = RuleOfTypes;
  for (const GraphGenerator& generator : GraphGeneratorsOf(family.op_type)) {
    cases.generators.push_back(generator.info);
  }
  cases.has_weights = family.has_weights;
  cases.frozen_levels = FrozenLevelsOfFamily(family.op_type);
  cases.contents = Contents;
  cases.check_variant = CheckVariant;
  cases.make_content = MakeContent;
  cases.negative_models = family.negative_models;
  return cases;
}

}  // namespace

const OperatorCases& graphs::GetCases(std::string_view family) {
  static std::map<std::string_view, OperatorCases> made;
  return made.try_emplace(family, Describe(InfoOf(family))).first->second;
}

}  // namespace qconform
