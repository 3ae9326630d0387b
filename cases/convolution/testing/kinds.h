// What is odd about a convolution that a case asks, for tests of the operators' contents.
#ifndef QCONFORM_CASES_CONVOLUTION_TESTING_KINDS_H_
#define QCONFORM_CASES_CONVOLUTION_TESTING_KINDS_H_

#include <algorithm>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "cases/convolution/geometry.h"
#include "cases/core/case.h"

namespace qconform::generators {

using Kinds = std::set<std::string>;

// Returns the attribute of that name, or `otherwise`.
template <typename Value>
Value AttributeOf(const OpCase& made, std::string_view name, Value otherwise) {
  for (const Attribute& attribute : made.model.node.attributes) {
    if (attribute.name == name) return std::get<Value>(attribute.value);
  }
  return otherwise;
}

// The sizes of a case, read from its model. `w` is the place of the kernel.
inline ConvolutionSizes SizesOf(const OpCase& made, size_t w) {
  const Shape& x_shape = made.operands[0].shape;
  const Shape& w_shape = made.operands[w].shape;
  ConvolutionSizes sizes;
  sizes.batch = x_shape[0];
  sizes.group = AttributeOf(made, "group", int64_t{1});
  sizes.channels = w_shape[1];
  sizes.outputs = w_shape[0] / sizes.group;
  sizes.input.assign(x_shape.begin() + 2, x_shape.end());
  sizes.kernel.assign(w_shape.begin() + 2, w_shape.end());
  sizes.strides = AttributeOf(made, "strides", Shape{});
  sizes.dilations = AttributeOf(made, "dilations", Shape{});
  sizes.pads = AttributeOf(made, "pads", Shape{});
  const std::string auto_pad = AttributeOf(made, "auto_pad", std::string("NOTSET"));
  for (const AutoPad each : {AutoPad::kSameUpper, AutoPad::kSameLower, AutoPad::kValid}) {
    if (auto_pad == AutoPadName(each)) sizes.auto_pad = each;
  }
  return sizes;
}

// Whether each size of channels that matters to vectors is among those of a convolution.
inline Kinds KindsOf(const OpCase& made, size_t w) {
  const ConvolutionGeometry geometry(SizesOf(made, w));
  const ConvolutionSizes& sizes = geometry.sizes();
  const size_t rank = sizes.input.size();
  Kinds kinds{std::to_string(rank) + "-D"};
  const auto add = [&](bool is, const std::string& name) {
    if (is) kinds.insert(name);
  };
  const bool is_depthwise = sizes.group > 1 && sizes.channels == 1;
  const bool is_same =
      sizes.auto_pad == AutoPad::kSameUpper || sizes.auto_pad == AutoPad::kSameLower;
  add(sizes.group > 1 && sizes.channels > 1, "group");
  add(is_depthwise && sizes.outputs == 1, "depthwise");
  add(is_depthwise && sizes.outputs > 1, "depthwise with a multiplier");
  const bool is_1x1 = geometry.kernel_size() == 1;
  add(is_1x1, "1x1");
  bool has_stride = false;
  bool has_dilation = false;
  bool has_pads = false;
  for (size_t axis = 0; axis < rank; ++axis) {
    const int64_t in = sizes.input[axis];
    const int64_t stride = sizes.strides[axis];
    const int64_t dilation = sizes.kernel[axis] > 1 ? sizes.dilations[axis] : 1;
    const int64_t begin = sizes.pads[axis];
    const int64_t end = sizes.pads[rank + axis];
    has_stride = has_stride || stride > 1;
    has_dilation = has_dilation || dilation > 1;
    has_pads = has_pads || begin + end > 0;
    const bool is_odd = is_same && (begin + end) % 2 == 1;
    const std::string name(AutoPadName(sizes.auto_pad));
    add(is_odd, name + " odd");
    add(is_odd && dilation > 1, name + " odd, dilation");
    add(is_odd && stride > 1, name + " odd, stride");
    add(is_odd && stride > 1 && dilation > 1, name + " odd, stride and dilation");
    add(is_odd && is_depthwise, name + " odd, depthwise");
    add(!is_same && begin != end, "asymmetric pads");
    add(!is_same && begin != end && stride > 1 && dilation > 1,
        "asymmetric pads, stride and dilation");
    add(sizes.kernel[axis] > in, "kernel larger than the input");
    add(begin >= (sizes.kernel[axis] - 1) * dilation + 1, "window of padding");
    add(stride > sizes.kernel[axis], "stride larger than the kernel");
    add(sizes.auto_pad == AutoPad::kValid && (stride > 1 || dilation > 1),
        "VALID, stride or dilation");
    add(sizes.kernel[axis] != sizes.kernel[0], "kernel of unequal sides");
    add(sizes.input[axis] != sizes.input[0], "input of unequal sides");
  }
  add(has_stride, "stride");
  add(has_dilation, "dilation");
  add(has_stride && has_dilation && sizes.group > 1, "group, stride and dilation");
  add(is_1x1 && has_pads, "1x1 with pads");
  add(is_1x1 && has_stride, "1x1 with strides");
  add(is_1x1 && sizes.batch > 1, "1x1 with a batch");
  const Shape y = geometry.YShape();
  const int64_t m = geometry.m();
  add(sizes.group > 1 && m == sizes.channels, "M = C / group");
  add(m > 1 && m == sizes.batch, "M = batch");
  add(m > 1 && rank > 1 && m == y.back(), "M = width of y");
  add(m > 1 && rank > 1 && m == y[2], "M = height of y");
  add(m > 1 && m == sizes.input.back(), "M = width of x");
  add(m > 1 && m == sizes.kernel.front(), "M = height of the kernel");
  add(m == 1, "M = 1");
  add(sizes.outputs == 1 && sizes.group > 1 && sizes.channels > 1,
      "one output of a group");
  for (const int64_t size :
       {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129}) {
    if (sizes.group == 1) {
      add(geometry.c() == size, "C " + std::to_string(size));
      add(m == size, "M " + std::to_string(size));
    }
    add(geometry.positions() == size, "positions " + std::to_string(size));
    add(is_depthwise && geometry.c() == size, "depthwise " + std::to_string(size));
  }
  const int64_t terms = geometry.terms();
  add(terms >= 256, "K from 256");
  add(terms >= 1024, "K from 1024");
  add(terms >= 256 && terms % 64 == 0, "K of whole tiles of 64");
  add(terms >= 256, "K of " + std::to_string(terms % 4) + " modulo 4");
  return kinds;
}

// Those that each cell has to be asked.
inline std::vector<std::string> WantedKinds() {
  std::vector<std::string> wanted{"1-D",
                                  "2-D",
                                  "3-D",
                                  "group",
                                  "depthwise",
                                  "depthwise with a multiplier",
                                  "1x1",
                                  "stride",
                                  "dilation",
                                  "group, stride and dilation",
                                  "SAME_UPPER odd",
                                  "SAME_UPPER odd, dilation",
                                  "SAME_UPPER odd, stride",
                                  "SAME_UPPER odd, stride and dilation",
                                  "SAME_UPPER odd, depthwise",
                                  "SAME_LOWER odd",
                                  "SAME_LOWER odd, dilation",
                                  "SAME_LOWER odd, stride",
                                  "SAME_LOWER odd, stride and dilation",
                                  "SAME_LOWER odd, depthwise",
                                  "asymmetric pads",
                                  "asymmetric pads, stride and dilation",
                                  "kernel larger than the input",
                                  "window of padding",
                                  "stride larger than the kernel",
                                  "VALID, stride or dilation",
                                  "kernel of unequal sides",
                                  "input of unequal sides",
                                  "1x1 with pads",
                                  "1x1 with strides",
                                  "1x1 with a batch",
                                  "M = C / group",
                                  "M = batch",
                                  "M = width of y",
                                  "M = height of y",
                                  "M = width of x",
                                  "M = height of the kernel",
                                  "M = 1",
                                  "one output of a group",
                                  "K from 256",
                                  "K from 1024",
                                  "K of whole tiles of 64"};
  for (int remainder = 0; remainder < 4; ++remainder) {
    wanted.push_back("K of " + std::to_string(remainder) + " modulo 4");
  }
  for (const int size :
       {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129}) {
    wanted.push_back("C " + std::to_string(size));
    if (size != 127 && size != 128) wanted.push_back("M " + std::to_string(size));
    if (size != 127 && size != 128) wanted.push_back("positions " + std::to_string(size));
  }
  for (const int size : {3, 8, 9, 16, 17, 31, 32, 33, 64}) {
    wanted.push_back("depthwise " + std::to_string(size));
  }
  return wanted;
}

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_CONVOLUTION_TESTING_KINDS_H_
