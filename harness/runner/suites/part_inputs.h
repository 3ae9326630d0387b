// What the nodes of a model say about its inputs, from which its cases are made.
#ifndef QCONFORM_HARNESS_RUNNER_SUITES_PART_INPUTS_H_
#define QCONFORM_HARNESS_RUNNER_SUITES_PART_INPUTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cases/inputs/directed_inputs.h"
#include "cases/model/model.h"
#include "oracle/base/result.h"
#include "oracle/core/dimensions.h"

namespace qconform {

// Returns the facts of each of model.inputs. An Error if the model is not judged or
// invalid.
Result<std::vector<InputFacts>> FactsOfInputs(const Model& model);

// A value of model.inputs[input], at which wrong kernels show.
struct TellingValue {
  size_t input = 0;
  Tensor tensor;
};

// Returns at most `most` values as of OperatorFaults::TellingInputs, which only depend on
// the model's constants.
std::vector<TellingValue> TellingInputsOf(const Model& model, size_t most);

// Returns about how many products, or elements if nothing is multiplied, one answer to
// the model takes. An Error as above.
Result<int64_t> WorkOf(const Model& model);

// The same, if the caller has the dimensions of the model.
int64_t WorkOf(const Model& model, const Dimensions& dimensions);

// Returns the most work that a part is asked with. One that takes more is made smaller if
// it can be.
int64_t MostWorkOf(const Model& model);

// Whether the model is valid, asked zeros.
bool IsValidWithZeros(const Model& model);

// Returns the number of elements of the largest input or output.
int64_t ElementsOf(const Model& model);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_SUITES_PART_INPUTS_H_
