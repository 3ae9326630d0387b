// Sizes that tables of kernels and of accelerators end at: long axes, large blocks, and
// ranks that few kernels have a path for; and tensors that kernels cut into parts.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cases/operators/quantize_linear/cases.h"
#include "cases/operators/quantize_linear/values.h"

namespace qconform::generators {
namespace {

// Values that vector kernels leave to other code, among many others: infinities,
// subnormals, quotients beyond all integers, NaN.
void ScatterSpecials(QuantizeLinearQuestion& question) {
  const std::span<const uint32_t> specials = SpecialCodes(question.x);
  const auto count = static_cast<uint32_t>(specials.size());
  Stride order(count, question.rng);
  // In each run of a scale, however long or short they are.
  constexpr uint32_t kOneIn = 23;
  for (uint32_t& code : question.x_codes) {
    if (question.rng.OneIn(kOneIn)) code = specials[order.Next()];
  }
}

// Some scales subnormal, or all the same with other zero points.
void ChangeScales(QuantizeLinearQuestion& question, uint32_t turn) {
  const int64_t count = question.layout.channel_count;
  if (turn % 4 == 1) {
    for (int64_t c = 1; c < count; ++c)
      question.SetScale(c, question.channels[0].scale_code);
  }
  // The one scale of the largest tensors is left: most of what a cell is asked is
  // regular.
  const bool is_most = count == 1 && question.layout.element_count > 3000;
  if (turn % 4 != 2 || is_most || question.y_scale.kind != NumberKind::kFloat) return;
  const auto subnormals = static_cast<uint32_t>(
      std::min<uint64_t>(SmallestNormal(question.y_scale) - 1, 1 << 20));
  for (int64_t c = count == 1 ? 0 : 1; c < count; c += 5) {
    question.SetScale(
        c, SmallestNormal(question.y_scale) - 1 - question.rng.Below(subnormals));
  }
}

// `large` and `huge` are about shapes.
void FillShape(QuantizeLinearQuestion& question, const AxisShape& shape) {
  question.SetLayout(LayoutOf(question.granularity, shape));
  question.SetChannels({ScaleFamily::kFull, ScaleFamily::kFewBits},
                       {ZeroPointFamily::kAny, ZeroPointFamily::kOdd});
  ChangeScales(question, question.rng.Below(4));
  SpreadAllX(question);
  ScatterSpecials(question);
}

}  // namespace

void FillLarge(QuantizeLinearQuestion& question) {
  const auto index = static_cast<size_t>(question.index);
  const std::span<const AxisShape> shapes = index % 2 == 0
                                                ? LongShapes(question.granularity)
                                                : HighRankShapes(question.granularity);
  FillShape(question, shapes[index / 2 % shapes.size()]);
}

void FillHuge(QuantizeLinearQuestion& question) {
  const std::span<const AxisShape> shapes = HugeShapes(question.granularity);
  FillShape(question, shapes[static_cast<size_t>(question.index) % shapes.size()]);
}

}  // namespace qconform::generators
