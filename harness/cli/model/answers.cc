#include "harness/cli/model/answers.h"

#include <utility>
#include <variant>

#include "harness/reference_path/tensor_difference.h"
#include "reports/record/evidence.h"

namespace qconform {
namespace {

// All outputs together; answers beyond are not compared.
constexpr size_t kMostKept = size_t{256} << 20;

std::string KeyOf(const PartQuestion& part, const OpCase& op_case) {
  return PartId(part) + " " + CaseId(op_case.key);
}

}  // namespace

void Answers::Keep(const PartQuestion& part, const OpCase& op_case,
                   const RunResult& result) {
  const auto* outputs = std::get_if<Outputs>(&result);
  if (outputs == nullptr) return;
  for (const Tensor& output : *outputs) bytes_ += output.data.size();
  if (bytes_ <= kMostKept) outputs_[KeyOf(part, op_case)] = *outputs;
}

const Outputs* Answers::Find(const PartQuestion& part, const OpCase& op_case) const {
  const auto found = outputs_.find(KeyOf(part, op_case));
  return found == outputs_.end() ? nullptr : &found->second;
}

AnswerComparison::AnswerComparison(const Answers& first, std::string first_name,
                                   std::string name)
    : first_(&first), first_name_(std::move(first_name)), name_(std::move(name)) {}

void AnswerComparison::Add(const PartQuestion& part, const OpCase& op_case,
                           const RunResult& result) {
  Compared& compared = parts_[PartId(part)];
  const Outputs* there = first_->Find(part, op_case);
  const auto* here = std::get_if<Outputs>(&result);
  if (there == nullptr || here == nullptr || there->size() != here->size()) {
    compared.is_whole = false;
    return;
  }
  ++compared.cases;
  for (size_t i = 0; i < here->size(); ++i) {
    const auto difference = DifferenceOf((*there)[i], (*here)[i], first_name_ + " gives ",
                                         ", " + name_ + " gives ");
    if (!difference) continue;
    ++compared.differing;
    if (compared.first.empty()) {
      compared.first = op_case.key.generator + " case " +
                       std::to_string(op_case.key.index) + ", output '" +
                       op_case.model.outputs[i].name + "': " + *difference;
    }
    return;
  }
}

std::map<std::string, std::string> AnswerComparison::Words() const {
  std::map<std::string, std::string> words;
  for (const auto& [id, compared] : parts_) {
    if (compared.differing > 0) {
      words[id] = "in " + std::to_string(compared.differing) + " of " +
                  Plural(compared.cases, "case") + ", first " + compared.first;
    } else if (compared.is_whole) {
      words[id] = "";
    }
  }
  return words;
}

}  // namespace qconform
