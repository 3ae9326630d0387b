// Wrong models as a search tries them, and how cases compare with what they give. Private
// to this folder.
#ifndef QCONFORM_HARNESS_DIAGNOSIS_CANDIDATE_MODEL_H_
#define QCONFORM_HARNESS_DIAGNOSIS_CANDIDATE_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cases/lattice/cell.h"
#include "harness/core/case_answer.h"
#include "harness/core/decoded_case.h"
#include "harness/core/fault.h"
#include "harness/core/fault_set.h"
#include "harness/core/patterns/pattern.h"

namespace qconform {

// A wrong model of the cell's operator: one fault, or several that are made together.
struct CandidateModel {
  std::vector<const Fault*> faults;  // by name
  FaultSet set;
  // Names of models that are proved to give the same bits.
  std::vector<std::string> same{};
  double share = 0;     // of the deviating elements that it reproduces
  double nearness = 0;  // the same, of the deviating ones and those that it alone changes

  bool HasState() const { return faults.size() == 1 && faults.front()->has_state; }
  // "ties_away+zero_point_ignored", always in this order.
  std::string Name() const;
  // Begins with the faults that are not admissible by themselves.
  std::string Sentence(const Cell& cell) const;
  // Returns these faults; all, if each is admissible by itself.
  std::vector<const Fault*> Broken(const Cell& cell) const;
};

// Returns the indices of the codes that an answer does not allow.
std::vector<size_t> DeviatingIn(const CaseAnswer& answer,
                                std::span<const uint32_t> codes);
// Fills the indices that the answer of a case does not allow.
void AddDeviating(EvidenceCase& one);

// Whether the fault may deviate in a cell. Cells that only stand for parts of models are
// outside of the lattice: what is declared about cells does not hold for them.
bool MayDeviate(const Fault& fault, const Cell& cell);

// Returns the codes of a model without a state from the calls before.
Codes CodesOf(const DecodedCase& decoded, const CandidateModel& model);

// Whether two models give the same codes, where an answer is not free.
bool AreSame(const CaseAnswer& answer, const Codes& codes, const Codes& others);

// Whether the model of `set`, which gives `codes`, reproduces each observed element.
bool Matches(const EvidenceCase& one, const FaultSet& set, const Codes& codes,
             const Codes& observed);

// The same of a case, by a model without a state.
bool ReproducesAll(const EvidenceCase& one, const CandidateModel& model);

// Returns the deviating elements of a case that a model does not reproduce.
std::vector<size_t> LeftOf(const EvidenceCase& one, const CandidateModel& model);

// The same of all elements, those that the answer allows included.
std::vector<size_t> MissedOf(const EvidenceCase& one, const CandidateModel& model);

// Whether each element is reproduced, apart from how a backend rounds between steps.
bool IsNear(const EvidenceCase& one, const FaultSet& set, const Codes& codes,
            const Codes& observed);

// Whether the answer allows all codes.
bool AllAllowed(const CaseAnswer& answer, const Codes& codes);

// Whether codes are the right ones, apart from how a backend rounds a float result.
bool IsRight(const EvidenceCase& one, const Codes& codes);

// How many elements of a case are not near the right answer.
int64_t FarFromRight(const EvidenceCase& one);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_DIAGNOSIS_CANDIDATE_MODEL_H_
