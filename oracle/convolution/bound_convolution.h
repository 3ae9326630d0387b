// What every operator that has a convolution answers alike, as a BoundOperator.
#ifndef QCONFORM_ORACLE_CONVOLUTION_BOUND_CONVOLUTION_H_
#define QCONFORM_ORACLE_CONVOLUTION_BOUND_CONVOLUTION_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/convolution/dimensions.h"
#include "oracle/convolution/geometry.h"
#include "oracle/convolution/isolate.h"
#include "oracle/core/operator.h"
#include "oracle/formats/codes.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// Op, a struct of static members, has
//   type Problem, with the operands x and w
//   Problem ProblemOf(since_version, attributes, operands)
//   size_t kX, kW (positions in the schema), kOperands (their number)
// For a Problem, Resolve, ResolveWithoutData and ValidGeometry are found in its
// namespace.
template <typename Op>
class BoundConvolution : public BoundOperator {
 public:
  using Problem = typename Op::Problem;

  BoundConvolution(int since_version, ConvolutionAttributes attributes)
      : since_version_(since_version), attributes_(std::move(attributes)) {}

  Result<ModelValidity> Validate(const Operands& operands) const override {
    return Resolve(Asked(operands)).validity;
  }

  Result<std::vector<ElementOperand>> OperandsOfElement(const Operands& operands, size_t,
                                                        int64_t index) const override {
    const auto one = ElementAt(operands, index);
    if (!one) return one.error();
    const Problem& problem = one->problem;
    std::vector<ElementOperand> elements =
        ShownPairs(one->geometry, problem.x, problem.w, one->element);
    for (ElementOperand& result : ResultsOf(*one)) elements.push_back(std::move(result));
    for (const Parameter& parameter : ParametersAt(*one)) {
      elements.push_back({std::string(parameter.name), parameter.tensor.type,
                          ReadCode(parameter.tensor, parameter.index)});
    }
    return elements;
  }

  Result<std::vector<Tensor>> IsolateElement(const Operands& operands, size_t,
                                             int64_t index) const override {
    const auto one = ElementAt(operands, index);
    if (!one) return one.error();
    const Problem& problem = one->problem;
    std::vector<Tensor> isolated(Op::kOperands);
    isolated[Op::kX] = IsolateWindow(one->geometry, problem.x, one->element);
    isolated[Op::kW] = IsolateKernel(one->geometry, problem.w, one->element);
    for (const Parameter& parameter : ParametersAt(*one)) {
      Tensor& tensor = isolated[parameter.operand];
      tensor = Tensor::Zeros(parameter.tensor.type, parameter.isolated);
      WriteCode(tensor.mutable_view(), 0, ReadCode(parameter.tensor, parameter.index));
    }
    return isolated;
  }

  Result<std::vector<Attribute>> IsolatedAttributes(const Operands& operands, size_t,
                                                    int64_t index) const override {
    const auto one = ElementAt(operands, index);
    if (!one) return one.error();
    return IsolatedConvolutionAttributes(one->geometry, one->element);
  }

  Result<Dimensions> DimensionsOf(const Operands& operands) const override {
    const Problem problem = Asked(operands);
    const auto geometry = ValidGeometry(ResolveWithoutData(problem));
    if (!geometry) return geometry.error();
    return ConvolutionDimensions(*geometry, Op::kX, Op::kW, ChannelParameters(problem));
  }

 protected:
  // An element of a valid problem.
  struct One {
    Problem problem;
    ConvolutionGeometry geometry;
    ConvolutionElement element;
  };

  // A scale, zero point or bias of an element.
  struct Parameter {
    size_t operand;
    std::string_view name;
    TensorView tensor;
    int64_t index;
    Shape isolated{};  // its shape in the problem of one element
  };

  Problem Asked(const Operands& operands) const {
    return Op::ProblemOf(since_version_, attributes_, operands);
  }

 private:
  virtual std::vector<Parameter> ParametersAt(const One& one) const = 0;
  // Those that may be given by output channel.
  virtual std::vector<ChannelParameterPlace> ChannelParameters(
      const Problem& problem) const = 0;
  // Intermediate results that evidence shows between the products and the parameters.
  virtual std::vector<ElementOperand> ResultsOf(const One&) const { return {}; }

  Result<One> ElementAt(const Operands& operands, int64_t index) const {
    const Problem problem = Asked(operands);
    auto geometry = ValidGeometry(Resolve(problem));
    if (!geometry) return geometry.error();
    const ConvolutionElement element = ElementOf(*geometry, index);
    return One{problem, *std::move(geometry), element};
  }

  int since_version_;
  ConvolutionAttributes attributes_;
};

}  // namespace qconform

#endif  // QCONFORM_ORACLE_CONVOLUTION_BOUND_CONVOLUTION_H_
