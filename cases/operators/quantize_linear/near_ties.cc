// Quotients of FLOAT16 that lie so close to a tie of a 16-bit integer that a division in
// FLOAT gives the tie, and a wider one does not.
#include <cstdlib>

#include "cases/operators/quantize_linear/cases.h"

namespace qconform::generators {
namespace {

// x = X * 2^-6 over y_scale = S * 2^-21 is 2^15 X / S. That is T / 2 +- 1 / (2 S)
// where S T = 2^16 X -+ 1: T is +-1 / S modulo 2^16.
constexpr int kXExponent = -6;
constexpr int kScaleExponent = -21;

uint32_t InverseModulo65536(uint32_t odd) {
  uint32_t inverse = odd;  // right in 3 bits; each step doubles them
  for (int i = 0; i < 4; ++i) inverse *= 2 - odd * inverse;
  return inverse & 0xFFFF;
}

}  // namespace

bool HasNearTies(const Cell& cell) {
  return cell.since_version >= 19 && cell.types[0] == DataType::kFloat16 &&
         cell.types[1] == DataType::kFloat16 && IsInteger(cell.types[2]) &&
         BitWidth(cell.types[2]) == 16;
}

void FillNearTies(QuantizeLinearQuestion& question) {
  question.SetDirectedLayout(question.index, 120);
  question.SetChannels({ScaleFamily::kFull}, {ZeroPointFamily::kZero});
  if (!HasNearTies(question.cell)) return;
  std::vector<uint32_t> significands(question.channels.size());
  for (size_t c = 0; c < significands.size(); ++c) {
    // 3 modulo 4: the neighbour of the tie is odd, and a tie goes to even. Others in
    // turn.
    significands[c] = c % 4 == 3 ? 1025 + 4 * question.rng.Below(255)
                                 : 1027 + 4 * question.rng.Below(255);
    question.SetScale(static_cast<int64_t>(c),
                      RoundNearest(question.y_scale,
                                   ToUnrounded(Dyadic(significands[c], kScaleExponent))));
  }
  question.FillX([&](int64_t i, const QuantizeLinearChannel&) {
    const auto c = static_cast<size_t>(question.layout.ChannelOf(i));
    const uint32_t inverse = InverseModulo65536(significands[c]);
    const bool above = question.rng.OneIn(2);
    const uint32_t tie = above ? 65536 - inverse : inverse;
    const int64_t x =
        (static_cast<int64_t>(significands[c]) * tie + (above ? 1 : -1)) / 65536;
    const bool negative = FormatOf(question.y.type).is_signed && question.rng.OneIn(2);
    return RoundNearest(question.x, ToUnrounded(Dyadic(negative ? -x : x, kXExponent)));
  });
}

}  // namespace qconform::generators
