#include "harness/runner/ask/further_cases.h"

#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>

#include "harness/backends/run_model.h"
#include "harness/compare/compare.h"
#include "harness/compare/explain_limit.h"
#include "harness/core/oracle_model.h"
#include "harness/runner/ask/repeats.h"
#include "oracle/base/stopwatch.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

// Gives a tensor other codes, in one of the ways that distinguish kernels: the same ones
// elsewhere, any at all, neighbours, and ones with few digits, whose quotients and
// products are often ties.
void Vary(std::mt19937_64& random, Tensor& tensor) {
  enum Way : uint64_t { kKeep, kMix, kAny, kNeighbours, kFewDigits, kSomeAny, kWays };
  const std::vector<uint64_t> codes = ReadCodes(tensor.view());
  const int bits = BitWidth(tensor.type);
  const uint64_t way = random() % kWays;
  if (codes.empty() || way == kKeep) return;
  const uint64_t all = bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  const uint64_t cut = random() % static_cast<uint64_t>(bits);
  for (size_t i = 0; i < codes.size(); ++i) {
    uint64_t code = codes[i];
    switch (way) {
      case kMix:
        code = codes[random() % codes.size()];
        break;
      case kAny:
        code = random();
        break;
      case kNeighbours:
        code += random() % 5 - 2;
        break;
      case kFewDigits:
        code = code >> cut << cut;
        break;
      case kSomeAny:
        if (random() % 4 == 0) code = random();
        break;
      default:
        break;
    }
    WriteCode(tensor.mutable_view(), static_cast<int64_t>(i), code & all);
  }
}

}  // namespace

void VaryTensors(uint64_t seed, std::span<Tensor*> tensors) {
  std::mt19937_64 random(seed);
  for (Tensor* tensor : tensors) Vary(random, *tensor);
}

Result<ModelValidity> ValidityOf(const FedModel& fed) {
  const auto oracle = OracleModel::Create(fed.model);
  if (!oracle) return oracle.error();
  return oracle->Validate(ViewsOf(fed.inputs));
}

Result<bool> IsValid(const FedModel& fed) {
  const auto validity = ValidityOf(fed);
  if (!validity) return validity.error();
  return validity->kind == ModelValidity::Kind::kValid;
}

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
    : MadeCases(backend), seed_(seed) {
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
  OpCase op_case = *std::move(made);
  // Every second case has its elements, scales and zero points in other places.
  if (round % 2 == 1) {
    const auto turning = FindTurning(op_case.model);
    if (!turning) return turning.error();
    if (*turning) static_cast<FedModel&>(op_case) = TurnedByOne(op_case, **turning);
  }
  return Answered(std::move(op_case));
}

Result<std::optional<AnsweredCase>> CasesOfOtherSeeds::Varied(size_t index) {
  // As many cases are tried before one is valid: operands have rules of their own.
  constexpr size_t kMostTries = 8;
  if (keys_.empty()) return std::optional<AnsweredCase>();
  for (size_t attempt = 0; attempt < kMostTries; ++attempt) {
    const size_t turn = index * kMostTries + attempt;
    auto made = MakeCase(keys_[turn % keys_.size()], seed_ + 1 + turn);
    if (!made) return made.error();
    OpCase op_case = *std::move(made);
    std::vector<Tensor*> operands;
    for (Tensor& input : op_case.inputs) operands.push_back(&input);
    for (Initializer& initializer : op_case.model.initializers) {
      operands.push_back(&initializer.tensor);
    }
    VaryTensors(seed_ + turn, operands);
    const auto is_valid = IsValid(op_case);
    if (!is_valid) return is_valid.error();
    if (*is_valid) return Answered(std::move(op_case));
  }
  return std::optional<AnsweredCase>();
}

Result<std::optional<AnsweredCase>> MadeCases::Answered(OpCase op_case) {
  op_case_ = std::move(op_case);
  auto answer = AnswerCase(*op_case_);
  if (!answer) return answer.error();
  answer_ = *std::move(answer);
  return std::optional(AnsweredCase{
      ContentAnswers::Create(op_case_->model, ViewsOf(op_case_->inputs), answer_),
      answer_});
}

Result<const std::vector<uint32_t>*> MadeCases::Ask() {
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
