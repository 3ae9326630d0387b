// A whole model on a backend, compared with its composition: the values that the
// reference path computes.
#ifndef QCONFORM_HARNESS_REFERENCE_PATH_WHOLE_RUN_H_
#define QCONFORM_HARNESS_REFERENCE_PATH_WHOLE_RUN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "cases/model/model_file.h"
#include "harness/backends/backend.h"
#include "harness/backends/whole_model.h"
#include "harness/reference_path/reference_path.h"
#include "oracle/base/result.h"

namespace qconform {

// An output of the model that has other bits than the composition gives it.
struct OutputDifference {
  std::string name;
  // "3 of 1000 elements differ, first element 17: expected 0x7c (124), got 0x7d (125)",
  // or the types or shapes.
  std::string text;
};

struct WholeRun {
  enum class Outcome : uint8_t {
    kSame,     // all outputs have the composition's bits
    kDiffers,  // some do not
    kNotRun,   // the backend gave no outputs, or runs no whole models
    kNothing,  // the composition has no outputs to compare with
  };
  Outcome outcome = Outcome::kNothing;
  std::string reason;  // of kNotRun and kNothing
  std::vector<OutputDifference> differences{};
};

// Returns the model of the file with its inputs and outputs. External data is put inside.
Result<WholeModel> WholeModelOf(const ModelFile& file);

// Runs the model on the backend and compares its outputs with those in `expected`. NaNs
// are equal whatever their bits. An Error if the harness failed.
Result<WholeRun> CompareWholeRun(Backend& backend, const ModelFile& file,
                                 const NamedTensors& inputs,
                                 const ReferenceValues& expected);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_REFERENCE_PATH_WHOLE_RUN_H_
