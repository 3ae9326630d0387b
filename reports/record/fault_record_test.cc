#include "reports/record/fault_record.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/testing/schema_check.h"

namespace qconform {
namespace {

FaultsDocument Example() {
  FaultsDocument document;
  document.tool_version = "1.0.0";
  document.onnx_version = "1.20.0";
  document.suite_digest = std::string(64, 'a');
  document.level = "standard";
  document.cells = 3;
  document.node_test_directories = {"1.20.0"};
  document.node_tests = 12;
  FaultRecord found;
  found.name = "ties_away";
  found.kind = "backend";
  found.sentence = "Ties are rounded away from zero.";
  found.seen_in = "roundf";
  found.deviates = {3, 3};
  found.first_generators = {{"ties", 3}};
  found.first_case =
      "QuantizeLinear/21@21/FLOAT-FLOAT-INT8/per_tensor/inputs/saturate=1/ties/0";
  found.first_generator = "ties";
  found.first_elements = 2;
  found.most_elements = 5;
  found.example = Counterexample{};
  found.example->operands = {{"x", DataType::kFloat, {"0x40200000", "0x1.4p+1"}}};
  found.example->expected = {"0x02", "2"};
  found.example->actual = {"0x03", "3"};
  found.stored_case = R"({"qconform_case": 1})";
  found.node_tests_exactly = {"test_quantizelinear"};
  FaultRecord survivor = found;
  survivor.name = "survivor";
  survivor.deviates = {3, 2};
  survivor.contradiction_count = 1;
  survivor.contradictions = {{"QuantizeLinear/21/FLOAT-FLOAT-INT8/blocked", "deviates",
                              "no case shows a difference"}};
  FaultRecord elsewhere;
  elsewhere.name = "elsewhere";
  elsewhere.kind = "comparison";
  elsewhere.sentence = "It shows in other cells.";
  elsewhere.witness = "ties_away";
  elsewhere.equivalent = {3, 1};
  document.faults = {found, survivor, elsewhere};
  return document;
}

TEST(FaultsDocument, Text_IsValidByTheSchemaAndOneFaultALine) {
  const std::string text = FaultsDocumentText(Example());
  EXPECT_EQ(SchemaViolations(FaultsSchema(), text), "");
  EXPECT_EQ(text, FaultsDocumentText(Example()));
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["counted"], 2);
  EXPECT_EQ(json["found"], 1);
  EXPECT_EQ(json["faults"][1]["survives_in"].size(), 1u);
  EXPECT_EQ(json["node_tests"]["found_exactly"], 2);
  EXPECT_NE(text.find("\n{\"name\":\"survivor\""), std::string::npos);
}

TEST(FaultsDocument, Schema_RefusesOtherDocuments) {
  auto json = nlohmann::json::parse(FaultsDocumentText(Example()));
  json["faults"][0]["kind"] = "kernel";
  EXPECT_NE(SchemaViolations(FaultsSchema(), json.dump()), "");
  json = nlohmann::json::parse(FaultsDocumentText(Example()));
  json["faults"][0].erase("deviates");
  EXPECT_NE(SchemaViolations(FaultsSchema(), json.dump()), "");
}

TEST(FaultsDocument, Headline_CountsFaultsThatCouldShow) {
  EXPECT_EQ(
      FaultsHeadline(Example()),
      "1 of 2 planted faults found; ONNX's node tests find 0 (compared exactly: 2)");
  FaultsDocument document = Example();
  EXPECT_EQ(document.counted(), 2);
  EXPECT_EQ(document.found(), 1);
  EXPECT_EQ(document.contradictions(), 1);
  document.node_test_directories.clear();
  EXPECT_EQ(FaultsHeadline(document), "1 of 2 planted faults found");
}

// Nothing was to be found of it: neither "found 0/0" nor one of N of N.
TEST(FaultsDocument, FaultThatDeviatesNowhere_IsCountedApart) {
  FaultsDocument document = Example();
  document.node_test_directories.clear();
  FaultRecord& other = document.faults.emplace_back();
  other.name = "a_reading";
  other.kind = "backend";
  other.sentence = "It follows a reading.";
  other.admissible = {4, 4};
  EXPECT_EQ(FaultsHeadline(document),
            "1 of 2 planted faults found; 1 more deviates nowhere: admissible or "
            "equivalent throughout");
  EXPECT_FALSE(other.found());
  const std::string text = FaultsDocumentText(document);
  EXPECT_EQ(SchemaViolations(FaultsSchema(), text), "");
  EXPECT_EQ(nlohmann::json::parse(text)["admissible"], 1);
  other.contradiction_count = 1;
  EXPECT_EQ(document.admissible(), 0);
}

}  // namespace
}  // namespace qconform
