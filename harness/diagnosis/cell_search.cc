#include "harness/diagnosis/cell_search.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "harness/compare/explain_limit.h"
#include "harness/core/case_answer.h"
#include "harness/core/decoded_case.h"
#include "harness/diagnosis/candidate_model.h"
#include "harness/diagnosis/evidence_case.h"
#include "oracle/base/node.h"

namespace qconform {
namespace {

// The operand forms in which something deviates.
std::set<OperandForm> DeviatingForms(std::span<const AnsweredCase> cases,
                                     std::span<const EvidenceCase> evidence) {
  std::set<OperandForm> forms;
  for (size_t c = 0; c < cases.size(); ++c) {
    if (!evidence[c].deviating.empty()) forms.insert(cases[c].form);
  }
  return forms;
}

// Optimizers rewrite a graph only where its parameters are constants. Returns the
// evidence of the operand forms `in`.
std::vector<EvidenceCase> OfForms(const std::set<OperandForm>& in,
                                  std::span<const AnsweredCase> cases,
                                  std::span<const EvidenceCase> evidence) {
  std::vector<EvidenceCase> of;
  for (size_t c = 0; c < cases.size(); ++c) {
    if (in.contains(cases[c].form)) of.push_back(evidence[c]);
  }
  return of;
}

// "Only in operand form initializers or parameters."
std::string OnlyInText(const std::set<OperandForm>& forms) {
  std::string text;
  for (const OperandForm form : forms) {
    text += (text.empty() ? " Only in operand form " : " or ") +
            std::string(OperandFormName(form));
  }
  return text + ".";
}

// "Only in operand form initializers. Only in 3 of the 7 cases in which it would show."
std::string WhereText(const std::vector<size_t>& acting, const std::vector<size_t>& idle,
                      std::span<const AnsweredCase> cases) {
  std::set<OperandForm> forms;
  for (const size_t at : acting) forms.insert(cases[at].form);
  const auto idle_there = std::ranges::count_if(
      idle, [&](size_t at) { return forms.contains(cases[at].form); });
  std::string text;
  if (idle_there < std::ssize(idle)) text += OnlyInText(forms);
  if (idle_there > 0) {
    text += " Only in " + std::to_string(acting.size()) + " of the " +
            std::to_string(acting.size() + static_cast<size_t>(idle_there)) +
            " cases in which it would show.";
  }
  return text;
}

}  // namespace

Result<std::unique_ptr<CellSearch>> CellSearch::Create(
    const Cell& cell, std::span<const AnsweredCase> cases,
    const FollowedReading* follows) {
  const OperatorFaults* faults = FindOperatorFaults(cell.op_type);
  if (faults == nullptr)
    return Error{"operator '" + cell.op_type + "' is not registered"};
  std::vector<EvidenceCase> evidence;
  std::map<const CaseAnswer*, std::shared_ptr<const DecodedCase>> decoded_by_answer;
  for (const AnsweredCase& answered : cases) {
    const Status within = ExplainLimit::StatusOfLimit();
    if (!within) return within.error();
    std::shared_ptr<const DecodedCase>& decoded =
        decoded_by_answer[answered.answer.get()];
    if (!decoded) {
      auto made = DecodeCase(answered, cell.since_version, follows);
      if (!made) return made.error();
      decoded = *std::move(made);
    }
    EvidenceCase one{
        answered.answer,       decoded, {}, {}, &answered.content->model(), answered.form,
        answered.opset_version};
    one.observed.assign(answered.codes.begin(), answered.codes.end());
    AddDeviating(one);
    evidence.push_back(std::move(one));
  }
  return std::unique_ptr<CellSearch>(
      new CellSearch(cell, *faults, cases, std::move(evidence), follows));
}

Result<std::optional<Diagnosis>> CellSearch::ExplainPartly(FurtherCases* further) {
  if (auto near = whole_.ExplainNearly()) return near;
  if (!IsGraphFamily(cell_.op_type)) return std::optional<Diagnosis>();
  if (in_forms_) {
    auto in_forms = in_forms_->Explain(1, further);
    if (!in_forms) return in_forms;
    if (*in_forms) {
      (**in_forms).deviation.model += OnlyInText(forms_);
      return in_forms;
    }
  }
  auto found = whole_.ExplainWhereItActs(further);
  if (!found) return found.error();
  if (found->diagnosis.explained_by.empty()) return std::optional<Diagnosis>();
  found->diagnosis.deviation.model += WhereText(found->acting, found->idle, cases_);
  return std::optional(std::move(found->diagnosis));
}

CellSearch::CellSearch(const Cell& cell, const OperatorFaults& faults,
                       std::span<const AnsweredCase> cases,
                       std::vector<EvidenceCase> evidence, const FollowedReading* follows)
    : cell_(cell),
      cases_(cases.begin(), cases.end()),
      forms_(DeviatingForms(cases, evidence)),
      of_forms_(IsGraphFamily(cell.op_type) ? OfForms(forms_, cases, evidence)
                                            : std::vector<EvidenceCase>()),
      whole_(cell, faults, std::move(evidence), follows) {
  const bool are_some = of_forms_.size() < cases.size();
  if (IsGraphFamily(cell.op_type) && are_some) {
    in_forms_.emplace(cell, faults, std::move(of_forms_), follows);
  }
}

}  // namespace qconform
