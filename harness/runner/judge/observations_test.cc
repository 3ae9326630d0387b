// What clauses leave free, observed; and whether the same bits come the second time.
#include "harness/runner/judge/observations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/core/oracle_model.h"
#include "harness/runner/runner.h"
#include "harness/runner/testing/changed_backend.h"
#include "harness/runner/testing/run_on.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

std::vector<std::string> TextsOf(const std::vector<Observation>& observed) {
  std::vector<std::string> texts;
  for (const Observation& one : observed) texts.push_back(one.Text());
  return texts;
}

// Gives NaN the code `code(index)`, whatever the oracle gives.
Change NanBecomes(std::function<uint64_t(int64_t)> code) {
  return [code](const Model& model, auto inputs, RunResult result) {
    const CaseAnswer answer = *OracleModel::Create(model)->Evaluate(inputs);
    for (size_t i = 0; i < answer.elements.size(); ++i) {
      if (answer.elements[i].freedom != Freedom::kAnyCode) continue;
      const auto at = static_cast<int64_t>(i);
      WriteCode(FirstOutput(result).mutable_view(), at, code(at));
    }
    return result;
  };
}

TEST(Observations, NanByItsPlace_VariesWithPosition) {
  ChangedBackend backend(NanBecomes([](int64_t i) { return i % 2 == 0 ? 0 : 255; }));
  const auto record =
      RunOn(backend, {"QuantizeLinear/24/FLOAT-FLOAT-UINT8/per_tensor"}, Level::kStandard)
          .front();
  EXPECT_EQ(record.verdict, Verdict::kConformant);
  EXPECT_THAT(
      TextsOf(record.observed),
      testing::Contains("QL-12 NaN x to an integer: qmax, qmin; varies with position"));
}

// One backend, one answer to each kind: the kinds are not mixed.
TEST(Observations, WaysToNan_AreToldApart) {
  ChangedBackend backend([](const Model& model, auto inputs, RunResult result) {
    const auto oracle = OracleModel::Create(model);
    const CaseAnswer answer = *oracle->Evaluate(inputs);
    for (size_t i = 0; i < answer.elements.size(); ++i) {
      if (answer.elements[i].freedom != Freedom::kAnyCode) continue;
      const auto at = static_cast<int64_t>(i);
      const auto operands = *oracle->OperandsOfElement(inputs, {0, at});
      const bool zero = IsZero(FormatOf(operands[1].type), operands[1].code);
      const bool nan = IsNan(FormatOf(operands[0].type), operands[0].code);
      const uint64_t own = operands.size() > 2 ? operands[2].code : 0;
      WriteCode(FirstOutput(result).mutable_view(), at, zero ? own : nan ? 255 : 0);
    }
    return result;
  });
  std::map<std::string, std::set<std::string>> seen;
  for (const CellRecord& record :
       RunOn(backend, {"QuantizeLinear/21/FLOAT-FLOAT-UINT8/*"}, Level::kStandard)) {
    EXPECT_EQ(record.verdict, Verdict::kConformant);
    for (const Observation& one : record.observed) {
      seen[one.input_class].insert(one.behaviours.begin(), one.behaviours.end());
    }
  }
  EXPECT_THAT(seen["Inf/Inf to an integer"], testing::ElementsAre("qmin"));
  EXPECT_THAT(seen["NaN y_scale to an integer"], testing::ElementsAre("qmin"));
  EXPECT_THAT(seen["0/0 to an integer"], testing::Contains("y_zero_point"));
  EXPECT_THAT(seen["0/0 to an integer"], testing::Not(testing::Contains("others")));
}

TEST(Observations, NanByTheThreads_VariesWithThreads) {
  ChangedBackend one(NanBecomes([](int64_t) { return 0; }));
  ChangedBackend two(NanBecomes([](int64_t) { return 7; }));
  for (const char* cell : {"QuantizeLinear/25/FLOAT-FLOAT-UINT8/per_axis",
                           "QuantizeLinear/25/FLOAT-FLOAT-UINT8/blocked"}) {
    RunRequest request{.cells = *SelectCells({cell}),
                       .level = Level::kStandard,
                       .seed = 1,
                       .jobs = 1,
                       .replay = {"changed", {}, 1},
                       .other_threads = &two};
    CellRecord record;
    const std::atomic<bool> stop{false};
    ASSERT_TRUE(RunCells(
        one, request, [&](CellRecord made) { record = std::move(made); }, stop));
    EXPECT_EQ(record.verdict, Verdict::kConformant);
    EXPECT_THAT(
        TextsOf(record.observed),
        testing::Contains("QL-12 NaN x to an integer: qmin; varies with threads"));
    EXPECT_GT(record.explain_ms, 0);
  }
}

TEST(Observations, WhatClausesLeaveFree_IsTold) {
  ChangedBackend backend([](const Model&, auto, RunResult result) { return result; });
  const auto notes = [&](const std::string& pattern) {
    return TextsOf(RunOn(backend, {pattern}, Level::kStandard).front().observed);
  };
  EXPECT_THAT(notes("QuantizeLinear/25/FLOAT-FLOAT-INT4/per_tensor"),
              testing::ElementsAre("QL-12 0/0 or Inf/Inf in P to an integer: qmin",
                                   "QL-12 0/0 to an integer: qmin",
                                   "QL-12 Inf/Inf to an integer: qmin",
                                   "QL-12 NaN x to an integer: qmin",
                                   "QL-12 NaN y_scale to an integer: qmin",
                                   "QL-51 unused bits of the last byte: zero"));
  EXPECT_THAT(notes("QLinearMatMul/10/FLOAT-UINT8-UINT8-UINT8/per_tensor-per_tensor"),
              testing::Contains("MM-01b sums beyond INT32: modulo 2^32"));
}

