// The right operand of a product, laid out once if it is a constant of the model.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_PACKED_B_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_PACKED_B_H_

#include <cstdint>
#include <memory>

#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

struct Panels;

struct ProductOptions {
  int64_t target = 0;  // Target::bit; 0 takes the best
  int threads = 1;     // at most
  // Whether dot-product instructions of the CPU may be used that Highway does
  // not count to the target (VNNI in addition to AVX3).
  bool dot_product = true;
};

// A constant b of type UINT8 or INT8, laid out once for the kernels of a target.
class PackedB {
 public:
  // b of any rank from 1. Float8 b is accepted too: there is nothing to lay out.
  static Result<PackedB> Pack(const TensorView& b, const ProductOptions& options = {});

  PackedB(PackedB&&) noexcept;
  PackedB& operator=(PackedB&&) noexcept;
  ~PackedB();

  const Panels& panels() const { return *panels_; }

 private:
  explicit PackedB(std::unique_ptr<const Panels> panels);
  std::unique_ptr<const Panels> panels_;
};

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_PACKED_B_H_
