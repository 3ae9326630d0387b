// Random questions to DequantizeLinear, aimed at where answers differ. For the agreement
// tests only.
#ifndef QCONFORM_ORACLE_EXACT_OPERATORS_DEQUANTIZE_LINEAR_TESTING_QUESTIONS_H_
#define QCONFORM_ORACLE_EXACT_OPERATORS_DEQUANTIZE_LINEAR_TESTING_QUESTIONS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "oracle/core/operator.h"
#include "oracle/exact/operators/dequantize_linear/dequantize_linear.h"
#include "oracle/exact/testing/agreement.h"
#include "oracle/exact/testing/random_layout.h"

namespace qconform::agreement {

struct DequantizeLinearCell {
  int since_version = 0;
  int x = 0;
  int x_scale = 0;
  int y = 0;
  Granularity granularity = Granularity::kPerTensor;
};

// Returns all cells of all since_versions, from the operator's pages (DQ-33).
std::vector<DequantizeLinearCell> DequantizeLinearCells();

// Returns a question of this cell: shapes, attributes, scales, zero points and x of many
// kinds, with products next to where rounding to y changes.
exact::DequantizeLinearInput MakeQuestion(const DequantizeLinearCell& cell,
                                          Random& random);

// Returns the scales of a type at which answers change: powers of two, the ends of the
// range, subnormals, specials of both signs, and scales that take differences of x to
// ties of y. At most `count`.
std::vector<uint64_t> BoundaryScales(int x, int x_scale, int y, size_t count,
                                     Random& random);

// Returns the question as text that can be typed in again.
std::string ToString(const exact::DequantizeLinearInput& input);

// A judge's question as the oracle is asked it.
class DequantizeLinearProblem {
 public:
  explicit DequantizeLinearProblem(const exact::DequantizeLinearInput& input);
  DequantizeLinearProblem(const DequantizeLinearProblem&) = delete;
  DequantizeLinearProblem& operator=(const DequantizeLinearProblem&) = delete;

  // Returns every admissible combination, the canonical one first.
  std::vector<ReadingSet> Readings() const;
  // Returns the difference from the judge's answer by these readings, or the error of the
  // oracle; empty if both agree.
  std::string Difference(const exact::Answer& judge, const ReadingSet& readings) const;

 private:
  std::vector<Tensor> tensors_;
  Operands operands_;
  std::unique_ptr<const BoundOperator> bound_;
};

// Returns the judge's steps for the oracle's readings of these types.
exact::DequantizeLinearReadings JudgeReadings(const ReadingSet& readings,
                                              const DequantizeLinearCell& cell);

}  // namespace qconform::agreement

#endif  // QCONFORM_ORACLE_EXACT_OPERATORS_DEQUANTIZE_LINEAR_TESTING_QUESTIONS_H_
