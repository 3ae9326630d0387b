// Smaller models of a model, from the dimensions of its operator. An Error if the model
// is not valid.
#ifndef QCONFORM_HARNESS_RUNNER_SHRINK_SHRINK_CUTS_H_
#define QCONFORM_HARNESS_RUNNER_SHRINK_SHRINK_CUTS_H_

#include <vector>

#include "cases/model/model.h"
#include "oracle/base/result.h"
#include "oracle/core/dimensions.h"

namespace qconform {

// Returns the model with half of one dimension that outputs have, each dimension and each
// half in turn, with the scales and zero points that belong to it. Blocks stay whole.
Result<std::vector<FedModel>> Halves(const FedModel& whole);
// The same with the dimensions of the model.
std::vector<FedModel> Halves(const FedModel& whole, const Dimensions& dimensions);

// Returns the model without one run of a dimension that is summed over: longest runs
// first, down to single products.
Result<std::vector<FedModel>> WithoutProducts(const FedModel& whole);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_SHRINK_SHRINK_CUTS_H_
