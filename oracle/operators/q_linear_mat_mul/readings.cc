// The readings of QLinearMatMul's open clauses: which apply, what they are
// called, and which parameters of the evaluation they choose.
#include <string>
#include <string_view>
#include <vector>

#include "oracle/core/packed_fields.h"
#include "oracle/operators/q_linear_mat_mul/parameters.h"
#include "oracle/operators/q_linear_mat_mul/q_linear_mat_mul.h"

namespace qconform {
namespace {

QLinearMatMulReadings ReadingsOf(const RequantizationReading& reading) {
  return {.requantization = reading.requantization,
          .order = reading.order,
          .product_in_double = reading.product_in_double,
          .b_first = reading.b_first};
}

template <typename Code, typename Fields>
void ForEachField(Code& code, Fields& fields) {
  fields(code.readings.requantization, 3);
  fields(code.readings.order, 2);
  fields(code.readings.product_in_double, 1);
  fields(code.readings.b_first, 1);
  fields(code.readings.float_zero_point, 2);
  fields(code.readings.fnuz_infinity_nan, 1);
  fields(code.readings.fnuz_infinity_largest, 1);
  fields(code.readings.e5m2_infinity, 1);
  fields(code.bounds, 3);
  fields(code.wider, 1);
}

}  // namespace

RequantizationReading RequantizationOf(const QLinearMatMulReadings& readings) {
  return {.requantization = readings.requantization,
          .order = readings.order,
          .product_in_double = readings.product_in_double,
          .b_first = readings.b_first};
}

uint64_t EncodeReadings(const QLinearMatMulReadingCode& code) {
  FieldWriter fields;
  ForEachField(code, fields);
  return fields.code();
}

QLinearMatMulReadingCode DecodeQLinearMatMulReadings(uint64_t code) {
  QLinearMatMulReadingCode decoded;
  FieldReader fields(code);
  ForEachField(decoded, fields);
  return decoded;
}

std::vector<Reading> NamesOf(const QLinearMatMulReadings& readings) {
  std::vector<Reading> names;
  if (readings.requantization != Requantization::kCanonical) {
    names.push_back({"MM-02", RequantizationName(RequantizationOf(readings))});
  }
  if (readings.e5m2_infinity) names.push_back({"MM-11b", "e5m2_infinity"});
  if (readings.fnuz_infinity_largest) {
    names.push_back({"QL-22", "fnuz_infinity_largest"});
  }
  if (readings.float_zero_point != FloatZeroPoint::kCanonical) {
    names.push_back({"QL-24", std::string(ReadingName(readings.float_zero_point))});
  }
  return names;
}

std::string ReadingsName(const QLinearMatMulReadings& readings) {
  return Spell(NamesOf(readings));
}

std::vector<QLinearMatMulReadings> ReadingCombinations(DataType scale, DataType y) {
  std::vector<QLinearMatMulReadings> combinations;
  for (const RequantizationReading& reading : RequantizationReadings(scale)) {
    combinations.push_back(ReadingsOf(reading));
  }
  if (!IsFloat8(y)) return combinations;

  // Multiplies the combinations by one more choice; the ones so far stay first.
  const auto multiply = [&combinations](auto choose) {
    const size_t count = combinations.size();
    for (size_t i = 0; i < count; ++i) {
      QLinearMatMulReadings readings = combinations[i];
      if (choose(readings)) combinations.push_back(readings);
    }
  };
  for (const FloatZeroPoint choice :
       {FloatZeroPoint::kIgnored, FloatZeroPoint::kRoundThenAdd,
        FloatZeroPoint::kAddedInP}) {
    multiply([choice](QLinearMatMulReadings& readings) {
      if (readings.float_zero_point != FloatZeroPoint::kCanonical) return false;
      // An exact v has no P to add in.
      if (choice == FloatZeroPoint::kAddedInP &&
          readings.requantization == Requantization::kCanonical) {
        return false;
      }
      readings.float_zero_point = choice;
      return true;
    });
  }
  const NumberFormat& format = FormatOf(y);
  if (format.has_infinity) {
    multiply(
        [](QLinearMatMulReadings& readings) { return readings.e5m2_infinity = true; });
  }
  if (format.nan == NanEncoding::kNegativeZero) {
    multiply([](QLinearMatMulReadings& readings) {
      return readings.fnuz_infinity_largest = true;
    });
  }
  return combinations;
}

std::vector<ReadingLeftOut> ReadingsLeftOut(DataType scale) {
  std::vector<ReadingLeftOut> found;
  for (const SameRequantization& pair : RequantizationsLeftOut(scale)) {
    found.push_back({NamesOf(ReadingsOf(pair.left_out)).front(),
                     NamesOf(ReadingsOf(pair.same)).front()});
  }
  return found;
}

QLinearMatMulParameters ParametersOf(const QLinearMatMulReadings& readings,
                                     DataType scale) {
  QLinearMatMulParameters parameters;
  parameters.requantization =
      RequantizationParametersOf(RequantizationOf(readings), scale);
  parameters.target.float_zero_point = readings.float_zero_point;
  parameters.target.fnuz_infinity_nan = !readings.fnuz_infinity_largest;
  parameters.target.e5m2_infinity = readings.e5m2_infinity;
  return parameters;
}

}  // namespace qconform
