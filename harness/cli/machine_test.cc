#include "harness/cli/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qconform {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CpuFeatures_Test, OfKernels_AreKeptAndSorted) {
  EXPECT_THAT(CpuFeatures("fpu vme sse4_1 fma avx2 avx512_vnni rdseed"),
              ElementsAre("avx2", "avx512_vnni", "fma", "sse4_1"));
  EXPECT_THAT(CpuFeatures("fp asimd evtstrm i8mm sve"),
              ElementsAre("asimd", "i8mm", "sve"));
  EXPECT_THAT(CpuFeatures("unknown"), IsEmpty());
}

}  // namespace
}  // namespace qconform
