// The versions of the documents that qconform reads.
#ifndef QCONFORM_ORACLE_TENSOR_FORMAT_VERSION_H_
#define QCONFORM_ORACLE_TENSOR_FORMAT_VERSION_H_

#include <string_view>

namespace qconform {

// Returns whether it is one of "1.0.0", "1.12.3", ...: what schemas of major version 1
// allow, three numbers without leading zeros and nothing else.
bool IsFormatVersion1(std::string_view version);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_TENSOR_FORMAT_VERSION_H_
