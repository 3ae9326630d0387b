// The parts of a model on the values that they read in a run of the whole model, and the
// first of them that deviates.
#ifndef QCONFORM_HARNESS_REFERENCE_PATH_FIRST_DEVIATION_H_
#define QCONFORM_HARNESS_REFERENCE_PATH_FIRST_DEVIATION_H_

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/reference_path/reference_path.h"
#include "harness/reference_path/whole_run.h"
#include "harness/runner/suites/part_runner.h"
#include "reports/record/record.h"

namespace qconform {

// Returns the values that the parts read from outside.
ValueNames ValuesThatAreRead(const std::vector<PartQuestion>& parts);

// Adds these values to the part as one of its activations, if it reads no others. The
// first elements along an axis are taken where the part was made smaller. Returns why it
// gets none; empty: it got them.
std::string AddActivations(const NamedTensors& values, PartQuestion& part);

// Adds its own data to a part that reads nothing but constants of the file, such as a
// DequantizeLinear of weights: it is asked other data too. Returns whether it is one.
Result<bool> AddOwnConstants(const ModelFile& file, PartQuestion& part);

// The parts in the order of the graph, each asked the values that it reads if everything
// before it is right.
struct PathWalk {
  size_t asked = 0;
  size_t not_asked = 0;  // parts without activations
  size_t declined = 0;   // of those asked
  // The record of the first that deviates. Nothing: none does.
  std::optional<CellRecord> first{};
};

// Asks the parts of the request nothing but their activations. Returns nothing if `stop`
// became true on the way.
std::optional<PathWalk> WalkParts(Backend& backend, PartRequest request,
                                  const std::atomic<bool>& stop);

// Returns what a whole run and a walk of the parts say together, as sentences for people.
// `walk` is nothing if the parts were not walked, because the outputs agree or there are
// none; `joined` is a walk of the parts with their neighbours (joined_parts.h), if no
// part deviates alone.
std::string Explain(const WholeRun& run, const std::optional<PathWalk>& walk,
                    const std::optional<PathWalk>& joined, const ReferenceValues& values,
                    const std::string& backend);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_REFERENCE_PATH_FIRST_DEVIATION_H_
