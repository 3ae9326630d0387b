// The flag --vary: a backend at several values of its options.
#ifndef QCONFORM_HARNESS_CLI_VARY_VARY_H_
#define QCONFORM_HARNESS_CLI_VARY_VARY_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/cli/command_line.h"
#include "harness/cli/commands/commands.h"
#include "harness/runner/selection.h"
#include "harness/runner/vary/variation.h"
#include "oracle/base/result.h"
#include "reports/record/record.h"

namespace qconform {

// Adds --vary; `what` says what is done at each of the values.
Flag AddVaryFlag(Command& command, std::vector<std::string>& vary,
                 const std::string& what);

// A backend at one combination of values.
struct BackendSetting {
  std::string name;  // "opt_level=basic"; empty if nothing is varied
  BackendFlags flags;
};

// Returns each combination of the values of `vary`, "KEY=VALUE,VALUE,..."; the first key
// changes slowest. An Error if a text is of another form, if a key or a value comes
// twice, if flags.options have the key, or if there are more than 256 combinations.
Result<std::vector<BackendSetting>> BackendSettings(const BackendFlags& flags,
                                                    const std::vector<std::string>& vary);

// The settings of a run, and the backends that they need.
struct VariedBackend {
  std::vector<JudgedBackend> backends;
  std::vector<std::unique_ptr<OptimizerSwitches>> optimizers;
  std::vector<Variation> variations;  // point to these
};

// Makes a backend for each of BackendSettings(flags, vary).
Result<VariedBackend> MakeVariedBackend(const BackendFlags& flags,
                                        const std::vector<std::string>& vary,
                                        uint64_t seed, const std::atomic<bool>* stop);

// Enters the values of `vary` among the backend's details. Precondition: SettingsOf takes
// them.
void DescribeVaried(const std::vector<std::string>& vary, BackendRecord& backend);

// Returns the axes of a run for which --vary gives none: the optimization levels of ONNX
// Runtime if graphs are run and no level was chosen; none otherwise.
std::vector<std::string> DefaultAxes(const BackendFlags& flags, bool graphs);

// Whether one of these cells is of a family of graphs.
bool HasGraphs(const std::vector<SelectedCell>& cells);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_VARY_VARY_H_
