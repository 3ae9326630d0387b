// The generators that operators with a convolution have in common: which sizes, zero
// points and codes of x and w a content has. What operators do with the sums is their
// own.
#ifndef QCONFORM_CASES_CONVOLUTION_GENERATORS_H_
#define QCONFORM_CASES_CONVOLUTION_GENERATORS_H_

#include <span>
#include <string_view>
#include <vector>

#include "cases/convolution/question.h"

namespace qconform::generators {

struct ConvolutionGenerator {
  std::string_view name;
  std::string_view sentence;
  // Fills in sizes, zero points, x and w.
  void (*fill)(ConvolutionQuestion&);
  // How many indices differ in more than their random codes.
  int count = 0;
  // Of these a cell is asked one in `share` at level standard; the cells go through them.
  int share = 1;
  // It makes no sense without zero points.
  bool has_zero_points = false;
};

// In the order of their lists.
std::span<const ConvolutionGenerator> ConvolutionGenerators();
// Returns null if it is none of these.
const ConvolutionGenerator* FindConvolutionGenerator(std::string_view name);

// Large convolutions, at level exhaustive.
inline constexpr int kHugeConvolutions = 8;

// Which indices of a common generator a cell is asked at level standard.
std::vector<int> StandardIndices(const ConvolutionGenerator& generator, uint64_t turn);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_CONVOLUTION_GENERATORS_H_
