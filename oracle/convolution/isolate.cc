#include "oracle/convolution/isolate.h"

#include <algorithm>
#include <string>
#include <utility>

#include "oracle/formats/codes.h"

namespace qconform {
namespace {

// More pairs than this are no evidence that anybody reads.
constexpr size_t kMostPairs = 4;

// The part of an axis of x under a window, and what is padded around it.
struct Part {
  int64_t first = 0;
  int64_t size = 0;
  int64_t begin = 0;
  int64_t end = 0;
  int64_t stride = 1;
};

std::vector<Part> PartsOf(const ConvolutionGeometry& geometry,
                          const ConvolutionElement& element) {
  std::vector<Part> parts(geometry.axes.size());
  int64_t rest = element.position;
  for (size_t i = parts.size(); i-- > 0;) {
    const ConvolutionAxis& axis = geometry.axes[i];
    const int64_t start = rest % axis.out * axis.stride - axis.begin;
    rest /= axis.out;
    const int64_t after = start + axis.reach();
    const int64_t first = std::max<int64_t>(start, 0);
    const int64_t last = std::min(after, axis.in);
    if (first < last) {
      parts[i] = {first, last - first, first - start, after - last, 1};
    } else {
      // All of the window is padded: it lies before the one position that is left, and
      // the stride leaves no room for another.
      parts[i] = {0, std::min<int64_t>(axis.in, 1), axis.reach(), 0, 2};
    }
  }
  return parts;
}

Tensor Taken(const TensorView& from, Shape shape, const std::vector<int64_t>& places) {
  Tensor taken = Tensor::Zeros(from.type, std::move(shape));
  for (size_t i = 0; i < places.size(); ++i) {
    WriteCode(taken.mutable_view(), static_cast<int64_t>(i), ReadCode(from, places[i]));
  }
  return taken;
}

}  // namespace

std::span<const std::string_view> ConvolutionLayoutAttributes() {
  static constexpr std::string_view kNames[] = {"auto_pad", "group", "pads", "strides"};
  return kNames;
}

std::vector<ElementOperand> ShownPairs(const ConvolutionGeometry& geometry,
                                       const TensorView& x, const TensorView& w,
                                       const ConvolutionElement& element) {
  const std::vector<ConvolutionPair> pairs = PairsOf(geometry, element);
  std::vector<ElementOperand> shown;
  for (size_t k = 0; k < pairs.size() && shown.size() < 2 * kMostPairs; ++k) {
    if (pairs[k].x < 0) continue;
    const std::string place =
        "[" + std::to_string(k) + " of " + std::to_string(pairs.size()) + "]";
    shown.push_back({"x" + place, x.type, ReadCode(x, pairs[k].x)});
    shown.push_back({"w" + place, w.type, ReadCode(w, pairs[k].w)});
  }
  return shown;
}

Tensor IsolateWindow(const ConvolutionGeometry& geometry, const TensorView& x,
                     const ConvolutionElement& element) {
  const int64_t depth = geometry.channels_of_group();
  const int64_t first = element.batch * geometry.channels +
                        GroupOf(geometry, element.output_channel) * depth;
  std::vector<int64_t> places;
  for (int64_t c = 0; c < depth; ++c) places.push_back(first + c);
  Shape shape{1, depth};
  const std::vector<Part> parts = PartsOf(geometry, element);
  for (size_t i = 0; i < parts.size(); ++i) {
    std::vector<int64_t> longer;
    for (const int64_t place : places) {
      for (int64_t at = 0; at < parts[i].size; ++at) {
        longer.push_back(place * geometry.axes[i].in + parts[i].first + at);
      }
    }
    places = std::move(longer);
    shape.push_back(parts[i].size);
  }
  return Taken(x, std::move(shape), places);
}

Tensor IsolateKernel(const ConvolutionGeometry& geometry, const TensorView& w,
                     const ConvolutionElement& element) {
  std::vector<int64_t> places;
  for (int64_t k = 0; k < geometry.terms(); ++k) {
    places.push_back(element.output_channel * geometry.terms() + k);
  }
  Shape shape{1, geometry.channels_of_group()};
  for (const ConvolutionAxis& axis : geometry.axes) shape.push_back(axis.kernel);
  return Taken(w, std::move(shape), places);
}

std::vector<Attribute> IsolatedConvolutionAttributes(const ConvolutionGeometry& geometry,
                                                     const ConvolutionElement& element) {
  std::vector<int64_t> pads, ends, strides;
  for (const Part& part : PartsOf(geometry, element)) {
    pads.push_back(part.begin);
    ends.push_back(part.end);
    strides.push_back(part.stride);
  }
  pads.insert(pads.end(), ends.begin(), ends.end());
  const auto differ = [](const std::vector<int64_t>& values, int64_t from) {
    return std::ranges::any_of(values, [from](int64_t value) { return value != from; });
  };
  std::vector<Attribute> attributes;
  if (differ(pads, 0)) attributes.push_back({"pads", pads});
  if (differ(strides, 1)) attributes.push_back({"strides", strides});
  return attributes;
}

}  // namespace qconform
