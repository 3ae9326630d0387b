// Whole models on workers: our own and foreign ones.
#include "harness/backends/whole_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "cases/model/serialize.h"
#include "harness/backends/oracle/oracle_backend.h"
#include "harness/backends/process/process_backend.h"

namespace qconform {
namespace {

using testing::HasSubstr;

std::unique_ptr<Backend> Make(const std::string& mode) {
  WorkerCommand command;
  command.words = {QCONFORM_FAUX_WORKER, mode, "1"};
  command.is_own = mode.starts_with("serves");
  command.limits.timeout = std::chrono::milliseconds(20000);
  auto made = MakeProcessBackend({command, "process:faux " + mode, "process"});
  EXPECT_TRUE(made) << made.error().message;
  return made ? *std::move(made) : nullptr;
}

// QuantizeLinear of two elements by 1.
WholeModel Quantize() {
  Model model;
  model.opset_version = 13;
  model.ir_version = 7;
  model.node = {"QuantizeLinear", "", {"x", "scale"}, {"y"}, {}};
  model.inputs = {{"x", DataType::kFloat, {2}}};
  model.outputs = {{"y", DataType::kUint8, {2}}};
  Tensor scale = Tensor::Zeros(DataType::kFloat, {});
  const float one = 1;
  std::memcpy(scale.data.data(), &one, sizeof one);
  model.initializers = {{"scale", scale}};
  return {SerializeModel(model), {"x"}, {"y"}};
}

// Returns what the backend answers to the model, fed with 3 and 1000.
RunResult Ask(Backend& backend, const WholeModel& model) {
  auto prepared = PrepareWholeModel(backend, model);
  if (auto instead = AnswerInstead<RunResult>(prepared)) return *instead;
  Tensor x = Tensor::Zeros(DataType::kFloat, {2});
  const float values[] = {3, 1000};
  std::memcpy(x.data.data(), values, sizeof values);
  const TensorView view = x.view();
  return std::get<std::unique_ptr<PreparedModel>>(prepared)->Run({&view, 1});
}

TEST(WholeModel, ForeignWorker_GetsItAsAnyModel) {
  const auto backend = Make("honest");
  const RunResult result = Ask(*backend, Quantize());
  const auto* outputs = std::get_if<Outputs>(&result);
  ASSERT_NE(outputs, nullptr);
  EXPECT_EQ(outputs->front(),
            (Tensor{DataType::kUint8, {2}, {std::byte{3}, std::byte{255}}}));
}

TEST(WholeModel, BackendThatRunsNone_IsUnsupported) {
  const auto child = Make("serves");
  const auto oracle = MakeOracleBackend();
  for (Backend* backend : {child.get(), oracle.get()}) {
    const RunResult result = Ask(*backend, Quantize());
    const auto* unsupported = std::get_if<Unsupported>(&result);
    ASSERT_NE(unsupported, nullptr);
    EXPECT_EQ(unsupported->reason, "it does not run whole models");
  }
}

TEST(WholeModel, OperatorThatTheHandshakeDoesNotList_IsNotAsked) {
  const auto backend = Make("other_support");
  const RunResult result = Ask(*backend, Quantize());
  const auto* unsupported = std::get_if<Unsupported>(&result);
  ASSERT_NE(unsupported, nullptr);
  EXPECT_EQ(unsupported->reason, "QuantizeLinear is not in the list of its handshake");
}

TEST(WholeModel, LongerThanAMessage_GoesBySharedMemoryToOurOwnChildOnly) {
  const WholeModel large{std::string((size_t{64} << 20) + 10, '7'), {"x"}, {"y", "z"}};
  const auto child = Make("serves_whole");
  const RunResult result = Ask(*child, large);
  const auto* outputs = std::get_if<Outputs>(&result);
  ASSERT_NE(outputs, nullptr);
  ASSERT_EQ(outputs->size(), 2u);
  int64_t count = 0;
  std::memcpy(&count, outputs->back().data.data(), sizeof count);
  EXPECT_EQ(count, (int64_t{64} << 20) + 10);

  const auto foreign = Make("honest");
  const RunResult declined = Ask(*foreign, large);
  const auto* unsupported = std::get_if<Unsupported>(&declined);
  ASSERT_NE(unsupported, nullptr);
  EXPECT_THAT(unsupported->reason, HasSubstr("has 67108874 bytes and does not fit"));
}

TEST(WholeModel, WorkerThatEnds_IsCrashedAndNotAskedAgain) {
  const auto backend = Make("crashes");
  auto prepared = PrepareWholeModel(*backend, Quantize());
  auto* whole = std::get_if<std::unique_ptr<PreparedModel>>(&prepared);
  ASSERT_NE(whole, nullptr);
  const Tensor x = Tensor::Zeros(DataType::kFloat, {2});
  const TensorView view = x.view();
  for (int run = 0; run < 2; ++run) {
    const RunResult result = (*whole)->Run({&view, 1});
    const auto* error = std::get_if<BackendError>(&result);
    ASSERT_NE(error, nullptr);
    EXPECT_EQ(error->kind, BackendError::Kind::kCrashed);
  }
}

TEST(WholeModel, MoreOutputsThanItCanHave_AreNotRead) {
  const auto backend = Make("many_tensors");
  const RunResult result = Ask(*backend, Quantize());
  const auto* error = std::get_if<BackendError>(&result);
  ASSERT_NE(error, nullptr);
  EXPECT_EQ(error->kind, BackendError::Kind::kUnreadable);
  EXPECT_THAT(error->text, HasSubstr("at most 17 tensors"));
}

}  // namespace
}  // namespace qconform
