#include "oracle/convolution/operands.h"

#include <utility>

#include "oracle/convolution/parameters.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

int64_t ValueAt(const std::optional<TensorView>& tensor, int64_t index) {
  if (!tensor) return 0;
  return ToInteger(FormatOf(tensor->type), ReadCode(*tensor, index));
}

// The differences of `lines` lines, of which each has a zero point.
std::vector<int64_t> Differences(const TensorView& tensor, int64_t lines,
                                 const std::vector<int64_t>& zero_points) {
  const int64_t count = *ElementCount(tensor.shape);
  std::vector<int64_t> differences;
  differences.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    differences.push_back(ValueAt(tensor, i) -
                          zero_points[static_cast<size_t>(i / (count / lines))]);
  }
  return differences;
}

MatMulOperand WeightsOf(const ConvolutionGeometry& geometry, const TensorView& w,
                        const std::optional<TensorView>& zero_point) {
  std::vector<int64_t> zero_points;
  std::vector<uint8_t> has_zero_point;
  for (int64_t m = 0; m < geometry.output_channels; ++m) {
    const int64_t at = zero_point ? IndexOfChannel(zero_point->shape, m) : 0;
    zero_points.push_back(ValueAt(zero_point, at));
    has_zero_point.push_back(zero_points.back() != 0);
  }
  return {Differences(w, geometry.output_channels, zero_points), geometry.terms(),
          std::move(has_zero_point)};
}

}  // namespace

ConvolutionOperands::ConvolutionOperands(const ConvolutionGeometry& geometry,
                                         const TensorView& x,
                                         const std::optional<TensorView>& x_zero_point,
                                         const TensorView& w,
                                         const std::optional<TensorView>& w_zero_point)
    : geometry_(geometry),
      x_(Differences(x, 1, {ValueAt(x_zero_point, 0)})),
      has_zero_point_(ValueAt(x_zero_point, 0) != 0),
      w_(WeightsOf(geometry, w, w_zero_point)) {}

MatMulOperand ConvolutionOperands::Windows(int64_t position) const {
  const int64_t lines = geometry_.batches * geometry_.group;
  std::vector<int64_t> windows;
  windows.reserve(static_cast<size_t>(lines * geometry_.terms()));
  for (int64_t n = 0; n < geometry_.batches; ++n) {
    for (int64_t g = 0; g < geometry_.group; ++g) {
      for (const int64_t at : WindowOf(geometry_, n, g, position)) {
        windows.push_back(at < 0 ? 0 : x_[static_cast<size_t>(at)]);
      }
    }
  }
  return {std::move(windows), geometry_.terms(),
          std::vector<uint8_t>(static_cast<size_t>(lines), has_zero_point_)};
}

int64_t ConvolutionOperands::LineOf(const ConvolutionElement& element) const {
  return element.batch * geometry_.group + GroupOf(geometry_, element.output_channel);
}

}  // namespace qconform
