#include "harness/runner/ask/prepared_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/backends/oracle/oracle_backend.h"
#include "harness/core/oracle_model.h"
#include "harness/runner/ask/case_failure.h"
#include "harness/runner/ask/repeats.h"
#include "harness/runner/testing/changed_backend.h"
#include "harness/runner/testing/run_on.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

// The oracle, except that a prepared model keeps something of its first run.
class KeepingBackend : public Backend {
 public:
  // kPlain...: only scales that are all equal, zero points that are all 0.
  enum class Keeps {
    kNothing,
    kAnswer,
    kScale,
    kZeroPoint,
    kPlainScale,
    kPlainZeroPoint
  };
  explicit KeepingBackend(Keeps keeps) : keeps_(keeps) {}
  const BackendInfo& info() const override { return oracle_->info(); }

  PrepareResult Prepare(const Model& model) override {
    return std::make_unique<Keeping>(
        model, std::get<std::unique_ptr<PreparedModel>>(oracle_->Prepare(model)), keeps_);
  }

 private:
  class Keeping : public PreparedModel {
   public:
    Keeping(const Model& model, std::unique_ptr<PreparedModel> prepared, Keeps keeps)
        : model_(model), prepared_(std::move(prepared)), keeps_(keeps) {}

    RunResult Run(std::span<const TensorView> inputs) override {
      if (first_.empty()) {
        for (const TensorView& input : inputs) {
          Tensor& kept = first_.emplace_back(
              Tensor::Zeros(input.type, Shape(input.shape.begin(), input.shape.end())));
          std::copy(input.data.begin(), input.data.end(), kept.data.begin());
        }
        answer_ = prepared_->Run(inputs);
        return answer_;
      }
      if (keeps_ == Keeps::kAnswer) return answer_;
      std::vector<TensorView> fed(inputs.begin(), inputs.end());
      for (size_t i = 0; i < fed.size(); ++i) {
        const std::string& name = model_.inputs[i].name;
        const bool scale = name.ends_with("scale");
        const bool zero_point = name.ends_with("zero_point");
        const bool kept = (keeps_ == Keeps::kScale && scale) ||
                          (keeps_ == Keeps::kZeroPoint && zero_point) ||
                          (keeps_ == Keeps::kPlainScale && scale && IsOneCode(i)) ||
                          (keeps_ == Keeps::kPlainZeroPoint && zero_point &&
                           IsOneCode(i) && ReadCode(first_[i].view(), 0) == 0);
        if (kept) fed[i] = first_[i].view();
      }
      return prepared_->Run(fed);
    }

   private:
    bool IsOneCode(size_t i) const {
      const Tensor& tensor = first_[i];
      for (int64_t at = 0; at < *ElementCount(tensor.shape); ++at) {
        if (ReadCode(tensor.view(), at) != ReadCode(tensor.view(), 0)) return false;
      }
      return true;
    }

    Model model_;
    std::unique_ptr<PreparedModel> prepared_;
    Keeps keeps_;
    std::vector<Tensor> first_;
    RunResult answer_;
  };

  std::unique_ptr<Backend> oracle_ = MakeOracleBackend();
  Keeps keeps_;
};

// What runs prepare a model for each case would never show.
TEST(PreparedState, WhatAModelKeepsOfItsFirstRun_IsADeviation) {
  using enum KeepingBackend::Keeps;
  const std::vector<std::string> cells = {
      "QuantizeLinear/25/FLOAT-FLOAT-INT8/per_tensor",
      "QuantizeLinear/25/BFLOAT16-FLOAT8E8M0-INT8/blocked",
      "QuantizeLinear/21/INT32-INT32-UINT4/per_axis",
      "QLinearMatMul/10/FLOAT-UINT8-INT8-INT8/per_row-per_column"};
  for (const auto keeps : {kNothing, kAnswer, kScale, kZeroPoint}) {
    KeepingBackend backend(keeps);
    for (const CellRecord& record : RunOn(backend, cells, Level::kStandard)) {
      EXPECT_EQ(record.verdict,
                keeps == kNothing ? Verdict::kConformant : Verdict::kNonconformant)
          << record.cell << " " << static_cast<int>(keeps);
      if (keeps == kNothing) continue;
      EXPECT_THAT(record.reason, testing::HasSubstr("a prepared model, run on other"));
    }
  }
}

// A model that is specialized to what its first run had.
TEST(PreparedState, WhatAPlainFirstRunDecides_IsADeviation) {
  using enum KeepingBackend::Keeps;
  const std::vector<std::string> cells = {
      "QuantizeLinear/25/FLOAT-FLOAT-INT8/per_axis",
      "QuantizeLinear/21/INT32-INT32-UINT4/blocked",
      "QLinearMatMul/10/FLOAT-UINT8-INT8-INT8/per_row-per_column"};
  for (const auto keeps : {kPlainScale, kPlainZeroPoint}) {
    KeepingBackend backend(keeps);
    for (const CellRecord& record : RunOn(backend, cells, Level::kStandard)) {
      EXPECT_EQ(record.verdict, Verdict::kNonconformant)
          << record.cell << " " << static_cast<int>(keeps);
      // One of three zero points may be 0 in the case, too.
      const bool by_plain_alone = record.op_type == "QuantizeLinear";
      EXPECT_THAT(record.reason,
                  testing::HasSubstr(by_plain_alone ? "after plain ones" : "a prepared"));
    }
  }
}

