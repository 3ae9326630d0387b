// The harness judged by backends of known behaviour: the oracle itself, readings
// of it, and wrong implementations.
#include "harness/runner/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "harness/backends/operands.h"
#include "harness/backends/oracle/oracle_backend.h"
#include "harness/compare/oracle_model.h"
#include "harness/runner/cell_evidence.h"
#include "harness/runner/observations.h"
#include "harness/runner/shrink.h"
#include "harness/runner/testing/run_on.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

using Change =
    std::function<RunResult(const Model&, std::span<const TensorView>, RunResult)>;

// The oracle's answers, changed.
class ChangedBackend : public Backend {
 public:
  explicit ChangedBackend(Change change) : change_(std::move(change)) {}
  const BackendInfo& info() const override { return info_; }
  bool concurrent() const override { return true; }

  PrepareResult Prepare(const Model& model) override {
    auto prepared = oracle_->Prepare(model);
    return std::make_unique<Changed>(
        model, std::get<std::unique_ptr<PreparedModel>>(std::move(prepared)), change_);
  }

 private:
  class Changed : public PreparedModel {
   public:
    Changed(Model model, std::unique_ptr<PreparedModel> prepared, const Change& change)
        : model_(std::move(model)), prepared_(std::move(prepared)), change_(change) {}
    RunResult Run(std::span<const TensorView> inputs) override {
      return change_(model_, inputs, prepared_->Run(inputs));
    }

   private:
    Model model_;
    std::unique_ptr<PreparedModel> prepared_;
    const Change& change_;
  };

  BackendInfo info_{.kind = "changed",
                    .name = "changed",
                    .version = "",
                    .vendor = "",
                    .device = "",
                    .details = {}};
  std::unique_ptr<Backend> oracle_ = MakeOracleBackend();
  Change change_;
};

Tensor& FirstOutput(RunResult& result) { return std::get<Outputs>(result).front(); }

TEST(RunCells, Oracle_ConformsToItself) {
  const auto backend = MakeOracleBackend();
  const auto records =
      RunOn(*backend, {"QuantizeLinear/1*", "QuantizeLinear/21/*"}, Level::kSmoke, 2);
  EXPECT_EQ(records.size(), 4u + 8u + 48u + 120u);
  for (const CellRecord& record : records) {
    EXPECT_EQ(record.verdict, Verdict::kConformant) << record.cell << record.reason;
    EXPECT_GT(record.elements(), 0);
    EXPECT_EQ(record.mismatches(), 0);
    EXPECT_EQ(record.forms.size(), 2u);
  }
}

TEST(RunCells, LastElementWrong_TurnsEveryCellRed) {
  ChangedBackend backend([](const Model&, auto, RunResult result) {
    Tensor& y = FirstOutput(result);
    const int64_t count = *ElementCount(y.shape);
    if (count > 16) {
      const uint64_t code = ReadCode(y.view(), count - 1);
      WriteCode(y.mutable_view(), count - 1, code ^ 1);
    }
    return result;
  });
  for (const CellRecord& record : RunOn(backend, {"QuantizeLinear/19/FLOAT-*"})) {
    EXPECT_EQ(record.verdict, Verdict::kNonconformant) << record.cell;
    ASSERT_FALSE(record.counterexamples.empty());
    EXPECT_NE(record.counterexamples[0].replay.find("qconform replay QuantizeLinear/19@"),
              std::string::npos);
    EXPECT_EQ(record.counterexamples[0].operands[0].name, "x");
  }
}

TEST(RunCells, AReadingThroughout_IsAdmissibleAndNamed) {
  ChangedBackend backend([](const Model& model, auto inputs, RunResult) -> RunResult {
    const auto oracle = OracleModel::Create(model);
    const auto choices = oracle->Choices(inputs);
    for (const ReadingChoice& choice : *choices) {
      if (choice.name == "QL-04:f32_quotient") {
        return Outputs{PackAnswer(*oracle->Evaluate(inputs, choice))};
      }
    }
    return BackendError{BackendError::Kind::kFailed, "no such reading"};
  });
  const auto records = RunOn(
      backend, {"QuantizeLinear/21/FLOAT16-FLOAT16-UINT8/per_tensor"}, Level::kStandard);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].verdict, Verdict::kAdmissible);
  EXPECT_NE(records[0].reading.find("QL-04:f32_quotient"), std::string::npos)
      << records[0].reading;
  EXPECT_EQ(records[0].mismatches(), 0);
}

