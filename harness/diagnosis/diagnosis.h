// Diagnosis: which named wrong model reproduces what a backend answered in a cell,
// and where none does, what the deviating elements have in common.
//
// The models are the planted faults, alone and in pairs of those that reproduce a
// part. A model is named only where it reproduces every output of the cell, and
// foretells what the backend answers to further cases of it.
#ifndef QCONFORM_HARNESS_DIAGNOSIS_DIAGNOSIS_H_
#define QCONFORM_HARNESS_DIAGNOSIS_DIAGNOSIS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cases/lattice/cell.h"
#include "harness/compare/closest.h"
#include "harness/compare/inference.h"
#include "harness/core/case_answer.h"
#include "harness/core/fault.h"
#include "oracle/base/result.h"

namespace qconform {

struct Diagnosis {
  // The simplest model that reproduces every output: "ties_away", or a pair,
  // "ties_away+zero_point_ignored". Empty where none does.
  std::string explained_by;
  std::string sentence;  // what that model does; else what the nearest does
  // Models that are proved to give the same bits for every input of the cell, and models
  // that nothing that was asked distinguishes from it.
  std::vector<std::string> indistinguishable_from;
  std::vector<std::string> also_explained_by;
  // Where none does: the model that reproduces most of the deviating elements.
  std::string nearest;
  int64_t deviating = 0;             // elements, from the readings that are followed
  int64_t explained = 0;             // of them: by the model, or by the nearest
  int64_t confirmed = 0;             // outputs beyond `cases` that the model foretold
  std::vector<std::string> pattern;  // what the deviating elements have in common
  std::optional<FaultSet> model{};   // if one is named
  // What the rest of the cell follows, and its answer to each case: all of the above is
  // of elements that it does not allow. None: the canonical readings.
  std::optional<FollowedReading> follows{};
  std::vector<std::shared_ptr<const CaseAnswer>> answers{};
};

// Cases of the cell that were not asked yet, and the backend that answers them.
class FurtherCases {
 public:
  virtual ~FurtherCases() = default;
  // The case number `index`, from 0; without codes. Nothing after the last; an Error
  // if it cannot be made. Valid until the next call.
  virtual Result<std::optional<AnsweredCase>> Question(size_t index) = 0;
  // Asks the backend the question of the last call. Returns the codes that it gives, or
  // null where it gives no answer of the right form.
  virtual const std::vector<uint32_t>* Ask() = 0;
};

// Returns the names of the rules that prove that two faults give the same bits for every
// input of the cell (OperatorFaults::WhyIndistinguishable); "" if nothing is proved.
std::string WhyIndistinguishable(const Cell& cell, const Fault& a, const Fault& b);

// `cases` in the order in which the backend answered them, with canonical answers;
// `further` may be null. An Error is a fault of the harness itself.
//
// A backend may follow an admissible reading and have a fault besides. So what is looked
// for is the simplest account of every bit: one wrong model over the canonical readings;
// then one over a reading that its answers show, where it changes another step than the
// reading does; then two; and two, or one, over a reading that the nearest model shows.
// Where there is none, the reading that is clearly followed (FollowedReading::is_clear)
// accuses nobody, and the patterns are of what is left.
Result<Diagnosis> Diagnose(const Cell& cell, std::span<const AnsweredCase> cases,
                           const Explanations& explanations = {},
                           FurtherCases* further = nullptr);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_DIAGNOSIS_DIAGNOSIS_H_
