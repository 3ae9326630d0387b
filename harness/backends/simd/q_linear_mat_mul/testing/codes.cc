#include "harness/backends/simd/q_linear_mat_mul/testing/codes.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace qconform::simd {
namespace {

// Binary formats: bits of exponent and mantissa, bias, and which codes are not
// numbers.
struct Format {
  int exponent_bits, mantissa_bits, bias;
  bool fnuz = false, fn = false;
};

Format FormatOfType(DataType type) {
  switch (type) {
    case DataType::kFloat16:
      return {5, 10, 15};
    case DataType::kBfloat16:
      return {8, 7, 127};
    case DataType::kFloat8E4M3FN:
      return {4, 3, 7, false, true};
    case DataType::kFloat8E4M3FNUZ:
      return {4, 3, 8, true};
    case DataType::kFloat8E5M2:
      return {5, 2, 15};
    case DataType::kFloat8E5M2FNUZ:
      return {5, 2, 16, true};
    default:
      return {8, 23, 127};  // FLOAT
  }
}

}  // namespace

uint8_t NanCode(DataType type) {
  if (type == DataType::kInt8) return 0x80;
  if (type == DataType::kUint8) return 0;
  return FormatOfType(type).fnuz ? 0x80 : 0x7F;
}

double ValueOfCode(DataType type, uint64_t code) {
  if (type == DataType::kUint8) return static_cast<double>(code);
  if (type == DataType::kInt8) return static_cast<int8_t>(code);
  const Format f = FormatOfType(type);
  const int width = 1 + f.exponent_bits + f.mantissa_bits;
  const bool negative = (code >> (width - 1) & 1) != 0;
  const uint64_t magnitude = code & ((uint64_t{1} << (width - 1)) - 1);
  const auto exponent = static_cast<int>(magnitude >> f.mantissa_bits);
  const auto mantissa =
      static_cast<double>(magnitude & ((uint64_t{1} << f.mantissa_bits) - 1));
  if (f.fnuz) {
    if (negative && magnitude == 0) return kNan;
  } else if (f.fn) {
    if (magnitude == 0x7F) return kNan;
  } else if (exponent == (1 << f.exponent_bits) - 1) {
    return mantissa != 0 ? kNan : negative ? -kInf : kInf;
  }
  const double one = exponent == 0 ? 0 : std::ldexp(1.0, f.mantissa_bits);
  const double value =
      std::ldexp(one + mantissa, std::max(exponent, 1) - f.bias - f.mantissa_bits);
  return negative ? -value : value;
}

uint64_t CodeAt(const Tensor& t, int64_t index) {
  const auto bytes = static_cast<size_t>(BitWidth(t.type) / 8);
  uint64_t code = 0;
  std::memcpy(&code, t.data.data() + static_cast<size_t>(index) * bytes, bytes);
  return code;
}

double ValueAt(const Tensor& t, int64_t index) {
  return ValueOfCode(t.type, CodeAt(t, index));
}

void SetCode(Tensor* t, int64_t index, uint64_t code) {
  const auto bytes = static_cast<size_t>(BitWidth(t->type) / 8);
  std::memcpy(t->data.data() + static_cast<size_t>(index) * bytes, &code, bytes);
}

void SetScale(Tensor* scale, int64_t index, double value) {
  const auto narrow = static_cast<float>(value);
  uint32_t bits;
  std::memcpy(&bits, &narrow, 4);
  if (scale->type == DataType::kFloat) return SetCode(scale, index, bits);
  const Format f = FormatOfType(scale->type);
  const uint64_t sign = uint64_t{bits >> 31} << 15;
  const uint64_t infinity = ((uint64_t{1} << f.exponent_bits) - 1) << f.mantissa_bits;
  if (std::isnan(narrow)) return SetCode(scale, index, infinity | 1);
  // The largest value that is not above: any value will do.
  uint64_t low = 0;
  uint64_t high = infinity;
  while (high - low > 1) {
    const uint64_t middle = (low + high) / 2;
    (ValueOfCode(scale->type, middle) <= std::abs(value) ? low : high) = middle;
  }
  SetCode(scale, index, sign | (std::isinf(narrow) ? infinity : low));
}

const std::map<double, uint8_t>& Float8Grid(DataType type) {
  static std::map<DataType, std::map<double, uint8_t>> grids;
  auto& grid = grids[type];
  if (grid.empty()) {
    for (int code = 0; code < 256; ++code) {
      const double value = ValueOfCode(type, static_cast<uint64_t>(code));
      if (std::isfinite(value) && !(value == 0 && code != 0)) {
        grid[value] = static_cast<uint8_t>(code);
      }
    }
  }
  return grid;
}

}  // namespace qconform::simd
