// What the clauses of QLinearMatMul ask for, by rationals.
#include <gmpxx.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "harness/backends/simd/q_linear_mat_mul/testing/codes.h"
#include "harness/backends/simd/q_linear_mat_mul/testing/mat_mul.h"

namespace qconform::simd {
namespace {

int64_t Elements(const Shape& shape) { return *ElementCount(shape); }

// Index of an element of a tensor of `shape` for a position in a larger shape,
// aligned on the right, where a dimension of one repeats.
int64_t Broadcast(const Shape& shape, const Shape& position) {
  int64_t index = 0;
  const size_t skip = position.size() - shape.size();
  for (size_t i = 0; i < shape.size(); ++i) {
    index = index * shape[i] + (shape[i] == 1 ? 0 : position[skip + i]);
  }
  return index;
}

// Index of the scale or zero point of (batch..., row or column `line`), MM-04 and
// the plain meanings of MM-06.
int64_t ParameterIndex(const Shape& parameter, const Shape& batch, int64_t line,
                       bool is_row) {
  if (Elements(parameter) == 1) return 0;
  if (parameter.size() == 1) return line;
  Shape position = batch;
  position.push_back(is_row ? line : 0);
  position.push_back(is_row ? 0 : line);
  return Broadcast(parameter, position);
}

mpz_class Power(int exponent) {
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 2, static_cast<unsigned long>(exponent));
  return power;
}

// v is `exact`, or where that is nothing one of NaN and the infinities.
uint8_t CodeFor(DataType type, const std::optional<mpq_class>& exact, double special,
                double zero_point) {
  if (!exact && std::isnan(special)) return NanCode(type);
  if (IsInteger(type)) {
    const int low = type == DataType::kInt8 ? -128 : 0;
    const int high = low + 255;
    if (!exact) return static_cast<uint8_t>(special > 0 ? high : low);
    // Nearest integer, even at ties: ceil(v - 1/2) or floor(v + 1/2).
    mpz_class floor, ceiling;
    const mpq_class up = *exact + mpq_class(1, 2);
    const mpq_class down = *exact - mpq_class(1, 2);
    mpz_fdiv_q(floor.get_mpz_t(), up.get_num_mpz_t(), up.get_den_mpz_t());
    mpz_cdiv_q(ceiling.get_mpz_t(), down.get_num_mpz_t(), down.get_den_mpz_t());
    mpz_class y = mpz_even_p(floor.get_mpz_t()) != 0 ? floor : ceiling;
    y += static_cast<int>(zero_point);
    return static_cast<uint8_t>(y < low    ? low
                                : y > high ? high
                                           : static_cast<int>(y.get_si()));
  }
  const auto& grid = Float8Grid(type);
  if (!exact || !std::isfinite(zero_point)) {
    const double sum = (exact ? 0 : special) + zero_point;
    const bool fnuz = NanCode(type) == 0x80;  // QL-22: infinities are NaN
    if (std::isnan(sum) || fnuz) return NanCode(type);
    return sum > 0 ? grid.rbegin()->second : grid.begin()->second;
  }
  const mpq_class w = *exact + mpq_class(zero_point);
  if (w >= mpq_class(grid.rbegin()->first)) return grid.rbegin()->second;
  if (w <= mpq_class(grid.begin()->first)) return grid.begin()->second;
  auto upper = grid.begin();  // the first value above w
  {
    auto low = grid.upper_bound(w.get_d());
    while (low != grid.begin() && mpq_class(std::prev(low)->first) > w) --low;
    while (mpq_class(low->first) <= w) ++low;
    upper = low;
  }
  const auto lower = std::prev(upper);
  const mpq_class twice = 2 * w;
  const mpq_class sum = mpq_class(lower->first) + mpq_class(upper->first);
  if (twice != sum) return twice < sum ? lower->second : upper->second;
  return lower->second % 2 == 0 ? lower->second : upper->second;
}

// A sum C: finite, or one of NaN and the infinities.
struct Sum {
  mpq_class exact;
  double special = 0;  // not finite, where it counts
};

float RoundToFloat(const mpq_class& value) {
  // Nearest even by trying: the truncated double has 53 bits.
  if (value == 0) return 0;
  const double d = value.get_d();  // truncated toward zero
  const auto near = static_cast<float>(d);
  float best = near;
  mpq_class distance = abs(mpq_class(near) - value);
  for (const float other :
       {std::nextafter(near, -HUGE_VALF), std::nextafter(near, HUGE_VALF)}) {
    const mpq_class far = abs(mpq_class(other) - value);
    uint32_t bits;
    std::memcpy(&bits, &other, 4);
    if (far < distance || (far == distance && bits % 2 == 0)) {
      best = other;
      distance = far;
    }
  }
  return best;
}

uint8_t Requantize(const MatMulQuestion& q, const Sum& c, double a, double b) {
  const double y = ValueAt(q.y_scale, 0);
  const DataType type = q.y_zero_point.type;
  const double zero_point = ValueAt(q.y_zero_point, 0);
  const bool finite_sum = std::isfinite(c.special);
  if (q.requantization == Requantization::kF32Multiplier) {
    const float product = static_cast<float>(a) * static_cast<float>(b);
    const float m = product / static_cast<float>(y);
    const float sum = finite_sum ? RoundToFloat(c.exact) : static_cast<float>(c.special);
    const float v = sum * m;
    if (!std::isfinite(v)) return CodeFor(type, std::nullopt, v, zero_point);
    return CodeFor(type, mpq_class(v), 0, zero_point);
  }
  if (finite_sum && std::isfinite(a) && std::isfinite(b) && std::isfinite(y) && y != 0) {
    return CodeFor(type, mpq_class(c.exact * mpq_class(a) * mpq_class(b) / mpq_class(y)),
                   0, zero_point);
  }
  // Extended reals from left to right (MM-20); only their kind matters.
  const double sum = finite_sum ? static_cast<double>(sgn(c.exact)) : c.special;
  const double v = sum * a * b / y;
  if (std::isnan(v) || std::isinf(v)) return CodeFor(type, std::nullopt, v, zero_point);
  return CodeFor(type, mpq_class(0), 0, zero_point);
}

// Row `a` times column `b`, k values each, zero points subtracted.
Sum Dot(const std::vector<double>& a, const std::vector<double>& b, bool integers) {
  Sum sum;
  double special = 0;
  __int128 total = 0;  // in units of 2^-34
  for (size_t i = 0; i < a.size(); ++i) {
    if (!std::isfinite(a[i]) || !std::isfinite(b[i])) {
      special += a[i] * b[i];
      continue;
    }
    total += static_cast<__int128>(std::ldexp(a[i], 17)) *
             static_cast<__int128>(std::ldexp(b[i], 17));
  }
  const bool negative = total < 0;
  const auto magnitude = static_cast<unsigned __int128>(negative ? -total : total);
  mpz_class z = static_cast<unsigned long>(magnitude >> 64);
  z = z * Power(64) + static_cast<unsigned long>(magnitude);
  if (negative) z = -z;
  if (integers) {  // modulo 2^32 (MM-01b)
    z /= Power(34);
    mpz_class wrapped;
    mpz_fdiv_r_2exp(wrapped.get_mpz_t(), z.get_mpz_t(), 32);
    if (wrapped >= Power(31)) wrapped -= Power(32);
    sum.exact = wrapped;
  } else {
    sum.exact = mpq_class(z, Power(34));
    sum.exact.canonicalize();
  }
  sum.special = special;
  return sum;
}

}  // namespace

