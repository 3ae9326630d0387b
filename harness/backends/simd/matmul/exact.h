// The last step of a quantized product in integers: v = C * a_scale * b_scale / y_scale
// as an exact quotient, and the code of y that it rounds to. Slow and sure: for
// degenerate scales, for float8 operands, and for elements that fast arithmetic
// leaves undecided. Private to the kernels.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_EXACT_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_EXACT_H_

#include <bit>
#include <cstdint>
#include <vector>

#include "oracle/tensor/data_type.h"

namespace qconform::simd {

using Uint128 = unsigned __int128;

// Returns the number of bits of x: 0 for 0.
inline int BitLength(Uint128 x) {
  const auto high = static_cast<uint64_t>(x >> 64);
  return static_cast<int>(high != 0 ? 64 + std::bit_width(high)
                                    : std::bit_width(static_cast<uint64_t>(x)));
}

// |v| = sum * product * 2^exponent / divisor, with a sum below 2^112, a product
// below 2^48 and a divisor in [1, 2^24).
struct Quotient {
  bool negative = false;
  Uint128 sum = 0;
  uint64_t product = 1;
  uint32_t divisor = 1;
  int exponent = 0;
};

// a_scale * b_scale / y_scale, ready for many sums.
class ExactMultiplier {
 public:
  ExactMultiplier(float a_scale, float b_scale, float y_scale);

  // Whether all three are finite and y_scale is not zero. Otherwise v is
  // infinite, NaN or zero, and Special says which.
  bool finite() const { return finite_; }
  // Precondition: finite().
  Quotient Times(bool negative, Uint128 sum, int exponent) const;
  Quotient Times(int32_t sum) const;
  // MM-20: v where it is infinite, NaN or zero. Precondition: the sum or the
  // multiplier is not finite.
  double Special(double sum) const;

 private:
  float a_, b_, y_;
  bool finite_;
  bool negative_ = false;
  uint64_t product_ = 0;
  uint32_t divisor_ = 1;
  int exponent_ = 0;
};

// Boundaries between codes are multiples of 2^-18.
inline constexpr int kBoundaryBits = 18;

// Returns the sign of v - boundary * 2^-kBoundaryBits.
// Precondition: |boundary| < 2^40.
int Compare(const Quotient& v, int64_t boundary);

// The finite codes of a type of y in the order of their values, and the values
// of v where y changes from one to the next: a y_zero_point moves these.
class Ladder {
 public:
  // Precondition: type is UINT8, INT8 or a float8.
  Ladder(DataType type, uint8_t zero_point);

  // Returns y's code for v (MM-03).
  uint8_t Round(const Quotient& v) const;
  // The same for v that is infinite, NaN or zero.
  uint8_t RoundSpecial(double v) const;
  // The same for v that is a FLOAT, of any kind.
  uint8_t RoundFloat(float v) const;

 private:
  std::vector<uint8_t> codes_;       // one more than boundaries
  std::vector<int64_t> boundaries_;  // in units of 2^-kBoundaryBits
  std::vector<double> values_;       // of the boundaries, exactly
  std::vector<bool> tie_goes_up_;    // where v lies on the boundary
  uint8_t nan_ = 0, plus_infinity_ = 0, minus_infinity_ = 0;
};

// A float8 code or an 8-bit integer. Finite values are in units of 2^-17.
struct Value8 {
  enum class Kind : uint8_t { kFinite, kInfinite, kNan };
  Kind kind = Kind::kFinite;
  int64_t units = 0;  // +1 or -1 for infinities
};
inline constexpr int kValue8Exponent = -17;

// Precondition: type is UINT8, INT8 or a float8.
Value8 DecodeValue8(DataType type, uint8_t code);

// Returns a - b as IEEE 754 has it, but exact.
Value8 Subtract(const Value8& a, const Value8& b);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_EXACT_H_
