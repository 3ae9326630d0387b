#include "harness/convolution/wrong_convolution.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <utility>

#include "harness/core/fault_set.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

using M = ConvolutionMistakes;
using AutoPad = DecodedConvolution::AutoPad;

constexpr int64_t kPadded = -1;

int64_t Volume(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1},
                         std::multiplies<int64_t>());
}

// Calls `visit` with all coordinates of a shape, in row-major order.
template <typename Visit>
void ForEach(const Shape& shape, const Visit& visit) {
  if (Volume(shape) == 0) return;
  Shape at(shape.size(), 0);
  for (;;) {
    visit(at);
    size_t axis = shape.size();
    while (axis > 0 && ++at[axis - 1] == shape[axis - 1]) at[--axis] = 0;
    if (axis == 0) return;
  }
}

std::vector<int16_t> Integers(const TensorView& tensor) {
  std::vector<int16_t> values;
  const NumberFormat& format = FormatOf(tensor.type);
  for (const uint64_t code : ReadCodes(tensor)) {
    values.push_back(static_cast<int16_t>(ToInteger(format, code)));
  }
  return values;
}

bool IsSigned(DataType type) { return type == DataType::kInt8; }

int64_t OfOtherSign(int64_t value, DataType type) {
  if (IsSigned(type)) return value < 0 ? value + 256 : value;
  return value > 127 ? value - 256 : value;
}

// The difference of an operand of 8 bits and its zero point.
int64_t DifferenceOf(int64_t value, DataType type, M::Sum sum) {
  switch (sum) {
    case M::Sum::kWrapDifferences:
      return IsSigned(type) ? int64_t{static_cast<int8_t>(value)}
                            : int64_t{static_cast<uint8_t>(value)};
    case M::Sum::kSaturateDifferences8:
      return std::clamp<int64_t>(value, INT8_MIN, INT8_MAX);
    default:
      return value;
  }
}

Shape WrongAxes(M::Axes axes, const Shape& right) {
  Shape wrong = right;
  switch (axes) {
    case M::Axes::kRight:
      break;
    case M::Axes::kReversed:
      std::reverse(wrong.begin(), wrong.end());
      break;
    case M::Axes::kFirstForAll:
      std::fill(wrong.begin(), wrong.end(), right.front());
      break;
    case M::Axes::kIgnored:
      std::fill(wrong.begin(), wrong.end(), 1);
      break;
  }
  return wrong;
}

// Pads count where both are given, which the text forbids.
Result<AutoPad> AutoPadOf(std::span<const Attribute> attributes) {
  const auto pads = IntegersAttribute(attributes, "pads");
  if (!pads) return pads.error();
  if (*pads) return AutoPad::kNotSet;
  const auto text = StringAttribute(attributes, "auto_pad");
  if (!text) return text.error();
  const std::string word = text->value_or("NOTSET");
  if (word == "NOTSET") return AutoPad::kNotSet;
  if (word == "SAME_UPPER") return AutoPad::kSameUpper;
  if (word == "SAME_LOWER") return AutoPad::kSameLower;
  if (word == "VALID") return AutoPad::kValid;
  return Error{"auto_pad: expected NOTSET, SAME_UPPER, SAME_LOWER or VALID, got '" +
               word + "'"};
}

Result<Shape> ListOf(std::span<const Attribute> attributes, std::string_view name,
                     size_t size, int64_t least, int64_t usual) {
  auto list = IntegersAttribute(attributes, name);
  if (!list) return list.error();
  if (!*list) return Shape(size, usual);
  const bool in_range =
      std::ranges::all_of(**list, [least](int64_t value) { return value >= least; });
  if ((*list)->size() != size || !in_range) {
    return Error{std::string(name) + ": expected " + std::to_string(size) +
                 " integers of at least " + std::to_string(least)};
  }
  return **std::move(list);
}

bool IsSame(const DecodedConvolution& d) {
  return d.auto_pad == AutoPad::kSameUpper || d.auto_pad == AutoPad::kSameLower;
}

