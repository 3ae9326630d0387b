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

using Requantization = QLinearMatMulReadings::Requantization;
using Order = QLinearMatMulReadings::MultiplierOrder;
using Formula = QLinearMatMulParameters::Formula;

constexpr Order kOrders[] = {Order::kAbFirst, Order::kByFirst, Order::kAyFirst};

std::string OrderName(Order order) {
  constexpr std::string_view kNames[] = {"_ab_first", "_by_first", "_ay_first"};
  return std::string(kNames[static_cast<size_t>(order)]);
}

std::string RequantizationName(const QLinearMatMulReadings& readings) {
  switch (readings.requantization) {
    case Requantization::kCanonical:
      return "";
    case Requantization::kF32Multiplier:
      return "f32_multiplier" + OrderName(readings.order);
    case Requantization::kF32DequantizeQuantize:
      return readings.b_first ? "f32_dequantize_quantize_b_first"
                              : "f32_dequantize_quantize";
    case Requantization::kF32CombinedDequantizeQuantize:
      return "f32_combined_dequantize_quantize";
    case Requantization::kF64Product:
      return "f64_product" + OrderName(readings.order);
    case Requantization::kF64Chain:
      return readings.b_first ? "f64_chain_b_first" : "f64_chain";
    case Requantization::kScaleTypeMultiplier:
      return "scale_type_multiplier" + OrderName(readings.order) +
             (readings.product_in_double ? "_in_double" : "");
  }
  return "";
}

std::vector<QLinearMatMulReadings> RequantizationReadings(DataType scale) {
  std::vector<QLinearMatMulReadings> readings{{}};
  const auto add = [&readings](Requantization requantization, Order order,
                               bool in_double) {
    readings.push_back({.requantization = requantization,
                        .order = order,
                        .product_in_double = in_double});
  };
  for (const Order order : kOrders) add(Requantization::kF32Multiplier, order, false);
  // Of a and b the text does not say which comes first; a division is last, as it says.
  const auto add_chain = [&readings](Requantization requantization) {
    for (const bool b_first : {false, true}) {
      readings.push_back({.requantization = requantization, .b_first = b_first});
    }
  };
  add_chain(Requantization::kF32DequantizeQuantize);
  add(Requantization::kF32CombinedDequantizeQuantize, Order::kAbFirst, false);
  for (const Order order : kOrders) add(Requantization::kF64Product, order, false);
  add_chain(Requantization::kF64Chain);
  // FLOAT scales have FLOAT multipliers already: ReadingsLeftOut.
  if (scale == DataType::kFloat) return readings;
  for (const bool in_double : {false, true}) {
    for (const Order order : kOrders) {
      add(Requantization::kScaleTypeMultiplier, order, in_double);
    }
  }
  return readings;
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
    names.push_back({"MM-02", RequantizationName(readings)});
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
  std::vector<QLinearMatMulReadings> combinations = RequantizationReadings(scale);
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
  if (scale != DataType::kFloat) return {};
  std::vector<ReadingLeftOut> found;
  for (const bool in_double : {false, true}) {
    for (const Order order : kOrders) {
      const QLinearMatMulReadings by_type{
          .requantization = Requantization::kScaleTypeMultiplier,
          .order = order,
          .product_in_double = in_double};
      const QLinearMatMulReadings same{
          .requantization =
              in_double ? Requantization::kF64Product : Requantization::kF32Multiplier,
          .order = order};
      found.push_back({NamesOf(by_type).front(), NamesOf(same).front()});
    }
  }
  return found;
}

QLinearMatMulParameters ParametersOf(const QLinearMatMulReadings& readings,
                                     DataType scale) {
  QLinearMatMulParameters parameters;
  parameters.order = readings.order;
  parameters.b_first = readings.b_first;
  switch (readings.requantization) {
    case Requantization::kCanonical:
      break;
    case Requantization::kF32Multiplier:
      parameters.formula = Formula::kMultiplier;
      break;
    case Requantization::kF32DequantizeQuantize:
      parameters.formula = Formula::kChain;
      break;
    case Requantization::kF32CombinedDequantizeQuantize:
      parameters.formula = Formula::kCombined;
      break;
    case Requantization::kF64Product:
      parameters.formula = Formula::kMultiplier;
      parameters.precision = DataType::kDouble;
      break;
    case Requantization::kF64Chain:
      parameters.formula = Formula::kChain;
      parameters.precision = DataType::kDouble;
      break;
    case Requantization::kScaleTypeMultiplier:
      parameters.formula = Formula::kMultiplier;
      parameters.multiplier_precision = scale;
      if (readings.product_in_double) parameters.precision = DataType::kDouble;
      break;
  }
  parameters.target.float_zero_point = readings.float_zero_point;
  parameters.target.fnuz_infinity_nan = !readings.fnuz_infinity_largest;
  parameters.target.e5m2_infinity = readings.e5m2_infinity;
  return parameters;
}

}  // namespace qconform
