// Small graphs as subjects of the runner: what holds of cells of one operator holds of
// cells of families.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cases/core/case.h"
#include "harness/backends/oracle/oracle_backend.h"
#include "harness/core/bound_model.h"
#include "harness/core/operands.h"
#include "harness/core/oracle_model.h"
#include "harness/runner/runner.h"
#include "harness/runner/selection.h"
#include "harness/runner/shrink/shrink.h"
#include "harness/runner/testing/changed_backend.h"
#include "harness/runner/testing/run_on.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

// Some cells of each kind of family: bits, moves, choices, arithmetic, sums, two outputs.
const std::vector<std::string> kSomeCells = {
    "graphs.round_trip/21/UINT8-FLOAT/*",
    "graphs.movers/21/INT8-FLOAT-INT8/DQ-Transpose-Q.*",
    "graphs.movers/21/INT8-FLOAT-INT8/DQ-Reshape-Q.*",
    "graphs.choosers/21/INT8-FLOAT-INT8/DQ-Relu-Q.*",
    "graphs.arithmetic/21/INT8-FLOAT-INT8/DQ-LeakyRelu-Q.*",
    "graphs.sums/21/INT8-INT8-FLOAT-INT8/DQ,DQ-MatMul-Q.*",
    "graphs.dynamic/21/*"};

TEST(RunGraphs, Oracle_HasNoErrorAndNoDeviation) {
  const auto backend = MakeOracleBackend();
  const auto records = RunOn(*backend, kSomeCells, Level::kSmoke, 2);
  EXPECT_GT(records.size(), 20u);
  for (const CellRecord& record : records) {
    EXPECT_NE(record.verdict, Verdict::kError) << record.cell << ": " << record.reason;
    EXPECT_FALSE(IsDeviation(record.verdict)) << record.cell << ": " << record.reason;
    EXPECT_GT(record.elements(), 0) << record.cell;
    EXPECT_EQ(record.mismatches(), 0) << record.cell;
  }
}

// Writes another code where the oracle rounded a regular element. Whatever the family,
// the case is shown, with operands, and replayed.
TEST(RunGraphs, WrongCode_IsACounterexample) {
  ChangedBackend backend([](const Model&, auto, RunResult result) {
    Tensor& y = FirstOutput(result);
    const int64_t count = *ElementCount(y.shape);
    for (int64_t i = 0; i < count; ++i) {
      WriteCode(y.mutable_view(), i, ReadCode(y.view(), i) ^ 0x10);
    }
    return result;
  });
  const auto records = RunOn(backend, kSomeCells);
  for (const CellRecord& record : records) {
    EXPECT_EQ(record.verdict, Verdict::kNonconformant)
        << record.cell << ": " << record.reason;
    ASSERT_FALSE(record.counterexamples.empty()) << record.cell;
    const Counterexample& example = record.counterexamples.front();
    EXPECT_FALSE(example.operands.empty()) << record.cell;
    EXPECT_TRUE(example.replay.starts_with("qconform replay 'graphs.") ||
                example.replay.starts_with("qconform replay graphs."))
        << example.replay;
  }
}

// A crash, a refusal and outputs of a wrong form are what they are of an operator.
TEST(RunGraphs, OtherAnswers_AreNamed) {
  using Kind = BackendError::Kind;
  const struct {
    RunResult answer;
    Verdict verdict;
  } kRows[] = {
      {BackendError{Kind::kCrashed, "signal 11"}, Verdict::kCrashed},
      {BackendError{Kind::kFailed, "no"}, Verdict::kFailed},
      {Refused{"no"}, Verdict::kRefusedLegal},
      {Unsupported{"no", ""}, Verdict::kUnsupported},
      {Outputs{}, Verdict::kInvalidOutput},
  };
  for (const auto& row : kRows) {
    ChangedBackend backend([&](const Model&, auto, RunResult) { return row.answer; });
    for (const CellRecord& record :
         RunOn(backend, {"graphs.choosers/21/INT8-FLOAT-INT8/DQ-Relu-Q.*"})) {
      EXPECT_EQ(record.verdict, row.verdict) << record.cell << ": " << record.reason;
    }
  }
}

