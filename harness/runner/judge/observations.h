// The behaviour of a backend where a clause leaves it free: it is reported, never judged.
// Private to this folder.
#ifndef QCONFORM_HARNESS_RUNNER_JUDGE_OBSERVATIONS_H_
#define QCONFORM_HARNESS_RUNNER_JUDGE_OBSERVATIONS_H_

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "cases/core/case.h"
#include "harness/backends/backend.h"
#include "harness/core/case_answer.h"
#include "oracle/base/first_error.h"
#include "oracle/base/result.h"
#include "oracle/core/operator.h"
#include "reports/record/record.h"

namespace qconform {

// Collects the observations of one cell by the reason why an element is free
// (BoundOperator::FreeInputOf).
class Observations {
 public:
  // Precondition: the outputs have the form of the answer; `codes` are theirs.
  void Add(const std::shared_ptr<const OpCase>& op_case,
           const std::shared_ptr<const CaseAnswer>& expected,
           std::span<const uint32_t> codes, const Outputs& outputs);

  // Takes a second answer to the same inputs with one circumstance changed: "alignment",
  // "threads", or nothing ("repetition"). Returns the first index at which it has other
  // bits although no clause leaves them free, or -1.
  int64_t AddRepeat(const OpCase& op_case, const CaseAnswer& answer,
                    std::span<const uint32_t> first, std::span<const uint32_t> second,
                    const std::string& changed);
  // Takes an answer to the same questions in other places: element i of `second` answers
  // the same question as element source[i] of the first answer.
  void AddMoved(const OpCase& op_case, const CaseAnswer& answer,
                std::span<const uint32_t> first, std::span<const uint32_t> second,
                const std::vector<int64_t>& source);

  // By clause and input class. An Error is the first one of the harness so far.
  Result<std::vector<Observation>> Records() const;

 private:
  // A case with elements whose answers are named by KnownAnswers.
  struct Answered {
    std::shared_ptr<const OpCase> op_case;
    std::shared_ptr<const CaseAnswer> answer;
    std::vector<uint32_t> codes;
    std::vector<size_t> elements;
  };

  // The first known answer that explains all of them; "other" if none does.
  static Result<std::string> NameOf(const FreeInput& free,
                                    const std::vector<Answered>& cases);

  // The answers that were seen.
  std::map<FreeInput, std::set<std::string>> seen_;
  // The circumstances that changed the bits.
  std::map<FreeInput, std::set<std::string>> varies_;
  std::map<FreeInput, std::vector<Answered>> with_known_answers_;
  FirstError errors_;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_JUDGE_OBSERVATIONS_H_
