#include "harness/backends/simd/thread_pool.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#if defined(__linux__)
#include <sched.h>
#endif
#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#include <signal.h>
#endif

#include "harness/backends/simd/prefetch.h"
#include "hwy/cache_control.h"

namespace qconform::simd {
namespace {

// Work of so many sizes has shares of its own.
constexpr size_t kSizes = 16;

// About as long as it takes to wake a thread.
constexpr std::chrono::microseconds kWorthSpinning(50);
// Longer than a store takes to become visible to other cores.
constexpr std::chrono::microseconds kStoreIsVisible(5);

// Two cache lines: some CPUs fetch them in pairs.
constexpr size_t kApart = 2 * kLine;

#if defined(__linux__)
int CurrentCpu() { return sched_getcpu(); }

// Moves this thread from `cpu` to another that it may run on; later it may be anywhere.
void LeaveCpu(int cpu) {
  cpu_set_t all;
  if (sched_getaffinity(0, sizeof(all), &all) != 0 || cpu < 0 || cpu >= CPU_SETSIZE) {
    return;
  }
  cpu_set_t others = all;
  CPU_CLR(cpu, &others);
  if (CPU_COUNT(&others) == 0) return;
  sched_setaffinity(0, sizeof(others), &others);
  sched_setaffinity(0, sizeof(all), &all);
}
#else
int CurrentCpu() { return -1; }
void LeaveCpu(int) {}
#endif

// Calls done() until it is true, for `most` or a little longer.
template <typename Done>
bool SpinUntil(std::chrono::microseconds most, const Done& done) {
  const auto start = std::chrono::steady_clock::now();
  do {
    for (int i = 0; i < 64; ++i) {
      if (done()) return true;
      hwy::Pause();
    }
  } while (std::chrono::steady_clock::now() - start < most);
  return false;
}

// How much of some work a thread does beside a caller who does kEven of it.
class Share {
 public:
  static constexpr int32_t kEven = 1 << 10;

  int32_t weight() const { return weight_; }
  // One time says little: threads are held up now and then.
  void Learn(bool was_late) {
    lean_ += was_late ? -1 : 1;
    if (lean_ > -kTimes && lean_ < kTimes) return;
    const int32_t step = lean_ < 0 ? -weight_ / 32 : weight_ / 32;
    weight_ = std::clamp(weight_ + step, kEven / 4, kEven * 4);
    lean_ = 0;
  }

 private:
  static constexpr int32_t kTimes = 3;

  int32_t weight_ = kEven;
  int32_t lean_ = 0;
};

}  // namespace

// One thread, and what it says and hears. A cache line needs 50 to 200 ns from one core
// to another, which is a part of the time of small calls. So each side has a line of its
// own, which the other only reads; and neither waits for its stores to arrive.
//
// Offers are counted. Whoever moves claimed_ to an offer's number has it: the thread,
// or the caller who takes it back.
class Helper {
 public:
  Helper() : thread_([this] { Loop(); }) {}
  // Precondition: no part is under way.
  ~Helper() {
    function_ = nullptr;
    offered_.store(++last_, std::memory_order_seq_cst);
    Wake();
    thread_.join();
  }
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

  // The thread gets a copy of `size` bytes of context, or where that is 0 the pointer.
  void Start(RangeFunction function, const void* context, size_t size, int64_t begin,
             int64_t end) {
    if (size != 0) std::memcpy(copy_, context, size);
    function_ = function;
    context_ = context;
    size_ = size;
    cpu_.store(CurrentCpu(), std::memory_order_relaxed);
    begin_ = begin;
    end_ = end;
    offered_.store(++last_, std::memory_order_release);
    // This may be read before the store is visible: AwaitOffer() knows. If it were missed
    // nonetheless, the part would be taken back.
    if (asleep_.load(std::memory_order_relaxed) != 0) Wake();
  }

