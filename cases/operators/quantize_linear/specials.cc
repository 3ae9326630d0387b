// Special values as x.
#include "cases/operators/quantize_linear/cases.h"
#include "cases/operators/quantize_linear/values.h"

namespace qconform::generators {

void FillSpecials(QuantizeLinearQuestion& question) {
  using enum ScaleFamily;
  const std::span<const uint32_t> specials = SpecialCodes(question.x);
  const auto count = static_cast<int64_t>(specials.size());
  const bool many = !question.is_per_tensor();
  question.SetDirectedLayout(question.index, (many ? 2 : 1) * count + 3);
  question.SetChannels({kFull, kPowerOfTwo, kFewBits, kReciprocal, kNearPowerOfTwo},
                       {ZeroPointFamily::kMiddle, ZeroPointFamily::kZero});
  Stride order(static_cast<uint32_t>(count), question.rng);
  for (uint32_t& code : question.x_codes) code = specials[order.Next()];
}

}  // namespace qconform::generators
