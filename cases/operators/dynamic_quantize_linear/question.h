// A question under construction: one content of a DynamicQuantizeLinear case. The
// generators choose a shape and the lowest and highest value of x, from which scale and
// zero point follow, and then values between them.
#ifndef QCONFORM_CASES_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_QUESTION_H_
#define QCONFORM_CASES_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_QUESTION_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "cases/core/counter_rng.h"
#include "cases/core/exact_value.h"
#include "cases/operators/dynamic_quantize_linear/function_body.h"
#include "oracle/tensor/tensor.h"

namespace qconform::generators {

enum class RangeKind : uint8_t { kBothSigns, kPositive, kNegative };

class DynamicQuantizeQuestion {
 public:
  DynamicQuantizeQuestion(int index_in, CounterRng rng_in)
      : index(index_in), rng(rng_in) {}

  const int index;
  CounterRng rng;

  // --- what is chosen -------------------------------------------------------
  Shape shape;
  std::vector<uint32_t> x;  // codes, row-major

  // x is 0 until it is filled.
  void SetShape(Shape x_shape);
  void SetLength(int64_t length) { SetShape({length}); }
  int64_t size() const { return static_cast<int64_t>(x.size()); }

  // Sets the lowest and highest value that x is to have. Precondition: finite, in order.
  void SetRange(uint32_t lowest, uint32_t highest);
  // Of about 2^exponent, with all bits of both ends in use.
  void SetAnyRange(RangeKind kind, int exponent);
  RangeKind KindByTurn(int turn) const {
    return static_cast<RangeKind>((turn % 4) % 3);  // every second one has both signs
  }

  // By the function body.
  uint32_t lowest() const { return lowest_; }
  uint32_t highest() const { return highest_; }
  const ExactValue& scale() const { return scale_; }
  int zero_point() const { return zero_point_; }

  // --- choosing -------------------------------------------------------------
  // A FLOAT of about 2^exponent with all bits in use; positive.
  uint32_t FullFloat(int exponent);
  // Returns the FLOAT `steps` away from the one that is nearest to the boundary below
  // code `code` of y (1 to 255), within the range. Precondition: a scale that is finite,
  // not 0.
  uint32_t BesideBoundary(int code, int steps) const;
  // Returns any value of the range; with `inner` one that stays away from both ends.
  uint32_t AnyWithin(bool inner = false);

  // Fills x with values of the range, most of them at or beside boundaries of y if its
  // scale has any.
  void Fill();
  // Fills x with values well inside of the range, so that scale and zero point depend on
  // what PutEnds puts.
  void FillInside();
  // Puts the ends of the range there. Precondition: x has these places.
  void PutEnds(int64_t lowest_at, int64_t highest_at);
  // The same at any two places.
  void PutEnds();

 private:
  uint32_t lowest_ = 0;
  uint32_t highest_ = 0;
  ExactValue scale_;
  int zero_point_ = 0;
};

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_DYNAMIC_QUANTIZE_LINEAR_QUESTION_H_
