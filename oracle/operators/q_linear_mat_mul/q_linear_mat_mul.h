// QLinearMatMul, the definition that every other implementation is compared
// with.
//
//   A = a - a_zero_point,  B = b - b_zero_point                               (1)
//   C = A x B, by numpy.matmul's rules                                        (2)
//   v = C * a_scale * b_scale / y_scale                                       (3)
//   y = saturate(round_half_even(v) + y_zero_point)                           (4)
//
// ONNX QLinearMatMul, since_version 10 and 21. Clauses MM-01 to MM-20, and QL-10
// to QL-24 where they cite them: docs/semantics.md and oracle/core/clauses.h.
#ifndef QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_Q_LINEAR_MAT_MUL_H_
#define QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_Q_LINEAR_MAT_MUL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "oracle/base/result.h"
#include "oracle/core/operator.h"
#include "oracle/core/target.h"
#include "oracle/requantization/readings.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// All eight inputs are required; one that is missing has type kUndefined.
struct QLinearMatMulProblem {
  int since_version = 0;
  TensorView a{};
  TensorView a_scale{};
  TensorView a_zero_point{};
  TensorView b{};
  TensorView b_scale{};
  TensorView b_zero_point{};
  TensorView y_scale{};
  TensorView y_zero_point{};
};

// Which reading of each open parametric clause is followed. The defaults are
// the canonical ones.
struct QLinearMatMulReadings {
  // MM-02: oracle/requantization/readings.h.
  using Requantization = qconform::Requantization;
  using MultiplierOrder = qconform::MultiplierOrder;
  Requantization requantization = Requantization::kCanonical;
  MultiplierOrder order = MultiplierOrder::kAbFirst;  // where there is an m
  bool product_in_double = false;                     // kScaleTypeMultiplier alone
  // kF32DequantizeQuantize, kF64Chain: (C * b) * a in place of (C * a) * b.
  bool b_first = false;
  // Float8 y. The P of added_in_p is the type of the last product or quotient.
  FloatZeroPoint float_zero_point = FloatZeroPoint::kCanonical;  // QL-24
  // QL-22: canonical of since 21 is NaN, so the first is without effect.
  bool fnuz_infinity_nan = false;
  bool fnuz_infinity_largest = false;
  bool e5m2_infinity = false;  // MM-11b

  friend bool operator==(const QLinearMatMulReadings&,
                         const QLinearMatMulReadings&) = default;
};

// Returns the reading of MM-02.
RequantizationReading RequantizationOf(const QLinearMatMulReadings& readings);

// Returns the readings that are not canonical, in the order of the ledger's report.
std::vector<Reading> NamesOf(const QLinearMatMulReadings& readings);

// Returns the same spelled: "canonical",
// "MM-02:f32_multiplier_ab_first+QL-24:zero_point_ignored".
std::string ReadingsName(const QLinearMatMulReadings& readings);

// Returns every combination of readings that the clauses allow for scales of
// type `scale` and an output of type `y`, the canonical one first (G-01).
std::vector<QLinearMatMulReadings> ReadingCombinations(DataType scale, DataType y);

// Returns those that ReadingCombinations leaves out: of MM-02, by the scales' type.
std::vector<ReadingLeftOut> ReadingsLeftOut(DataType scale);

// MM-04 to MM-07: whether the specification defines the model. Open: MM-05, MM-06;
// invalid: MM-07.
ModelValidity Validate(const QLinearMatMulProblem& problem);

// Whether Answer::bounds is filled.
//   kMm10: float8 operands only, by MM-10: any sum in FLOAT or better, in any
//     order, then any reading of MM-02.
//   kAll: integer operands too, by the bound of `float_matmul` (MM-02), and in
//     `degenerate_scale` what FLOAT makes of values that leave its range (MM-20).
//   kScaleType: by `scale_type_matmul` (MM-02) alone.
// All take the readings of QL-22, QL-24 and MM-11b as given. Elements with
// special values in C, and those that are free anyway, have bounds of one code.
// The four of kScaleType are its choices: whether the sum and the quotient are rounded to
// the scales' type.
enum class MatMulBounds : uint8_t {
  kNone,
  kMm10,
  kAll,
  kScaleType,
  kScaleTypeSum,
  kScaleTypeQuotient,
  kScaleTypeSumAndQuotient,
};

// What ReadingSet::code encodes: the readings, and the bounds of a bounded set, of which
// `wider` takes the wider ones. 0 for the canonical readings.
struct QLinearMatMulReadingCode {
  QLinearMatMulReadings readings{};
  MatMulBounds bounds = MatMulBounds::kNone;
  bool wider = false;

  friend bool operator==(const QLinearMatMulReadingCode&,
                         const QLinearMatMulReadingCode&) = default;
};
uint64_t EncodeReadings(const QLinearMatMulReadingCode& code);
QLinearMatMulReadingCode DecodeQLinearMatMulReadings(uint64_t code);

// Returns y. Open models (MM-05, MM-06) are answered with their plain meaning;
// an Error, citing the clause, where the model is invalid.
Result<Answer> EvaluateQLinearMatMul(const QLinearMatMulProblem& problem,
                                     const QLinearMatMulReadings& readings = {},
                                     MatMulBounds bounds = MatMulBounds::kNone);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_Q_LINEAR_MAT_MUL_H_
