#include "harness/backends/simd/core/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <vector>

#include "harness/backends/simd/core/thread_share.h"

namespace qconform::simd {
namespace {

// Returns how often each of `parts` ran.
std::vector<int> RunOnce(int64_t parts) {
  std::vector<std::atomic<int>> runs(static_cast<size_t>(parts));
  InParts(parts, [&](int64_t part) { ++runs[static_cast<size_t>(part)]; });
  return {runs.begin(), runs.end()};
}

TEST(ThreadPool, EachPart_RunsOnce) {
  for (const int64_t parts : {1, 2, 3, 17, 255, 256, 257, 1000}) {
    EXPECT_EQ(RunOnce(parts), std::vector<int>(static_cast<size_t>(parts), 1)) << parts;
  }
}

// Calls work(begin, end) for the ranges of [0, n).
template <typename Work>
void InRanges(int64_t n, int64_t grain, int64_t threads, const Work& work) {
  const Work* const pointer = &work;
  Crew crew(threads - 1);
  crew.RunRanges(
      n, grain,
      [](const void* context, int64_t begin, int64_t end) {
        (**static_cast<const Work* const*>(context))(begin, end);
      },
      &pointer, sizeof(pointer));
}

TEST(ThreadPool, Ranges_AreAllOnce_AndBeginAtGrains) {
  for (const int64_t threads : {1, 2, 3, 7}) {
    for (const int64_t grain : {1, 7, 512}) {
      for (const int64_t n : {1, 6, 7, 8, 511, 512, 513, 40'000}) {
        std::vector<std::atomic<int>> runs(static_cast<size_t>(n));
        std::atomic<int> ragged = 0;
        InRanges(n, grain, threads, [&](int64_t begin, int64_t end) {
          ragged += begin != end && begin % grain != 0;
          for (int64_t i = begin; i < end; ++i) ++runs[static_cast<size_t>(i)];
        });
        EXPECT_EQ(std::vector<int>(runs.begin(), runs.end()),
                  std::vector<int>(static_cast<size_t>(n), 1))
            << n << " by " << grain << " on " << threads;
        EXPECT_EQ(ragged, 0);
      }
    }
  }
}

TEST(ThreadPool, ThreadThatIsLate_GetsLess) {
  using std::chrono::microseconds;
  using std::chrono::steady_clock;
  int64_t last = 0;
  int helped = 0;
  const std::thread::id caller = std::this_thread::get_id();
  for (int i = 0; i < 400; ++i) {
    std::atomic<bool> begun = false;
    InRanges(1'000'000, 1, 2, [&](int64_t begin, int64_t end) {
      if (std::this_thread::get_id() != caller) {
        begun = true;
        std::this_thread::sleep_for(microseconds(20));
      } else if (begin == 0) {
        last = end;
        const auto limit = steady_clock::now() + microseconds(500);
        while (!begun && steady_clock::now() < limit) {
        }
      }
    });
    helped += begun;
  }
  EXPECT_GT(helped, 0);
  EXPECT_GT(last, 700'000);
}

// A caller and a thread with this many ticks for a grain, whose offers need 400 ticks to
// arrive, and which are held up now and then.
class Pair {
 public:
  Pair(int64_t grains, int64_t callers, int64_t threads)
      : grains_(grains), callers_(callers), threads_(threads) {}

  // Returns the ticks until both have ended.
  int64_t Call() {
    const double part = static_cast<double>(Share::kEven) /
                        static_cast<double>(Share::kEven + share_.weight());
    const auto own = static_cast<int64_t>(static_cast<double>(grains_) * part + 0.5);
    const int64_t own_ticks = own * callers_ + Held();
    const int64_t end = 400 + (grains_ - own) * threads_ + Held();
    const int32_t before = share_.weight();
    if (share_.IsDue()) {
      share_.Learn({.ticks = own_ticks,
                    .grains = own,
                    .others = grains_ - own,
                    .late = end - own_ticks});
    }
    changes_ += share_.weight() != before;
    return std::max(own_ticks, end);
  }
  int changes() const { return changes_; }

 private:
  int64_t Held() { return ++calls_ % 19 == 0 ? 20'000 : calls_ * 7 % 40; }

  const int64_t grains_;
  const int64_t callers_;
  const int64_t threads_;
  Share share_;
  int64_t calls_ = 0;
  int changes_ = 0;
};

TEST(Share, BothEndAtTheSameTime_AndWhatIsWhoseStays) {
  struct Case {
    int64_t grains, callers, threads;
  };
  for (const Case& it : {Case{128, 30, 30}, Case{128, 30, 45}, Case{128, 45, 30},
                         Case{2048, 30, 90}, Case{16, 300, 300}, Case{16, 200, 500}}) {
    Pair pair(it.grains, it.callers, it.threads);
    for (int i = 0; i < 200; ++i) pair.Call();
    const int before = pair.changes();
    EXPECT_GT(before, 0);
    std::vector<int64_t> ticks;
    for (int i = 0; i < 1000; ++i) ticks.push_back(pair.Call());
    EXPECT_LE(pair.changes() - before, 2) << it.grains << ' ' << it.threads;
    std::nth_element(ticks.begin(), ticks.begin() + 500, ticks.end());
    // If grains could be cut, and for one that cannot.
    const double both = 1.0 / (1.0 / static_cast<double>(it.callers) +
                               1.0 / static_cast<double>(it.threads));
    const double least = static_cast<double>(it.grains) * both +
                         400.0 * static_cast<double>(it.callers) /
                             static_cast<double>(it.callers + it.threads);
    EXPECT_LT(static_cast<double>(ticks[500]),
              1.05 * least + static_cast<double>(std::max(it.callers, it.threads)))
        << it.grains << ' ' << it.threads;
  }
}

TEST(ThreadPool, PartsRunAtTheSameTime) {
  std::atomic<int> arrived = 0;
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  InParts(4, [&](int64_t) {
    ++arrived;
    while (arrived < 4 && std::chrono::steady_clock::now() < limit) {
      std::this_thread::yield();
    }
  });
  EXPECT_EQ(arrived, 4);
  EXPECT_LT(std::chrono::steady_clock::now(), limit);
}

// Calls at once after each other find helpers that spin; later ones wake them; long
// parts put the caller to sleep.
TEST(ThreadPool, EveryPace_IsServed) {
  for (int i = 0; i < 500; ++i) ASSERT_EQ(RunOnce(2), std::vector<int>(2, 1)) << i;
  for (int i = 0; i < 60; ++i) {
    std::this_thread::sleep_for(std::chrono::microseconds(4 * i));
    ASSERT_EQ(RunOnce(3), std::vector<int>(3, 1)) << i;
  }
  for (int i = 0; i < 10; ++i) {
    std::atomic<int64_t> sum = 0;
    InParts(3, [&](int64_t part) {
      std::this_thread::sleep_for(std::chrono::microseconds(200 * part));
      sum += part;
    });
    ASSERT_EQ(sum, 3) << i;
  }
}

// Each takes longer than the thread spins, and begins as the one before ends.
TEST(ThreadPool, LongCallsInARow_WakeTheThread) {
  RunOnce(2);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // now they sleep
  std::atomic<bool> helped = false;
  const auto caller = std::this_thread::get_id();
  const auto work = [&](int64_t, int64_t) {
    if (std::this_thread::get_id() != caller) helped = true;
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(200);
    while (std::chrono::steady_clock::now() < end) {
    }
  };
  const auto* const pointer = &work;
  for (int call = 0; call < 1000 && !helped; ++call) {
    Crew crew(1, false);
    crew.RunRanges(
        2, 1,
        [](const void* context, int64_t begin, int64_t end) {
          (**static_cast<decltype(work)* const*>(context))(begin, end);
        },
        &pointer, sizeof(pointer));
  }
  EXPECT_TRUE(helped);
}

TEST(ThreadPool, ManyCallers_DoNotMixTheirParts) {
  std::vector<std::thread> callers;
  std::atomic<int> wrong = 0;
  for (int caller = 0; caller < 6; ++caller) {
    callers.emplace_back([&, caller] {
      for (int i = 0; i < 60; ++i) {
        const int64_t parts = 1 + (i + caller) % 5;
        wrong += RunOnce(parts) != std::vector<int>(static_cast<size_t>(parts), 1);
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

TEST(ThreadPool, PartsOfAPart_AreServed) {
  std::atomic<int> inner = 0;
  InParts(3, [&](int64_t) { InParts(3, [&](int64_t) { ++inner; }); });
  EXPECT_EQ(inner, 9);
}

TEST(ThreadPool, ChildOfFork_HasThreadsOfItsOwn) {
  ASSERT_EQ(RunOnce(3), std::vector<int>(3, 1));
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20);  // a child that waits for its parent's threads waits for ever
    // exit() with its destructors, too, must not wait for them.
    std::exit(RunOnce(3) == std::vector<int>(3, 1) ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(RunOnce(3), std::vector<int>(3, 1));
}

}  // namespace
}  // namespace qconform::simd
