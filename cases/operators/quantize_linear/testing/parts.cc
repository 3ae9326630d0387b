#include "cases/operators/quantize_linear/testing/parts.h"

#include <algorithm>
#include <utility>

#include "cases/core/assemble.h"
#include "cases/operators/quantize_linear/cases.h"
#include "cases/operators/quantize_linear/question.h"
#include "cases/operators/quantize_linear/values.h"
#include "oracle/formats/codes.h"

namespace qconform::generators {
namespace {

using ZeroPoint = ZeroPointForm;

bool HasAxisChoice(const QuantizeLinearParts& parts) {
  return GranularityOf(parts.cell) != ScaleGranularity::kPerTensor;
}

QuantizeLinearQuestion ToQuestion(const QuantizeLinearParts& parts) {
  QuantizeLinearQuestion question(parts.cell, parts.variant, 0, CounterRng(0));
  question.SetLayout(LayoutOf(parts));
  for (size_t c = 0; c < parts.scales.size(); ++c) {
    question.SetChannel(static_cast<int64_t>(c), parts.scales[c], parts.zero_points[c]);
  }
  question.x_codes = parts.x;
  return question;
}

uint64_t One(const NumberFormat& format) {
  if (format.kind == NumberKind::kPowerOfTwo) {
    return static_cast<uint64_t>(-SmallestExponent(format));
  }
  return RoundNearest(format, ToUnrounded(Dyadic(1, 0)));
}

// Keeps [first, first + count) of one dimension; false where that would cut
// blocks elsewhere: the range must begin with a block, or lie within one.
bool KeepRange(QuantizeLinearParts& parts, size_t dimension, int64_t first,
               int64_t count) {
  const ChannelLayout before = LayoutOf(parts);
  const bool along =
      HasAxisChoice(parts) && static_cast<int64_t>(dimension) == parts.axis;
  const int64_t block = along ? std::max<int64_t>(parts.block_size, 1) : 1;
  if (first % block != 0 && first / block != (first + count - 1) / block) return false;
  QuantizeLinearParts kept = parts;
  kept.shape[dimension] = count;
  kept.x.clear();
  const ChannelLayout after = LayoutOf(kept);
  kept.scales.assign(static_cast<size_t>(after.channel_count), 0);
  kept.zero_points.assign(static_cast<size_t>(after.channel_count), 0);
  int64_t inner = 1;
  for (size_t i = dimension + 1; i < parts.shape.size(); ++i) inner *= parts.shape[i];
  for (int64_t i = 0; i < before.element_count; ++i) {
    const int64_t at = i / inner % parts.shape[dimension];
    if (at < first || at >= first + count) continue;
    const auto to =
        static_cast<size_t>(after.ChannelOf(static_cast<int64_t>(kept.x.size())));
    const auto from = static_cast<size_t>(before.ChannelOf(i));
    kept.scales[to] = parts.scales[from];
    kept.zero_points[to] = parts.zero_points[from];
    kept.x.push_back(parts.x[static_cast<size_t>(i)]);
  }
  parts = std::move(kept);
  return true;
}

class Steps {
 public:
  explicit Steps(const QuantizeLinearParts& parts) : parts_(parts) {}

  template <typename Change>
  void Try(Change change) {
    QuantizeLinearParts next = parts_;
    change(next);
    if (next != parts_) steps_.push_back(std::move(next));
  }
  void Keep(size_t dimension, int64_t first, int64_t count) {
    QuantizeLinearParts next = parts_;
    if (KeepRange(next, dimension, first, count)) steps_.push_back(std::move(next));
  }
  std::vector<QuantizeLinearParts> Take() { return std::move(steps_); }

