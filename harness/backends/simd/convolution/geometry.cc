#include "harness/backends/simd/convolution/geometry.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace qconform::simd {
namespace {

using Sizes = std::vector<int64_t>;

// Sums and products of a few such numbers do not overflow.
constexpr int64_t kMost = int64_t{1} << 30;

Refusal Invalid(std::string reason) {
  return {Refusal::Kind::kInvalid, "", std::move(reason)};
}

std::string Spell(const Sizes& sizes) { return ShapeToString(sizes); }

// An attribute with `count` numbers from `least` on; `otherwise` if it is absent.
std::optional<Refusal> Read(std::string_view name, const std::optional<Sizes>& given,
                            size_t count, int64_t least, int64_t otherwise, Sizes* read) {
  *read = given ? *given : Sizes(count, otherwise);
  const std::string got = std::string(name) + ": expected " + std::to_string(count) +
                          " numbers from " + std::to_string(least) + " on, got " +
                          Spell(*read);
  if (read->size() != count || (count > 0 && std::ranges::min(*read) < least)) {
    return Invalid(got);
  }
  if (count > 0 && std::ranges::max(*read) > kMost) {
    return Refusal{Refusal::Kind::kUnsupported, "", got + ", which is too large"};
  }
  return std::nullopt;
}

std::optional<Refusal> CheckShapes(std::span<const int64_t> x, std::span<const int64_t> w,
                                   int64_t group) {
  const std::string shapes =
      "x of shape " + ShapeToString(x) + " and w of shape " + ShapeToString(w);
  if (x.size() < 3) return Invalid(shapes + ": expected x of rank 3 or more");
  if (w.size() != x.size()) return Invalid(shapes + ": expected one rank of both");
  for (const int64_t size : w.subspan(2)) {
    if (size < 1) return Invalid(shapes + ": expected a kernel of at least 1 element");
  }
  if (group < 1) {
    return Invalid("group: expected 1 or more, got " + std::to_string(group));
  }
  if (w[0] % group != 0 || x[1] % group != 0 || x[1] / group != w[1]) {
    return Invalid(shapes + ": expected C = group * w's second dimension and M = a " +
                   "multiple of group " + std::to_string(group));
  }
  if (std::ranges::max(x) > kMost || std::ranges::max(w) > kMost) {
    return Refusal{Refusal::Kind::kUnsupported, "", shapes + ": too large"};
  }
  return std::nullopt;
}

// Sets an axis's output and its pad at the beginning. `window` is what a kernel covers.
void PadAutomatically(bool odd_one_first, int64_t in, int64_t stride, int64_t window,
                      int64_t* out, int64_t* pad) {
  *out = (in + stride - 1) / stride;
  const int64_t total = std::max<int64_t>(0, (*out - 1) * stride + window - in);
  *pad = odd_one_first ? (total + 1) / 2 : total / 2;
}

}  // namespace

Shape ConvolutionGeometry::YShape() const {
  Shape shape = {images, channels()};
  shape.insert(shape.end(), out.begin(), out.end());
  return shape;
}

int64_t ConvolutionGeometry::Product(const Sizes& sizes) {
  int64_t product = 1;
  for (const int64_t size : sizes) product *= size;
  return product;
}

std::variant<ConvolutionGeometry, Refusal> ResolveConvolution(
    const ConvolutionAttributes& attributes, std::span<const int64_t> x,
    std::span<const int64_t> w) {
  if (auto refusal = CheckShapes(x, w, attributes.group)) return *refusal;
  ConvolutionGeometry g;
  const size_t rank = x.size() - 2;
  g.images = x[0];
  g.groups = attributes.group;
  g.in_channels = w[1];
  g.out_channels = w[0] / g.groups;
  g.in.assign(x.begin() + 2, x.end());
  Sizes pads;
  for (auto refusal :
       {Read("kernel_shape", attributes.kernel_shape, rank, 1, 1, &g.kernel),
        Read("strides", attributes.strides, rank, 1, 1, &g.strides),
        Read("dilations", attributes.dilations, rank, 1, 1, &g.dilations),
        Read("pads", attributes.pads, 2 * rank, 0, 0, &pads)}) {
    if (refusal) return *refusal;
  }
  const Sizes of_w(w.begin() + 2, w.end());
  if (attributes.kernel_shape && g.kernel != of_w) {
    return Invalid("kernel_shape: expected that of w, " + Spell(of_w) + ", got " +
                   Spell(g.kernel));
  }
  g.kernel = of_w;
  const std::string& auto_pad = attributes.auto_pad;
  const bool same = auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER";
  if (!same && auto_pad != "NOTSET" && auto_pad != "VALID") {
    return Invalid("auto_pad: expected NOTSET, SAME_UPPER, SAME_LOWER or VALID, got '" +
                   auto_pad + "'");
  }
  if (auto_pad != "NOTSET" &&
      std::ranges::any_of(pads, [](int64_t p) { return p != 0; })) {
    return Invalid("pads: expected none beside auto_pad " + auto_pad + ", got " +
                   Spell(pads));
  }
  g.out.resize(rank);
  g.pads.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(rank));
  for (size_t i = 0; i < rank; ++i) {
    const int64_t window = (g.kernel[i] - 1) * g.dilations[i] + 1;
    if (same) {
      PadAutomatically(auto_pad == "SAME_LOWER", g.in[i], g.strides[i], window, &g.out[i],
                       &g.pads[i]);
      continue;
    }
    const int64_t room = g.in[i] + pads[i] + pads[rank + i] - window;
    g.out[i] = room < 0 ? 0 : room / g.strides[i] + 1;
  }
  if (!ElementCount(g.YShape())) {
    return Refusal{Refusal::Kind::kUnsupported, "", "y would be too large"};
  }
  return g;
}

}  // namespace qconform::simd
