#include "harness/diagnosis/candidate_model.h"

#include <algorithm>

#include "cases/core/known_cells.h"
#include "harness/core/allows.h"
#include "harness/diagnosis/evidence_case.h"
#include "oracle/base/text.h"
#include "oracle/tensor/data_type.h"

namespace qconform {
namespace {

bool IsAdmissible(const Fault& fault, const Cell& cell) {
  return Declare(fault, cell).kind == Declaration::Kind::kAdmissible;
}

}  // namespace

std::string CandidateModel::Name() const {
  std::vector<std::string> names;
  for (const Fault* fault : faults) names.emplace_back(fault->name);
  return Joined(names, "+");
}

std::string CandidateModel::Sentence(const Cell& cell) const {
  std::vector<const Fault*> in_order = faults;
  std::stable_partition(in_order.begin(), in_order.end(),
                        [&](const Fault* fault) { return !IsAdmissible(*fault, cell); });
  std::vector<std::string> sentences;
  for (const Fault* fault : in_order) sentences.emplace_back(fault->sentence);
  return Joined(sentences, " ");
}

std::vector<const Fault*> CandidateModel::Broken(const Cell& cell) const {
  std::vector<const Fault*> broken = faults;
  std::erase_if(broken, [&](const Fault* fault) { return IsAdmissible(*fault, cell); });
  return broken.empty() ? faults : broken;
}

std::vector<size_t> DeviatingIn(const CaseAnswer& answer,
                                std::span<const uint32_t> codes) {
  std::vector<size_t> deviating;
  for (size_t i = 0; i < codes.size(); ++i) {
    if (!Allows(answer, i, codes)) deviating.push_back(i);
  }
  return deviating;
}

void AddDeviating(EvidenceCase& one) {
  for (const size_t i : DeviatingIn(*one.answer, one.observed)) {
    one.deviating.push_back(static_cast<int64_t>(i));
  }
}

bool MayDeviate(const Fault& fault, const Cell& cell) {
  if (fault.SetFor(cell.op_type) == nullptr) return false;
  return Declare(fault, cell).kind != Declaration::Kind::kEquivalent ||
         !generators::IsInLattice(cell);
}

Codes CodesOf(const DecodedCase& decoded, const CandidateModel& model) {
  FaultState state;
  return decoded.CodesOf(model.set, state);
}

bool AreSame(const CaseAnswer& answer, const Codes& codes, const Codes& others) {
  for (size_t i = 0; i < codes.size(); ++i) {
    if (!Reproduces(answer, i, codes[i], others[i])) return false;
  }
  return true;
}

bool Matches(const EvidenceCase& one, const FaultSet& set, const Codes& codes,
             const Codes& observed) {
  for (size_t i = 0; i < codes.size(); ++i) {
    if (!Reproduces(*one.answer, *one.decoded, set, i, codes[i], observed[i])) {
      return false;
    }
  }
  return true;
}

bool ReproducesAll(const EvidenceCase& one, const CandidateModel& model) {
  return Matches(one, model.set, CodesOf(*one.decoded, model), one.observed);
}

std::vector<size_t> LeftOf(const EvidenceCase& one, const CandidateModel& model) {
  const Codes codes = CodesOf(*one.decoded, model);
  std::vector<size_t> left;
  for (const int64_t i : one.deviating) {
    const auto at = static_cast<size_t>(i);
    if (!Reproduces(*one.answer, *one.decoded, model.set, at, codes[at],
                    one.observed[at])) {
      left.push_back(at);
    }
  }
  return left;
}

std::vector<size_t> MissedOf(const EvidenceCase& one, const CandidateModel& model) {
  const Codes codes = CodesOf(*one.decoded, model);
  std::vector<size_t> missed;
  for (size_t i = 0; i < codes.size(); ++i) {
    if (!Reproduces(*one.answer, *one.decoded, model.set, i, codes[i], one.observed[i])) {
      missed.push_back(i);
    }
  }
  return missed;
}

bool IsNear(const EvidenceCase& one, const FaultSet& set, const Codes& codes,
            const Codes& observed) {
  for (size_t i = 0; i < codes.size(); ++i) {
    if (!Reproduces(*one.answer, *one.decoded, set, i, codes[i], observed[i]) &&
        !one.decoded->IsNear(static_cast<int64_t>(i), codes[i], observed[i])) {
      return false;
    }
  }
  return true;
}

bool AllAllowed(const CaseAnswer& answer, const Codes& codes) {
  for (size_t i = 0; i < codes.size(); ++i) {
    if (!Allows(answer, i, codes)) return false;
  }
  return true;
}

bool IsRight(const EvidenceCase& one, const Codes& codes) {
  for (size_t i = 0; i < codes.size(); ++i) {
    if (Allows(*one.answer, i, codes)) continue;
    const DataType type = one.answer->TypeOf(i);
    const uint32_t right = one.answer->elements[i].code;
    if (IsInteger(type) || BitWidth(type) <= 8 ||
        !one.decoded->IsNear(static_cast<int64_t>(i), right, codes[i])) {
      return false;
    }
  }
  return true;
}

int64_t FarFromRight(const EvidenceCase& one) {
  return std::ranges::count_if(one.deviating, [&](int64_t at) {
    const auto i = static_cast<size_t>(at);
    return !one.decoded->IsNear(at, one.answer->elements[i].code, one.observed[i]);
  });
}

}  // namespace qconform
