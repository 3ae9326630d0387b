#include "harness/runner/ask/parallel.h"

#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

namespace qconform {

Result<bool> ForEachInParallel(size_t count, int jobs, const std::atomic<bool>& stop,
                               const std::function<Result<bool>(size_t)>& work) {
  std::atomic<size_t> next{0};
  std::atomic<size_t> ended{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;  // guards fault
  std::optional<Error> fault;
  const auto loop = [&] {
    while (!stop && !failed) {
      const size_t index = next++;
      if (index >= count) return;
      const Result<bool> done = work(index);
      if (!done) {
        const std::lock_guard lock(mutex);
        if (!fault) fault = done.error();
        failed = true;
        return;
      }
      if (*done) ++ended;
    }
  };
  std::vector<std::thread> threads;
  try {
    for (int i = 1; i < jobs; ++i) threads.emplace_back(loop);
  } catch (const std::system_error&) {
    // The system starts no more threads, so the existing ones do the work.
  }
  loop();
  for (std::thread& thread : threads) thread.join();
  if (fault) return *fault;
  return ended == count;
}

}  // namespace qconform
