// Negative models on a backend: whether it refuses models that the specification forbids,
// and accepts those that it allows.
#ifndef QCONFORM_HARNESS_RUNNER_SUITES_NEGATIVE_RUNNER_H_
#define QCONFORM_HARNESS_RUNNER_SUITES_NEGATIVE_RUNNER_H_

#include <vector>

#include "cases/negative/negative_model.h"
#include "harness/backends/backend.h"
#include "reports/record/negative_record.h"

namespace qconform {

// Returns the models of the operators that have an oracle.
std::vector<NegativeModel> JudgedNegativeModels();

// Runs one model. An answer to a legal model must be right. An answer to an invalid or
// open model is compared with the model's plain meaning, if it has one, and `text` says
// the result.
NegativeRecord RunNegativeModel(Backend& backend, const NegativeModel& model);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_SUITES_NEGATIVE_RUNNER_H_
