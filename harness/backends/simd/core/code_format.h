// How the codes of a quantized type follow from quotients: what encode-inl.h needs.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CORE_CODE_FORMAT_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CORE_CODE_FORMAT_H_

#include <cstdint>
#include <optional>

#include "oracle/tensor/data_type.h"

namespace qconform::simd {

// Where quotients go to. Integers of up to 8 bits are one code per byte.
enum class Sink : uint8_t { kInteger8, kInteger16, kFloat8, kFloat8Fnuz, kQuotient };
inline constexpr int kSinkCount = 5;
constexpr bool IsFloatSink(Sink sink) {
  return sink == Sink::kFloat8 || sink == Sink::kFloat8Fnuz;
}

// An integer target. Zero points come as offsets, zero_point - min.
struct IntegerGrid {
  int32_t min = 0;
  int32_t range = 0;  // max - min
};

// A float8, float6 or FLOAT4E2M1 type in terms of FLOAT's bits; encode-inl.h says how
// these are used.
struct FloatGrid {
  float clamp = 0;  // magnitudes above are taken for this one
  float min_normal = 0;
  int mantissa_shift = 0;    // 23 - mantissa bits
  uint32_t code_offset = 0;  // FLOAT's exponent field of min_normal, shifted
  int sign_shift = 0;        // 32 - bits of the format
  uint32_t nan_code = 0;
};

struct CodeFormat {
  Sink sink = Sink::kInteger8;
  bool is_float = false;
  IntegerGrid integers;  // integer types
  FloatGrid floats;      // float8, float6 and FLOAT4E2M1
};

// Returns nothing for types that are not quantized to.
std::optional<CodeFormat> FormatOfCodes(DataType type, bool saturate);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CORE_CODE_FORMAT_H_
