// Answers that are right but for their scales: what an approximate reciprocal, or a
// constant that is added to each scale, gives.
#ifndef QCONFORM_HARNESS_CORE_PATTERNS_WRONG_SCALE_H_
#define QCONFORM_HARNESS_CORE_PATTERNS_WRONG_SCALE_H_

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "oracle/formats/number_format.h"

namespace qconform {

// Looks for one wrong scale in place of each right one that gives every answer.
class WrongScale {
 public:
  // `name` is that of the scale, such as "y_scale". `slack` is the relative error that
  // right kernels may make on the way to a value that is rounded.
  WrongScale(std::string name, double slack) : name_(std::move(name)), slack_(slack) {}

  // An element of an integer type whose right value is `value` by the scale `scale`, and
  // that a backend rounded to `code` by the zero point `zero_point`. Values that a wrong
  // scale does not change, and special ones, are left out.
  void Add(double scale, double value, const NumberFormat& y, uint32_t code,
           double zero_point, bool deviates);

  // Returns what the scales are instead, as in "scales, as if about 1e-06 were added to
  // each y_scale"; "" if there is none that gives every answer, if the right ones do, or
  // if too few elements say so.
  std::string Words() const;

 private:
  // The numbers by which a scale may have been multiplied.
  struct Factor {
    double low = 0;
    double high = INFINITY;
    int64_t deviating = 0;
  };

  std::string name_;
  double slack_;
  std::map<double, Factor> factors_;  // by the right scale
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_PATTERNS_WRONG_SCALE_H_
