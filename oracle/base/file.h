// Files: read whole, and written so that a reader sees the old contents or the
// new, never a part. Errors name the path and the system's words.
#ifndef QCONFORM_ORACLE_BASE_FILE_H_
#define QCONFORM_ORACLE_BASE_FILE_H_

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "oracle/base/result.h"

namespace qconform {

// Returns an error where `path` is "-", which other programs take for their standard
// input or output: here it would be a file of that name. The functions below ask this
// too.
Status CheckFileName(const std::filesystem::path& path);

// Returns the file that the path names, symbolic links followed, also where it is not
// there yet. An error where links lead to themselves.
Result<std::filesystem::path> LinkTarget(const std::filesystem::path& path);

// True of /dev/stdout, /dev/stderr and their like, wherever they lead.
bool IsStandardStream(const std::filesystem::path& path);

// Sets the descriptor that /dev/stdout names from now on, for a program that prints
// elsewhere than to the stdout that it was started with.
void SetStandardOutput(int descriptor);

// Writes to a new file in the same directory, syncs and renames it. Devices
// and pipes are written directly, and so are /dev/stdout and /dev/stderr: after what was
// printed before, also where they lead to a file. Where the path is a symbolic link the
// file that it names is written, not the link.
Status WriteFileAtomically(const std::filesystem::path& path, std::string_view text);

// An open file, or -1; closed with the object unless it is handed on.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { Close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return number_; }
  int Release() { return std::exchange(number_, -1); }
  // False where the system could not write what was written before.
  bool Close();

 private:
  int number_;
};

// Waits until a file can be read or written whose descriptor somebody who shares it made
// one that does not block. False if errno, of a read or write that failed, says another
// thing.
bool WaitUntilReady(int descriptor, short events);

// Writes all of it to an open file, whatever signals come. False where errno says why
// not.
bool WriteWhole(int descriptor, std::string_view text);

// Returns an error where WriteFileAtomically could not write to `path`. Leaves
// no file behind and an existing one untouched.
Status CheckWritable(const std::filesystem::path& path);

// The most bytes of a file of each kind. What this project writes has a tenth of it at
// most; a longer one is the wrong file, and reading it would cost the machine's memory.
inline constexpr size_t kMostDocumentBytes = size_t{64} << 20;  // reports, stored cases
inline constexpr size_t kMostJournalBytes = size_t{1} << 30;    // read line by line
inline constexpr size_t kMostSettingBytes = size_t{1} << 20;    // profiles, manifests
inline constexpr size_t kMostKeyBytes = size_t{64} << 10;       // keys, attestations

// The Error of a file that is longer.
Error TooLong(const std::filesystem::path& path, size_t most);

// Returns all bytes of a regular file without holes, or of what the process was started
// with (/dev/stdin, /dev/fd/N: a pipe, too). An Error for other devices and pipes, which
// may never end, and where there are more than `most` bytes.
Result<std::string> ReadFile(const std::filesystem::path& path,
                             size_t most = kMostDocumentBytes);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_BASE_FILE_H_
