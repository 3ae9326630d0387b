// Makes smaller models from a model by cutting the dimensions of its operator. Returns an
// Error if the model is not valid.
#ifndef QCONFORM_HARNESS_RUNNER_SHRINK_SHRINK_CUTS_H_
#define QCONFORM_HARNESS_RUNNER_SHRINK_SHRINK_CUTS_H_

#include <functional>
#include <vector>

#include "cases/model/model.h"
#include "oracle/base/result.h"
#include "oracle/core/dimensions.h"

namespace qconform {

// Returns, for each dimension of the outputs and each half of it, the model with only
// that half and the scales and zero points that belong to it. Blocks stay whole.
Result<std::vector<FedModel>> Halves(const FedModel& whole);
// The same, if the caller has the dimensions of the model.
std::vector<FedModel> Halves(const FedModel& whole, const Dimensions& dimensions);

// Returns the model with less of an image along which a window slides: for each such axis
// of an input the first half, the second half, without the first and without the last
// place. The sizes of the outputs are those that ONNX infers.
Result<std::vector<FedModel>> Crops(const FedModel& whole);

// Offers the models that lack one run of a dimension that is summed over: the longest
// runs first, down to single products. Returns whether `accepts` took one; then it stops.
// Models are made one at a time, because a long sum has as many of them as products.
Result<bool> AnyWithoutProducts(const FedModel& whole,
                                const std::function<bool(FedModel)>& accepts);
// The same, if the caller has the dimensions of the model.
bool AnyWithoutProducts(const FedModel& whole, const Dimensions& dimensions,
                        const std::function<bool(FedModel)>& accepts);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_SHRINK_SHRINK_CUTS_H_
