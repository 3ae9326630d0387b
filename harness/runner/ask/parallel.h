// Does work on numbered items, several at the same time.
#ifndef QCONFORM_HARNESS_RUNNER_ASK_PARALLEL_H_
#define QCONFORM_HARNESS_RUNNER_ASK_PARALLEL_H_

#include <atomic>
#include <cstddef>
#include <functional>

#include "oracle/base/result.h"

namespace qconform {

// Calls work(i) for every i below `count` on `jobs` threads, including the caller's (at
// least one, and fewer if the system does not start them all). `work` returns whether
// item i is done. No item is begun after an Error, which is returned, or after `stop`
// became true. Returns whether all items are done.
Result<bool> ForEachInParallel(size_t count, int jobs, const std::atomic<bool>& stop,
                               const std::function<Result<bool>(size_t)>& work);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_ASK_PARALLEL_H_
