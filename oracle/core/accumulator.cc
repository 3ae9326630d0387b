#include "oracle/core/accumulator.h"

#include <algorithm>

namespace qconform {
namespace {

constexpr Int128 kInt32Min = -2147483648LL;
constexpr Int128 kInt32Max = 2147483647LL;

}  // namespace

std::string_view AccumulatorName(Accumulator accumulator) {
  switch (accumulator) {
    case Accumulator::kModulo32:
      return "modulo 2^32";
    case Accumulator::kWide:
      return "wide";
    case Accumulator::kSaturating32:
      return "saturating";
  }
  return "";
}

bool FitsInt32(Int128 sum) { return kInt32Min <= sum && sum <= kInt32Max; }

Int128 Narrow(Int128 sum, Accumulator accumulator) {
  switch (accumulator) {
    case Accumulator::kWide:
      break;
    case Accumulator::kSaturating32:
      return std::clamp(sum, kInt32Min, kInt32Max);
    case Accumulator::kModulo32:
      return static_cast<int32_t>(static_cast<uint32_t>(static_cast<Uint128>(sum)));
  }
  return sum;
}

}  // namespace qconform
