// Compares an operator's dimensions with the operands of each element, which come from
// the operator's own index arithmetic.
#ifndef QCONFORM_ORACLE_CORE_TESTING_DIMENSIONS_CHECK_H_
#define QCONFORM_ORACLE_CORE_TESTING_DIMENSIONS_CHECK_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "oracle/core/operator.h"
#include "oracle/formats/codes.h"

namespace qconform {

// An operand of this type and shape, element i of which has the code i.
inline Tensor Numbered(DataType type, const Shape& shape) {
  Tensor tensor = Tensor::Zeros(type, shape);
  for (int64_t i = 0; i < *ElementCount(shape); ++i) {
    WriteCode(tensor.mutable_view(), i, static_cast<uint64_t>(i));
  }
  return tensor;
}

// Expects that each axis belongs to at most one dimension and has its size; others
// have 1.
inline void ExpectSizes(const std::map<std::pair<size_t, size_t>, int64_t>& found,
                        size_t tensor, const Shape& shape) {
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    const auto size = found.find({tensor, axis});
    EXPECT_EQ(size == found.end() ? 1 : size->second, shape[axis])
        << "axis " << axis << " of tensor " << tensor;
  }
}

// `tensors` are Numbered, in the order of the schema; a tensor that is left out has no
// type.
inline void ExpectDimensionsMatch(const Operator& op, const BoundOperator& bound,
                                  const std::vector<Tensor>& tensors) {
  Operands operands;
  Operands without_data;
  for (const Tensor& tensor : tensors) {
    const bool is_there = tensor.type != DataType::kUndefined;
    operands.push_back(is_there ? std::optional(tensor.view()) : std::nullopt);
    without_data.push_back(operands.back());
    if (is_there) without_data.back()->data = {};
  }
  const auto made = bound.DimensionsOf(without_data);
  ASSERT_TRUE(made.ok()) << made.error().message;
  const Dimensions& dimensions = *made;
  const auto answers = bound.Evaluate(operands, ReadingSet());
  ASSERT_TRUE(answers.ok()) << answers.error().message;

  // (1) Sizes.
  std::map<std::pair<size_t, size_t>, int64_t> of_operands, of_outputs;
  std::map<std::string, int> names;
  for (const Dimension& dimension : dimensions) {
    EXPECT_EQ(++names[dimension.name], 1) << dimension.name;
    EXPECT_EQ(dimension.is_summed, dimension.outputs.empty()) << dimension.name;
    for (const auto& [places, found] : {std::pair(&dimension.operands, &of_operands),
                                        std::pair(&dimension.outputs, &of_outputs)}) {
      for (const AxisPlace& place : *places) {
        const int64_t size = SizeAt(dimension, place);
        EXPECT_TRUE(found->emplace(std::pair(place.tensor, place.axis), size).second)
            << dimension.name << " has an axis that another one has, too";
      }
    }
  }
  for (size_t i = 0; i < tensors.size(); ++i)
    ExpectSizes(of_operands, i, tensors[i].shape);
  for (size_t i = 0; i < answers->size(); ++i) {
    ExpectSizes(of_outputs, i, (*answers)[i].shape);
  }

  // (2) Where the operands of each element lie.
  for (size_t output = 0; output < answers->size(); ++output) {
    const Shape& shape = (*answers)[output].shape;
    for (int64_t index = 0; index < *ElementCount(shape); ++index) {
      std::vector<int64_t> at(dimensions.size(), 0);
      int64_t rest = index;
      for (size_t axis = shape.size(); axis-- > 0; rest /= shape[axis]) {
        for (size_t d = 0; d < dimensions.size(); ++d) {
          for (const AxisPlace& place : dimensions[d].outputs) {
            if (place.tensor == output && place.axis == axis) at[d] = rest % shape[axis];
          }
        }
      }
      const auto elements = bound.OperandsOfElement(operands, output, index);
      ASSERT_TRUE(elements.ok()) << elements.error().message;
      for (const ElementOperand& element : *elements) {
        const size_t bracket = element.name.find('[');
        const std::string name = element.name.substr(0, bracket);
        size_t operand = 0;
        while (operand < tensors.size() && op.operands()[operand].name != name) ++operand;
        if (operand == tensors.size()) continue;  // of no operand, such as a sum
        if (bracket != std::string::npos) {       // "a[2 of 5]", along what is summed
          for (size_t d = 0; d < dimensions.size(); ++d) {
            if (dimensions[d].is_summed)
              at[d] = std::atoll(element.name.c_str() + bracket + 1);
          }
        }
        int64_t expected = 0;
        for (size_t axis = 0; axis < tensors[operand].shape.size(); ++axis) {
          int64_t coordinate = 0;
          for (size_t d = 0; d < dimensions.size(); ++d) {
            for (const AxisPlace& place : dimensions[d].operands) {
              if (place.tensor == operand && place.axis == axis)
                coordinate = at[d] / place.block;
            }
          }
          expected = expected * tensors[operand].shape[axis] + coordinate;
        }
        EXPECT_EQ(element.code, static_cast<uint64_t>(expected))
            << element.name << " of element " << index;
      }
    }
  }
}

}  // namespace qconform

#endif  // QCONFORM_ORACLE_CORE_TESTING_DIMENSIONS_CHECK_H_
