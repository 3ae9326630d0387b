#include "harness/backends/simd/core/thread_pool.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <utility>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#include <signal.h>
#endif

#include "harness/backends/simd/core/thread_helper.h"

namespace qconform::simd {
namespace {

#if defined(__unix__) || defined(__APPLE__)
// A program's signals are not for the helpers of a library, but for those that a
// thread brings upon itself.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS}) {
      sigdelset(&all, signal);
    }
    pthread_sigmask(SIG_SETMASK, &all, &saved_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &saved_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t saved_;
};
#else
struct SignalsBlocked {};
#endif

class Pool {
 public:
  static constexpr size_t kMost = 255;

  // Returns how many helpers there are for a caller that wants `wanted`.
  size_t Take(size_t wanted, Helper** helpers) {
    size_t taken = 0;
    const size_t count = count_.load(std::memory_order_acquire);
    for (size_t i = 0; i < count && taken < wanted; ++i) {
      if (all_[i]->Take()) helpers[taken++] = all_[i].get();
    }
    if (taken < wanted && count < kMost) taken += Add(wanted - taken, helpers + taken);
    return taken;
  }

  // False while a call is under way.
  bool IsFree() {
    const std::lock_guard lock(mutex_);
    const size_t count = count_.load(std::memory_order_relaxed);
    return std::none_of(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(count),
                        [](const auto& helper) { return helper->IsTaken(); });
  }

 private:
  // Starts new ones, and returns how many. They are taken.
  size_t Add(size_t wanted, Helper** helpers) {
    const std::lock_guard lock(mutex_);
    const SignalsBlocked blocked;
    size_t count = count_.load(std::memory_order_relaxed);
    size_t added = 0;
    for (; added < wanted && count < kMost; ++added) {
      try {
        all_[count] = std::make_unique<Helper>();
      } catch (const std::system_error&) {  // no more threads are to be had
        break;
      } catch (const std::bad_alloc&) {
        break;
      }
      helpers[added] = all_[count].get();
      count_.store(++count, std::memory_order_release);
    }
    return added;
  }