TEST(RunCells, TwoReadingsMixed_AreNonconformant) {
  ChangedBackend backend([](const Model& model, auto inputs, RunResult) -> RunResult {
    const auto oracle = OracleModel::Create(model);
    const auto choices = oracle->Choices(inputs);
    Tensor y = PackAnswer(*oracle->Evaluate(inputs));
    for (const ReadingChoice& choice : *choices) {
      if (choice.name != "QL-04:f32_quotient") continue;
      const Answer other = *oracle->Evaluate(inputs, choice);
      for (size_t i = 0; i < other.elements.size(); i += 2) {
        WriteCode(y.mutable_view(), static_cast<int64_t>(i), other.elements[i].code);
      }
    }
    return Outputs{std::move(y)};
  });
  const auto records = RunOn(
      backend, {"QuantizeLinear/21/FLOAT16-FLOAT16-UINT8/per_tensor"}, Level::kStandard);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].verdict, Verdict::kNonconformant);
}

// What a reading allows is no evidence where something else is.
TEST(RunCells, AReadingAndAFault_AccuseByTheFault) {
  ChangedBackend backend(
      [](const Model& model, auto inputs, RunResult result) -> RunResult {
        const auto oracle = OracleModel::Create(model);
        const auto choices = oracle->Choices(inputs);
        for (const ReadingChoice& choice : *choices) {
          if (choice.name == "QL-24:zero_point_ignored") {
            result = Outputs{PackAnswer(*oracle->Evaluate(inputs, choice))};
          }
        }
        Tensor& y = FirstOutput(result);
        for (int64_t i = 0; i < *ElementCount(y.shape); ++i) {
          if (ReadCode(y.view(), i) == 0x7F) WriteCode(y.mutable_view(), i, 0x7E);
        }
        return result;
      });
  const auto records =
      RunOn(backend, {"QuantizeLinear/19/FLOAT-FLOAT-FLOAT8E4M3FN/*"}, Level::kStandard);
  ASSERT_EQ(records.size(), 2u);
  for (const CellRecord& record : records) {
    EXPECT_EQ(record.verdict, Verdict::kNonconformant);
    ASSERT_EQ(record.counterexamples.size(), 3u);
    for (const Counterexample& example : record.counterexamples) {
      EXPECT_EQ(example.actual.bits, "0x7e") << example.case_id;
    }
  }
}

// The fault stands behind hundreds of elements that a reading allows.
TEST(RunCells, AFaultBehindAReading_IsFoundAndShown) {
  ChangedBackend backend(
      [](const Model& model, auto inputs, RunResult result) -> RunResult {
        const auto oracle = OracleModel::Create(model);
        const auto choices = oracle->Choices(inputs);
        const Operands operands = *ResolveOperands(model, inputs);
        const bool adds = operands.size() > 2 && operands[2] &&
                          std::ranges::any_of(operands[2]->data, [](std::byte code) {
                            return (code & std::byte{0x7F}) != std::byte{0};
                          });
        for (const ReadingChoice& choice : *choices) {
          if (choice.name == "QL-24:zero_point_ignored") {
            result = Outputs{PackAnswer(*oracle->Evaluate(inputs, choice))};
          }
        }
        Tensor& y = FirstOutput(result);
        if (adds) y.data.back() = std::byte{0x2A};
        return result;
      });
  const auto records =
      RunOn(backend, {"QuantizeLinear/19/FLOAT-FLOAT-FLOAT8E4M3FN/*"}, Level::kStandard);
  ASSERT_EQ(records.size(), 2u);
  for (const CellRecord& record : records) {
    EXPECT_EQ(record.verdict, Verdict::kNonconformant);
    ASSERT_FALSE(record.counterexamples.empty());
    for (const Counterexample& example : record.counterexamples) {
      EXPECT_EQ(example.actual.bits, "0x2a") << example.case_id;
      EXPECT_EQ(example.reading, "");
    }
  }
}

