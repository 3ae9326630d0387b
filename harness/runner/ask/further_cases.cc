#include "harness/runner/ask/further_cases.h"

#include <numeric>
#include <string>
#include <utility>

#include "harness/backends/run_model.h"
#include "harness/compare/compare.h"
#include "harness/core/oracle_model.h"
#include "harness/diagnosis/explain_limit.h"
#include "harness/runner/ask/repeats.h"
#include "oracle/base/stopwatch.h"

namespace qconform {

Result<std::shared_ptr<const CaseAnswer>> AnswerCase(const OpCase& op_case) {
  const auto fault = [&](const std::string& what) {
    return Error{"case " + CaseId(op_case.key) + ": " + what};
  };
  const auto content = ContentAnswers::Create(op_case.model, ViewsOf(op_case.inputs));
  if (!content) return fault(content.error().message);
  return (*content)->canonical();
}

CasesOfOtherSeeds::CasesOfOtherSeeds(Backend& backend, const std::vector<CaseKey>& keys,
                                     const CaseKey& like, uint64_t seed)
    : backend_(&backend), seed_(seed) {
  for (const CaseKey& key : keys) {
    if (key.form == like.form && key.opset_version == like.opset_version) {
      keys_.push_back(key);
    }
  }
}

Result<std::optional<AnsweredCase>> CasesOfOtherSeeds::Question(size_t index) {
  if (keys_.empty()) return std::optional<AnsweredCase>();
  // All generators come early, because neighbours belong to the same generator.
  size_t step = 7;
  while (std::gcd(step, keys_.size()) != 1) --step;
  const CaseKey& key = keys_[index * step % keys_.size()];
  const size_t round = index / keys_.size();
  auto made = MakeCase(key, seed_ + 1 + round / 2);
  if (!made) return made.error();
  op_case_ = *std::move(made);
  // Every second case has its elements, scales and zero points in other places.
  if (round % 2 == 1) {
    const auto turning = FindTurning(op_case_->model);
    if (!turning) return turning.error();
    if (*turning) static_cast<FedModel&>(*op_case_) = TurnedByOne(*op_case_, **turning);
  }
  auto answer = AnswerCase(*op_case_);
  if (!answer) return answer.error();
  answer_ = *std::move(answer);
  return std::optional(AnsweredCase{
      ContentAnswers::Create(op_case_->model, ViewsOf(op_case_->inputs), answer_),
      answer_});
}

Result<const std::vector<uint32_t>*> CasesOfOtherSeeds::Ask() {
  const Stopwatch watch;
  auto asked = RunModel(*backend_, *op_case_);
  ExplainLimit::AddWaited(watch.seconds());
  if (!asked) return asked.error();
  const RunResult result = Settled(*answer_, *std::move(asked));
  const auto* outputs = std::get_if<Outputs>(&result);
  if (outputs == nullptr || !WrongForm(*answer_, *outputs).empty()) return nullptr;
  codes_ = CodesOf(*outputs);
  return &codes_;
}

}  // namespace qconform