int64_t OutputsAlong(const DecodedConvolution& d, size_t axis) {
  if (IsSame(d)) return (d.x[axis] + d.strides[axis] - 1) / d.strides[axis];
  const bool is_explicit = d.auto_pad == AutoPad::kNotSet;
  const int64_t padded = is_explicit ? d.pads[axis] + d.pads[d.x.size() + axis] : 0;
  const int64_t room = d.x[axis] + padded - (d.taps[axis] - 1) * d.dilations[axis] - 1;
  return room < 0 ? 0 : room / d.strides[axis] + 1;
}

}  // namespace

ConvolutionMistakes Merged(M one, const M& other) {
  Overlay<&M::sum, &M::lost_tail, &M::uncorrected_tail, &M::depthwise_tail,
          &M::no_x_zero_point, &M::no_w_zero_point, &M::no_cross_term,
          &M::x_of_other_sign, &M::w_of_other_sign, &M::x_alone_of_other_sign,
          &M::w_alone_of_other_sign, &M::first_batch, &M::strides_and_dilations_swapped,
          &M::w_zero_point, &M::padding, &M::auto_pad, &M::pads, &M::strides,
          &M::dilations, &M::kernel, &M::groups>(one, other);
  return one;
}

ConvolutionStep FirstChanged(const M& mistakes) {
  const M right;
  if (mistakes == right) return ConvolutionStep::kNone;
  if (mistakes.pads != right.pads || mistakes.strides != right.strides ||
      mistakes.dilations != right.dilations || mistakes.kernel != right.kernel ||
      mistakes.strides_and_dilations_swapped) {
    return ConvolutionStep::kGeometry;
  }
  if (mistakes.auto_pad != right.auto_pad) return ConvolutionStep::kAutoPad;
  if (mistakes.padding != right.padding) return ConvolutionStep::kPadding;
  if (mistakes.groups != right.groups) return ConvolutionStep::kGroups;
  if (mistakes.w_zero_point != right.w_zero_point) return ConvolutionStep::kZeroPoints;
  return ConvolutionStep::kSum;
}

int64_t DecodedConvolution::terms() const { return inputs_of_group() * Volume(taps); }

int64_t DecodedConvolution::positions() const { return Volume(y); }

Result<DecodedConvolution> DecodeConvolution(
    std::span<const Attribute> attributes, const TensorView& x, const TensorView& w,
    const std::optional<TensorView>& x_zero_point,
    const std::optional<TensorView>& w_zero_point) {
  const size_t rank = x.shape.size();
  if (rank < 3 || w.shape.size() != rank) {
    return Error{"x and w: expected one rank of at least 3, got shapes " +
                 ShapeToString(x.shape) + " and " + ShapeToString(w.shape)};
  }
  DecodedConvolution d;
  d.x_type = x.type;
  d.w_type = w.type;
  d.batches = x.shape[0];
  d.inputs = x.shape[1];
  d.outputs = w.shape[0];
  const auto group = IntegerAttribute(attributes, "group");
  if (!group) return group.error();
  d.groups = group->value_or(1);
  if (d.groups < 1 || d.inputs % d.groups != 0 || d.outputs % d.groups != 0 ||
      w.shape[1] * d.groups != d.inputs) {
    return Error{"group: expected one that divides the channels of shapes " +
                 ShapeToString(x.shape) + " and " + ShapeToString(w.shape) + ", got " +
                 std::to_string(d.groups)};
  }
  d.x.assign(x.shape.begin() + 2, x.shape.end());
  d.taps.assign(w.shape.begin() + 2, w.shape.end());
  auto auto_pad = AutoPadOf(attributes);
  if (!auto_pad) return auto_pad.error();
  d.auto_pad = *auto_pad;
  const size_t axes = rank - 2;
  auto strides = ListOf(attributes, "strides", axes, 1, 1);
  if (!strides) return strides.error();
  auto dilations = ListOf(attributes, "dilations", axes, 1, 1);
  if (!dilations) return dilations.error();
  auto pads = ListOf(attributes, "pads", 2 * axes, 0, 0);
  if (!pads) return pads.error();
  d.strides = *std::move(strides);
  d.dilations = *std::move(dilations);
  d.pads = *std::move(pads);
  for (size_t axis = 0; axis < axes; ++axis) d.y.push_back(OutputsAlong(d, axis));

  d.x_values = Integers(x);
  d.w_values = Integers(w);
  if (x_zero_point) {
    const std::vector<int16_t> values = Integers(*x_zero_point);
    if (values.size() != 1) return Error{"x_zero_point: expected one element"};
    d.x_zero_point = values.front();
  }
  d.w_zero_points = {0};
  if (w_zero_point) {
    const std::vector<int16_t> values = Integers(*w_zero_point);
    if (values.size() != 1 && static_cast<int64_t>(values.size()) != d.outputs) {
      return Error{"w_zero_point: expected one element, or one per output channel"};
    }
    d.w_zero_points.assign(values.begin(), values.end());
  }
  const WrongSums right(d, {});
  const int64_t elements = d.batches * d.outputs * d.positions();
  std::vector<int64_t> sums;
  sums.reserve(static_cast<size_t>(elements));
  for (int64_t i = 0; i < elements; ++i) sums.push_back(right.Of(i));
  d.padded = right.Padded();
  d.sums = std::move(sums);
  return d;
}

