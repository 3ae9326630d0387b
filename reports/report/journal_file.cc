#include "reports/report/journal_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "oracle/base/expected.h"
#include "oracle/base/file.h"
#include "oracle/base/sha256.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

Error SystemError(const fs::path& path, int number = errno) {
  return Error{path.string() + ": cannot write the journal: " + std::strerror(number)};
}

// Locks the file at `path`. Devices are not locked, and file systems
// without locks are no reason to fail.
Status Lock(const fs::path& path, int descriptor) {
  struct stat mine, there;
  if (::fstat(descriptor, &mine) != 0) return SystemError(path);
  if (!S_ISREG(mine.st_mode)) return Ok();
  const bool busy = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  // Somebody who began at the same time may have renamed the file before it was locked.
  if (busy || ::stat(path.c_str(), &there) != 0 || there.st_ino != mine.st_ino ||
      there.st_dev != mine.st_dev) {
    return Error{path.string() +
                 ": another run is writing this journal; wait for its end, or name "
                 "another file"};
  }
  return Ok();
}

enum class Stands { kNothing, kFinished, kUnfinished, kNoJournal };

Stands WhatStands(std::string_view text, const JournalKind& kind) {
  if (kind.first.starts_with(text)) return Stands::kNothing;  // empty, or cut off there
  if (!text.starts_with(kind.first)) return Stands::kNoJournal;
  const size_t end = text.rfind('\n');
  if (end == std::string_view::npos || text.find('\n') == end) return Stands::kNothing;
  const size_t begin = text.rfind('\n', end - 1) + 1;
  return end + 1 == text.size() && text.substr(begin).starts_with(kind.last)
             ? Stands::kFinished
             : Stands::kUnfinished;
}

constexpr int kHow = O_WRONLY | O_APPEND | O_CLOEXEC;

constexpr std::string_view kCheck = ",\"check\":\"";
constexpr size_t kCheckDigits = 16;

}  // namespace

// Returns what follows `body`.
std::string LineChecks::Next(std::string_view body) {
  Sha256 hash;
  hash.Update(digest_);
  hash.Update(body);
  digest_ = hash.FinishHex();
  return std::string(kCheck) + digest_.substr(0, kCheckDigits) + "\"}";
}

std::string LineChecks::WithCheck(std::string_view line) {
  const std::string_view body = line.substr(0, line.size() - 2);
  return std::string(body) + Next(body) + "\n";
}

Status LineChecks::Check(std::string_view line, const std::string& place) {
  const size_t tail = std::min(line.size(), kCheck.size() + kCheckDigits + 2);
  const std::string_view body = line.substr(0, line.size() - tail);
  if (line.substr(body.size()) == Next(body)) return Ok();
  return Expected(place, "the line that this run wrote there",
                  "one that was changed or moved, or that another run wrote");
}

JournalFile::JournalFile(fs::path path, int descriptor, std::string kept)
    : path_(std::move(path)), descriptor_(descriptor), kept_(std::move(kept)) {}

JournalFile::JournalFile(JournalFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      kept_(std::move(other.kept_)),
      failed_(std::move(other.failed_)) {}

JournalFile::~JournalFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Error JournalFile::SystemError() const { return qconform::SystemError(path_); }

Status JournalFile::Append(std::string_view line) {
  if (failed_) return *failed_;
  if (descriptor_ < 0) return Error{path_.string() + ": the journal is finished already"};
  if (!WriteWhole(descriptor_, line)) {
    failed_ = SystemError();
    return *failed_;
  }
  return Ok();
}

Status JournalFile::Truncate(int64_t bytes) {
  if (::ftruncate(descriptor_, bytes) != 0) return SystemError();
  return Ok();
}

Status JournalFile::Close() {
  // A device or a pipe has nothing to sync.
  const bool synced = ::fsync(descriptor_) == 0 || errno == EINVAL;
  const int number = errno;  // of fsync, which closing may change
  const bool closed = ::close(std::exchange(descriptor_, -1)) == 0;
  if (!synced) return qconform::SystemError(path_, number);
  if (!closed) return SystemError();
  return Ok();
}

namespace {

// FILE.old, or FILE.old.1 and so on where an earlier one is kept already.
std::string NameToKeep(const fs::path& path) {
  const std::string first = path.string() + ".old";
  std::string name = first;
  std::error_code ignored;
  for (int i = 1; fs::exists(fs::symlink_status(name, ignored)); ++i) {
    name = first + "." + std::to_string(i);
  }
  return name;
}

}  // namespace

Result<JournalFile> BeginJournalFile(const fs::path& path, const JournalKind& kind) {
  if (Status named = CheckFileName(path); !named) return named.error();
  Descriptor file(::open(path.c_str(), kHow | O_CREAT, 0666));
  if (file.get() < 0) return SystemError(path);
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return JournalFile(path, file.Release(), "");
  if (Status locked = Lock(path, file.get()); !locked) return locked.error();
  const auto text = ReadFile(path, kMostJournalBytes);
  if (!text) return text.error();
  switch (WhatStands(*text, kind)) {
    case Stands::kNoJournal:
      return Expected(path.string(), "no file, or a journal to write over",
                      "another file", "remove it, or name another journal");
    case Stands::kUnfinished: {
      const std::string kept = NameToKeep(path);
      if (::rename(path.c_str(), kept.c_str()) != 0) return SystemError(path);
      Descriptor fresh(::open(path.c_str(), kHow | O_CREAT | O_EXCL, 0666));
      if (fresh.get() < 0) return SystemError(path);
      if (Status locked = Lock(path, fresh.get()); !locked) return locked.error();
      return JournalFile(path, fresh.Release(), kept);
    }
    case Stands::kNothing:
    case Stands::kFinished:
      break;
  }
  if (::ftruncate(file.get(), 0) != 0) return SystemError(path);
  return JournalFile(path, file.Release(), "");
}

Result<JournalFile> ReopenJournalFile(const fs::path& path) {
  Descriptor file(::open(path.c_str(), kHow));
  if (file.get() < 0) {
    const Error error = SystemError(path);
    const auto text =
        ReadFile(path, kMostJournalBytes);  // its words are of reading, as the caller's
    return text ? error : text.error();
  }
  if (Status locked = Lock(path, file.get()); !locked) return locked.error();
  return JournalFile(path, file.Release(), "");
}

}  // namespace qconform
