#include "harness/reference_path/reference_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "cases/model/carried_type.h"
#include "harness/backends/onnxruntime/onnxruntime_backend.h"
#include "harness/backends/oracle/oracle_backend.h"
#include "harness/reference_path/testing/small_models.h"
#include "harness/runner/testing/changed_backend.h"

namespace qconform {
namespace {

using testing::HasSubstr;

class ReferencePath_Test : public testing::Test {
 protected:
  // Computes the values; the oracle computes the judged nodes.
  ReferenceValues Evaluate(const Model& model, const NamedTensors& inputs,
                           const ValueNames& wanted, Backend* others = nullptr) {
    const ModelFile file = WrittenModel(folder_, "model", model);
    auto values = EvaluateModel(file, {{oracle_.get()}, others}, inputs, wanted);
    EXPECT_TRUE(values) << values.error().message;
    return values ? *std::move(values) : ReferenceValues{};
  }

  TemporaryFolder folder_;
  std::unique_ptr<Backend> oracle_ = MakeOracleBackend();
};

const NamedTensors& Inputs() {
  static const NamedTensors inputs = {{"x", Floats({4}, {-1, 0.6F, 3, 1000})}};
  return inputs;
}

TEST_F(ReferencePath_Test, ValuesOfTwoStages_AreThoseOfTheSpecification) {
  const ReferenceValues values =
      Evaluate(TwoStages(), Inputs(), {"q", "d", "r", "y", "z"});
  EXPECT_TRUE(values.stopped.empty());
  EXPECT_EQ(values.values.at("q"), Bytes(DataType::kUint8, {4}, {8, 11, 16, 255}));
  EXPECT_EQ(values.values.at("d"), Floats({4}, {-1, 0.5F, 3, 122.5F}));
  EXPECT_EQ(values.values.at("r"), Floats({4}, {0, 0.5F, 3, 122.5F}));
  EXPECT_EQ(values.values.at("y"), Bytes(DataType::kUint8, {4}, {0, 0, 3, 122}));
  EXPECT_EQ(values.values.at("z"), Floats({4}, {0, 0, 3, 122}));
}

TEST_F(ReferencePath_Test, OnlyWhatIsNeeded_Runs) {
  Model model = TwoStages();
  model.node.body.push_back(MakeNode("Foo", {"r"}, "foo"));
  model.node.body.back().domain = "com.example";
  model.outputs.push_back({"foo", DataType::kFloat, {4}});
  const ReferenceValues values = Evaluate(model, Inputs(), {"z"});
  EXPECT_TRUE(values.stopped.empty());
  EXPECT_EQ(values.values.size(), 1u);
}

TEST_F(ReferencePath_Test, NodeOfAnUnknownDomain_StopsWhatDependsOnIt) {
  Model model = TwoStages();
  model.node.body[2].domain = "com.example";  // Relu
  const ReferenceValues values = Evaluate(model, Inputs(), {"q", "d", "z"});
  EXPECT_EQ(values.values.size(), 2u);
  ASSERT_EQ(values.stopped.size(), 1u);
  EXPECT_EQ(values.stopped.front().node, 2u);
  EXPECT_EQ(values.stopped.front().Words(),
            "node 'r' (com.example.Relu): it needs ONNX Runtime, which is not there");
}

TEST_F(ReferencePath_Test, KernelThatDeclines_IsReplacedByTheNext) {
  ChangedBackend declines([](const Model& model, auto, RunResult result) -> RunResult {
    if (model.node.inputs.size() == 3) return Unsupported{"no zero points", ""};
    return result;
  });
  const ModelFile file = WrittenModel(folder_, "model", TwoStages());
  const auto with =
      EvaluateModel(file, {{&declines, oracle_.get()}, nullptr}, Inputs(), {"z"});
  ASSERT_TRUE(with);
  EXPECT_EQ(with->values.at("z"), Floats({4}, {0, 0, 3, 122}));
  const auto without = EvaluateModel(file, {{&declines}, nullptr}, Inputs(), {"z"});
  ASSERT_TRUE(without);
  ASSERT_EQ(without->stopped.size(), 1u);
  EXPECT_EQ(without->stopped.front().Words(),
            "node 'q' (QuantizeLinear): no zero points");
}

// The tests below need ONNX Runtime's library.
class WithOnnxRuntime : public ReferencePath_Test {
 protected:
  void SetUp() override {
    auto made = MakeOnnxRuntimeBackend({{"opt_level", "disable"}});
    if (!made) GTEST_SKIP() << "not run, because: " << made.error().message;
    others_ = *std::move(made);
  }
  std::unique_ptr<Backend> others_;
};

TEST_F(WithOnnxRuntime, FloatNodes_RunTogether) {
  const ReferenceValues values =
      Evaluate(TwoStages(), Inputs(), {"r", "z"}, others_.get());
  EXPECT_TRUE(values.stopped.empty());
  EXPECT_EQ(values.values.at("r"), Floats({4}, {0, 0.5F, 3, 122.5F}));
  EXPECT_EQ(values.values.at("z"), Floats({4}, {0, 0, 3, 122}));
}

// where = x > d, over nodes that are not judged; BOOL goes from one run to the next.
TEST_F(WithOnnxRuntime, BoolValues_AreCarried) {
  Model model = TwoStages();
  model.node.body = {MakeNode("Add", {"x", "x"}, "twice"),
                     MakeNode("Greater", {"twice", "one"}, "greater"),
                     MakeNode("QuantizeLinear", {"x", "s", "zero"}, "q"),
                     MakeNode("DequantizeLinear", {"q", "s", "zero"}, "d"),
                     MakeNode("Where", {"greater", "d", "x"}, "z")};
  const ReferenceValues values =
      Evaluate(model, Inputs(), {"z", "greater"}, others_.get());
  EXPECT_TRUE(values.stopped.empty());
  EXPECT_EQ(values.values.at("greater"), Bytes(kCarriedBool, {4}, {0, 1, 1, 1}));
  EXPECT_EQ(values.values.at("z"), Floats({4}, {-1, 0.5F, 3, 122.5F}));
}

TEST_F(WithOnnxRuntime, NodeThatItLacks_IsNamedAmongThoseThatRunWithIt) {
  Model model = TwoStages();
  model.node.body = {MakeNode("Neg", {"x"}, "n"), MakeNode("Neg", {"n"}, "m"),
                     MakeNode("Foo", {"m"}, "f"), MakeNode("Abs", {"f"}, "z"),
                     MakeNode("Exp", {"m"}, "exp")};
  model.node.body[2].domain = "com.example";
  const ReferenceValues values =
      Evaluate(model, Inputs(), {"z", "m", "exp"}, others_.get());
  EXPECT_EQ(values.values.at("m"), Inputs().at("x"));
  EXPECT_TRUE(values.values.contains("exp"));
  ASSERT_EQ(values.stopped.size(), 1u);
  EXPECT_EQ(values.stopped.front().name, "f");
  EXPECT_THAT(values.stopped.front().Words(), HasSubstr("com.example.Foo"));
}

}  // namespace
}  // namespace qconform
