// Small graphs on the command line: what the program does with cells of operators, it
// does with cells of families.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cases/core/case.h"
#include "cases/corpus/stored_case.h"
#include "cases/lattice/lattice.h"
#include "cases/model/serialize.h"
#include "harness/runner/selection.h"
#include "oracle/base/file.h"
#include "oracle/base/node.h"
#include "reports/report/report.h"
#include "testing/cli_folder.h"
#include "testing/run_tool.h"

namespace qconform {
namespace {

constexpr const char* kSums =
    "--cells 'graphs.sums/21/INT8-*/DQ,DQ-MatMul-Q.per_tensor' --level smoke ";

class Graphs : public CliFolder {
 protected:
  // The first case of these cells.
  static std::string CaseOf(const std::string& cells) {
    const Ran cases = RunTool("list cases --level smoke --cells '" + cells + "'");
    EXPECT_EQ(cases.exit_code, 0) << cases.output;
    return cases.output.substr(0, cases.output.find('\n'));
  }
};

TEST_F(Graphs, ListCells_PrintsDenominatorsAndTheRuleOfTypes) {
  const Ran operators = RunTool("list cells");
  EXPECT_FALSE(Has(operators.output, "graphs.")) << operators.output;
  const Ran graphs = RunTool("list cells --graphs");
  EXPECT_EQ(graphs.exit_code, 0);
  EXPECT_FALSE(Has(graphs.output, "QuantizeLinear  ")) << graphs.output;
  for (const std::string& family : FamiliesInUse()) {
    EXPECT_TRUE(Has(graphs.output, "\n" + family + " ")) << family;
    EXPECT_TRUE(Has(graphs.output, "\nTypes of " + family + ":\n")) << family;
  }
  const Ran ids = RunTool("list cells --graphs --ids");
  EXPECT_EQ(std::ranges::count(ids.output, '\n'),
            std::ssize(LatticeIds(FamiliesInUse())));
  const Ran narrowed = RunTool("list cells --graphs --cells '*/DQ-Relu-Q.*' --ids");
  EXPECT_EQ(narrowed.exit_code, 0) << narrowed.output;
  EXPECT_TRUE(narrowed.output.starts_with("graphs.choosers/")) << narrowed.output;
  // Both kinds, each by its own pattern.
  const Ran both =
      RunTool("list cells --cells 'QuantizeLinear/25/*' --cells 'graphs.movers/21/*'");
  EXPECT_TRUE(Has(both.output, "\nQuantizeLinear ")) << both.output;
  EXPECT_TRUE(Has(both.output, "\ngraphs.movers ")) << both.output;
  const Ran family = RunTool("list cells --operator graphs.movers --ids");
  EXPECT_TRUE(family.output.starts_with("graphs.movers/")) << family.output;
}

TEST_F(Graphs, AWrongPattern_NamesTheFamilies) {
  const Ran wrong = RunTool("run --cells 'graphs.shakers/*'");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_TRUE(Has(wrong.output, "the families are graphs.round_trip, ")) << wrong.output;
  EXPECT_TRUE(Has(wrong.output, "list cells --graphs --ids")) << wrong.output;
  const Ran outside = RunTool("run --graphs --cells 'QuantizeLinear/*'");
  EXPECT_EQ(outside.exit_code, 2);
  EXPECT_TRUE(Has(outside.output,
                  "--cells: expected a pattern that matches cells of the "
                  "selection that it narrows"))
      << outside.output;
}

TEST_F(Graphs, ARun_HasItsRowsInEveryForm) {
  const Ran ran = RunTool("run --backend oracle --no-progress --report " +
                          Path("r.json") + " " + kSums);
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  const auto report = ReadReport(Path("r.json"));
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_TRUE(report->complete);
  EXPECT_EQ(report->run.selection.operators, FamiliesInUse());
  ASSERT_FALSE(report->cells.empty());
  for (const CellRecord& cell : report->cells) {
    EXPECT_EQ(cell.op_type, "graphs.sums");
    EXPECT_TRUE(IsPass(cell.verdict)) << cell.cell << cell.reason;
  }
  EXPECT_TRUE(report->negative.empty());
  for (const char* form : {"--junit", "--markdown", "--html", "--csv", "--badge"}) {
    const Ran made = RunTool("report " + Path("r.json") + " " + form + " " + Path("out"));
    EXPECT_EQ(made.exit_code, 0) << form << made.output;
    EXPECT_GT(Text("out").size(), 100u) << form;
  }
  EXPECT_EQ(RunTool("diff " + Path("r.json") + " " + Path("r.json")).exit_code, 0);
  const Ran shown = RunTool("report " + Path("r.json") + " --cells 'graphs.sums/*' -v");
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_TRUE(Has(shown.output, "DQ,DQ-MatMul-Q")) << shown.output;
}

// Two shards make the report of one run; an interrupted one goes on.
TEST_F(Graphs, ShardsAreMerged_AndARunIsResumed) {
  std::string shards;
  for (const char* shard : {"0/2", "1/2"}) {
    const std::string file = Path(std::string(1, shard[0]) + ".json");
    const Ran ran = RunTool("run --backend oracle --no-progress --shard " +
                            std::string(shard) + " --report " + file + " " + kSums);
    EXPECT_EQ(ran.exit_code, 0) << ran.output;
    shards += " " + file;
  }
  const Ran merged = RunTool("merge" + shards + " -o " + Path("merged.json"));
  EXPECT_EQ(merged.exit_code, 0) << merged.output;
  const Ran whole = RunTool("run --backend oracle --no-progress --report " +
                            Path("whole.json") + " " + kSums);
  EXPECT_EQ(whole.exit_code, 0) << whole.output;
  const auto one = ReadReport(Path("whole.json"));
  const auto two = ReadReport(Path("merged.json"));
  ASSERT_TRUE(one.ok() && two.ok());
  EXPECT_EQ(one->cells.size(), two->cells.size());
  EXPECT_EQ(RunTool("diff " + Path("whole.json") + " " + Path("merged.json")).exit_code,
            0);
  // As if the run had been killed: without the row and the footer that came last.
  const std::string journal = Path("whole.json.journal");
  std::string text = Text("whole.json.journal");
  for (int lines = 0; lines < 2; ++lines) {
    text.resize(text.rfind('\n', text.size() - 2) + 1);
  }
  ASSERT_TRUE(WriteFileAtomically(journal, text).ok());
  const Ran resumed = RunTool("run --backend oracle --no-progress --resume --report " +
                              Path("whole.json") + " " + kSums);
  EXPECT_EQ(resumed.exit_code, 0) << resumed.output;
  const auto again = ReadReport(Path("whole.json"));
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(again->cells.size(), one->cells.size());
}

TEST_F(Graphs, ABackendOfSingleNodes_IsUnsupportedAndNamesCompose) {
  const std::string cells = "--no-progress --report " + Path("r.json") + " " + kSums;
  for (const std::string& backend :
       {std::string("simd"),
        "plugin:" + std::string(QCONFORM_PLUGINS) + "/qconform_shim_plugin.so"}) {
    const Ran ran = RunTool("run --backend " + backend + " " + cells);
    EXPECT_EQ(ran.exit_code, 4) << backend << ran.output;
    const auto report = ReadReport(Path("r.json"));
    ASSERT_TRUE(report.ok());
    for (const CellRecord& cell : report->cells) {
      EXPECT_EQ(cell.verdict, Verdict::kUnsupported) << backend;
      EXPECT_TRUE(Has(cell.reason, "--compose")) << cell.reason;
    }
  }
  const Ran composed = RunTool("run --backend simd --compose " + cells);
  EXPECT_EQ(composed.exit_code, 0) << composed.output;
}

// A program of its own, which gets the model as it is.
TEST_F(Graphs, AChildProcess_GetsTheWholeGraph) {
  const Ran ran =
      RunTool("run --backend oracle --isolate --jobs 2 --no-progress --report " +
              Path("r.json") + " " + kSums);
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
}

TEST_F(Graphs, ACase_IsReplayedShrunkAndExplained) {
  const std::string id = CaseOf("graphs.arithmetic/21/INT8-FLOAT-INT8/DQ-LeakyRelu-Q.*");
  const Ran replayed = RunTool("replay " + id + " --backend oracle");
  EXPECT_EQ(replayed.exit_code, 0) << replayed.output;
  EXPECT_TRUE(Has(replayed.output, " = LeakyRelu(")) << replayed.output;
  EXPECT_TRUE(Has(replayed.output, "\nconformant\n")) << replayed.output;

  const Ran explained = RunTool("explain " + id);
  EXPECT_EQ(explained.exit_code, 0) << explained.output;
  EXPECT_TRUE(Has(explained.output,
                  "Node by node, by the canonical readings:\n"
                  "  1 DequantizeLinear: "))
      << explained.output;
  EXPECT_TRUE(Has(explained.output, "  2 LeakyRelu: ")) << explained.output;
  EXPECT_TRUE(Has(explained.output, "  3 QuantizeLinear: y  INT8[")) << explained.output;
  const Ran no_words = RunTool("explain " + id + " x=1");
  EXPECT_EQ(no_words.exit_code, 2);
  EXPECT_TRUE(Has(no_words.output, "without more words")) << no_words.output;

  const Ran stored = RunTool("replay " + id + " --emit json -o " + Path("case.json"));
  EXPECT_EQ(stored.exit_code, 0) << stored.output;
  const auto read = ParseStoredCase(Text("case.json"), "case.json");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->model.node.body.size(), 3u);
  const auto made = MakeCase(*ParseCaseId(id), 1);
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(read->model, made->model);
  EXPECT_EQ(RunTool("replay " + Path("case.json") + " --backend oracle").exit_code, 0);
  EXPECT_EQ(RunTool("explain " + Path("case.json")).exit_code, 0);

