// What becomes of an exact integer sum that INT32 does not hold, for operators that leave
// it free.
#ifndef QCONFORM_ORACLE_CORE_ACCUMULATOR_H_
#define QCONFORM_ORACLE_CORE_ACCUMULATOR_H_

#include <cstdint>
#include <string_view>

#include "oracle/formats/number_format.h"

namespace qconform {

enum class Accumulator : uint8_t {
  kModulo32,  // two's complement; the oracle's answer
  kWide,      // an accumulator that holds it
  kSaturating32,
};
inline constexpr Accumulator kAllAccumulators[] = {
    Accumulator::kModulo32, Accumulator::kWide, Accumulator::kSaturating32};

// Returns "modulo 2^32", "wide", "saturating".
std::string_view AccumulatorName(Accumulator accumulator);

bool FitsInt32(Int128 sum);

// Returns the value that the accumulator has in place of the sum.
Int128 Narrow(Int128 sum, Accumulator accumulator);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_CORE_ACCUMULATOR_H_
