// All that the core knows of an operator in order to ask about it: its row of the
// lattice, its generators, what each level asks, and models at the border of what is
// defined. Each folder of cases/operators fills in one OperatorCases; the core looks it
// up by op_type and knows no operator itself.
#ifndef QCONFORM_CASES_CORE_OPERATOR_CASES_H_
#define QCONFORM_CASES_CORE_OPERATOR_CASES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cases/core/content.h"
#include "cases/core/counter_rng.h"
#include "cases/core/level.h"
#include "cases/lattice/cell.h"
#include "cases/lattice/since_version.h"
#include "cases/negative/negative_model.h"
#include "cases/node_tests/disputed.h"
#include "oracle/base/result.h"

namespace qconform {

struct GeneratorInfo {
  std::string_view name;
  int version = 1;            // a higher one gives other contents
  std::string_view sentence;  // what it asks, in one sentence
};

// One granularity of scales and zero points.
struct GranularityInfo {
  std::string_view name;  // as cell ids spell it: "per_axis"
  // Cells have it where the schema has this attribute; empty: always.
  std::string_view attribute{};
  // Part of what chooses the probes of a cell, and frozen with the levels.
  uint64_t number = 0;
};

// Digests of what is asked about the definitions up to an opset_version that no entry
// before has. cases_core_test prints them.
struct FrozenLevels {
  int opset_version = 0;
  std::array<uint64_t, kAllLevels.size()> digests{};  // LevelDigest of each of kAllLevels
  uint64_t contents = 0;  // of a sample of the operands and attributes of level standard
};

struct OperatorCases {
  std::string_view op_type;  // or a family of graphs, "graphs.choosers"

  // --- the row of the lattice ---------------------------------------------------
  // The inputs and outputs whose types name a cell, in the order of its id.
  std::vector<std::string_view> formals;
  std::vector<GranularityInfo> granularities;  // at least one; the lattice's order
  // The newest definition that the clauses were written for. A newer one may mean
  // something else, so it has no cells until somebody has read it.
  int newest_since_version = 0;
  // Of a family of graphs, which has no schema: its versions (since_version is the
  // opset_version of its models) and its cells. Both are null for an operator of ONNX,
  // whose schema says both.
  std::vector<SinceVersion> (*versions)() = nullptr;
  std::vector<Cell> (*cells)(std::string_view op_type) = nullptr;
  // Of a family: which types each of its graphs is asked with, in lines for people. Null
  // for an operator, which is asked with all types of its schema.
  std::vector<std::string> (*rule_of_types)(std::string_view op_type) = nullptr;

  // --- what reports have to know (reports/record/operator_record.h) ---------------
  // Since_versions from which results follow other rules than before.
  std::vector<int> rules_since{};
  // Since_versions that follow the rules before and have clauses of their own besides:
  // findings by these clauses begin there.
  std::vector<int> new_clauses_since{};
  // Open clauses whose readings depend on the types of the first formals, this many;
  // other clauses depend on the output's type.
  struct InputClause {
    std::string_view clause;
    int formals = 0;
  };
  std::vector<InputClause> input_clauses{};

  // --- contents -----------------------------------------------------------------
  std::vector<GeneratorInfo> generators;
  bool has_parameters = true;  // some operand is no Constant::kNever: it has two forms
  bool has_weights = false;    // some operand is a Constant::kWeight: it has all forms
  // Each opset_version but the one that is asked everything is asked one content, out of
  // this many at the start of the list.
  size_t probed_contents = 1;
  // Ascending, to the newest definition. An older ONNX that is linked does not have the
  // later ones, and has the same digests of the others.
  std::vector<FrozenLevels> frozen_levels{};

  // Returns the contents that a cell is asked at a level, in the order of its list.
  std::vector<generators::ContentName> (*contents)(const Cell& cell, Level level);
  Status (*check_variant)(const Cell& cell, std::string_view variant);
  // Returns node and operands of a content. Preconditions: a cell of the lattice, a
  // generator of these. An Error where the variant is none of the cell.
  Result<generators::Content> (*make_content)(const Cell& cell,
                                              const generators::ContentName& name,
                                              generators::CounterRng rng);

  // --- beyond the cells -----------------------------------------------------------
  // May be null: none.
  std::vector<NegativeModel> (*negative_models)() = nullptr;
  // A simple model with one input of that many elements, whose answers are easy to see;
  // its other operands are constants or further inputs. May be null: none.
  FedModel (*example)(int64_t elements, bool with_constants) = nullptr;
  // Outputs of ONNX's own node tests that are known to be wrong.
  std::vector<DisputedOutput> disputed_outputs{};
};

// All operators of the build, in the order of QCONFORM_OPERATORS.
std::span<const OperatorCases* const> AllOperatorCases();

// Returns null where there are no cases of the operator.
const OperatorCases* FindOperatorCases(std::string_view op_type);

// Returns null if there is none of that name.
const GeneratorInfo* FindGenerator(std::string_view op_type, std::string_view name);

// Returns GranularityInfo::number. Precondition: a cell of the lattice.
uint64_t GranularityNumber(const Cell& cell);

}  // namespace qconform

#endif  // QCONFORM_CASES_CORE_OPERATOR_CASES_H_
