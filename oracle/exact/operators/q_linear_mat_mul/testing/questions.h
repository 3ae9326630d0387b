// Random questions to QLinearMatMul, aimed at where answers differ. For the
// agreement tests only.
#ifndef QCONFORM_ORACLE_EXACT_OPERATORS_Q_LINEAR_MAT_MUL_TESTING_QUESTIONS_H_
#define QCONFORM_ORACLE_EXACT_OPERATORS_Q_LINEAR_MAT_MUL_TESTING_QUESTIONS_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "oracle/exact/operators/q_linear_mat_mul/q_linear_mat_mul.h"
#include "oracle/exact/testing/agreement.h"
#include "oracle/operators/q_linear_mat_mul/q_linear_mat_mul.h"

namespace qconform::agreement {

struct QLinearMatMulCell {
  int since_version = 0;
  int scale = 0;  // TS
  int a = 0;
  int b = 0;
  int y = 0;
  bool per_row = false;
  bool per_column = false;
};

// Returns all cells of all since_versions, from the operator's pages.
std::vector<QLinearMatMulCell> QLinearMatMulCells();

// Returns a question of this cell. Many scales are chosen for an element whose
// v then lies at a rounding boundary of y, or next to it.
exact::QLinearMatMulInput MakeQuestion(const QLinearMatMulCell& cell, Random& random);

// Returns a question of this cell with scales whose products with operands, or whose
// product, lie around an end of FLOAT's range or of their own type's; now and then one
// scale is 0, below 0, an infinity or NaN.
exact::QLinearMatMulInput MakeExtremeQuestion(const QLinearMatMulCell& cell,
                                              Random& random);

// Returns one element whose exact C lies near an end of INT32, or far beyond.
// Precondition: integer operands.
exact::QLinearMatMulInput MakeLongSum(const QLinearMatMulCell& cell, Random& random);

// Returns the question as text that can be typed in again.
std::string ToString(const exact::QLinearMatMulInput& input);

// The oracle's view of a judge's question, with the bytes it looks at.
class OracleMatMulProblem {
 public:
  OracleMatMulProblem(int since_version, const exact::QLinearMatMulInput& input);
  OracleMatMulProblem(const OracleMatMulProblem&) = delete;
  OracleMatMulProblem& operator=(const OracleMatMulProblem&) = delete;
  const QLinearMatMulProblem& problem() const { return problem_; }

 private:
  std::array<Tensor, 8> tensors_;
  QLinearMatMulProblem problem_;
};

// Returns the judge's names for the oracle's readings.
exact::QLinearMatMulReadings JudgeReadings(const QLinearMatMulReadings& readings);

}  // namespace qconform::agreement

#endif  // QCONFORM_ORACLE_EXACT_OPERATORS_Q_LINEAR_MAT_MUL_TESTING_QUESTIONS_H_
