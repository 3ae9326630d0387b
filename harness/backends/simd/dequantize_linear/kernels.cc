#include "harness/backends/simd/dequantize_linear/kernels.h"

#include "harness/backends/simd/core/targets.h"

namespace qconform::simd::dequantize {

SmallFloat SmallFloatOf(DataType type) {
  const NumberFormat& format = FormatOf(type);
  SmallFloat f;
  f.shift = 8 - format.exponent_bits;
  f.rebias = static_cast<uint32_t>(127 - format.exponent_bias) << 23;
  // The code's magnitude at the top of 32 bits, after the sign.
  const uint32_t magnitude = ((1u << (format.bits - 1)) - 1) << (32 - format.bits);
  switch (format.nan) {
    case NanEncoding::kIeee:  // and infinity, which keeps its mantissa, 0
      f.care = ((1u << format.exponent_bits) - 1) << (31 - format.exponent_bits);
      f.special = f.care;
      f.special_bits = 0x7F800000;
      break;
    case NanEncoding::kAllOnes:
      f.care = f.special = magnitude;
      f.special_bits = 0x7FC00000;
      break;
    case NanEncoding::kNegativeZero:
      f.care = 0x80000000 | magnitude;
      f.special = 0x80000000;
      f.special_bits = 0x7FC00000;
      break;
    case NanEncoding::kNone:
      break;
  }
  return f;
}

const Kernels* KernelsOf(int64_t target_bit) {
  static const OfTargets<Kernels> of_targets = [] {
    OfTargets<Kernels> kernels;
    for (int bit = 0; bit < 63; ++bit) {
      const int64_t target = int64_t{1} << bit;
      const Kernels* stages = Stages(target);
      if (stages == nullptr) continue;
      Kernels k = *stages;
      // In the order of Output.
      k.runs[0] = FloatRuns(target);
      k.runs[1] = Float16Runs(target);
      k.runs[2] = Bfloat16Runs(target);
      kernels.Add(k);
    }
    return kernels;
  }();
  for (const Kernels& kernels : of_targets.all()) {
    if (kernels.target == target_bit) return &kernels;
  }
  return nullptr;
}

}  // namespace qconform::simd::dequantize
