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
    kNotAsked,  // no size can be another, or half of it failed with fixed sizes
    kDeclined,  // the backend takes no such model, which accuses nobody
    kAnswered,
    kCrashed,  // or hung: without an answer
    kFailed    // another answer than with fixed sizes, or none after the first
  };
  Kind kind = Kind::kNotAsked;
  std::optional<CaseFailure> failure{};  // neither of kDeclined nor of kAnswered
};

// Returns half of the model along its first dimension that can be cut while its constants
// stay as they are, or nothing.
Result<std::optional<FedModel>> HalfWithSameConstants(const FedModel& whole);

// Prepares the model with names in place of sizes, and runs it on half of the inputs, on
// all of them, and on the half again, so that sizes both grow and shrink. Each answer has
// to be that of the model with fixed sizes, but where a clause, one reading or a bound
// allows both; so have `codes`, its answer to `inputs`. `expected` is the oracle's.
Result<DynamicShapes> AskWithNamedDimensions(
    Backend& backend, const Model& model, const std::vector<Tensor>& inputs,
    const std::shared_ptr<const CaseAnswer>& expected, std::span<const uint32_t> codes);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_ASK_DYNAMIC_SHAPES_H_