TEST(PreparedState, PlainInputs_HaveNeitherSignsNorScalesNorZeroPoints) {
  const auto key = ParseCaseId(
      "QuantizeLinear/25@25/FLOAT-FLOAT8E8M0-INT8/per_axis/inputs/saturate=1/ties/0");
  ASSERT_TRUE(key.ok()) << key.error().message;
  const OpCase made = *MakeCase(*key, 1);
  const std::vector<Tensor> plain = *PlainInputs(made.model, made.inputs);
  ASSERT_EQ(plain.size(), 3u);
  const int64_t count = *ElementCount(plain[0].shape);
  ASSERT_GT(count, 2);
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t x = ReadCode(made.inputs[0].view(), count - 1 - i) & 0x7FFFFFFF;
    EXPECT_EQ(ReadCode(plain[0].view(), i), x < 0x7F800000 ? x : 0);
  }
  for (int64_t i = 0; i < *ElementCount(plain[1].shape); ++i) {
    EXPECT_EQ(ReadCode(plain[1].view(), i), 127u);  // 1
    EXPECT_EQ(ReadCode(plain[2].view(), i), 0u);
  }
}

// A missing answer in the further runs counts as much as one in the cases.
TEST(PreparedState, FailureOnOtherInputsAlone_IsOne) {
  const std::string cell = "QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor";
  int64_t cases = 0;
  int64_t calls = 0;
  ChangedBackend honest([&](const Model&, auto, RunResult result) {
    ++calls;
    return result;
  });
  cases = RunOn(honest, {cell}, Level::kStandard).front().cases;
  // Behind the cases: again elsewhere, turned, then of each form on other inputs (fresh),
  // on the case's, on the others, on the case's; on plain ones, on the case's; and with
  // named dimensions: on half of them (fresh, with fixed sizes), half, all and half.
  const int64_t fresh = cases + 2;
  ASSERT_EQ(calls, fresh + 2 * (6 + 4));
  const BackendError died{BackendError::Kind::kCrashed, "died"};
  const std::tuple<int64_t, RunResult, Verdict> rows[] = {
      {cases + 1, died, Verdict::kCrashed},
      {cases + 1, Outputs{}, Verdict::kInvalidOutput},
      {cases + 1, Unsupported{"not there", ""}, Verdict::kConformant},
      {fresh, died, Verdict::kCrashed},
      {fresh + 1, died, Verdict::kCrashed},
      {fresh + 2, died, Verdict::kCrashed},
      {fresh + 3, died, Verdict::kCrashed},
      {fresh + 4, died, Verdict::kCrashed},
      {fresh + 5, died, Verdict::kCrashed},
      {fresh + 2, Unsupported{"not again", ""}, Verdict::kFailed},
      {fresh + 2, Outputs{}, Verdict::kInvalidOutput},
      {fresh, Unsupported{"no such scale", ""}, Verdict::kConformant}};
  for (const auto& [at, answer, verdict] : rows) {
    int64_t call = 0;
    ChangedBackend once([&](const Model&, auto, RunResult result) -> RunResult {
      return call++ == at ? answer : result;
    });
    const CellRecord record = RunOn(once, {cell}, Level::kStandard).front();
    EXPECT_EQ(record.verdict, verdict) << "call " << at;
    if (verdict == Verdict::kConformant) continue;
    ASSERT_FALSE(record.counterexamples.empty());
    EXPECT_TRUE(record.counterexamples[0].second_answer) << record.reason;
  }
}

TEST(JudgeMoved, OtherBitsWhereElementsLieElsewhere_AreADeviation) {
  const std::string cell = "QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor";
  int64_t calls = 0;
  ChangedBackend honest([&](const Model&, auto, RunResult result) {
    ++calls;
    return result;
  });
  const int64_t turned = RunOn(honest, {cell}, Level::kStandard).front().cases + 1;
  ASSERT_GT(calls, turned);
  int64_t call = 0;
  ChangedBackend once([&](const Model&, auto, RunResult result) {
    if (call++ == turned) FirstOutput(result).data.at(0) ^= std::byte{1};
    return result;
  });
  const CellRecord record = RunOn(once, {cell}, Level::kStandard).front();
  EXPECT_EQ(record.verdict, Verdict::kNonconformant);
  EXPECT_NE(record.reason.find("not the same bits in another place"), std::string::npos)
      << record.reason;
}

