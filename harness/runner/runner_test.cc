// The harness judged by backends of known behaviour: the oracle itself, readings
// of it, and wrong implementations.
#include "harness/runner/runner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <variant>

#include "cases/lattice/lattice.h"
#include "harness/backends/faulty/faulty_backend.h"
#include "harness/backends/oracle/oracle_backend.h"
#include "harness/core/fault.h"
#include "harness/core/operands.h"
#include "harness/core/oracle_model.h"
#include "harness/runner/judge/cell_evidence.h"
#include "harness/runner/testing/changed_backend.h"
#include "harness/runner/testing/run_on.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

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
    const auto choices = oracle->Readings(inputs);
    for (const ReadingSet& choice : *choices) {
      if (Spell(choice) == "QL-04:f32_quotient") {
        return PackAnswer(*oracle->Evaluate(inputs, choice));
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
    const auto choices = oracle->Readings(inputs);
    Outputs outputs = PackAnswer(*oracle->Evaluate(inputs));
    for (const ReadingSet& choice : *choices) {
      if (Spell(choice) != "QL-04:f32_quotient") continue;
      const CaseAnswer other = *oracle->Evaluate(inputs, choice);
      for (size_t i = 0; i < other.elements.size(); i += 2) {
        WriteCode(outputs.front().mutable_view(), static_cast<int64_t>(i),
                  other.elements[i].code);
      }
    }
    return outputs;
  });
  const auto records = RunOn(
      backend, {"QuantizeLinear/21/FLOAT16-FLOAT16-UINT8/per_tensor"}, Level::kStandard);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].verdict, Verdict::kNonconformant);
}

// Also of elements that follow a reading: which are shown depends on the seed, and a
// finding is named by the clause.
TEST(RunCells, ADiagnosis_DecidesTheClauseOfEachCounterexample) {
  const auto faulty = MakeFaultyBackend(*FindFault("reciprocal_multiply"));
  const auto records =
      RunOn(*faulty, {"QuantizeLinear/19/FLOAT16-FLOAT16-FLOAT8E5M2/per_tensor"},
            Level::kSmoke, 1, 3);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].diagnosis, "reciprocal_multiply");
  int follow_a_reading = 0;
  for (const Counterexample& example : records[0].counterexamples) {
    EXPECT_EQ(example.clause, "QL-01") << example.message;
    follow_a_reading += example.reading.empty() ? 0 : 1;
  }
  EXPECT_GT(follow_a_reading, 0);
}

// Another P is another conversion: QL-09 is read for each value of `precision` by itself.
TEST(RunCells, AReadingForEachPrecision_IsAdmissible) {
  std::set<int64_t> canonical;  // where the other reading gives other bits
  ChangedBackend backend(
      [&](const Model& model, auto inputs, RunResult result) -> RunResult {
        int64_t precision = 0;
        for (const Attribute& attribute : model.node.attributes) {
          if (attribute.name == "precision") {
            precision = std::get<int64_t>(attribute.value);
          }
        }
        const auto oracle = OracleModel::Create(model);
        const auto choices = oracle->Readings(inputs);
        for (const ReadingSet& choice : *choices) {
          if (Spell(choice) != "QL-09:unconverted_operands") continue;
          Outputs outputs = PackAnswer(*oracle->Evaluate(inputs, choice));
          if (precision == static_cast<int64_t>(DataType::kFloat16)) {
            return outputs;
          }
          if (outputs.front() != FirstOutput(result)) canonical.insert(precision);
        }
        return result;
      });
  const auto records = RunOn(backend, {"QuantizeLinear/25/FLOAT-FLOAT-UINT8/per_tensor"},
                             Level::kStandard);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].verdict, Verdict::kAdmissible) << records[0].reason;
  EXPECT_NE(records[0].reading.find("QL-09:unconverted_operands"), std::string::npos)
      << records[0].reading;
  EXPECT_EQ(records[0].reading.find("canonical"), std::string::npos)
      << records[0].reading;
  EXPECT_TRUE(canonical.contains(static_cast<int64_t>(DataType::kBfloat16)));
}

