// What a backend does where a clause leaves it free: seen, told, never judged.
// Private to this folder.
#ifndef QCONFORM_HARNESS_RUNNER_OBSERVATIONS_H_
#define QCONFORM_HARNESS_RUNNER_OBSERVATIONS_H_

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cases/generators/case.h"
#include "oracle/scalar/answer.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// Of one cell. Input classes: NaN to an integer (QL-12) or to FLOAT4E2M1 (QL-26),
// sums beyond INT32 (MM-01b), zeros whose sign is free (MM-12), unused bits of
// the last byte (QL-51).
class Observations {
 public:
  // Precondition: y is of the answer's type and shape.
  void Add(const OpCase& op_case, const Answer& answer, const Tensor& y);

  // A second answer to the same inputs, elsewhere in memory. Returns the first
  // index where it has other bits although no clause leaves that free, or -1.
  int64_t AddRepeat(const Answer& answer, const Tensor& first, const Tensor& second);

  // "QL-12 NaN to an integer: qmin", ... in the order of the ids; what was not
  // the same when repeated says so.
  std::vector<std::string> Notes() const;

 private:
  void AddOverflows(const OpCase& op_case, const Answer& answer, const Tensor& y);

  // Input class -> what was seen.
  std::map<std::string, std::set<std::string>> seen_;
  std::set<std::string> unstable_;  // input classes
  // MM-01b: which accumulators explain all sums so far.
  bool has_overflow_ = false;
  std::array<bool, 3> accumulators_{true, true, true};
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_OBSERVATIONS_H_
