// Counts the features of the elements in a cell's answered cases, to see which faults
// these cases could have shown.
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
  // Adds a case that was answered, with the oracle's answer to it.
  Status Add(const OpCase& op_case, const CaseAnswer& expected);
  // The same, if the caller has BoundOperator::rounds and the dimensions of the case.
  void Add(bool rounds, const Dimensions& dimensions, const CaseAnswer& expected);

  // The number of elements by feature, such as "tie"; features that no element has are
  // left
  // out.
  const std::map<std::string, int64_t>& counts() const { return counts_; }

  // Why these cases could not have shown a fault; empty if they could.
  std::string WhyMistrusted() const;

 private:
  std::map<std::string, int64_t> counts_;
  bool rounds_ = false;         // BoundOperator::rounds, of some case
  bool has_blocks_ = false;     // of some scale
  std::vector<bool> has_tail_;  // by output, in some case
  // Of the regular tier.
  int64_t regular_judged_ = 0;
  int64_t regular_rounded_ = 0;
  int64_t regular_ties_ = 0;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_JUDGE_CELL_COVERAGE_H_
