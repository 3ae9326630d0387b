// Negative models that operators with a convolution have in common: shapes and
// attributes.
#ifndef QCONFORM_CASES_CONVOLUTION_NEGATIVE_CONVOLUTION_H_
#define QCONFORM_CASES_CONVOLUTION_NEGATIVE_CONVOLUTION_H_

#include <vector>

#include "cases/negative/rows.h"

namespace qconform::negative {

// One model. The defaults are a legal one.
struct ConvolutionSpec {
  Shape x{1, 2, 5, 4};
  Shape w{4, 2, 3, 2};
  std::vector<Attribute> attributes{};
  Shape y{1, 4, 3, 3};
};

// What the tables ask of an operator.
struct ConvolutionOperator {
  FedModel (*build)(const ConvolutionSpec& spec, int opset_version);
  std::vector<int> every;  // since_versions
  // Clauses.
  const char* invalid;
  const char* legal_windows;  // kernels, strides, dilations, pads
  const char* legal_groups;
  const char* open_auto_pad;  // auto_pad beside pads
  const char* open_empty;     // a dimension of 0
};

void AddConvolutionInvalid(const ConvolutionOperator& op,
                           std::vector<NegativeModel>& models);
void AddConvolutionLegal(const ConvolutionOperator& op,
                         std::vector<NegativeModel>& models);
void AddConvolutionOpen(const ConvolutionOperator& op,
                        std::vector<NegativeModel>& models);

}  // namespace qconform::negative

#endif  // QCONFORM_CASES_CONVOLUTION_NEGATIVE_CONVOLUTION_H_
