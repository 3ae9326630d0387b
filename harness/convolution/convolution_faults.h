// The faults of sums that every operator with a convolution can have, and what deviating
// elements of convolutions have in common.
#ifndef QCONFORM_HARNESS_CONVOLUTION_CONVOLUTION_FAULTS_H_
#define QCONFORM_HARNESS_CONVOLUTION_CONVOLUTION_FAULTS_H_

#include <functional>
#include <span>
#include <vector>

#include "harness/convolution/wrong_convolution.h"
#include "harness/core/operator_faults.h"
#include "harness/core/patterns/pattern.h"

namespace qconform {

struct ConvolutionFault {
  FaultText text;
  ConvolutionMistakes mistakes;
  bool only_per_channel = false;  // elsewhere w has one zero point
};

std::vector<ConvolutionFault> ConvolutionFaults();

// Returns what deviating elements of a convolution may have in common by their place.
// `decoded_of` returns the convolution of a case.
Patterns ConvolutionPatterns(
    std::span<const EvidenceCase> cases,
    const std::function<const DecodedConvolution&(const EvidenceCase&)>& decoded_of);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CONVOLUTION_CONVOLUTION_FAULTS_H_