size_t IndexOf(M::Channel place, const DecodedConvolution& decoded, int64_t m,
               size_t count) {
  if (count <= 1) return 0;
  switch (place) {
    case M::Channel::kFirst:
      return 0;
    case M::Channel::kNext:
      return std::min(static_cast<size_t>(m) + 1, count - 1);
    case M::Channel::kWithinGroup:
      return static_cast<size_t>(m % decoded.outputs_of_group());
    case M::Channel::kGroup:
      return static_cast<size_t>(m / decoded.outputs_of_group());
    case M::Channel::kInput:
    case M::Channel::kRight:
      break;
  }
  return static_cast<size_t>(m);
}

WrongSums::WrongSums(const DecodedConvolution& decoded, const M& mistakes)
    : d_(decoded),
      m_(mistakes),
      is_right_(mistakes == M{} && !decoded.sums.empty()),
      positions_(decoded.positions()),
      taps_(Volume(decoded.taps)),
      plane_(Volume(decoded.x)),
      x_zero_point_(decoded.x_zero_point),
      w_zero_points_(decoded.w_zero_points) {
  if (is_right_) return;
  x_ = decoded.x_values;
  w_ = decoded.w_values;
  const auto turn = [](std::vector<int16_t>& values, DataType type) {
    for (int16_t& value : values) value = static_cast<int16_t>(OfOtherSign(value, type));
  };
  if (m_.x_of_other_sign || m_.x_alone_of_other_sign) turn(x_, d_.x_type);
  if (m_.x_of_other_sign) x_zero_point_ = OfOtherSign(x_zero_point_, d_.x_type);
  if (m_.w_of_other_sign || m_.w_alone_of_other_sign) turn(w_, d_.w_type);
  if (m_.w_of_other_sign) {
    for (int64_t& value : w_zero_points_) value = OfOtherSign(value, d_.w_type);
  }
  if (m_.no_x_zero_point) x_zero_point_ = 0;
  if (m_.no_w_zero_point) w_zero_points_ = {0};
  LayOut();
}

