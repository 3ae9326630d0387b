// Which readings explain what a backend answered. The specification lets a backend choose
// readings of its open clauses, but it has to follow one combination of them throughout a
// tier of a cell.
#ifndef QCONFORM_HARNESS_COMPARE_INFERENCE_H_
#define QCONFORM_HARNESS_COMPARE_INFERENCE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/compare/answered_case.h"
#include "harness/compare/cell_answers.h"
#include "oracle/base/result.h"
#include "oracle/core/answer.h"
#include "oracle/core/reading_set.h"

namespace qconform {

// One combination of readings for all models of a cell.
struct CellReading {
  std::map<int64_t, ReadingSet> sets;  // by ReadingsKey

  bool is_canonical() const;  // everywhere
  bool is_bounded() const;    // somewhere
  bool is_wider() const;      // by a wider bound, somewhere
  // Returns the sets as they are spelled, each once, joined by ", "; "canonical" only if
  // there is no other.
  std::string Name() const;

  friend bool operator==(const CellReading&, const CellReading&) = default;
};

// What explains a tier of a cell.
struct Explanation {
  struct Part {
    std::string name;  // "initializers", "M = 1"
    CellReading reading;
  };

  // One part without a name is all cases. Several are classes of cases of which each
  // follows a combination of its own.
  std::vector<Part> parts;
  std::string mixed_by{};  // what the classes are: "operand form"

  bool is_mixed() const { return !mixed_by.empty(); }
  bool is_canonical() const {
    return !is_mixed() && parts.front().reading.is_canonical();
  }
  // Returns the name of the reading, or "mixed by M: M = 1 canonical, M of 16 and more
  // QL-04:f32_quotient".
  std::string Name() const;
};

// By tier; nothing where there is no explanation.
using Explanations = std::array<std::optional<Explanation>, kTierCount>;

// The combinations of readings that explain all codes so far, by tier.
class ReadingElimination {
 public:
  // Combinations other than the canonical one are looked for in `tiers`; derived bounds
  // are among them only if `with_bounds`.
  ReadingElimination(const TierFlags& tiers, bool with_bounds)
      : tiers_(tiers), with_bounds_(with_bounds) {}

  // Drops the sets of readings that do not allow every one of these codes. `allowed` are
  // the elements that the canonical answer allows to have them.
  Status Drop(ContentAnswers& content, std::span<const uint32_t> codes,
              const ElementBits& allowed);

  // Returns the first combination that is left in all of `tiers`.
  std::optional<CellReading> Find(std::span<const size_t> tiers) const;

 private:
  // Points into the contents' reading sets.
  struct Candidate {
    const ReadingSet* set = nullptr;
    TierFlags alive{};
  };
  using Candidates = std::vector<Candidate>;

  static bool IsAlive(const Candidate& candidate, std::span<const size_t> tiers);

  TierFlags tiers_;
  bool with_bounds_;
  std::map<int64_t, Candidates> groups_;  // by ReadingsKey
};

// Returns for each tier the first combination that explains every code of all cases
// there, canonical readings first; the same for several tiers where there is one.
Result<Explanations> ExplainByReadings(std::span<const AnsweredCase> cases);

// Returns for each of `indices` whether some combination of readings allows the code that
// the backend gave there: such an element accuses nobody by itself, whatever the others
// are.
Result<std::vector<bool>> AdmissibleAlone(const AnsweredCase& answered,
                                          std::span<const size_t> indices);

// Returns for each of `indices` whether one combination of readings allows both the code
// that the backend gave there and `other`, its answer to the same question at another
// time.
Result<std::vector<bool>> AdmissibleBeside(const AnsweredCase& answered,
                                           std::span<const size_t> indices,
                                           std::span<const uint32_t> other);

// Returns for each element the codes that it may have by some combination of readings or
// derived bound, the canonical one first and the others in ascending order; none where
// any will do. That one combination has to be followed throughout does not show in it.
Result<std::vector<AdmissibleRanges>> AdmissibleCodes(ContentAnswers& content);

// An element that only some combinations of readings explain.
struct ConflictSide {
  size_t case_index = 0;  // into the cases
  size_t element = 0;
  ReadingSet choice;        // that explains it
  ReadingSet other;         // the other side's, which does not
  uint32_t other_code = 0;  // that the other gives
};

// Two elements of a tier, each of which some combination explains, and none both.
using ReadingConflict = std::pair<ConflictSide, ConflictSide>;

// Returns nothing if some element is explained by no combination (that is a fault, not a
// conflict), or if no two elements suffice to show the conflict.
Result<std::optional<ReadingConflict>> FindConflict(std::span<const AnsweredCase> cases,
                                                    Tier tier);

// Returns two combinations of readings, each a function of the operands, such that every
// element of a tier follows one or the other; nothing if there are none, or if
// `explanation` is not a bound. It shows what a bound may hide: readings that are mixed
// element by element.
Result<std::optional<std::pair<ReadingSet, ReadingSet>>> PairBehindBound(
    std::span<const AnsweredCase> cases, Tier tier, const CellReading& explanation);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_COMPARE_INFERENCE_H_
