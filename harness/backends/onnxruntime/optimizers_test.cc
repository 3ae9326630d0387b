#include "harness/backends/onnxruntime/optimizers.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace qconform::ort {
namespace {

TEST(TransformerLogTest, TakesTheNamesOutOfMessages) {
  TransformerLog log;
  log.Add("GraphTransformer QDQFinalCleanupTransformer modified: 0 with status: OK");
  log.Add("GraphTransformer Level1_RuleBasedTransformer modified: 1 with status: OK");
  log.Add("Graph Optimizations Loop Level : 1");
  log.Add("GraphTransformer");
  EXPECT_EQ(log.names(), (std::set<std::string>{"Level1_RuleBasedTransformer",
                                                "QDQFinalCleanupTransformer"}));
}

TEST(OptimizerNamesTest, HasRulesInPlaceOfTheirTransformer) {
  const std::string names =
      ";" + OptimizerNames({"Level2_RuleBasedTransformer", "SomeFusion"}) + ";";
  EXPECT_NE(names.find(";SomeFusion;"), std::string::npos);
  EXPECT_NE(names.find(";ReluQuantRewrite;"), std::string::npos);
  EXPECT_EQ(names.find("RuleBased"), std::string::npos);
}

TEST(OptimizerNamesTest, KnowsTheNamesOfLibrariesThatDoNotLog) {
  const std::string names = ";" + OptimizerNames({}) + ";";
  EXPECT_NE(names.find(";QDQFinalCleanupTransformer;"), std::string::npos);
  EXPECT_NE(names.find(";ReluQuantRewrite;"), std::string::npos);
}

}  // namespace
}  // namespace qconform::ort
