// Random convolutions, and questions about them as the oracle is asked. For the agreement
// tests only.
#ifndef QCONFORM_ORACLE_EXACT_TESTING_CONVOLUTION_QUESTIONS_H_
#define QCONFORM_ORACLE_EXACT_TESTING_CONVOLUTION_QUESTIONS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/attribute.h"
#include "oracle/core/operator.h"
#include "oracle/exact/answer.h"
#include "oracle/exact/convolution.h"
#include "oracle/exact/testing/agreement.h"

namespace qconform::agreement {

struct RandomConvolution {
  exact::ConvolutionAttributes attributes;
  std::vector<int64_t> x_shape;
  std::vector<int64_t> w_shape;
};

// Returns a valid convolution with at least one element and, unless one channel is wide,
// few: one to three axes, groups up to depthwise, strides, dilations, pads and each
// auto_pad; kernels larger than x.
RandomConvolution MakeConvolution(Random& random);

// Returns codes of any kind: all values, the ends of the range, small differences from
// one of them.
exact::Codes RandomOperand(int type, const std::vector<int64_t>& shape, Random& random);

// Returns the attributes of a node. Some that have the default are left out, and
// kernel_shape is.
std::vector<Attribute> NodeAttributes(const RandomConvolution& convolution,
                                      Random& random);

std::string ToString(const exact::ConvolutionAttributes& attributes);

// Returns "\n  name ..." of an operand, with only the first codes of a long one.
std::string OperandText(const char* name, const std::optional<exact::Codes>& operand);

// A question to the oracle about an operator. Operands that are nothing are left out.
class OracleQuestion {
 public:
  OracleQuestion(std::string_view op_type, int since_version,
                 const std::vector<Attribute>& attributes,
                 const std::vector<std::optional<exact::Codes>>& operands);
  OracleQuestion(const OracleQuestion&) = delete;
  OracleQuestion& operator=(const OracleQuestion&) = delete;

  // Returns every admissible combination, the canonical one first; none if the oracle
  // refuses.
  std::vector<ReadingSet> Readings() const;

  // Returns the answer for the first output. An Error if the oracle refuses.
  Result<Answer> Evaluate(const ReadingSet& readings) const;

  // Returns why the oracle calls the model open or invalid; empty if it does not.
  std::string Refusal() const;

 private:
  std::vector<Tensor> tensors_;
  Operands operands_;
  std::unique_ptr<const BoundOperator> bound_;
  std::string error_;
};

}  // namespace qconform::agreement

#endif  // QCONFORM_ORACLE_EXACT_TESTING_CONVOLUTION_QUESTIONS_H_
