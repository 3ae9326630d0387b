#include "cases/convolution/covered_sizes.h"

#include <array>
#include <cassert>
#include <utility>

#include "cases/core/content.h"
#include "cases/core/covered_sums.h"

namespace qconform::generators {
namespace {

// The factors, in the order of a row. That of the operator follows.
enum Factor : size_t {
  kTermsLeft,
  kPositionsLeft,
  kRank,
  kGroups,
  kOutputs,
  kKernel,
  kFactors
};

// Remainders of the products in a sum and of the output elements.
constexpr int kTerms = 16;
constexpr int kPositions = 8;
constexpr int kRanks = 3;
constexpr std::array<int64_t, 3> kGroupCounts{1, 2, 3};
constexpr std::array<int64_t, 4> kOutputCounts{1, 2, 3, 5};
// How many places the kernel has, if that divides the products of a sum; otherwise 1.
constexpr std::array<int64_t, 3> kKernels{1, 2, 3};
// 1 to 64 output elements, and the places of CoveredSum, have this room in an index.
constexpr int kMostPositions = 64;
constexpr int kRoomOfPlaces = 128;
static_assert(kRanks *
                  static_cast<int>(kGroupCounts.size() * kOutputCounts.size() *
                                   kKernels.size()) *
                  kMostPositions * kRoomOfPlaces <=
              kFirstLargeConvolution);

const ConvolutionSizes& LargeSizes(int index) {
  static const std::array<ConvolutionSizes, kLargeConvolutions> kLarge{
      {{1, 1, 2, 3, {1031}, {2}},
       {1, 1, 3, 1027, {2, 2}, {1, 2}},
       {18, 2, 2, 3, {5}, {2}},
       {1, 1, 1, 1, {259, 258}, {2, 1}}}};
  return kLarge[static_cast<size_t>(index - kFirstLargeConvolution) % kLarge.size()];
}

}  // namespace

ConvolutionSizes CoveredConvolution(int index) {
  if (index >= kFirstLargeConvolution) return LargeSizes(index);
  const auto take = [&](size_t count) {
    const auto divisor = static_cast<int>(count);
    return static_cast<size_t>(std::exchange(index, index / divisor) % divisor);
  };
  const auto place = static_cast<int>(take(kRoomOfPlaces));
  int64_t terms = CoveredSum(place % kCoveredSums);
  if (terms == 0) terms = 1;
  const auto positions = static_cast<int64_t>(take(kMostPositions)) + 1;
  const int64_t kernel = kKernels[take(kKernels.size())];
  ConvolutionSizes sizes;
  sizes.outputs = kOutputCounts[take(kOutputCounts.size())];
  sizes.group = kGroupCounts[take(kGroupCounts.size())];
  const size_t rank = take(kRanks) + 1;
  sizes.kernel = Shape(rank, 1);
  if (terms % kernel == 0) sizes.kernel.front() = kernel;
  sizes.channels = terms / sizes.kernel.front();
  // The output elements along one axis, or along two.
  Shape output(rank, 1);
  output.front() = positions;
  for (const int64_t factor : {3, 2, 5, 7}) {
    if (rank == 1 || positions % factor != 0) continue;
    output.back() = factor;
    output.front() = positions / factor;
    break;
  }
  for (size_t i = 0; i < rank; ++i) {
    sizes.input.push_back(output[i] + sizes.kernel[i] - 1);
  }
  return sizes;
}

CoveredConvolutions::CoveredConvolutions(const Cell& cell, int variants)
    : turn_(HashOfTypes(cell).hash() % 1000),
      array_({kTerms, kPositions, kRanks, static_cast<int>(kGroupCounts.size()),
              static_cast<int>(kOutputCounts.size()), static_cast<int>(kKernels.size()),
              variants},
             turn_) {}

CoveredConvolutions::Row CoveredConvolutions::Next(int place) {
  assert(0 < place && place < kCoveredSums);
  // Each number of output elements once at the places of short sums.
  const auto positions =
      static_cast<int>((static_cast<uint64_t>(place) * 29 + turn_) % kMostPositions);
  CoveringRow row(array_.factors(), kFreeLevel);
  row[kTermsLeft] = static_cast<int>(CoveredSum(place) % kTerms);
  row[kPositionsLeft] = positions % kPositions;
  row = array_.Add(std::move(row));
  size_t index = static_cast<size_t>(row[kRank]);
  index = index * kGroupCounts.size() + static_cast<size_t>(row[kGroups]);
  index = index * kOutputCounts.size() + static_cast<size_t>(row[kOutputs]);
  index = index * kKernels.size() + static_cast<size_t>(row[kKernel]);
  index = index * kMostPositions + static_cast<size_t>(positions);
  Row made;
  made.index = static_cast<int>(index) * kRoomOfPlaces + place;
  made.variant = row.back();
  made.levels = std::move(row);
  return made;
}

}  // namespace qconform::generators
