#include "harness/runner/ask/dynamic_shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cases/core/case.h"
#include "cases/lattice/lattice.h"
#include "cases/model/serialize.h"
#include "harness/backends/oracle/oracle_backend.h"
#include "harness/core/named_dimensions.h"
#include "harness/core/oracle_model.h"
#include "harness/runner/testing/changed_backend.h"
#include "harness/runner/testing/run_on.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

const std::vector<std::string>& Cells() {
  static const std::vector<std::string> cells = {
      "QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor",
      "QuantizeLinear/25/FLOAT-FLOAT-INT8/per_axis",
      "QuantizeLinear/25/BFLOAT16-FLOAT8E8M0-INT4/blocked",
      "QLinearMatMul/10/FLOAT-UINT8-INT8-INT8/per_row-per_column",
      "QLinearMatMul/21/FLOAT16-INT8-INT8-INT8/per_tensor-per_tensor"};
  return cells;
}

// The oracle, except for models with named dimensions.
class NamedBackend : public Backend {
 public:
  enum class Does {
    kAnswer,
    kDecline,     // when the model is prepared
    kThrow,       // the same, by an error
    kDeclineRun,  // its first run
    kKeepSize,    // answers with the size of the first run
    kWrongCode,   // in its last element, by more elements than at first
    kRefuseMore,  // fails by other sizes than at first
    kCrash
  };
  explicit NamedBackend(Does does) : does_(does) {}
  const BackendInfo& info() const override { return oracle_->info(); }

  PrepareResult Prepare(const Model& model) override {
    PrepareResult prepared = oracle_->Prepare(model);
    if (!HasNamedDimensions(model)) return prepared;
    ++asked_;
    if (does_ == Does::kDecline) return Unsupported{"sizes must be fixed", ""};
    if (does_ == Does::kThrow) return BackendError{.text = "sizes must be fixed"};
    if (does_ == Does::kCrash) return BackendError{BackendError::Kind::kCrashed, "dead"};
    return std::make_unique<Named>(
        std::get<std::unique_ptr<PreparedModel>>(std::move(prepared)), does_);
  }

  int asked() const { return asked_; }

 private:
  class Named : public PreparedModel {
   public:
    Named(std::unique_ptr<PreparedModel> prepared, Does does)
        : prepared_(std::move(prepared)), does_(does) {}

    RunResult Run(std::span<const TensorView> inputs) override {
      if (does_ == Does::kDeclineRun) return Unsupported{"sizes must be fixed", ""};
      RunResult result = prepared_->Run(inputs);
      Tensor& y = std::get<Outputs>(result).front();
      const int64_t count = *ElementCount(y.shape);
      if (!first_) first_ = count;
      if (count == *first_) return result;
      if (does_ == Does::kRefuseMore) return BackendError{.text = "another size"};
      if (does_ == Does::kKeepSize) y = Tensor::Zeros(y.type, {*first_});
      if (does_ == Does::kWrongCode && count > 0) {
        const uint64_t code = ReadCode(y.view(), count - 1);
        WriteCode(y.mutable_view(), count - 1, code ^ 1);
      }
      return result;
    }

   private:
    std::unique_ptr<PreparedModel> prepared_;
    Does does_;
    std::optional<int64_t> first_;
  };

  std::unique_ptr<Backend> oracle_ = MakeOracleBackend();
  Does does_;
  int asked_ = 0;
};

TEST(DynamicShapes, ARightBackend_IsAskedInEachCell) {
  NamedBackend backend(NamedBackend::Does::kAnswer);
  for (const CellRecord& record : RunOn(backend, Cells(), Level::kStandard)) {
    EXPECT_EQ(record.verdict, Verdict::kConformant) << record.cell;
    EXPECT_EQ(record.dynamic_shapes, kDynamicShapesAnswered) << record.cell;
  }
  EXPECT_GE(backend.asked(), static_cast<int>(Cells().size()));
}

TEST(DynamicShapes, ADecline_AccusesNobodyAndIsTold) {
  using enum NamedBackend::Does;
  for (const auto does : {kDecline, kThrow, kDeclineRun}) {
    NamedBackend backend(does);
    for (const CellRecord& record : RunOn(backend, Cells())) {
      EXPECT_EQ(record.verdict, Verdict::kConformant) << record.cell;
      EXPECT_EQ(record.dynamic_shapes, kDynamicShapesDeclined) << record.cell;
    }
  }
}

