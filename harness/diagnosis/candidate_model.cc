#include "harness/diagnosis/candidate_model.h"

#include <algorithm>

#include "harness/core/allows.h"
#include "harness/diagnosis/evidence_case.h"
#include "oracle/base/text.h"
#include "oracle/tensor/data_type.h"

namespace qconform {

std::string CandidateModel::Name() const {
  std::vector<std::string> names;
  for (const Fault* fault : faults) names.emplace_back(fault->name);
  return Joined(names, "+");
}

std::string CandidateModel::Sentence() const {
  std::vector<std::string> sentences;
  for (const Fault* fault : faults) sentences.emplace_back(fault->sentence);
  return Joined(sentences, " ");
}

void AddDeviating(EvidenceCase& one) {
  for (size_t i = 0; i < one.observed.size(); ++i) {
    if (!Allows(*one.answer, i, one.observed)) {
      one.deviating.push_back(static_cast<int64_t>(i));
    }
  }
}

Codes CodesOf(const DecodedCase& decoded, const CandidateModel& model) {
  FaultState state;
  return decoded.CodesOf(model.set, state);
}

bool Matches(const CaseAnswer& answer, const Codes& codes, const Codes& observed) {
  for (size_t i = 0; i < codes.size(); ++i) {
    if (!Reproduces(answer, i, codes[i], observed[i])) return false;
  }
  return true;
}

bool ReproducesAll(const EvidenceCase& one, const CandidateModel& model) {
  return Matches(*one.answer, CodesOf(*one.decoded, model), one.observed);
}

std::vector<size_t> LeftOf(const EvidenceCase& one, const CandidateModel& model) {
  const Codes codes = CodesOf(*one.decoded, model);
  std::vector<size_t> left;
  for (const int64_t i : one.deviating) {
    const auto at = static_cast<size_t>(i);
    if (!Reproduces(*one.answer, at, codes[at], one.observed[at])) left.push_back(at);
  }
  return left;
}

std::vector<size_t> MissedOf(const EvidenceCase& one, const CandidateModel& model) {
  const Codes codes = CodesOf(*one.decoded, model);
  std::vector<size_t> missed;
  for (size_t i = 0; i < codes.size(); ++i) {
    if (!Reproduces(*one.answer, i, codes[i], one.observed[i])) missed.push_back(i);
  }
  return missed;
}

bool IsNear(const EvidenceCase& one, const Codes& codes, const Codes& observed) {
  for (size_t i = 0; i < codes.size(); ++i) {
    if (!Reproduces(*one.answer, i, codes[i], observed[i]) &&
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
