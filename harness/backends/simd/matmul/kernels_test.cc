#include "harness/backends/simd/matmul/kernels.h"

#include <gtest/gtest.h>

#include "harness/backends/simd/core/targets.h"

namespace qconform::simd {
namespace {

TEST(MatMulKernels, EachTarget_HasKernelsOfItsOwn) {
  for (const Target& target : CompiledTargets()) {
    ASSERT_NE(MatMulKernelsOf(target.bit), nullptr) << target.name;
    EXPECT_EQ(MatMulKernelsOf(target.bit)->target, target.bit) << target.name;
  }
}

}  // namespace
}  // namespace qconform::simd