TEST(RunCells, OneFormDeclined_IsJudgedOnTheOther) {
  ChangedBackend backend([](const Model& model, auto, RunResult result) -> RunResult {
    if (model.initializers.empty()) return Unsupported{"constants only", ""};
    return result;
  });
  for (const CellRecord& record : RunOn(backend, {"QuantizeLinear/10/*"})) {
    EXPECT_EQ(record.verdict, Verdict::kConformant) << record.cell;
    EXPECT_GT(record.declined, 0);
    EXPECT_EQ(record.forms[0].tiers[0].verdict, Verdict::kUnsupported);
  }
}

TEST(RunCells, EverythingDeclined_IsNoPass) {
  ChangedBackend backend([](const Model&, auto, RunResult) -> RunResult {
    return Unsupported{"not today", ""};
  });
  for (const CellRecord& record : RunOn(backend, {"QuantizeLinear/10/*"})) {
    EXPECT_EQ(record.verdict, Verdict::kUnsupported);
    EXPECT_EQ(record.reason, "not today");
  }
}

TEST(RunCells, SomeDeclined_IsPartial) {
  ChangedBackend backend([](const Model& model, auto, RunResult result) -> RunResult {
    if (model.node.inputs.size() < 3) return Unsupported{"wants a zero point", ""};
    return result;
  });
  for (const CellRecord& record :
       RunOn(backend, {"QuantizeLinear/10/*-UINT8/*"}, Level::kStandard)) {
    EXPECT_EQ(record.verdict, Verdict::kPartial);
  }
}

// Each case fails: the first ones with an error, a later one by a crash.
TEST(RunCells, WorstFailure_IsTheCellsReasonAndShownFirst) {
  int runs = 0;
  ChangedBackend backend([&](const Model&, auto, RunResult) -> RunResult {
    using Kind = BackendError::Kind;
    if (++runs == 6) return BackendError{Kind::kCrashed, "died"};
    return BackendError{Kind::kFailed, "failed"};
  });
  const CellRecord record =
      RunOn(backend, {"QuantizeLinear/13/FLOAT-FLOAT-UINT8/per_tensor"}).front();
  ASSERT_GT(runs, 6);
  EXPECT_EQ(record.verdict, Verdict::kCrashed);
  EXPECT_EQ(record.reason, "died");
  ASSERT_EQ(record.counterexamples.size(), kDefaultCounterexamples);
  EXPECT_EQ(record.counterexamples[0].message, "died");
  EXPECT_EQ(record.counterexamples[1].message, "failed");
  EXPECT_EQ(record.counterexamples[2].message, "failed");
}

// QL-24: "admissible: ...; refused". Of integers it is a case that was not taken.
TEST(RunCells, ZeroPointsOfFloatsRefused_AreAReading) {
  const auto has_zero_point = [](const Model& model, auto inputs) {
    const Operands operands = *ResolveOperands(model, inputs);
    return operands.size() > 2 && operands[2] &&
           std::ranges::any_of(operands[2]->data, [](std::byte code) {
             return (code & std::byte{0x7F}) != std::byte{0};
           });
  };
  ChangedBackend backend(
      [&](const Model& model, auto inputs, RunResult result) -> RunResult {
        if (has_zero_point(model, inputs)) return Refused{"a zero point is not zero"};
        return result;
      });
  for (const CellRecord& record : RunOn(
           backend, {"QuantizeLinear/19/FLOAT-FLOAT-FLOAT8E4M3FN/*"}, Level::kStandard)) {
    EXPECT_EQ(record.verdict, Verdict::kAdmissible) << record.cell;
    EXPECT_EQ(record.reading, "QL-24:refused");
    EXPECT_GT(record.declined, 0);
    for (const OpsetRecord& opset : record.opset_versions) {
      EXPECT_TRUE(IsPass(opset.verdict)) << opset.opset_version;
    }
  }
  for (const CellRecord& record :
       RunOn(backend, {"QuantizeLinear/19/FLOAT-FLOAT-UINT8/*"}, Level::kStandard)) {
    EXPECT_EQ(record.verdict, Verdict::kPartial) << record.cell;
    EXPECT_EQ(record.reading, "");
  }
  // Refused in one form and added in the other is no reading that is constant.
  ChangedBackend mixed(
      [&](const Model& model, auto inputs, RunResult result) -> RunResult {
        const bool refuses = !model.initializers.empty() && has_zero_point(model, inputs);
        if (refuses) return Refused{"a zero point is not zero"};
        return result;
      });
  for (const CellRecord& record :
       RunOn(mixed, {"QuantizeLinear/19/FLOAT-FLOAT-FLOAT8E4M3FN/*"}, Level::kStandard)) {
    EXPECT_EQ(record.verdict, Verdict::kPartial) << record.cell;
  }
}

