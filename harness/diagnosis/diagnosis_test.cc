// Pairs of planted faults are named as pairs, and what is in no list by no name.
#include "harness/diagnosis/diagnosis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/backends/faulty/faulty_backend.h"
#include "harness/backends/oracle/oracle_backend.h"
#include "harness/operators/quantize_linear/fault_switches.h"
#include "harness/runner/runner.h"
#include "oracle/base/text.h"
#include "oracle/formats/codes.h"
#include "reports/record/evidence.h"

namespace qconform {
namespace {

CellRecord RunOne(Backend& backend, const SelectedCell& cell, Level level) {
  RunRequest request;
  request.cells = {cell};
  request.level = level;
  CellRecord record;
  const std::atomic<bool> stop{false};
  const auto done = RunCells(
      backend, request, [&](CellRecord made) { record = std::move(made); }, stop);
  EXPECT_TRUE(done);
  return record;
}

std::vector<SelectedCell> Cells(const std::string& pattern) {
  auto cells = SelectCells({pattern});
  EXPECT_TRUE(cells.ok());
  return *std::move(cells);
}

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Diagnosis, PairOfFaults_IsNamedAsAPair) {
  const Fault both{
      .name = "both",
      .sentence = "Two mistakes.",
      .shares = {{"QuantizeLinear",
                  {QuantizeLinearSwitches{
                      .rounding = QuantizeLinearSwitches::Rounding::kTowardZero,
                      .overflow = QuantizeLinearSwitches::Overflow::kWrap}}}}};
  const std::unique_ptr<Backend> backend = MakeFaultyBackend(both);
  const CellRecord record =
      RunOne(*backend, Cells("QuantizeLinear/21/FLOAT-FLOAT-INT8/per_axis")[0],
             Level::kStandard);
  EXPECT_TRUE(record.diagnosis == "truncates+wraps_at_output" ||
              record.diagnosis == "wraps_at_output+truncates")
      << record.diagnosis;
}

// What the cases of a level do not tell apart may be told apart by another input.
TEST(Diagnosis, WhatIsNotProved_IsNotToldAsIndistinguishable) {
  const SelectedCell floats =
      Cells("QuantizeLinear/25/FLOAT-FLOAT-FLOAT8E4M3FN/per_tensor")[0];
  // FLOAT is wide enough for what is asked of these quotients, though nothing proves it.
  const SelectedCell halves =
      Cells("QuantizeLinear/25/FLOAT16-FLOAT16-FLOAT8E5M2/per_tensor")[0];
  int also = 0;
  for (const auto& [cell, name] :
       std::vector<std::pair<SelectedCell, const char*>>{{floats, "double_division"},
                                                         {floats, "exact_quotient"},
                                                         {floats, "ties_away"},
                                                         {halves, "double_division"}}) {
    const CellRecord record =
        RunOne(*MakeFaultyBackend(*FindFault(name)), cell, Level::kSmoke);
    ASSERT_TRUE(record.deviation.has_value()) << name;
    std::vector<std::string> models = record.deviation->also_explained_by;
    also += static_cast<int>(models.size());
    if (models.empty()) {
      models = {record.diagnosis};
    } else {
      EXPECT_EQ(record.diagnosis, Joined(models, kOtherModel));
    }
    const auto proved = [&](const std::string& a, const std::string& b) {
      const Fault* one = FindFault(a);
      const Fault* other = FindFault(b);
      return one != nullptr && other != nullptr &&
             !WhyIndistinguishable(cell.cell, *one, *other).empty();
    };
    for (const std::string& other : record.deviation->indistinguishable_from) {
      EXPECT_TRUE(std::ranges::any_of(
          models, [&](const std::string& model) { return proved(model, other); }))
          << record.diagnosis << " " << other;
    }
    for (const std::string& model : models) {
      ASSERT_NE(FindFault(model), nullptr) << name << " " << record.diagnosis;
      for (const std::string& other : models) {
        EXPECT_TRUE(model == other || !proved(model, other)) << model << " " << other;
      }
    }
  }
  EXPECT_GT(also, 0);
}

// A backend that flips the last bit of every eighth element.
class Flipping : public Backend {
 public:
  const BackendInfo& info() const override { return oracle_->info(); }
  PrepareResult Prepare(const Model& model) override {
    auto prepared = oracle_->Prepare(model);
    auto* ready = std::get_if<std::unique_ptr<PreparedModel>>(&prepared);
    if (ready == nullptr) return prepared;
    return std::make_unique<FlippingPrepared>(std::move(*ready));
  }

 private:
  class FlippingPrepared : public PreparedModel {
   public:
    explicit FlippingPrepared(std::unique_ptr<PreparedModel> inner)
        : inner_(std::move(inner)) {}
    RunResult Run(std::span<const TensorView> inputs) override {
      RunResult result = inner_->Run(inputs);
      auto* outputs = std::get_if<Outputs>(&result);
      if (outputs == nullptr) return result;
      Tensor& y = outputs->front();
      const auto count = static_cast<int64_t>(ReadCodes(y.view()).size());
      for (int64_t i = 3; i < count; i += 8) {
        WriteCode(y.mutable_view(), i, ReadCode(y.view(), i) ^ 1);
      }
      return result;
    }

   private:
    std::unique_ptr<PreparedModel> inner_;
  };
  std::unique_ptr<Backend> oracle_ = MakeOracleBackend();
};

TEST(Diagnosis, UnknownFault_HasNoNameButAPattern) {
  Flipping backend;
  const CellRecord record =
      RunOne(backend, Cells("QuantizeLinear/21/FLOAT-FLOAT-INT8/per_tensor")[0],
             Level::kStandard);
  EXPECT_EQ(record.verdict, Verdict::kNonconformant);
  EXPECT_EQ(record.diagnosis, "");
  const std::string text = DiagnosisText(record);
  EXPECT_TRUE(Contains(text, "no named model explains this")) << text;
  EXPECT_TRUE(Contains(text, "What deviates: only elements whose index modulo 8 is 3."))
      << text;
}

}  // namespace
}  // namespace qconform
