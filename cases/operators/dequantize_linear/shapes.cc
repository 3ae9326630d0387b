// Shapes, axes and blocks, with values that a wrong index would confuse; long and large
// tensors.
#include <cstdint>
#include <span>
#include <vector>

#include "cases/operators/dequantize_linear/cases.h"
#include "cases/operators/dequantize_linear/products.h"
#include "cases/quantization/covered_sizes.h"

namespace qconform::generators {
namespace {

using enum ZeroPointFamily;

// Cases in which a look at a few scales or zero points misleads a kernel.
void SetShortcuts(DequantizeLinearQuestion& question) {
  const std::vector<DequantizeLinearChannel>& channels = question.channels;
  const size_t n = channels.size();
  if (n == 0) return;
  const auto set = [&](size_t channel, uint64_t scale, uint64_t zero_point) {
    question.SetChannel(static_cast<int64_t>(channel), scale, zero_point);
  };
  if (n == 1 || question.index % 4 == 1) {
    if (question.index % 2 == 1) {
      set(0, question.NearestScale(ToUnrounded(Dyadic(1, 0))),
          channels[0].zero_point_code);
    }
  } else if (question.index % 4 == 2) {  // the first stands for the next, and the last
    set(1, channels[0].scale_code, channels[1].zero_point_code);
    set(n - 1, channels[0].scale_code, channels[n - 1].zero_point_code);
  } else if (question.index % 4 == 3) {  // no zero point at both ends only
    set(0, channels[0].scale_code, 0);
    set(n - 1, channels[n - 1].scale_code, 0);
  }
}

// Scales and zero points of neighbours differ, so that a wrong index shows.
void SetShapeChannels(DequantizeLinearQuestion& question) {
  using enum DequantizeScale;
  question.SetChannels({kFull, kFewBits}, {kAny, kOdd});
  for (int64_t c = 0; c < question.layout.channel_count; c += 3) {
    const uint64_t zero_point = question.channels[static_cast<size_t>(c)].zero_point_code;
    question.SetChannel(c, ScaleOfTies(question, zero_point), zero_point);
  }
}

// Scales that are all the same with other zero points, or some of them subnormal.
void ChangeScales(DequantizeLinearQuestion& question, uint32_t turn) {
  const int64_t count = question.layout.channel_count;
  if (turn % 4 == 1) {
    for (int64_t c = 1; c < count; ++c)
      question.SetScale(c, question.channels[0].scale_code);
  }
  if (turn % 4 != 2 || question.x_scale.kind != NumberKind::kFloat) return;
  for (int64_t c = 1; c < count; c += 5) {
    question.SetScale(c, SmallestNormal(question.x_scale) - 1 - question.rng.Below(40));
  }
}

void FillLongShape(DequantizeLinearQuestion& question, const AxisShape& shape) {
  question.SetLayout(LayoutOf(question.granularity, shape));
  SetShapeChannels(question);
  ChangeScales(question, question.rng.Below(4));
}

}  // namespace

void FillShapes(DequantizeLinearQuestion& question) {
  // Rank 1 per axis is legal by all texts of this definition only (DQ-34).
  const bool has_rank_one = question.cell.since_version == 13;
  question.SetLayout(
      ListedLayout(question.granularity, question.index, has_rank_one, question.rng));
  SetShapeChannels(question);
  SetShortcuts(question);
  question.spells_defaults = question.index % 2 == 1;
  question.attribute_order = question.index % 3;
  question.FillX([&](int64_t, const DequantizeLinearChannel& channel) {
    return DirectedX(question, channel);
  });
}

void FillSizes(DequantizeLinearQuestion& question) {
  question.SetLayout(CoveredLayout(question.granularity, question.index));
  SetShapeChannels(question);
  question.spells_defaults = question.rng.OneIn(2);
  question.attribute_order = static_cast<int>(question.rng.Below(3));
  question.FillX([&](int64_t, const DequantizeLinearChannel& channel) {
    return DirectedX(question, channel);
  });
}

void FillLarge(DequantizeLinearQuestion& question) {
  const auto index = static_cast<size_t>(question.index);
  const std::span<const AxisShape> shapes = index % 2 == 0
                                                ? LongShapes(question.granularity)
                                                : HighRankShapes(question.granularity);
  FillLongShape(question, shapes[index / 2 % shapes.size()]);
  question.FillX([&](int64_t, const DequantizeLinearChannel& channel) {
    return question.rng.OneIn(4) ? DirectedX(question, channel) : question.AnyX();
  });
}

void FillHuge(DequantizeLinearQuestion& question) {
  const std::span<const AxisShape> shapes = HugeShapes(question.granularity);
  FillLongShape(question, shapes[static_cast<size_t>(question.index) % shapes.size()]);
  // All codes, those of 16 bits twice.
  Stride order(1u << std::min(question.x.bits, 16), question.rng);
  const bool is_wide = question.x.bits > 16;
  question.FillX([&](int64_t, const DequantizeLinearChannel&) -> uint64_t {
    const uint32_t next = order.Next();
    return is_wide ? question.AnyX() : next;
  });
}

}  // namespace qconform::generators
