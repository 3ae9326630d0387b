// Registers tests of the oracle as a kernel, and judges wrong kernels besides.
#include "harness/gtest/gtest_cells.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "harness/backends/oracle/oracle_backend.h"

namespace qconform {
namespace {

using testing::HasSubstr;

RunResult Right(const Model& model, const Operands& operands) {
  const auto oracle = MakeOracleBackend();
  auto prepared = oracle->Prepare(model);
  auto* ready = std::get_if<std::unique_ptr<PreparedModel>>(&prepared);
  if (ready == nullptr) return Unsupported{"the oracle declines", ""};
  // The oracle wants the fed ones again: those that are inputs of the graph.
  std::vector<TensorView> inputs;
  for (const ValueInfo& input : model.inputs) {
    for (size_t i = 0; i < model.node.inputs.size(); ++i) {
      if (model.node.inputs[i] == input.name) inputs.push_back(*operands[i]);
    }
  }
  return (*ready)->Run(inputs);
}

constexpr const char* kCells = "QuantizeLinear/10/FLOAT-*";

TEST(RunCellsOn, ARightKernel_Passes) {
  const auto records = RunCellsOn({kCells}, Right);
  ASSERT_TRUE(records.ok()) << records.error().message;
  ASSERT_EQ(records->size(), 2u);
  for (const CellRecord& record : *records)
    EXPECT_EQ(record.verdict, Verdict::kConformant);
}

TEST(RunCellsOn, AWrongBit_IsDescribedInBits) {
  const auto records =
      RunCellsOn({kCells}, [](const Model& model, const Operands& operands) {
        RunResult result = Right(model, operands);
        Tensor& y = std::get<Outputs>(result).front();
        for (std::byte& byte : y.data) byte ^= std::byte{1};
        return result;
      });
  ASSERT_TRUE(records.ok());
  EXPECT_EQ(records->front().verdict, Verdict::kNonconformant);
  const std::string text = DescribeDeviation(records->front());
  EXPECT_THAT(
      text, HasSubstr("QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor is nonconformant"));
  EXPECT_THAT(text, HasSubstr("expected 0x"));
  EXPECT_THAT(text, HasSubstr("y_scale = 0x"));
}

TEST(RunCellsOn, AThrowingKernel_IsNamed) {
  const auto records =
      RunCellsOn({kCells}, [](const Model&, const Operands&) -> RunResult {
        throw std::runtime_error("out of luck");
      });
  ASSERT_TRUE(records.ok());
  EXPECT_EQ(records->front().verdict, Verdict::kFailed);
  EXPECT_THAT(DescribeDeviation(records->front()), HasSubstr("out of luck"));
}

TEST(RunCellsOn, AKernelThatThrowsWhatIsNoException_IsNamed) {
  const auto records =
      RunCellsOn({kCells}, [](const Model&, const Operands&) -> RunResult { throw 42; });
  ASSERT_TRUE(records.ok());
  EXPECT_EQ(records->front().verdict, Verdict::kFailed);
  EXPECT_THAT(DescribeDeviation(records->front()),
              HasSubstr("the kernel threw an exception"));
}

TEST(RegisterCellTests, APatternThatMatchesNothing_IsAnError) {
  EXPECT_FALSE(RegisterCellTests({"QuantiseLinear/*"}, Right).ok());
}

}  // namespace
}  // namespace qconform

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const auto registered =
      qconform::RegisterCellTests({"QuantizeLinear/19/FLOAT-*"}, qconform::Right);
  if (!registered) return 2;
  // So that the registered tests are there, and not only those above.
  if (testing::UnitTest::GetInstance()->total_test_count() != 5 + 12) return 3;
  return RUN_ALL_TESTS();
}
