#include "harness/backends/crash_report.h"

#include <gtest/gtest.h>

#include <array>
#include <csignal>

namespace qconform {
namespace {

alignas(4096) std::array<std::byte, 3 * 4096> memory{};

const std::byte* const kX = memory.data() + 4096;
const std::array kTensors = {
    CalledTensor{"x", {kX, 64}},
    CalledTensor{"y", {kX + 1024, 16}, true},
};

std::string PlaceOf(int64_t offset, Access access = Access::kReads) {
  const auto address = reinterpret_cast<uintptr_t>(kX) + static_cast<uintptr_t>(offset);
  return CrashPlaceText(address, access, kTensors);
}

TEST(CrashPlaceText, NearATensor_SaysWhichSideOfWhichOne) {
  EXPECT_EQ(PlaceOf(64), "reads byte 64 of the input x, behind its end (64 bytes)");
  EXPECT_EQ(PlaceOf(80), "reads byte 80 of the input x, behind its end (64 bytes)");
  EXPECT_EQ(PlaceOf(-4), "reads 4 bytes before the start of the input x (64 bytes)");
  EXPECT_EQ(PlaceOf(3, Access::kWrites), "writes byte 3 of the input x");
  EXPECT_EQ(PlaceOf(1040, Access::kWrites),
            "writes byte 16 of the output y, behind its end (16 bytes)");
  EXPECT_EQ(PlaceOf(1020, Access::kUnknown),
            "touches 4 bytes before the start of the output y (16 bytes)");
}

TEST(CrashPlaceText, NearNoTensor_SaysTheAddress) {
  EXPECT_EQ(CrashPlaceText(0, Access::kReads, kTensors),
            "reads address 0x0, a null pointer");
  EXPECT_EQ(CrashPlaceText(0x123450000, Access::kWrites, {}),
            "writes address 0x123450000, next to no tensor");
}

// The process ends by the signal, so that whoever waits for it sees which one it was.
TEST(ReportCrashes, ACrash_SaysWhereAndEndsTheProcessByItsSignal) {
  const auto crash = [] {
    ReportCrashes();
    const TensorsOfCall call(kTensors);
    *static_cast<volatile int*>(nullptr) = 1;
  };
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer has a handler of its own";
#else
  EXPECT_EXIT(crash(), testing::KilledBySignal(SIGSEGV),
              "crash: SIGSEGV: (writes|touches) address 0x0, a null pointer, in ");
  EXPECT_EXIT(
      {
        ReportCrashes();
        raise(SIGFPE);
      },
      testing::KilledBySignal(SIGFPE), "crash: SIGFPE: a process sent it");
#endif
}

}  // namespace
}  // namespace qconform
