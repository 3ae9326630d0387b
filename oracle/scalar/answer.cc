#include "oracle/scalar/answer.h"

namespace qconform {

std::string_view TierName(Tier tier) {
  switch (tier) {
    case Tier::kRegular: return "regular";
    case Tier::kSubnormal: return "subnormal";
    case Tier::kConversionRange: return "conversion_range";
    case Tier::kDegenerateScale: return "degenerate_scale";
    case Tier::kAccumulatorOverflow: return "accumulator_overflow";
  }
  return "regular";
}

}  // namespace qconform
