// Convolutions with a mistake, for tests that the contents of a cell show each of them.
#ifndef QCONFORM_CASES_CONVOLUTION_TESTING_WRONG_SUMS_H_
#define QCONFORM_CASES_CONVOLUTION_TESTING_WRONG_SUMS_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "cases/convolution/geometry.h"
#include "cases/core/case.h"

namespace qconform::generators {

enum class ConvolutionMistake : uint8_t {
  kNone,
  kRawZeroPadding,         // x is padded with the code 0
  kRowSumsWithoutPadding,  // the sums of x that w's zero point is multiplied by
  kWZeroIgnored,           // w's zero point
  kXZeroIgnored,           // x's zero point, where there is no padding
  kFirstWZero,             // of all output channels
  kWZeroByChannelOfGroup,  // counts output channels within a group
  kWZeroByInputChannel,
  kWZeroByPosition,  // along the last axis of y
  kWZeroByBatch,
  kFlipped,  // the kernel, along all axes
  kFlippedLastAxis,
  kTransposedKernel,  // the last two axes
  kTransposedStrides,
  kTransposedDilations,
  kTransposedPads,
  kSwappedPads,       // beginnings for ends
  kOddPadAtOtherEnd,  // of SAME_UPPER and SAME_LOWER
  kDilationIgnoredInAutoPad,
  kDilationIgnored,
  kStrideIgnoredInAutoPad,
  kStrideIgnored,
  kBorderReplicated,
  kFirstGroupsInput,   // every group reads the channels of the first one
  kInterleavedGroups,  // output channel m belongs to group m modulo group
  kFirstBatchOnly,
  kLastTermLeftOut,
  kTermsBeyond256LeftOut,
  kTermsBeyond1024LeftOut,
  kOddTermLeftOut,  // the last one of an odd number
  kTailOf4LeftOut,
  kTailOf16LeftOut,
  kTailOf64LeftOut,
  kSaturatedPairs,            // of raw codes, as u8 and s8, neighbours in the kernel
  kSaturatedPairsOfChannels,  // the same, neighbours among the channels
  kSaturated16,               // the accumulator
  kFloatAccumulator,
};
inline constexpr int kConvolutionMistakes =
    static_cast<int>(ConvolutionMistake::kFloatAccumulator) + 1;

std::string_view MistakeName(ConvolutionMistake mistake);

struct ConvolutionCase {
  ConvolutionSizes sizes;
  DataType x_type = DataType::kUint8;
  DataType w_type = DataType::kUint8;
  std::vector<int64_t> x;  // values
  std::vector<int64_t> w;
  int64_t x_zero = 0;
  std::vector<int64_t> w_zeros;  // one or M
};

// Reads a case; `x_zero` and `w_zero` are the places of its zero points.
ConvolutionCase CaseOf(const OpCase& made, size_t w, size_t x_zero, size_t w_zero);

// The sums of all elements of y; nothing if the mistake changes the shape of y or has no
// meaning for the case.
std::optional<std::vector<int64_t>> SumsOf(const ConvolutionCase& asked,
                                           ConvolutionMistake mistake);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_CONVOLUTION_TESTING_WRONG_SUMS_H_
