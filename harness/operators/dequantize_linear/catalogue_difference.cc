// Faults of the zero point and of the difference.
#include "harness/core/common_faults.h"
#include "harness/operators/dequantize_linear/catalogue.h"
#include "harness/operators/dequantize_linear/fault_facts.h"

namespace qconform::dequantize_linear {
namespace {

namespace common = common_faults;

using S = DequantizeLinearSwitches;
using F = DequantizeLinearFacts;
using Z = S::ZeroPoint;
using D = S::Difference;
using I = S::Int32;

Declaration OfZeroPoint(const F& f) {
  if (f.int32) return Equivalent("a zero point other than 0 is free (DQ-06)");
  return Deviates();
}

Declaration OfIntegers(const F& f) {
  if (f.integer) return Deviates();
  return Equivalent("it acts on integers of at most 16 bits");
}

Declaration OfInt32(const F& f) {
  if (f.int32) return Deviates();
  return Equivalent("it acts on INT32");
}

// INT32 in the type of y is a reading.
template <DataType kType>
Declaration OfInt32In(const F& f) {
  if (f.int32 && f.y == kType) {
    // BFLOAT16 has the range of FLOAT8E8M0: its products are rounded once anyway.
    const bool is_once = f.power_of_two && kType == DataType::kBfloat16;
    return Admissible(is_once ? "DQ-05:exact_product" : "DQ-05:x_in_p");
  }
  return OfInt32(f);
}

}  // namespace

void AddDifferenceFaults(std::vector<OperatorFault>& faults) {
  const auto zero_point = [&](FaultText text, Z mistake,
                              std::function<Declaration(const F&)> declare) {
    faults.push_back({text, S{.zero_point = mistake}, std::move(declare)});
  };
  zero_point(common::kZeroPointIgnored, Z::kIgnored, [](const F& f) {
    return f.is_float ? Admissible("DQ-08:zero_point_ignored") : OfZeroPoint(f);
  });
  zero_point({"zero_point_plus", "x_zero_point is added to x.",
              "a zero point that is negated when the model is converted"},
             Z::kAdded, OfZeroPoint);
  zero_point({"difference_reversed", "x is subtracted from x_zero_point."}, Z::kReversed,
             [](const F&) { return Deviates(); });
  zero_point(common::kSignLost, Z::kMagnitude, [](const F&) { return Deviates(); });
  zero_point({"difference_negated",
              "x is subtracted from x_zero_point, and the difference negated: where both "
              "are equal, it is -0.",
              "a sign that is moved from the difference to the product"},
             Z::kNegated, [](const F&) { return Deviates(); });
  zero_point({"distributed_zero_point",
              "x * x_scale - x_zero_point * x_scale is computed, both rounded to y.",
              "kernels with a multiplication and an addition of a bias"},
             Z::kDistributed, [](const F& f) {
               if (f.power_of_two) return Equivalent("it acts on scales that are floats");
               return OfZeroPoint(f);
             });

  const auto difference = [&](FaultText text, D mistake,
                              std::function<Declaration(const F&)> declare) {
    faults.push_back({text, S{.difference = mistake}, std::move(declare)});
  };
  difference(common::kWrappingSubtraction, D::kWrapped, OfIntegers);
  difference({"saturating_subtraction", "The difference saturates in the type of x.",
              "vector instructions that saturate"},
             D::kSaturated, OfIntegers);
  difference({"difference_in_int16", "The difference of two UINT16 wraps in INT16.",
              "16-bit lanes"},
             D::kWrappedInt16, [](const F& f) {
               if (f.x == DataType::kUint16) return Deviates();
               return Equivalent("it acts on UINT16");
             });
  difference({"unsigned_difference", "A negative difference becomes 2^32 more.",
              "unsigned arithmetic in C"},
             D::kUnsigned32, OfIntegers);

  faults.push_back({{"int32_truncated_to_float",
                     "Where y is FLOAT, INT32 is converted to FLOAT toward zero.",
                     "conversions by shifting"},
                    S{.int32 = I::kTruncated},
                    [](const F& f) {
                      if (f.int32 && !f.half) return Deviates();
                      return Equivalent("it acts on INT32 x and FLOAT y");
                    }});
  faults.push_back(
      {{"int32_through_int16", "INT32 passes through a saturated INT16.", "PACKSSDW"},
       S{.int32 = I::kThroughInt16},
       OfInt32});
  faults.push_back({{"int32_low_24_bits", "Only the lowest 24 bits of INT32 are read.",
                     "24-bit integer units of GPUs"},
                    S{.int32 = I::kLow24Bits},
                    OfInt32});
  faults.push_back({{"int32_in_float16", "INT32 is converted to FLOAT16 first.",
                     "mobile GPUs and NPUs in half precision mode"},
                    S{.int32_type = DataType::kFloat16},
                    OfInt32In<DataType::kFloat16>});
  faults.push_back({{"int32_in_bfloat16", "INT32 is converted to BFLOAT16 first.",
                     "matrix engines in BFLOAT16 mode"},
                    S{.int32_type = DataType::kBfloat16},
                    OfInt32In<DataType::kBfloat16>});
}

}  // namespace qconform::dequantize_linear
