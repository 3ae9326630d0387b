#include "oracle/exact/graphs/windows.h"

#include <algorithm>
#include <string>
#include <utility>

namespace qconform::exact {
namespace {

// Along one axis.
struct Line {
  int64_t size = 0;  // of the image
  int64_t kernel = 0;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t begin = 0;  // padding
  int64_t end = 0;
  int64_t windows = 0;
};

int64_t CeilOf(int64_t n, int64_t by) { return (n + by - 1) / by; }

void Count(Line& line, const std::string& auto_pad, bool ceils) {
  const int64_t extent = (line.kernel - 1) * line.dilation + 1;
  if (auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER") {
    line.windows = CeilOf(line.size, line.stride);
    const int64_t padding =
        std::max<int64_t>(0, (line.windows - 1) * line.stride + extent - line.size);
    line.begin = auto_pad == "SAME_UPPER" ? padding / 2 : padding - padding / 2;
    line.end = padding - line.begin;
    return;
  }
  if (auto_pad == "VALID") line.begin = line.end = 0;
  const int64_t room = line.size + line.begin + line.end - extent;
  if (room < 0) {
    line.windows = 0;
    return;
  }
  line.windows = (ceils ? CeilOf(room, line.stride) : room / line.stride) + 1;
  // A window that would start in the padding at the end is left out.
  if (ceils && (line.windows - 1) * line.stride >= line.size + line.begin) --line.windows;
}

}  // namespace

Windows WindowsOf(const GraphNode& node, const std::vector<int64_t>& image) {
  const std::vector<int64_t> kernel = node.Integers("kernel_shape");
  const std::vector<int64_t> strides = node.Integers("strides");
  const std::vector<int64_t> dilations = node.Integers("dilations");
  const std::vector<int64_t> pads = node.Integers("pads");
  std::vector<Line> lines;
  Windows windows;
  for (size_t d = 0; d < image.size(); ++d) {
    Line line;
    line.size = image[d];
    line.kernel = kernel[d];
    if (!strides.empty()) line.stride = strides[d];
    if (!dilations.empty()) line.dilation = dilations[d];
    if (!pads.empty()) line.begin = pads[d];
    if (!pads.empty()) line.end = pads[image.size() + d];
    Count(line, node.Text("auto_pad", "NOTSET"), node.Integer("ceil_mode", 0) != 0);
    windows.shape.push_back(line.windows);
    lines.push_back(line);
  }
  // Both loops count up numbers whose digits have different bases.
  for (size_t w = 0; w < CountOf(windows.shape); ++w) {
    std::vector<int64_t> first(image.size());
    size_t rest = w;
    for (size_t d = image.size(); d-- > 0;) {
      const auto base = static_cast<size_t>(windows.shape[d]);
      first[d] = static_cast<int64_t>(rest % base) * lines[d].stride - lines[d].begin;
      rest /= base;
    }
    Window window;
    for (size_t k = 0; k < CountOf(kernel); ++k) {
      std::vector<int64_t> tap(image.size());
      size_t digits = k;
      for (size_t d = image.size(); d-- > 0;) {
        tap[d] = static_cast<int64_t>(digits % static_cast<size_t>(kernel[d]));
        digits /= static_cast<size_t>(kernel[d]);
      }
      bool is_inside = true, is_padded = true;
      size_t position = 0;
      for (size_t d = 0; d < image.size(); ++d) {
        const int64_t at = first[d] + tap[d] * lines[d].dilation;
        is_inside = is_inside && at >= 0 && at < image[d];
        is_padded = is_padded && at >= -lines[d].begin && at < image[d] + lines[d].end;
        position = position * static_cast<size_t>(image[d]) + static_cast<size_t>(at);
      }
      if (is_inside) window.inside.push_back(position);
      if (is_padded) ++window.padded;
    }
    windows.elements.push_back(std::move(window));
  }
  return windows;
}

ConvolutionAttributes ConvolutionAttributesOf(const GraphNode& node) {
  ConvolutionAttributes attributes;
  const std::string auto_pad = node.Text("auto_pad", "NOTSET");
  if (auto_pad == "SAME_UPPER") attributes.auto_pad = AutoPad::kSameUpper;
  if (auto_pad == "SAME_LOWER") attributes.auto_pad = AutoPad::kSameLower;
  if (auto_pad == "VALID") attributes.auto_pad = AutoPad::kValid;
  attributes.dilations = node.Integers("dilations");
  attributes.group = node.Integer("group", 1);
  attributes.pads = node.Integers("pads");
  attributes.strides = node.Integers("strides");
  return attributes;
}

}  // namespace qconform::exact