// G-01: a reading that holds only for some of a cell's models does not count.
TEST(RunCells, FloatZeroPointIgnoredBesideAPrecision_IsNonconformant) {
  ChangedBackend backend(
      [](const Model& model, auto inputs, RunResult result) -> RunResult {
        if (std::ranges::none_of(model.node.attributes, [](const Attribute& attribute) {
              return attribute.name == "precision";
            })) {
          return result;
        }
        const auto oracle = OracleModel::Create(model);
        const auto choices = oracle->Readings(inputs);
        for (const ReadingSet& choice : *choices) {
          if (Spell(choice) != "QL-24:zero_point_ignored") continue;
          return PackAnswer(*oracle->Evaluate(inputs, choice));
        }
        return result;
      });
  for (const char* cell : {"QuantizeLinear/23/FLOAT-FLOAT-FLOAT8E5M2/per_tensor",
                           "QuantizeLinear/25/FLOAT-FLOAT16-FLOAT4E2M1/per_axis",
                           "QuantizeLinear/25/BFLOAT16-FLOAT-FLOAT8E4M3FNUZ/blocked"}) {
    const auto records = RunOn(backend, {cell}, Level::kStandard);
    ASSERT_EQ(records.size(), 1u);
    EXPECT_EQ(records[0].verdict, Verdict::kNonconformant) << cell;
  }
}

// Cases of equal content share an answer; each one's output is judged.
TEST(RunCells, AReadingAndAFaultInOneOperandForm_AreNonconformant) {
  for (const bool initializers : {false, true}) {
    ChangedBackend backend([&](const Model& model, auto inputs, RunResult) -> RunResult {
      const auto oracle = OracleModel::Create(model);
      const auto choices = oracle->Readings(inputs);
      for (const ReadingSet& choice : *choices) {
        if (Spell(choice) != "QL-04:f32_quotient") continue;
        Outputs outputs = PackAnswer(*oracle->Evaluate(inputs, choice));
        if (model.initializers.empty() != initializers && !outputs[0].data.empty()) {
          outputs[0].data.back() ^= std::byte{1};
        }
        return outputs;
      }
      return BackendError{BackendError::Kind::kFailed, "no such reading"};
    });
    const CellRecord record =
        RunOn(backend, {"QuantizeLinear/21/FLOAT16-FLOAT16-UINT8/per_tensor"},
              Level::kStandard)
            .front();
    EXPECT_EQ(record.verdict, Verdict::kNonconformant) << initializers;
  }
}