  std::mutex mutex_;  // of those that add
  std::atomic<size_t> count_{0};
  std::array<std::unique_ptr<Helper>, kMost> all_;
};

std::atomic<Pool*> pool = nullptr;
// The pool of the process that this one was forked from. It is kept, because its threads
// are not here to be joined, and reachable, so that it is not reported as a leak.
std::atomic<Pool*> parents_pool = nullptr;
// The pool that is in use at the end of the process, kept for the same reasons.
std::atomic<Pool*> left_pool = nullptr;

// Calls that have the pool's address, and may not yet hold the threads that they take.
std::atomic<int64_t> entering = 0;

// Runs when the library is unloaded, and at the end of the process, when other threads
// may still call.
struct PoolCloser {
  ~PoolCloser() {
    Pool* last = pool.exchange(nullptr);
    if (last == nullptr) return;
    // `pool` is empty now: a call that enters from here on makes another.
    if (entering == 0 && last->IsFree()) {
      delete last;
    } else {
      left_pool = last;
    }
  }
} closer;

Pool* ThePool() {
  Pool* now = pool.load();
  if (now != nullptr) return now;
#if defined(__unix__) || defined(__APPLE__)
  // A child has no thread of its parent, and a mutex in any state.
  static const int registered = pthread_atfork(nullptr, nullptr, [] {
    parents_pool = pool.exchange(nullptr);
    entering = 0;  // of the parent's other threads
  });
  if (registered != 0) return nullptr;
#endif
  std::unique_ptr<Pool> fresh;
  try {
    fresh = std::make_unique<Pool>();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  return pool.compare_exchange_strong(now, fresh.get()) ? fresh.release() : now;
}

size_t SizeOf(int64_t n) {
  const auto size = static_cast<size_t>(std::bit_width(static_cast<uint64_t>(n) >> 12));
  return std::min(size, kSizes - 1);
}

}  // namespace

Crew::Crew(int64_t wanted, bool is_worth_waking) {
  if (wanted <= 0) return;
  const auto most = static_cast<int64_t>(kMost);
  ++entering;
  Pool* const shared = ThePool();
  const size_t taken =
      shared == nullptr
          ? 0
          : shared->Take(static_cast<size_t>(std::min(wanted, most)), helpers_);
  --entering;
  held_ = taken;
  for (size_t i = 0; i < taken; ++i) {
    if (is_worth_waking || !helpers_[i]->IsBetterLeft()) {
      std::swap(helpers_[count_++], helpers_[i]);
    }
  }
}

Crew::~Crew() {
  for (size_t i = 0; i < held_; ++i) {
    if (i >= count_) helpers_[i]->WasLeft();
    helpers_[i]->GiveBack();
  }
}

void Crew::RunRanges(int64_t n, int64_t grain, RangeFunction function,
                     const void* context, size_t size) {
  if (count_ == 0) return function(context, 0, n);
  const size_t kind = SizeOf(n);
  int64_t all = Share::kEven;
  bool is_due = false;
  for (size_t i = 0; i < count_; ++i) {
    Share& share = helpers_[i]->ShareOf(kind);
    all += share.weight();
    is_due |= share.IsDue();
  }
  // Returns the grain up to which the weights `before` of `all` reach.
  const int64_t grains = (n + grain - 1) / grain;
  const double each = static_cast<double>(grains) / static_cast<double>(all);
  const auto bound = [&](int64_t before) {
    return before == all ? grains
                         : static_cast<int64_t>(each * static_cast<double>(before) + 0.5);
  };
  const auto at = [&](int64_t index) { return std::min(index * grain, n); };
  // Calls part(helper, first grain, last) for each helper.
  const auto for_each_part = [&](const auto& part) {
    int64_t before = Share::kEven;
    for (size_t i = 0; i < count_; ++i) {
      const int64_t first = bound(before);
      before += helpers_[i]->ShareOf(kind).weight();
      part(i, first, bound(before));
    }
  };
  for_each_part([&](size_t i, int64_t first, int64_t last) {
    helpers_[i]->Start(function, context, size, at(first), at(last));
  });
  const int64_t own = bound(Share::kEven);
  const int64_t start = is_due ? Ticks() : 0;
  function(context, 0, at(own));
  const int64_t end = is_due ? Ticks() : 0;
  bool was_late[kMost];
  for (size_t i = 0; i < count_; ++i) was_late[i] = !helpers_[i]->IsDone();
  for_each_part([&](size_t i, int64_t first, int64_t last) {
    Helper& helper = *helpers_[i];
    Share::Call call = {.ticks = end - start, .grains = own, .others = last - first};
    if (was_late[i] && helper.TakeBack()) {
      function(context, at(first), at(last));
      call.late = call.ticks;
    } else {
      if (was_late[i]) helper.Finish();
      // Clocks of two CPUs may differ: the order that was seen counts.
      const int64_t late = helper.ended() - end;
      call.late = was_late[i] ? std::max<int64_t>(late, 0) : std::min<int64_t>(late, 0);
    }
    if (is_due) helper.ShareOf(kind).Learn(call);
  });
}

void RunParts(int64_t parts, RangeFunction function, const void* context) {
  const Crew crew(parts - 1);
  const auto own = static_cast<int64_t>(crew.count_);
  for (int64_t i = 0; i < own; ++i) {
    crew.helpers_[i]->Start(function, context, 0, i + 1, i + 2);
  }
  function(context, 0, 1);
  for (int64_t part = own + 1; part < parts; ++part) function(context, part, part + 1);
  // What a busy machine has not let them begin.
  for (int64_t i = 0; i < own; ++i) {
    Helper& helper = *crew.helpers_[i];
    helper.TakeBack() ? function(context, i + 1, i + 2) : helper.Finish();
  }
}

}  // namespace qconform::simd
