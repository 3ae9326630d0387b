// The readings of QLinearConv's open clauses: which there are, what they are called, and
// which parameters of the evaluation they choose.
#include <string_view>

#include "oracle/core/packed_fields.h"
#include "oracle/operators/q_linear_conv/q_linear_conv.h"

namespace qconform::q_linear_conv {
namespace {

std::string_view RoundingName(Rounding rounding) {
  constexpr std::string_view kNames[] = {"", "ties_away", "ties_up",
                                         "zero_point_before_rounding",
                                         "zero_point_before_rounding_ties_away"};
  return kNames[static_cast<size_t>(rounding)];
}

std::string RequantizationNameOf(const Readings& readings) {
  switch (readings.bounds) {
    case Bounds::kNone:
      break;
    case Bounds::kFloatConv:
      return "float_conv";
    case Bounds::kUnspecified:
      return "unspecified_requantization";
  }
  return RequantizationName(readings.requantization);
}

template <typename Code, typename Fields>
void ForEachField(Code& readings, Fields& fields) {
  fields(readings.rounding, 3);
  fields(readings.requantization.requantization, 3);
  fields(readings.requantization.order, 2);
  fields(readings.requantization.product_in_double, 1);
  fields(readings.requantization.b_first, 1);
  fields(readings.bounds, 2);
}

}  // namespace

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

std::vector<Reading> NamesOf(const Readings& readings) {
  std::vector<Reading> names;
  if (readings.rounding != Rounding::kCanonical) {
    names.push_back({"QC-01", std::string(RoundingName(readings.rounding))});
  }
  if (std::string name = RequantizationNameOf(readings); !name.empty()) {
    names.push_back({"QC-04", std::move(name)});
  }
  return names;
}

std::vector<Readings> AllReadings() {
  std::vector<Readings> all;
  for (const Rounding rounding : kAllRoundings) {
    for (const RequantizationReading& reading :
         RequantizationReadings(DataType::kFloat)) {
      all.push_back({.rounding = rounding, .requantization = reading});
    }
  }
  for (const Rounding rounding : kAllRoundings) {
    all.push_back({.rounding = rounding, .bounds = Bounds::kFloatConv});
  }
  all.push_back({.bounds = Bounds::kUnspecified});
  return all;
}

Parameters ParametersOf(const Readings& readings) {
  Parameters parameters{.requantization = RequantizationParametersOf(
                            readings.requantization, DataType::kFloat),
                        .bounds = readings.bounds};
  switch (readings.rounding) {
    case Rounding::kCanonical:
    case Rounding::kZeroPointFirst:
      break;
    case Rounding::kTiesUp:
      parameters.target.rounding = RoundingMode::kNearestUp;
      break;
    case Rounding::kTiesAway:
    case Rounding::kZeroPointFirstAway:
      parameters.target.rounding = RoundingMode::kNearestAway;
      break;
  }
  parameters.target.zero_point_before_rounding =
      readings.rounding == Rounding::kZeroPointFirst ||
      readings.rounding == Rounding::kZeroPointFirstAway;
  return parameters;
}

}  // namespace qconform::q_linear_conv
