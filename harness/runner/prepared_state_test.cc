#include "harness/runner/prepared_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/backends/operands.h"
#include "harness/backends/oracle/oracle_backend.h"
#include "harness/runner/testing/changed_backend.h"
#include "harness/runner/testing/run_on.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

// The oracle, but for what a prepared model keeps of its first run.
class KeepingBackend : public Backend {
 public:
  enum class Keeps { kNothing, kAnswer, kScale, kZeroPoint };
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
        const bool kept = (keeps_ == Keeps::kScale && name.ends_with("scale")) ||
                          (keeps_ == Keeps::kZeroPoint && name.ends_with("zero_point"));
        if (kept) fed[i] = first_[i].view();
      }
      return prepared_->Run(fed);
    }

   private:
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
    const std::vector<Tensor> others = OtherInputs(made.model, made.inputs);
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
