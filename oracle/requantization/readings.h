// How v = C * a_scale * b_scale / y_scale may come about where the text names no
// precision: the readings that every operator with this requantization shares, and what
// they choose in its evaluation.
#ifndef QCONFORM_ORACLE_REQUANTIZATION_READINGS_H_
#define QCONFORM_ORACLE_REQUANTIZATION_READINGS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "oracle/formats/number_format.h"
#include "oracle/tensor/data_type.h"

namespace qconform {

// f32(...) rounds to FLOAT, f64(...) to DOUBLE; a, b and y are the scales, and m is the
// multiplier a * b / y, formed in some order.
enum class Requantization : uint8_t {
  kCanonical,                      // exact
  kF32Multiplier,                  // f32(f32(C) * m), m in FLOAT
  kF32DequantizeQuantize,          // f32(f32(f32(f32(C) * a) * b) / y)
  kF32CombinedDequantizeQuantize,  // f32(f32(f32(C) * f32(a * b)) / y)
  kF64Product,                     // f64(C * m), m in FLOAT
  kF64Chain,                       // f64(f64(f64(C * a) * b) / y)
  kScaleTypeMultiplier,            // m in the scales' type, then as the others
};

enum class MultiplierOrder : uint8_t {
  kAbFirst,  // (a * b) / y
  kByFirst,  // a * (b / y)
  kAyFirst,  // (a / y) * b
};

struct RequantizationReading {
  Requantization requantization = Requantization::kCanonical;
  MultiplierOrder order = MultiplierOrder::kAbFirst;  // if there is an m
  bool product_in_double = false;                     // only kScaleTypeMultiplier
  // kF32DequantizeQuantize, kF64Chain: (C * b) * a in place of (C * a) * b.
  bool b_first = false;

  friend bool operator==(const RequantizationReading&,
                         const RequantizationReading&) = default;
};

// Returns "f32_multiplier_ab_first"; "" for the canonical reading.
std::string RequantizationName(const RequantizationReading& reading);

// Returns the readings that scales of this type allow, the canonical one first.
std::vector<RequantizationReading> RequantizationReadings(DataType scale);

// A reading that is not among these, and the one that gives the same bits.
struct SameRequantization {
  RequantizationReading left_out;
  RequantizationReading same;
};
std::vector<SameRequantization> RequantizationsLeftOut(DataType scale);

struct RequantizationParameters {
  enum class Formula : uint8_t {
    kExact,
    kMultiplier,  // m = (a, b, y in some order), each step rounded to
                  // multiplier_precision; v = round(round(C) * m)
    kChain,       // v = ((C * a) * b) / y, each step rounded to precision;
                  // b_first: ((C * b) * a) / y
    kCombined,    // v = (C * (a * b)) / y, the same
  };
  Formula formula = Formula::kExact;
  MultiplierOrder order = MultiplierOrder::kAbFirst;
  bool b_first = false;
  DataType multiplier_precision = DataType::kFloat;
  DataType precision = DataType::kFloat;  // of C and of what it is multiplied into
  RoundingMode rounding = RoundingMode::kNearestEven;

  // Returns the type of the last product or quotient; kUndefined: v is exact.
  DataType precision_of_v() const {
    return formula == Formula::kExact ? DataType::kUndefined : precision;
  }
};

// Returns the parameters of a reading for scales of this type.
RequantizationParameters RequantizationParametersOf(const RequantizationReading& reading,
                                                    DataType scale);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_REQUANTIZATION_READINGS_H_
