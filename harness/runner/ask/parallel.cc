#include "harness/runner/ask/parallel.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "oracle/base/shortage.h"

namespace qconform {
namespace {

constexpr int kMostTries = 4;
constexpr std::chrono::milliseconds kBetweenTries{200};

// What the threads share.
class Items {
 public:
  Items(size_t count, int jobs, const std::atomic<bool>& stop,
        const std::function<Result<bool>(size_t)>& work,
        const std::function<void(const std::string& why)>& fewer)
      : count_(count), stop_(stop), work_(work), fewer_(fewer) {
    given_back_.reserve(static_cast<size_t>(std::max(jobs, 1)));
  }

  // Counts a thread that calls Loop, before it does.
  void Enter() {
    const std::lock_guard lock(mutex_);
    ++at_work_;
  }
  void Leave() {
    const std::lock_guard lock(mutex_);
    --at_work_;
  }

  void Loop() {
    int tries = 0;
    while (const auto index = Take()) {
      try {
        const Result<bool> done = work_(*index);
        const std::lock_guard lock(mutex_);
        if (!done && !fault_) fault_ = done.error();
        if (done && *done) ++ended_;
        tries = 0;
        continue;
      } catch (...) {
        if (!GoesOn(*index, ++tries)) return;
      }
      std::this_thread::sleep_for(kBetweenTries);
    }
  }

  // Says that fewer threads are at work than were wanted.
  void Tell(const std::string& why) noexcept {
    if (!fewer_ || told_.exchange(true)) return;
    try {
      fewer_(why);
    } catch (...) {  // a note is not worth the work
    }
  }

  Result<bool> Ended() const {
    if (thrown_) std::rethrow_exception(thrown_);
    if (fault_) return *fault_;
    return ended_ == count_;
  }

 private:
  // Returns the next item, or nothing after counting this thread out.
  std::optional<size_t> Take() {
    const std::lock_guard lock(mutex_);
    if (!stop_ && !fault_ && !thrown_) {
      if (!given_back_.empty()) {
        const size_t index = given_back_.back();
        given_back_.pop_back();
        return index;
      }
      if (next_ < count_) return next_++;
    }
    --at_work_;
    return std::nullopt;
  }

  // Within a handler: returns whether this thread tries the item again, after a while.
  bool GoesOn(size_t index, int tries) {
    const auto why = CaughtShortage();
    {
      const std::lock_guard lock(mutex_);
      if (why && at_work_ == 1 && tries < kMostTries) {
        given_back_.push_back(index);
        return true;
      }
      const bool others = at_work_-- > 1;
      if (!why || !others) {
        if (!thrown_) thrown_ = std::current_exception();
        return false;
      }
      given_back_.push_back(index);
    }
    Tell(*why);
    return false;
  }

  const size_t count_;
  const std::atomic<bool>& stop_;
  const std::function<Result<bool>(size_t)>& work_;
  const std::function<void(const std::string& why)>& fewer_;
  std::atomic<bool> told_{false};
  std::mutex mutex_;  // guards what follows
  size_t next_ = 0;
  std::vector<size_t> given_back_;
  size_t ended_ = 0;
  int at_work_ = 0;  // threads
  std::optional<Error> fault_;
  std::exception_ptr thrown_;
};

}  // namespace

Result<bool> ForEachInParallel(size_t count, int jobs, const std::atomic<bool>& stop,
                               const std::function<Result<bool>(size_t)>& work,
                               const std::function<void(const std::string& why)>& fewer) {
  Items items(count, jobs, stop, work, fewer);
  items.Enter();
  std::vector<std::jthread> threads;
  for (int i = 1; i < jobs; ++i) {
    items.Enter();
    try {
      threads.emplace_back([&items] { items.Loop(); });
    } catch (...) {
      items.Leave();
      // The threads that exist do the work.
      const auto why = CaughtShortage();
      items.Tell(why ? *why : "");
      break;
    }
  }
  items.Loop();
  for (std::jthread& thread : threads) thread.join();
  return items.Ended();
}

}  // namespace qconform
