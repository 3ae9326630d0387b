// Memory for tensors that foreign code reads and writes. It lies between two inaccessible
// pages: on the side where a tensor touches a page, an access of one byte beyond it is a
// fault; on the other side, canaries show what was written.
#ifndef QCONFORM_HARNESS_BACKENDS_PLUGIN_GUARDED_MEMORY_H_
#define QCONFORM_HARNESS_BACKENDS_PLUGIN_GUARDED_MEMORY_H_

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "oracle/base/result.h"

namespace qconform {

// Whole pages between two inaccessible ones.
class GuardedBuffer {
 public:
  // Has room for at least `size` bytes. Throws std::bad_alloc if there is none, and
  // returns an Error if that is for a tensor which no case has (1 GiB and more).
  static Result<std::unique_ptr<GuardedBuffer>> Create(size_t size);
  ~GuardedBuffer();
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;

  size_t capacity() const { return capacity_; }

  // Returns `size` bytes that end at the beginning of the inaccessible page.
  std::span<std::byte> PlaceAtEnd(size_t size);
  // Returns `size` bytes that begin `offset` bytes after the inaccessible page in front,
  // or closer if there is no room for that.
  std::span<std::byte> PlaceAtStart(size_t size, size_t offset);

  // Makes writing to its pages a fault, or possible again.
  void SetReadOnly(bool read_only);

  const std::byte* address() const { return mapping_; }

  // Returns whether the bytes around the last placement (up to kCanaryBytes on each side)
  // are unchanged.
  bool Intact() const;

  static constexpr size_t kCanaryBytes = 256;

 private:
  GuardedBuffer(std::byte* mapping, size_t mapped, size_t page);
  std::span<std::byte> Place(size_t from, size_t size);

  std::byte* mapping_;
  size_t mapped_;
  std::byte* begin_;  // of what can be accessed
  size_t capacity_;
  std::span<std::byte> before_;  // canaries
  std::span<std::byte> behind_;
};

// Reuses buffers by size, because mapping memory for each case would cost more than a
// small case does. Requests of the same sizes, in the same order, get the same addresses:
// a kernel that keeps something by address is wrong at once. Must outlive the leases.
class GuardedPool {
 public:
  struct Return {
    GuardedPool* pool;
    void operator()(GuardedBuffer* buffer) const;
  };
  using Lease = std::unique_ptr<GuardedBuffer, Return>;

  Result<Lease> Take(size_t size);

 private:
  std::map<size_t, std::vector<std::unique_ptr<GuardedBuffer>>> free_;  // by capacity
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PLUGIN_GUARDED_MEMORY_H_
