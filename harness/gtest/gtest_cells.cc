#include "harness/gtest/gtest_cells.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cctype>
#include <exception>
#include <memory>
#include <utility>

#include "harness/runner/runner.h"
#include "harness/runner/selection.h"
#include "reports/verdict.h"

namespace qconform {
namespace {

class FunctionPrepared : public PreparedModel {
 public:
  FunctionPrepared(Model model, const KernelFunction& kernel)
      : model_(std::move(model)), kernel_(kernel) {}

  RunResult Run(std::span<const TensorView> inputs) override {
    const auto operands = ResolveOperands(model_, inputs);
    if (!operands)
      return BackendError{BackendError::Kind::kFailed, operands.error().message};
    try {
      return kernel_(model_, *operands);
    } catch (const std::exception& exception) {
      return BackendError{
          BackendError::Kind::kFailed,
          std::string("the kernel threw an exception: ") + exception.what()};
    }
  }

 private:
  Model model_;
  const KernelFunction& kernel_;
};

class FunctionBackend : public Backend {
 public:
  explicit FunctionBackend(const KernelFunction& kernel) : kernel_(kernel) {}
  const BackendInfo& info() const override { return info_; }
  PrepareResult Prepare(const Model& model) override {
    return std::make_unique<FunctionPrepared>(model, kernel_);
  }

 private:
  BackendInfo info_{.kind = "function",
                    .name = "function",
                    .version = "",
                    .vendor = "",
                    .device = "",
                    .details = {}};
  const KernelFunction& kernel_;
};

Result<std::vector<CellRecord>> RunSelected(std::vector<SelectedCell> cells,
                                            const KernelFunction& kernel,
                                            const CellTestOptions& options) {
  FunctionBackend backend(kernel);
  RunRequest request;
  request.cells = std::move(cells);
  request.level = options.level;
  request.seed = options.seed;
  request.replay = {"BACKEND", {}, options.seed};
  std::vector<CellRecord> records;
  const std::atomic<bool> stop{false};
  const auto all = RunCells(
      backend, request, [&](CellRecord record) { records.push_back(std::move(record)); },
      stop);
  if (!all) return all.error();
  return records;
}

class CellTest : public testing::Test {
 public:
  CellTest(SelectedCell cell, const KernelFunction& kernel,
           const CellTestOptions& options)
      : cell_(std::move(cell)), kernel_(kernel), options_(options) {}

  void TestBody() override {
    const auto records = RunSelected({cell_}, kernel_, options_);
    ASSERT_TRUE(records.ok()) << records.error().message;
    ASSERT_EQ(records->size(), 1u);
    const CellRecord& record = records->front();
    if (IsPass(record.verdict)) return;
    if (record.verdict == Verdict::kUnsupported) GTEST_SKIP() << record.reason;
    ADD_FAILURE() << DescribeDeviation(record);
  }

 private:
  SelectedCell cell_;
  const KernelFunction& kernel_;
  const CellTestOptions& options_;
};

std::string TestName(const std::string& id) {
  std::string name;
  for (const char c : id) {
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  return name;
}

}  // namespace

std::string DescribeDeviation(const CellRecord& record) {
  std::string text = record.cell + " is " + std::string(VerdictName(record.verdict));
  if (!record.reason.empty()) text += ": " + record.reason;
  for (const Counterexample& example : record.counterexamples) {
    text += "\n  case " + example.case_id;
    if (!example.message.empty()) text += "\n    " + example.message;
    for (const auto& operand : example.operands) {
      text += "\n    " + operand.name + " = " + operand.value.bits + " (" +
              operand.value.value + ")";
    }
    if (!example.expected.bits.empty()) {
      text += "\n    y" + ShapeToString(example.index.value_or(Shape())) + ": expected " +
              example.expected.bits + " (" + example.expected.value + "), actual " +
              example.actual.bits + " (" + example.actual.value + ")  " + example.clause;
    }
  }
  return text;
}

Result<std::vector<CellRecord>> RunCellsOn(const std::vector<std::string>& patterns,
                                           const KernelFunction& kernel,
                                           const CellTestOptions& options) {
  auto cells = SelectCells(patterns);
  if (!cells) return cells.error();
  return RunSelected(*std::move(cells), kernel, options);
}

Status RegisterCellTests(const std::vector<std::string>& patterns, KernelFunction kernel,
                         const CellTestOptions& options) {
  const auto cells = SelectCells(patterns);
  if (!cells) return cells.error();
  // They live as long as the tests that refer to them: to the end of the process.
  struct Shared {
    KernelFunction kernel;
    CellTestOptions options;
  };
  auto* const shared = new Shared{std::move(kernel), options};
  for (const SelectedCell& cell : *cells) {
    testing::RegisterTest(shared->options.suite.c_str(),
                          TestName(CellId(cell.cell)).c_str(), nullptr, nullptr, __FILE__,
                          __LINE__, [cell, shared]() -> testing::Test* {
                            return new CellTest(cell, shared->kernel, shared->options);
                          });
  }
  return Ok();
}

}  // namespace qconform
