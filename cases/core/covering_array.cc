#include "cases/core/covering_array.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace qconform::generators {

CoveringArray::CoveringArray(std::vector<int> levels, uint64_t turn)
    : levels_(std::move(levels)), turn_(turn), order_(levels_.size()) {
  for (const int count : levels_) {
    first_.push_back(places_);
    places_ += static_cast<size_t>(count);
  }
  is_paired_.assign(places_ * places_, false);
  used_.assign(places_, 0);
  std::iota(order_.begin(), order_.end(), 0);
  std::ranges::stable_sort(order_, std::ranges::greater{},
                           [this](size_t factor) { return levels_[factor]; });
}

int64_t CoveringArray::Gain(const CoveringRow& row, size_t factor, int level) const {
  int64_t gain = 0;
  for (size_t other = 0; other < row.size(); ++other) {
    if (other == factor || row[other] == kFreeLevel) continue;
    gain += is_paired_[Place(factor, level) * places_ + Place(other, row[other])] ? 0 : 1;
  }
  return gain;
}

CoveringRow CoveringArray::Add(CoveringRow row, const Allows& allows) {
  assert(row.size() == levels_.size());
  for (const size_t factor : order_) {
    if (row[factor] != kFreeLevel) continue;
    int best = kFreeLevel;
    std::pair<int64_t, int> most;  // the gain, and how seldom it is used
    for (int i = 0; i < levels_[factor]; ++i) {
      const auto turned =
          (static_cast<uint64_t>(i) + turn_) % static_cast<uint64_t>(levels_[factor]);
      const int level = static_cast<int>(turned);
      row[factor] = level;
      if (!allows(row)) continue;
      const std::pair worth{Gain(row, factor, level), -used_[Place(factor, level)]};
      if (best != kFreeLevel && worth <= most) continue;
      best = level;
      most = worth;
    }
    assert(best != kFreeLevel && "some level is allowed");
    row[factor] = best;
  }
  for (size_t i = 0; i < row.size(); ++i) {
    ++used_[Place(i, row[i])];
    for (size_t j = 0; j < row.size(); ++j) {
      is_paired_[Place(i, row[i]) * places_ + Place(j, row[j])] = true;
    }
  }
  return row;
}

int64_t CoveringArray::missing() const {
  int64_t missing = 0;
  for (size_t i = 0; i < levels_.size(); ++i) {
    for (size_t j = i + 1; j < levels_.size(); ++j) {
      for (int a = 0; a < levels_[i]; ++a) {
        for (int b = 0; b < levels_[j]; ++b) {
          missing += is_paired_[Place(i, a) * places_ + Place(j, b)] ? 0 : 1;
        }
      }
    }
  }
  return missing;
}

}  // namespace qconform::generators
