// Parts together with the nodes next to them. A backend that joins a part with its
// neighbours may compute it in another way than alone: a compiler fuses a product of
// INT8 values only if it sees the node that quantizes them.
#ifndef QCONFORM_HARNESS_REFERENCE_PATH_JOINED_PARTS_H_
#define QCONFORM_HARNESS_REFERENCE_PATH_JOINED_PARTS_H_

#include <optional>

#include "cases/model/model_file.h"
#include "harness/parts/part.h"

namespace qconform {

// Returns the part with the nodes that only change the type of one value, and that make a
// value which it reads or read one that it gives. Nothing if the part is not judged, if
// there is no such node, or if the graph would have more than kMostGraphNodes nodes.
std::optional<Part> JoinedWithNeighbours(const ModelFile& file, const Part& part);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_REFERENCE_PATH_JOINED_PARTS_H_
