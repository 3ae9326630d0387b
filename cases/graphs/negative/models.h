// Negative models of the families of graphs: GR-01.
#ifndef QCONFORM_CASES_GRAPHS_NEGATIVE_MODELS_H_
#define QCONFORM_CASES_GRAPHS_NEGATIVE_MODELS_H_

#include <string_view>
#include <vector>

#include "cases/negative/negative_model.h"

namespace qconform::generators {

// Returns those of a family, always in the same order.
std::vector<NegativeModel> GraphNegativeModels(std::string_view family);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_GRAPHS_NEGATIVE_MODELS_H_
