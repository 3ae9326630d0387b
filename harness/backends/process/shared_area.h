// A file of shared memory for tensors that are too large for messages.
#ifndef QCONFORM_HARNESS_BACKENDS_PROCESS_SHARED_AREA_H_
#define QCONFORM_HARNESS_BACKENDS_PROCESS_SHARED_AREA_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "oracle/base/result.h"

namespace qconform {

class SharedArea {
 public:
  // Makes a file of `size` bytes without allocating them. It has no name if the system
  // supports that; otherwise it lies where temporary files do. Throws Shortage if this
  // process may have no more open files: what it would fall back to needs some, too.
  static Result<std::unique_ptr<SharedArea>> Create(uint64_t size);
  // Maps a file that another process made.
  static Result<std::unique_ptr<SharedArea>> Open(const std::string& path, uint64_t size);
  ~SharedArea();
  SharedArea(const SharedArea&) = delete;
  SharedArea& operator=(const SharedArea&) = delete;

  const std::string& path() const { return path_; }
  uint64_t size() const { return size_; }

  // Removes the file's name; the mappings stay.
  void Unlink();

  // Allocates the first `size` bytes; otherwise a full disk would be a SIGBUS. Returns
  // false if there is no room.
  bool Reserve(uint64_t size);

  // Returns the bytes of a range; empty if it is not completely inside the file.
  std::span<std::byte> At(uint64_t offset, uint64_t size) const;

  // A part of the file, in whole pages.
  struct Pages {
    uint64_t offset = 0;
    uint64_t size = 0;
    bool readable = false;  // and not to be written; else not to be accessed at all
    bool operator==(const Pages&) const = default;
  };
  // Protects these pages of this mapping and no others. Repeating the last call costs
  // nothing. Returns false if that is not possible.
  bool Protect(const std::vector<Pages>& pages);

 private:
  static std::unique_ptr<SharedArea> CreateSealed(uint64_t size);
  SharedArea(std::string path, int fd, std::byte* bytes, uint64_t size, bool owner)
      : path_(std::move(path)), fd_(fd), bytes_(bytes), size_(size), owner_(owner) {}

  std::string path_;
  int fd_;
  std::byte* bytes_;
  uint64_t size_;
  uint64_t reserved_ = 0;
  std::vector<Pages> protected_;
  bool owner_;  // and its name is still there
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_PROCESS_SHARED_AREA_H_
