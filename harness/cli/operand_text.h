// Operands as a command line has them.
#ifndef QCONFORM_HARNESS_CLI_OPERAND_TEXT_H_
#define QCONFORM_HARNESS_CLI_OPERAND_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "oracle/base/result.h"
#include "oracle/tensor/data_type.h"

namespace qconform {

// Returns the code that `text` means: 0x and hexadecimal digits are a code itself, a
// number is a value, rounded to nearest even where the type does not hold it (not
// in integer types, and for FLOAT8E8M0 only powers of two). What would become 0 or
// infinite by that is an Error; each Error names `what`.
Result<uint64_t> ParseOperand(DataType type, const std::string& text,
                              std::string_view what);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_OPERAND_TEXT_H_