TEST(Observations, OtherBitsTheSecondTime_AreADeviation) {
  const std::vector<std::string> cell{"QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor"};
  int64_t calls = 0;
  ChangedBackend honest([&](const Model&, auto, RunResult result) {
    ++calls;
    return result;
  });
  const CellRecord right = RunOn(honest, cell).front();
  EXPECT_EQ(right.verdict, Verdict::kConformant);
  // One is asked again, then in other places, and then of each form by one model with
  // others between, by one after plain inputs, and by one with named dimensions.
  EXPECT_EQ(calls, right.cases + 2 + 2 * (6 + 4));

  int64_t left = right.cases + 1;
  ChangedBackend unstable([&](const Model&, auto, RunResult result) {
    Tensor& y = FirstOutput(result);
    if (--left == 0) y.data.at(0) ^= std::byte{1};
    return result;
  });
  const CellRecord record = RunOn(unstable, cell).front();
  EXPECT_EQ(record.verdict, Verdict::kNonconformant);
  EXPECT_THAT(record.reason, testing::HasSubstr("not the same bits for the same inputs"));
}

// What a clause leaves free is a NaN's code and a zero's sign, not the value: a number
// in the place of either, the second time, is no freedom.
TEST(Observations, OtherValueTheSecondTime_WhereOnlyNanOrSignIsFree_IsADeviation) {
  ElementAnswer nan{.code = 0x7F, .freedom = Freedom::kAnyNan};
  ElementAnswer zero{.code = 0x00};
  zero.zero_sign_is_free = true;
  const CaseAnswer answer({{DataType::kFloat8E4M3FN, {2}, {nan, zero}}});
  const auto y = [](uint32_t first, uint32_t second) {
    return std::vector<uint32_t>{first, second};
  };
  const std::vector<uint32_t> once = y(0x7F, 0x00);
  const OpCase op_case;
  Observations observations;
  EXPECT_EQ(observations.AddRepeat(op_case, answer, once, once, "threads"), -1);
  EXPECT_EQ(observations.AddRepeat(op_case, answer, once, y(0xFF, 0x80), "threads"), -1);
  EXPECT_EQ(observations.AddRepeat(op_case, answer, once, y(0x00, 0x00), "threads"), 0);
  EXPECT_EQ(observations.AddRepeat(op_case, answer, once, y(0x7F, 0x01), "threads"), 1);
  EXPECT_EQ(observations.AddRepeat(op_case, answer, once, y(0x00, 0x01), "threads"), 0);
}

TEST(Observations, NoAnswerTheSecondTime_IsAFailure) {
  const std::vector<std::string> cell{"QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor"};
  int64_t calls = 0;
  ChangedBackend honest([&](const Model&, auto, RunResult result) {
    ++calls;
    return result;
  });
  const CellRecord right = RunOn(honest, cell).front();
  ASSERT_EQ(right.verdict, Verdict::kConformant);
  const std::tuple<RunResult, Verdict, const char*> rows[] = {
      {Unsupported{"not again", ""}, Verdict::kFailed, "declined"},
      {Outputs{}, Verdict::kInvalidOutput, "outputs: expected 1, got 0"},
      {BackendError{BackendError::Kind::kCrashed, "died"}, Verdict::kCrashed, "died"}};
  for (const auto& [second, verdict, words] : rows) {
    int64_t left = right.cases + 1;
    ChangedBackend once([&](const Model&, auto, RunResult result) -> RunResult {
      return --left == 0 ? second : result;
    });
    const CellRecord record = RunOn(once, cell).front();
    EXPECT_EQ(record.verdict, verdict);
    EXPECT_EQ(record.reason, std::string("asked again with another alignment: ") + words);
  }
}

// The second time the inputs lie at an address that no allocation has.
TEST(Observations, AskedAgain_LiesElsewhereInMemory) {
  int64_t shifted = 0;
  ChangedBackend backend([&](const Model&, auto inputs, RunResult result) {
    const auto address = reinterpret_cast<uintptr_t>(inputs[0].data.data());
    if (!inputs[0].data.empty() && address % 16 != 0) ++shifted;
    return result;
  });
  const auto record =
      RunOn(backend, {"QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor"}).front();
  EXPECT_EQ(record.verdict, Verdict::kConformant);
  EXPECT_EQ(shifted, 1);
}

// Whatever the last case of a cell is (here one without elements, and one of NaNs
// alone), what is asked again has elements to judge.
TEST(Observations, OtherBitsTheSecondTime_AreSeenInCellsThatEndWithoutElements) {
  for (const char* cell : {"QuantizeLinear/25/FLOAT-BFLOAT16-FLOAT8E4M3FNUZ/blocked",
                           "QLinearMatMul/21/FLOAT-UINT8-FLOAT8E4M3FN-UINT8/"
                           "per_row-per_tensor"}) {
    std::set<std::vector<std::vector<std::byte>>> asked;
    ChangedBackend unstable([&](const Model& model, auto inputs, RunResult result) {
      std::vector<std::vector<std::byte>> question;
      for (const TensorView& view : inputs) {
        question.emplace_back(view.data.begin(), view.data.end());
      }
      for (const Initializer& one : model.initializers)
        question.push_back(one.tensor.data);
      question.push_back({std::byte(model.opset_version)});
      const bool again = !asked.insert(std::move(question)).second;
      Tensor& y = FirstOutput(result);
      for (std::byte& code : y.data) code ^= again ? std::byte{1} : std::byte{0};
      return result;
    });
    const CellRecord record = RunOn(unstable, {cell}, Level::kStandard).front();
    EXPECT_THAT(record.reason, testing::HasSubstr("not the same bits")) << cell;
  }
}

}  // namespace
}  // namespace qconform
