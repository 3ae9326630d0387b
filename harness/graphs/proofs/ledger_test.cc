#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "harness/core/proofs/rewrite.h"
#include "harness/graphs/proofs/both_sides.h"
#include "oracle/base/file.h"

namespace qconform {
namespace {

class Ledger : public testing::TestWithParam<size_t> {
 protected:
  const Rewrite& rewrite() const { return Rewrites()[GetParam()]; }
};

TEST_P(Ledger, RowAtASmallSize_Holds) {
  const auto proof = rewrite().prove(ProofSize::kSmall);
  ASSERT_TRUE(proof.ok()) << proof.error().message;
  EXPECT_GT(proof->evaluations, 0u);
  EXPECT_EQ(proof->counterexample.empty(), rewrite().exactness == Exactness::kExact)
      << proof->counterexample;
}

// docs/rewrites.md is made by the program; a row that was changed since is found here.
TEST_P(Ledger, RowIsOnThePage) {
  const auto page = ReadFile(QCONFORM_SOURCE_DIR "/docs/rewrites.md");
  ASSERT_TRUE(page.ok()) << page.error().message;
  const std::string made = RewritesPage({{&rewrite(), {}}});
  const size_t row = made.find("| [");
  EXPECT_NE(page->find(made.substr(row, made.find('\n', row) - row)), std::string::npos);
  EXPECT_NE(page->find(std::string(rewrite().argument)), std::string::npos);
  EXPECT_NE(page->find(std::string(rewrite().types)), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Rows, Ledger, testing::Range(size_t{0}, Rewrites().size()),
                         [](const testing::TestParamInfo<size_t>& row) {
                           return std::string(Rewrites()[row.param].name);
                         });

TEST(Rewrites, NamesAreUnique_AndConditionsAreThoseOfRowsThatHaveOne) {
  std::set<std::string_view> names;
  for (const Rewrite& rewrite : Rewrites()) {
    EXPECT_TRUE(names.insert(rewrite.name).second) << rewrite.name;
    EXPECT_EQ(rewrite.condition.empty(), rewrite.exactness != Exactness::kExactIf)
        << rewrite.name;
  }
}

// A row whose condition is not that of its answers does not pass.
TEST(Comparison, ClaimsThatTheAnswersContradict_AreErrors) {
  const graphs::Codes one{1, 2, std::nullopt};
  const graphs::Codes other{1, 3, 7};
  const auto describe = [](size_t i) { return "element " + std::to_string(i); };
  const auto message = [&](const graphs::Codes& after, bool holds) -> std::string {
    graphs::Comparison comparison;
    const Status added =
        comparison.Add(one, after, {{0, 3, holds, "zero point 5"}}, describe);
    if (!added) return added.error().message;
    const RewriteProof proof = comparison.Take();
    EXPECT_EQ(proof.evaluations, 2u);  // a free element is not compared
    return proof.counterexample;
  };
  EXPECT_EQ(
      message(other, true),
      "rewrite: expected equal answers with zero point 5, got a difference: element 1");
  EXPECT_EQ(message(one, false),
            "rewrite: expected a difference with zero point 5, got none");
  EXPECT_EQ(message(other, false), "zero point 5, element 1");
  EXPECT_EQ(message(one, true), "");
}

}  // namespace
}  // namespace qconform
