// One prepared model whose dimensions have names, run on inputs of different sizes.
#ifndef QCONFORM_HARNESS_RUNNER_ASK_DYNAMIC_SHAPES_H_
#define QCONFORM_HARNESS_RUNNER_ASK_DYNAMIC_SHAPES_H_

#include <memory>
#include <optional>
#include <vector>

#include "cases/model/model.h"
#include "harness/backends/backend.h"
#include "harness/core/case_answer.h"
#include "harness/runner/ask/case_failure.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

struct DynamicShapes {
  enum class Kind : uint8_t {
    kNotAsked,  // no size can be changed, or half of the case failed with fixed sizes
    kDeclined,  // the backend takes no such model; not counted against it
    kAnswered,
    kCrashed,  // or hung: without an answer
    kFailed    // another answer than with fixed sizes, or none after the first
  };
  Kind kind = Kind::kNotAsked;
  std::optional<CaseFailure> failure{};  // neither of kDeclined nor of kAnswered
};

// Returns half of the model along the first dimension that can be cut without changing
// its constants, or nothing. Inputs may have shapes and no data.
Result<std::optional<FedModel>> HalfWithSameConstants(const FedModel& whole);

// Prepares the model with names in place of sizes, and runs it on half of the inputs, on
// all of them, and on the half again, so that sizes both grow and shrink. Each answer
// must be that of the model with fixed sizes, except where a clause, one reading or a
// bound allows both. `codes` are the answer of the model with fixed sizes to `inputs`;
// `expected` is the oracle's.
Result<DynamicShapes> AskWithNamedDimensions(
    Backend& backend, const Model& model, const std::vector<Tensor>& inputs,
    const std::shared_ptr<const CaseAnswer>& expected, std::span<const uint32_t> codes);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_ASK_DYNAMIC_SHAPES_H_
