#include "harness/backends/process/shared_area.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "oracle/base/shortage.h"

namespace qconform {
namespace {

constexpr uint64_t kReserveStep = uint64_t{1} << 20;

}  // namespace

// Sealed memory without a name in the file system: if somebody could make a mapped file
// smaller, all who mapped it would get a SIGBUS.
std::unique_ptr<SharedArea> SharedArea::CreateSealed(uint64_t size) {
  const int fd = memfd_create("qconform", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return nullptr;
  const std::string path =
      "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(fd);
  void* bytes = MAP_FAILED;
  if (ftruncate(fd, static_cast<off_t>(size)) == 0 &&
      fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0 &&
      access(path.c_str(), R_OK | W_OK) == 0) {
    bytes = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  }
  if (bytes == MAP_FAILED) {
    close(fd);
    return nullptr;
  }
  return std::unique_ptr<SharedArea>(
      new SharedArea(path, fd, static_cast<std::byte*>(bytes), size, false));
}

Result<std::unique_ptr<SharedArea>> SharedArea::Create(uint64_t size) {
  if (auto sealed = CreateSealed(size)) return sealed;
  std::error_code ignored;
  std::vector<std::filesystem::path> folders{"/dev/shm"};
  const auto temporary = std::filesystem::temp_directory_path(ignored);
  if (!ignored) folders.push_back(temporary);
  std::string why = "no folder for it was found";
  for (const auto& folder : folders) {
    std::string path = (folder / "qconform-XXXXXX").string();
    const int fd = mkostemp(path.data(), O_CLOEXEC);
    if (fd < 0) {
      const int error = errno;
      if (error == EMFILE || error == ENFILE) {
        throw ShortageOf("make shared memory", error);
      }
      why = std::strerror(error);
      continue;
    }
    void* bytes = MAP_FAILED;
    if (ftruncate(fd, static_cast<off_t>(size)) == 0) {
      bytes = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    }
    if (bytes != MAP_FAILED) {
      return std::unique_ptr<SharedArea>(
          new SharedArea(path, fd, static_cast<std::byte*>(bytes), size, true));
    }
    why = std::strerror(errno);
    unlink(path.c_str());
    close(fd);
  }
  return Error{"cannot make shared memory of " + std::to_string(size) + " bytes: " + why};
}

Result<std::unique_ptr<SharedArea>> SharedArea::Open(const std::string& path,
                                                     uint64_t size) {
  const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return Error{"cannot open '" + path + "': " + std::strerror(errno)};
  void* bytes = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (bytes == MAP_FAILED) {
    close(fd);
    return Error{"cannot map '" + path + "': " + std::strerror(errno)};
  }
  return std::unique_ptr<SharedArea>(
      new SharedArea(path, fd, static_cast<std::byte*>(bytes), size, false));
}

SharedArea::~SharedArea() {
  Unlink();
  munmap(bytes_, size_);
  close(fd_);
}

void SharedArea::Unlink() {
  if (std::exchange(owner_, false)) unlink(path_.c_str());
}

bool SharedArea::Reserve(uint64_t size) {
  if (size > size_) return false;
  if (size <= reserved_) return true;
  const uint64_t upto =
      std::min(size_, (size + kReserveStep - 1) / kReserveStep * kReserveStep);
  if (posix_fallocate(fd_, static_cast<off_t>(reserved_),
                      static_cast<off_t>(upto - reserved_)) != 0) {
    return false;
  }
  reserved_ = upto;
  return true;
}

bool SharedArea::Protect(const std::vector<Pages>& pages) {
  if (pages == protected_) return true;
  const auto set = [this](const Pages& each, int protection) {
    return mprotect(bytes_ + each.offset, each.size, protection) == 0;
  };
  bool done = true;
  for (const Pages& each : protected_) {
    done = set(each, PROT_READ | PROT_WRITE) && done;
  }
  for (const Pages& each : pages) {
    done = !At(each.offset, each.size).empty() &&
           set(each, each.readable ? PROT_READ : PROT_NONE) && done;
  }
  protected_ = pages;
  return done;
}

std::span<std::byte> SharedArea::At(uint64_t offset, uint64_t size) const {
  if (offset > size_ || size > size_ - offset) return {};
  return {bytes_ + offset, size};
}

}  // namespace qconform
