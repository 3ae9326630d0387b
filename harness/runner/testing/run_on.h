// Runs cells on a backend, for the tests of backends and of the runner.
#ifndef QCONFORM_HARNESS_RUNNER_TESTING_RUN_ON_H_
#define QCONFORM_HARNESS_RUNNER_TESTING_RUN_ON_H_

#include <cstdint>
#include <string>
#include <vector>

#include "cases/core/case.h"
#include "harness/backends/backend.h"
#include "reports/record/record.h"

namespace qconform {

// Returns the records of the cells that the patterns select, by `seed`, in the order in
// which they end. The test fails where the run does not come to its end, and where there
// is not one record of each cell.
std::vector<CellRecord> RunOn(Backend& backend, const std::vector<std::string>& cells,
                              Level level = Level::kSmoke, int jobs = 1,
                              uint64_t seed = 1);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_TESTING_RUN_ON_H_
