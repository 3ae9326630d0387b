// The cases of a part of a model: directed and random inputs for its own constants, and
// those that a run of the whole model gave it.
#ifndef QCONFORM_HARNESS_RUNNER_SUITES_PART_CASES_H_
#define QCONFORM_HARNESS_RUNNER_SUITES_PART_CASES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cases/core/case.h"
#include "cases/inputs/directed_inputs.h"
#include "harness/backends/backend.h"
#include "harness/runner/ask/further_cases.h"
#include "harness/runner/suites/part_runner.h"
#include "oracle/base/result.h"

namespace qconform {

// Generators, as parts of case ids spell them.
inline constexpr const char* kPartActivations = "activations";
inline constexpr const char* kPartTelling = "telling";
inline constexpr const char* kPartDirected = "directed";
inline constexpr const char* kPartRandom = "random";

// The cases of one part. The question must outlive it.
class PartCases {
 public:
  static Result<PartCases> Create(const PartQuestion& question, uint64_t seed);

  // Returns nothing if the specification does not define the answer to these inputs.
  Result<std::optional<OpCase>> Make(std::string_view generator, int index,
                                     uint64_t more_seed = 0);

  // How many cases of kPartTelling there are.
  int telling() const { return static_cast<int>(telling_.size()); }
  uint64_t seed() const { return seed_; }
  // Why the specification does not define the answer to the last inputs without one.
  const std::string& why_not() const { return why_not_; }
  // Whether the specification leaves open if the last case is valid. Models are often
  // such: a scale of shape [1] beside a zero point of shape []. Whoever answers it has to
  // give the values that it has.
  bool is_open() const { return is_open_; }

 private:
  // A value of one input of a model, at which wrong kernels show.
  struct Telling {
    size_t model = 0;
    size_t input = 0;
    Tensor tensor;
  };

  PartCases(const PartQuestion& question, std::vector<std::vector<InputFacts>> facts,
            uint64_t seed)
      : question_(&question), facts_(std::move(facts)), seed_(seed) {}
  CaseKey KeyOf(const Model& model, std::string_view generator, int index) const;
  Tensor InputOf(const InputFacts& facts, std::string_view generator, int index,
                 size_t input, uint64_t more_seed) const;
  // Adds the small operands of an operator: its zero points are among them.
  static Status AddOperands(OpCase& made);

  const PartQuestion* question_;
  std::vector<std::vector<InputFacts>> facts_;  // by model
  std::vector<Telling> telling_;
  uint64_t seed_;
  std::string why_not_;
  bool is_open_ = false;
};

// Further inputs for the same constants, on which a diagnosis is tested. Both arguments
// must outlive it.
class FurtherInputs : public MadeCases {
 public:
  FurtherInputs(Backend& backend, PartCases& cases)
      : MadeCases(backend), cases_(&cases) {}

  Result<std::optional<AnsweredCase>> Question(size_t index) override;
  Result<std::optional<AnsweredCase>> Varied(size_t index) override;

 private:
  PartCases* cases_;
};

// How many cases of each generator a part is asked.
struct PartAmounts {
  int activations = 0;
  int directed = 0;
  int random = 0;
};

Result<PartAmounts> AmountsOf(const PartQuestion& question, const PartRequest& request);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_SUITES_PART_CASES_H_
