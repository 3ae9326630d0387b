#include "cases/quantization/covered_sizes.h"

#include <array>
#include <cassert>
#include <utility>

#include "cases/core/content.h"

namespace qconform::generators {
namespace {

// The factors, in the order of a row. Those of the operator follow.
enum Factor : size_t { kRemainder, kRank, kAxis, kAxisForm, kSplit, kBlock, kFactors };

constexpr int kRemainders = 8;  // of the length
constexpr int kRanks = 5;       // 1 to 5
constexpr int kAxisForms = 3;
// All of the length at the axis, all at the other end, or its prime factors spread.
constexpr int kSplits = 3;
constexpr std::array<int64_t, 5> kBlocks{2, 3, 5, 16, 1};
// Lengths have this room in an index.
constexpr int kRoomOfLength = 128;

// Lengths whose rows have an axis of -5, -4 and -3: pairs of factors do not imply rank,
// axis and sign together.
constexpr int kFirstFarAxis = 40;
constexpr std::array kRanksOfFarAxes{5, 4, 3};

struct CoveredSize {
  int length = 0;
  int rank = 1;
  int axis = 0;
  AxisForm form = AxisForm::kPositive;
  int split = 0;
  int block = 0;  // of kBlocks
};

// Rank, axis, form, split and block, in the digits of a number.
int IndexOf(const CoveredSize& size) {
  int index = size.rank - 1;
  index = index * kRanks + size.axis;
  index = index * kAxisForms + static_cast<int>(size.form);
  index = index * kSplits + size.split;
  index = index * static_cast<int>(kBlocks.size()) + size.block;
  return index * kRoomOfLength + size.length;
}

CoveredSize SizeOf(int index) {
  CoveredSize size;
  const auto take = [&](int count) {
    return std::exchange(index, index / count) % count;
  };
  size.length = take(kRoomOfLength);
  size.block = take(static_cast<int>(kBlocks.size()));
  size.split = take(kSplits);
  size.form = static_cast<AxisForm>(take(kAxisForms));
  size.axis = take(kRanks);
  size.rank = take(kRanks) + 1;
  // Indices that no level names are legal too.
  if (size.axis >= size.rank) size.axis = size.rank - 1;
  if (size.form == AxisForm::kDefault && size.axis != 1) size.form = AxisForm::kPositive;
  return size;
}

Shape ShapeOf(const CoveredSize& size) {
  Shape shape(static_cast<size_t>(size.rank), 1);
  auto at = static_cast<size_t>(size.axis);
  if (size.split == 1) at = at + 1 == shape.size() ? 0 : shape.size() - 1;
  if (size.split < 2 || size.length < 2) {
    shape[at] = size.length;
    return shape;
  }
  int64_t rest = size.length;
  for (int64_t factor = rest; factor > 1; --factor) {
    const auto is_prime = [&] {
      for (int64_t i = 2; i * i <= factor; ++i) {
        if (factor % i == 0) return false;
      }
      return true;
    };
    while (rest % factor == 0 && is_prime()) {
      rest /= factor;
      shape[at] *= factor;
      at = (at + 1) % shape.size();
    }
  }
  return shape;
}

std::vector<int> LevelsOf(ScaleGranularity granularity, const std::vector<int>& own) {
  const bool per_tensor = granularity == ScaleGranularity::kPerTensor;
  const bool blocked = granularity == ScaleGranularity::kBlocked;
  std::vector<int> levels(kFactors, 1);
  levels[kRemainder] = kRemainders;
  levels[kRank] = kRanks;
  levels[kAxis] = per_tensor ? 1 : kRanks;
  levels[kAxisForm] = per_tensor ? 1 : kAxisForms;
  levels[kSplit] = kSplits;
  levels[kBlock] = blocked ? static_cast<int>(kBlocks.size()) : 1;
  levels.insert(levels.end(), own.begin(), own.end());
  return levels;
}

}  // namespace

bool IsAskedSplitSize(const Cell& cell) {
  constexpr uint64_t kOneIn = 32;
  const uint64_t turn = HashOfTypes(cell).hash() % 1000 +
                        static_cast<uint64_t>(cell.since_version) +
                        5 * static_cast<uint64_t>(GranularityOf(cell));
  return turn % kOneIn == 0;
}

ChannelLayout CoveredLayout(ScaleGranularity granularity, int index) {
  if (index == kSplitSize) {
    return LayoutOf(granularity, {{263, 251}, 1, AxisForm::kDefault, 16});
  }
  CoveredSize size = SizeOf(index);
  // Rank 1 is open where a scale has rank 1 too (QL-32, DQ-34).
  if (granularity != ScaleGranularity::kPerTensor && size.rank == 1) size.rank = 2;
  return LayoutOf(granularity, {ShapeOf(size), size.axis, size.form,
                                kBlocks[static_cast<size_t>(size.block)]});
}

CoveredSizes::CoveredSizes(const Cell& cell, const std::vector<int>& own)
    : granularity_(GranularityOf(cell)),
      array_(LevelsOf(granularity_, own), HashOfTypes(cell).hash() % 1000 +
                                              static_cast<uint64_t>(cell.since_version)) {
}

CoveredSizes::Row CoveredSizes::Next(
    int length, const std::function<bool(const std::vector<int>&)>& allows) {
  assert(0 <= length && length <= kMostLength);
  CoveringRow row(array_.factors(), kFreeLevel);
  row[kRemainder] = length % kRemainders;
  const bool per_tensor = granularity_ == ScaleGranularity::kPerTensor;
  const int far = length - kFirstFarAxis;
  if (!per_tensor && 0 <= far && far < static_cast<int>(kRanksOfFarAxes.size())) {
    row[kRank] = kRanksOfFarAxes[static_cast<size_t>(far)] - 1;
    row[kAxis] = 0;
    row[kAxisForm] = static_cast<int>(AxisForm::kNegative);
  }
  row = array_.Add(std::move(row), [&](const CoveringRow& chosen) {
    const int rank = chosen[kRank];
    const int axis = chosen[kAxis];
    if (rank == 0 && !per_tensor) return false;
    if (rank != kFreeLevel && axis > rank) return false;
    const bool is_default = chosen[kAxisForm] == static_cast<int>(AxisForm::kDefault);
    if (is_default && axis != kFreeLevel && axis != 1) return false;
    return allows({chosen.begin() + kFactors, chosen.end()});
  });
  Row made;
  made.index = IndexOf({.length = length,
                        .rank = row[kRank] + 1,
                        .axis = row[kAxis],
                        .form = static_cast<AxisForm>(row[kAxisForm]),
                        .split = row[kSplit],
                        .block = row[kBlock]});
  made.own.assign(row.begin() + kFactors, row.end());
  made.levels = std::move(row);
  return made;
}

}  // namespace qconform::generators