TEST(RunCells, WrongType_IsInvalidOutput) {
  ChangedBackend backend([](const Model&, auto, RunResult result) {
    FirstOutput(result).type = DataType::kFloat8E5M2;
    return result;
  });
  for (const CellRecord& record : RunOn(backend, {"QuantizeLinear/10/*"})) {
    EXPECT_EQ(record.verdict, Verdict::kInvalidOutput);
    EXPECT_NE(record.reason.find("FLOAT8E5M2"), std::string::npos);
  }
}

std::vector<std::string> TextsOf(const std::vector<Observation>& observed) {
  std::vector<std::string> texts;
  for (const Observation& one : observed) texts.push_back(one.Text());
  return texts;
}

// Gives NaN the code `code(index)`, whatever the oracle gives.
Change NanBecomes(std::function<uint64_t(int64_t)> code) {
  return [code](const Model& model, auto inputs, RunResult result) {
    const Answer answer = *OracleModel::Create(model)->Evaluate(inputs);
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
      RunOn(backend, {"QuantizeLinear/25/FLOAT-FLOAT-UINT8/per_tensor"}, Level::kStandard)
          .front();
  EXPECT_EQ(record.verdict, Verdict::kConformant);
  EXPECT_THAT(
      TextsOf(record.observed),
      testing::ElementsAre("QL-12 NaN to an integer: qmax, qmin; varies with position"));
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
    ASSERT_TRUE(
        RunCells(
            one, request, [&](CellRecord made) { record = std::move(made); }, stop)
            .ok());
    EXPECT_EQ(record.verdict, Verdict::kConformant);
    EXPECT_THAT(TextsOf(record.observed),
                testing::Contains("QL-12 NaN to an integer: qmin; varies with threads"));
    EXPECT_GT(record.explain_ms, 0);
  }
}

