// What the answered cases of a cell could have shown: how many elements had which
// feature.
#ifndef QCONFORM_HARNESS_RUNNER_JUDGE_CELL_COVERAGE_H_
#define QCONFORM_HARNESS_RUNNER_JUDGE_CELL_COVERAGE_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cases/core/case.h"
#include "harness/core/case_answer.h"
#include "oracle/base/result.h"
#include "oracle/core/dimensions.h"

namespace qconform {

class CellCoverage {
 public:
  // Takes a case that was answered, and what the oracle says of it.
  Status Add(const OpCase& op_case, const CaseAnswer& expected);
  // The same with Operator::rounds and the dimensions of the case.
  void Add(bool rounds, const Dimensions& dimensions, const CaseAnswer& expected);

  // Elements by feature, such as "tie"; features that none had are left out.
  const std::map<std::string, int64_t>& counts() const { return counts_; }

  // Why these cases could not have shown a fault; empty where they could.
  std::string WhyMistrusted() const;

 private:
  std::map<std::string, int64_t> counts_;
  bool rounds_ = true;          // Operator::rounds
  bool has_blocks_ = false;     // of some scale
  std::vector<bool> has_tail_;  // by output, in some case
  // Of the regular tier.
  int64_t regular_judged_ = 0;
  int64_t regular_rounded_ = 0;
  int64_t regular_ties_ = 0;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_JUDGE_CELL_COVERAGE_H_
