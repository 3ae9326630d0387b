#include <algorithm>
#include <utility>

#include "harness/backends/faulty/decode.h"
#include "harness/compare/compare.h"
#include "harness/compare/inference.h"
#include "harness/faults/matrix_cell.h"

namespace qconform {

Result<std::unique_ptr<SharedCase>> SharedCase::Create(const CaseKey& key,
                                                       uint64_t seed) {
  const auto fault = [&](const std::string& what) {
    return Error{"case " + CaseId(key) + ": " + what};
  };
  auto made = MakeCase(key, seed);
  if (!made) return made.error();
  std::unique_ptr<SharedCase> shared(new SharedCase);
  shared->op_case_ = *std::move(made);
  for (const Tensor& tensor : shared->op_case_.inputs) {
    shared->inputs_.push_back(tensor.view());
  }
  const Model& model = shared->op_case_.model;
  auto oracle = OracleModel::Create(model);
  if (!oracle) return fault(oracle.error().message);
  shared->oracle_.emplace(*std::move(oracle));
  auto answer = shared->oracle_->Evaluate(shared->inputs_);
  if (!answer) return fault(answer.error().message);
  shared->answer_ = *std::move(answer);
  auto decoded =
      DecodeCase(model, key.cell.since_version, shared->inputs_, shared->answer_);
  if (!decoded) return fault(decoded.error().message);
  shared->decoded_ = *std::move(decoded);
  shared->group_ = shared->oracle_->ReadingsKey();
  return shared;
}

const std::vector<ReadingSet>& SharedCase::choices() {
  if (!choices_) {
    auto choices = oracle_->Readings(inputs_);
    choices_.emplace(choices ? *std::move(choices) : std::vector<ReadingSet>{});
    by_choice_.resize(choices_->size());
  }
  return *choices_;
}

const CaseAnswer& SharedCase::AnswerBy(size_t choice) {
  std::unique_ptr<CaseAnswer>& answer = by_choice_[choice];
  if (!answer) {
    auto evaluated = oracle_->Evaluate(inputs_, choices()[choice]);
    answer =
        std::make_unique<CaseAnswer>(evaluated ? *std::move(evaluated) : CaseAnswer{});
  }
  return *answer;
}

void FaultInference::Eliminate(SharedCase& shared, const std::vector<uint32_t>& codes) {
  const std::vector<ReadingSet>& choices = shared.choices();
  Group& group = groups_[shared.group()];
  if (group.choices == nullptr) {
    group.choices = &choices;
    TierFlags all;
    all.fill(true);
    group.alive.assign(choices.size(), all);
  }
  const CaseAnswer& canonical = shared.answer();
  for (size_t c = 0; c < group.alive.size(); ++c) {
    TierFlags& alive = group.alive[c];
    const auto any = [&] {
      return std::any_of(alive.begin(), alive.end(), [](bool flag) { return flag; });
    };
    if (!any()) continue;
    const CaseAnswer& answer = shared.AnswerBy(c);
    if (answer.elements.size() != codes.size()) {
      alive.fill(false);
      continue;
    }
    for (size_t i = 0; i < codes.size(); ++i) {
      // The tier is the question's: the canonical answer names it.
      bool& flag = alive[static_cast<size_t>(canonical.elements[i].tier)];
      if (!flag) continue;
      flag = AllowsBy(choices[c], answer, i, codes[i]);
    }
  }
}

std::optional<std::string> FaultInference::Explanation(
    std::span<const size_t> tiers) const {
  if (groups_.empty()) return "canonical";
  const auto is_alive = [&](const Group& group, size_t choice) {
    return std::all_of(tiers.begin(), tiers.end(),
                       [&](size_t tier) { return group.alive[choice][tier]; });
  };
  const Group& first = groups_.begin()->second;
  for (size_t lead = 0; lead < first.alive.size(); ++lead) {
    if (!is_alive(first, lead)) continue;
    const uint64_t wanted = (*first.choices)[lead].shared;
    std::vector<std::string> names;
    bool everywhere = true;
    for (const auto& [precision, group] : groups_) {
      const ReadingSet* found = nullptr;
      for (size_t c = 0; c < group.alive.size() && found == nullptr; ++c) {
        const ReadingSet& choice = (*group.choices)[c];
        if (is_alive(group, c) && choice.shared == wanted) found = &choice;
      }
      everywhere = everywhere && found != nullptr;
      if (!everywhere) break;
      const std::string name = Spell(*found);
      if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
    }
    if (!everywhere) continue;
    if (names.size() > 1) std::erase(names, "canonical");
    std::string joined;
    for (const std::string& name : names) joined += (joined.empty() ? "" : ", ") + name;
    return joined;
  }
  return std::nullopt;
}

}  // namespace qconform
