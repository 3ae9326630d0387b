// Random questions to MatMulInteger. For the agreement tests only.
#ifndef QCONFORM_ORACLE_EXACT_OPERATORS_MAT_MUL_INTEGER_TESTING_QUESTIONS_H_
#define QCONFORM_ORACLE_EXACT_OPERATORS_MAT_MUL_INTEGER_TESTING_QUESTIONS_H_

#include <string>
#include <vector>

#include "oracle/base/result.h"
#include "oracle/core/answer.h"
#include "oracle/exact/operators/mat_mul_integer/mat_mul_integer.h"
#include "oracle/exact/testing/agreement.h"

namespace qconform::agreement {

struct MatMulIntegerCell {
  int a = 0;
  int b = 0;
  bool per_row = false;
  bool per_column = false;
};

// Returns all cells, from the operator's page.
std::vector<MatMulIntegerCell> MatMulIntegerCells();

exact::MatMulIntegerInput MakeQuestion(const MatMulIntegerCell& cell, Random& random);

// Returns one element whose sum lies near an end of INT32.
exact::MatMulIntegerInput MakeLongSum(const MatMulIntegerCell& cell, Random& random);

std::string ToString(const exact::MatMulIntegerInput& input);

// Returns the oracle's answer. An absent zero point may be left out or be absent in the
// middle.
Result<Answer> AskOracle(const exact::MatMulIntegerInput& input);

}  // namespace qconform::agreement

#endif  // QCONFORM_ORACLE_EXACT_OPERATORS_MAT_MUL_INTEGER_TESTING_QUESTIONS_H_