// Elements that a reading allows are not shown as evidence if there are others.
TEST(RunCells, AReadingAndAFault_AccuseByTheFault) {
  ChangedBackend backend(
      [](const Model& model, auto inputs, RunResult result) -> RunResult {
        const auto oracle = OracleModel::Create(model);
        const auto choices = oracle->Readings(inputs);
        for (const ReadingSet& choice : *choices) {
          if (Spell(choice) == "QL-24:zero_point_ignored") {
            result = PackAnswer(*oracle->Evaluate(inputs, choice));
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

// The fault comes after hundreds of elements that a reading allows.
TEST(RunCells, AFaultBehindAReading_IsFoundAndShown) {
  ChangedBackend backend(
      [](const Model& model, auto inputs, RunResult result) -> RunResult {
        const auto oracle = OracleModel::Create(model);
        const auto choices = oracle->Readings(inputs);
        const Operands operands = *ResolveOperands(model, inputs);
        const bool adds = operands.size() > 2 && operands[2] &&
                          std::ranges::any_of(operands[2]->data, [](std::byte code) {
                            return (code & std::byte{0x7F}) != std::byte{0};
                          });
        for (const ReadingSet& choice : *choices) {
          if (Spell(choice) == "QL-24:zero_point_ignored") {
            result = PackAnswer(*oracle->Evaluate(inputs, choice));
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

// QL-24: "admissible: ...; refused". Of integers it is a legal model that is refused.
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
    EXPECT_EQ(record.verdict, Verdict::kRefusedLegal) << record.cell;
    EXPECT_EQ(record.reading, "");
    EXPECT_GT(record.refused_legal, 0);
    EXPECT_EQ(record.declined, 0);
  }
  // Refused in one form and added in the other is not a constant reading.
  ChangedBackend mixed(
      [&](const Model& model, auto inputs, RunResult result) -> RunResult {
        const bool refuses = !model.initializers.empty() && has_zero_point(model, inputs);
        if (refuses) return Refused{"a zero point is not zero"};
        return result;
      });
  for (const CellRecord& record :
       RunOn(mixed, {"QuantizeLinear/19/FLOAT-FLOAT-FLOAT8E4M3FN/*"}, Level::kStandard)) {
    EXPECT_EQ(record.verdict, Verdict::kPartial) << record.cell;
    EXPECT_TRUE(std::ranges::any_of(record.opset_versions, [](const OpsetRecord& opset) {
      return opset.verdict == Verdict::kPartial;
    })) << record.cell;
  }
}

// Answers as `backend` does, and says `stop` with its last answer of `most`.
class StoppedBackend : public Backend {
 public:
  StoppedBackend(Backend& backend, int64_t most, std::atomic<bool>& stop)
      : backend_(backend), most_(most), stop_(stop) {}
  const BackendInfo& info() const override { return backend_.info(); }
  PrepareResult Prepare(const Model& model) override {
    if (stop_) {
      ++asked_after_;
      return BackendError{BackendError::Kind::kCrashed, "was stopped"};
    }
    if (++asked_ == most_) stop_ = true;
    return backend_.Prepare(model);
  }
  int64_t asked() const { return asked_; }
  int64_t asked_after() const { return asked_after_; }

 private:
  Backend& backend_;
  int64_t most_;
  int64_t asked_ = 0;
  int64_t asked_after_ = 0;
  std::atomic<bool>& stop_;
};

// The last questions of a cell that deviates are those that its diagnosis is tried on:
// the record of a run that is stopped there is not that of one that goes on.
TEST(RunCells, StoppedWhileADiagnosisIsTried_GivesNoRecord) {
  const auto faulty = MakeFaultyBackend(*FindFault("ties_away"));
  const RunRequest request{
      .cells = *SelectCells({"QuantizeLinear/13/FLOAT-FLOAT-UINT8/per_tensor"}),
      .level = Level::kSmoke,
      .seed = 1,
      .jobs = 1,
      .replay = {"faulty", {}, 1}};
  const auto run = [&](StoppedBackend& backend, const std::atomic<bool>& stop) {
    std::vector<CellRecord> records;
    const auto all = RunCells(
        backend, request,
        [&](CellRecord record) { records.push_back(std::move(record)); }, stop);
    EXPECT_TRUE(all != stop);
    return records;
  };
  std::atomic<bool> never{false};
  StoppedBackend whole(*faulty, -1, never);
  const auto records = run(whole, never);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].diagnosis, "ties_away");
  ASSERT_TRUE(records[0].deviation);
  EXPECT_GT(records[0].deviation->elements_confirmed, 0);
  for (const int64_t most : {whole.asked() - 1, whole.asked()}) {
    std::atomic<bool> stop{false};
    StoppedBackend stopped(*faulty, most, stop);
    EXPECT_TRUE(run(stopped, stop).empty()) << most << " of " << whole.asked();
    EXPECT_TRUE(stop);
    EXPECT_EQ(stopped.asked_after(), 0) << most << " of " << whole.asked();
  }
}

// Counts how many of its models are prepared or run at the same time, and says that one
// alone may.
class LonelyBackend : public Backend {
 public:
  const BackendInfo& info() const override { return oracle_->info(); }
  bool concurrent() const override { return false; }
  PrepareResult Prepare(const Model& model) override {
    const Visit visit(*this);
    auto prepared = oracle_->Prepare(model);
    if (auto* one = std::get_if<std::unique_ptr<PreparedModel>>(&prepared)) {
      return std::make_unique<Lonely>(*this, std::move(*one));
    }
    return prepared;
  }
  int most() const { return most_; }
  int runs() const { return runs_; }

 private:
  // Long enough for others to come, if they may.
  class Visit {
   public:
    explicit Visit(LonelyBackend& backend) : backend_(backend) {
      const int inside = ++backend_.inside_;
      int most = backend_.most_;
      while (most < inside && !backend_.most_.compare_exchange_weak(most, inside)) {
      }
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    ~Visit() { --backend_.inside_; }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

   private:
    LonelyBackend& backend_;
  };

  class Lonely : public PreparedModel {
   public:
    Lonely(LonelyBackend& backend, std::unique_ptr<PreparedModel> prepared)
        : backend_(backend), prepared_(std::move(prepared)) {}
    RunResult Run(std::span<const TensorView> inputs) override {
      const Visit visit(backend_);
      ++backend_.runs_;
      return prepared_->Run(inputs);
    }

   private:
    LonelyBackend& backend_;
    std::unique_ptr<PreparedModel> prepared_;
  };

  std::unique_ptr<Backend> oracle_ = MakeOracleBackend();
  std::atomic<int> inside_{0};
  std::atomic<int> most_{0};
  std::atomic<int> runs_{0};
};

TEST(RunCells, ABackendThatIsNotConcurrent_IsAskedByOneThreadAtATime) {
  LonelyBackend backend;
  const auto records = RunOn(backend, {"QuantizeLinear/10/*"}, Level::kSmoke, /*jobs=*/4);
  EXPECT_EQ(records.size(), 4u);
  EXPECT_EQ(backend.most(), 1);
  EXPECT_GT(backend.runs(), 0);
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

TEST(ReplayLine, WhatAShellWouldTakeApart_IsQuoted) {
  const ReplayContext context{"plugin:lib[1].so", {"mode=a?b", "empty", "", "it's"}, 7};
  EXPECT_EQ(ReplayLine("QuantizeLinear/10@12/saturate=1,x/ties/0", context),
            "qconform replay QuantizeLinear/10@12/saturate=1,x/ties/0 --backend "
            "'plugin:lib[1].so' --backend-option 'mode=a?b' --backend-option empty "
            "--backend-option '' --backend-option 'it'\\''s' --seed 7");
}

TEST(NarrowPatterns, SelectWhatBothSelect) {
  const std::vector<std::string> whole = {"QuantizeLinear/21/*-INT8/*",
                                          "QLinearMatMul/21/*"};
  const auto inside = NarrowPatterns(whole, {"QLinearMatMul/21/FLOAT-*"}, "--cells");
  ASSERT_TRUE(inside);
  EXPECT_EQ(*inside, std::vector<std::string>{"QLinearMatMul/21/FLOAT-*"});
  const std::string wide = "QuantizeLinear/*/FLOAT-FLOAT-*/per_tensor";
  const auto across = NarrowPatterns(whole, {wide, "*/21/FLOAT-FLOAT-INT8/*"}, "--cells");
  ASSERT_TRUE(across);
  std::set<std::string> ids;
  const auto selected = *SelectCells(*across);
  for (const SelectedCell& cell : selected) ids.insert(CellId(cell.cell));
  EXPECT_EQ(ids,
            (std::set<std::string>{"QuantizeLinear/21/FLOAT-FLOAT-INT8/blocked",
                                   "QuantizeLinear/21/FLOAT-FLOAT-INT8/per_axis",
                                   "QuantizeLinear/21/FLOAT-FLOAT-INT8/per_tensor"}));
  const auto of_operator =
      NarrowPatterns({"QuantizeLinear/*"}, {"*/21/*-INT8/*"}, "--cells");
  ASSERT_TRUE(of_operator);
  EXPECT_EQ(*of_operator, std::vector<std::string>{"QuantizeLinear/21/*-INT8/*"});
  const auto outside = NarrowPatterns(whole, {wide, "QuantizeLinear/10/*"}, "--cells");
  ASSERT_FALSE(outside);
  EXPECT_EQ(outside.error().message,
            "--cells: expected a pattern that matches cells of the selection that it "
            "narrows, got 'QuantizeLinear/10/*'");
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

TEST(SelectCells, NoPattern_IsTheWholeLatticeOfOperators) {
  const auto selected = SelectCells({});
  const auto graphs = SelectCells({std::string(kGraphFamilyPrefix) + "*"});
  ASSERT_TRUE(selected.ok() && graphs.ok());
  size_t cells = 0;  // how many they are: cases/lattice/lattice_test.cc
  size_t graph_cells = 0;
  for (const std::string& op_type : JudgedOperators()) {
    (IsGraphFamily(op_type) ? graph_cells : cells) += CellsOf(op_type).size();
  }
  EXPECT_EQ(selected->size(), cells);
  EXPECT_EQ(graphs->size(), graph_cells);
}

}  // namespace
}  // namespace qconform
