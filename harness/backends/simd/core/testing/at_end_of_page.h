// Memory that ends where no other begins, for tests of what is read.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CORE_TESTING_AT_END_OF_PAGE_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CORE_TESTING_AT_END_OF_PAGE_H_

#if defined(__unix__)

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <new>
#include <span>
#include <vector>

namespace qconform::simd {

// Bytes behind which no memory is.
class AtEndOfPage {
 public:
  explicit AtEndOfPage(const std::vector<std::byte>& bytes) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t whole = (bytes.size() + page - 1) / page * page;
    size_ = whole + page;
    memory_ =
        mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    auto* const begin = static_cast<std::byte*>(memory_);
    mprotect(begin + whole, page, PROT_NONE);
    data_ = {begin + whole - bytes.size(), bytes.size()};
    std::memcpy(begin + whole - bytes.size(), bytes.data(), bytes.size());
  }
  ~AtEndOfPage() { munmap(memory_, size_); }
  AtEndOfPage(const AtEndOfPage&) = delete;
  AtEndOfPage& operator=(const AtEndOfPage&) = delete;
  std::span<const std::byte> data() const { return data_; }

 private:
  void* memory_;
  size_t size_;
  std::span<const std::byte> data_;
};

}  // namespace qconform::simd

#endif  // defined(__unix__)

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CORE_TESTING_AT_END_OF_PAGE_H_
