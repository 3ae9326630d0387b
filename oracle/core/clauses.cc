#include "oracle/core/clauses.h"

#include <string>

namespace qconform {
namespace {

// Returns the ids of the clauses that put elements into a tier: "A-40, B-20".
std::string IdsOf(Tier tier, std::span<const Clause> clauses) {
  std::string ids;
  for (const Clause& clause : clauses) {
    if (clause.tier != tier) continue;
    ids += (ids.empty() ? "" : ", ") + std::string(clause.id);
  }
  return ids;
}

std::string TiersText(std::span<const Clause> clauses) {
  return "Tiers keep contested inputs apart from `regular`: `subnormal` (x, P(x), "
         "P(y_scale) or the quotient is subnormal in P, or the quotient underflows), "
         "`conversion_range` (P(x) or P(y_scale) overflows or becomes 0), "
         "`degenerate_scale` (" +
         IdsOf(Tier::kDegenerateScale, clauses) + "), `accumulator_overflow` (" +
         IdsOf(Tier::kAccumulatorOverflow, clauses) +
         "). The last that applies counts. P is that of the canonical reading, or FLOAT "
         "where that has none; where `x_type_division` is admissible, the type of x is a "
         "second P. The tier does not depend on the reading that is evaluated.";
}

}  // namespace

std::string_view ClauseKindText(ClauseKind kind) {
  constexpr std::string_view kTexts[] = {"normative", "open, parametric", "open, free",
                                         "open, bounded"};
  return kTexts[static_cast<size_t>(kind)];
}

std::vector<Clause> GeneralClauses(std::span<const Clause> others) {
  static const std::string tiers_text = TiersText(others);  // Clause::text is a view
  return {
      {.id = "G-01",
       .text =
           "Readings of different clauses combine. The combination must be constant over "
           "a cell within one tier, or over each operand form in it, or over each class "
           "of M, the rows of a (1, 2 to 15, 16 and more): kernels have other code for "
           "constants and for few rows. The report names it whole, or that of each part. "
           "What is mixed element by element is a deviation.",
       .source = "a rule of the project: ONNX states no readings",
       .tests = {"ReadingCombinations.OfTheQuotient",
                 "ReadingCombinations.OfFloatTargets",
                 "ReadingCombinations.NamesAreUniqueAndCanonicalIsFirst",
                 "ReadingCombinations.EachPairDiffersSomewhere",
                 "ReadingCombinations.RedundantReadings_NeverDiffer"}},
      {.id = "G-02",
       .text = tiers_text,
       .source = "a rule of the project: ONNX's text does not speak of subnormal or "
                 "out-of-range intermediate values",
       .tests = {"Tier.OfEachKindOfQuestion", "Tier.Names"}},
  };
}

}  // namespace qconform