int64_t WrongSums::Begin(size_t axis, const Shape& strides,
                         const Shape& dilations) const {
  const size_t axes = d_.x.size();
  if (d_.auto_pad == AutoPad::kValid) return 0;
  if (d_.auto_pad == AutoPad::kNotSet) {
    switch (m_.pads) {
      case M::Pads::kRight:
        return d_.pads[axis];
      case M::Pads::kInterleaved:
        return d_.pads[2 * axis];
      case M::Pads::kBeginAndEndSwapped:
        return d_.pads[axes + axis];
      case M::Pads::kReversedAxes:
        return d_.pads[axes - 1 - axis];
      case M::Pads::kFirstForAll:
        return d_.pads[0];
      case M::Pads::kIgnored:
        return 0;
    }
  }
  const int64_t dilation =
      m_.auto_pad == M::AutoPad::kWithoutDilation ? 1 : dilations[axis];
  const bool stride_counts = m_.auto_pad != M::AutoPad::kWithoutStride;
  const int64_t starts =
      stride_counts ? (d_.y[axis] - 1) * strides[axis] : d_.x[axis] - 1;
  const int64_t span = (d_.taps[axis] - 1) * dilation + 1;
  const int64_t total = std::max<int64_t>(0, starts + span - d_.x[axis]);
  if (m_.auto_pad == M::AutoPad::kAllAtEnd) return 0;
  if (m_.auto_pad == M::AutoPad::kAllAtBeginning) return total;
  const bool swapped = m_.auto_pad == M::AutoPad::kSwapped;
  const bool upper = (d_.auto_pad == AutoPad::kSameUpper) != swapped;
  return upper ? total / 2 : total - total / 2;
}

void WrongSums::LayOut() {
  Shape strides = WrongAxes(m_.strides, d_.strides);
  Shape dilations = WrongAxes(m_.dilations, d_.dilations);
  if (m_.strides_and_dilations_swapped) std::swap(strides, dilations);
  const size_t axes = d_.x.size();
  Shape begins;
  for (size_t axis = 0; axis < axes; ++axis) {
    begins.push_back(Begin(axis, strides, dilations));
  }
  places_.reserve(static_cast<size_t>(positions_ * taps_));
  ForEach(d_.y, [&](const Shape& at) {
    ForEach(d_.taps, [&](const Shape& tap) {
      int64_t place = 0;
      bool padded = false;
      for (size_t axis = 0; axis < axes; ++axis) {
        const int64_t i =
            at[axis] * strides[axis] + tap[axis] * dilations[axis] - begins[axis];
        padded = padded || i < 0 || i >= d_.x[axis];
        place = place * d_.x[axis] + i;
      }
      const bool reads =
          m_.padding == M::Padding::kNeighbour && place >= 0 && place < plane_;
      places_.push_back(padded && !reads ? kPadded : place);
    });
  });
  ForEach(d_.taps, [&](const Shape& tap) {
    int64_t index = 0;
    for (size_t i = 0; i < axes; ++i) {
      const size_t axis = m_.kernel == M::Kernel::kReversedAxes ? axes - 1 - i : i;
      index = index * d_.taps[axis] + tap[axis];
    }
    weights_.push_back(m_.kernel == M::Kernel::kFlipped ? taps_ - 1 - index : index);
  });
}