  // Returns whether a call that is not worth waking it had better go on without it,
  // because none ended a moment ago that did so. Its caller holds it.
  bool IsBetterLeft() const {
    return asleep_.load(std::memory_order_relaxed) != 0 &&
           std::chrono::steady_clock::now() - left_until_ > kWorthSpinning;
  }
  // To be called at the end of such a call.
  void WasLeft() { left_until_ = std::chrono::steady_clock::now(); }

  // Returns whether it is the caller's now. A load is cheaper where it is not.
  bool Take() {
    return !is_taken_.load(std::memory_order_relaxed) &&
           !is_taken_.exchange(true, std::memory_order_acquire);
  }
  void GiveBack() {
    for (size_t i = 0; i < size_; i += kLine) WillWrite(copy_ + i);
    is_taken_.store(false, std::memory_order_release);
  }
  bool IsTaken() const { return is_taken_.load(std::memory_order_acquire); }

  // Its share of work of a size, one of kSizes.
  Share& ShareOf(size_t size) { return shares_[size]; }

  bool IsDone() const {
    return progress_.load(std::memory_order_acquire) == last_ * kPhases + kDone;
  }

  // Returns whether the thread has not begun the part, and will not.
  bool TakeBack() {
    const uint64_t progress = progress_.load(std::memory_order_acquire);
    return progress != last_ * kPhases + kBegun && progress != last_ * kPhases + kDone &&
           Claim(last_);
  }

  // Returns when the part is done. Precondition: it was not taken back, but that was
  // tried.
  void Finish() {
    if (SpinUntil(kWorthSpinning, [&] { return IsDone(); })) return;
    while (!IsDone()) {
      uint64_t progress = last_ * kPhases + kBegun;
      const uint64_t awaited = last_ * kPhases + kAwaited;
      if (progress_.compare_exchange_strong(progress, awaited,
                                            std::memory_order_acq_rel) ||
          progress == awaited) {
        progress_.wait(awaited, std::memory_order_acquire);
      }
    }
  }

 private:
  // Of progress_, which is number * kPhases + phase.
  static constexpr uint64_t kDone = 0, kBegun = 1, kAwaited = 2, kPhases = 4;

  bool Claim(uint64_t number) {
    uint64_t before = number - 1;
    return claimed_.compare_exchange_strong(before, number, std::memory_order_acq_rel);
  }

  void Wake() {
    if (asleep_.exchange(0, std::memory_order_seq_cst) != 0) asleep_.notify_one();
  }

  // Returns when the last offer is another than `seen`.
  void AwaitOffer(uint64_t seen) {
    const auto has_offer = [&] {
      return offered_.load(std::memory_order_acquire) != seen;
    };
    if (SpinUntil(kWorthSpinning, has_offer)) return;
    asleep_.store(1, std::memory_order_seq_cst);
    // Who did not see that has made an offer that will be seen here.
    if (SpinUntil(kStoreIsVisible, has_offer)) {
      asleep_.store(0, std::memory_order_relaxed);
      return;
    }
    while (asleep_.load(std::memory_order_acquire) != 0) {
      asleep_.wait(1, std::memory_order_acquire);
    }
  }

  void Loop() {
    for (uint64_t seen = 0;;) {
      AwaitOffer(seen);
      seen = offered_.load(std::memory_order_acquire);
      // Systems wake a thread on the caller's CPU now and then, and leave it there for
      // many milliseconds, with others idle.
      const int cpu = cpu_.load(std::memory_order_relaxed);
      const bool in_the_way = cpu >= 0 && cpu == CurrentCpu();
      if (!Claim(seen)) {  // taken back
        if (in_the_way) LeaveCpu(cpu);
        continue;
      }
      if (function_ == nullptr) return;
      progress_.store(seen * kPhases + kBegun, std::memory_order_release);
      if (size_ == 0) {
        function_(context_, begin_, end_);
      } else {
        alignas(kLine) std::byte own[Crew::kContextBytes];
        std::memcpy(own, copy_, size_);  // all of its lines at once
        function_(own, begin_, end_);
      }
      if (progress_.exchange(seen * kPhases + kDone, std::memory_order_acq_rel) ==
          seen * kPhases + kAwaited) {
        progress_.notify_one();
      }
      if (in_the_way) LeaveCpu(cpu);
    }
  }

