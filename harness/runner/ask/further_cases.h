// The oracle's answer to a case, and cases of a cell under other seeds, on which a
// diagnosis is tested.
#ifndef QCONFORM_HARNESS_RUNNER_ASK_FURTHER_CASES_H_
#define QCONFORM_HARNESS_RUNNER_ASK_FURTHER_CASES_H_

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cases/core/case.h"
#include "harness/backends/backend.h"
#include "harness/core/case_answer.h"
#include "harness/diagnosis/diagnosis.h"
#include "oracle/base/result.h"
#include "oracle/core/operator.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// Returns the oracle's answer. An Error is one of the harness.
Result<std::shared_ptr<const CaseAnswer>> AnswerCase(const OpCase& op_case);

// Further cases that are made one at a time; the backend is asked the last one.
class MadeCases : public FurtherCases {
 public:
  Result<const std::vector<uint32_t>*> Ask() override;

 protected:
  explicit MadeCases(Backend& backend) : backend_(&backend) {}

  // Keeps the case and returns it with the oracle's answer.
  Result<std::optional<AnsweredCase>> Answered(OpCase op_case);

 private:
  Backend* backend_;
  std::optional<OpCase> op_case_;
  std::shared_ptr<const CaseAnswer> answer_;
  std::vector<uint32_t> codes_;
};

// The contents of `keys` that are asked in the form and at the opset_version of `like`,
// one after another under the seeds after `seed`, then moved by one place. The varied
// cases are these with other codes in one operand or more.
class CasesOfOtherSeeds : public MadeCases {
 public:
  CasesOfOtherSeeds(Backend& backend, const std::vector<CaseKey>& keys,
                    const CaseKey& like, uint64_t seed);

  Result<std::optional<AnsweredCase>> Question(size_t index) override;
  Result<std::optional<AnsweredCase>> Varied(size_t index) override;

 private:
  std::vector<CaseKey> keys_;
  uint64_t seed_;
};

// Gives the tensors other codes, each in one of the ways that distinguish kernels.
void VaryTensors(uint64_t seed, std::span<Tensor*> tensors);

// Returns whether the specification defines the answer to the inputs, and if not, why.
Result<ModelValidity> ValidityOf(const FedModel& fed);
// Whether it does.
Result<bool> IsValid(const FedModel& fed);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_ASK_FURTHER_CASES_H_