int64_t WrongSums::Of(int64_t element) const {
  if (is_right_) return d_.sums[static_cast<size_t>(element)];
  const int64_t position = element % positions_;
  const int64_t m = element / positions_ % d_.outputs;
  const int64_t n = m_.first_batch ? 0 : element / positions_ / d_.outputs;
  const int64_t inputs = d_.inputs_of_group();
  const int64_t group = m_.groups == M::Groups::kOutputsInterleaved
                            ? m % d_.groups
                            : m / d_.outputs_of_group();
  const bool in_depthwise_tail = m_.depthwise_tail > 0 && inputs == 1 && d_.groups > 1 &&
                                 m >= d_.outputs - d_.outputs % m_.depthwise_tail;
  const int64_t terms = inputs * taps_;
  const int64_t whole = m_.lost_tail > 0 ? terms - terms % m_.lost_tail : terms;
  int64_t corrected =
      m_.uncorrected_tail > 0 ? terms - terms % m_.uncorrected_tail : terms;
  if (in_depthwise_tail) corrected = 0;
  int64_t w_zero_point =
      w_zero_points_[IndexOf(m_.w_zero_point, d_, m, w_zero_points_.size())];
  const int64_t x_lowest = IsSigned(d_.x_type) != m_.x_of_other_sign ? -128 : 0;
  const int64_t w_middle = IsSigned(d_.w_type) != m_.w_of_other_sign ? 0 : 128;
  const int64_t padded_x = m_.padding == M::Padding::kRawZero ? 0 : x_zero_point_;
  const int64_t* places = places_.data() + position * taps_;
  const int64_t used_taps =
      m_.kernel == M::Kernel::kLastTapLost && taps_ > 1 ? taps_ - 1 : taps_;
  int64_t sum = 0;
  int64_t pair = 0;
  for (int64_t c = 0; c < inputs; ++c) {
    int64_t channel = group * inputs + c;
    if (m_.groups == M::Groups::kFirstInputs) channel = c;
    if (m_.groups == M::Groups::kInputsInterleaved) channel = c * d_.groups + group;
    if (m_.w_zero_point == M::Channel::kInput) {
      w_zero_point = w_zero_points_[static_cast<size_t>(
          channel % static_cast<int64_t>(w_zero_points_.size()))];
    }
    const int16_t* x = x_.data() + (n * d_.inputs + channel) * plane_;
    const int16_t* w = w_.data() + (m * inputs + c) * taps_;
    for (int64_t tap = 0; tap < used_taps; ++tap) {
      const int64_t k = c * taps_ + tap;
      if (k >= whole) break;
      const bool padded = places[tap] < 0;
      const int64_t x_value = padded ? padded_x : x[places[tap]];
      const int64_t w_value = w[weights_[static_cast<size_t>(tap)]];
      const bool zeros = k < corrected;
      const int64_t x_difference = x_value - (zeros ? x_zero_point_ : 0);
      const int64_t w_difference = w_value - (zeros ? w_zero_point : 0);
      int64_t product = DifferenceOf(x_difference, d_.x_type, m_.sum) *
                        DifferenceOf(w_difference, d_.w_type, m_.sum);
      if (m_.no_cross_term) product -= x_zero_point_ * w_zero_point;
      if (padded && m_.padding == M::Padding::kCrossTerm) {
        product += x_zero_point_ * w_zero_point;
      }
      if (padded && m_.padding == M::Padding::kWeightSum) {
        product -= x_zero_point_ * w_value;
      }
      switch (m_.sum) {
        case M::Sum::kExact:
        case M::Sum::kWrapDifferences:
        case M::Sum::kSaturateDifferences8:
        case M::Sum::kWrap24:
          sum += product;
          break;
        case M::Sum::kPairsSaturate16: {
          const int64_t raw = (x_value - x_lowest) * (w_value - w_middle);
          sum += product - raw;
          pair += raw;
          if (k % 2 == 1 || k == terms - 1) {
            sum += std::clamp<int64_t>(pair, INT16_MIN, INT16_MAX);
            pair = 0;
          }
          break;
        }
        case M::Sum::kWrap16:
          sum += static_cast<int16_t>(product);
          break;
        case M::Sum::kSaturate16:
          sum = std::clamp<int64_t>(sum + product, INT16_MIN, INT16_MAX);
          break;
      }
    }
  }
  if (m_.sum == M::Sum::kWrap24) {
    const int64_t low = sum & 0xFFFFFF;
    return low >= 0x800000 ? low - 0x1000000 : low;
  }
  return sum + pair;
}

std::vector<int64_t> WrongSums::Padded() const {
  std::vector<int64_t> padded;
  for (int64_t position = 0; position < positions_; ++position) {
    const int64_t* places = places_.data() + position * taps_;
    padded.push_back(
        std::count_if(places, places + taps_, [](int64_t place) { return place < 0; }));
  }
  return padded;
}

}  // namespace qconform
