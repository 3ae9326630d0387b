// Oracle and judge agree on MatMulInteger: random questions over all cells, and sums
// around the ends of INT32. QCONFORM_JUDGE_CASES sets the number of elements.
#include "oracle/exact/testing/agreement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "oracle/core/operator.h"
#include "oracle/exact/operators/mat_mul_integer/mat_mul_integer.h"
#include "oracle/exact/testing/random_matrices.h"

namespace qconform {
namespace {

using exact::MatMulIntegerInput;

struct MatMulIntegerCell {
  int a = 0;
  int b = 0;
  bool per_row = false;
  bool per_column = false;
};

std::vector<MatMulIntegerCell> AllCells() {
  std::vector<MatMulIntegerCell> cells;
  for (int a : {exact::kInt8, exact::kUint8}) {
    for (int b : {exact::kInt8, exact::kUint8}) {
      for (bool per_row : {false, true}) {
        for (bool per_column : {false, true}) {
          cells.push_back({a, b, per_row, per_column});
        }
      }
    }
  }
  return cells;
}

MatMulIntegerInput MakeQuestion(const MatMulIntegerCell& cell,
                                agreement::Random& random) {
  const agreement::MatMulShapes shapes =
      agreement::RandomMatMulShapes(cell.per_row, cell.per_column, random);
  MatMulIntegerInput input;
  input.a = agreement::RandomOperands(cell.a, shapes.a, random);
  input.b = agreement::RandomOperands(cell.b, shapes.b, random);
  const auto zero_points = [&](int type, const std::vector<int64_t>& shape,
                               bool is_single) {
    if (is_single && random.OneIn(4)) return std::optional<exact::Codes>();
    return std::optional(agreement::RandomZeroPoints(type, shape, random));
  };
  input.a_zero_point = zero_points(cell.a, shapes.a_scale, !cell.per_row);
  input.b_zero_point = zero_points(cell.b, shapes.b_scale, !cell.per_column);
  return input;
}

MatMulIntegerInput MakeLongSum(const MatMulIntegerCell& cell, agreement::Random& random) {
  agreement::LongSum sum = agreement::RandomLongSum(cell.a, cell.b, random);
  return {std::move(sum.a), std::move(sum.b), std::move(sum.a_zero_point),
          std::move(sum.b_zero_point)};
}

std::string ToString(const MatMulIntegerInput& input) {
  const auto text = [](exact::Codes codes) {
    if (codes.codes.size() > 400) codes.codes.resize(8);  // of a long sum
    return agreement::ToString(codes);
  };
  return "\n  a " + text(input.a) + "\n  b " + text(input.b) + "\n  a_zero_point " +
         (input.a_zero_point ? text(*input.a_zero_point) : "absent") +
         "\n  b_zero_point " +
         (input.b_zero_point ? text(*input.b_zero_point) : "absent");
}

// The oracle's answer. An absent zero point may be left out or be absent in the middle.
Result<Answer> AskOracle(const MatMulIntegerInput& input) {
  std::vector<Tensor> tensors = {agreement::Pack(input.a), agreement::Pack(input.b)};
  tensors.reserve(4);
  Operands operands = {tensors[0].view(), tensors[1].view()};
  for (const auto* zero_point : {&input.a_zero_point, &input.b_zero_point}) {
    if (!*zero_point) {
      operands.emplace_back();
      continue;
    }
    tensors.push_back(agreement::Pack(**zero_point));
    operands.emplace_back(tensors.back().view());
  }
  const auto bound = FindOperator("MatMulInteger")->Bind({}, 10);
  if (!bound.ok()) return bound.error();
  const auto readings = (*bound)->Readings(operands);
  if (!readings.ok()) return readings.error();
  if (readings->size() != 1) return Error{"there are several readings"};
  auto answers = (*bound)->Evaluate(operands, readings->front());
  if (!answers.ok()) return answers.error();
  return std::move(answers->front());
}

struct Counts {
  std::atomic<int64_t> elements = 0;
  std::array<std::atomic<int64_t>, kTierCount> tiers = {};
};

void AskBoth(const MatMulIntegerInput& input, Counts& counts,
             agreement::Findings& findings) {
  const exact::Answer judged = exact::MatMulInteger(input);
  const Result<Answer> answered = AskOracle(input);
  const std::string difference = answered.ok()
                                     ? agreement::Difference(judged, *answered)
                                     : "the oracle refuses: " + answered.error().message;
  if (!difference.empty()) findings.Add(difference + ToString(input));
  counts.elements += static_cast<int64_t>(judged.elements.size());
  for (const exact::Element& element : judged.elements) {
    ++counts.tiers[static_cast<size_t>(element.tier)];
  }
}

TEST(MatMulIntegerAgreement, RandomQuestions_OverAllCells) {
  const int64_t wanted = agreement::CaseCount(1'000'000);
  const std::vector<MatMulIntegerCell> cells = AllCells();
  ASSERT_EQ(cells.size(), 16u);
  Counts counts;
  agreement::Findings findings;
  int64_t rounds = 0;
  while (counts.elements < wanted) {
    agreement::InParallel(static_cast<int64_t>(cells.size()), [&](int64_t i) {
      agreement::Random random(static_cast<uint64_t>(rounds * 16 + i));
      for (int question = 0; question < 100; ++question) {
        AskBoth(MakeQuestion(cells[static_cast<size_t>(i)], random), counts, findings);
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
  const std::vector<MatMulIntegerCell> cells = AllCells();
  const int64_t questions =
      std::max<int64_t>(agreement::CaseCount(1'000'000) / 100'000, 10);
  agreement::InParallel(static_cast<int64_t>(cells.size()), [&](int64_t i) {
    const MatMulIntegerCell& cell = cells[static_cast<size_t>(i)];
    if (cell.per_row || cell.per_column) return;
    agreement::Random random(static_cast<uint64_t>(i));
    for (int64_t question = 0; question < questions; ++question) {
      AskBoth(MakeLongSum(cell, random), counts, findings);
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
