// The readings of the open clauses: which apply, what they are called, and
// which parameters of the evaluation they choose.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/core/packed_fields.h"
#include "oracle/formats/number_format.h"
#include "oracle/operators/quantize_linear/clauses.h"
#include "oracle/operators/quantize_linear/parameters.h"
#include "oracle/operators/quantize_linear/quantize_linear.h"

namespace qconform {
namespace {

using Quotient = QuantizeLinearReadings::Quotient;

// The type that `precision` names, where it is one of the four that QL-05
// gives a meaning.
DataType NamedPrecision(int since_version, int64_t precision) {
  if (since_version < 23) return DataType::kUndefined;
  const std::optional<DataType> type = DataTypeFromNumber(precision);
  if (!type) return DataType::kUndefined;
  switch (*type) {
    case DataType::kFloat:
    case DataType::kFloat16:
    case DataType::kBfloat16:
    case DataType::kDouble:
      return *type;
    default:
      return DataType::kUndefined;
  }
}

// QL-22: Cast since 24 saturates infinities of the FNUZ formats.
bool FnuzInfinityIsNan(int since_version) { return since_version < 24; }

// Who decides P, and what P is in the canonical reading (kUndefined: the
// quotient is exact).
struct Division {
  enum class By : uint8_t { kDecided, kQl02, kQl03, kQl04, kQl06, kQl07 };
  By clause = By::kDecided;
  DataType precision = DataType::kUndefined;
};

Division DivisionOf(int since_version, DataType x, DataType y_scale, int64_t precision) {
  using By = Division::By;
  const DataType named = NamedPrecision(since_version, precision);
  if (named != DataType::kUndefined) return {By::kDecided, named};  // QL-05
  if (y_scale == DataType::kInt32) return {By::kQl06, DataType::kUndefined};
  if (y_scale == DataType::kFloat8E8M0) return {By::kQl07, DataType::kFloat};
  if (since_version < 19) {
    return {x == DataType::kInt32 ? By::kQl03 : By::kQl02, DataType::kFloat};
  }
  if (since_version >= 23) return {By::kDecided, y_scale};  // QL-05
  return {y_scale == DataType::kFloat ? By::kQl02 : By::kQl04, y_scale};
}

// Whether the type of x is a P of its own in QL-06 and QL-07: elsewhere
// `x_type_division` is FLOAT, as another reading is.
bool XTypeIsAnotherPrecision(DataType x) {
  return x == DataType::kFloat16 || x == DataType::kBfloat16;
}

bool ConversionRounds(DataType precision, DataType x, DataType y_scale) {
  const NumberFormat& format = FormatOf(precision);
  return !HoldsAllOf(format, FormatOf(x)) || !HoldsAllOf(format, FormatOf(y_scale));
}

std::vector<Quotient> QuotientReadings(int since_version, DataType x, DataType y_scale,
                                       int64_t precision) {
  using By = Division::By;
  const Division division = DivisionOf(since_version, x, y_scale, precision);
  std::vector<Quotient> readings{Quotient::kCanonical};
  switch (division.clause) {
    case By::kQl02:
      readings.push_back(Quotient::kF64Division);
      return readings;
    case By::kQl03:
      readings.push_back(Quotient::kF64Division);
      readings.push_back(Quotient::kUnconvertedOperands);
      return readings;
    case By::kQl04:
      readings.push_back(Quotient::kF32Quotient);
      readings.push_back(Quotient::kF64Division);
      return readings;
    case By::kQl06:
      readings.push_back(Quotient::kF32Quotient);
      // QL-09 comes on top of it, since 23.
      if (since_version >= 23) readings.push_back(Quotient::kF32QuotientUnconverted);
      [[fallthrough]];
    case By::kQl07:
      // DOUBLE holds both, and the exact quotient.
      if (division.clause == By::kQl07 && x == DataType::kInt32) {
        readings.push_back(Quotient::kF64Division);
      }
      if (XTypeIsAnotherPrecision(x)) {
        readings.push_back(Quotient::kXTypeDivision);
        if (since_version >= 23 && ConversionRounds(x, x, y_scale)) {
          readings.push_back(Quotient::kXTypeDivisionUnconverted);
        }
      }
      return readings;
    case By::kDecided:
      break;
  }
  if (since_version >= 23 && ConversionRounds(division.precision, x, y_scale)) {
    readings.push_back(Quotient::kUnconvertedOperands);
  }
  return readings;
}

// The exponent of the least value that lies halfway between two codes of y: -1 for
// integers, -2 for FLOAT4E2M1.
int LeastTieExponent(DataType y) {
  const NumberFormat& format = FormatOf(y);
  if (format.kind != NumberKind::kFloat) return -1;
  return SmallestNormalExponent(format) - format.mantissa_bits - 1;
}

// Whether a combination is the same function as one with fewer readings, for
// all operands of these types. Each line is a short proof.
bool IsRedundant(const QuantizeLinearReadings& readings, Division::By clause, DataType x,
                 DataType y) {
  using By = Division::By;
  const bool added_in_p = readings.float_zero_point == FloatZeroPoint::kAddedInP;
  const int least_tie = LeastTieExponent(y);
  // One drops the sign of some zeros, the other of all.
  if (readings.zero_sign_dropped && readings.zero_point_added) return true;
  switch (readings.quotient) {
    case Quotient::kF32Quotient:
      // Ties are multiples of 2^t, t >= -5. x has 11 digits and is below 2^16: where
      // the integer y_scale is below 2^(16-t), |x / y_scale - tie| is 0 or at least
      // 2^(t-16) of the tie, else q is below every tie. The sum of q and a zero point
      // rounded to FLOAT can reach a tie that q + zp misses if t is below -2.
      return clause == By::kQl06 && x == DataType::kFloat16 &&
             least_tie >= (added_in_p ? -2 : -5);
    case Quotient::kF32QuotientUnconverted:
      // FLOAT holds every y_scale up to 2^24; above that q is below every tie.
      return clause == By::kQl06 && x == DataType::kFloat16 && least_tie >= -5;
    case Quotient::kF64Division:
      // As FLOAT does it: with d digits in x and y_scale each, |x / y_scale - tie| is 0
      // or at least 2^-(d + b + 1) of it, b being the bits of y. That is more than a
      // rounding to FLOAT moves it, also for d = 8 and b = 16, where 2^-25 is never
      // reached.
      return clause == By::kQl04 && IsInteger(y) &&
             (FormatOf(y).bits <= 8 || x == DataType::kBfloat16);
    case Quotient::kXTypeDivision:
      // BFLOAT16 has the range of FLOAT: over a power of two nothing is rounded
      // but what all targets round to zero. A q of zero, though, loses its sign
      // to a zero point of zero, and one that is merely tiny does not (QL-20a).
      return clause == By::kQl07 && x == DataType::kBfloat16 && !added_in_p &&
             !readings.zero_point_added;
    case Quotient::kXTypeDivisionUnconverted:
      // The quotient has 11 digits. It is Inf only where it is 2^16 or more, and
      // is rounded only below 2^-14, where E5M2 and its kin alone have values.
      return clause == By::kQl07 && least_tie >= -14 && !added_in_p &&
             !readings.fnuz_infinity_nan && !readings.zero_point_added;
    default:
      return false;
  }
}

// The clause under which a quotient of these types is DOUBLE.
const char* F64DivisionClause(DataType y_scale, DataType x) {
  switch (y_scale) {
    case DataType::kFloat8E8M0:
      return "QL-07";
    case DataType::kFloat:
      return x == DataType::kInt32 ? "QL-03" : "QL-02";
    default:
      return "QL-04";
  }
}

template <typename Readings, typename Fields>
void ForEachField(Readings& readings, Fields& fields) {
  fields(readings.quotient, 3);
  fields(readings.float_zero_point, 2);
  fields(readings.zero_point_added, 1);
  fields(readings.missing_zero_point_added, 1);
  fields(readings.fnuz_infinity_nan, 1);
  fields(readings.fnuz_infinity_largest, 1);
  fields(readings.zero_sign_dropped, 1);
}

}  // namespace

QuantizeLinearParameters ParametersOf(const QuantizeLinearReadings& readings,
                                      int since_version, DataType x, DataType y_scale,
                                      DataType y, int64_t precision, int64_t saturate) {
  using By = Division::By;
  const Division division = DivisionOf(since_version, x, y_scale, precision);
  const bool open = division.clause == By::kQl06 || division.clause == By::kQl07;
  QuantizeLinearParameters parameters;

  parameters.precision = division.precision;
  switch (readings.quotient) {
    case Quotient::kCanonical:
      break;
    case Quotient::kF64Division:
      if (division.clause == By::kQl02 || division.clause == By::kQl03 ||
          division.clause == By::kQl04 ||
          (division.clause == By::kQl07 && x == DataType::kInt32)) {
        parameters.precision = DataType::kDouble;
      }
      break;
    case Quotient::kF32QuotientUnconverted:
      if (division.clause == By::kQl06) parameters.convert_operands = false;
      [[fallthrough]];
    case Quotient::kF32Quotient:
      if (division.clause == By::kQl04 || division.clause == By::kQl06) {
        parameters.precision = DataType::kFloat;
      }
      break;
    case Quotient::kXTypeDivisionUnconverted:
      if (open && IsFloatingPoint(x)) parameters.convert_operands = false;
      [[fallthrough]];
    case Quotient::kXTypeDivision:
      if (open && IsFloatingPoint(x)) parameters.precision = x;
      break;
    case Quotient::kUnconvertedOperands:
      if (division.clause == By::kQl03 || since_version >= 23) {
        parameters.convert_operands = false;
      }
      break;
  }

  parameters.target.float_zero_point = readings.float_zero_point;
  parameters.target.zero_point_added = readings.zero_point_added;
  parameters.target.missing_zero_point_added = readings.missing_zero_point_added;
  parameters.target.fnuz_infinity_nan = FnuzInfinityIsNan(since_version)
                                            ? !readings.fnuz_infinity_largest
                                            : readings.fnuz_infinity_nan;
  parameters.target.zero_sign_dropped = readings.zero_sign_dropped;
  // QL-14, QL-27: a format without NaN has no code to show an overflow with.
  if (HasNan(y) && saturate == 0)
    parameters.target.overflow = OverflowPolicy::kNonSaturating;

  parameters.tier_precisions[0] = division.precision;
  if (division.precision == DataType::kUndefined && IsFloatingPoint(x)) {
    parameters.tier_precisions[0] = DataType::kFloat;
  }
  if (open && XTypeIsAnotherPrecision(x)) parameters.tier_precisions[1] = x;
  return parameters;
}

uint64_t EncodeReadings(const QuantizeLinearReadings& readings) {
  FieldWriter fields;
  ForEachField(readings, fields);
  return fields.code();
}

QuantizeLinearReadings DecodeQuantizeLinearReadings(uint64_t code) {
  QuantizeLinearReadings readings;
  FieldReader fields(code);
  ForEachField(readings, fields);
  return readings;
}

std::vector<Reading> NamesOf(const QuantizeLinearReadings& readings, int since_version,
                             DataType x, DataType y_scale, DataType y) {
  std::vector<Reading> names;
  const auto add = [&names](std::string_view clause, std::string_view name) {
    names.push_back({std::string(clause), std::string(name)});
  };
  const char* quotient_clause = y_scale == DataType::kInt32 ? "QL-06" : "QL-04";
  const char* x_type_clause = y_scale == DataType::kFloat8E8M0 ? "QL-07" : "QL-06";
  switch (readings.quotient) {
    case Quotient::kCanonical:
      break;
    case Quotient::kF64Division:
      add(F64DivisionClause(y_scale, x), "f64_division");
      break;
    case Quotient::kF32Quotient:
      add(quotient_clause, "f32_quotient");
      break;
    case Quotient::kF32QuotientUnconverted:
      add("QL-06", "f32_quotient");
      add("QL-09", "unconverted_operands");
      break;
    case Quotient::kXTypeDivision:
      add(x_type_clause, "x_type_division");
      break;
    case Quotient::kXTypeDivisionUnconverted:
      add(x_type_clause, "x_type_division");
      add("QL-09", "unconverted_operands");
      break;
    case Quotient::kUnconvertedOperands:
      add(since_version < 19 ? "QL-03" : "QL-09", "unconverted_operands");
      break;
  }
  if (readings.missing_zero_point_added) {
    add("QL-20a", "missing_zero_point_added");
  } else if (readings.zero_point_added) {
    add("QL-20a", "zero_point_added");
  }
  if (readings.fnuz_infinity_nan) add("QL-22", "fnuz_infinity_nan");
  if (readings.fnuz_infinity_largest) add("QL-22", "fnuz_infinity_largest");
  if (readings.float_zero_point != FloatZeroPoint::kCanonical) {
    add("QL-24", ReadingName(readings.float_zero_point));
  }
  if (readings.zero_sign_dropped) {
    add(ClausesOfTarget(y).special_values, "zero_sign_dropped");
  }
  return names;
}

std::string ReadingsName(const QuantizeLinearReadings& readings, int since_version,
                         DataType x, DataType y_scale, DataType y) {
  return Spell(NamesOf(readings, since_version, x, y_scale, y));
}

std::vector<QuantizeLinearReadings> ReadingCombinations(int since_version, DataType x,
                                                        DataType y_scale, DataType y,
                                                        int64_t precision) {
  std::vector<QuantizeLinearReadings> combinations;
  for (const Quotient quotient : QuotientReadings(since_version, x, y_scale, precision)) {
    combinations.push_back({.quotient = quotient});
  }
  const Division::By clause = DivisionOf(since_version, x, y_scale, precision).clause;
  const auto drop_redundant = [&] {
    std::erase_if(combinations, [&](const QuantizeLinearReadings& readings) {
      return IsRedundant(readings, clause, x, y);
    });
    return combinations;
  };
  if (!IsFloatingPoint(y)) return drop_redundant();

  // Multiplies the combinations by one more choice; the ones so far stay first.
  const auto multiply = [&combinations](auto choose) {
    const size_t count = combinations.size();
    for (size_t i = 0; i < count; ++i) {
      QuantizeLinearReadings readings = combinations[i];
      if (choose(readings)) combinations.push_back(readings);
    }
  };
  const auto with_zero_point = [](FloatZeroPoint choice) {
    return [choice](QuantizeLinearReadings& readings) {
      if (readings.float_zero_point != FloatZeroPoint::kCanonical) return false;
      readings.float_zero_point = choice;
      return true;
    };
  };
  const NumberFormat& format = FormatOf(y);
  multiply(with_zero_point(FloatZeroPoint::kIgnored));
  multiply(with_zero_point(FloatZeroPoint::kRoundThenAdd));
  multiply([&](QuantizeLinearReadings& readings) {
    // Without a P there is nothing to add in.
    const bool has_precision =
        ParametersOf(readings, since_version, x, y_scale, y, precision, 1).precision !=
        DataType::kUndefined;
    return has_precision && with_zero_point(FloatZeroPoint::kAddedInP)(readings);
  });
  if (format.has_negative_zero) {
    multiply([](QuantizeLinearReadings& readings) {
      return readings.zero_point_added = true;
    });
    multiply([](QuantizeLinearReadings& readings) {
      return readings.missing_zero_point_added = readings.zero_point_added;
    });
  } else {
    multiply([&](QuantizeLinearReadings& readings) {
      bool& other = FnuzInfinityIsNan(since_version) ? readings.fnuz_infinity_largest
                                                     : readings.fnuz_infinity_nan;
      return other = true;
    });
  }
  if (format.nan == NanEncoding::kNone) {
    multiply([](QuantizeLinearReadings& readings) {
      return readings.zero_sign_dropped = true;
    });
    // Of readings that explain the same, the first is named: one before a pair.
    std::ranges::stable_sort(combinations, {}, [&](const QuantizeLinearReadings& r) {
      return NamesOf(r, since_version, x, y_scale, y).size();
    });
  }
  return drop_redundant();
}

std::vector<ReadingLeftOut> ReadingsLeftOut(int since_version, DataType x,
                                            DataType y_scale, DataType y) {
  constexpr int64_t kNoPrecision = 0;
  const auto name = [&](Quotient quotient) {
    const std::vector<Reading> names =
        NamesOf({.quotient = quotient}, since_version, x, y_scale, y);
    return names.empty() ? std::nullopt : std::optional(names.front());
  };
  const auto parameters = [&](Quotient quotient) {
    return ParametersOf({.quotient = quotient}, since_version, x, y_scale, y,
                        kNoPrecision, 1);
  };
  const Division::By clause = DivisionOf(since_version, x, y_scale, kNoPrecision).clause;
  std::vector<ReadingLeftOut> found;
  const auto add = [&found](const ReadingLeftOut& reading) {
    if (std::find(found.begin(), found.end(), reading) == found.end())
      found.push_back(reading);
  };
  const std::vector<QuantizeLinearReadings> offered =
      ReadingCombinations(since_version, x, y_scale, y, kNoPrecision);
  const std::vector<Quotient> quotients =
      QuotientReadings(since_version, x, y_scale, kNoPrecision);
  for (const Quotient quotient : quotients) {
    const bool is_offered = std::any_of(offered.begin(), offered.end(),
                                        [&](const QuantizeLinearReadings& readings) {
                                          return readings.quotient == quotient;
                                        });
    if (is_offered) continue;
    // What QL-04 leaves out is as FLOAT divides.
    const bool as_float = clause == Division::By::kQl04;
    add({*name(quotient), as_float ? name(Quotient::kF32Quotient) : std::nullopt});
  }
  // Of FLOAT x, `x_type_division` is another reading.
  const bool open = clause == Division::By::kQl06 || clause == Division::By::kQl07;
  if (!open || !IsFloatingPoint(x) || XTypeIsAnotherPrecision(x)) return found;
  const QuantizeLinearParameters by_x = parameters(Quotient::kXTypeDivision);
  for (const Quotient quotient : quotients) {
    const QuantizeLinearParameters other = parameters(quotient);
    if (other.precision == by_x.precision &&
        other.convert_operands == by_x.convert_operands) {
      add({*name(Quotient::kXTypeDivision), name(quotient)});
    }
  }
  return found;
}

}  // namespace qconform