TEST(Observations, WhatClausesLeaveFree_IsTold) {
  ChangedBackend backend([](const Model&, auto, RunResult result) { return result; });
  const auto notes = [&](const std::string& pattern) {
    return TextsOf(RunOn(backend, {pattern}, Level::kStandard).front().observed);
  };
  EXPECT_THAT(notes("QuantizeLinear/25/FLOAT-FLOAT-INT4/per_tensor"),
              testing::ElementsAre("QL-12 NaN to an integer: qmin",
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
  EXPECT_EQ(calls, right.cases + 2);  // one is asked again, then in other places

  int64_t left = calls - 1;
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
  const Answer answer{DataType::kFloat8E4M3FN, {2}, {nan, zero}};
  const auto y = [](uint8_t first, uint8_t second) {
    return Tensor{DataType::kFloat8E4M3FN, {2}, {std::byte(first), std::byte(second)}};
  };
  const Tensor once = y(0x7F, 0x00);
  Observations observations;
  EXPECT_EQ(observations.AddRepeat(answer, once, once, "threads"), -1);
  EXPECT_EQ(observations.AddRepeat(answer, once, y(0xFF, 0x80), "threads"), -1);
  EXPECT_EQ(observations.AddRepeat(answer, once, y(0x00, 0x00), "threads"), 0);
  EXPECT_EQ(observations.AddRepeat(answer, once, y(0x7F, 0x01), "threads"), 1);
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

// Of a case with hundreds of elements, one that shows the fault is left.
TEST(Shrink, AWrongTie_BecomesOneElement) {
  ChangedBackend backend([](const Model& model, auto inputs, RunResult result) {
    const auto oracle = OracleModel::Create(model);
    const Answer answer = *oracle->Evaluate(inputs);
    Tensor& y = FirstOutput(result);
    for (size_t i = 0; i < answer.elements.size(); ++i) {
      const ElementAnswer& element = answer.elements[i];
      if ((element.features & kFeatureTie) == 0 || element.tier != Tier::kRegular)
        continue;
      WriteCode(y.mutable_view(), static_cast<int64_t>(i), element.code ^ 1);
    }
    return result;
  });
  const auto selected = SelectCells({"QuantizeLinear/21/FLOAT-FLOAT-INT4/blocked"});
  const StillDeviates deviates = DeviatesOn(backend);
  int shrunk = 0;
  for (const CaseKey& key :
       CasesOf(selected->front().cell, selected->front().versions, Level::kSmoke)) {
    const OpCase op_case = *MakeCase(key, 1);
    const StoredCase start{op_case.model, op_case.inputs, ""};
    if (!deviates(start)) continue;
    const StoredCase small = Shrink(start, deviates);
    EXPECT_TRUE(deviates(small));
    EXPECT_EQ(small.inputs.front().shape, Shape{1}) << CaseId(key);
    ++shrunk;
  }
  EXPECT_GT(shrunk, 0);
}

// A fault of indexing needs more than one element, and keeps no more than that.
TEST(Shrink, AWrongIndex_KeepsFewElements) {
  ChangedBackend backend([](const Model&, auto, RunResult result) {
    Tensor& y = FirstOutput(result);
    const int64_t count = *ElementCount(y.shape);
    if (count > 1) {
      WriteCode(y.mutable_view(), count - 1, ReadCode(y.view(), count - 1) ^ 1);
    }
    return result;
  });
  const auto selected = SelectCells({"QuantizeLinear/21/FLOAT-FLOAT-INT8/per_axis"});
  const StillDeviates deviates = DeviatesOn(backend);
  const auto keys =
      CasesOf(selected->front().cell, selected->front().versions, Level::kSmoke);
  const OpCase op_case = *MakeCase(keys.front(), 1);
  const StoredCase start{op_case.model, op_case.inputs, ""};
  ASSERT_TRUE(deviates(start));
  const StoredCase small = Shrink(start, deviates);
  EXPECT_TRUE(deviates(small));
  EXPECT_LE(*ElementCount(small.inputs.front().shape), 3);
}

// A wrong product is left with its element and its K.
TEST(Shrink, AWrongProduct_KeepsIt) {
  // As if 8-bit products of a first pair saturated: wrong where both are large.
  ChangedBackend backend([](const Model& model, auto inputs, RunResult result) {
    const Operands operands = *ResolveOperands(model, inputs);
    const TensorView a = *operands[0];
    const TensorView b = *operands[3];
    const int64_t k = a.shape.back();
    const int64_t columns = b.shape.back();
    if (a.shape.size() != 2 || b.shape.size() != 2) return result;
    Tensor& y = FirstOutput(result);
    for (int64_t i = 0; i < *ElementCount(y.shape); ++i) {
      const int64_t row = i / columns;
      for (int64_t j = 0; j < k; ++j) {
        if (ReadCode(a, row * k + j) < 0xC0) continue;
        if (ReadCode(b, j * columns + i % columns) != 0x7F) continue;
        WriteCode(y.mutable_view(), i, ReadCode(y.view(), i) ^ 0x80);
        break;
      }
    }
    return result;
  });
  const auto selected =
      SelectCells({"QLinearMatMul/21/FLOAT-UINT8-INT8-UINT8/per_row-per_column"});
  const StillDeviates deviates = DeviatesOn(backend);
  int shrunk = 0;
  for (const CaseKey& key :
       CasesOf(selected->front().cell, selected->front().versions, Level::kStandard)) {
    if (key.generator != "extremes" || key.form != OperandForm::kInitializers) continue;
    const OpCase op_case = *MakeCase(key, 1);
    const StoredCase start{op_case.model, op_case.inputs, ""};
    if (!deviates(start)) continue;
    const StoredCase small = Shrink(start, deviates);
    EXPECT_TRUE(deviates(small));
    EXPECT_EQ(small.inputs.front().shape, (Shape{1, 1})) << CaseId(key);
    EXPECT_EQ(small.model.outputs.front().shape, (Shape{1, 1}));
    ++shrunk;
  }
  EXPECT_GT(shrunk, 0);
}

// Where one element alone is right, rows, columns and batches are halved.
TEST(Shrink, AWrongColumn_KeepsFewOfThem) {
  ChangedBackend backend([](const Model& model, auto inputs, RunResult result) {
    const Operands operands = *ResolveOperands(model, inputs);
    const int64_t columns = operands[3]->shape.back();
    Tensor& y = FirstOutput(result);
    for (int64_t i = 0; columns > 2 && i < *ElementCount(y.shape); ++i) {
      if (i % columns == 2) WriteCode(y.mutable_view(), i, ReadCode(y.view(), i) ^ 0x40);
    }
    return result;
  });
  const auto selected =
      SelectCells({"QLinearMatMul/21/FLOAT-UINT8-INT8-UINT8/per_tensor-per_column"});
  const StillDeviates deviates = DeviatesOn(backend);
  const auto keys =
      CasesOf(selected->front().cell, selected->front().versions, Level::kSmoke);
  int shrunk = 0;
  for (const CaseKey& key : keys) {
    const OpCase op_case = *MakeCase(key, 1);
    const StoredCase start{op_case.model, op_case.inputs, ""};
    if (!deviates(start)) continue;
    const StoredCase small = Shrink(start, deviates);
    EXPECT_TRUE(deviates(small));
    const Shape& y = small.model.outputs.front().shape;
    EXPECT_EQ(y[0], 1) << CaseId(key);
    EXPECT_LE(y[1], 5) << CaseId(key);
    ++shrunk;
  }
  EXPECT_GT(shrunk, 0);
}

TEST(ReplayLine, WhatAShellWouldTakeApart_IsQuoted) {
  const ReplayContext context{"plugin:lib[1].so", {"mode=a?b", "empty", "", "it's"}, 7};
  EXPECT_EQ(ReplayLine("QuantizeLinear/10@12/saturate=1,x/ties/0", context),
            "qconform replay QuantizeLinear/10@12/saturate=1,x/ties/0 --backend "
            "'plugin:lib[1].so' --backend-option 'mode=a?b' --backend-option empty "
            "--backend-option '' --backend-option 'it'\\''s' --seed 7");
}

TEST(SelectCells, UnknownPattern_IsNamed) {
  const auto selected = SelectCells({"QuantizeLinear/10/*", "QuantiseLinear/*"});
  ASSERT_FALSE(selected.ok());
  EXPECT_NE(selected.error().message.find("'QuantiseLinear/*'"), std::string::npos);
}

TEST(CellsOfShard, Shards_DivideTheCellsEvenly) {
  const auto all = *SelectCells({"QuantizeLinear/21/*"});
  std::set<std::string> seen;
  for (int64_t index = 0; index < 7; ++index) {
    const auto shard = CellsOfShard(all, index, 7);
    EXPECT_GE(shard.size(), all.size() / 7);
    EXPECT_LE(shard.size(), all.size() / 7 + 1);
    for (const SelectedCell& cell : shard)
      EXPECT_TRUE(seen.insert(CellId(cell.cell)).second);
  }
  EXPECT_EQ(seen.size(), all.size());
}

TEST(SelectCells, NoPattern_IsTheWholeLattice) {
  const auto selected = SelectCells({});
  ASSERT_TRUE(selected.ok());
  EXPECT_EQ(selected->size(), 2148u + 2624u);
}

}  // namespace
}  // namespace qconform
