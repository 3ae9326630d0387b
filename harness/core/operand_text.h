// Parses operands that are given on a command line.
#ifndef QCONFORM_HARNESS_CORE_OPERAND_TEXT_H_
#define QCONFORM_HARNESS_CORE_OPERAND_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "oracle/base/result.h"
#include "oracle/tensor/data_type.h"

namespace qconform {

// Returns the code that `text` means: 0x with hexadecimal digits is the code itself; a
// number, which may be a hexadecimal float such as 0x1.4p+1, is a value, rounded to
// nearest even if the type does not hold it. Integer types take only integers, and
// FLOAT8E8M0 only powers of two. Returns an Error that names `what` if a value would
// become 0 or infinite.
Result<uint64_t> ParseOperand(DataType type, const std::string& text,
                              std::string_view what);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_OPERAND_TEXT_H_
