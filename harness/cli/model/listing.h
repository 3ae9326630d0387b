// What `qconform model` lists of a model.
#ifndef QCONFORM_HARNESS_CLI_MODEL_LISTING_H_
#define QCONFORM_HARNESS_CLI_MODEL_LISTING_H_

#include <string>
#include <vector>

#include "cases/model/model_file.h"
#include "harness/parts/part.h"

namespace qconform {

// Returns the kinds of parts in tables, what is not judged and why, and what is left.
std::string ListingText(const ModelFile& file, const PartsOfModel& parts);

// Returns the same as JSON, with each part by itself.
std::string ListingJson(const ModelFile& file, const PartsOfModel& parts);

// Returns the ids of the cells that parts of the model belong to, in the order of the
// lattice, each once.
std::vector<std::string> CellsOfParts(const PartsOfModel& parts);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_MODEL_LISTING_H_
