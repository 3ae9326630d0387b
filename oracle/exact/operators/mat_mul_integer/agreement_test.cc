// Oracle and judge agree on MatMulInteger: random questions over all cells, and sums
// around the ends of INT32. QCONFORM_JUDGE_CASES sets the number of elements.
#include "oracle/exact/testing/agreement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "oracle/exact/operators/mat_mul_integer/testing/questions.h"

namespace qconform {
namespace {

using agreement::MatMulIntegerCell;
using exact::MatMulIntegerInput;

struct Counts {
  std::atomic<int64_t> elements = 0;
  std::array<std::atomic<int64_t>, kTierCount> tiers = {};
};

void AskBoth(const MatMulIntegerInput& input, Counts& counts,
             agreement::Findings& findings) {
  const exact::Answer judged = exact::MatMulInteger(input);
  const Result<Answer> answered = agreement::AskOracle(input);
  const std::string difference = answered.ok()
                                     ? agreement::Difference(judged, *answered)
                                     : "the oracle refuses: " + answered.error().message;
  if (!difference.empty()) findings.Add(difference + agreement::ToString(input));
  counts.elements += static_cast<int64_t>(judged.elements.size());
  for (const exact::Element& element : judged.elements) {
    ++counts.tiers[static_cast<size_t>(element.tier)];
  }
}

TEST(MatMulIntegerAgreement, RandomQuestions_OverAllCells) {
  const int64_t wanted = agreement::CaseCount(1'000'000);
  const std::vector<MatMulIntegerCell> cells = agreement::MatMulIntegerCells();
  ASSERT_EQ(cells.size(), 16u);
  Counts counts;
  agreement::Findings findings;
  int64_t rounds = 0;
  while (counts.elements < wanted) {
    agreement::InParallel(static_cast<int64_t>(cells.size()), [&](int64_t i) {
      agreement::Random random(static_cast<uint64_t>(rounds * 16 + i));
      for (int question = 0; question < 100; ++question) {
        AskBoth(agreement::MakeQuestion(cells[static_cast<size_t>(i)], random), counts,
                findings);
      }
    });
    ++rounds;
  }
  EXPECT_EQ(findings.count(), 0) << findings.Text();
  std::printf("elements %lld in %lld rounds of %zu cells\n",
              static_cast<long long>(counts.elements), static_cast<long long>(rounds),
              cells.size());
}

// MI-02: sums of the largest products around both ends of INT32.
TEST(MatMulIntegerAgreement, LongSums_WrapAlike) {
  Counts counts;
  agreement::Findings findings;
  const std::vector<MatMulIntegerCell> cells = agreement::MatMulIntegerCells();
  const int64_t questions =
      std::max<int64_t>(agreement::CaseCount(1'000'000) / 100'000, 10);
  agreement::InParallel(static_cast<int64_t>(cells.size()), [&](int64_t i) {
    const MatMulIntegerCell& cell = cells[static_cast<size_t>(i)];
    if (cell.per_row || cell.per_column) return;
    agreement::Random random(static_cast<uint64_t>(i));
    for (int64_t question = 0; question < questions; ++question) {
      AskBoth(agreement::MakeLongSum(cell, random), counts, findings);
    }
  });
  EXPECT_EQ(findings.count(), 0) << findings.Text();
  const int64_t beyond = counts.tiers[static_cast<size_t>(Tier::kAccumulatorOverflow)];
  EXPECT_EQ(counts.elements.load(), 4 * questions);
  EXPECT_GT(beyond, 0);
  EXPECT_LT(beyond, counts.elements.load());
  std::printf("long sums %lld, beyond INT32 %lld\n",
              static_cast<long long>(counts.elements), static_cast<long long>(beyond));
}

}  // namespace
}  // namespace qconform
