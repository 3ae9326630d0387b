// Codes of QLinearMatMul's types as numbers, for tests: by tables of their own, which
// share nothing with the kernels.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_Q_LINEAR_MAT_MUL_TESTING_CODES_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_Q_LINEAR_MAT_MUL_TESTING_CODES_H_

#include <cstdint>
#include <limits>
#include <map>

#include "oracle/tensor/tensor.h"

namespace qconform::simd {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// The value of a code of any of these types; NaN and the infinities as such.
double ValueOfCode(DataType type, uint64_t code);

// An element of a tensor whose type fills whole bytes.
uint64_t CodeAt(const Tensor& t, int64_t index);
double ValueAt(const Tensor& t, int64_t index);
void SetCode(Tensor* t, int64_t index, uint64_t code);

// The bits of a scale for a value that may need rounding to the type.
void SetScale(Tensor* scale, int64_t index, double value);

// The code that NaN becomes: of UINT8 and INT8 the lowest.
uint8_t NanCode(DataType type);

// The finite values of a float8 type, and the code of each.
const std::map<double, uint8_t>& Float8Grid(DataType type);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_Q_LINEAR_MAT_MUL_TESTING_CODES_H_