  const Ran python = RunTool("replay " + id + " --emit python");
  EXPECT_TRUE(
      Has(python.output, "\nnodes = [\n    helper.make_node(\"DequantizeLinear\", "))
      << python.output;
  EXPECT_TRUE(Has(python.output, "helper.make_node(\"LeakyRelu\", ")) << python.output;
  const Ran cpp = RunTool("replay " + id + " --emit cpp");
  EXPECT_TRUE(Has(cpp.output, "Compute(graph, operands)")) << cpp.output;

  const Ran onnx = RunTool("replay " + id + " --emit onnx -o " + Path("node"));
  EXPECT_EQ(onnx.exit_code, 0) << onnx.output;
  const std::string model = Path("node/test_graphs_arithmetic_case/model.onnx");
  const auto bytes = ReadFile(model);
  ASSERT_TRUE(bytes.ok()) << onnx.output;
  EXPECT_EQ(ParseModel(*bytes)->node, made->model.node);
  const Ran again =
      RunTool("run --backend oracle --no-cells --no-negative --node-tests " +
              Path("node") + " --no-progress --report " + Path("n.json"));
  EXPECT_EQ(again.exit_code, 0) << again.output;
  const auto report = ReadReport(Path("n.json"));
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(report->node_tests.size(), 1u);
  EXPECT_EQ(report->node_tests[0].verdict, NodeVerdict::kPass);
  EXPECT_EQ(report->node_tests[0].op_type, "graphs.arithmetic");
}

TEST_F(Graphs, Export_WritesNodeTestsOfCells) {
  const Ran ran = RunTool("export " + Path("out") + " " + kSums);
  EXPECT_EQ(ran.exit_code, 0) << ran.output;
  const Ran again =
      RunTool("run --backend oracle --no-cells --no-negative --node-tests " +
              Path("out") + " --no-progress --report " + Path("n.json"));
  EXPECT_EQ(again.exit_code, 0) << again.output;
  const auto report = ReadReport(Path("n.json"));
  ASSERT_TRUE(report.ok());
  EXPECT_FALSE(report->node_tests.empty());
  for (const NodeTestRecord& test : report->node_tests) {
    EXPECT_EQ(test.verdict, NodeVerdict::kPass) << test.name << ": " << test.reason;
  }
}

TEST_F(Graphs, Faults_OfGraphsOnlyWithGraphs) {
  const std::string flags = "faults --level smoke --no-progress ";
  const Ran operators =
      RunTool(flags +
              "--cells 'QuantizeLinear/10/FLOAT-FLOAT-UINT8/*' --faults "
              "activation_dropped");
  EXPECT_EQ(operators.exit_code, 2) << operators.output;
  EXPECT_TRUE(Has(operators.output, "--faults: expected a pattern that matches a fault"))
      << operators.output;
  const Ran graphs =
      RunTool(flags +
              "--cells 'graphs.choosers/21/INT8-FLOAT-INT8/DQ-Relu-Q.*' --faults "
              "activation_dropped");
  EXPECT_NE(graphs.exit_code, 2) << graphs.output;
}

TEST_F(Graphs, APackage_IsVerified) {
  const Ran made = RunTool(
      "certify --backend simd --compose --profile graphs --cells "
      "'graphs.sums/21/INT8-*/DQ,DQ-MatMul-Q.per_tensor' --level smoke --vendor V "
      "--product P --no-progress -o " +
      Path("p.qcert"));
  EXPECT_EQ(made.exit_code, 0) << made.output;
  const Ran verified = RunTool("verify " + Path("p.qcert"));
  EXPECT_EQ(verified.exit_code, 0) << verified.output;
  EXPECT_TRUE(Has(verified.output, "VERIFIED: ")) << verified.output;
  const std::string lattice = std::to_string(LatticeIds(FamiliesInUse()).size());
  EXPECT_TRUE(Has(Text("p.qcert/STATEMENT.json"), lattice))
      << Text("p.qcert/STATEMENT.json");
}

// A graph of x, s and z: "QuantizeLinear(Relu(x), s, z)" as a node test without data.
class NodeTestsOfGraphs : public Graphs {
 protected:
  static Model Graph() {
    Model model;
    model.opset_version = 21;
    model.ir_version = 10;
    model.inputs = {{"x", DataType::kFloat, {3}}};
    model.initializers = {{"s", Tensor::Zeros(DataType::kFloat, {})},
                          {"z", Tensor::Zeros(DataType::kUint8, {})}};
    model.outputs = {{"y", DataType::kUint8, {3}}};
    model.node = {kGraphOpType,
                  "",
                  {"x", "s", "z"},
                  {"y"},
                  {},
                  {{"Relu", "", {"x"}, {"h"}, {}},
                   {"QuantizeLinear", "", {"h", "s", "z"}, {"y"}, {}}}};
    return model;
  }
  Ran RunWith(const std::string& name, const Model& model) {
    std::filesystem::create_directories(Path(name + "/test_" + name));
    EXPECT_TRUE(WriteFileAtomically(Path(name + "/test_" + name + "/model.onnx"),
                                    SerializeModel(model))
                    .ok());
    return RunTool("run --no-cells --backend oracle --node-tests " + Path(name));
  }
};

TEST_F(NodeTestsOfGraphs, NotRead_IsSaidWithTheReason) {
  Model nine = Graph();
  std::vector<Node>& nodes = nine.node.body;
  while (nodes.size() < 9) {
    const std::string name = "h" + std::to_string(nodes.size());
    nodes.insert(nodes.begin(), {"Identity", "", {"x"}, {name}, {}});
  }
  Model unknown = Graph();
  unknown.node.body[0].op_type = "Softmax";
  Model foreign = Graph();
  foreign.node.body[0].domain = "com.example";
  const std::pair<Model, const char*> kRows[] = {
      {nine, "test_0: has 9 nodes; graphs of 2 to 8 nodes are read"},
      {unknown, "test_1: 'Softmax' is not judged in graphs"},
      {foreign, "test_2: 'com.example.Relu' is not judged in graphs"}};
  for (int i = 0; i < 3; ++i) {
    const Ran ran = RunWith(std::to_string(i), kRows[i].first);
    EXPECT_EQ(ran.exit_code, 2) << ran.output;
    EXPECT_TRUE(Has(ran.output, ", or of graphs of 2 to 8 nodes, one of which is"))
        << ran.output;
    EXPECT_TRUE(Has(ran.output, kRows[i].second)) << ran.output;
  }
}

TEST_F(NodeTestsOfGraphs, NotJudged_IsSaidWithTheReason) {
  Model cycle = Graph();
  cycle.node.body[0].inputs = {"y"};
  Model undefined = Graph();
  undefined.node.body[0].inputs = {"nowhere"};
  const std::pair<Model, const char*> kRows[] = {{cycle, "got a cycle with node output"},
                                                 {undefined, "node input 'nowhere' is"}};
  for (int i = 0; i < 2; ++i) {
    const Ran ran = RunWith(std::to_string(i), kRows[i].first);
    EXPECT_EQ(ran.exit_code, 3) << ran.output;
    EXPECT_TRUE(Has(ran.output, "1 could not be judged: node test test_")) << ran.output;
    // Where the text breaks depends on the name of the folder.
    std::string words = ran.output;
    for (size_t at; (at = words.find("\n                ")) != std::string::npos;) {
      words.replace(at, 17, " ");
    }
    EXPECT_TRUE(Has(words, kRows[i].second)) << ran.output;
  }
}

// A node test that deviates is worked through by its folder.
TEST_F(NodeTestsOfGraphs, AreReplayedAndExplainedByTheirFolder) {
  const std::string id = CaseOf("graphs.choosers/21/FLOAT-FLOAT-UINT8/Relu-Q.per_tensor");
  ASSERT_EQ(RunTool("replay " + id + " --emit onnx -o " + Path("tests")).exit_code, 0);
  const std::string folder = Path("tests/test_graphs_choosers_case");
  const std::string wrong = " --backend faulty:ties_away --compose";
  for (const std::string& name : {folder, folder + "/model.onnx"}) {
    const Ran right = RunTool("replay " + name + " --backend oracle");
    EXPECT_EQ(right.exit_code, 0) << right.output;
    EXPECT_TRUE(Has(right.output, "\nconformant\n")) << right.output;
    EXPECT_EQ(RunTool("replay " + name + wrong).exit_code, 1);
    const Ran explained = RunTool("explain " + name + wrong);
    EXPECT_EQ(explained.exit_code, 1) << explained.output;
    EXPECT_TRUE(Has(explained.output,
                    "ties_away: QuantizeLinear (node 2): Ties are rounded away from"))
        << explained.output;
  }
  const Ran stored = RunTool("replay " + folder + " --emit json -o " + Path("case.json"));
  EXPECT_EQ(stored.exit_code, 0) << stored.output;
  // Of a graph of no family nothing is known but whether it is right.
  std::string text = Text("case.json");
  const std::string family = "\"graphs.choosers\"";
  text.replace(text.find(family), family.size(), "\"Graph\"");
  ASSERT_TRUE(WriteFileAtomically(Path("graph.json"), text).ok());
  const Ran graph = RunTool("explain " + Path("graph.json") + wrong);
  EXPECT_EQ(graph.exit_code, 1) << graph.output;
  EXPECT_TRUE(Has(graph.output, "No wrong graphs are known for a graph of no family."))
      << graph.output;
}

TEST_F(NodeTestsOfGraphs, WithoutACase_AreNotReplayed) {
  ASSERT_EQ(RunWith("a", Graph()).exit_code, 3);
  std::filesystem::create_directories(Path("empty"));
  ASSERT_TRUE(WriteFileAtomically(Path("other.onnx"), "no model").ok());
  const std::pair<std::string, std::string> kRows[] = {
      {Path("a"), "test_data_set_0"},
      {Path("empty"), "test_*"},
      {Path("other.onnx"), "other.onnx"},
      {Path("nowhere/model.onnx"), "nowhere"}};
  for (const auto& [name, words] : kRows) {
    const Ran ran = RunTool("replay " + name + " --backend oracle");
    EXPECT_EQ(ran.exit_code, 2) << ran.output;
    EXPECT_TRUE(Has(ran.output, words)) << ran.output;
    EXPECT_EQ(std::ranges::count(ran.output, '\n'), 1) << ran.output;
  }
}

// Beside one that is read.
TEST_F(NodeTestsOfGraphs, SkippedAmongOthers_IsSaidWithTheReason) {
  const Ran made =
      RunTool("replay " + CaseOf("graphs.choosers/21/*/DQ-Relu-Q.per_tensor") +
              " --emit onnx -o " + Path("all/test_good"));
  ASSERT_EQ(made.exit_code, 0) << made.output;
  Model unknown = Graph();
  unknown.node.body[0].op_type = "Softmax";
  const Ran ran = RunWith("all", unknown);
  EXPECT_TRUE(Has(ran.output,
                  "1 folder of other operators skipped\n"
                  "skipped: test_all: 'Softmax' is not judged in graphs\n"))
      << ran.output;
}

TEST_F(Graphs, StoredCaseOfAFamilyThatIsNone_IsAnError) {
  const std::string id = CaseOf("graphs.choosers/21/*/DQ-Relu-Q.per_tensor");
  std::filesystem::create_directories(Path("stored"));
  ASSERT_EQ(
      RunTool("replay " + id + " --emit json -o " + Path("stored/a.json")).exit_code, 0);
  std::string text = Text("stored/a.json");
  // The first graphs.choosers is that of "why".
  text.replace(text.find("graphs.choosers", text.find("\"op_type\"")), 15,
               "graphs.bogus");
  ASSERT_TRUE(WriteFileAtomically(Path("stored/a.json"), text).ok());
  for (const std::string& command :
       {"replay " + Path("stored/a.json") + " --backend oracle",
        "explain " + Path("stored/a.json"),
        "export --stored " + Path("stored") + " " + Path("out")}) {
    const Ran ran = RunTool(command);
    EXPECT_EQ(ran.exit_code, 2) << command << ran.output;
    EXPECT_TRUE(Has(ran.output, "a.json: op_type: expected Graph or one of graphs."))
        << ran.output;
    EXPECT_TRUE(Has(ran.output, ", got 'graphs.bogus'")) << ran.output;
  }
}

}  // namespace
}  // namespace qconform
