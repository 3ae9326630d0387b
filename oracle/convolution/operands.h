// The operands of a convolution, less their zero points, as lines whose products of pairs
// are the elements of y.
#ifndef QCONFORM_ORACLE_CONVOLUTION_OPERANDS_H_
#define QCONFORM_ORACLE_CONVOLUTION_OPERANDS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/convolution/geometry.h"
#include "oracle/matmul/accumulate.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// Of INT8 or UINT8. A zero point that is left out is 0; that of w is one value, or one
// for each output channel. The geometry must outlive it.
class ConvolutionOperands {
 public:
  ConvolutionOperands(const ConvolutionGeometry& geometry, const TensorView& x,
                      const std::optional<TensorView>& x_zero_point, const TensorView& w,
                      const std::optional<TensorView>& w_zero_point);

  // One line for each output channel.
  const MatMulOperand& w() const { return w_; }

  // One line for each batch and group: the window at a spatial position of y. Padded
  // positions are 0, so that they contribute nothing.
  MatMulOperand Windows(int64_t position) const;

  // The line of Windows() that makes an element.
  int64_t LineOf(const ConvolutionElement& element) const;

 private:
  const ConvolutionGeometry& geometry_;
  std::vector<int64_t> x_;  // differences, row-major
  bool has_zero_point_;     // x
  MatMulOperand w_;
};

}  // namespace qconform

#endif  // QCONFORM_ORACLE_CONVOLUTION_OPERANDS_H_
