// Shapes, axes and blocks, with values that a wrong index would confuse.
#include <vector>

#include "cases/operators/quantize_linear/cases.h"
#include "cases/operators/quantize_linear/values.h"
#include "cases/quantization/covered_sizes.h"

namespace qconform::generators {
namespace {

uint64_t ScaleOfOne(const NumberFormat& scale) {
  if (scale.kind == NumberKind::kPowerOfTwo) {
    return static_cast<uint64_t>(-SmallestExponent(scale));
  }
  return RoundNearest(scale, ToUnrounded(Dyadic(1, 0)));
}

// Cases in which a look at a few scales or zero points misleads a kernel.
void SetShortcuts(QuantizeLinearQuestion& question) {
  std::vector<QuantizeLinearChannel>& channels = question.channels;
  const auto set = [&](size_t channel, uint64_t scale, uint64_t zero_point) {
    question.SetChannel(static_cast<int64_t>(channel), scale, zero_point);
  };
  const size_t n = channels.size();
  if (n == 0) return;
  if (n == 1 || question.index % 4 == 1) {
    if (question.index % 2 == 1) {
      set(0, ScaleOfOne(question.y_scale), channels[0].zero_point_code);
    }
  } else if (question.index % 4 == 2) {  // the first stands for the next, and the last
    set(1, channels[0].scale_code, channels[1].zero_point_code);
    set(n - 1, channels[0].scale_code, channels[n - 1].zero_point_code);
  } else if (question.index % 4 == 3) {  // no zero point at both ends only
    set(0, channels[0].scale_code, 0);
    set(n - 1, channels[n - 1].scale_code, 0);
  }
}

// Quotients too large for the constant that rounds when it is added: 2^22 and more.
constexpr uint32_t kOneInLarge = 16;

uint64_t LargeX(QuantizeLinearQuestion& question, const QuantizeLinearChannel& channel) {
  const int64_t magnitude = (int64_t{1} << 23) + 2 * question.rng.Below(1u << 22) + 1;
  return question.XNear(channel,
                        Dyadic(question.rng.OneIn(2) ? magnitude : -magnitude, -1));
}

void SpreadXAndLargeX(QuantizeLinearQuestion& question) {
  const bool float_operands = question.x.kind == NumberKind::kFloat &&
                              question.y_scale.kind == NumberKind::kFloat;
  const bool large = float_operands && question.y.kind == NumberKind::kInteger;
  question.FillX([&](int64_t, const QuantizeLinearChannel& channel) {
    const bool is_large = large && question.rng.OneIn(kOneInLarge);
    return is_large ? LargeX(question, channel) : SpreadX(question, channel);
  });
}

}  // namespace

int FixedShapes(const Cell& cell) {
  const bool float8 = HasNan(OutputType(cell));
  if (GranularityOf(cell) == ScaleGranularity::kPerTensor) return float8 ? 2 : 3;
  return float8 ? 3 : 5;
}

void FillShapes(QuantizeLinearQuestion& question) {
  // Rank 1 per axis is open where blocks exist (QL-32, QL-33).
  const bool has_rank_one = !HasOutputDtype(question.cell.since_version);
  question.SetLayout(
      ListedLayout(question.granularity, question.index, has_rank_one, question.rng));
  question.SetChannels({ScaleFamily::kFull, ScaleFamily::kFewBits},
                       {ZeroPointFamily::kAny, ZeroPointFamily::kOdd});
  SetShortcuts(question);
  question.spells_defaults = question.index % 2 == 1;
  question.attribute_order = question.index % 3;
  SpreadXAndLargeX(question);
}

void FillSizes(QuantizeLinearQuestion& question) {
  question.SetLayout(CoveredLayout(question.granularity, question.index));
  question.SetChannels({ScaleFamily::kFull, ScaleFamily::kFewBits},
                       {ZeroPointFamily::kAny, ZeroPointFamily::kOdd});
  question.spells_defaults = question.rng.OneIn(2);
  question.attribute_order = static_cast<int>(question.rng.Below(3));
  SpreadXAndLargeX(question);
}

}  // namespace qconform::generators
