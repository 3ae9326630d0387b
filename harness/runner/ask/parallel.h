// Work on numbered items, several at the same time.
#ifndef QCONFORM_HARNESS_RUNNER_ASK_PARALLEL_H_
#define QCONFORM_HARNESS_RUNNER_ASK_PARALLEL_H_

#include <atomic>
#include <cstddef>
#include <functional>

#include "oracle/base/result.h"

namespace qconform {

// Calls work(i) for every i below `count` on `jobs` threads (one where it is less, as
// many as the system gives), the caller's among them. `work` returns whether item i is
// done. No item is begun after an Error, which is returned, or after `stop` became true.
// Returns whether all items are done.
Result<bool> ForEachInParallel(size_t count, int jobs, const std::atomic<bool>& stop,
                               const std::function<Result<bool>(size_t)>& work);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_ASK_PARALLEL_H_
