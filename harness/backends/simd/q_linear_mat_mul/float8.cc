// QLinearMatMul where a or b is float8. These cells are for conformance, not for
// speed: sums are integers in units of the smallest product, exact whatever the
// operands are (MM-10).

#include "harness/backends/simd/q_linear_mat_mul/float8.h"

#include <bit>
#include <cmath>
#include <limits>

#include "harness/backends/simd/core/parallel.h"

namespace qconform::simd {
namespace {

// The lines of one matrix (rows of a, columns of b), less their zero points.
struct MatrixLines {
  int64_t matrix = -1;
  std::vector<Value8> values;  // line after line, k each
  std::vector<bool> special;   // lines with an infinity or NaN
  // Every value is a multiple of 2^zeros units, and below 2^bits of those.
  int zeros = 0;
  int bits = 0;
};

// `line_step` and `k_step` are the distances of neighbours in `codes`.
void ReadLines(DataType type, const uint8_t* codes, int64_t lines, int64_t k,
               int64_t line_step, int64_t k_step, const std::vector<uint8_t>& zero_points,
               MatrixLines* out) {
  out->values.resize(static_cast<size_t>(lines * k));
  out->special.assign(static_cast<size_t>(lines), false);
  uint64_t all = 0;
  for (int64_t line = 0; line < lines; ++line) {
    const Value8 zero_point =
        DecodeValue8(type, ParameterAt(zero_points, out->matrix * lines + line));
    for (int64_t i = 0; i < k; ++i) {
      const uint8_t code = codes[line * line_step + i * k_step];
      const Value8 value = Subtract(DecodeValue8(type, code), zero_point);
      out->values[static_cast<size_t>(line * k + i)] = value;
      if (value.kind == Value8::Kind::kFinite) {
        all |= static_cast<uint64_t>(std::abs(value.units));
      } else {
        out->special[static_cast<size_t>(line)] = true;
      }
    }
  }
  out->zeros = all == 0 ? 0 : std::countr_zero(all);
  for (Value8& value : out->values) {
    if (value.kind == Value8::Kind::kFinite) value.units >>= out->zeros;
  }
  out->bits = BitLength(all >> out->zeros);
}

template <typename Sum>
Sum Dot(const Value8* a, const Value8* b, int64_t k) {
  Sum sum = 0;
  for (int64_t i = 0; i < k; ++i) sum += Sum{a[i].units} * b[i].units;
  return sum;
}

// Precondition: a or b has an infinity or NaN; then so has the sum (MM-11).
double SpecialDot(const Value8* a, const Value8* b, int64_t k) {
  double sum = 0;
  const auto as_double = [](const Value8& v) {
    switch (v.kind) {
      case Value8::Kind::kFinite:
        return static_cast<double>(v.units);
      case Value8::Kind::kInfinite:
        return static_cast<double>(v.units) * std::numeric_limits<double>::infinity();
      default:
        return std::numeric_limits<double>::quiet_NaN();
    }
  };
  // Finite terms are of no consequence, and cannot overflow.
  for (int64_t i = 0; i < k; ++i) sum += as_double(a[i]) * as_double(b[i]);
  return sum;
}

// Returns sum * 2^exponent to nearest even. Precondition: it is in FLOAT's range.
float RoundSum(bool negative, Uint128 sum, int exponent) {
  const int length = BitLength(sum);
  if (length > 24) {
    const int shift = length - 24;
    const Uint128 half = Uint128{1} << (shift - 1);
    const Uint128 rest = sum & (2 * half - 1);
    sum >>= shift;
    if (rest > half || (rest == half && (sum & 1) != 0)) ++sum;
    exponent += shift;
  }
  const float magnitude =
      std::ldexp(static_cast<float>(static_cast<uint32_t>(sum)), exponent);
  return negative ? -magnitude : magnitude;
}

class Float8Worker {
 public:
  explicit Float8Worker(const MatMulJob& job)
      : job_(job), ladder_(job.y_type, job.y_zero_point) {}

