// The machine that a run is made on, for the report.
#ifndef QCONFORM_HARNESS_CLI_MACHINE_H_
#define QCONFORM_HARNESS_CLI_MACHINE_H_

#include <string>
#include <string_view>
#include <vector>

#include "reports/record/record.h"

namespace qconform {

// Returns the description; fields that cannot be found out are "unknown".
MachineRecord DescribeMachine();

// Returns those CPU flags (separated by spaces) that matter to kernels, sorted.
std::vector<std::string> CpuFeatures(std::string_view flags);

// Returns how many of `jobs` cells can be judged at a time by child processes of this
// process, at least 1: each takes descriptors, and the system limits these. Raises this
// process's own limit as far as it is needed and allowed.
int JobsWithinLimits(int jobs);

// Returns the time now as "2026-08-01T12:00:00Z".
std::string TimeNow();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_MACHINE_H_
