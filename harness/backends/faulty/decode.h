// A model and its inputs as the wrong models of its operator see them.
#ifndef QCONFORM_HARNESS_BACKENDS_FAULTY_DECODE_H_
#define QCONFORM_HARNESS_BACKENDS_FAULTY_DECODE_H_

#include <memory>
#include <span>

#include "cases/model/model.h"
#include "harness/core/case_answer.h"
#include "harness/core/decoded_case.h"
#include "oracle/base/result.h"
#include "oracle/core/reading_set.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// `answer` is the oracle's by `readings`. Steps that a fault does not change follow
// these. An Error if the model is invalid, or its operator none of the build.
Result<std::shared_ptr<const DecodedCase>> DecodeCase(const Model& model,
                                                      int since_version,
                                                      std::span<const TensorView> inputs,
                                                      const CaseAnswer& answer,
                                                      const ReadingSet& readings = {});

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_FAULTY_DECODE_H_
