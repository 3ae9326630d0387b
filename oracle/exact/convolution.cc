#include "oracle/exact/convolution.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <numeric>

// Every element of x is taken to every element of y that it contributes to, so padding
// needs no case of its own: a padded position is one that no element of x has.

namespace qconform::exact {
namespace {

using Dims = std::vector<int64_t>;

int64_t Volume(const Dims& dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1},
                         std::multiplies<int64_t>());
}

// One spatial axis.
struct Axis {
  int64_t size = 0;
  int64_t taps = 0;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t begin = 0;
  int64_t end = 0;
  int64_t outputs = 0;

  // How many positions a window spans.
  int64_t Span() const { return (taps - 1) * dilation + 1; }
};

// CI-05: as many outputs as strides are needed to cover x, and the padding that makes
// the last window fit.
void PadToSame(Axis& axis, bool more_at_the_end) {
  axis.outputs = (axis.size + axis.stride - 1) / axis.stride;
  const int64_t needed = (axis.outputs - 1) * axis.stride + axis.Span();
  const int64_t total = std::max<int64_t>(0, needed - axis.size);
  const int64_t smaller = total / 2;
  axis.begin = more_at_the_end ? smaller : total - smaller;
  axis.end = total - axis.begin;
}

std::vector<Axis> AxesOf(const Dims& x, const Dims& w,
                         const ConvolutionAttributes& attributes) {
  const size_t rank = x.size() - 2;
  std::vector<Axis> axes(rank);
  for (size_t i = 0; i < rank; ++i) {
    Axis& axis = axes[i];
    axis.size = x[2 + i];
    axis.taps = w[2 + i];
    if (!attributes.strides.empty()) axis.stride = attributes.strides[i];
    if (!attributes.dilations.empty()) axis.dilation = attributes.dilations[i];
    if (attributes.auto_pad == AutoPad::kSameUpper ||
        attributes.auto_pad == AutoPad::kSameLower) {
      PadToSame(axis, attributes.auto_pad == AutoPad::kSameUpper);
      continue;
    }
    if (attributes.auto_pad == AutoPad::kNotSet && !attributes.pads.empty()) {
      axis.begin = attributes.pads[i];
      axis.end = attributes.pads[rank + i];
    }
    // CI-04: as many windows as fit.
    while (axis.outputs * axis.stride + axis.Span() <=
           axis.begin + axis.size + axis.end) {
      ++axis.outputs;
    }
  }
  return axes;
}

// The coordinates of a row-major index.
Dims CoordinatesOf(int64_t index, const Dims& dims) {
  Dims at(dims.size());
  for (size_t d = dims.size(); d-- > 0;) {
    at[d] = index % dims[d];
    index /= dims[d];
  }
  return at;
}

// The row-major index of the output that tap `tap` of its window takes from position
// `at`; below 0 if there is none.
int64_t OutputOf(const std::vector<Axis>& axes, const Dims& at, const Dims& tap) {
  int64_t index = 0;
  for (size_t i = 0; i < axes.size(); ++i) {
    const int64_t start = at[i] + axes[i].begin - tap[i] * axes[i].dilation;
    if (start < 0 || start % axes[i].stride != 0) return -1;
    const int64_t output = start / axes[i].stride;
    if (output >= axes[i].outputs) return -1;
    index = index * axes[i].outputs + output;
  }
  return index;
}

}  // namespace

Convolution Convolve(const Dims& x, const Dims& w,
                     const ConvolutionAttributes& attributes) {
  assert(x.size() >= 3 && w.size() == x.size());
  assert(w[1] * attributes.group == x[1] && w[0] % attributes.group == 0);
  const std::vector<Axis> axes = AxesOf(x, w, attributes);
  const Dims positions(x.begin() + 2, x.end());
  const Dims taps(w.begin() + 2, w.end());
  const int64_t outputs_of_group = w[0] / attributes.group;

  Convolution all;
  all.shape = {x[0], w[0]};
  for (const Axis& axis : axes) all.shape.push_back(axis.outputs);
  all.products = w[1] * Volume(taps);
  const int64_t plane = Volume({all.shape.begin() + 2, all.shape.end()});
  all.elements.resize(static_cast<size_t>(Volume(all.shape)));
  for (size_t i = 0; i < all.elements.size(); ++i) {
    all.elements[i].channel =
        (i / static_cast<size_t>(plane)) % static_cast<size_t>(w[0]);
  }
  for (int64_t in = 0; in < Volume(x); ++in) {
    const int64_t place = in % Volume(positions);
    const int64_t c = in / Volume(positions) % x[1];
    const int64_t n = in / Volume(positions) / x[1];
    const Dims at = CoordinatesOf(place, positions);
    const int64_t group = c / w[1];
    for (int64_t tap = 0; tap < Volume(taps); ++tap) {
      const int64_t out = OutputOf(axes, at, CoordinatesOf(tap, taps));
      if (out < 0) continue;
      for (int64_t i = 0; i < outputs_of_group; ++i) {
        const int64_t m = group * outputs_of_group + i;
        const int64_t element = (n * w[0] + m) * plane + out;
        const int64_t weight = (m * w[1] + c % w[1]) * Volume(taps) + tap;
        all.elements[static_cast<size_t>(element)].terms.push_back(
            {static_cast<size_t>(in), static_cast<size_t>(weight)});
      }
    }
  }
  return all;
}

}  // namespace qconform::exact
