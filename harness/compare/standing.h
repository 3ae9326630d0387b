// How the answer to one case stands to the specification, its open clauses included.
#ifndef QCONFORM_HARNESS_COMPARE_STANDING_H_
#define QCONFORM_HARNESS_COMPARE_STANDING_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/compare/compare.h"
#include "harness/compare/inference.h"
#include "oracle/base/result.h"

namespace qconform {

struct Standing {
  // Not empty where the outputs have a wrong form: nothing below is filled then.
  std::string invalid_output;
  // Elements that differ from the canonical answer in tiers that no one combination of
  // readings explains, and the first of them.
  int64_t unexplained = 0;
  std::optional<Mismatch> first;
  // What explains the other tiers that differ, each once; none: the answer is canonical
  // there.
  std::vector<CellReading> readings{};

  // Returns their names, joined by ", ".
  std::string ReadingNames() const;

  bool allowed() const { return invalid_output.empty() && unexplained == 0; }
};

// An Error is a fault of the harness: the readings of the model could not be tried.
Result<Standing> StandingOf(const std::shared_ptr<ContentAnswers>& content,
                            const Outputs& outputs);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_COMPARE_STANDING_H_
