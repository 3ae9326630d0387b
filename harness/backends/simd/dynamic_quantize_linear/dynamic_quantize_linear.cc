#include "harness/backends/simd/dynamic_quantize_linear/dynamic_quantize_linear.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "harness/backends/simd/core/check_tensors.h"
#include "harness/backends/simd/core/parallel.h"
#include "harness/backends/simd/core/stores.h"
#include "harness/backends/simd/core/targets.h"
#include "harness/backends/simd/dynamic_quantize_linear/kernels.h"

namespace qconform::simd {
namespace {

using dynamic_quantize::Divisor;
using dynamic_quantize::Kernels;
using dynamic_quantize::Range;

// Fewer elements are not worth another thread.
constexpr int64_t kElementsPerThread = 16384;
// Elements that are quantized at once: much more than what is fetched ahead.
constexpr int64_t kElementsAtOnce = int64_t{1} << 17;
// Threads write whole lines.
constexpr int64_t kGrain = 64;

// Scales of which the reciprocal's parts are neither subnormal nor infinite.
constexpr float kReciprocalMin = 0x1p-100f;
constexpr float kReciprocalMax = 0x1p60f;

Status CheckOutput(const char* name, DataType type, std::span<const int64_t> shape,
                   const MutableTensorView& output) {
  if (output.type != type || !std::ranges::equal(output.shape, shape)) {
    return Error{std::string(name) + ": expected " + std::string(DataTypeName(type)) +
                 " of shape " + ShapeToString(shape) + ", got " +
                 std::string(DataTypeName(output.type)) + " of shape " +
                 ShapeToString(output.shape)};
  }
  return CheckTensor(name, {output.type, output.shape, output.data});
}

Status CheckAll(const TensorView& x, const DynamicQuantizeLinearOutputs& outputs) {
  if (x.type != DataType::kFloat) {
    return Error{"x: expected FLOAT, got " + std::string(DataTypeName(x.type))};
  }
  for (const Status& status :
       {CheckTensor("x", x), CheckOutput("y", DataType::kUint8, x.shape, outputs.y),
        CheckOutput("y_scale", DataType::kFloat, {}, outputs.y_scale),
        CheckOutput("y_zero_point", DataType::kUint8, {}, outputs.y_zero_point)}) {
    if (!status) return status;
  }
  const std::span<const std::byte> all[] = {x.data, outputs.y.data, outputs.y_scale.data,
                                            outputs.y_zero_point.data};
  for (size_t i = 0; i < std::size(all); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (Overlap(all[i], all[j])) {
        return Error{"outputs: expected memory of their own, got some that overlap"};
      }
    }
  }
  return Ok();
}

struct Parameters {
  float scale = 0;
  uint8_t zero_point = 0;
};

// In FLOAT. Default floating-point modes are needed.
Parameters ParametersOf(const Range& range) {
  Parameters parameters;
  if (range.most == range.least) return parameters;  // zeros only, of either sign
  const float width = range.most - range.least;
  parameters.scale = width / 255.0F;
  const float zero_point = 0.0F - range.least / parameters.scale;
  // 0 / 0 and Inf / Inf give NaN, which gives 0 here.
  if (zero_point > 0) {
    parameters.zero_point =
        static_cast<uint8_t>(std::nearbyint(std::min(zero_point, 255.0F)));
  }
  return parameters;
}

Divisor DivisorOf(float scale) {
  Divisor divisor;
  divisor.scale = scale;
  divisor.by_reciprocal = scale >= kReciprocalMin && scale <= kReciprocalMax;
  if (divisor.by_reciprocal) {
    divisor.high = 1.0F / scale;
    divisor.low = std::fma(-scale, divisor.high, 1.0F) / scale;
  }
  return divisor;
}

}  // namespace

Status DynamicQuantizeLinear(const TensorView& x,
                             const DynamicQuantizeLinearOutputs& outputs,
                             const DynamicQuantizeLinearOptions& options) {
  const Result<Target> target = FindTarget(options.target);
  if (!target) return target.error();
  if (Status status = CheckAll(x, outputs); !status) return status;
  const DefaultFpEnvironment environment;
  const Kernels& kernels = *dynamic_quantize::KernelsOf(target->bit);
  const auto n = static_cast<int64_t>(outputs.y.data.size());
  const auto* in = reinterpret_cast<const float*>(x.data.data());
  auto* out = reinterpret_cast<uint8_t*>(outputs.y.data.data());
  const Stores stores = StoresFor(x.data.size() + outputs.y.data.size());
  const int64_t grains = (n + kGrain - 1) / kGrain;
  const int64_t threads =
      std::clamp<int64_t>(n / kElementsPerThread, 1, std::max(options.threads, 1));
  // Calls work(part, begin, end) with a part of the elements for each thread.
  const auto in_parts = [&](const auto& work) {
    InParallel(threads, threads, [&](int64_t part, int64_t) {
      const auto bound = [&](int64_t of) {
        return std::min(grains * of / threads * kGrain, n);
      };
      work(part, bound(part), bound(part + 1));
    });
  };

  std::vector<Range> ranges(threads > 1 ? static_cast<size_t>(threads) : 0);
  Range range;
  if (threads == 1) {
    range = kernels.find_range(in, static_cast<size_t>(n), stores);
  } else {
    in_parts([&](int64_t part, int64_t begin, int64_t end) {
      ranges[static_cast<size_t>(part)] =
          kernels.find_range(in + begin, static_cast<size_t>(end - begin), stores);
    });
    for (const Range& each : ranges) {
      range.least = std::min(range.least, each.least);
      range.most = std::max(range.most, each.most);
    }
  }

  const Parameters parameters = ParametersOf(range);
  std::memcpy(outputs.y_scale.data.data(), &parameters.scale, sizeof parameters.scale);
  outputs.y_zero_point.data[0] = static_cast<std::byte>(parameters.zero_point);
  if (range.most == range.least) {
    std::ranges::fill(outputs.y.data, std::byte{0});
    return Ok();
  }
  const Divisor divisor = DivisorOf(parameters.scale);
  // From the end on: what the first pass read last is in a cache.
  in_parts([&](int64_t, int64_t begin, int64_t end) {
    while (begin < end) {
      const int64_t first = std::max(begin, end - kElementsAtOnce);
      kernels.quantize(in + first, static_cast<size_t>(end - first), divisor,
                       parameters.zero_point, stores, out + first);
      end = first;
    }
  });
  return Ok();
}

}  // namespace qconform::simd
