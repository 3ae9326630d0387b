// Does work on numbered items, several at the same time.
#ifndef QCONFORM_HARNESS_RUNNER_ASK_PARALLEL_H_
#define QCONFORM_HARNESS_RUNNER_ASK_PARALLEL_H_

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>

#include "oracle/base/result.h"

namespace qconform {

// Calls work(i) for every i below `count` on `jobs` threads, including the caller's (at
// least one, and fewer if the system does not start them all). `work` returns whether
// item i is done. No item is begun after an Error, which is returned, or after `stop`
// became true. Returns whether all items are done.
//
// If work(i) throws for want of memory, processes or files (oracle/base/shortage.h), its
// thread ends, and one of the others does the item again; `fewer` gets the sentence about
// the first time. The last thread tries an item four times, a fifth of a second apart,
// and what it throws then is thrown here, as any other exception is at once.
Result<bool> ForEachInParallel(
    size_t count, int jobs, const std::atomic<bool>& stop,
    const std::function<Result<bool>(size_t)>& work,
    const std::function<void(const std::string& why)>& fewer = {});

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_ASK_PARALLEL_H_
