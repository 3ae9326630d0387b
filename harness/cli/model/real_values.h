// The values that a model has on inputs of the user: its parts are asked with them, and
// whole runs are compared with them.
#ifndef QCONFORM_HARNESS_CLI_MODEL_REAL_VALUES_H_
#define QCONFORM_HARNESS_CLI_MODEL_REAL_VALUES_H_

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "cases/model/model_file.h"
#include "harness/cli/command_line.h"
#include "harness/cli/commands/commands.h"
#include "harness/parts/part.h"
#include "harness/reference_path/reference_path.h"
#include "harness/runner/suites/part_runner.h"
#include "oracle/base/result.h"
#include "reports/record/record.h"

namespace qconform {

struct RealValuesFlags {
  std::string inputs;       // a folder; empty: none
  std::string activations;  // a folder; empty: none
};

// Adds --inputs and --activations.
void AddRealValuesFlags(Command& command, RealValuesFlags& flags);

// The values of a model on the inputs of a folder.
struct RealValues {
  const ModelFile* file = nullptr;
  NamedTensors inputs;     // of the graph; empty: only activations are given
  ReferenceValues values;  // of the reference path
  // The parts with their neighbours, and the values that they read. Their rows come after
  // those of all parts.
  std::vector<PartQuestion> joined;
};

// Where the parts come from.
struct PartsToAsk {
  const PartsOfModel& parts;
  const Sizes& sizes;
  bool in_process = false;  // ONNX Runtime runs in this process, as the backend does
};

// Returns " --inputs DIR --activations DIR", as far as they are given.
std::string FlagsOf(const RealValuesFlags& flags);

// Returns the inputs of the model in the folder --inputs; none if it is not given.
Result<NamedTensors> ReadRealInputs(const ModelFile& file, const RealValuesFlags& flags);

// Runs the model on the inputs along the reference path, reads the folder --activations,
// gives the parts the values that they read, and prints how many got theirs. The result
// points to `file`.
Result<RealValues> FindRealValues(const ModelFile& file, const RealValuesFlags& flags,
                                  NamedTensors inputs, const PartsToAsk& all,
                                  std::vector<PartQuestion>& parts);

struct WholeComparison {
  std::string words;  // sentences on lines
  // The row of the first part that deviates only together with its neighbours, if that is
  // why the model differs. It is judged as any part.
  std::optional<CellRecord> joined{};
};

// Runs the whole model on the backend, compares it with the reference path, and if it
// differs looks for the first part that deviates, alone or with its neighbours. `request`
// has the parts, with their activations. Precondition: real.inputs is not empty.
Result<WholeComparison> CompareWhole(Backend& backend, const RealValues& real,
                                     const PartRequest& request,
                                     const BackendFlags& flags,
                                     const std::atomic<bool>& stop);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_MODEL_REAL_VALUES_H_
