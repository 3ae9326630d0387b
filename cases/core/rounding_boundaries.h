// Where rounding to a target changes its mind: the values halfway between two
// neighbouring codes, and a few beyond both ends of the range.
#ifndef QCONFORM_CASES_CORE_ROUNDING_BOUNDARIES_H_
#define QCONFORM_CASES_CORE_ROUNDING_BOUNDARIES_H_

#include <cstdint>
#include <vector>

#include "oracle/formats/number_format.h"

namespace qconform::generators {

// A run of them: indices [first, first + count).
struct BoundaryWindow {
  int64_t first = 0;
  int64_t count = 0;
};

class RoundingBoundaries {
 public:
  // The boundaries of an integer or float target, made once for each type.
  static const RoundingBoundaries& Of(DataType target);

  // How many there are, those beyond the ends included.
  int64_t count() const { return count_; }

  // Returns the quotient x / y_scale at the boundary: it lies `zero_point` below
  // the boundary of y. Ascending in `index`. A zero point that is no number is 0.
  ExactValue At(int64_t index, const ExactValue& zero_point) const;

 private:
  explicit RoundingBoundaries(DataType target);

  const NumberFormat* target_;
  int64_t count_ = 0;
  std::vector<ExactValue> positive_;  // float targets, ascending
};

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_CORE_ROUNDING_BOUNDARIES_H_
