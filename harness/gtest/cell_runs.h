// The cells of a function that computes an operator: what qconform::gtest makes tests
// of. Nothing here knows of GoogleTest: installed, it lies in a shared library, beside
// whatever GoogleTest the test binary has.
#ifndef QCONFORM_HARNESS_GTEST_CELL_RUNS_H_
#define QCONFORM_HARNESS_GTEST_CELL_RUNS_H_

#include <functional>
#include <string>
#include <vector>

#include "cases/core/case.h"
#include "harness/backends/backend.h"
#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"
#include "reports/record/record.h"

namespace qconform {

// Computes the outputs of model.node, or says Unsupported, Refused or BackendError.
// `operands` are in the order of the operator's schema, constants among them;
// nothing where one is left out. What it throws is a BackendError.
using KernelFunction =
    std::function<RunResult(const Model& model, const Operands& operands)>;

struct CellTestOptions {
  Level level = Level::kSmoke;
  uint64_t seed = 1;
  std::string suite = "Qconform";  // GoogleTest's name of the test suite
};

// The ids of the cells that match one of `patterns`, in their order. An Error names a
// pattern that matches nothing.
Result<std::vector<std::string>> CellIdsOf(const std::vector<std::string>& patterns);

// The records of the cells that match, in their order.
Result<std::vector<CellRecord>> RunCellsOn(const std::vector<std::string>& patterns,
                                           const KernelFunction& kernel,
                                           const CellTestOptions& options = {});

// Whether the cell's verdict is a pass.
bool PassesCell(const CellRecord& record);

// What a failed test prints: the verdict, its reason, counterexamples in bits.
std::string DescribeDeviation(const CellRecord& record);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_GTEST_CELL_RUNS_H_
