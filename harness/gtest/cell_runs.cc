#include "harness/gtest/cell_runs.h"

#include <atomic>
#include <exception>
#include <memory>
#include <utility>

#include "harness/core/operands.h"
#include "harness/runner/runner.h"
#include "harness/runner/selection.h"
#include "reports/record/evidence.h"
#include "reports/record/verdict.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

class FunctionPrepared : public PreparedModel {
 public:
  FunctionPrepared(Model model, const KernelFunction& kernel)
      : model_(std::move(model)), kernel_(kernel) {}

  RunResult Run(std::span<const TensorView> inputs) override {
    const auto operands = ResolveOperands(model_, inputs);
    if (!operands) return HarnessFailed(operands.error());
    try {
      return kernel_(model_, *operands);
    } catch (const std::exception& exception) {
      return BackendError{
          BackendError::Kind::kFailed,
          std::string("the kernel threw an exception: ") + exception.what()};
    } catch (...) {
      return BackendError{BackendError::Kind::kFailed, "the kernel threw an exception"};
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
  RunCells(
      backend, request, [&](CellRecord record) { records.push_back(std::move(record)); },
      stop);
  return records;
}

}  // namespace

Result<std::vector<std::string>> CellIdsOf(const std::vector<std::string>& patterns) {
  const auto cells = SelectCells(patterns);
  if (!cells) return cells.error();
  std::vector<std::string> ids;
  for (const SelectedCell& cell : *cells) ids.push_back(CellId(cell.cell));
  return ids;
}

bool PassesCell(const CellRecord& record) { return IsPass(record.verdict); }

std::string DescribeDeviation(const CellRecord& record) {
  std::string text = record.cell + " is " + std::string(VerdictName(record.verdict));
  if (!record.reason.empty()) text += ": " + OneLine(record.reason);
  for (const std::string& sentence : DiagnosisSentences(record))
    text += "\n  " + OneLine(sentence);
  for (const Counterexample& example : record.counterexamples) {
    text += "\n  case " + example.case_id;
    if (!example.message.empty()) text += "\n    " + OneLine(example.message);
    for (const auto& operand : example.operands) {
      text += "\n    " + OneLine(operand.name) + " = " + operand.value.bits + " (" +
              operand.value.value + ")";
    }
    if (!example.expected.bits.empty()) {
      text += "\n    y" + ShapeToString(example.index.value_or(Shape())) + ": expected " +
              example.expected.bits + " (" + example.expected.value + "), actual " +
              example.actual.bits + " (" + example.actual.value + ")  " + example.clause;
    }
    for (const std::string& line : WorkedLines(example, WorkedModelName(record))) {
      text += "\n      " + OneLine(line);
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

}  // namespace qconform
