// The catalogue of ConvInteger's faults.
#include "harness/convolution/convolution_faults.h"
#include "harness/core/common_faults.h"
#include "harness/operators/conv_integer/faults.h"

namespace qconform::conv_integer {
namespace {

using S = ConvIntegerSwitches;

Declaration PerChannel(const Cell& cell) {
  if (cell.granularity == "per_channel") return Deviates();
  return Equivalent("w has one zero point");
}

}  // namespace

std::vector<OperatorFault> Catalogue() {
  std::vector<OperatorFault> faults;
  for (const ConvolutionFault& fault : ConvolutionFaults()) {
    faults.push_back({fault.text, S{.sum = fault.mistakes}});
    if (fault.only_per_channel) faults.back().declare = PerChannel;
  }
  faults.push_back({{"result_of_16_bits", "The sum saturates to INT16."},
                    S{.range = S::Range::kInt16}});
  faults.push_back({{"result_of_24_bits", "The sum saturates to 24 bits.",
                     "DSPs with accumulators of 24 bits"},
                    S{.range = S::Range::kInt24}});
  faults.push_back({{"result_through_float", "The sum is rounded to FLOAT.",
                     "kernels that compute in FLOAT and convert the result"},
                    S{.range = S::Range::kFloat}});
  faults.push_back({common_faults::kLastElementUnwritten, S{.last_unwritten = true}});
  return faults;
}

}  // namespace qconform::conv_integer
