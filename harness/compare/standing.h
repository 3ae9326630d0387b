// How the answer to one case stands to the specification, its open clauses included.
#ifndef QCONFORM_HARNESS_COMPARE_STANDING_H_
#define QCONFORM_HARNESS_COMPARE_STANDING_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cases/model/model.h"
#include "harness/backends/backend.h"
#include "harness/compare/compare.h"
#include "harness/core/case_answer.h"
#include "oracle/base/result.h"

namespace qconform {

struct Standing {
  // Not empty where the outputs have a wrong form: nothing below is filled then.
  std::string invalid_output;
  // Elements that differ from the canonical answer in tiers that no one combination of
  // readings explains, and the first of them.
  int64_t unexplained = 0;
  std::optional<Mismatch> first;
  // What explains the other tiers that differ, "QL-24:zero_point_ignored", joined by
  // ", " where it is not the same everywhere; empty: the answer is canonical there.
  std::string readings;

  bool allowed() const { return invalid_output.empty() && unexplained == 0; }
};

// `answer` is what the oracle says of `model` fed with `inputs`. An Error is a fault of
// the harness: the readings of the model could not be tried.
Result<Standing> StandingOf(const Model& model, const std::vector<TensorView>& inputs,
                            const std::shared_ptr<const CaseAnswer>& answer,
                            const Outputs& outputs);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_COMPARE_STANDING_H_
