// A backend at several settings of its options: each cell is asked at each setting and
// judged on its own (GR-08), and where a setting deviates, the optimizers that make the
// difference are looked for.
#ifndef QCONFORM_HARNESS_RUNNER_VARY_VARIATION_H_
#define QCONFORM_HARNESS_RUNNER_VARY_VARIATION_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/runner/judge/cell_evidence.h"
#include "harness/runner/vary/minimal_set.h"
#include "oracle/base/result.h"
#include "reports/record/record.h"

namespace qconform {

// The optimizers of a backend at one setting. Safe to use from several threads.
class OptimizerSwitches {
 public:
  virtual ~OptimizerSwitches() = default;
  // Returns the names that can be switched off; the first alone() are likely to matter.
  virtual Result<Names> AllNames() = 0;
  virtual size_t alone() const = 0;
  // Returns the backend at this setting without these optimizers.
  virtual Result<std::shared_ptr<Backend>> Without(const Names& names) = 0;
};

struct Variation {
  std::string setting;  // "opt_level=basic"
  Backend* backend = nullptr;
  Backend* other_threads = nullptr;  // as RunRequest::other_threads
  ReplayContext replay;
  OptimizerSwitches* optimizers = nullptr;  // null: they cannot be switched off
};

// Asks a backend the cell; returns nothing if the run was stopped.
using AskCell = std::function<Result<std::optional<CellRecord>>(Backend& backend)>;

// Asks a backend some cases of the cell, by their ids; returns whether each is answered,
// and answered right.
using AskCases =
    std::function<Result<bool>(Backend& backend, const std::vector<std::string>& cases)>;

// How a cell is asked again.
struct CellQuestions {
  AskCell cell;
  AskCases cases;
};

// Looks for the optimizers without which the backend answers the cell right at that
// setting, and adds them to `varied`, or why there are none. Does nothing if the setting
// does not deviate, or if no other setting is right: then optimizers are not what makes
// the difference.
//
// Each set of optimizers is asked the cases of the counterexamples of `record`, which is
// the cell's at that setting, and the set that is found is asked the whole cell. If other
// cases deviate there, they join the first ones. If the cases do not deviate when they
// are asked by themselves, each set is asked the whole cell. Precondition: at.optimizers
// is not null.
Status FindOptimizers(const std::vector<VariedRecord>& all, const Variation& at,
                      const CellQuestions& ask, const CellRecord& record,
                      VariedRecord& varied);

// Returns the record of the worst setting, the last one of these, with the verdicts of
// all. `records` are in the order of `varied`. Precondition: there is at least one.
CellRecord Combine(std::vector<CellRecord> records, std::vector<VariedRecord> varied);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_VARY_VARIATION_H_
