// Faults of the scale's value, of the product, and of y.
#include <string>

#include "harness/core/common_faults.h"
#include "harness/operators/dequantize_linear/catalogue.h"
#include "harness/operators/dequantize_linear/fault_facts.h"

namespace qconform::dequantize_linear {
namespace {

namespace common = common_faults;

using S = DequantizeLinearSwitches;
using F = DequantizeLinearFacts;
using Scale = S::Scale;
using Power = S::PowerOfTwo;
using Product = S::Product;

Declaration FloatScales(const F& f) {
  if (!f.power_of_two) return Deviates();
  return Equivalent("FLOAT8E8M0 has no zero, no sign and no subnormals");
}

Declaration PowersOfTwo(const F& f) {
  if (f.power_of_two) return Deviates();
  return Equivalent("it acts on FLOAT8E8M0 scales");
}

Declaration Rounded(const F& f) {
  if (f.Rounds(f.d)) return Deviates();
  return Equivalent("y holds every product");
}

template <DataType kType>
Declaration ScaleThrough(const F& f) {
  if (ScaleThroughActs(kType, f.x_scale, f.y)) return Deviates();
  return Equivalent("it acts on FLOAT and FLOAT16 scales, where y has another type");
}

// Whether d * s of a power of two has the same bits after it was rounded to BFLOAT16.
bool BFloat16HoldsProducts(const F& f) {
  if (!f.power_of_two) return false;
  const DigitsOfOperand p = DigitsOf(DataType::kBfloat16);
  const DigitsOfOperand d = f.is_float ? f.d_without : f.d;
  // Products that are too small for BFLOAT16 are too small for FLOAT16.
  const bool is_small = f.y == DataType::kFloat && d.unit + f.s.unit < p.unit;
  return f.d.digits <= p.digits && !is_small;
}

template <DataType kType>
Declaration ProductIn(const F& f) {
  if (!ProductInActs(kType, f.y)) return Equivalent("y is of that type");
  if (kType == DataType::kBfloat16 && BFloat16HoldsProducts(f)) {
    return Equivalent("BFLOAT16 holds every product");
  }
  return Deviates();
}

// A reading of each clause that leaves the product open.
Declaration ProductInFloat(const F& f) {
  if (!ProductInFloatActs(f.x, f.x_scale, f.y)) {
    return Equivalent("FLOAT holds every product, or y is FLOAT");
  }
  if (f.int32) return Admissible("DQ-05:f32_product");
  if (f.since_version == 21) return Admissible("DQ-03:f32_product");
  return Admissible("DQ-04:unconverted_operands+DQ-04:f32_product");
}

Declaration TypeOfScale(const F& f) {
  if (TypeOfScaleActs(f.x_scale, f.y)) return Deviates();
  return Equivalent("it acts on scales of 16 bits that have not the type of y");
}

bool CanBeSubnormal(const F& f) {
  // 2^(unit + digits - 1) is the smallest normal value of y.
  const DigitsOfOperand p = DigitsOf(f.y);
  return f.d_without.unit + f.s.unit < p.unit + p.digits - 1;
}

bool CanOverflow(const F& f) { return f.d_without.top + f.s.top >= DigitsOf(f.y).top; }

Declaration ZeroSign(const F& f) {
  const bool has_minus_zero = f.is_float && FormatOf(f.x).has_negative_zero;
  const bool underflows = f.d_without.unit + f.s.unit < DigitsOf(f.y).unit;
  const bool open =
      f.is_float ? has_minus_zero || !f.power_of_two || underflows : !f.power_of_two;
  if (!open) return Equivalent("no product is -0");
  if (!f.is_float) return Admissible("DQ-10:zero_sign_dropped");
  return Admissible(f.x_bits == 6 ? "DQ-12:zero_sign_dropped"
                                  : "DQ-07:zero_sign_dropped");
}

void AddScales(std::vector<OperatorFault>& faults) {
  faults.push_back({common::kAbsoluteScale, S{.scale = Scale::kAbsolute}, FloatScales});
  faults.push_back({common::kZeroScaleIsOne, S{.scale = Scale::kZeroIsOne}, FloatScales});
  faults.push_back(
      {common::kFlushesSubnormalScale, S{.scale = Scale::kFlushed}, [](const F& f) {
         const bool is_lost = f.y == DataType::kFloat16 && f.x_scale != f.y;
         return is_lost ? Equivalent("such scales are 0 in FLOAT16") : FloatScales(f);
       }});
  faults.push_back({common::kScaleThroughFloat16,
                    S{.scale = Scale::kThrough, .scale_type = DataType::kFloat16},
                    ScaleThrough<DataType::kFloat16>});
  faults.push_back({common::kScaleThroughBfloat16,
                    S{.scale = Scale::kThrough, .scale_type = DataType::kBfloat16},
                    ScaleThrough<DataType::kBfloat16>});
  faults.push_back(
      {common::kScaleToPowerOfTwo, S{.scale = Scale::kToPowerOfTwo}, [](const F& f) {
         if (f.x_scale == DataType::kFloat) return Deviates();
         return Equivalent("it acts on FLOAT scales");
       }});
  const auto power = [&](FaultText text, Power mistake) {
    faults.push_back({text, S{.power_of_two = mistake}, PowersOfTwo});
  };
  power(
      {"e8m0_one_binade_more", "FLOAT8E8M0 scales are twice as large.", "a bias of 126"},
      Power::kOneBinadeMore);
  power({"e8m0_one_binade_less", "FLOAT8E8M0 scales are half as large.", "a bias of 128"},
        Power::kOneBinadeLess);
  power({"e8m0_nan_is_number", "The FLOAT8E8M0 scale 0xFF is 2^128.",
         "codes that are shifted into the exponent as they are"},
        Power::kNanIsNumber);
  faults.push_back({{"e8m0_code_0_is_zero",
                     "The FLOAT8E8M0 scale 0x00 is zero, where y is not FLOAT16.",
                     "codes that are shifted into the exponent as they are"},
                    S{.power_of_two = Power::kCode0IsZero},
                    [](const F& f) {
                      const bool is_lost = f.y == DataType::kFloat16;
                      return is_lost ? Equivalent("it does not act on FLOAT16 y")
                                     : PowersOfTwo(f);
                    }});
  power(
      {"e8m0_signed", "FLOAT8E8M0 scales are 2^c for the code c, as INT8 without a bias.",
       "a table of exponents that are stored as signed bytes"},
      Power::kSigned);
  power({"e8m0_as_integer", "FLOAT8E8M0 scales are read as UINT8."}, Power::kAsInteger);
}

void AddProducts(std::vector<OperatorFault>& faults) {
  const auto add = [&](FaultText text, Product product, DataType type,
                       std::function<Declaration(const F&)> declare) {
    faults.push_back(
        {text, S{.product = product, .product_type = type}, std::move(declare)});
  };
  add({"product_in_float16", "The multiplication is done in FLOAT16.",
       "mobile GPUs and NPUs in half precision mode"},
      Product::kIn, DataType::kFloat16, ProductIn<DataType::kFloat16>);
  add({"product_in_bfloat16", "The multiplication is done in BFLOAT16.",
       "matrix engines in BFLOAT16 mode"},
      Product::kIn, DataType::kBfloat16, ProductIn<DataType::kBfloat16>);
  const auto by_float = [](const F& f) {
    if (IsFloatByFloat(f.x_scale, f.y)) return Deviates();
    return Equivalent("it acts on FLOAT scales where y is FLOAT");
  };
  add({"product_through_float16",
       "By a FLOAT scale, the product for a FLOAT y is rounded to FLOAT16 on the way.",
       "outputs that are stored in half precision"},
      Product::kThrough, DataType::kFloat16, by_float);
  add({"product_through_bfloat16",
       "By a FLOAT scale, the product for a FLOAT y is rounded to BFLOAT16 on the way.",
       "outputs that are stored as BFLOAT16"},
      Product::kThrough, DataType::kBfloat16, by_float);
  add({"divided_by_reciprocal",
       "By a FLOAT scale, the difference for a FLOAT y is divided by 1 / x_scale, each "
       "rounded to FLOAT.",
       "kernels that share a table of reciprocals with quantization"},
      Product::kDividedByReciprocal, DataType::kUndefined, by_float);
  add({"product_in_float",
       "Where y has 16 bits, the operands are multiplied in FLOAT and the product is "
       "rounded again.",
       "kernels that convert to FLOAT; ONNX's reference evaluator"},
      Product::kInFloat, DataType::kUndefined, ProductInFloat);
  add({"output_dtype_ignored_until_stored",
       "The multiplication is done in the type of a FLOAT16 or BFLOAT16 scale, "
       "`output_dtype` is only "
       "what y is converted to.",
       "a Cast after a kernel from before opset 23"},
      Product::kInTypeOfScale, DataType::kUndefined, TypeOfScale);
}

void AddResults(std::vector<OperatorFault>& faults) {
  faults.push_back(
      {common::kTiesAway, S{.rounding = RoundingMode::kNearestAway}, Rounded});
  faults.push_back(
      {common::kTruncates, S{.rounding = RoundingMode::kTowardZero}, Rounded});
  faults.push_back({common::kRoundsDown, S{.rounding = RoundingMode::kDown}, Rounded});
  faults.push_back({common::kRoundsUp, S{.rounding = RoundingMode::kUp}, Rounded});
  faults.push_back(
      {common::kFloatSubnormalsFlushed, S{.flush_result = true}, [](const F& f) {
         if (CanBeSubnormal(f)) return Deviates();
         return Equivalent("no product is subnormal");
       }});
  faults.push_back({{"overflow_saturates",
                     "A finite product beyond the range gives the largest finite value.",
                     "hardware conversions that always saturate"},
                    S{.overflow_saturates = true},
                    [](const F& f) {
                      if (CanOverflow(f)) return Deviates();
                      return Equivalent("no product leaves the range");
                    }});
  faults.push_back(
      {{"nan_result_is_zero", "A product that is NaN gives zero.", "cleaning of outputs"},
       S{.nan_is_zero = true}});
  faults.push_back({{"zero_sign_is_dropped",
                     "A product of -0 gives +0, as far as it is "
                     "open.",
                     "zero points that are added as floats"},
                    S{.zero_sign_dropped = true},
                    ZeroSign});
  faults.push_back(
      {{"half_types_confused", "FLOAT16 is stored as BFLOAT16, and the reverse.",
        "one code path for 16-bit floats"},
       S{.other_half_type = true},
       [](const F& f) {
         if (f.half) return Deviates();
         return Equivalent("y is FLOAT");
       }});
}

}  // namespace

void AddProductFaults(std::vector<OperatorFault>& faults) {
  AddScales(faults);
  AddProducts(faults);
  AddResults(faults);
}

}  // namespace qconform::dequantize_linear