  // Written by whoever holds the helper, or tries to.
  alignas(kApart) std::atomic<bool> is_taken_{true};  // by whom it is made for
  std::array<Share, kSizes> shares_;
  std::chrono::steady_clock::time_point left_until_;
  alignas(kApart) std::atomic<uint64_t> offered_{0};
  uint64_t last_ = 0;  // the same
  RangeFunction function_ = nullptr;
  const void* context_ = nullptr;
  size_t size_ = 0;  // of copy_
  int64_t begin_ = 0;
  int64_t end_ = 0;
  std::atomic<int> cpu_{-1};  // of whoever holds it
  alignas(kApart) std::byte copy_[Crew::kContextBytes];
  // Written by the thread; and by others where they sleep or wake it.
  alignas(kApart) std::atomic<uint64_t> progress_{0};
  std::atomic<uint32_t> asleep_{0};
  // Written by the thread; and by others where they take an offer back.
  alignas(kApart) std::atomic<uint64_t> claimed_{0};
  std::thread thread_;  // last: it reads what is above
};

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

// At the end of the process, and where the library is unloaded.
struct PoolCloser {
  ~PoolCloser() {
    Pool* last = pool.exchange(nullptr);
    if (last != nullptr && last->IsFree()) delete last;
  }
} closer;

Pool* ThePool() {
  Pool* now = pool.load(std::memory_order_acquire);
  if (now != nullptr) return now;
#if defined(__unix__) || defined(__APPLE__)
  // A child has none of its parent's threads, and a mutex in any state.
  static const int registered =
      pthread_atfork(nullptr, nullptr, [] { pool.store(nullptr); });
  if (registered != 0) return nullptr;
#endif
  auto fresh = std::make_unique<Pool>();
  return pool.compare_exchange_strong(now, fresh.get()) ? fresh.release() : now;
}

size_t SizeOf(int64_t n) {
  const auto size = static_cast<size_t>(std::bit_width(static_cast<uint64_t>(n) >> 12));
  return std::min(size, kSizes - 1);
}

}  // namespace

Crew::Crew(int64_t wanted, bool is_worth_waking) {
  Pool* const shared = wanted > 0 ? ThePool() : nullptr;
  if (shared == nullptr) return;
  const auto most = static_cast<int64_t>(kMost);
  const size_t taken =
      shared->Take(static_cast<size_t>(std::min(wanted, most)), helpers_);
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
  for (size_t i = 0; i < count_; ++i) all += helpers_[i]->ShareOf(kind).weight();
  // Where the range begins before which there is so much of `all`.
  const int64_t grains = (n + grain - 1) / grain;
  const double each = static_cast<double>(grains) / static_cast<double>(all);
  const auto bound = [&](int64_t before) {
    if (before == all) return n;
    return std::min(
        static_cast<int64_t>(each * static_cast<double>(before) + 0.5) * grain, n);
  };
  int64_t before = Share::kEven;
  for (size_t i = 0; i < count_; ++i) {
    const int64_t after = before + helpers_[i]->ShareOf(kind).weight();
    helpers_[i]->Start(function, context, size, bound(before), bound(after));
    before = after;
  }
  function(context, 0, bound(Share::kEven));
  bool was_late[kMost];
  for (size_t i = 0; i < count_; ++i) was_late[i] = !helpers_[i]->IsDone();
  before = Share::kEven;
  for (size_t i = 0; i < count_; ++i) {
    Helper& helper = *helpers_[i];
    Share& share = helper.ShareOf(kind);
    const int64_t after = before + share.weight();
    if (was_late[i]) {
      helper.TakeBack() ? function(context, bound(before), bound(after))
                        : helper.Finish();
    }
    share.Learn(was_late[i]);
    before = after;
  }
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
