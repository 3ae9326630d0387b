// QLinearMatMul: patterns of what no model explains, and pairs of models.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/backends/faulty/decode.h"
#include "harness/backends/faulty/faulty_backend.h"
#include "harness/core/oracle_model.h"
#include "harness/operators/q_linear_mat_mul/faults.h"
#include "harness/runner/testing/changed_backend.h"
#include "harness/runner/testing/run_on.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

using testing::Contains;
using testing::Not;

constexpr const char* kCell =
    "QLinearMatMul/21/FLOAT-UINT8-INT8-UINT8/per_row-per_column";

// Flips a bit of the elements that `wrong` says.
CellRecord RunWrong(std::function<bool(const DecodedMatMul&, int64_t)> wrong) {
  ChangedBackend backend([wrong](const Model& model, auto inputs, RunResult result) {
    const CaseAnswer answer = *OracleModel::Create(model)->Evaluate(inputs);
    const auto decoded = *DecodeCase(model, 21, inputs, answer);
    Tensor& y = FirstOutput(result);
    for (size_t i = 0; i < answer.elements.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      if (!wrong(q_linear_mat_mul::Case::Of(*decoded), at)) continue;
      WriteCode(y.mutable_view(), at, ReadCode(y.view(), at) ^ 1);
    }
    return result;
  });
  return RunOn(backend, {kCell}, Level::kStandard).front();
}

void ExpectPattern(const CellRecord& record, const std::string& pattern) {
  EXPECT_EQ(record.diagnosis, "");
  ASSERT_TRUE(record.deviation.has_value());
  EXPECT_THAT(record.deviation->pattern, Contains(pattern));
  EXPECT_THAT(record.deviation->pattern, Not(Contains("only elements of tier regular")));
}

TEST(MatMulPattern, OfK_IsTold) {
  ExpectPattern(RunWrong([](const auto& d, int64_t) { return d.terms % 16 == 0; }),
                "only K that is a multiple of 16");
  ExpectPattern(RunWrong([](const auto& d, int64_t) { return d.terms % 4 != 0; }),
                "only K that is no multiple of 4");
}

TEST(MatMulPattern, OfARowAColumnAndABatch_IsTold) {
  ExpectPattern(RunWrong([](const auto& d, int64_t i) {
                  return i / d.layout.y.columns % d.layout.y.rows == 1;
                }),
                "only row 1 of a");
  ExpectPattern(
      RunWrong([](const auto& d, int64_t i) { return i % d.layout.y.columns == 3; }),
      "only column 3 of b");
  ExpectPattern(RunWrong([](const auto& d, int64_t i) {
                  return i / d.layout.y.columns / d.layout.y.rows == 1;
                }),
                "only matrix 1 of a batch");
}

TEST(MatMulPattern, OfTheSign_IsTold) {
  ExpectPattern(RunWrong([](const auto& d, int64_t i) {
                  const auto trace = TraceElement(d, {}, i);
                  return trace && trace->product.negative &&
                         trace->product.value_class == ValueClass::kFinite;
                }),
                "only negative results");
}

TEST(MatMulDiagnosis, PairOfFaults_IsNamedAsAPair) {
  const Fault both{
      .name = "both",
      .sentence = "Two mistakes.",
      .shares = {{"QLinearMatMul",
                  {QLinearMatMulSwitches{
                      .no_b_zero_point = true,
                      .rounding = QLinearMatMulSwitches::Rounding::kTowardZero}}}}};
  const CellRecord record =
      RunOn(*MakeFaultyBackend(both), {kCell}, Level::kStandard).front();
  EXPECT_TRUE(record.diagnosis == "truncates+b_zero_point_missing" ||
              record.diagnosis == "b_zero_point_missing+truncates")
      << record.diagnosis;
}

// Both give the same codes for all that the list of this cell asks. Further questions
// distinguish them.
TEST(MatMulDiagnosis, ZeroPointsOfFloat8ThatAreIgnored_AreNotBlamedOnATail) {
  constexpr const char* kFloat8 =
      "QLinearMatMul/21/FLOAT-FLOAT8E4M3FN-FLOAT8E4M3FN-FLOAT8E4M3FN/"
      "per_tensor-per_tensor";
  for (const char* name : {"zero_points_missing", "k_tail_uncorrected_8"}) {
    const CellRecord record =
        RunOn(*MakeFaultyBackend(*FindFault(name)), {kFloat8}, Level::kStandard).front();
    EXPECT_EQ(record.diagnosis, name);
  }
}

// K is 3 and 5 in small cases of the cell, and 70 in others.
TEST(MatMulDiagnosis, WorkedExample_HasFewProducts) {
  const CellRecord record =
      RunOn(*MakeFaultyBackend(*FindFault("k_tail_lost_4")), {kCell}, Level::kStandard)
          .front();
  ASSERT_FALSE(record.counterexamples.empty());
  const std::string name = record.counterexamples.front().operands.front().name;
  EXPECT_THAT(name, testing::AnyOf("a[0 of 1]", "a[0 of 2]", "a[0 of 3]", "a[0 of 5]"));
}

}  // namespace
}  // namespace qconform
