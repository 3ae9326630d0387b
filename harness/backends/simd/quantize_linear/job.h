// Job: everything about one call of QuantizeLinear, worked out once for all of its
// threads.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_JOB_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_JOB_H_

#include <cstddef>
#include <cstdint>

#include "harness/backends/simd/core/code_format.h"
#include "harness/backends/simd/core/geometry.h"
#include "harness/backends/simd/quantize_linear/kernels.h"
#include "harness/backends/simd/quantize_linear/quantize_linear.h"
#include "harness/backends/simd/quantize_linear/scales/scale_window.h"
#include "oracle/tensor/tensor.h"

namespace qconform::simd {

// All that the threads of one call share.
struct Job {
  ScaleSource scales;
  TensorView x;
  std::byte* y = nullptr;
  int y_bits = 8;
  CodeFormat format;
  // Not for DOUBLE quotients.
  Division division = Division::kFloat;
  Division by_reciprocals = Division::kFloatReciprocal;
  bool double_quotient = false;
  bool add_zero_point = false;             // of a float target, to the quotient
  ZeroPointSum sum = ZeroPointSum::kNone;  // of DOUBLE quotients
  bool x_low = false;                      // Run::x_low
  RoundedX rounded_x = RoundedX::kAll;     // Run::rounded_x
  // Kernels write y past the caches, unless they make codes that are packed later.
  bool stream = false;

  // Run's, where kernels may pack codes: those of 6 bits never.
  int pack_shift() const { return y_bits == 4 ? 1 : y_bits == 2 ? 2 : 0; }

  // Whether x is FLOAT, P is, and codes are integers of 8 bits: the least work.
  bool DoesLeast() const {
    return y_bits == 8 && format.sink == Sink::kInteger8 &&
           by_reciprocals == Division::kFloatReciprocal;
  }
};

// Returns Run::rounded_x for x of this type, where `precision` is the scales' type and
// their bits lie in this range. Not to be used if a zero point is added to the quotient,
// which can bring a quotient beyond all codes back into range.
RoundedX WhatIsRounded(DataType x, DataType precision, IntegerRange scales,
                       const CodeFormat& format);

// Returns kCached, kFetched or kStreamed: the meaning of kBySize for this call; any other
// `stores` is returned as it is. Precondition: args were checked.
Stores StoresOf(const QuantizeLinearArgs& args, const Geometry& geometry, Stores stores);

// Precondition: args were checked.
Job MakeJob(const QuantizeLinearArgs& args, std::byte* y, const Kernels& kernels,
            const Geometry& geometry, Stores stores = Stores::kBySize);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_QUANTIZE_LINEAR_JOB_H_
