#include "harness/backends/simd/dequantize_linear/kernels.h"

#include <array>
#include <bit>

#include "harness/backends/simd/core/targets.h"

namespace qconform::simd::dequantize {

namespace {

// What the loops' arithmetic gives.
uint16_t ValueOf(const SmallFloat& f, uint32_t byte) {
  const uint32_t top = byte << 24;
  const uint32_t sign = top & 0x80000000;
  const uint32_t magnitude = (top ^ sign) >> f.shift;
  const uint32_t one = f.rebias + (1u << 23);
  uint32_t number = magnitude + f.rebias;
  if (magnitude < 1u << 23) {
    number = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude + one) -
                                     std::bit_cast<float>(one));
  }
  if ((top & f.care) == f.special) number = magnitude | f.special_bits;
  return static_cast<uint16_t>((number | sign) >> 16);
}

SmallFloat MakeSmallFloat(const NumberFormat& format) {
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

}  // namespace

SmallFloat SmallFloatOf(DataType type) {
  using Values = std::array<uint16_t, 256>;
  static const auto kValues = [] {
    std::array<Values, 32> of_types{};
    for (const DataType each : AllDataTypes()) {
      const NumberFormat& format = FormatOf(each);
      if (format.kind != NumberKind::kFloat || format.bits > 8) continue;
      const SmallFloat f = MakeSmallFloat(format);
      const uint32_t step = format.bits == 8 ? 1 : 4;
      for (uint32_t byte = 0; byte < 256; byte += step) {
        of_types[static_cast<size_t>(each)][byte / step] = ValueOf(f, byte);
      }
    }
    return of_types;
  }();
  SmallFloat f = MakeSmallFloat(FormatOf(type));
  f.values = kValues[static_cast<size_t>(type)].data();
  return f;
}

const float* ValuesOfFour(DataType type) {
  using Values = std::array<float, 16>;
  static const auto kValues = [] {
    std::array<Values, 32> of_types{};
    for (const DataType each : AllDataTypes()) {
      const NumberFormat& format = FormatOf(each);
      if (format.bits > 4) continue;
      for (int code = 0; code < 1 << format.bits; ++code) {
        const bool is_negative = format.is_signed && code >> (format.bits - 1) != 0;
        auto value = static_cast<float>(is_negative ? code - (1 << format.bits) : code);
        if (format.kind == NumberKind::kFloat) {
          const auto byte = static_cast<uint32_t>(code) << (8 - format.bits);
          value =
              std::bit_cast<float>(uint32_t{ValueOf(MakeSmallFloat(format), byte)} << 16);
        }
        of_types[static_cast<size_t>(each)][static_cast<size_t>(code)] = value;
      }
    }
    return of_types;
  }();
  return kValues[static_cast<size_t>(type)].data();
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
