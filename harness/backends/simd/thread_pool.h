// Runs the parts of one call on threads that outlive it. Private to this folder.
//
// Threads are started when they are first needed, at most 255. After a part they wait
// a moment for the next, spinning: a call of a few microseconds gains from a second
// thread. Then they sleep. A child of fork() starts its own; those of a library that
// is unloaded, or of a process that ends, are joined.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_THREAD_POOL_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_THREAD_POOL_H_

#include <cstdint>

namespace qconform::simd {

using PartFunction = void (*)(const void* context, int64_t part);

// Calls function(context, part) for every part of [0, parts), the first on this
// thread, and returns when all are done. Parts that get no thread of their own, or one
// that has not begun when this one is through, run on this one. `function` does not
// throw. Any thread may call it at any time. Nothing is allocated unless a thread is
// started.
void RunParts(int64_t parts, PartFunction function, const void* context);

// The same for anything that can be called with a part.
template <typename Work>
void InParts(int64_t parts, const Work& work) {
  RunParts(
      parts,
      [](const void* context, int64_t part) {
        (*static_cast<const Work*>(context))(part);
      },
      &work);
}

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_THREAD_POOL_H_
