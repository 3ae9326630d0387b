// The versions of the documents that qconform reads.
#ifndef QCONFORM_ORACLE_BASE_FORMAT_VERSION_H_
#define QCONFORM_ORACLE_BASE_FORMAT_VERSION_H_

#include <optional>
#include <string_view>

namespace qconform {

// Three numbers without leading zeros, none above 999 999.
struct FormatVersion {
  int major = 0;
  int minor = 0;
  int patch = 0;

  friend auto operator<=>(const FormatVersion&, const FormatVersion&) = default;
};

// Returns the numbers of "2.1.0"; nothing for any other text.
std::optional<FormatVersion> ParseFormatVersion(std::string_view version);

// Returns whether it is one of "1.0.0", "1.12.3", ...: what schemas of major version 1
// allow, three numbers without leading zeros and nothing else.
bool IsFormatVersion1(std::string_view version);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_BASE_FORMAT_VERSION_H_
