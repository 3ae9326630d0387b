// Convolutions of 8-bit tensors, to sums or to codes. Private to the kernels.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_CONVOLUTION_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_CONVOLUTION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "harness/backends/simd/convolution/geometry.h"
#include "harness/backends/simd/matmul/packed_b.h"
#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

struct ConvolutionJob;
struct Products;
struct Rows;
struct TapWords;

// Constant weights of type UINT8 or INT8, laid out once for the kernels of a target.
class PackedWeights {
 public:
  // w of rank 3 or more.
  static Result<PackedWeights> Pack(const TensorView& w,
                                    const ProductOptions& options = {});

  PackedWeights(PackedWeights&&) noexcept;
  PackedWeights& operator=(PackedWeights&&) noexcept;
  ~PackedWeights();

  // Whether they are those of such a w, for the target of `options`.
  bool Fits(const TensorView& w, const ProductOptions& options) const;
  const Rows& rows() const { return *rows_; }
  // Precondition: w's second dimension is 1.
  const TapWords& taps() const { return *taps_; }

 private:
  friend void Convolve(const ConvolutionJob& job, const PackedWeights* packed,
                       const ProductOptions& options);
  PackedWeights(const TensorView& w, const Products& products, int threads);
  DataType type_;
  Shape shape_;
  std::unique_ptr<const Rows> rows_;
  std::unique_ptr<const TapWords> taps_;
};

// C = conv(x - x_zero_point, w - w_zero_point) + bias, modulo 2^32, where padded
// positions contribute 0. Then y is C (INT32), or saturate(rne(v) + y_zero_point) with
// the exact v = C * x_scale * w_scale / y_scale, rounded once (UINT8, INT8).
struct ConvolutionJob {
  ConvolutionGeometry geometry;
  TensorView x, w;
  DataType y_type = DataType::kInt32;
  std::byte* y = nullptr;
  uint8_t x_zero_point = 0;                 // code
  std::vector<uint8_t> w_zero_point = {0};  // codes: one, or one for each channel of y
  std::vector<int32_t> bias = {};           // none, or one for each channel of y
  // To codes.
  float x_scale = 1;
  std::vector<float> w_scale = {1};  // one, or one for each channel of y
  float y_scale = 1;
  uint8_t y_zero_point = 0;  // code
};

// `packed` is of w, or nullptr. Precondition: the target of `options` is supported.
void Convolve(const ConvolutionJob& job, const PackedWeights* packed,
              const ProductOptions& options);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CONVOLUTION_CONVOLUTION_H_
