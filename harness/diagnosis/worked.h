// One element worked through, step by step: by the specification, and by a wrong model or
// a reading.
#ifndef QCONFORM_HARNESS_DIAGNOSIS_WORKED_H_
#define QCONFORM_HARNESS_DIAGNOSIS_WORKED_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/compare/closest.h"
#include "harness/compare/inference.h"
#include "harness/core/fault.h"
#include "harness/core/oracle_model.h"
#include "oracle/base/result.h"
#include "reports/record/record.h"

namespace qconform {

// The model shown next to the specification. If none is set, only the backend's answer is
// shown.
struct WorkedModel {
  std::optional<FaultSet> faults{};
  // Those of `faults` whose clause is shown; nothing: all.
  std::optional<FaultSet> broken{};
  // Steps that `faults` do not change follow this; null: the canonical readings.
  const FollowedReading* follows = nullptr;
  std::optional<ReadingSet> reading{};  // without `faults`
};

// `index` is that of an element of the answer. The last step shows the oracle's code and
// the backend's; in the others `actual` is empty if the model has no such step. No steps
// for elements that the operator does not work through.
Result<std::vector<WorkedStep>> WorkThrough(const AnsweredCase& answered,
                                            int since_version, int64_t index,
                                            const WorkedModel& model);

// Returns how much there is to look at in the operands of an element of an operator: less
// is simpler.
int64_t ComplexityOf(const Operator& op, const std::vector<ElementOperand>& operands);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_DIAGNOSIS_WORKED_H_
