// Element codes of tensors: the oracle's packing (QL-50, QL-52), and codes as text.
#ifndef QCONFORM_ORACLE_FORMATS_CODES_H_
#define QCONFORM_ORACLE_FORMATS_CODES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "oracle/tensor/tensor.h"

namespace qconform {

// Returns the code of element `index` in row-major order.
// Precondition: index < ElementCount(tensor.shape).
uint64_t ReadCode(const TensorView& tensor, int64_t index);

// Returns all codes, in row-major order.
std::vector<uint64_t> ReadCodes(const TensorView& tensor);

// Writes it; other elements of the same bytes keep their bits.
void WriteCode(const MutableTensorView& tensor, int64_t index, uint64_t code);

// Returns bits and value: "0x3f000001 (0x1.000002p-1)", "0x82 (130)",
// "0x7f (NaN)", "0x8000 (-0)", "0x7c00 (+Inf)".
std::string CodeToString(DataType type, uint64_t code);

// Returns the value alone: "0x1.000002p-1", "-3", "NaN", "-0", "+Inf".
std::string ValueToString(DataType type, uint64_t code);

// Returns the bits alone, in as many hexadecimal digits as the type has:
// "0x3f000001", "0x3" for two and four bits, "0x1f" for six.
std::string BitsToString(DataType type, uint64_t code);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_FORMATS_CODES_H_
