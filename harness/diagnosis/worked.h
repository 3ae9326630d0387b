// One element worked through, step by step: as the specification has it beside what a
// wrong model or a reading makes of it.
#ifndef QCONFORM_HARNESS_DIAGNOSIS_WORKED_H_
#define QCONFORM_HARNESS_DIAGNOSIS_WORKED_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/compare/closest.h"
#include "harness/compare/inference.h"
#include "harness/compare/oracle_model.h"
#include "harness/core/fault.h"
#include "oracle/base/result.h"
#include "reports/record/record.h"

namespace qconform {

// What is set beside the specification; neither: only what the backend gave.
struct WorkedModel {
  std::optional<QuantizeLinearSwitches> quantize_linear{};
  std::optional<QLinearMatMulSwitches> mat_mul{};
  std::optional<ReadingSet> reading{};
  // What the switches change is by this; null: canonical.
  const FollowedReading* follows = nullptr;
};

// `index` of y in row-major order; texts such as "0xc31e8000 (-0x1.3dp+7, -158.5)". The
// last step shows the oracle's code and the backend's; `actual` is empty where the model
// does not say. No steps for elements that no model works through (special values of
// QLinearMatMul).
Result<std::vector<WorkedStep>> WorkThrough(const AnsweredCase& answered,
                                            int since_version, int64_t index,
                                            const WorkedModel& model);

// How much there is to look at in the operands of an element: less is simpler.
int64_t ComplexityOf(const std::vector<ElementOperand>& operands);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_DIAGNOSIS_WORKED_H_