 private:
  const QuantizeLinearParts& parts_;
  std::vector<QuantizeLinearParts> steps_;
};

void SmallerShapes(const QuantizeLinearParts& parts, Steps& steps) {
  for (size_t d = 0; d < parts.shape.size(); ++d) {
    const int64_t size = parts.shape[d];
    if (size < 2) continue;
    int64_t half = size / 2;
    const bool along = HasAxisChoice(parts) && static_cast<int64_t>(d) == parts.axis;
    if (along && parts.block_size > 0 && parts.block_size < size) {
      // Where a block ends: the last one, which may be partial, can then be kept.
      half = std::max(half - half % parts.block_size, parts.block_size);
    }
    steps.Keep(d, 0, half);
    steps.Keep(d, half, size - half);
    if (half > 1) steps.Keep(d, 0, size - 1);
    if (half > 1) steps.Keep(d, 1, size - 1);
  }
  // Dimensions of 1 off the axis; rank 2 is the least that has an axis in all
  // definitions.
  const size_t least_rank = HasAxisChoice(parts) ? 2 : 0;
  for (size_t d = 0; d < parts.shape.size() && parts.shape.size() > least_rank; ++d) {
    const bool along = HasAxisChoice(parts) && static_cast<int64_t>(d) == parts.axis;
    if (parts.shape[d] != 1 || along) continue;
    steps.Try([&](QuantizeLinearParts& next) {
      next.shape.erase(next.shape.begin() + static_cast<std::ptrdiff_t>(d));
      if (HasAxisChoice(next) && static_cast<int64_t>(d) < next.axis) --next.axis;
      next.axis_form = AxisForm::kPositive;
    });
  }
}

template <typename Code>
void SimplerCodes(std::vector<Code>& codes, size_t first, size_t count, Code to) {
  for (size_t i = first; i < std::min(first + count, codes.size()); ++i) codes[i] = to;
}

void SimplerValues(const QuantizeLinearParts& parts, Steps& steps) {
  const NumberFormat& x = FormatOf(parts.cell.types[0]);
  const uint64_t scale_one = One(FormatOf(parts.cell.types[1]));
  const auto x_one = static_cast<uint32_t>(One(x));
  steps.Try([&](QuantizeLinearParts& next) {
    SimplerCodes(next.scales, 0, next.scales.size(), scale_one);
  });
  steps.Try([&](QuantizeLinearParts& next) {
    SimplerCodes(next.zero_points, 0, next.zero_points.size(), uint64_t{0});
  });
  for (size_t c = 0; c < std::min<size_t>(parts.scales.size(), 8); ++c) {
    steps.Try([&](QuantizeLinearParts& next) { next.scales[c] = scale_one; });
    steps.Try([&](QuantizeLinearParts& next) { next.zero_points[c] = 0; });
  }
  const size_t half = (parts.x.size() + 1) / 2;
  steps.Try([&](QuantizeLinearParts& next) { SimplerCodes(next.x, 0, half, 0u); });
  steps.Try([&](QuantizeLinearParts& next) { SimplerCodes(next.x, half, half, 0u); });
  for (size_t i = 0; i < std::min<size_t>(parts.x.size(), 8); ++i) {
    const uint32_t code = parts.x[i];
    if (code == 0) continue;
    steps.Try([&](QuantizeLinearParts& next) { next.x[i] = 0; });
    // 1 counts as simpler than all but 0; else fewer bits.
    if (code == x_one) continue;
    steps.Try([&](QuantizeLinearParts& next) { next.x[i] = x_one; });
    steps.Try([&](QuantizeLinearParts& next) {
      const uint32_t fewer = code & (code - 1);
      if (fewer != x_one) next.x[i] = fewer;
    });
  }
}

ChannelLayout RandomLayout(const Cell& cell, int64_t size, CounterRng& rng) {
  const bool per_tensor = GranularityOf(cell) == ScaleGranularity::kPerTensor;
  // Dimensions that multiply to about the size, in any order, with ones.
  Shape shape;
  for (int64_t left = std::max<int64_t>(size, 1); left > 0 && shape.size() < 7;) {
    const int64_t most = rng.OneIn(3) ? left : std::min<int64_t>(left, 9);
    const int64_t dimension = rng.Between(1, most);
    shape.push_back(dimension);
    left = dimension == 1 && rng.OneIn(2) ? left : left / dimension;
    if (left <= 1) break;
  }
  for (size_t i = shape.size(); i > 1; --i) {
    std::swap(shape[i - 1], shape[rng.Below(static_cast<uint32_t>(i))]);
  }
  if (rng.OneIn(16)) shape[rng.Below(static_cast<uint32_t>(shape.size()))] = 0;
  if (per_tensor) {
    if (rng.OneIn(16)) shape.clear();
    return PerTensorLayout(std::move(shape));
  }
  if (shape.size() < 2) shape.insert(shape.begin() + rng.Below(2), rng.Between(1, 3));
  const auto axis = static_cast<int64_t>(rng.Below(static_cast<uint32_t>(shape.size())));
  const AxisForm form = axis == 1 && rng.OneIn(2) ? AxisForm::kDefault
                        : rng.OneIn(2)            ? AxisForm::kNegative
                                                  : AxisForm::kPositive;
  if (GranularityOf(cell) == ScaleGranularity::kPerAxis) {
    return PerAxisLayout(std::move(shape), axis, form);
  }
  const int64_t extent = shape[static_cast<size_t>(axis)];
  return BlockedLayout(std::move(shape), axis, form, rng.Between(1, extent + 1));
}

QuantizeLinearVariant RandomVariant(const Cell& cell, CounterRng& rng) {
  QuantizeLinearVariant variant;
  const int since = cell.since_version;
  if (HasSaturate(since) && rng.OneIn(HasNan(OutputType(cell)) ? 2 : 8)) {
    variant.saturate = 0;
  }
  if (HasPrecision(since) && rng.OneIn(2)) variant.precision = rng.Pick(Precisions());
  const bool uint8 = OutputType(cell) == DataType::kUint8;
  if (rng.OneIn(4) && (uint8 || HasOutputDtype(since))) {
    variant.zero_point = rng.OneIn(2) ? ZeroPoint::kAbsent : ZeroPoint::kEmpty;
  }
  if (HasOutputDtype(since)) {
    variant.output_dtype =
        rng.OneIn(4) || (!uint8 && variant.zero_point != ZeroPoint::kPresent);
  }
  return variant;
}

uint64_t RandomScale(QuantizeLinearQuestion& question) {
  CounterRng& rng = question.rng;
  const uint64_t mask = ~uint64_t{0} >> (64 - question.y_scale.bits);
  switch (rng.Below(8)) {
    case 0:
      return rng.Next64() & mask;
    case 1:
      return One(question.y_scale);
    case 2:
      return question.ScaleCode(ScaleFamily::kPowerOfTwo);
    case 3:
    case 4:
      return question.ScaleCode(ScaleFamily::kFewBits);
    case 5:
      return question.ScaleCode(ScaleFamily::kReciprocal);
    default:
      return question.ScaleCode(ScaleFamily::kFull);
  }
}

}  // namespace

ChannelLayout LayoutOf(const QuantizeLinearParts& parts) {
  switch (GranularityOf(parts.cell)) {
    case ScaleGranularity::kPerAxis:
      return PerAxisLayout(parts.shape, parts.axis, parts.axis_form);
    case ScaleGranularity::kBlocked:
      return BlockedLayout(parts.shape, parts.axis, parts.axis_form, parts.block_size);
    default:
      return PerTensorLayout(parts.shape);
  }
}

OpCase ToCase(const QuantizeLinearParts& parts) {
  const CaseKey key{.cell = parts.cell,
                    .opset_version = parts.opset_version,
                    .form = parts.form,
                    .variant = VariantText(parts.cell, parts.variant),
                    .generator = "property",
                    .index = 0};
  return Assemble(key, ToContent(ToQuestion(parts)));
}

std::vector<QuantizeLinearParts> Simpler(const QuantizeLinearParts& parts) {
  Steps steps(parts);
  SmallerShapes(parts, steps);
  steps.Try([](QuantizeLinearParts& next) { next.form = OperandForm::kInputs; });
  steps.Try([&](QuantizeLinearParts& next) {
    // Where y_zero_point is left out it may be what y's type hangs on.
    const bool needed = next.variant.zero_point != ZeroPoint::kPresent &&
                        OutputType(next.cell) != DataType::kUint8;
    if (!needed) next.variant.output_dtype = false;
  });
  steps.Try(
      [](QuantizeLinearParts& next) { next.variant.precision = DataType::kUndefined; });
  steps.Try([](QuantizeLinearParts& next) { next.variant.saturate = 1; });
  steps.Try([](QuantizeLinearParts& next) { next.axis_form = AxisForm::kPositive; });
  SimplerValues(parts, steps);
  return steps.Take();
}

QuantizeLinearParts RandomParts(const Cell& cell, int opset_version, int64_t size,
                                CounterRng rng) {
  QuantizeLinearParts parts;
  parts.cell = cell;
  parts.opset_version = opset_version;
  parts.form = rng.OneIn(2) ? OperandForm::kInputs : OperandForm::kInitializers;
  parts.variant = RandomVariant(cell, rng);
  ChannelLayout layout = RandomLayout(cell, size, rng);
  parts.shape = layout.x_shape;
  parts.block_size = layout.block_size;
  if (HasAxisChoice(parts)) {
    const int64_t written = layout.axis.value_or(1);
    const auto rank = static_cast<int64_t>(parts.shape.size());
    parts.axis = written < 0 ? written + rank : written;
    parts.axis_form = !layout.axis  ? AxisForm::kDefault
                      : written < 0 ? AxisForm::kNegative
                                    : AxisForm::kPositive;
  }
  QuantizeLinearQuestion question(parts.cell, parts.variant, 0, rng);
  question.SetLayout(std::move(layout));
  const uint64_t zero_point_mask = ~uint64_t{0} >> (64 - question.y.bits);
  const bool integer = question.y.kind == NumberKind::kInteger;
  for (int64_t c = 0; c < question.layout.channel_count; ++c) {
    uint64_t zero_point = question.rng.Next64() & zero_point_mask;
    if (question.rng.OneIn(integer ? 4 : 2)) zero_point = 0;
    question.SetChannel(c, RandomScale(question), zero_point);
    const QuantizeLinearChannel& channel = question.channels[static_cast<size_t>(c)];
    parts.scales.push_back(channel.scale_code);
    parts.zero_points.push_back(channel.zero_point_code);
  }
  const auto specials = SpecialCodes(question.x);
  const uint32_t x_mask = question.x.bits == 32 ? ~0u : 0xFFFFu;
  for (int64_t i = 0; i < question.layout.element_count; ++i) {
    const uint32_t choice = question.rng.Below(8);
    uint64_t code = 0;
    if (choice == 0) code = question.rng.Next32() & x_mask;
    if (choice == 1) code = question.rng.Pick(specials);
    if (choice > 1) code = SpreadX(question, question.ChannelOf(i));
    parts.x.push_back(static_cast<uint32_t>(code));
  }
  return parts;
}

std::string ToString(const QuantizeLinearParts& parts) {
  std::string text = CellId(parts.cell);
  text.append(" opset ").append(std::to_string(parts.opset_version)).append(" ");
  text.append(OperandFormName(parts.form)).append(" ");
  text.append(VariantText(parts.cell, parts.variant)).append(" ");
  text.append(ShapeToString(parts.shape));
  const ChannelLayout layout = LayoutOf(parts);
  if (layout.axis) text.append(" axis=").append(std::to_string(*layout.axis));
  if (parts.block_size > 0) {
    text.append(" block_size=").append(std::to_string(parts.block_size));
  }
  const auto list = [&](const char* name, DataType type, const auto& codes) {
    text.append(" ").append(name).append("=[");
    const size_t shown = std::min<size_t>(codes.size(), 12);
    for (size_t i = 0; i < shown; ++i) {
      text.append(i == 0 ? "" : ", ").append(CodeToString(type, codes[i]));
    }
    text.append(shown < codes.size() ? ", ...]" : "]");
  };
  list("x", parts.cell.types[0], parts.x);
  list("y_scale", parts.cell.types[1], parts.scales);
  list("y_zero_point", parts.cell.types[2], parts.zero_points);
  return text;
}

}  // namespace qconform::generators