TEST(DynamicShapes, OtherBitsOfOtherSizes_AreADeviation) {
  using enum NamedBackend::Does;
  const struct {
    NamedBackend::Does does;
    Verdict verdict;
    const char* words;
    const char* told;  // CellRecord::dynamic_shapes
  } kWrong[] = {
      {kKeepSize, Verdict::kInvalidOutput, "named dimensions", kDynamicShapesAnswered},
      {kWrongCode, Verdict::kNonconformant, "named dimensions", kDynamicShapesAnswered},
      {kRefuseMore, Verdict::kFailed, "another size", kDynamicShapesAnswered},
      {kCrash, Verdict::kCrashed, "dead", ""}};
  for (const auto& wrong : kWrong) {
    NamedBackend backend(wrong.does);
    for (const CellRecord& record : RunOn(backend, Cells(), Level::kStandard)) {
      EXPECT_EQ(record.verdict, wrong.verdict) << record.cell << " " << wrong.words;
      EXPECT_THAT(record.reason, testing::HasSubstr(wrong.words)) << record.cell;
      EXPECT_EQ(record.dynamic_shapes, wrong.told) << record.cell << " " << wrong.words;
      ASSERT_FALSE(record.counterexamples.empty()) << record.cell;
      EXPECT_TRUE(record.counterexamples[0].second_answer) << record.reason;
    }
  }
}

// Half of a case is asked with fixed sizes first.
TEST(DynamicShapes, FixedSizesThatFail_SayNothingOfNamedOnes) {
  constexpr const char* kId =
      "QuantizeLinear/13@13/FLOAT-FLOAT-UINT8/per_tensor/inputs/saturate=1/ties/0";
  const OpCase made = *MakeCase(*ParseCaseId(kId), 1);
  ASSERT_TRUE(*HalfWithSameConstants(made));
  const auto expected = std::make_shared<const CaseAnswer>(
      *OracleModel::Create(made.model)->Evaluate(ViewsOf(made.inputs)));
  int named = 0;
  ChangedBackend backend([&](const Model& model, auto inputs, RunResult result) {
    named += HasNamedDimensions(model) ? 1 : 0;
    if (std::ranges::equal(inputs[0].shape, made.inputs[0].shape)) return result;
    return RunResult(BackendError{.text = "too small"});
  });
  const DynamicShapes dynamic =
      AskWithNamedDimensions(backend, made.model, made.inputs, expected,
                             CodesOf(PackAnswer(*expected)))
          .value();
  EXPECT_EQ(dynamic.kind, DynamicShapes::Kind::kNotAsked);
  ASSERT_TRUE(dynamic.failure);
  EXPECT_THAT(dynamic.failure->text, testing::HasSubstr("half of it: too small"));
  EXPECT_EQ(named, 0);
}

// One reading is followed throughout (G-01): what names in place of sizes change is no
// other one.
TEST(DynamicShapes, AnotherReadingThanOfFixedSizes_IsADeviation) {
  for (const char* cell : {"QuantizeLinear/21/FLOAT16-FLOAT16-UINT8/per_axis",
                           "QuantizeLinear/21/FLOAT16-FLOAT16-INT4/per_axis"}) {
    ChangedBackend backend([](const Model& model, auto inputs, RunResult result) {
      if (!HasNamedDimensions(model)) return result;
      const auto oracle = OracleModel::Create(model);
      const auto choices = oracle->Readings(inputs);
      for (const ReadingSet& choice : *choices) {
        if (Spell(choice) != "QL-04:f32_quotient") continue;
        result = PackAnswer(*oracle->Evaluate(inputs, choice));
      }
      return result;
    });
    const CellRecord record = RunOn(backend, {cell}, Level::kStandard).front();
    EXPECT_EQ(record.verdict, Verdict::kNonconformant) << cell;
    EXPECT_THAT(record.reason, testing::HasSubstr("named dimensions")) << cell;
  }
}

// ONNX's checker and its shape inference take the models of all cells.
TEST(DynamicShapes, ModelsOfEveryCell_AreValid) {
  int64_t named = 0;
  int64_t halves = 0;
  for (const std::string& op_type : JudgedOperators()) {
    for (const Cell& cell : CellsOf(op_type)) {
      const auto versions = SinceVersions(op_type);
      const auto version =
          std::ranges::find(versions, cell.since_version, &SinceVersion::since_version);
      ASSERT_NE(version, versions.end());
      const auto keys = CasesOf(cell, *version, Level::kSmoke);
      // The other models of a cell differ from these only in their operands.
      for (size_t i = 0; i < keys.size(); i += 3) {
        const OpCase made = *MakeCase(keys[i], 1);
        const auto model = *WithNamedDimensions(made.model);
        if (!model) continue;
        ++named;
        const Status status = CheckModel(SerializeModel(*model));
        ASSERT_TRUE(status.ok()) << CaseId(keys[i]) << ": " << status.error().message;
        if (const auto half = *HalfWithSameConstants(made)) {
          ++halves;
          const Status fixed = CheckModel(SerializeModel(half->model));
          ASSERT_TRUE(fixed.ok()) << CaseId(keys[i]) << ": " << fixed.error().message;
        }
      }
    }
  }
  EXPECT_GT(named, 4000);
  EXPECT_GT(halves, named / 2);
}

}  // namespace
}  // namespace qconform
