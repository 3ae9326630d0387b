// The generators that operators with a convolution have in common: which sizes, zero
// points and codes of x and w a content has. What operators do with the sums is their
// own.
#ifndef QCONFORM_CASES_CONVOLUTION_GENERATORS_H_
#define QCONFORM_CASES_CONVOLUTION_GENERATORS_H_

#include <span>
#include <string_view>

#include "cases/convolution/question.h"

namespace qconform::generators {

struct ConvolutionGenerator {
  std::string_view name;
  std::string_view sentence;
  // Fills in sizes, zero points, x and w.
  void (*fill)(ConvolutionQuestion&);
  int count = 0;  // how many indices a cell is asked at level standard
  // It makes no sense without zero points.
  bool has_zero_points = false;
};

// In the order of their lists.
std::span<const ConvolutionGenerator> ConvolutionGenerators();
// Returns null if it is none of these.
const ConvolutionGenerator* FindConvolutionGenerator(std::string_view name);

// Large convolutions, at level exhaustive.
inline constexpr int kHugeConvolutions = 8;

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_CONVOLUTION_GENERATORS_H_
