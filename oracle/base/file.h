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

// Writes all of it to an open file, whatever signals come. False where errno says why
// not.
bool WriteWhole(int descriptor, std::string_view text);

// Returns an error where WriteFileAtomically could not write to `path`. Leaves
// no file behind and an existing one untouched.
Status CheckWritable(const std::filesystem::path& path);

// No document of this project comes near it: a longer file never ends (/dev/zero), or is
// the wrong one.
inline constexpr size_t kMostFileBytes = size_t{1} << 30;

// Returns all bytes of the file; an Error where there are more than `most`.
Result<std::string> ReadFile(const std::filesystem::path& path,
                             size_t most = kMostFileBytes);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_BASE_FILE_H_