std::vector<uint8_t> ExpectedCodes(const MatMulQuestion& q) {
  Shape a_shape = q.a.shape;
  Shape b_shape = q.b.shape;
  if (a_shape.size() == 1) a_shape.insert(a_shape.begin(), 1);
  if (b_shape.size() == 1) b_shape.push_back(1);
  const auto k = static_cast<size_t>(a_shape.back());
  const int64_t m = a_shape[a_shape.size() - 2];
  const int64_t n = b_shape.back();
  const Shape a_batch(a_shape.begin(), a_shape.end() - 2);
  const Shape b_batch(b_shape.begin(), b_shape.end() - 2);
  Shape batch(std::max(a_batch.size(), b_batch.size()), 1);
  for (const Shape* from : {&a_batch, &b_batch}) {
    for (size_t i = 0; i < from->size(); ++i) {
      int64_t& size = batch[batch.size() - from->size() + i];
      if ((*from)[i] != 1) size = (*from)[i];
    }
  }
  const bool integers = IsInteger(q.a.type) && IsInteger(q.b.type);
  std::vector<uint8_t> codes;
  for (int64_t p = 0; p < Elements(batch); ++p) {
    Shape position(batch.size());
    int64_t rest = p;
    for (size_t i = batch.size(); i-- > 0;) {
      position[i] = rest % batch[i];
      rest /= batch[i];
    }
    const auto own = [&](const Shape& own_batch) {
      Shape at(position.end() - static_cast<int64_t>(own_batch.size()), position.end());
      for (size_t i = 0; i < at.size(); ++i) at[i] = own_batch[i] == 1 ? 0 : at[i];
      return at;
    };
    const Shape a_at = own(a_batch);
    const Shape b_at = own(b_batch);
    const int64_t a_matrix = Broadcast(a_batch, a_at);
    const int64_t b_matrix = Broadcast(b_batch, b_at);
    std::vector<std::vector<double>> columns(static_cast<size_t>(n),
                                             std::vector<double>(k));
    for (int64_t j = 0; j < n; ++j) {
      const double zero =
          ValueAt(q.b_zero_point, ParameterIndex(q.b_zero_point.shape, b_at, j, false));
      for (size_t i = 0; i < k; ++i) {
        const int64_t index =
            (b_matrix * static_cast<int64_t>(k) + static_cast<int64_t>(i)) * n + j;
        columns[static_cast<size_t>(j)][i] = ValueAt(q.b, index) - zero;
      }
    }
    std::vector<double> row(k);
    for (int64_t i = 0; i < m; ++i) {
      const double zero =
          ValueAt(q.a_zero_point, ParameterIndex(q.a_zero_point.shape, a_at, i, true));
      for (size_t l = 0; l < k; ++l) {
        row[l] = ValueAt(q.a, (a_matrix * m + i) * static_cast<int64_t>(k) +
                                  static_cast<int64_t>(l)) -
                 zero;
      }
      const double a_scale =
          ValueAt(q.a_scale, ParameterIndex(q.a_scale.shape, a_at, i, true));
      for (int64_t j = 0; j < n; ++j) {
        const double b_scale =
            ValueAt(q.b_scale, ParameterIndex(q.b_scale.shape, b_at, j, false));
        codes.push_back(Requantize(q, Dot(row, columns[static_cast<size_t>(j)], integers),
                                   a_scale, b_scale));
      }
    }
  }
  return codes;
}

}  // namespace qconform::simd
