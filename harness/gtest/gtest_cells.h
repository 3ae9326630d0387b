// For the author of a kernel: one GoogleTest per cell of a function in a test
// binary of one's own, so that a debugger and the sanitizers see the kernel.
//
//   int main(int argc, char** argv) {
//     testing::InitGoogleTest(&argc, argv);
//     const qconform::Status registered =
//         qconform::RegisterCellTests({"QuantizeLinear/21/FLOAT-*"}, MyKernel);
//     if (!registered) return 2;
//     return RUN_ALL_TESTS();
//   }
//
// A test passes where its cell is conformant or admissible, is skipped where the
// kernel declines every case, and fails with the first counterexamples otherwise.
#ifndef QCONFORM_HARNESS_GTEST_GTEST_CELLS_H_
#define QCONFORM_HARNESS_GTEST_GTEST_CELLS_H_

#include <functional>
#include <string>
#include <vector>

#include "cases/generators/case.h"
#include "harness/backends/backend.h"
#include "harness/backends/operands.h"
#include "oracle/tensor/result.h"
#include "reports/record.h"

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

// Registers a test for each cell whose id matches one of `patterns`; its name is the
// id with underscores for what GoogleTest does not take. An Error names a pattern
// that matches nothing. Call it before RUN_ALL_TESTS.
Status RegisterCellTests(const std::vector<std::string>& patterns, KernelFunction kernel,
                         const CellTestOptions& options = {});

// What one such test does: the records of the cells that match, in their order.
Result<std::vector<CellRecord>> RunCellsOn(const std::vector<std::string>& patterns,
                                           const KernelFunction& kernel,
                                           const CellTestOptions& options = {});

// What a failed test prints: the verdict, its reason, counterexamples in bits.
std::string DescribeDeviation(const CellRecord& record);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_GTEST_GTEST_CELLS_H_