  // Row `row` of product `product`, to n codes.
  void Row(int64_t product, int64_t row, uint8_t* y) {
    const auto& [m, n, k, a_matrices, b_matrices, a_of, b_of, shape] = job_.shape;
    const int64_t a_matrix = a_of[static_cast<size_t>(product)];
    const int64_t b_matrix = b_of[static_cast<size_t>(product)];
    if (a_.matrix != a_matrix) {
      a_.matrix = a_matrix;
      ReadLines(job_.a.type, job_.AMatrix(a_matrix), m, k, k, 1, job_.a_zero_point, &a_);
    }
    if (b_.matrix != b_matrix) {
      b_.matrix = b_matrix;
      ReadLines(job_.b.type, job_.BMatrix(b_matrix), n, k, 1, n, job_.b_zero_point, &b_);
    }
    const bool narrow = a_.bits + b_.bits + BitLength(static_cast<uint64_t>(k)) < 63;
    const int exponent = 2 * kValue8Exponent + a_.zeros + b_.zeros;
    const Value8* a = a_.values.data() + row * k;
    for (int64_t column = 0; column < n; ++column) {
      const Value8* b = b_.values.data() + column * k;
      const float a_scale = ParameterAt(job_.a_scale, a_matrix * m + row);
      const float b_scale = ParameterAt(job_.b_scale, b_matrix * n + column);
      if (a_.special[static_cast<size_t>(row)] ||
          b_.special[static_cast<size_t>(column)]) {
        y[column] = RoundSpecial(SpecialDot(a, b, k), a_scale, b_scale);
      } else {
        const __int128 sum = narrow ? Dot<int64_t>(a, b, k) : Dot<__int128>(a, b, k);
        y[column] = RoundSumOf(sum, exponent, a_scale, b_scale);
      }
    }
  }

 private:
  uint8_t RoundSpecial(double sum, float a_scale, float b_scale) const {
    if (job_.requantization == Requantization::kF32Multiplier) {
      return ladder_.RoundFloat(static_cast<float>(sum) *
                                FloatMultiplier(a_scale, b_scale, job_.y_scale));
    }
    return ladder_.RoundSpecial(
        ExactMultiplier(a_scale, b_scale, job_.y_scale).Special(sum));
  }

  uint8_t RoundSumOf(__int128 sum, int exponent, float a_scale, float b_scale) const {
    const bool negative = sum < 0;
    const Uint128 magnitude = negative ? -static_cast<Uint128>(sum) : Uint128(sum);
    if (job_.requantization == Requantization::kF32Multiplier) {
      return ladder_.RoundFloat(RoundSum(negative, magnitude, exponent) *
                                FloatMultiplier(a_scale, b_scale, job_.y_scale));
    }
    const ExactMultiplier multiplier(a_scale, b_scale, job_.y_scale);
    if (multiplier.finite()) {
      return ladder_.Round(multiplier.Times(negative, magnitude, exponent));
    }
    return ladder_.RoundSpecial(multiplier.Special(static_cast<double>(sum)));
  }

  const MatMulJob& job_;
  const Ladder ladder_;
  MatrixLines a_, b_;
};

}  // namespace

void MultiplyFloat8(const MatMulJob& job) {
  const int64_t m = job.shape.m;
  const int64_t rows = static_cast<int64_t>(job.shape.a_of.size()) * m;
  const bool worth_threads =
      rows * job.shape.n * std::max<int64_t>(job.shape.k, 1) > 1 << 18;
  InParallel(rows, worth_threads ? job.threads : 1, [&](int64_t begin, int64_t end) {
    Float8Worker worker(job);
    auto* y = reinterpret_cast<uint8_t*>(job.y);
    for (int64_t row = begin; row < end; ++row) {
      worker.Row(row / m, row % m, y + row * job.shape.n);
    }
  });
}

}  // namespace qconform::simd
