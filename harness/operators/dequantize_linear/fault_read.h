// Wrong ways to read x and x_zero_point.
#ifndef QCONFORM_HARNESS_OPERATORS_DEQUANTIZE_LINEAR_FAULT_READ_H_
#define QCONFORM_HARNESS_OPERATORS_DEQUANTIZE_LINEAR_FAULT_READ_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/operators/dequantize_linear/fault_switches.h"
#include "oracle/formats/number_format.h"

namespace qconform {

// Returns `count` codes as a reader with this mistake finds them; what lies beyond the
// bytes is 0. `row` is the length of the last dimension.
std::vector<uint32_t> MisreadCodes(std::span<const std::byte> bytes, int bits,
                                   size_t count, size_t row,
                                   DequantizeLinearSwitches::Packing packing);

// Whether a mistake in reading codes of so many bits can matter at all.
bool PackingActs(DequantizeLinearSwitches::Packing packing, int bits);

// Returns the value that a code of the format has by this mistake.
ExactValue MisreadValue(const NumberFormat& format, uint64_t code,
                        DequantizeLinearSwitches::Decoding decoding);

// Whether a mistake in decoding acts on a format.
bool DecodingActs(DequantizeLinearSwitches::Decoding decoding,
                  const NumberFormat& format);

// Returns the value of a scale of FLOAT8E8M0 that is read by this mistake. It is given as
// it is worth.
ExactValue MisreadPowerOfTwo(const ExactValue& scale,
                             DequantizeLinearSwitches::PowerOfTwo mistake);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_OPERATORS_DEQUANTIZE_LINEAR_FAULT_READ_H_
