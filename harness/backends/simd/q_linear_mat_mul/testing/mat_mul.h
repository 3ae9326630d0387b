// Questions about QLinearMatMul, and their answers by rationals, written from the
// clauses only and sharing nothing with the kernels.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_Q_LINEAR_MAT_MUL_TESTING_MAT_MUL_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_Q_LINEAR_MAT_MUL_TESTING_MAT_MUL_H_

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "harness/backends/simd/core/targets.h"
#include "harness/backends/simd/q_linear_mat_mul/q_linear_mat_mul.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

// Numbers that are the same everywhere.
class Dice {
 public:
  explicit Dice(uint64_t seed) : engine_(seed) {}
  uint64_t Next() { return engine_(); }
  // In [0, bound).
  int64_t Below(int64_t bound) {
    return static_cast<int64_t>(engine_() % static_cast<uint64_t>(bound));
  }
  template <typename T>
  const T& Pick(const std::vector<T>& list) {
    return list[static_cast<size_t>(Below(static_cast<int64_t>(list.size())))];
  }

 private:
  std::mt19937_64 engine_;
};

struct MatMulQuestion {
  Tensor a, a_scale, a_zero_point;
  Tensor b, b_scale, b_zero_point;
  Tensor y_scale, y_zero_point;
  Requantization requantization = Requantization::kExact;

  QLinearMatMulArgs Args() const;
  std::string Name() const;
};

// Types in the order of the operator: TS, T1, T2, T3.
struct MatMulTypes {
  DataType scale = DataType::kFloat;
  DataType a = DataType::kUint8;
  DataType b = DataType::kInt8;
  DataType y = DataType::kUint8;
};
std::vector<MatMulTypes> AllMatMulTypes();  // of since_version 21

// What scales are like.
enum class ScaleKind : uint8_t {
  kOrdinary,    // most of y is within its range
  kPowerOfTwo,  // the same, and many exact ties
  kRatio,       // y_scale is three times a power of two: ties, but no exact multiplier
  kDegenerate,  // zeros, infinities, NaN, subnormals, negatives
};

// How scales and zero points of an operand lie.
enum class Lines : uint8_t { kPerTensor, kVector, kFull };

struct MatMulLayout {
  Shape a, b;
  Lines a_lines = Lines::kPerTensor;
  Lines b_lines = Lines::kPerTensor;
  ScaleKind scales = ScaleKind::kOrdinary;
  bool extreme = false;  // codes at the ends of their range only
};

MatMulQuestion MakeMatMulQuestion(const MatMulTypes& types, const MatMulLayout& layout,
                                  Dice& dice);

// y's codes, by the canonical reading or f32_multiplier.
std::vector<uint8_t> ExpectedCodes(const MatMulQuestion& question);

// Asks one target, with operands at odd addresses where `offset` says so and a
// guard around y. Returns what is wrong, or "". NaN codes of a type are equal.
std::string MatMulDifference(const MatMulQuestion& question,
                             const std::vector<uint8_t>& expected, const Target& target,
                             QLinearMatMulOptions options, bool pack, size_t offset = 0);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_Q_LINEAR_MAT_MUL_TESTING_MAT_MUL_H_