// The second time that a prepared model runs, its scale is still that of the first.
TEST(RunGraphs, KeptScale_IsFound) {
  class Keeps : public Backend {
   public:
    const BackendInfo& info() const override { return oracle_->info(); }
    PrepareResult Prepare(const Model& model) override {
      auto prepared = oracle_->Prepare(model);
      return std::make_unique<Kept>(
          model, std::get<std::unique_ptr<PreparedModel>>(std::move(prepared)));
    }

   private:
    struct Kept : PreparedModel {
      Kept(Model a_model, std::unique_ptr<PreparedModel> a_prepared)
          : model(std::move(a_model)), prepared(std::move(a_prepared)) {}
      RunResult Run(std::span<const TensorView> inputs) override {
        std::vector<TensorView> views(inputs.begin(), inputs.end());
        for (size_t i = 0; i < views.size(); ++i) {
          if (!model.inputs[i].name.ends_with("_scale")) continue;
          const auto [kept, is_new] =
              first.emplace(i, Tensor{views[i].type,
                                      Shape(views[i].shape.begin(), views[i].shape.end()),
                                      {views[i].data.begin(), views[i].data.end()}});
          views[i] = kept->second.view();
        }
        return prepared->Run(views);
      }
      Model model;
      std::unique_ptr<PreparedModel> prepared;
      std::map<size_t, Tensor> first;
    };
    std::unique_ptr<Backend> oracle_ = MakeOracleBackend();
  };
  Keeps backend;
  const auto records =
      RunOn(backend, {"graphs.choosers/21/INT8-FLOAT-INT8/DQ-Relu-Q.per_tensor"});
  ASSERT_EQ(records.size(), 1u);
  EXPECT_TRUE(IsDeviation(records[0].verdict)) << records[0].reason;
  EXPECT_NE(records[0].reason.find("prepared model"), std::string::npos)
      << records[0].reason;
}

OpCase FirstCase(const std::string& pattern, OperandForm form) {
  const auto selected = SelectCells({pattern});
  for (const CaseKey& key :
       CasesOf(selected->front().cell, selected->front().versions, Level::kSmoke)) {
    if (key.form == form) return *MakeCase(key, 1);
  }
  ADD_FAILURE() << "no such case";
  return {};
}

// A whole graph stays: shrinking looks for fewer and simpler values.
TEST(ShrinkGraph, AWrongCode_EndsWithoutAnError) {
  ChangedBackend backend([](const Model&, auto, RunResult result) {
    if (!std::holds_alternative<Outputs>(result)) return result;
    Tensor& y = FirstOutput(result);
    WriteCode(y.mutable_view(), 0, ReadCode(y.view(), 0) ^ 0x10);
    return result;
  });
  const StillDeviates deviates = DeviatesOn(backend);
  for (const std::string& pattern : kSomeCells) {
    for (const OperandForm form : {OperandForm::kInputs, OperandForm::kInitializers}) {
      const OpCase whole = FirstCase(pattern, form);
      const StoredCase start{{whole.model, whole.inputs}, "a wrong code"};
      ASSERT_TRUE(deviates(start).value()) << pattern;
      const Shrunk small = Shrink(start, deviates, 300);
      EXPECT_FALSE(small.error) << pattern << ": " << small.error->message;
      EXPECT_TRUE(deviates(small.stored).value()) << pattern;
      EXPECT_EQ(small.stored.model.node.body.size(), whole.model.node.body.size());
      const auto read = ParseStoredCase(StoredCaseText(small.stored), "case");
      ASSERT_TRUE(read.ok()) << pattern << ": " << read.error().message;
      EXPECT_EQ(*read, small.stored) << pattern;
    }
  }
}

TEST(SelectGraphs, OnlyByPatternsThatSaySo) {
  const auto count = [](const std::vector<std::string>& patterns) {
    const auto selected = SelectCells(patterns);
    EXPECT_TRUE(selected.ok()) << selected.error().message;
    std::pair<size_t, size_t> of{};  // operators, families
    for (const SelectedCell& cell : *selected) {
      ++(IsGraphFamily(cell.cell.op_type) ? of.second : of.first);
    }
    return of;
  };
  const size_t operators = LatticeIds(OperatorsInUse()).size();
  const size_t families = LatticeIds(FamiliesInUse()).size();
  EXPECT_GT(families, 2000u);
  EXPECT_LT(families, 5200u);
  using Counts = std::pair<size_t, size_t>;
  EXPECT_EQ(count({}), Counts(operators, 0));
  EXPECT_EQ(count({"*"}), Counts(operators, 0));
  EXPECT_EQ(count({"graphs.*"}), Counts(0, families));
  EXPECT_EQ(count({"*", "graphs*"}), Counts(operators, families));
  EXPECT_FALSE(SelectCells({"*/DQ-Relu-Q.*"}).ok());
  EXPECT_EQ(LatticeIds().size(), operators + families);
  for (const std::string& id : LatticeIds(FamiliesInUse())) {
    EXPECT_TRUE(IsGraphFamily(id));
  }
}

