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

// Makes the models that lack one run of a dimension that is summed over, the longest runs
// first, down to single products, until one is accepted. Returns whether one was. At most
// `most` are made, and each of them alone: of a long sum there are many large ones.
Result<bool> AnyWithoutProducts(const FedModel& whole, int most,
                                const std::function<bool(FedModel)>& accepts);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_SHRINK_SHRINK_CUTS_H_
