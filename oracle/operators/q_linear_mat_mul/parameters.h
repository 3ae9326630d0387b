// The one evaluation of QLinearMatMul, as numbered stages with parameters.
//
//   (1) operands      A = a - a_zero_point, B = b - b_zero_point, exact
//   (2) accumulation  C, exact; integer operands: as `accumulator` says
//   (3) requantization  v from C and the three scales
//   (4) target        zero point, rounding, overflow: oracle/core/target.h
#ifndef QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_PARAMETERS_H_
#define QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_PARAMETERS_H_

#include "oracle/core/accumulator.h"
#include "oracle/core/target.h"
#include "oracle/formats/number_format.h"
#include "oracle/operators/q_linear_mat_mul/q_linear_mat_mul.h"
#include "oracle/requantization/readings.h"

namespace qconform {

struct QLinearMatMulParameters {
  // (2) An integer C outside INT32 (MM-01b).
  Accumulator accumulator = Accumulator::kModulo32;

  // (3) MM-02.
  using Formula = RequantizationParameters::Formula;
  RequantizationParameters requantization{};

  // (4)
  TargetParameters target{};
};

// Returns the parameters of a reading for scales of this type.
QLinearMatMulParameters ParametersOf(const QLinearMatMulReadings& readings,
                                     DataType scale);

// As EvaluateQLinearMatMul, with any parameters.
Result<Answer> EvaluateQLinearMatMulWith(const QLinearMatMulProblem& problem,
                                         const QLinearMatMulParameters& parameters,
                                         MatMulBounds bounds = MatMulBounds::kNone);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_OPERATORS_Q_LINEAR_MAT_MUL_PARAMETERS_H_
