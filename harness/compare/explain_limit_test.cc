// The bound of an explanation: what passes it, and what it ends. No test waits for it.
#include "harness/compare/explain_limit.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

#include "harness/compare/cell_answers.h"
#include "harness/compare/closest.h"
#include "harness/compare/testing/made_up_operator.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

TEST(ExplainLimit, PassesByItsSecondsOrByStop) {
  EXPECT_FALSE(ExplainLimit::HasPassed());
  EXPECT_TRUE(ExplainLimit::StatusOfLimit().ok());
  std::atomic<bool> stop{false};
  {
    const ExplainLimit limit(kNever, &stop);
    EXPECT_FALSE(ExplainLimit::HasPassed());
    stop = true;
    EXPECT_TRUE(ExplainLimit::HasPassed());
    EXPECT_FALSE(ExplainLimit::StatusOfLimit().ok());
  }
  EXPECT_FALSE(ExplainLimit::HasPassed());
  const ExplainLimit none(0);
  EXPECT_TRUE(ExplainLimit::HasPassed());
}

TEST(ExplainLimit, InnerOne_IsBoundedByTheOuterOne) {
  std::atomic<bool> stop{false};
  const ExplainLimit outer(kNever, &stop);
  {
    const ExplainLimit inner(1e9);
    EXPECT_FALSE(ExplainLimit::HasPassed());
    stop = true;
    EXPECT_TRUE(ExplainLimit::HasPassed());
    stop = false;
    ExplainLimit::AddWaited(1e9);
    EXPECT_TRUE(ExplainLimit::HasPassed());
  }
  EXPECT_FALSE(ExplainLimit::HasPassed());
  EXPECT_GE(outer.used(), 1e9);
}

// Whoever tries readings one after the other ends with the first that is evaluated after
// the limit.
TEST(ExplainLimit, OnceItHasPassed_NoReadingIsEvaluated) {
  int evaluated = 0;
  ReadingSet other;
  other.readings = {{"C-1", "other"}};
  other.code = 1;
  const MadeUpOperator op({.evaluate =
                               [&](const Operands& operands, const ReadingSet& readings) {
                                 ++evaluated;
                                 const uint64_t x = ReadCode(*operands[0], 0);
                                 const auto code = static_cast<uint32_t>(x);
                                 return std::vector{Answer{
                                     DataType::kUint8,
                                     {1},
                                     {{.code = code + (readings.code == 1 ? 1U : 0U)}}}};
                               },
                           .readings = {{}, other}});
  Model model;
  const Tensor x = Tensor::Zeros(DataType::kUint8, {1});
  const auto content = op.Ask(model, x);
  const std::vector<uint32_t> codes{1};
  const AnsweredCase answered{content, content->canonical(), codes};
  const int once = evaluated;
  {
    const ExplainLimit none(0);
    EXPECT_FALSE(content->AnswerBy(other).ok());
    EXPECT_FALSE(ClosestReadings({&answered, 1}, Explanations()).ok());
    EXPECT_EQ(evaluated, once);
  }
  const auto closest = ClosestReadings({&answered, 1}, Explanations());
  ASSERT_TRUE(closest.ok());
  EXPECT_EQ(closest->size(), 1u);
  EXPECT_EQ(evaluated, once + 1);
}

}  // namespace
}  // namespace qconform
