// QLinearConv, the definition that every other implementation is compared with.
//
//   C = conv(x - x_zero_point, w - w_zero_point) + B                          (1)
//   v = C * x_scale * w_scale[m] / y_scale                                    (2)
//   y = saturate(round_half_even(v) + y_zero_point)                           (3)
//
// ONNX QLinearConv, since_version 10. Clauses QC-01 to QC-09: docs/semantics.md.
#ifndef QCONFORM_ORACLE_OPERATORS_Q_LINEAR_CONV_Q_LINEAR_CONV_H_
#define QCONFORM_ORACLE_OPERATORS_Q_LINEAR_CONV_Q_LINEAR_CONV_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/base/result.h"
#include "oracle/convolution/geometry.h"
#include "oracle/core/accumulator.h"
#include "oracle/core/operator.h"
#include "oracle/core/target.h"
#include "oracle/requantization/readings.h"
#include "oracle/tensor/tensor.h"

namespace qconform::q_linear_conv {

// An input that is missing has the type kUndefined.
struct Problem {
  int since_version = 0;
  ConvolutionAttributes attributes{};
  TensorView x{};
  TensorView x_scale{};
  TensorView x_zero_point{};
  TensorView w{};
  TensorView w_scale{};
  TensorView w_zero_point{};
  TensorView y_scale{};
  TensorView y_zero_point{};
  std::optional<TensorView> bias{};  // B
};

// The problem's views are those of the operands.
Problem ProblemOf(int since_version, const ConvolutionAttributes& attributes,
                  const Operands& operands);

struct Resolution {
  ModelValidity validity;
  ConvolutionGeometry geometry;  // meaningless if the model is invalid
};

// QC-05, QC-06, QC-09.
Resolution Resolve(const Problem& problem);

// The same of operands whose data may be missing.
Resolution ResolveWithoutData(const Problem& problem);

// Returns the geometry, or an Error, citing the clause, if the model is invalid.
Result<ConvolutionGeometry> ValidGeometry(Resolution resolution);

// QC-01: how v and the zero point become a code.
enum class Rounding : uint8_t {
  kCanonical,           // ties to even, then the zero point
  kTiesAway,            // ties away from 0, then the zero point
  kTiesUp,              // floor(v + 1/2), then the zero point
  kZeroPointFirst,      // v + y_zero_point in the type of v, then ties to even
  kZeroPointFirstAway,  // the same, then ties away from 0
};
inline constexpr Rounding kAllRoundings[] = {Rounding::kCanonical, Rounding::kTiesAway,
                                             Rounding::kTiesUp, Rounding::kZeroPointFirst,
                                             Rounding::kZeroPointFirstAway};

// Whether Answer::bounds is filled.
//   kFloatConv: by `float_conv` of QC-04, and in `degenerate_scale` what FLOAT makes of
//     values that leave its range (QC-08); it takes the reading of QC-01 as given.
//   kUnspecified: the wider bounds are those of `unspecified_requantization`.
enum class Bounds : uint8_t { kNone, kFloatConv, kUnspecified };

// Which reading of each open clause is followed. The defaults are the canonical ones.
struct Readings {
  Rounding rounding = Rounding::kCanonical;  // QC-01
  RequantizationReading requantization{};    // QC-04
  Bounds bounds = Bounds::kNone;

  friend bool operator==(const Readings&, const Readings&) = default;
};

// What ReadingSet::code encodes; 0 for the canonical readings.
uint64_t EncodeReadings(const Readings& readings);
Readings DecodeReadings(uint64_t code);

// Returns the readings that are not canonical, in the order of the ledger.
std::vector<Reading> NamesOf(const Readings& readings);

// Returns all that the clauses allow, the canonical one first, the bounds last.
std::vector<Readings> AllReadings();

// What a reading, or a mistake, chooses in the evaluation.
struct Parameters {
  Accumulator accumulator = Accumulator::kModulo32;  // (1), beyond INT32
  RequantizationParameters requantization{};         // (2)
  TargetParameters target{};                         // (3)
  Bounds bounds = Bounds::kNone;
};
Parameters ParametersOf(const Readings& readings);

// Returns y. Open models are answered with their plain meaning; an Error, citing the
// clause, if the model is invalid.
Result<Answer> EvaluateQLinearConv(const Problem& problem,
                                   const Parameters& parameters = {});

}  // namespace qconform::q_linear_conv

#endif  // QCONFORM_ORACLE_OPERATORS_Q_LINEAR_CONV_Q_LINEAR_CONV_H_
