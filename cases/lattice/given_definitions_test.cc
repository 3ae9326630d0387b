#include "cases/lattice/given_definitions.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cases/lattice/definitions.h"

namespace qconform {
namespace {

constexpr const char* kText = R"({"Op": {"formals": ["x", "y"], "versions": [
  {"since_version": 3, "opset_versions": [3, 4], "attributes": [],
   "granularities": ["per_tensor"]},
  {"since_version": 5, "opset_versions": [5], "attributes": ["axis"],
   "granularities": ["per_tensor", "per_axis"], "more": 1}]}})";

using Words = std::vector<std::string>;

TEST(GivenDefinitions, AreThoseOfTheText) {
  ASSERT_TRUE(GiveDefinitions(kText).ok());
  ASSERT_EQ(SinceVersions("Op").size(), 2u);
  EXPECT_EQ(SinceVersions("Op").front().opset_versions, (std::vector<int>{3, 4}));
  EXPECT_EQ(AttributeNames("Op", 4), Words{});
  EXPECT_EQ(AttributeNames("Op", 5), Words{"axis"});
  EXPECT_EQ(CellFormals("Op"), (Words{"x", "y"}));
  EXPECT_EQ(CellGranularities("Op", 3), Words{"per_tensor"});
  EXPECT_TRUE(SinceVersions("Other").empty());
}

TEST(GivenDefinitions, TheVersionOfAModel_IsChosenAsWithOnnx) {
  ASSERT_TRUE(GiveDefinitions(kText).ok());
  const auto known = JudgingVersionFor("Op", 4);
  ASSERT_TRUE(known.ok());
  EXPECT_EQ(known->since_version, 3);
  EXPECT_EQ(known->note, "");
  const auto newer = JudgingVersionFor("Op", 9);
  ASSERT_TRUE(newer.ok());
  EXPECT_EQ(newer->since_version, 5);
  EXPECT_NE(newer->note, "");
  EXPECT_FALSE(JudgingVersionFor("Op", 2).ok());
  EXPECT_FALSE(JudgingVersionFor("Other", 5).ok());
}

TEST(GivenDefinitions, AnotherForm_IsAnErrorThatChangesNothing) {
  ASSERT_TRUE(GiveDefinitions(kText).ok());
  for (const char* text :
       {"", "[]", R"({"A": 1})", R"({"A": {"formals": [1], "versions": []}})",
        R"({"A": {"formals": [], "versions": [{"since_version": 1}]}})",
        R"({"A": {"formals": [], "versions": [{"since_version": -1,
            "opset_versions": [1], "attributes": [], "granularities": []}]}})"}) {
    EXPECT_FALSE(GiveDefinitions(text).ok()) << text;
  }
  EXPECT_EQ(SinceVersions("Op").size(), 2u);
}

}  // namespace
}  // namespace qconform
