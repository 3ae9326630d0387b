// MatMulInteger, the definition that every other implementation is compared with, bit for
// bit.
//
//   Y = (A - a_zero_point) x (B - b_zero_point), exact, by numpy.matmul's rules    (1)
//
// ONNX MatMulInteger, since_version 10. Clauses MI-01 to MI-08: docs/semantics.md and
// clauses.cc.
#ifndef QCONFORM_ORACLE_OPERATORS_MAT_MUL_INTEGER_MAT_MUL_INTEGER_H_
#define QCONFORM_ORACLE_OPERATORS_MAT_MUL_INTEGER_MAT_MUL_INTEGER_H_

#include <optional>
#include <string>

#include "oracle/base/result.h"
#include "oracle/core/accumulator.h"
#include "oracle/core/operator.h"
#include "oracle/matmul/layout.h"
#include "oracle/tensor/tensor.h"

namespace qconform::mat_mul_integer {

struct Problem {
  int since_version = 0;
  TensorView a{};
  TensorView b{};
  std::optional<TensorView> a_zero_point{};
  std::optional<TensorView> b_zero_point{};
  std::string unknown_attribute{};  // the operator has none
};

// The problem's views are those of the operands; a missing A or B has the type
// kUndefined, which Resolve finds invalid.
Problem ProblemOf(int since_version, const std::string& unknown_attribute,
                  const Operands& operands);

struct Layout : MatMulLayout {
  LineIndices a_zero_point;  // by row
  LineIndices b_zero_point;  // by column
  // MI-05: a zero point has a shape that broadcasts to its operand, but is neither one
  // value nor one for each row or column. Every element of Y is free.
  bool is_free = false;
};

struct Resolution {
  ModelValidity validation;
  Layout layout;  // meaningless where the model is invalid
};

// MI-04 to MI-08.
Resolution Resolve(const Problem& problem);

// The same of operands whose data may be missing.
Resolution ResolveWithoutData(const Problem& problem);

// Returns the layout, or an Error, citing the clause, if the model is invalid.
Result<Layout> ValidLayout(Resolution resolution);

// Returns Y. Open models are answered with their plain meaning; an Error, citing the
// clause, where the model is invalid. `accumulator`: what becomes of sums outside INT32,
// which are free (MI-02).
Result<Answer> EvaluateMatMulInteger(const Problem& problem,
                                     Accumulator accumulator = Accumulator::kModulo32);

}  // namespace qconform::mat_mul_integer

#endif  // QCONFORM_ORACLE_OPERATORS_MAT_MUL_INTEGER_MAT_MUL_INTEGER_H_
