// Files: read whole, and written so that a reader sees the old contents or the
// new, never a part. Errors name the path and the system's words.
#ifndef QCONFORM_REPORTS_FILE_H_
#define QCONFORM_REPORTS_FILE_H_

#include <filesystem>
#include <string>
#include <string_view>

#include "oracle/tensor/result.h"

namespace qconform {

// Writes to a new file in the same directory, syncs and renames it. Devices
// and pipes (/dev/stdout) are written directly.
Status WriteFileAtomically(const std::filesystem::path& path, std::string_view text);

// Returns an error where WriteFileAtomically could not write to `path`. Leaves
// no file behind and an existing one untouched.
Status CheckWritable(const std::filesystem::path& path);

Result<std::string> ReadFile(const std::filesystem::path& path);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_FILE_H_
