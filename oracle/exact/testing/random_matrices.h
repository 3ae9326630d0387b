// Random operands of matrix products. For the agreement tests only.
#ifndef QCONFORM_ORACLE_EXACT_TESTING_RANDOM_MATRICES_H_
#define QCONFORM_ORACLE_EXACT_TESTING_RANDOM_MATRICES_H_

#include <cstdint>
#include <vector>

#include "oracle/exact/answer.h"
#include "oracle/exact/testing/agreement.h"

namespace qconform::agreement {

struct MatMulShapes {
  std::vector<int64_t> a, b;
  // Of scales and zero points.
  std::vector<int64_t> a_scale, b_scale;
};

// Returns shapes that numpy.matmul accepts: vectors, batches that broadcast, dimensions
// of 0. Now and then those of scales are open ones (MM-06, MI-05).
MatMulShapes RandomMatMulShapes(bool per_row, bool per_column, Random& random);

// Returns mostly numbers, because one special value in a sum hides all others.
exact::Codes RandomOperands(int type, const std::vector<int64_t>& shape, Random& random);
exact::Codes RandomZeroPoints(int type, const std::vector<int64_t>& shape,
                              Random& random);

struct LongSum {
  exact::Codes a, b;
  exact::Codes a_zero_point, b_zero_point;
};

// Returns operands of one element whose exact sum lies near an end of INT32, or far
// beyond. Precondition: integers of 8 bits.
LongSum RandomLongSum(int a_type, int b_type, Random& random);

}  // namespace qconform::agreement

#endif  // QCONFORM_ORACLE_EXACT_TESTING_RANDOM_MATRICES_H_
