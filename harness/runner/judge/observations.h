// What a backend does where a clause leaves it free: seen, told, never judged.
// Private to this folder.
#ifndef QCONFORM_HARNESS_RUNNER_JUDGE_OBSERVATIONS_H_
#define QCONFORM_HARNESS_RUNNER_JUDGE_OBSERVATIONS_H_

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cases/core/case.h"
#include "oracle/core/answer.h"
#include "oracle/tensor/tensor.h"
#include "reports/record/record.h"

namespace qconform {

// Of one cell. Input classes: NaN to an integer (QL-12) or to FLOAT4E2M1 (QL-26), by what
// makes it NaN (x, y_scale, 0/0, Inf/Inf; in QLinearMatMul a or b, or the scales),
// sums beyond INT32 (MM-01b), zeros whose sign is free (MM-12), unused bits of
// the last byte (QL-51).
class Observations {
 public:
  // Precondition: y is of the answer's type and shape.
  void Add(const std::shared_ptr<const OpCase>& op_case,
           const std::shared_ptr<const Answer>& expected, const Tensor& y);

  // A second answer to the same inputs with one circumstance changed: "alignment",
  // "threads", or nothing ("repetition"). Returns the first index where it has other bits
  // although no clause leaves that free, or -1.
  int64_t AddRepeat(const OpCase& op_case, const Answer& answer, const Tensor& first,
                    const Tensor& second, const std::string& changed);
  // An answer to the same questions in other places: `second` has at index i what the
  // first answer has at source[i].
  void AddMoved(const OpCase& op_case, const Answer& answer, const Tensor& first,
                const Tensor& second, const std::vector<int64_t>& source);

  // By clause and input class.
  std::vector<Observation> Records() const;

 private:
  // A case with sums beyond INT32.
  struct Overflow {
    std::shared_ptr<const OpCase> op_case;
    std::shared_ptr<const Answer> answer;
    Tensor y;
  };

  void AddOverflows(const std::shared_ptr<const OpCase>& op_case,
                    const std::shared_ptr<const Answer>& answer, const Tensor& y);
  std::string Accumulators() const;

  // Input class -> what was seen.
  std::map<std::string, std::set<std::string>> seen_;
  // Input class -> what came with other bits.
  std::map<std::string, std::set<std::string>> varies_;
  std::vector<Overflow> overflows_;  // MM-01b
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_JUDGE_OBSERVATIONS_H_
