#include "harness/backends/simd/thread_pool.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#include <signal.h>
#endif

#include "hwy/cache_control.h"

namespace qconform::simd {
namespace {

constexpr size_t kMaxHelpers = 255;

// Calls done() until it is true, for about as long as it takes to wake a thread.
template <typename Done>
bool SpinUntil(const Done& done) {
  constexpr auto kMost = std::chrono::microseconds(50);
  const auto start = std::chrono::steady_clock::now();
  do {
    for (int i = 0; i < 64; ++i) {
      if (done()) return true;
      hwy::Pause();
    }
  } while (std::chrono::steady_clock::now() - start < kMost);
  return false;
}

// One thread. Whoever holds it, and its own thread, go from state to state:
//   kIdle, kAsleep -> kOffered (Start, which wakes)    kIdle -> kAsleep (the thread)
//   kOffered -> kRunning (the thread)                  kOffered -> kIdle (TakeBack)
//   kRunning -> kAwaited (Finish, before it sleeps)
//   kRunning, kAwaited -> kIdle (the thread, which wakes)
class Helper {
 public:
  Helper() : thread_([this] { Loop(); }) {}
  // Precondition: no part is under way.
  ~Helper() {
    function_ = nullptr;
    Wake();
    thread_.join();
  }
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

  void Start(PartFunction function, const void* context, int64_t part) {
    function_ = function;
    context_ = context;
    part_ = part;
    Wake();
  }

  // Returns whether the thread has not begun the part, and will not.
  bool TakeBack() {
    uint32_t state = kOffered;
    return state_.compare_exchange_strong(state, kIdle, std::memory_order_acq_rel);
  }

  // Returns when the part is done. Precondition: it was not taken back, but that was
  // tried.
  void Finish() {
    const auto is_done = [&] {
      const uint32_t state = state_.load(std::memory_order_acquire);
      return state == kIdle || state == kAsleep;
    };
    if (SpinUntil(is_done)) return;
    uint32_t state = kRunning;
    if (!state_.compare_exchange_strong(state, kAwaited, std::memory_order_acq_rel)) {
      return;  // done
    }
    while (!is_done()) state_.wait(kAwaited, std::memory_order_acquire);
  }

 private:
  static constexpr uint32_t kIdle = 0;
  static constexpr uint32_t kOffered = 1;
  static constexpr uint32_t kRunning = 2;
  static constexpr uint32_t kAwaited = 3;
  static constexpr uint32_t kAsleep = 4;

  void Wake() {
    if (state_.exchange(kOffered, std::memory_order_acq_rel) == kAsleep) {
      state_.notify_one();
    }
  }

  void AwaitPart() {
    const auto has_part = [&] { return state_.load(std::memory_order_acquire) != kIdle; };
    if (SpinUntil(has_part)) return;
    uint32_t state = kIdle;
    if (!state_.compare_exchange_strong(state, kAsleep, std::memory_order_acq_rel)) {
      return;  // a part came
    }
    while (state_.load(std::memory_order_acquire) == kAsleep) {
      state_.wait(kAsleep, std::memory_order_acquire);
    }
  }

  void Loop() {
    for (;;) {
      AwaitPart();
      uint32_t state = kOffered;
      if (!state_.compare_exchange_strong(state, kRunning, std::memory_order_acq_rel)) {
        continue;  // taken back
      }
      if (function_ == nullptr) return;
      function_(context_, part_);
      if (state_.exchange(kIdle, std::memory_order_acq_rel) == kAwaited) {
        state_.notify_one();
      }
    }
  }

  alignas(64) std::atomic<uint32_t> state_{kIdle};
  PartFunction function_ = nullptr;
  const void* context_ = nullptr;
  int64_t part_ = 0;
  std::thread thread_;  // last: it reads what is above
};

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
  // Returns how many helpers there are for a caller that wants `wanted`.
  size_t Take(size_t wanted, Helper** helpers) {
    const std::lock_guard lock(mutex_);
    size_t taken = 0;
    for (; taken < wanted && free_count_ > 0; ++taken) {
      helpers[taken] = free_[--free_count_];
    }
    for (; taken < wanted && count_ < kMaxHelpers; ++taken) {
      const SignalsBlocked blocked;
      try {
        all_[count_] = std::make_unique<Helper>();
      } catch (const std::system_error&) {  // no more threads are to be had
        break;
      } catch (const std::bad_alloc&) {
        break;
      }
      helpers[taken] = all_[count_++].get();
    }
    return taken;
  }

  void GiveBack(Helper* const* helpers, size_t count) {
    const std::lock_guard lock(mutex_);
    for (size_t i = count; i-- > 0;) free_[free_count_++] = helpers[i];
  }

  // False while a call is under way.
  bool IsFree() {
    const std::lock_guard lock(mutex_);
    return free_count_ == count_;
  }

 private:
  std::mutex mutex_;
  size_t count_ = 0;
  size_t free_count_ = 0;
  std::array<std::unique_ptr<Helper>, kMaxHelpers> all_;
  std::array<Helper*, kMaxHelpers> free_ = {};
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

}  // namespace

void RunParts(int64_t parts, PartFunction function, const void* context) {
  size_t helped = 0;
  Helper* helpers[kMaxHelpers];
  Pool* const shared = parts > 1 ? ThePool() : nullptr;
  if (shared != nullptr) {
    const auto wanted = static_cast<uint64_t>(parts - 1);
    helped = shared->Take(wanted < kMaxHelpers ? wanted : kMaxHelpers, helpers);
  }
  const auto own = static_cast<int64_t>(helped);
  for (int64_t i = 0; i < own; ++i) helpers[i]->Start(function, context, i + 1);
  function(context, 0);
  for (int64_t part = own + 1; part < parts; ++part) function(context, part);
  // What a busy machine has not let them begin.
  for (int64_t i = 0; i < own; ++i) {
    helpers[i]->TakeBack() ? function(context, i + 1) : helpers[i]->Finish();
  }
  if (shared != nullptr) shared->GiveBack(helpers, helped);
}

}  // namespace qconform::simd
