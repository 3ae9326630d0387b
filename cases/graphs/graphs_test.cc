// The families of graphs: their cells, and that what is asked are models of ONNX.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cases/core/case.h"
#include "cases/core/operator_cases.h"
#include "cases/graphs/table.h"
#include "cases/lattice/lattice.h"
#include "cases/model/serialize.h"
#include "oracle/graphs/graph.h"

namespace qconform {
namespace {

constexpr uint64_t kSeed = 1;
constexpr std::string_view kFamilies[] = {
    "graphs.round_trip", "graphs.requantization", "graphs.movers",  "graphs.choosers",
    "graphs.arithmetic", "graphs.sums",           "graphs.weights", "graphs.dynamic"};

// Calls `visit(key, case)` for the contents of every cell, in forms that take turns.
template <typename Visit>
void ForEachContent(std::string_view family, Level level, Visit visit) {
  size_t turn = 0;
  for (const SinceVersion& version : SinceVersions(family)) {
    for (const Cell& cell : CellsOf(family)) {
      if (cell.since_version != version.since_version) continue;
      for (CaseKey key : ContentsOf(cell, version, level)) {
        const auto forms = OperandFormsOf(family);
        key.form = forms[turn++ % forms.size()];
        const Result<OpCase> made = MakeCase(key, kSeed);
        ASSERT_TRUE(made.ok()) << made.error().message;
        visit(key, *made);
      }
    }
  }
}

TEST(Graphs, Cells_AreThoseOfTheTable) {
  size_t all = 0;
  for (const std::string_view family : kFamilies) {
    const std::vector<Cell> cells = CellsOf(family);
    std::set<std::string> ids;
    std::map<int, int> by_version;
    for (const Cell& cell : cells) {
      EXPECT_TRUE(ids.insert(CellId(cell)).second) << CellId(cell);
      EXPECT_NE(generators::FindGraph(cell), nullptr) << CellId(cell);
      ++by_version[cell.since_version];
    }
    std::cout << family << ": " << cells.size() << " cells;";
    for (const auto& [version, count] : by_version) {
      std::cout << " opset " << version << ": " << count;
    }
    std::cout << "\n";
    all += cells.size();
  }
  std::cout << all << " cells\n";
  EXPECT_GE(all, 2000u);
  EXPECT_LE(all, 5200u);
}

// Each graph of the table has cells, and every name is that of its nodes.
TEST(Graphs, Names_AreThoseOfTheNodes) {
  const std::map<std::string_view, std::string_view> short_names = {
      {"QuantizeLinear", "Q"},
      {"DequantizeLinear", "DQ"},
      {"DynamicQuantizeLinear", "DQL"}};
  for (const std::string_view family : kFamilies) {
    std::set<std::string_view> graphs;
    ForEachContent(family, Level::kSmoke, [&](const CaseKey& key, const OpCase& made) {
      const generators::GraphInfo& graph = *generators::FindGraph(key.cell);
      graphs.insert(graph.name);
      std::multiset<std::string_view> expected;
      for (const std::string_view op : generators::OpTypesOf(graph)) expected.insert(op);
      std::multiset<std::string_view> actual;
      for (const Node& node : made.model.node.body) actual.insert(node.op_type);
      EXPECT_EQ(actual, expected) << CaseId(key);
      EXPECT_GE(made.model.node.body.size(), 2u);
      EXPECT_LE(made.model.node.body.size(), 8u);
    });
    for (const generators::GraphInfo& graph : generators::AllGraphs()) {
      if (graph.family != family) continue;
      EXPECT_TRUE(graphs.contains(graph.name)) << graph.name;
    }
  }
}

TEST(Graphs, Models_PassTheCheckerAndShapeInference) {
  int checked = 0;
  for (const std::string_view family : kFamilies) {
    const auto check = [&](const CaseKey& key, const OpCase& made) {
      const Status status = CheckModel(SerializeModel(made.model));
      EXPECT_TRUE(status.ok()) << CaseId(key) << ": " << status.error().message;
      ++checked;
    };
    ForEachContent(family, Level::kSmoke, check);
    int turn = 0;
    ForEachContent(family, Level::kStandard, [&](const CaseKey& key, const OpCase& made) {
      if (++turn % 3 == 0) check(key, made);
    });
  }
  EXPECT_GT(checked, 2000);
}

// GR-12, GR-16: no order of additions rounds a twin, so that bounds allow one code only.
TEST(Graphs, Twins_AreExact) {
  int64_t elements = 0;
  for (const std::string_view family : {"graphs.sums", "graphs.weights"}) {
    int64_t exact = 0;
    std::set<std::string> cells;
    ForEachContent(family, Level::kStandard, [&](const CaseKey& key, const OpCase& made) {
      if (key.generator != "exact_twin") return;
      cells.insert(CellId(key.cell));
      std::vector<int> versions;
      for (const Node& node : made.model.node.body) {
        const auto version = JudgingVersionFor(node.op_type, key.opset_version);
        ASSERT_TRUE(version.ok()) << version.error().message;
        versions.push_back(version->since_version);
      }
      const auto graph = BindGraph(made.model.node, versions);
      ASSERT_TRUE(graph.ok()) << graph.error().message;
      Operands operands;
      for (const Tensor& operand : made.operands) operands.push_back(operand.view());
      const auto in_exact_case = (*graph)->InExactCase(operands);
      ASSERT_TRUE(in_exact_case.ok()) << in_exact_case.error().message;
      for (const std::vector<bool>& output : *in_exact_case) {
        const auto is_exact = std::ranges::count(output, true);
        EXPECT_EQ(static_cast<size_t>(is_exact), output.size()) << CaseId(key);
        exact += is_exact;
        elements += static_cast<int64_t>(output.size());
      }
    });
    EXPECT_EQ(cells.size(), CellsOf(family).size());
    EXPECT_GT(exact, 0);
  }
  std::cout << elements << " elements of twins\n";
}

// Every operand agrees with its declaration, and shapes and bounds are constants.
TEST(Graphs, Operands_AgreeWithTheModel) {
  for (const std::string_view family : kFamilies) {
    ForEachContent(family, Level::kStandard, [&](const CaseKey& key, const OpCase& made) {
      for (const ValueInfo& output : made.model.outputs) {
        EXPECT_GT(ElementCount(output.shape).value_or(0), 0) << CaseId(key);
      }
      ASSERT_EQ(made.operands.size(), made.model.node.inputs.size()) << CaseId(key);
      ASSERT_EQ(made.inputs.size(), made.model.inputs.size()) << CaseId(key);
      for (size_t i = 0; i < made.inputs.size(); ++i) {
        EXPECT_NE(made.inputs[i].type, DataType::kInt64) << CaseId(key);
        EXPECT_EQ(made.inputs[i].shape, made.model.inputs[i].shape) << CaseId(key);
      }
    });
  }
}

}  // namespace
}  // namespace qconform
