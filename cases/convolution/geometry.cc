#include "cases/convolution/geometry.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <numeric>
#include <string>
#include <utility>

namespace qconform::generators {
namespace {

int64_t Count(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

// Advances a row-major index; it ends at all zeros.
void Advance(Shape& index, const Shape& shape) {
  for (size_t axis = shape.size(); axis-- > 0;) {
    if (++index[axis] < shape[axis]) return;
    index[axis] = 0;
  }
}

}  // namespace

std::string_view AutoPadName(AutoPad auto_pad) {
  constexpr std::string_view kNames[] = {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"};
  return kNames[static_cast<size_t>(auto_pad)];
}

ConvolutionGeometry::ConvolutionGeometry(ConvolutionSizes sizes)
    : sizes_(std::move(sizes)) {
  const size_t rank = sizes_.input.size();
  if (sizes_.strides.empty()) sizes_.strides.assign(rank, 1);
  if (sizes_.dilations.empty()) sizes_.dilations.assign(rank, 1);
  if (sizes_.pads.empty()) sizes_.pads.assign(2 * rank, 0);
  assert(sizes_.kernel.size() == rank && sizes_.strides.size() == rank);
  assert(sizes_.dilations.size() == rank && sizes_.pads.size() == 2 * rank);
  for (size_t axis = 0; axis < rank; ++axis) {
    const int64_t in = sizes_.input[axis];
    const int64_t stride = sizes_.strides[axis];
    const int64_t reach = (sizes_.kernel[axis] - 1) * sizes_.dilations[axis] + 1;
    int64_t& begin = sizes_.pads[axis];
    int64_t& end = sizes_.pads[rank + axis];
    if (sizes_.auto_pad == AutoPad::kSameUpper ||
        sizes_.auto_pad == AutoPad::kSameLower) {
      const int64_t out = (in + stride - 1) / stride;
      const int64_t total = std::max<int64_t>((out - 1) * stride + reach - in, 0);
      begin = end = total / 2;
      (sizes_.auto_pad == AutoPad::kSameUpper ? end : begin) += total % 2;
    }
    assert(in + begin + end >= reach);
    output_.push_back((in + begin + end - reach) / stride + 1);
  }
  input_size_ = Count(sizes_.input);
  kernel_size_ = Count(sizes_.kernel);
  positions_ = Count(output_);
  windows_.reserve(static_cast<size_t>(positions_ * kernel_size_));
  Shape out(rank, 0);
  Shape kernel(rank, 0);
  for (int64_t position = 0; position < positions_; ++position, Advance(out, output_)) {
    for (int64_t k = 0; k < kernel_size_; ++k, Advance(kernel, sizes_.kernel)) {
      int64_t at = 0;
      for (size_t axis = 0; axis < rank; ++axis) {
        const int64_t in = out[axis] * sizes_.strides[axis] +
                           kernel[axis] * sizes_.dilations[axis] - sizes_.pads[axis];
        if (in < 0 || in >= sizes_.input[axis]) {
          at = -1;
          break;
        }
        at = at * sizes_.input[axis] + in;
      }
      windows_.push_back(at);
    }
  }
}

namespace {

Shape Joined(int64_t first, int64_t second, const Shape& rest) {
  Shape shape{first, second};
  shape.insert(shape.end(), rest.begin(), rest.end());
  return shape;
}

bool IsAll(const Shape& values, int64_t value) {
  return std::ranges::all_of(values, [&](int64_t each) { return each == value; });
}

}  // namespace

Shape ConvolutionGeometry::XShape() const {
  return Joined(sizes_.batch, c(), sizes_.input);
}
Shape ConvolutionGeometry::WShape() const {
  return Joined(m(), sizes_.channels, sizes_.kernel);
}
Shape ConvolutionGeometry::YShape() const { return Joined(sizes_.batch, m(), output_); }

std::vector<Attribute> ConvolutionGeometry::Attributes(bool spells) const {
  std::vector<Attribute> attributes;
  const bool has_auto_pad = sizes_.auto_pad != AutoPad::kNotSet;
  if (spells || has_auto_pad) {
    attributes.push_back({"auto_pad", std::string(AutoPadName(sizes_.auto_pad))});
  }
  if (spells || !IsAll(sizes_.dilations, 1)) {
    attributes.push_back({"dilations", sizes_.dilations});
  }
  if (spells || sizes_.group != 1) attributes.push_back({"group", sizes_.group});
  if (spells) attributes.push_back({"kernel_shape", sizes_.kernel});
  // The text forbids pads beside auto_pad.
  if (!has_auto_pad && (spells || !IsAll(sizes_.pads, 0))) {
    attributes.push_back({"pads", sizes_.pads});
  }
  if (spells || !IsAll(sizes_.strides, 1)) {
    attributes.push_back({"strides", sizes_.strides});
  }
  return attributes;
}

}  // namespace qconform::generators
