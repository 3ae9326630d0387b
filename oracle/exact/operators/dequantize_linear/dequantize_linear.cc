#include "oracle/exact/operators/dequantize_linear/dequantize_linear.h"

namespace qconform::exact {

mpq_class Dequantize(const mpq_class& x, const mpq_class& x_zero_point,
                     const mpq_class& x_scale) {
  return (x - x_zero_point) * x_scale;
}

}  // namespace qconform::exact
