// Smaller cases of a case, operator by operator. Private to this folder.
#ifndef QCONFORM_HARNESS_RUNNER_SHRINK_SHRINK_CUTS_H_
#define QCONFORM_HARNESS_RUNNER_SHRINK_SHRINK_CUTS_H_

#include <cstddef>
#include <vector>

#include "cases/corpus/stored_case.h"

namespace qconform {

// Returns the case with half of one dimension of the problem, each dimension and
// each half in turn, with the scales and zero points that belong to it.
std::vector<StoredCase> QuantizeLinearHalves(const StoredCase& stored);
// Rows, columns and batch dimensions.
std::vector<StoredCase> QLinearMatMulHalves(const StoredCase& stored);

// Returns the QLinearMatMul case without one run of K: longest runs first, down to
// single products.
std::vector<StoredCase> WithoutProducts(const StoredCase& stored);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_SHRINK_SHRINK_CUTS_H_