TEST(SelectGraphs, Narrowed_ByPatternsOfAnyKind) {
  const auto narrowed =
      NarrowPatterns({std::string(kGraphCells)}, {"*/DQ-Relu-Q.*"}, "--cells");
  ASSERT_TRUE(narrowed.ok()) << narrowed.error().message;
  const auto cells = SelectCells(*narrowed);
  ASSERT_TRUE(cells.ok()) << cells.error().message;
  EXPECT_GT(cells->size(), 10u);
  for (const SelectedCell& cell : *cells) {
    EXPECT_EQ(cell.cell.op_type, "graphs.choosers");
    EXPECT_TRUE(cell.cell.granularity.starts_with("DQ-Relu-Q."));
  }
  EXPECT_EQ(SubjectsOf(*narrowed), FamiliesInUse());
  EXPECT_EQ(SubjectsOf({}), OperatorsInUse());
  EXPECT_EQ(SubjectsOf(std::vector<std::string>{"*", "graphs.*"}),
            OperatorsAndFamilies());
}

// Without any of its optimizers the backend is right; MoverFusion spoils every case, and
// ChooserFusion those whose parameters are constants.
class FusingBackend : public ChangedBackend {
 public:
  explicit FusingBackend(Names off)
      : ChangedBackend(
            [off = std::move(off)](const Model& model, auto, RunResult result) {
              const auto is_on = [&](const char* name) {
                return std::ranges::find(off, name) == off.end();
              };
              const bool spoilt = is_on("MoverFusion") ||
                                  (is_on("ChooserFusion") && !model.initializers.empty());
              if (!spoilt) return result;
              Tensor& y = FirstOutput(result);
              WriteCode(y.mutable_view(), 0, ReadCode(y.view(), 0) ^ 0x10);
              return result;
            }) {}
};

class FusionSwitches : public OptimizerSwitches {
 public:
  Result<Names> AllNames() override {
    return Names{"CastFusion", "MoverFusion", "DropNothing", "ChooserFusion"};
  }
  size_t alone() const override { return 2; }
  Result<std::shared_ptr<Backend>> Without(const Names& names) override {
    return std::shared_ptr<Backend>(std::make_shared<FusingBackend>(names));
  }
};

TEST(RunGraphs, OptimizersThatDeviate_AreFoundByTheDeviatingCases) {
  FusionSwitches switches;
  FusingBackend at_all({});
  const auto at_none = MakeOracleBackend();
  RunRequest request{*SelectCells({kSomeCells[1]}), Level::kSmoke, 1, 1, {}};
  request.variations.resize(2);
  request.variations[0].setting = "opt_level=disable";
  request.variations[0].backend = at_none.get();
  request.variations[1].setting = "opt_level=all";
  request.variations[1].backend = &at_all;
  request.variations[1].optimizers = &switches;
  std::vector<CellRecord> records;
  const std::atomic<bool> stop{false};
  ASSERT_TRUE(RunCells(
      at_all, request, [&](CellRecord record) { records.push_back(std::move(record)); },
      stop));
  ASSERT_FALSE(records.empty());
  for (const CellRecord& record : records) {
    EXPECT_EQ(record.verdict, Verdict::kNonconformant) << record.reason;
    ASSERT_EQ(record.varied.size(), 2u);
    EXPECT_EQ(record.varied[0].verdict, Verdict::kConformant);
    EXPECT_EQ(record.varied[1].without, (Names{"MoverFusion", "ChooserFusion"}));
    ASSERT_NE(record.judged_setting(), nullptr);
    EXPECT_EQ(record.judged_setting()->setting, "opt_level=all");
  }
}

}  // namespace
}  // namespace qconform
