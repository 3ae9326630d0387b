#include "harness/backends/simd/convolution/check.h"

#include <algorithm>
#include <cstring>

#include "harness/backends/simd/core/check_tensors.h"
#include "harness/backends/simd/core/geometry.h"
#include "harness/backends/simd/core/targets.h"

namespace qconform::simd {

std::optional<std::string> CheckOperands(const TensorView& x, const TensorView& w) {
  for (const auto& [name, tensor] : {NamedTensor{"x", &x}, NamedTensor{"w", &w}}) {
    if (tensor->type != DataType::kUint8 && tensor->type != DataType::kInt8) {
      return std::string(name) + ": expected UINT8 or INT8, got " +
             std::string(DataTypeName(tensor->type));
    }
    if (!ElementCount(tensor->shape)) {
      return std::string(name) + " has the impossible shape " +
             ShapeToString(tensor->shape);
    }
  }
  return std::nullopt;
}

std::optional<std::string> CheckChannels(const char* name, std::span<const int64_t> shape,
                                         int64_t channels) {
  const bool is_vector = shape.size() == 1 && shape[0] == channels;
  if (IsOneElement(shape) || is_vector) return std::nullopt;
  return std::string(name) + ": expected one element" +
         (channels == 1 ? "" : " or a vector of " + std::to_string(channels)) +
         ", got shape " + ShapeToString(shape);
}

Status CheckConvolution(const ConvolutionGeometry& geometry, const TensorView& x,
                        const TensorView& w, const PackedWeights* packed,
                        const std::vector<NamedTensor>& others, DataType y_type,
                        const MutableTensorView& y, const ProductOptions& options) {
  if (const auto target = FindTarget(options.target); !target) return target.error();
  if (packed != nullptr && !packed->Fits(w, options)) {
    return Error{"the packed w: expected that of this w and target, got another"};
  }
  const Shape shape = geometry.YShape();
  if (y.type != y_type || !std::ranges::equal(y.shape, shape)) {
    return Error{"y: expected " + std::string(DataTypeName(y_type)) + " of shape " +
                 ShapeToString(shape) + ", got " + std::string(DataTypeName(y.type)) +
                 " of shape " + ShapeToString(y.shape)};
  }
  std::vector<NamedTensor> all = {{"x", &x}, {"w", &w}};
  all.insert(all.end(), others.begin(), others.end());
  for (const auto& [name, tensor] : all) {
    if (tensor->type == DataType::kUndefined) continue;
    if (const Status status = CheckTensor(name, *tensor); !status) return status;
    if (Overlap(tensor->data, y.data)) {
      return Error{std::string("y: expected memory of its own, got some of ") + name +
                   "'s: they overlap"};
    }
  }
  return CheckTensor("y", {y.type, y.shape, y.data});
}

std::vector<uint8_t> Codes(const TensorView& tensor) {
  std::vector<uint8_t> codes(tensor.data.size());
  std::memcpy(codes.data(), tensor.data.data(), codes.size());
  return codes;
}

}  // namespace qconform::simd
