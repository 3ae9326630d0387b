// Diagnosis: which named wrong model reproduces what a backend answered in a cell; if
// none does, what the deviating elements have in common.
//
// The models are the planted faults, alone and in sets of those that reproduce a part. A
// model is named only if it reproduces every output of the cell and foretells what the
// backend answers to further cases of it.
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
#include "reports/record/record.h"

namespace qconform {

// An element that a model does not reproduce.
struct MissedElement {
  size_t case_index = 0;  // into the cases of Diagnose
  size_t element = 0;     // of the answer
  uint32_t model = 0;     // the code that the model gives
};

struct Diagnosis {
  // The simplest model that reproduces every output: "ties_away", or faults that are made
  // together, by name: "ties_away+zero_point_ignored". Of several that no case
  // distinguishes none is preferred: "double_division or exact_quotient". Empty if none
  // does.
  std::string explained_by;
  std::optional<FaultSet> model{};  // if exactly one is named
  // The faults of that model that are not admissible by themselves: what is broken.
  std::optional<FaultSet> broken{};
  // As the report has it, but for `follows` and `mixed_readings`. Elements that the
  // followed reading allows do not deviate.
  Deviation deviation;
  // One that `deviation.nearest` does not reproduce, if there is a nearest model: of a
  // small case, and one that deviates, if there are some.
  std::optional<MissedElement> missed{};
  // What the rest of the cell follows, and its answer to each case; nothing: the
  // canonical readings.
  std::optional<FollowedReading> follows{};
  std::vector<std::shared_ptr<const CaseAnswer>> answers{};
  // The limit passed while models were searched for: those that were not tried may
  // explain the cell. What deviates has patterns, unless there was no time for these
  // either.
  bool is_cut = false;
};

// Cases of the cell that were not asked yet, and the backend that answers them.
class FurtherCases {
 public:
  virtual ~FurtherCases() = default;
  // The case number `index`, from 0; without codes. Nothing after the last; an Error
  // if it cannot be made. Valid until the next call.
  virtual Result<std::optional<AnsweredCase>> Question(size_t index) = 0;
  // A case with other operands than the generators make, to distinguish models that no
  // case of a generator distinguishes. Otherwise as Question.
  virtual Result<std::optional<AnsweredCase>> Varied(size_t index) = 0;
  // Asks the backend the question of the last call. Returns the codes that it gives, or
  // null where it gives no answer of the right form; an Error is one of the harness.
  virtual Result<const std::vector<uint32_t>*> Ask() = 0;
};

// Returns the names of the rules that prove that two faults give the same bits for every
// input of the cell (OperatorFaults::WhyIndistinguishable); "" if nothing is proved.
std::string WhyIndistinguishable(const Cell& cell, const Fault& a, const Fault& b);

// `cases` are in the order in which the backend answered them, with canonical answers;
// `further` may be null. An Error is one of the harness itself.
//
// A backend may follow an admissible reading and have a fault, too. The first of these
// that explains every bit is named, the fewest faults first:
//   1. one wrong model over the canonical readings;
//   2. one over a reading that the answers show, if it changes another step than the
//   reading;
//   3. a pair over the canonical readings;
//   4. one or a pair over a reading that the nearest model shows;
//   5. three, in the same order.
// All models of the first kind that explains everything are named: further cases are
// asked that distinguish them, as far as there are some.
// In cells of graphs, one wrong model may explain the operand forms that deviate and no
// other: optimizers rewrite graphs of constants. It may also explain each case that
// deviates and be idle in others: optimizers look at zero points and signs before they
// rewrite a graph. `deviation.model` says so then.
//
// If the thread's ExplainLimit is nearly used, the Diagnosis is cut: the rest of the time
// is for the patterns of what deviates from the canonical readings.
//
// If there is none, what follows the clear reading (FollowedReading::is_clear) does not
// deviate, and the patterns are those of the rest.
Result<Diagnosis> Diagnose(const Cell& cell, std::span<const AnsweredCase> cases,
                           const Explanations& explanations = {},
                           FurtherCases* further = nullptr);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_DIAGNOSIS_DIAGNOSIS_H_
