#include "harness/backends/compose/compose_backend.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace qconform {
namespace {

// What the fake backend below was asked.
struct Log {
  std::vector<Model> prepared;
  int runs = 0;
};

// Answers zeros of the declared outputs, or declines one operator.
class FakeBackend : public Backend {
 public:
  FakeBackend(Log& log, std::string declines)
      : log_(log), declines_(std::move(declines)) {}

  const BackendInfo& info() const override { return info_; }

  PrepareResult Prepare(const Model& model) override {
    log_.prepared.push_back(model);
    if (model.node.op_type == declines_) return Unsupported{"no kernel", ""};
    return std::make_unique<Prepared>(log_, model);
  }

 private:
  class Prepared : public PreparedModel {
   public:
    Prepared(Log& log, Model model) : log_(log), model_(std::move(model)) {}
    RunResult Run(std::span<const TensorView> inputs) override {
      ++log_.runs;
      if (inputs.size() != model_.inputs.size()) return Refused{"other inputs"};
      Outputs outputs;
      for (const ValueInfo& output : model_.outputs) {
        outputs.push_back(Tensor::Zeros(output.type, output.shape));
      }
      return outputs;
    }

   private:
    Log& log_;
    Model model_;
  };

  Log& log_;
  std::string declines_;
  BackendInfo info_{.kind = "fake",
                    .name = "fake",
                    .version = "1",
                    .vendor = "",
                    .device = "",
                    .details = {}};
};

Tensor Scalar(DataType type, std::vector<std::byte> data) {
  return {type, {}, std::move(data)};
}

const std::vector<std::byte> kOne{std::byte{0}, std::byte{0}, std::byte{0x80},
                                  std::byte{0x3f}};

// QuantizeLinear and DequantizeLinear, whose scale is a constant and whose zero point is
// fed.
Model QuantizeDequantize() {
  Model model;
  model.opset_version = 21;
  model.ir_version = 10;
  model.node.op_type = kGraphOpType;
  model.node.inputs = {"x", "x_scale", "x_zero_point"};
  model.node.outputs = {"y"};
  model.node.body = {
      {"QuantizeLinear", "", {"x", "x_scale", "x_zero_point"}, {"q"}, {}},
      {"DequantizeLinear", "", {"q", "x_scale", "x_zero_point"}, {"y"}, {}}};
  model.inputs = {{"x", DataType::kFloat, {3}}, {"x_zero_point", DataType::kInt8, {}}};
  model.outputs = {{"y", DataType::kFloat, {3}}};
  model.initializers = {{"x_scale", Scalar(DataType::kFloat, kOne)}};
  return model;
}

RunResult Ask(Backend& backend, const Model& model, int times = 1) {
  auto prepared = backend.Prepare(model);
  if (auto instead = AnswerInstead<RunResult>(prepared)) return *instead;
  const std::vector<Tensor> inputs{Tensor::Zeros(DataType::kFloat, {3}),
                                   Tensor::Zeros(DataType::kInt8, {})};
  RunResult result;
  for (int i = 0; i < times; ++i) {
    result = std::get<std::unique_ptr<PreparedModel>>(prepared)->Run(ViewsOf(inputs));
  }
  return result;
}

TEST(ComposeBackendTest, RunsEachNodeAsAModelOfItsOwn) {
  Log log;
  const auto composed = MakeComposeBackend(std::make_unique<FakeBackend>(log, ""));
  const RunResult result = Ask(*composed, QuantizeDequantize());
  ASSERT_TRUE(std::holds_alternative<Outputs>(result));
  EXPECT_EQ(std::get<Outputs>(result), Outputs{Tensor::Zeros(DataType::kFloat, {3})});
  ASSERT_EQ(log.prepared.size(), 2);
  const Model& q = log.prepared[0];
  EXPECT_EQ(q.node.op_type, "QuantizeLinear");
  EXPECT_FALSE(q.node.is_graph());
  EXPECT_EQ(q.opset_version, 21);
  // The scale is a constant in the graph and in the node's model.
  ASSERT_EQ(q.initializers.size(), 1);
  EXPECT_EQ(q.initializers[0].name, "x_scale");
  ASSERT_EQ(q.inputs.size(), 2);
  EXPECT_EQ(q.outputs, (std::vector<ValueInfo>{{"q", DataType::kInt8, {3}}}));
  EXPECT_EQ(log.prepared[1].outputs,
            (std::vector<ValueInfo>{{"y", DataType::kFloat, {3}}}));
}

TEST(ComposeBackendTest, PreparesANodeOnceForManyRuns) {
  Log log;
  const auto composed = MakeComposeBackend(std::make_unique<FakeBackend>(log, ""));
  Ask(*composed, QuantizeDequantize(), 5);
  EXPECT_EQ(log.prepared.size(), 2);
  EXPECT_EQ(log.runs, 10);
}

TEST(ComposeBackendTest, NamesTheNodeThatIsDeclined) {
  Log log;
  const auto composed =
      MakeComposeBackend(std::make_unique<FakeBackend>(log, "DequantizeLinear"));
  const RunResult result = Ask(*composed, QuantizeDequantize());
  ASSERT_TRUE(std::holds_alternative<Unsupported>(result));
  EXPECT_EQ(std::get<Unsupported>(result).reason, "node 2 (DequantizeLinear): no kernel");
}

TEST(ComposeBackendTest, RefusesWhatIsNoGraph) {
  Log log;
  const auto backend = MakeComposeBackend(std::make_unique<FakeBackend>(log, "none"));
  const auto refusal_of = [&](const Model& model) {
    const RunResult result = Ask(*backend, model);
    const auto* refused = std::get_if<Refused>(&result);
    return refused == nullptr ? "" : refused->reason;
  };
  Model unknown = QuantizeDequantize();
  unknown.node.body[1].inputs[0] = "p";
  EXPECT_NE(refusal_of(unknown).find("'p'"), std::string::npos) << refusal_of(unknown);
  Model twice = QuantizeDequantize();
  twice.node.body[1].outputs[0] = "q";
  EXPECT_NE(refusal_of(twice).find("'q'"), std::string::npos) << refusal_of(twice);
  // A node that the clauses of its operator forbid: the zero point is no INT8.
  Model invalid = QuantizeDequantize();
  invalid.node.body[1].inputs[2] = "x_scale";
  EXPECT_NE(refusal_of(invalid), "");
}

TEST(ComposeBackendTest, PassesOneOperatorOn) {
  Log log;
  const auto composed = MakeComposeBackend(std::make_unique<FakeBackend>(log, ""));
  Model model = QuantizeDequantize();
  model.node = model.node.body[0];
  model.outputs = {{"q", DataType::kInt8, {3}}};
  ASSERT_TRUE(std::holds_alternative<Outputs>(Ask(*composed, model)));
  ASSERT_EQ(log.prepared.size(), 1);
  EXPECT_EQ(log.prepared[0], model);
}

TEST(ComposeBackendTest, SaysInItsNameThatItComposes) {
  Log log;
  const auto composed = MakeComposeBackend(std::make_unique<FakeBackend>(log, ""));
  EXPECT_EQ(composed->info().name, "fake, composed node by node");
}

}  // namespace
}  // namespace qconform
