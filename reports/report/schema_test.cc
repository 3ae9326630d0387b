// Written reports are valid by the schema, and documents with mistakes are not,
// by a validator that this project did not write.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "oracle/base/file.h"
#include "reports/history/compact.h"
#include "reports/record/record_json.h"
#include "reports/report/report.h"
#include "reports/testing/example_records.h"
#include "reports/testing/schema_check.h"

namespace qconform {
namespace {

using Document = nlohmann::json;

std::string Violations(const Document& document) {
  return SchemaViolations(ReportSchema(), document.dump());
}

Document Example() { return Document::parse(ReportText(ExampleReport())); }

TEST(Schema, WrittenReports_AreValid) {
  EXPECT_EQ(Violations(Example()), "");
  // Without anything, as a shard, with a profile.
  RunInfo run = ExampleRun();
  run.selection.cell_patterns = {"*"};
  run.selection.profile = "int8-core";
  run.selection.shard = ShardRecord{3, 8, 0};
  EXPECT_EQ(Violations(Document::parse(ReportText(*BuildReport(run, {}, {}, false)))),
            "");
}

TEST(Schema, PackedReports_AreValid) {
  EXPECT_EQ(SchemaViolations(PackedReportSchema(), PackedReportText(ExampleReport())),
            "");
  EXPECT_NE(SchemaViolations(PackedReportSchema(), ReportText(ExampleReport())), "");
}

// Every report that is published is small, and valid by the schema of its form.
TEST(Schema, PublishedReports_AreSmallAndValid) {
  int packed = 0;
  int compact = 0;
  const auto published = std::string(QCONFORM_SOURCE_DIR) + "/reports/published";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(published)) {
    if (entry.path().extension() != ".json") continue;
    const std::string name = entry.path().string();
    const auto text = ReadFile(name);
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_FALSE(text->starts_with("{\n\"report_version\"")) << name << " is not packed";
    if (text->starts_with("{\"packed_report_version\"")) {
      ++packed;
      EXPECT_LE(text->size(), 1'000'000u) << name;
      EXPECT_EQ(SchemaViolations(PackedReportSchema(), *text), "") << name;
    } else if (IsCompactText(*text)) {
      ++compact;
      EXPECT_LE(text->size(), 100'000u) << name;
      EXPECT_EQ(SchemaViolations(CompactReportSchema(), *text), "") << name;
    }
  }
  EXPECT_GT(packed, 100);
  EXPECT_GT(compact, 20);
}

// What parts of tiers follow, and what bounds may hide.
TEST(Schema, MixedTiers_AreValidAndReadAgain) {
  CellRecord cell = ExampleCell(
      "QLinearMatMul", 21,
      {DataType::kFloat16, DataType::kUint8, DataType::kInt8, DataType::kFloat8E5M2},
      "per_tensor-per_tensor", Verdict::kAdmissible);
  cell.mixed = {
      {"regular", kMixedByRows, {{"M = 1", "canonical"}, {"M from 2 to 15", "QL-24:x"}}},
      {"subnormal", kMixedByOperandForm, {{"initializers", "QL-24:x"}, {"inputs", "y"}}}};
  cell.bound_only = {{"degenerate_scale", {"canonical", "MM-02:f64_chain"}}};
  cell.by_wider_bound = {{"regular", 3}};
  cell.judged_at_opset_version = 21;
  RunInfo run = ExampleRun();
  run.selection.cells = 1;
  const std::string text = ReportText(*BuildReport(run, {cell}, {}, true));
  EXPECT_EQ(Violations(Document::parse(text)), "");
  const auto read = ParseReport(text, "r.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->cells[0].mixed, cell.mixed);
  EXPECT_EQ(read->cells[0].bound_only, cell.bound_only);
  EXPECT_EQ(read->cells[0].by_wider_bound, cell.by_wider_bound);
  EXPECT_EQ(read->cells[0].judged_at_opset_version, 21);
  EXPECT_EQ(cell.bound_only[0].Text(),
            "degenerate_scale: explained by a bound only; each element also follows "
            "canonical or MM-02:f64_chain");
}

// The line that reruns a cell that depends on what ran before.
TEST(Schema, DeviationThatIsNotReproduced_IsValidAndReadAgain) {
  CellRecord cell = ExampleCell("QuantizeLinear", 25, {DataType::kFloat, DataType::kInt8},
                                "per_tensor", Verdict::kNonconformant);
  cell.deviation->rerun = "qconform run --cells X --backend b --jobs 1";
  RunInfo run = ExampleRun();
  run.selection.cells = 1;
  const std::string text = ReportText(*BuildReport(run, {cell}, {}, true));
  EXPECT_EQ(Violations(Document::parse(text)), "");
  const auto read = ParseReport(text, "r.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->cells[0].deviation, cell.deviation);
}

// As node_test_runner.cc writes it.
TEST(Schema, NodeTestThatCouldNotBeRead_IsValid) {
  NodeTestRecord broken;
  broken.name = "test_broken";
  broken.release = "1.20.0";
  broken.reason = "model.onnx: is no model";
  const std::string text = ReportText(*BuildReport(ExampleRun(), {}, {broken}, false));
  EXPECT_EQ(Violations(Document::parse(text)), "");
  EXPECT_TRUE(ParseReport(text, "r.json"));
}

TEST(Schema, EveryTypeAndVerdictIsKnownToIt) {
  std::vector<CellRecord> cells;
  for (const DataType type : AllDataTypes()) {
    cells.push_back(ExampleCell("QuantizeLinear", 25, {DataType::kFloat, type},
                                "per_tensor", Verdict::kNonconformant));
  }
  RunInfo run = ExampleRun();
  run.selection.cells = static_cast<int64_t>(cells.size());
  EXPECT_EQ(Violations(Document::parse(ReportText(*BuildReport(run, cells, {}, true)))),
            "");
}

struct Mutation {
  const char* name;
  std::function<void(Document&)> apply;
};

class MutatedReport : public ::testing::TestWithParam<Mutation> {};

TEST_P(MutatedReport, IsNotValid) {
  Document document = Example();
  const Document before = document;
  GetParam().apply(document);
  ASSERT_NE(document, before);
  EXPECT_NE(Violations(document), "");
}

Document& Cell(Document& document) { return document["results"]["cells"][3]; }

INSTANTIATE_TEST_SUITE_P(
    All, MutatedReport,
    ::testing::Values(
        Mutation{"MissingResults", [](Document& d) { d.erase("results"); }},
        Mutation{"MissingDigest", [](Document& d) { d.erase("results_digest"); }},
        Mutation{"ShortDigest", [](Document& d) { d["results_digest"] = "abc"; }},
        Mutation{"MajorVersion", [](Document& d) { d["report_version"] = "1.3.0"; }},
        Mutation{"UnknownMember", [](Document& d) { d["news"] = 1; }},
        Mutation{"MissingCellField", [](Document& d) { Cell(d).erase("cases"); }},
        Mutation{"WrongVerdict", [](Document& d) { Cell(d)["verdict"] = "passed"; }},
        Mutation{"WrongTierVerdict",
                 [](Document& d) { Cell(d)["verdicts"]["inputs"]["regular"] = "ok"; }},
        Mutation{"NegativeCount", [](Document& d) { Cell(d)["cases"] = -1; }},
        Mutation{"NegativeElements",
                 [](Document& d) { Cell(d)["elements"]["regular"] = -1; }},
        Mutation{"FractionalCount", [](Document& d) { Cell(d)["cases"] = 1.5; }},
        Mutation{"UnknownType", [](Document& d) { Cell(d)["types"][0] = "FLOAT32"; }},
        Mutation{"NoTypes", [](Document& d) { Cell(d)["types"] = Document::array(); }},
        Mutation{"UnknownCellMember", [](Document& d) { Cell(d)["extra"] = 1; }},
        Mutation{"OpsetNoNumber",
                 [](Document& d) { Cell(d)["opset_versions"]["new"] = "conformant"; }},
        Mutation{"UnknownOperandType",
                 [](Document& d) {
                   for (Document& cell : d["results"]["cells"]) {
                     if (!cell.contains("counterexamples")) continue;
                     Document& example = cell["counterexamples"][0];
                     if (example.contains("operands"))
                       example["operands"][0]["type"] = "F";
                   }
                 }},
        Mutation{"TotalsVerdict",
                 [](Document& d) { d["results"]["totals"]["cells"]["passed"] = 1; }},
        Mutation{"TotalsMissing",
                 [](Document& d) { d["results"]["totals"]["cells"].erase("untested"); }},
        Mutation{"TableRow",
                 [](Document& d) { d["results"]["totals"]["by_tier"][0].erase("tier"); }},
        Mutation{
            "NodeVerdict",
            [](Document& d) { d["results"]["node_tests"][0]["verdict"] = "passed"; }},
        Mutation{"RunMember", [](Document& d) { d["run"].erase("machine"); }},
        Mutation{"NegativeTime", [](Document& d) { d["run"]["cell_times_ms"][0] = -1; }}),
    [](const auto& tested) { return tested.param.name; });

// Every object of the schema says what each member is, and lets no other pass.
void CheckDescribed(const Document& schema, const std::string& place) {
  if (schema.is_object()) {
    if (schema.contains("properties")) {
      EXPECT_EQ(schema.value("additionalProperties", true), false) << place;
      for (const auto& [name, member] : schema["properties"].items()) {
        EXPECT_TRUE(member.contains("description") || member.contains("$ref"))
            << place << "." << name;
      }
    }
    for (const auto& [name, member] : schema.items())
      CheckDescribed(member, place + "/" + name);
  } else if (schema.is_array()) {
    for (const Document& member : schema) CheckDescribed(member, place);
  }
}

TEST(Schema, EveryFieldIsDescribed) {
  CheckDescribed(Document::parse(ReportSchema()), "#");
}

std::vector<std::string> NamesOf(const std::vector<Fields::Key>& keys,
                                 bool required_only) {
  std::vector<std::string> names;
  for (const Fields::Key& key : keys) {
    if (key.required || !required_only) names.push_back(key.name);
  }
  return names;
}

// The keys that the code lists for a record are those of the schema's definition, in the
// same order, and as required.
template <typename T>
void ExpectSameFields(const char* definition, std::vector<std::string> before = {}) {
  const auto schema =
      nlohmann::ordered_json::parse(ReportSchema())["definitions"][definition];
  std::vector<std::string> keys;
  for (const auto& [key, member] : schema["properties"].items()) keys.push_back(key);
  const std::vector<Fields::Key> listed = KeysOf<T>();
  const std::vector<std::string> names = NamesOf(listed, false);
  before.insert(before.end(), names.begin(), names.end());
  EXPECT_EQ(before, keys) << definition;
  EXPECT_EQ(NamesOf(listed, true), schema["required"].get<std::vector<std::string>>())
      << definition;
}

TEST(Schema, HasTheFieldsOfTheCode) {
  ExpectSameFields<CellRecord>("cell");
  ExpectSameFields<NodeTestRecord>("node_test");
  ExpectSameFields<NegativeRecord>("negative_model");
  ExpectSameFields<FindingRecord>("finding");
  ExpectSameFields<Counterexample>("counterexample");
  ExpectSameFields<Observation>("observation");
  ExpectSameFields<Deviation>("deviation", {"explained_by"});  // the cell's diagnosis
  ExpectSameFields<ValueRecord>("value");
}

TEST(Schema, CarriesTheVersionOfTheReport) {
  EXPECT_EQ(Document::parse(ReportSchema())["$id"],
            "urn:qconform:schema:report:" + std::string(kReportVersion));
}

}  // namespace
}  // namespace qconform
