// Covering arrays: rows of levels of several factors, so that every two levels of two
// factors stand together in some row, in as few rows as a greedy choice needs. Sizes,
// axes and attributes of cases are chosen by them (D. M. Cohen, S. R. Dalal, M. L.
// Fredman, G. C. Patton, "The AETG System", 1997, has the idea).
#ifndef QCONFORM_CASES_CORE_COVERING_ARRAY_H_
#define QCONFORM_CASES_CORE_COVERING_ARRAY_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace qconform::generators {

inline constexpr int kFreeLevel = -1;

// One level of each factor. While a row is chosen, some are kFreeLevel.
using CoveringRow = std::vector<int>;

class CoveringArray {
 public:
  // `levels` has the number of levels of each factor. Of equally good levels `turn` says
  // which comes first, so that cells of different turns are asked different rows.
  explicit CoveringArray(std::vector<int> levels, uint64_t turn = 0);

  // Adds a row and returns it. Factors that are kFreeLevel in `row` get the levels that
  // add most pairs. `allows` says whether a row may go on: if it returns false, the level
  // that was chosen last is not used. Precondition: it allows some level of each factor,
  // whatever it allowed before.
  using Allows = std::function<bool(const CoveringRow&)>;
  CoveringRow Add(
      CoveringRow row, const Allows& allows = [](const CoveringRow&) { return true; });

  size_t factors() const { return levels_.size(); }
  // The number of pairs of levels that stand in no row.
  int64_t missing() const;

 private:
  size_t Place(size_t factor, int level) const {
    return first_[factor] + static_cast<size_t>(level);
  }
  int64_t Gain(const CoveringRow& row, size_t factor, int level) const;

  std::vector<int> levels_;
  uint64_t turn_;
  std::vector<size_t> first_;    // of each factor: the place of its first level
  std::vector<size_t> order_;    // factors, those with most levels first
  size_t places_ = 0;            // of all levels
  std::vector<bool> is_paired_;  // by two places
  std::vector<int> used_;        // by place: in how many rows
};

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_CORE_COVERING_ARRAY_H_
