// Runs the parts of one call on threads that outlive it. Private to this folder.
//
// Threads are started when they are first needed, at most 255. After a part they wait
// a moment for the next, spinning: a call of a few microseconds gains from a second
// thread. Then they sleep. A child of fork() starts its own; those of a library that
// is unloaded, or of a process that ends, are joined.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CORE_THREAD_POOL_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CORE_THREAD_POOL_H_

#include <cstddef>
#include <cstdint>

namespace qconform::simd {

// Does [begin, end) of some work; does not throw.
using RangeFunction = void (*)(const void* context, int64_t begin, int64_t end);

// Calls function(context, part, part + 1) for every part of [0, parts), the first on
// this thread, and returns when all are done. Parts that get no thread of their own, or
// one that has not begun when this one is through, run on this one. Any thread may call
// it at any time. Nothing is allocated unless a thread is started.
void RunParts(int64_t parts, RangeFunction function, const void* context);

class Helper;

// Threads that are held to run ranges of one call. Getting hold of them early costs a
// small call less: it waits until what the caller wrote before has arrived.
class Crew {
 public:
  // At most `wanted` of them. To wake a thread that sleeps takes ten microseconds or
  // more: unless that is worth it, only a call soon after the end of another that did
  // without it does.
  explicit Crew(int64_t wanted, bool is_worth_waking = true);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // The most bytes of a context of RunRanges.
  static constexpr size_t kContextBytes = 512;

  // Cuts [0, n) at multiples of `grain` into a range for this thread, the first, and one
  // for each of the crew, as RunParts runs them; some may be empty. They are not quite
  // equal, but end at the same time, as learnt from the last calls of this size. That
  // makes up for the way of an offer to another core, and for a core that is slowed down.
  // Others get a copy of the `size` bytes of the context, aligned to 64.
  void RunRanges(int64_t n, int64_t grain, RangeFunction function, const void* context,
                 size_t size);

 private:
  friend void RunParts(int64_t parts, RangeFunction function, const void* context);
  static constexpr size_t kMost = 255;

  size_t count_ = 0;
  size_t held_ = 0;  // those beyond count_ are left asleep
  Helper* helpers_[kMost];
};

// RunParts for anything that can be called with a part.
template <typename Work>
void InParts(int64_t parts, const Work& work) {
  RunParts(
      parts,
      [](const void* context, int64_t part, int64_t) {
        (*static_cast<const Work*>(context))(part);
      },
      &work);
}

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CORE_THREAD_POOL_H_
