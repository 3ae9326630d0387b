#include "oracle/core/clauses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "oracle/operators/q_linear_mat_mul/q_linear_mat_mul.h"
#include "oracle/operators/quantize_linear/quantize_linear.h"

namespace qconform {
namespace {

using enum DataType;

// The text of all tests under oracle/, where the ledger says tests are.
std::string TestSources() {
  std::string text;
  const std::filesystem::path root =
      std::filesystem::path(QCONFORM_SOURCE_DIR) / "oracle";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (!entry.path().filename().string().ends_with("_test.cc")) continue;
    std::ifstream file(entry.path());
    text.append(std::istreambuf_iterator<char>(file), {});
  }
  return text;
}

TEST(Clauses, EveryTestThatIsNamed_Exists) {
  const std::string sources = TestSources();
  int visited = 0;
  for (const Clause& clause : Clauses()) {
    EXPECT_FALSE(clause.tests.empty()) << clause.id;
    for (const std::string_view test : clause.tests) {
      const size_t dot = test.find('.');
      const std::string macro = "TEST(" + std::string(test.substr(0, dot)) + ", " +
                                std::string(test.substr(dot + 1)) + ")";
      EXPECT_NE(sources.find(macro), std::string::npos) << clause.id << ": " << test;
      ++visited;
    }
  }
  EXPECT_GT(visited, 70);
}

TEST(Clauses, Rows_AreWhole) {
  std::set<std::string_view> ids;
  std::map<std::string_view, int> by_operator;
  for (const Clause& clause : Clauses()) {
    ++by_operator[clause.op_type];
    SCOPED_TRACE(clause.id);
    EXPECT_TRUE(ids.insert(clause.id).second) << "twice";
    EXPECT_FALSE(clause.text.empty());
    EXPECT_FALSE(clause.source.empty());
    EXPECT_EQ(clause.kind == ClauseKind::kParametric, !clause.readings.empty());
    int canonical = 0;
    for (const ClauseReading& reading : clause.readings) {
      EXPECT_FALSE(reading.sentence.empty());
      canonical += reading.canonical;
    }
    EXPECT_EQ(canonical, clause.readings.empty() ? 0 : 1);
    EXPECT_EQ(clause.since_versions.empty(), clause.op_type.empty());
  }
  EXPECT_EQ(by_operator[""], 2);
  EXPECT_EQ(by_operator["QuantizeLinear"], 33);
  EXPECT_EQ(by_operator["QLinearMatMul"], 13);
  EXPECT_EQ(by_operator["graphs"], 20);
}

// "QL-04:f32_quotient" for every reading that the ledger has for the operator.
std::set<std::string> LedgerReadings(std::string_view op_type) {
  std::set<std::string> names;
  for (const Clause& clause : Clauses()) {
    if (clause.op_type != op_type) continue;
    for (const ClauseReading& reading : clause.readings) {
      if (!reading.canonical) {
        names.insert(std::string(clause.id) + ":" + std::string(reading.name));
      }
    }
  }
  return names;
}

void AddParts(const std::string& name, std::set<std::string>& parts) {
  if (name == "canonical") return;
  size_t begin = 0;
  while (begin <= name.size()) {
    const size_t end = std::min(name.find('+', begin), name.size());
    parts.insert(name.substr(begin, end - begin));
    begin = end + 1;
  }
}

TEST(Clauses, Readings_AreThoseOfTheEvaluation) {
  std::set<std::string> quantize;
  for (const int since : {10, 13, 19, 21, 23, 24, 25, 28}) {
    for (const DataType x : {kFloat, kFloat16, kBfloat16, kInt32}) {
      for (const DataType scale : {kFloat, kFloat16, kBfloat16, kInt32, kFloat8E8M0}) {
        if (since < 19 && scale != kFloat) continue;
        if (since < 23 && since >= 19 && scale != x) continue;
        for (const DataType y :
             {kInt8, kFloat8E4M3FN, kFloat8E5M2FNUZ, kFloat4E2M1, kFloat6E2M3}) {
          for (const auto& readings : ReadingCombinations(since, x, scale, y, 0)) {
            AddParts(ReadingsName(readings, since, x, scale, y), quantize);
          }
        }
      }
    }
  }
  // Of what is refused there is nothing to evaluate.
  std::set<std::string> of_ledger = LedgerReadings("QuantizeLinear");
  EXPECT_EQ(of_ledger.erase("QL-24:refused"), 1u);
  EXPECT_EQ(quantize, of_ledger);

  std::set<std::string> mat_mul;
  for (const DataType scale : {kFloat, kFloat16}) {
    for (const DataType y : {kInt8, kFloat8E4M3FN, kFloat8E5M2, kFloat8E5M2FNUZ}) {
      for (const auto& readings : ReadingCombinations(scale, y)) {
        AddParts(ReadingsName(readings), mat_mul);
      }
    }
  }
  // QL-22 and QL-24 are QuantizeLinear's, and cited by MM-03 and MM-11.
  std::set<std::string> expected = LedgerReadings("QLinearMatMul");
  for (const char* cited : {"QL-22:fnuz_infinity_largest", "QL-24:zero_point_ignored",
                            "QL-24:round_then_add", "QL-24:added_in_p"}) {
    expected.insert(cited);
  }
  EXPECT_EQ(mat_mul, expected);
}

}  // namespace
}  // namespace qconform
