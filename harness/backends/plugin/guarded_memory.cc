#include "harness/backends/plugin/guarded_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <new>
#include <string>
#include <utility>

namespace qconform {
namespace {

constexpr std::byte kCanary{0xC5};
constexpr size_t kLargestCase = size_t{1} << 30;  // no tensor of a case has more bytes

size_t PageSize() {
  static const size_t size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

}  // namespace

Result<std::unique_ptr<GuardedBuffer>> GuardedBuffer::Create(size_t size) {
  const size_t page = PageSize();
  // Powers of two, so that a pool has few sizes.
  const size_t pages = std::bit_ceil(std::max<size_t>(1, (size + page - 1) / page));
  const size_t mapped = (pages + 2) * page;
  void* mapping = mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const bool is_writable =
      mapping != MAP_FAILED && mprotect(static_cast<std::byte*>(mapping) + page,
                                        pages * page, PROT_READ | PROT_WRITE) == 0;
  if (!is_writable) {
    if (mapping != MAP_FAILED) munmap(mapping, mapped);
    // A tensor that no machine has is the model's; any other has to be had.
    if (size < kLargestCase) throw std::bad_alloc();
    return Error{"not enough memory for a tensor of " + std::to_string(size) + " bytes"};
  }
  return std::unique_ptr<GuardedBuffer>(
      new GuardedBuffer(static_cast<std::byte*>(mapping), mapped, page));
}

GuardedBuffer::GuardedBuffer(std::byte* mapping, size_t mapped, size_t page)
    : mapping_(mapping),
      mapped_(mapped),
      begin_(mapping + page),
      capacity_(mapped - 2 * page) {}

GuardedBuffer::~GuardedBuffer() { munmap(mapping_, mapped_); }

std::span<std::byte> GuardedBuffer::Place(size_t from, size_t size) {
  const size_t before = std::min(from, kCanaryBytes);
  const size_t behind = std::min(capacity_ - from - size, kCanaryBytes);
  before_ = {begin_ + from - before, before};
  behind_ = {begin_ + from + size, behind};
  std::fill(before_.begin(), before_.end(), kCanary);
  std::fill(behind_.begin(), behind_.end(), kCanary);
  return {begin_ + from, size};
}

std::span<std::byte> GuardedBuffer::PlaceAtEnd(size_t size) {
  return Place(capacity_ - size, size);
}

std::span<std::byte> GuardedBuffer::PlaceAtStart(size_t size, size_t offset) {
  return Place(std::min(offset, capacity_ - size), size);
}

void GuardedBuffer::SetReadOnly(bool read_only) {
  mprotect(begin_, capacity_, read_only ? PROT_READ : PROT_READ | PROT_WRITE);
}

bool GuardedBuffer::Intact() const {
  const auto is_canary = [](std::byte byte) { return byte == kCanary; };
  return std::all_of(before_.begin(), before_.end(), is_canary) &&
         std::all_of(behind_.begin(), behind_.end(), is_canary);
}

void GuardedPool::Return::operator()(GuardedBuffer* buffer) const {
  std::unique_ptr<GuardedBuffer> returned(buffer);
  try {
    pool->free_[buffer->capacity()].push_back(std::move(returned));
  } catch (const std::bad_alloc&) {  // then it ends here
  }
}

Result<GuardedPool::Lease> GuardedPool::Take(size_t size) {
  const auto found = free_.lower_bound(std::max<size_t>(size, 1));
  // A buffer of more than twice the size is kept for larger requests.
  if (found != free_.end() && !found->second.empty() &&
      found->first <= 2 * std::max(size, PageSize())) {
    std::vector<std::unique_ptr<GuardedBuffer>>& free = found->second;
    const auto lowest = std::ranges::min_element(
        free, std::ranges::less{}, [](const auto& buffer) { return buffer->address(); });
    Lease lease(lowest->release(), Return{this});
    free.erase(lowest);
    return lease;
  }
  auto made = GuardedBuffer::Create(size);
  if (!made) return made.error();
  return Lease(made->release(), Return{this});
}

}  // namespace qconform
