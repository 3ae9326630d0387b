// Long sums: a kernel that leaves a product out, or takes it twice, is seen.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "cases/operators/q_linear_mat_mul/testing/problem.h"
#include "oracle/formats/codes.h"

namespace qconform::generators {
namespace {

// The case without product `k`: a is its zero point there.
OpCase WithoutTerm(const OpCase& made, int64_t k) {
  OpCase without = made;
  Tensor& a = without.operands[0];
  const Tensor& zero_point = without.operands[2];
  const int64_t rows = a.shape[a.shape.size() - 2];
  const int64_t terms = a.shape.back();
  const int64_t zero_points = ElementCount(zero_point.shape).value();
  for (int64_t row = 0; row < rows; ++row) {
    WriteCode(a.mutable_view(), row * terms + k,
              ReadCode(zero_point.view(), zero_points == 1 ? 0 : row));
  }
  return without;
}

// Whether an element's code lies beyond what is admissible, by any name.
bool Shows(const OpCase& made, const Answer& expected, int64_t k) {
  const OpCase without = WithoutTerm(made, k);
  const auto wrong = EvaluateQLinearMatMul(ProblemOf(without));
  EXPECT_TRUE(wrong.ok());
  if (!wrong) return false;
  for (size_t i = 0; i < expected.elements.size(); ++i) {
    const CodeBounds& bounds = expected.bounds[i];
    const uint32_t code = wrong->elements[i].code;
    const bool reduced =
        IsWithin(expected.type, code, bounds.wider_low, bounds.wider_high);
    if (!reduced && !IsWithin(expected.type, code, bounds.low, bounds.high)) return true;
  }
  return false;
}

TEST(MatMulTerms, OneLeftOut_Shows) {
  int64_t turn = 0;
  int64_t asked = 0;
  std::set<int64_t> remainders;
  for (const Cell& cell : CellsOf("QLinearMatMul")) {
    if (++turn % 37 != 0) continue;
    const bool integers = IsInteger(cell.types[1]) && IsInteger(cell.types[2]);
    for (const CaseKey& key : ContentsOf(cell, Level::kStandard)) {
      if (key.generator != "terms") continue;
      const Result<OpCase> made = MakeCase(key, kTestSeed);
      ASSERT_TRUE(made.ok()) << CaseId(key);
      const auto expected =
          EvaluateQLinearMatMul(ProblemOf(*made), {}, MatMulBounds::kAll);
      ASSERT_TRUE(expected.ok()) << CaseId(key);
      const int64_t terms = made->operands[0].shape.back();
      remainders.insert(terms % 16);
      // Each product of integers; of float8 operands the last one, which outweighs the
      // others.
      std::vector<int64_t> left_out{terms - 1};
      if (integers) left_out.insert(left_out.end(), {terms - 2, 256, 255, 128, 1, 0});
      for (const int64_t k : left_out) {
        EXPECT_TRUE(Shows(*made, *expected, k)) << k << " of " << CaseId(key);
        ++asked;
      }
    }
  }
  EXPECT_GT(asked, 200);
  for (int64_t r = 1; r < 16; r += 2) EXPECT_EQ(remainders.count(r), 1u) << r;
}

}  // namespace
}  // namespace qconform::generators
