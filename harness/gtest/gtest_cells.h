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

#include <string>
#include <vector>

#include "harness/gtest/cell_runs.h"

namespace qconform {

// Registers a test for each cell whose id matches one of `patterns`; its name is the
// id with underscores for what GoogleTest does not take. An Error names a pattern
// that matches nothing. Call it before RUN_ALL_TESTS.
Status RegisterCellTests(const std::vector<std::string>& patterns, KernelFunction kernel,
                         const CellTestOptions& options = {});

}  // namespace qconform

#endif  // QCONFORM_HARNESS_GTEST_GTEST_CELLS_H_
