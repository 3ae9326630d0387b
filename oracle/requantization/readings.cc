#include "oracle/requantization/readings.h"

#include <string_view>

namespace qconform {
namespace {

using Order = MultiplierOrder;
using Formula = RequantizationParameters::Formula;

constexpr Order kOrders[] = {Order::kAbFirst, Order::kByFirst, Order::kAyFirst};

std::string OrderName(Order order) {
  constexpr std::string_view kNames[] = {"_ab_first", "_by_first", "_ay_first"};
  return std::string(kNames[static_cast<size_t>(order)]);
}

}  // namespace

std::string RequantizationName(const RequantizationReading& reading) {
  switch (reading.requantization) {
    case Requantization::kCanonical:
      return "";
    case Requantization::kF32Multiplier:
      return "f32_multiplier" + OrderName(reading.order);
    case Requantization::kF32DequantizeQuantize:
      return reading.b_first ? "f32_dequantize_quantize_b_first"
                             : "f32_dequantize_quantize";
    case Requantization::kF32CombinedDequantizeQuantize:
      return "f32_combined_dequantize_quantize";
    case Requantization::kF64Product:
      return "f64_product" + OrderName(reading.order);
    case Requantization::kF64Chain:
      return reading.b_first ? "f64_chain_b_first" : "f64_chain";
    case Requantization::kScaleTypeMultiplier:
      return "scale_type_multiplier" + OrderName(reading.order) +
             (reading.product_in_double ? "_in_double" : "");
  }
  return "";
}

std::vector<RequantizationReading> RequantizationReadings(DataType scale) {
  std::vector<RequantizationReading> readings{{}};
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
  // FLOAT scales have FLOAT multipliers already: RequantizationsLeftOut.
  if (scale == DataType::kFloat) return readings;
  for (const bool in_double : {false, true}) {
    for (const Order order : kOrders) {
      add(Requantization::kScaleTypeMultiplier, order, in_double);
    }
  }
  return readings;
}

std::vector<SameRequantization> RequantizationsLeftOut(DataType scale) {
  if (scale != DataType::kFloat) return {};
  std::vector<SameRequantization> found;
  for (const bool in_double : {false, true}) {
    for (const Order order : kOrders) {
      found.push_back(
          {.left_out = {.requantization = Requantization::kScaleTypeMultiplier,
                        .order = order,
                        .product_in_double = in_double},
           .same = {.requantization = in_double ? Requantization::kF64Product
                                                : Requantization::kF32Multiplier,
                    .order = order}});
    }
  }
  return found;
}

RequantizationParameters RequantizationParametersOf(const RequantizationReading& reading,
                                                    DataType scale) {
  RequantizationParameters parameters;
  parameters.order = reading.order;
  parameters.b_first = reading.b_first;
  switch (reading.requantization) {
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
      if (reading.product_in_double) parameters.precision = DataType::kDouble;
      break;
  }
  return parameters;
}

}  // namespace qconform