// Sums may be rounded in another order elsewhere.
TEST(JudgeMoved, OtherBitsOfASum_AreNoDeviation) {
  EXPECT_TRUE(FindOperator("QLinearMatMul")->depends_on_order());
  const auto key = ParseCaseId(
      "QLinearMatMul/21@25/FLOAT-INT8-INT8-INT8/per_tensor-per_tensor/inputs/"
      "vectors=short/readings/0");
  ASSERT_TRUE(key.ok()) << key.error().message;
  const OpCase made = *MakeCase(*key, 1);
  const auto turning = *FindTurning(made.model);
  ASSERT_TRUE(turning.has_value());
  const FedModel moved = TurnedByOne(made, *turning);
  const std::vector<int64_t> sources = SourcesOf(made.model, *turning);
  const auto there = *OracleModel::Create(moved.model)->Evaluate(ViewsOf(moved.inputs));
  std::vector<Tensor> outputs = PackAnswer(there);
  outputs[0].data[0] ^= std::byte{0x40};
  const auto codes = CodesOf(
      PackAnswer(*OracleModel::Create(made.model)->Evaluate(ViewsOf(made.inputs))));
  EXPECT_FALSE(JudgeMoved(moved, sources, codes, outputs).value());
}

// QL-07: by a FLOAT8E8M0 scale that FLOAT16 does not hold quotients in x's type are NaN,
// which may become any code, in any place.
TEST(JudgeMoved, WhatAReadingLeavesFree_IsNoDeviation) {
  const auto key = ParseCaseId(
      "QuantizeLinear/25@25/FLOAT16-FLOAT8E8M0-INT8/per_tensor/inputs/saturate=1/"
      "degenerate/0");
  ASSERT_TRUE(key.ok()) << key.error().message;
  const OpCase made = *MakeCase(*key, 1);
  const auto turning = *FindTurning(made.model);
  ASSERT_TRUE(turning.has_value());
  const FedModel moved = TurnedByOne(made, *turning);
  const std::vector<int64_t> sources = SourcesOf(made.model, *turning);
  const auto answer_of = [](const Model& model, const std::vector<Tensor>& inputs) {
    const auto oracle = OracleModel::Create(model);
    const auto views = ViewsOf(inputs);
    const auto choices = oracle->Readings(views);
    for (const ReadingSet& choice : *choices) {
      if (Spell(choice) == "QL-07:x_type_division")
        return *oracle->Evaluate(views, choice);
    }
    return CaseAnswer();
  };
  const CaseAnswer expected =
      *OracleModel::Create(made.model)->Evaluate(ViewsOf(made.inputs));
  const CaseAnswer divided = answer_of(made.model, made.inputs);
  const CaseAnswer there = answer_of(moved.model, moved.inputs);
  ASSERT_EQ(divided.elements.size(), expected.elements.size());
  std::vector<uint32_t> codes;
  Tensor turned = Tensor::Zeros(DataType::kInt8, made.operands[0].shape);
  int64_t by_place = 0;
  for (size_t i = 0; i < divided.elements.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    codes.push_back(divided.elements[i].code);
    const bool free = there.elements[i].freedom == Freedom::kAnyCode;
    by_place += free && expected.elements[static_cast<size_t>(sources[i])].freedom ==
                            Freedom::kNone;
    WriteCode(turned.mutable_view(), at, free ? i % 7 : there.elements[i].code);
  }
  EXPECT_GT(by_place, 0) << "free by the reading alone";
  EXPECT_FALSE(JudgeMoved(moved, sources, codes, Outputs{turned}).value());
  // But not what no reading has.
  size_t judged = 0;
  while (there.elements[judged].freedom != Freedom::kNone) ++judged;
  const auto at = static_cast<int64_t>(judged);
  WriteCode(turned.mutable_view(), at, there.elements[judged].code ^ 0x40);
  EXPECT_TRUE(JudgeMoved(moved, sources, codes, Outputs{turned}).value());
}

TEST(PreparedState, InputsOfTheSecondRun_AreOthersThroughout) {
  for (const char* id : {"QuantizeLinear/25@25/FLOAT-FLOAT-INT8/per_axis/inputs/"
                         "saturate=1/ties/0",
                         "QuantizeLinear/25@25/FLOAT-FLOAT8E8M0-UINT4/blocked/inputs/"
                         "saturate=1/ties/0",
                         "QuantizeLinear/21@21/INT32-INT32-INT16/per_tensor/inputs/"
                         "saturate=1/ties/0",
                         "QLinearMatMul/21@21/FLOAT16-FLOAT8E4M3FNUZ-INT8-INT8/"
                         "per_row-per_column/inputs/vectors=short/boundaries/0"}) {
    const auto key = ParseCaseId(id);
    ASSERT_TRUE(key.ok()) << key.error().message;
    const OpCase made = *MakeCase(*key, 1);
    const std::vector<Tensor> others = *OtherInputs(made.model, made.inputs);
    ASSERT_EQ(others.size(), made.inputs.size());
    for (size_t i = 0; i < others.size(); ++i) {
      EXPECT_EQ(others[i].type, made.inputs[i].type);
      EXPECT_EQ(others[i].shape, made.inputs[i].shape);
      const bool zero_of_float = IsFloatingPoint(others[i].type) &&
                                 made.model.inputs[i].name.ends_with("zero_point");
      if (!zero_of_float) {
        EXPECT_NE(others[i].data, made.inputs[i].data) << id << " input " << i;
      }
    }
  }
}

}  // namespace
}  // namespace qconform
