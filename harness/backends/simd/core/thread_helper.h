// One thread of the pool: offers, and how they are taken, taken back and finished.
// Private to thread_pool.cc.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CORE_THREAD_HELPER_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CORE_THREAD_HELPER_H_

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <system_error>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif
#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

#include "harness/backends/simd/core/prefetch.h"
#include "harness/backends/simd/core/thread_pool.h"
#include "harness/backends/simd/core/thread_share.h"
#include "hwy/cache_control.h"

namespace qconform::simd {

// Work of this many sizes has its own shares.
inline constexpr size_t kSizes = 16;

// About as long as it takes to wake a thread.
inline constexpr std::chrono::microseconds kWorthSpinning(50);
// Longer than a store takes to become visible to other cores.
inline constexpr std::chrono::microseconds kStoreIsVisible(5);

// Two cache lines: some CPUs fetch them in pairs.
inline constexpr size_t kApart = 2 * kLine;

#if defined(__linux__)
inline int CurrentCpu() { return sched_getcpu(); }

// Moves this thread from `cpu` to another that it may run on; later it may be anywhere.
inline void LeaveCpu(int cpu) {
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
inline int CurrentCpu() { return -1; }
inline void LeaveCpu(int) {}
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

// A clock that takes a few nanoseconds to read and is the same on all CPUs; in ticks of
// any length.
inline int64_t Ticks() {
#if defined(__x86_64__) && defined(__GNUC__)
  return static_cast<int64_t>(__builtin_ia32_rdtsc());
#else
  return std::chrono::steady_clock::now().time_since_epoch().count();
#endif
}

// A thread with room for a call's buffers, whatever the default is: musl's 128 KiB are
// too little. It runs its owner's Loop(). Throws std::system_error where there is none to
// be had.
class RoomyThread {
 public:
  template <typename Owner>
  explicit RoomyThread(Owner* owner) {
#if defined(__unix__) || defined(__APPLE__)
    constexpr size_t kStackBytes = 256 << 10;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    size_t size = 0;
    pthread_attr_getstacksize(&attributes, &size);
    if (size < kStackBytes) pthread_attr_setstacksize(&attributes, kStackBytes);
    const auto run = [](void* it) -> void* {
      static_cast<Owner*>(it)->Loop();
      return nullptr;
    };
    const int failed = pthread_create(&thread_, &attributes, run, owner);
    pthread_attr_destroy(&attributes);
    if (failed != 0) throw std::system_error(failed, std::generic_category());
#else
    thread_ = std::thread([owner] { owner->Loop(); });
#endif
  }
#if defined(__unix__) || defined(__APPLE__)
  void Join() { pthread_join(thread_, nullptr); }

 private:
  pthread_t thread_{};
#else
  void Join() { thread_.join(); }

 private:
  std::thread thread_;
#endif
};

// One thread, and what it says and hears. A cache line needs 50 to 300 ns from one core
// to another, which is a part of the time of small calls. So each side has lines of its
// own, which the other only reads; neither waits for its stores to arrive; and all lines
// of an offer are under way at once.
//
// Offers are counted. The thread that moves claimed_ to an offer's number has it: either
// this one, or the caller that takes it back.
class Helper {
 public:
  Helper() : thread_(this) {}
  // Precondition: no part is under way.
  ~Helper() {
    function_ = nullptr;
    offered_.store(++last_, std::memory_order_seq_cst);
    Wake();
    thread_.Join();
  }
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

  // The thread gets a copy of `size` bytes of context, or where that is 0 the pointer.
  void Start(RangeFunction function, const void* context, size_t size, int64_t begin,
             int64_t end) {
    WillWriteAll(copy_, size);
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
    if (is_taken_.load(std::memory_order_relaxed) ||
        is_taken_.exchange(true, std::memory_order_acquire)) {
      return false;
    }
    WillWrite(&offered_);
    WillWriteAll(copy_, size_);
    return true;
  }
  void GiveBack() { is_taken_.store(false, std::memory_order_release); }
  bool IsTaken() const { return is_taken_.load(std::memory_order_acquire); }

  // Its share of work of a size, one of kSizes.
  Share& ShareOf(size_t size) { return shares_[size]; }

  // Ticks at the end of the last part. Precondition: IsDone().
  int64_t ended() const { return ended_.load(std::memory_order_relaxed); }
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
  friend class RoomyThread;  // runs Loop

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
      WillRead(copy_, 0, read_);
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
        std::memcpy(own, copy_, size_);
        read_ = size_;
        function_(own, begin_, end_);
      }
      ended_.store(Ticks(), std::memory_order_relaxed);
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
  std::atomic<int64_t> ended_{0};
  std::atomic<uint32_t> asleep_{0};
  // Written by the thread; and by others where they take an offer back.
  alignas(kApart) std::atomic<uint64_t> claimed_{0};
  size_t read_ = 0;     // of copy_, the last time; only the thread uses it
  RoomyThread thread_;  // last: it reads the members above
};

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CORE_THREAD_HELPER_H_
