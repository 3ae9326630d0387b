// Negative models on backends of known behaviour.
#include "harness/runner/suites/negative_runner.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "harness/backends/oracle/oracle_backend.h"
#include "harness/core/oracle_model.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

// Answers as told, on run.
class ToldBackend : public Backend {
 public:
  explicit ToldBackend(std::function<RunResult(const Model&)> tell)
      : tell_(std::move(tell)) {}
  const BackendInfo& info() const override { return info_; }
  PrepareResult Prepare(const Model& model) override {
    return std::make_unique<Told>(tell_(model));
  }

 private:
  struct Told : PreparedModel {
    explicit Told(RunResult the_result) : result(std::move(the_result)) {}
    RunResult Run(std::span<const TensorView>) override { return result; }
    RunResult result;
  };
  BackendInfo info_{};
  std::function<RunResult(const Model&)> tell_;
};

NegativeModel Find(const std::string& id) {
  for (NegativeModel& model : NegativeModels()) {
    if (model.id == id) return model;
  }
  ADD_FAILURE() << id << " is not a negative model";
  return {};
}

Outputs PlainAnswer(const FedModel& meaning) {
  const std::vector<TensorView> inputs = ViewsOf(meaning.inputs);
  const auto oracle = OracleModel::Create(meaning.model);
  return {PackAnswer(*oracle->Evaluate(inputs))};
}

TEST(RunNegativeModel, Oracle_RefusesAcceptsAndPasses) {
  const auto oracle = MakeOracleBackend();
  int visited = 0;
  for (const NegativeModel& model : JudgedNegativeModels()) {
    const NegativeRecord record = RunNegativeModel(*oracle, model);
    const NegativeResult expected =
        model.kind == ModelKind::kInvalid ? NegativeResult::kRefused
        : model.kind == ModelKind::kLegal ? NegativeResult::kPass
                                          : NegativeResult::kAccepted;
    EXPECT_EQ(record.result, expected) << model.id << ": " << record.text;
    if (model.kind == ModelKind::kInvalid) {
      // A graph that is none is refused by the clause of its node.
      EXPECT_TRUE(record.text.starts_with(model.clause) || model.clause == "GR-01")
          << record.text;
      EXPECT_NE(record.text, "");
    }
    ++visited;
  }
  EXPECT_GE(visited, 300);
}

TEST(RunNegativeModel, AcceptedInvalidModel_IsLaxAndComparedWithThePlainMeaning) {
  const NegativeModel model = Find("QuantizeLinear@21/blocked_one_off_axis");
  ASSERT_TRUE(model.meaning);
  Outputs outputs = PlainAnswer(*model.meaning);
  ToldBackend plain([&](const Model&) { return outputs; });
  NegativeRecord record = RunNegativeModel(plain, model);
  EXPECT_EQ(record.result, NegativeResult::kLax);
  EXPECT_EQ(record.text, "the plain meaning");
  outputs[0].data[0] ^= std::byte{1};
  record = RunNegativeModel(plain, model);
  EXPECT_EQ(record.result, NegativeResult::kLax);
  EXPECT_TRUE(record.text.starts_with("not the plain meaning: y[0]: expected"))
      << record.text;
}

TEST(RunNegativeModel, WithoutPlainMeaning_TheAnswerIsTold) {
  const NegativeModel model = Find("QuantizeLinear@13/scale_too_short");
  ToldBackend backend([](const Model&) {
    return Outputs{Tensor::Zeros(DataType::kUint8, {2, 3})};
  });
  const NegativeRecord record = RunNegativeModel(backend, model);
  EXPECT_EQ(record.result, NegativeResult::kLax);
  EXPECT_EQ(record.text,
            "there is no plain meaning; y is UINT8[2,3]: 0x00 0x00 0x00 0x00 0x00 0x00");
  EXPECT_FALSE(IsDeviation(record.result));
}

TEST(RunNegativeModel, LegalModelAnsweredWrongly_Deviates) {
  const NegativeModel model = Find("QuantizeLinear@21/legal_partial_block");
  ToldBackend backend([](const Model&) {
    return Outputs{Tensor::Zeros(DataType::kUint8, {2, 7})};
  });
  EXPECT_EQ(RunNegativeModel(backend, model).result, NegativeResult::kDeviates);
  ToldBackend other_shape([](const Model&) {
    return Outputs{Tensor::Zeros(DataType::kUint8, {7, 2})};
  });
  EXPECT_EQ(RunNegativeModel(other_shape, model).result, NegativeResult::kDeviates);
}

TEST(RunNegativeModel, ErrorsAndRefusals_DependOnTheKindOfModel) {
  using Kind = BackendError::Kind;
  const struct {
    RunResult said;
    NegativeResult of_invalid;
    NegativeResult of_legal;
  } kRows[] = {
      {Refused{"no"}, NegativeResult::kRefused, NegativeResult::kRefusedLegal},
      {Unsupported{"no", ""}, NegativeResult::kRefused, NegativeResult::kDeclined},
      {BackendError{Kind::kFailed, "no"}, NegativeResult::kRefused,
       NegativeResult::kDeviates},
      {BackendError{Kind::kCrashed, "no"}, NegativeResult::kCrashed,
       NegativeResult::kCrashed},
      {BackendError{Kind::kTimedOut, "no"}, NegativeResult::kTimedOut,
       NegativeResult::kTimedOut},
      {BackendError{Kind::kInvalidOutput, "no"}, NegativeResult::kDeviates,
       NegativeResult::kDeviates},
  };
  const NegativeModel invalid = Find("QuantizeLinear@13/scale_too_short");
  const NegativeModel legal = Find("QuantizeLinear@13/legal_empty_rows");
  for (const auto& row : kRows) {
    ToldBackend backend([&](const Model&) { return row.said; });
    const NegativeRecord record = RunNegativeModel(backend, invalid);
    EXPECT_EQ(record.result, row.of_invalid);
    EXPECT_EQ(record.text, "no");
    EXPECT_EQ(RunNegativeModel(backend, legal).result, row.of_legal);
  }
}

}  // namespace
}  // namespace qconform
