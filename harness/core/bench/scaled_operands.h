// Tensors for benchmarks of operators whose operands have scales.
#ifndef QCONFORM_HARNESS_CORE_BENCH_SCALED_OPERANDS_H_
#define QCONFORM_HARNESS_CORE_BENCH_SCALED_OPERANDS_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// The columns of every x.
inline constexpr int64_t kBenchColumns = 4096;

// How the scales of a benchmark lie along x, of shape [rows, kBenchColumns].
enum class BenchLayout : uint8_t {
  kPerTensor,
  kLastAxis,      // a scale for each column
  kFirstAxis,     // a scale for each row
  kBlockedLast,   // a scale for each `block` elements of a row
  kBlockedFirst,  // a scale for each column of `block` rows
};

inline std::string_view BenchLayoutName(BenchLayout layout) {
  constexpr std::string_view kNames[] = {"per_tensor", "per_axis last", "per_axis 0",
                                         "blocked last", "blocked 0"};
  return kNames[static_cast<size_t>(layout)];
}

struct BenchScales {
  Shape shape;
  int64_t axis = 1;
};

// Returns the scale's shape and axis for an x of `rows` rows. `block`: of blocked
// layouts.
inline BenchScales ScalesOf(BenchLayout layout, int64_t block, int64_t rows) {
  const auto blocks = [&](int64_t size) { return (size + block - 1) / block; };
  switch (layout) {
    case BenchLayout::kPerTensor:
      break;
    case BenchLayout::kLastAxis:
      return {{kBenchColumns}, 1};
    case BenchLayout::kFirstAxis:
      return {{rows}, 0};
    case BenchLayout::kBlockedLast:
      return {{rows, blocks(kBenchColumns)}, 1};
    case BenchLayout::kBlockedFirst:
      return {{blocks(rows), kBenchColumns}, 0};
  }
  return {};
}

// Returns the code of `type` that is nearest to a value.
inline uint64_t CodeOf(DataType type, double value) {
  const NumberFormat& format = FormatOf(type);
  if (format.kind == NumberKind::kPowerOfTwo) {
    return static_cast<uint64_t>(std::lround(std::log2(value)) + 127);
  }
  if (format.kind == NumberKind::kInteger) {
    return static_cast<uint32_t>(static_cast<int32_t>(std::lround(value)));
  }
  const ExactValue exact =
      Decode(FormatOf(DataType::kDouble), std::bit_cast<uint64_t>(value));
  return Round(format, ToUnrounded(exact), RoundingMode::kNearestEven,
               OverflowPolicy::kSaturate);
}

// Codes of `pattern`, repeated over the whole tensor. If that is longer, the pattern is
// whole bytes.
inline Tensor Repeated(DataType type, Shape shape, const std::vector<uint64_t>& pattern) {
  Tensor tensor = Tensor::Zeros(type, std::move(shape));
  const auto count =
      std::min(*ElementCount(tensor.shape), static_cast<int64_t>(pattern.size()));
  for (int64_t i = 0; i < count; ++i) {
    WriteCode(tensor.mutable_view(), i, pattern[static_cast<size_t>(i)]);
  }
  for (size_t have = PackedByteSize(type, count); have < tensor.data.size();) {
    const size_t more = std::min(have, tensor.data.size() - have);
    std::memcpy(tensor.data.data() + have, tensor.data.data(), more);
    have += more;
  }
  return tensor;
}

// None of them 0. `random` is called for numbers in [0, 1).
template <typename Random>
Tensor ZeroPoints(DataType type, const Shape& shape, const Random& random) {
  Tensor tensor = Tensor::Zeros(type, shape);
  const int most = (1 << (BitWidth(type) - 1)) - 1;  // of signed integers
  const int64_t count = *ElementCount(shape);
  for (int64_t i = 0; i < count; ++i) {
    const double above_one =
        IsInteger(type) ? std::floor(random() * most) : random();  // up to 2 of floats
    WriteCode(tensor.mutable_view(), i, CodeOf(type, 1 + above_one));
  }
  return tensor;
}

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_BENCH_SCALED_OPERANDS_H_
