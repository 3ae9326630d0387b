#include "harness/runner/ask/parallel.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "oracle/base/shortage.h"

namespace qconform {
namespace {

const std::atomic<bool> kNever{false};

TEST(ForEachInParallel, EveryItem_IsDoneOnce) {
  for (const int jobs : {0, 1, 3}) {
    std::vector<std::atomic<int>> done(100);
    const auto all = ForEachInParallel(done.size(), jobs, kNever, [&](size_t i) {
      ++done[i];
      return Result<bool>(true);
    });
    EXPECT_TRUE(all.ok() && *all);
    for (const auto& times : done) EXPECT_EQ(times, 1);
  }
}

TEST(ForEachInParallel, AnErrorOrAnItemLeft_IsTold) {
  std::atomic<int> begun{0};
  const auto failed = ForEachInParallel(10, 1, kNever, [&](size_t i) -> Result<bool> {
    ++begun;
    if (i == 3) return Error{"the fourth"};
    return true;
  });
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().message, "the fourth");
  EXPECT_EQ(begun, 4);
  const auto left =
      ForEachInParallel(10, 1, kNever, [](size_t i) { return Result<bool>(i != 9); });
  EXPECT_TRUE(left.ok() && !*left);
}

// Stacks of threads take 8 MB of addresses each: a few are to be had here.
TEST(ForEachInParallel, FewerThreadsThanJobs_DoTheWork) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer's own addresses are beyond every limit";
#endif
  int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  if (pages == 0) GTEST_SKIP() << "the size of the process is not known";
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  rlimit narrow = before;
  narrow.rlim_cur = static_cast<rlim_t>(pages) * 4096 + (rlim_t{40} << 20);
  ASSERT_EQ(setrlimit(RLIMIT_AS, &narrow), 0);
  std::atomic<int> done{0};
  const auto all = ForEachInParallel(1000, 500, kNever, [&](size_t) {
    ++done;
    return Result<bool>(true);
  });
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_TRUE(all.ok() && *all);
  EXPECT_EQ(done, 1000);
}

// What the system does not give is tried again by those that are left.
TEST(ForEachInParallel, AShortage_CostsThreadsAndNoItem) {
  for (const bool is_memory : {false, true}) {
    std::atomic<int> at_work{0};
    std::vector<std::atomic<int>> done(200);
    std::string told;
    int times = 0;
    const auto all = ForEachInParallel(
        done.size(), 16, kNever,
        [&](size_t i) -> Result<bool> {
          struct Counted {
            std::atomic<int>& count;
            ~Counted() { --count; }
          } counted{at_work};
          if (++at_work > 3 && is_memory) throw std::bad_alloc();
          if (at_work > 3) throw ShortageOf("start a worker", EAGAIN);
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
          ++done[i];
          return true;
        },
        [&](const std::string& why) {
          told = why;
          ++times;
        });
    EXPECT_TRUE(all.ok() && *all);
    for (const auto& item : done) EXPECT_EQ(item, 1);
    EXPECT_EQ(times, 1);
    EXPECT_NE(told.find(is_memory ? "not enough memory" : "cannot start a worker"),
              std::string::npos)
        << told;
  }
}

TEST(ForEachInParallel, AShortageThatPasses_IsWaitedFor) {
  int tries = 0;
  const auto all = ForEachInParallel(3, 1, kNever, [&](size_t i) -> Result<bool> {
    if (i == 1 && ++tries < 3) throw std::bad_alloc();
    return true;
  });
  EXPECT_TRUE(all.ok() && *all);
}

TEST(ForEachInParallel, AShortageThatStays_IsThrownByTheLast) {
  std::atomic<int> done{0};
  const auto work = [&](size_t i) -> Result<bool> {
    if (i >= 20) throw ShortageOf("start a worker", EMFILE);
    ++done;
    return true;
  };
  EXPECT_THROW((void)ForEachInParallel(40, 4, kNever, work), Shortage);
  EXPECT_EQ(done, 20);
}

TEST(ForEachInParallel, AnyOtherException_IsThrownHere) {
  const auto work = [](size_t i) -> Result<bool> {
    if (i == 7) throw std::logic_error("a mistake");
    return true;
  };
  EXPECT_THROW((void)ForEachInParallel(100, 4, kNever, work), std::logic_error);
}

}  // namespace
}  // namespace qconform
