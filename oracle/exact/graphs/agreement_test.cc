// Oracle and judge agree on small graphs: random questions of every family, canonical, in
// readings of the nodes, and in what is admitted around the canonical answer.
// QCONFORM_JUDGE_CASES sets the number of elements.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "oracle/exact/graphs/testing/graph_comparison.h"
#include "oracle/exact/graphs/testing/graph_questions.h"

namespace qconform {
namespace {

using agreement::Family;
using agreement::Random;
using agreement::Tally;

constexpr size_t kFamilies = agreement::kFamilyNames.size();

class GraphAgreement : public testing::TestWithParam<size_t> {};

TEST_P(GraphAgreement, RandomGraphs) {
  const auto family = static_cast<Family>(GetParam());
  const int64_t wanted = agreement::CaseCount(200'000) / static_cast<int64_t>(kFamilies);
  Tally tally;
  for (int64_t round = 0; tally.elements < wanted && round < 100'000; ++round) {
    agreement::InParallel(8, [&](int64_t chunk) {
      Random random(static_cast<uint64_t>(round * 8 + chunk) * kFamilies + GetParam());
      for (int question = 0; question < 25; ++question) {
        agreement::AskBoth(agreement::MakeGraphQuestion(family, random), random, tally);
      }
    });
  }
  tally.Print(agreement::kFamilyNames[GetParam()]);
  EXPECT_EQ(tally.Wrong(), 0);
  // The clauses do not say how every operation is counted where choosers, sums and inner
  // codes meet. Few elements are so near to an end of a bound that it shows.
  EXPECT_LE(tally.AtBounds(), tally.bounds / 20);
}

INSTANTIATE_TEST_SUITE_P(Families, GraphAgreement, testing::Range<size_t>(0, kFamilies),
                         [](const testing::TestParamInfo<size_t>& one) {
                           return std::string(agreement::kFamilyNames[one.param]);
                         });

}  // namespace
}  // namespace qconform
