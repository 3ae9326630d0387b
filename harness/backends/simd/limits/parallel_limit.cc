#include "harness/backends/simd/limits/parallel_limit.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

#include "harness/backends/simd/core/copy_limit.h"
#include "harness/backends/simd/core/stores.h"
#include "harness/backends/simd/limits/clock.h"

namespace qconform::simd {
namespace {

// Eight independent chains: what the multipliers of a core can do.
void Multiply(int64_t turns) {
  uint64_t chains[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  for (int64_t i = 0; i < turns; ++i) {
    for (uint64_t& chain : chains) chain = chain * 6364136223846793005u + 1;
  }
  uint64_t sum = 0;
  for (const uint64_t chain : chains) sum ^= chain;
  volatile uint64_t used = sum;
  static_cast<void>(used);
}

}  // namespace

void Gather(int threads) {
  const double limit = WallSeconds() + 0.02;
  std::atomic<int> here = 0;
  std::atomic<bool> all = false;
  do {
    OnKernelThreads(threads, [&](int) {
      const double patience = WallSeconds() + 0.001;
      if (++here == threads) all = true;
      while (!all && WallSeconds() < patience) {
      }
      --here;  // parts that run one after the other do not meet
    });
  } while (!all && WallSeconds() < limit);
}

double TimeCopyLimit(int64_t calls, int threads, bool by_wall, const Tensor& x,
                     Tensor& y) {
  const Stores stores = StoresFor(x.data.size() + y.data.size());
  const auto of = [&](size_t bytes, int at) {
    return bytes / static_cast<size_t>(threads) * static_cast<size_t>(at);
  };
  if (threads > 1) Gather(threads);
  const auto now = by_wall || threads > 1 ? WallSeconds : ThreadSeconds;
  const double start = now();
  OnKernelThreads(threads, [&](int part) {
    for (int64_t i = 0; i < calls; ++i) {
      CopyLimit(x.data.data() + of(x.data.size(), part), of(x.data.size(), 1),
                y.data.data() + of(y.data.size(), part), of(y.data.size(), 1), stores);
    }
  });
  return (now() - start) / static_cast<double>(calls);
}

double RegisterSpeedup(int threads) {
  constexpr int64_t kTurns = 100'000;
  const auto time = [](int count) {
    const double start = WallSeconds();
    OnKernelThreads(count, [](int) { Multiply(kTurns); });
    return WallSeconds() - start;
  };
  const double one = time(1);
  Gather(threads);
  return one / time(threads) * threads;
}

double LeastTogether(const std::vector<double>& of_all, double round_trip) {
  if (of_all.empty()) return 0;
  double speed = 0, speed_of_helpers = 0;  // calls a second
  for (size_t i = 0; i < of_all.size(); ++i) {
    speed += 1 / of_all[i];
    if (i != 0) speed_of_helpers += 1 / of_all[i];
  }
  return std::min(of_all[0], (1 + speed_of_helpers * round_trip) / speed);
}

double LineRoundTrip(int threads) {
  constexpr int kTrips = 200, kTurns = 5;
  struct alignas(128) Line {  // some CPUs fetch two at once
    std::atomic<int> value = 0;
  };
  Line there, back;
  std::atomic<bool> too_late = false;
  std::vector<double> seconds;
  Gather(threads);
  const double limit = WallSeconds() + 0.02;
  // The clock is asked seldom: it takes time that is to be measured.
  const auto await = [&](const Line& line, int value) {
    for (int i = 1; line.value.load(std::memory_order_acquire) < value; ++i) {
      if (i % 4096 == 0 && WallSeconds() > limit) too_late = true;
      if (too_late.load(std::memory_order_relaxed)) return;
    }
  };
  OnKernelThreads(threads, [&](int part) {
    for (int turn = 0; turn < kTurns && part < 2; ++turn) {
      const double start = WallSeconds();
      for (int i = turn * kTrips + 1; i <= (turn + 1) * kTrips; ++i) {
        if (part == 0) there.value.store(i, std::memory_order_release);
        await(part == 0 ? back : there, i);
        if (part == 1) back.value.store(i, std::memory_order_release);
      }
      if (part == 0) seconds.push_back((WallSeconds() - start) / kTrips);
    }
  });
  if (too_late || seconds.empty()) return 0;
  std::ranges::nth_element(seconds, seconds.begin() + kTurns / 2);
  return seconds[kTurns / 2];
}

}  // namespace qconform::simd
