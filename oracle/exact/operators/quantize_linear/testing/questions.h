// Random questions to QuantizeLinear, aimed at where answers differ. For the
// agreement tests only.
#ifndef QCONFORM_ORACLE_EXACT_OPERATORS_QUANTIZE_LINEAR_TESTING_QUESTIONS_H_
#define QCONFORM_ORACLE_EXACT_OPERATORS_QUANTIZE_LINEAR_TESTING_QUESTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "oracle/exact/operators/quantize_linear/quantize_linear.h"
#include "oracle/exact/testing/agreement.h"
#include "oracle/exact/testing/random_layout.h"
#include "oracle/operators/quantize_linear/quantize_linear.h"

namespace qconform::agreement {

struct QuantizeLinearCell {
  int since_version = 0;
  int x = 0;
  int y_scale = 0;
  int y = 0;
  Granularity granularity = Granularity::kPerTensor;
};

// Returns all cells of all since_versions, from the operator's pages (QL-31).
std::vector<QuantizeLinearCell> QuantizeLinearCells();

// Returns a question of this cell: shapes, attributes, scales, zero points and
// x of many kinds, each x with its own scale and zero point in view.
exact::QuantizeLinearInput MakeQuestion(const QuantizeLinearCell& cell, Random& random);

// Returns the question as text that can be typed in again.
std::string ToString(const exact::QuantizeLinearInput& input);

// The oracle's view of a judge's question, with the bytes it looks at.
class OracleProblem {
 public:
  explicit OracleProblem(const exact::QuantizeLinearInput& input);
  OracleProblem(const OracleProblem&) = delete;
  OracleProblem& operator=(const OracleProblem&) = delete;
  const QuantizeLinearProblem& problem() const { return problem_; }

 private:
  Tensor x_;
  Tensor y_scale_;
  Tensor y_zero_point_;
  QuantizeLinearProblem problem_;
};

// Returns the judge's names for the oracle's readings.
exact::QuantizeLinearReadings JudgeReadings(const QuantizeLinearReadings& readings);

}  // namespace qconform::agreement

#endif  // QCONFORM_ORACLE_EXACT_OPERATORS_QUANTIZE_LINEAR_TESTING_QUESTIONS_H_
