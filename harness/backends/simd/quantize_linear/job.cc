#include "harness/backends/simd/quantize_linear/job.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "harness/backends/simd/core/prefetch.h"
#include "harness/backends/simd/core/stores.h"
#include "harness/backends/simd/quantize_linear/zero_points.h"

namespace qconform::simd {
namespace {

// Returns a quotient from which on all are beyond all codes, whatever the zero point.
double BeyondCodes(const CodeFormat& format) {
  if (format.is_float) return format.floats.clamp;
  return format.sink == Sink::kInteger16 ? 0x1p17 : 0x1p9;
}

// Whether an INT32 x may be no FLOAT and yet count: its quotient by the greatest scale,
// `most`, is not beyond all codes.
bool MayHaveLow(DataType x, int32_t most, const CodeFormat& format) {
  return x == DataType::kInt32 && BeyondCodes(format) * most > 0x1p24;
}

// Whether x / s, exactly, has the code of the quotient that is rounded to FLOAT, where
// scales are INT32 and lie in this range. INT32 x that is no FLOAT then is beyond all
// codes, as its FLOAT is.
//
// A boundary m of the target is what no other quotient may be rounded to, and a tie would
// go to m. With s = S 2^b and m = M 2^f, S and M in [1, 2), and u the last place of 1,
// half of m's last place is u 2^f / 2: x has to miss s m by more than S u 2^(b+f) / 2. m
// has 9, 17 or 5 bits at most, and s the others of 25. If s m is a FLOAT, any other x
// misses it by its last place, u 2^(b+f) or 2 u 2^(b+f); if it has 25 bits, S M is 2 or
// more, and x misses it by half of the latter. (Below a power of two places are half as
// wide: of s m, and then of m as well, or S M is 2.)
//
// By FLOAT16 x and integers s m is a multiple of 1/2, as s is an integer. x that is one,
// too, is below 2^16, and misses s m by 1/2; any other has a finer last place, and misses
// it by that, 2^-11 of x. A scale that is no FLOAT is above 2^24, and x / s next to 0.
bool FloatIsExact(DataType x, IntegerRange scales, const CodeFormat& format) {
  if (scales.least <= 0 || MayHaveLow(x, scales.most, format)) return false;
  if (x == DataType::kFloat16 && !format.is_float) return true;
  const int boundary_bits = format.is_float                   ? 5
                            : format.sink == Sink::kInteger16 ? 17
                                                              : 9;
  return scales.most < 1 << (25 - boundary_bits);
}

// Returns the shortest run of one scale that costs less by itself, as one of many, than
// scales that are laid out for each element and divided by: a run takes the time of four
// vectors, however few of them it fills, which matters the less the cheaper codes are.
// What is laid out with zero points gains nothing where y is streamed.
int64_t ShortestRun(const Job& job) {
  const auto lanes = static_cast<int64_t>(job.scales.kernels->lanes());
  if (job.stream && job.y_bits >= 8 && job.scales.zero_point_count > 1) return lanes;
  if (job.DoesLeast()) return lanes;
  const bool to_bytes = job.format.sink == Sink::kInteger8 && job.y_bits == 8;
  return to_bytes && job.division == Division::kFloat ? lanes + lanes / 2 : 2 * lanes;
}

// Returns the value of positive bits; for infinity and NaN one above all numbers.
double ValueOf(DataType type, int32_t bits) {
  const int mantissa_bits = type == DataType::kFloat16 ? 10 : 7;
  const int bias = type == DataType::kFloat16 ? 15 : 127;
  const int field = bits >> mantissa_bits;
  const int hidden = field != 0 ? 1 << mantissa_bits : 0;
  const int significand = (bits & ((1 << mantissa_bits) - 1)) | hidden;
  return std::ldexp(significand, std::max(field, 1) - bias - mantissa_bits);
}

// Whether WhatIsRounded has scales for which not all is.
bool MayLoadPlainly(DataType x, DataType precision) {
  return (x == DataType::kBfloat16 && precision == DataType::kFloat16) ||
         (x == DataType::kInt32 && precision == DataType::kBfloat16);
}

int64_t SizeOfElement(const TensorView& x) { return BitWidth(x.type) / 8; }

int64_t ElementsOf(const TensorView& x) {
  return static_cast<int64_t>(x.data.size()) / SizeOfElement(x);
}

// Whether blocks, or rows that share scales, are a line of x at most.
bool HasShortBlocks(const TensorView& x, const Geometry& geometry) {
  const auto of_line = static_cast<int64_t>(kLine) / SizeOfElement(x);
  return geometry.block <= of_line && geometry.inner <= of_line / geometry.block;
}

}  // namespace

// BFLOAT16 numbers from 2^-17 to below 2^16 are FLOAT16's. What lies above is infinite:
// it must be beyond all codes as a number, too, also where that is 2^-24 of it less
// (RoundToSubnormals). What lies below becomes 2^-17 at most: where its quotient may be
// more than half of the least code above 0, to which ties do not go, it is rounded.
//
// INT32 numbers below 2^24 are FLOAT's. All above must be beyond all codes: of float
// targets by 1 %, as limits of x are up to 2^-14 beside clamp * scale.
RoundedX WhatIsRounded(DataType x, DataType precision, IntegerRange scales,
                       const CodeFormat& format) {
  if (!MayLoadPlainly(x, precision) || scales.least <= 0) return RoundedX::kAll;
  const FloatGrid& grid = format.floats;
  const double beyond = BeyondCodes(format) * (format.is_float ? 1.01 : 1);
  const double x_of_beyond = ValueOf(precision, scales.most) * beyond;
  if (x_of_beyond > (x == DataType::kInt32 ? 0x1p24 : 0x1p16)) return RoundedX::kAll;
  if (x == DataType::kInt32) return RoundedX::kNone;
  const double least =
      format.is_float ? std::ldexp(grid.min_normal, grid.mantissa_shift - 23) : 1;
  return ValueOf(precision, scales.least) * least >= 0x1p-16 ? RoundedX::kNone
                                                             : RoundedX::kSubnormals;
}

// Past the caches a store waits until its line is away, and arithmetic that could go on
// waits with it: kernels that are slow by themselves write by way of the caches.
Stores StoresOf(const QuantizeLinearArgs& args, const Geometry& geometry, Stores stores) {
  if (stores != Stores::kBySize) return stores;
  const size_t y_bytes = PackedByteSize(args.output_dtype, ElementsOf(args.x));
  const Stores by_size = StoresFor(args.x.data.size() + y_bytes);
  const bool is_slow = IsFloat8(args.output_dtype) && BitWidth(args.x.type) == 16 &&
                       geometry.inner_stride == 0 && HasShortBlocks(args.x, geometry);
  return by_size == Stores::kStreamed && is_slow ? Stores::kFetched : by_size;
}

Job MakeJob(const QuantizeLinearArgs& args, std::byte* y, const Kernels& kernels,
            const Geometry& geometry, Stores stores) {
  Job job;
  job.x = args.x;
  job.y = y;
  job.y_bits = BitWidth(args.output_dtype);
  job.format = *FormatOfCodes(args.output_dtype, args.saturate);
  job.scales.kernels = &kernels;
  job.scales.geometry = geometry;
  job.scales.scale = args.y_scale;
  job.scales.min = job.format.integers.min;
  job.scales.clamp = job.format.floats.clamp;
  job.scales.precision = args.division_precision;
  switch (args.division_precision) {
    case DataType::kFloat16:
      job.division = Division::kFloat16;
      break;
    case DataType::kBfloat16:
      job.division = Division::kBfloat16;
      break;
    case DataType::kFloat:
      break;
    default:
      job.double_quotient = true;
  }
  job.by_reciprocals = ReciprocalOf(job.division, args.x.type);
  // Zero points that are all zero are as good as none (QL-20a).
  if (args.y_zero_point && !AllZero(*args.y_zero_point)) {
    job.scales.zero_point = *args.y_zero_point;
    job.scales.zero_point_count = *ElementCount(args.y_zero_point->shape);
    job.add_zero_point = job.format.is_float;
  }
  if (job.double_quotient && job.add_zero_point) {
    job.sum = args.division_precision == DataType::kDouble
                  ? ZeroPointSum::kRoundedQuotient
                  : ZeroPointSum::kExactQuotient;
  }
  // Exact quotients by INT32 scales, where all are above 0: those in FLOAT, or by
  // reciprocals.
  constexpr Division kExact = Division::kFloatReciprocalOfAny;
  if (args.division_precision == DataType::kUndefined && !job.add_zero_point &&
      args.y_scale.type == DataType::kInt32) {
    const IntegerRange range = kernels.range_of_int32(
        args.y_scale.data.data(), args.y_scale.data.size() / sizeof(int32_t));
    if (FloatIsExact(args.x.type, range, job.format)) {
      job.scales.precision = DataType::kFloat;
      job.double_quotient = false;
    } else if (range.least > 0 &&
               kernels.Function(kExact, Operands::kUniform, job.format.sink) != nullptr) {
      job.by_reciprocals = kExact;
      job.scales.exact = true;
      job.double_quotient = false;
      job.x_low = MayHaveLow(args.x.type, range.most, job.format);
    }
  }
  if (MayLoadPlainly(args.x.type, args.division_precision) && !job.add_zero_point &&
      args.y_scale.type == args.division_precision) {
    const IntegerRange range = kernels.range_of_int16(
        args.y_scale.data.data(), args.y_scale.data.size() / sizeof(int16_t));
    job.rounded_x =
        WhatIsRounded(args.x.type, args.division_precision, range, job.format);
  }
  job.scales.blocks = !job.add_zero_point;
  job.scales.inverses = job.double_quotient && !job.add_zero_point;
  const auto has_reciprocals = [&](Operands operands) {
    // kFloatReciprocal has none if only these are exact.
    const bool of_any = job.by_reciprocals == Division::kFloatReciprocalOfAny;
    const Division division =
        of_any && !job.scales.exact ? Division::kFloatReciprocal : job.by_reciprocals;
    return !job.double_quotient && !job.add_zero_point &&
           kernels.Function(division, operands, job.format.sink) != nullptr;
  };
  job.scales.two_parts = HasTwoParts(job.by_reciprocals);
  job.scales.reciprocals = has_reciprocals(Operands::kUniform);
  job.scales.reciprocals_of_many = has_reciprocals(Operands::kBlocks);
  job.scales.elements = ElementsOf(args.x);
  job.scales.uses = job.scales.elements / std::max<int64_t>(geometry.scale_count, 1);
  stores = StoresOf(args, geometry, stores);
  job.stream = stores == Stores::kStreamed;
  job.scales.fetch = stores != Stores::kCached;
  // If streamed, these are separate runs, as streaming ends at the end of a run.
  const bool streams = job.stream && job.y_bits >= 8;
  // Longer blocks would only have more ends.
  if (streams && HasShortBlocks(args.x, geometry)) job.scales.window = kWindowFromMemory;
  // Fewer scales at a time, so that their reciprocals stay in L1 until x comes.
  if (!job.scales.fetch && SizeOfElement(args.x) == 4) job.scales.window = kWindowInCache;
  job.scales.long_blocks =
      job.scales.reciprocals_of_many && !streams && job.format.sink == Sink::kInteger8;
  job.scales.streams = streams;
  job.scales.shortest_run = ShortestRun(job);
  return job;
}

}  // namespace qconform::simd
