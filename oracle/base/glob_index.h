// Many patterns of cells against many cells, without trying each with each.
#ifndef QCONFORM_ORACLE_BASE_GLOB_INDEX_H_
#define QCONFORM_ORACLE_BASE_GLOB_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace qconform {

// A set of the places of cells.
class CellSet {
 public:
  CellSet(size_t size, bool full);

  void Add(size_t place) { words_[place / 64] |= Bit(place); }
  void Remove(size_t place) { words_[place / 64] &= ~Bit(place); }
  void Intersect(const CellSet& other);
  // Returns the first member at `place` or after it, or the size.
  size_t Next(size_t place) const;

 private:
  static uint64_t Bit(size_t place) { return uint64_t{1} << (place % 64); }

  size_t size_;
  std::vector<uint64_t> words_;
};

// Cells by the three characters in a row that their ids have. A pattern is tried only
// with those that have all that it spells out.
class GlobIndex {
 public:
  // The texts of `ids` must outlive it. The place of a cell is that in their order.
  explicit GlobIndex(const std::set<std::string_view>& ids);

  size_t size() const { return ids_.size(); }
  // Returns the place of the cell, or the size.
  size_t PlaceOf(std::string_view id) const;

  // Calls `found` with the place of each cell of `among` that the pattern matches
  // (CellGlobMatches), in their order, until it returns false.
  void ForEachMatch(std::string_view pattern, const CellSet& among,
                    const std::function<bool(size_t place)>& found);

  // Returns how often a pattern was tried with a cell.
  uint64_t tried() const { return tried_; }

 private:
  std::vector<std::string_view> ids_;
  std::map<std::string_view, CellSet> having_;  // three characters -> the cells
  uint64_t tried_ = 0;
};

// Which of the patterns and of the cells belong together.
struct MatchedGlobs {
  std::vector<bool> cells;     // those that some pattern matches
  std::vector<bool> patterns;  // those that match some cell

  // Returns the place of the first pattern that matches nothing, or how many there are.
  size_t FirstUnused() const;
};

// Returns what CellGlobMatches says of each pattern with each cell.
MatchedGlobs MatchGlobs(std::span<const std::string> patterns,
                        std::span<const std::string> cells);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_BASE_GLOB_INDEX_H_
