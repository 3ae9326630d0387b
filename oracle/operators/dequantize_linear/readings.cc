// The readings of the open clauses: which apply, what they are called, and which
// parameters of the evaluation they choose.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/core/packed_fields.h"
#include "oracle/formats/number_format.h"
#include "oracle/operators/dequantize_linear/parameters.h"
#include "oracle/operators/dequantize_linear/value_range.h"

namespace qconform::dequantize_linear {
namespace {

using Difference = Readings::Difference;
using Operands = Readings::Operands;
using Int32Product = Readings::Int32Product;

// The clause that names the product.
enum class ProductClause : uint8_t { kDq02, kDq03, kDq04, kDq05, kDq11 };

ProductClause ProductClauseOf(const Types& types) {
  const bool has_16_bits = types.x == DataType::kInt16 || types.x == DataType::kUint16;
  const bool is_wide_to_narrow = has_16_bits && types.y != DataType::kFloat;
  if (types.x == DataType::kInt32) return ProductClause::kDq05;
  if (types.x_scale == DataType::kFloat8E8M0) return ProductClause::kDq11;
  if (types.since_version >= 23) {
    return types.x_scale != types.y || is_wide_to_narrow ? ProductClause::kDq04
                                                         : ProductClause::kDq02;
  }
  return is_wide_to_narrow ? ProductClause::kDq03 : ProductClause::kDq02;
}

// The clause of the sign of a zero y.
std::string_view ZeroSignClause(DataType x) {
  if (IsInteger(x)) return "DQ-10";
  return x == DataType::kFloat6E2M3 || x == DataType::kFloat6E3M2 ? "DQ-12" : "DQ-07";
}

std::string_view NameOf(Difference difference) {
  constexpr std::string_view kNames[] = {"canonical",
                                         "difference_in_float",
                                         "difference_in_p",
                                         "difference_in_x_type",
                                         "difference_in_x_type_overflowing",
                                         "zero_point_ignored"};
  return kNames[static_cast<size_t>(difference)];
}

std::string_view NameOf(Operands operands) {
  constexpr std::string_view kNames[] = {"canonical", "unconverted_operands",
                                         "operands_in_p", "difference_in_p",
                                         "scale_in_p"};
  return kNames[static_cast<size_t>(operands)];
}

std::string_view NameOf(Int32Product product) {
  constexpr std::string_view kNames[] = {"canonical", "exact_product", "f64_product",
                                         "f32_product", "x_in_p"};
  return kNames[static_cast<size_t>(product)];
}

template <typename ReadingsType, typename Fields>
void ForEachField(ReadingsType& readings, Fields& fields) {
  fields(readings.difference, 3);
  fields(readings.operands, 3);
  fields(readings.f32_product, 1);
  fields(readings.int32_product, 3);
  fields(readings.zero_sign_dropped, 1);
}

// Sets what is rounded to P before the product.
void SetOperands(Operands operands, ProductClause clause, DataType p,
                 Parameters& parameters) {
  const bool both = operands == Operands::kInP ||
                    (operands == Operands::kCanonical && clause == ProductClause::kDq04);
  if (both || operands == Operands::kDifferenceInP) parameters.multiplicand = p;
  if (both || operands == Operands::kScaleInP) parameters.multiplier = p;
}

void SetInt32Product(Int32Product product, DataType p, Parameters& parameters) {
  parameters.multiplicand = DataType::kFloat;
  switch (product) {
    case Int32Product::kCanonical:
      break;
    case Int32Product::kExact:
      parameters.multiplicand = DataType::kUndefined;
      break;
    case Int32Product::kF64:
      parameters.multiplicand = DataType::kUndefined;
      parameters.product = DataType::kDouble;
      break;
    case Int32Product::kF32:
      parameters.product = DataType::kFloat;
      break;
    case Int32Product::kXInP:
      parameters.multiplicand = p;
      break;
  }
}

void SetDifference(Difference difference, const Types& types, Parameters& parameters) {
  switch (difference) {
    case Difference::kCanonical:
      break;
    case Difference::kInFloat:
      parameters.difference = DataType::kFloat;
      break;
    case Difference::kInP:
      parameters.difference = types.y;
      break;
    case Difference::kInXType:
      parameters.difference_overflow = OverflowPolicy::kSaturate;
      [[fallthrough]];
    case Difference::kInXTypeOverflowing:
      parameters.difference = types.x;
      break;
    case Difference::kZeroPointIgnored:
      parameters.zero_point_ignored = true;
      break;
  }
}

// --- which combinations there are -----------------------------------------------

std::vector<Readings> ProductsOf(const Types& types) {
  std::vector<Readings> products;
  switch (ProductClauseOf(types)) {
    case ProductClause::kDq02:
      products = {{}};
      // Only a difference that P does not hold makes another product of it.
      if (!IsInteger(types.x)) products.push_back({.f32_product = true});
      break;
    case ProductClause::kDq03:
      products = {{}, {.f32_product = true}, {.operands = Operands::kDifferenceInP}};
      break;
    case ProductClause::kDq04:
      products = {{}};
      for (const Operands operands :
           {Operands::kUnconverted, Operands::kDifferenceInP, Operands::kScaleInP}) {
        products.push_back({.operands = operands});
        products.push_back({.operands = operands, .f32_product = true});
      }
      break;
    case ProductClause::kDq11:
      for (const Operands operands : {Operands::kCanonical, Operands::kInP,
                                      Operands::kDifferenceInP, Operands::kScaleInP}) {
        products.push_back({.operands = operands});
        products.push_back({.operands = operands, .f32_product = true});
      }
      break;
    case ProductClause::kDq05:
      for (const Operands operands : {Operands::kCanonical, Operands::kScaleInP}) {
        if (operands == Operands::kScaleInP && types.x_scale == types.y) break;
        for (const Int32Product product :
             {Int32Product::kCanonical, Int32Product::kExact, Int32Product::kF64,
              Int32Product::kF32, Int32Product::kXInP}) {
          if (types.y == DataType::kFloat && product >= Int32Product::kF32) break;
          products.push_back({.operands = operands, .int32_product = product});
        }
      }
      break;
  }
  return products;
}

std::vector<Difference> DifferencesOf(const Types& types) {
  if (IsInteger(types.x)) return {Difference::kCanonical};
  std::vector<Difference> differences{Difference::kCanonical, Difference::kInFloat,
                                      Difference::kInP, Difference::kInXType};
  if (HasNan(types.x)) differences.push_back(Difference::kInXTypeOverflowing);
  differences.push_back(Difference::kZeroPointIgnored);
  return differences;
}

// All combinations, those of fewer names first.
std::vector<Readings> AllCombinations(const Types& types) {
  std::vector<Readings> combinations;
  for (const bool zero_sign_dropped : {false, true}) {
    for (const Difference difference : DifferencesOf(types)) {
      for (Readings readings : ProductsOf(types)) {
        readings.difference = difference;
        readings.zero_sign_dropped = zero_sign_dropped;
        combinations.push_back(readings);
      }
    }
  }
  std::ranges::stable_sort(combinations, {}, [&](const Readings& readings) {
    return NamesOf(readings, types).size();
  });
  return combinations;
}

// Whether some y is -0.
bool MayBeMinusZero(const Types& types) {
  // Scales of FLOAT8E8M0 are positive.
  if (types.x_scale != DataType::kFloat8E8M0) return true;
  if (IsInteger(types.x)) return false;
  const NumberFormat& x = FormatOf(types.x);
  // A negative product that underflows.
  const int smallest = ValuesOf(x).lowest + ValuesOf(FormatOf(types.x_scale)).lowest;
  return x.has_negative_zero || smallest < ValuesOf(FormatOf(types.y)).lowest;
}

struct Reduction {
  std::vector<Readings> kept;
  // Those that are left out, each with the one that gives the same bits.
  std::vector<std::pair<Readings, Readings>> left_out;
};

Reduction Reduce(const Types& types) {
  Reduction reduction;
  std::vector<Parameters> seen;  // of `kept`
  for (const Readings& readings : AllCombinations(types)) {
    const Parameters parameters = Reduced(ParametersOf(readings, types), types);
    const auto same = std::ranges::find(seen, parameters);
    if (same != seen.end()) {
      const auto place = static_cast<size_t>(same - seen.begin());
      reduction.left_out.emplace_back(readings, reduction.kept[place]);
      continue;
    }
    seen.push_back(parameters);
    reduction.kept.push_back(readings);
  }
  return reduction;
}

}  // namespace

Parameters ParametersOf(const Readings& readings, const Types& types) {
  const ProductClause clause = ProductClauseOf(types);
  Parameters parameters;
  if (clause == ProductClause::kDq05) {
    SetInt32Product(readings.int32_product, types.y, parameters);
    if (readings.operands == Operands::kScaleInP) parameters.multiplier = types.y;
  } else {
    SetOperands(readings.operands, clause, types.y, parameters);
    if (readings.f32_product) parameters.product = DataType::kFloat;
  }
  if (!IsInteger(types.x)) SetDifference(readings.difference, types, parameters);
  parameters.zero_sign_dropped = readings.zero_sign_dropped;
  return parameters;
}

namespace {

// Differences of float8 have few digits set: those of one value, and those of another.
// None of these, by a scale of few digits, comes so near to a tie of P that FLOAT would
// take it for one. That is no theorem but counted: see the test
// DequantizeReadings.FewDigits_AreNoTiesInFloat.
void ReduceForFloat8(const Types& types, const ValueRange& values,
                     const ValueRange& multipliers, Parameters& parameters) {
  using enum DataType;
  if (!IsFloat8(types.x)) return;
  const bool has_few_digits = multipliers.digits <= 8;
  // FLOAT8E4M3FN and FLOAT8E4M3FNUZ.
  if (values.digits <= 19 && has_few_digits) parameters.product = kUndefined;
  // FLOAT8E5M2 and FLOAT8E5M2FNUZ, in FLOAT.
  const bool is_multiple_in_float = values.lowest + multipliers.lowest >= -149;
  if (parameters.multiplicand == kFloat &&
      (types.y == kFloat16 ? has_few_digits
                           : multipliers.digits <= 11 && is_multiple_in_float)) {
    parameters.product = kUndefined;
  }
  // The same, exact.
  const bool is_in_narrow_range = types.x_scale == kBfloat16 && types.y == kFloat16 &&
                                  parameters.multiplier == types.y;
  if (is_in_narrow_range) {
    parameters.product = kUndefined;
    if (parameters.multiplicand == kFloat) parameters.multiplicand = kUndefined;
  }
}

// Drops roundings of a product with a power of two, which only moves the digits.
void ReduceForPowersOfTwo(const Types& types, const ValueRange& values,
                          const ValueRange& scales, Parameters& parameters) {
  const NumberFormat& p = FormatOf(types.y);
  const ValueRange own = ValuesOf(p);
  // A d that has more digits than P starts above its last place by as many. If its
  // product is a normal value for every scale, it does not matter whether d is rounded
  // before or after.
  const bool stays_normal =
      values.lowest + own.digits + scales.lowest >= SmallestNormalExponent(p) &&
      values.highest < own.highest;
  if (stays_normal && parameters.multiplicand == types.y &&
      parameters.multiplier == DataType::kUndefined) {
    parameters.multiplicand = DataType::kUndefined;
  }
  if (IsInteger(types.x)) return;
  // Rounding a difference of floats to FLOAT is to round its product. As its digits are
  // those of a value of x and next to nothing, it matters only where the value alone is a
  // tie of P: in FLOAT16, whose subnormal values are larger than such products by scales
  // that it does not hold.
  if (parameters.multiplicand == DataType::kFloat && types.y != DataType::kFloat) {
    parameters.multiplicand = DataType::kUndefined;
    parameters.product = DataType::kFloat;
  }
  if (types.y != DataType::kFloat16 || parameters.multiplier != DataType::kUndefined) {
    parameters.product = DataType::kUndefined;
  }
}

}  // namespace

Parameters Reduced(const Parameters& given, const Types& types) {
  const NumberFormat& x = FormatOf(types.x);
  const NumberFormat& p = FormatOf(types.y);
  const ValueRange scales = ValuesOf(FormatOf(types.x_scale));
  Parameters parameters = given;
  ValueRange values = given.zero_point_ignored
                          ? ValuesOf(x)
                          : qconform::dequantize_linear::DifferencesOf(x);
  // (1) Roundings of d, one after the other, that change no value.
  const auto drop_or_apply = [&](DataType& type) {
    if (type == DataType::kUndefined) return;
    const NumberFormat& format = FormatOf(type);
    if (format.kind == NumberKind::kFloat && Holds(format, values)) {
      type = DataType::kUndefined;
    } else {
      values = RangeAfterRounding(format, values);
    }
  };
  drop_or_apply(parameters.difference);
  drop_or_apply(parameters.multiplicand);
  // A difference of more than 24 digits is a value of x and next to nothing: it is
  // nowhere near a tie of a narrower P, so rounding it to FLOAT first changes nothing.
  if (parameters.difference == DataType::kFloat && parameters.multiplicand == types.y) {
    parameters.difference = DataType::kUndefined;
  }
  // One rounding is one, wherever it stands.
  if (parameters.multiplicand == DataType::kUndefined &&
      parameters.difference_overflow == OverflowPolicy::kNonSaturating) {
    std::swap(parameters.multiplicand, parameters.difference);
  }
  // (2) Of the scale.
  if (parameters.multiplier != DataType::kUndefined &&
      Holds(FormatOf(parameters.multiplier), scales)) {
    parameters.multiplier = DataType::kUndefined;
  }
  const ValueRange multipliers = parameters.multiplier == DataType::kUndefined
                                     ? scales
                                     : RangeAfterRounding(p, scales);
  // (3) An inner product of P's own type, or of more digits than there are. Beyond the
  // range of FLOAT such a product is Inf or 0 in P too. Below its smallest normal value
  // FLOAT keeps 16 places more than BFLOAT16, and a product that needs them all has more
  // than 24 digits if it is as large as half of BFLOAT16's smallest value.
  const bool is_held = parameters.product != DataType::kUndefined &&
                       ProductDigits(values, multipliers) <=
                           FormatOf(parameters.product).mantissa_bits + 1;
  if (parameters.product == types.y || is_held) {
    parameters.product = DataType::kUndefined;
  }
  ReduceForFloat8(types, values, multipliers, parameters);
  // (4) The sign of a zero.
  if (!MayBeMinusZero(types)) parameters.zero_sign_dropped = false;
  // (5)
  if (types.x_scale == DataType::kFloat8E8M0) {
    ReduceForPowersOfTwo(types, values, multipliers, parameters);
  }
  return parameters;
}

uint64_t EncodeReadings(const Readings& readings) {
  FieldWriter fields;
  ForEachField(readings, fields);
  return fields.code();
}

Readings DecodeReadings(uint64_t code) {
  Readings readings;
  FieldReader fields(code);
  ForEachField(readings, fields);
  return readings;
}

std::vector<Reading> NamesOf(const Readings& readings, const Types& types) {
  std::vector<Reading> names;
  const auto add = [&names](std::string_view clause, std::string_view name) {
    names.push_back({std::string(clause), std::string(name)});
  };
  const ProductClause clause = ProductClauseOf(types);
  const char* product = clause == ProductClause::kDq03   ? "DQ-03"
                        : clause == ProductClause::kDq05 ? "DQ-05"
                        : clause == ProductClause::kDq11 ? "DQ-11"
                                                         : "DQ-04";
  if (readings.int32_product != Int32Product::kCanonical) {
    add(product, NameOf(readings.int32_product));
  }
  if (readings.operands != Operands::kCanonical) add(product, NameOf(readings.operands));
  if (readings.f32_product) add(product, "f32_product");
  if (readings.difference != Difference::kCanonical) {
    add("DQ-08", NameOf(readings.difference));
  }
  if (readings.zero_sign_dropped) add(ZeroSignClause(types.x), "zero_sign_dropped");
  return names;
}

std::vector<Readings> ReadingCombinations(const Types& types) {
  return Reduce(types).kept;
}

std::vector<ReadingLeftOut> ReadingsLeftOut(const Types& types) {
  const Reduction reduction = Reduce(types);
  std::vector<Reading> offered;
  for (const Readings& readings : reduction.kept) {
    for (Reading& name : NamesOf(readings, types)) offered.push_back(std::move(name));
  }
  const auto is_in = [](const auto& all, const auto& one) {
    return std::ranges::find(all, one) != all.end();
  };
  std::vector<ReadingLeftOut> found;
  std::vector<Reading> seen;
  for (const auto& [readings, same_as] : reduction.left_out) {
    const std::vector<Reading> others = NamesOf(same_as, types);
    for (const Reading& name : NamesOf(readings, types)) {
      if (is_in(offered, name) || is_in(seen, name)) continue;
      seen.push_back(name);
      found.push_back(
          {name, others.empty() ? std::nullopt : std::optional(others.front())});
    }
  }
  return found;
}

bool IsRounded(const Types& types) {
  const NumberFormat& x = FormatOf(types.x);
  const Parameters parameters = ParametersOf({}, types);
  ValueRange values =
      IsInteger(types.x) ? qconform::dequantize_linear::DifferencesOf(x) : ValuesOf(x);
  ValueRange scales = ValuesOf(FormatOf(types.x_scale));
  if (parameters.multiplicand != DataType::kUndefined) {
    values = RangeAfterRounding(FormatOf(parameters.multiplicand), values);
  }
  if (parameters.multiplier != DataType::kUndefined) {
    scales = RangeAfterRounding(FormatOf(parameters.multiplier), scales);
  }
  return ProductDigits(values, scales) > FormatOf(types.y).mantissa_bits + 1;
}

}  // namespace qconform::dequantize_linear
