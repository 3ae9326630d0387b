#include "oracle/graphs/axes/isolate.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "oracle/core/testing/dimensions_check.h"
#include "oracle/graphs/graph.h"

namespace qconform {
namespace {

Node IsolatedOp(const char* op_type, std::vector<std::string> inputs, const char* output,
                std::vector<Attribute> attributes = {}) {
  Node node;
  node.op_type = op_type;
  node.inputs = std::move(inputs);
  node.outputs = {output};
  node.attributes = std::move(attributes);
  return node;
}

struct Isolating {
  std::unique_ptr<const BoundGraph> bound;
  std::vector<Tensor> tensors;

  Operands operands() const {
    Operands views;
    for (const Tensor& tensor : tensors) views.emplace_back(tensor.view());
    return views;
  }
};

Tensor ScalesOf(const std::vector<uint64_t>& codes) {
  Tensor tensor = Tensor::Zeros(DataType::kFloat, {static_cast<int64_t>(codes.size())});
  for (size_t i = 0; i < codes.size(); ++i) {
    WriteCode(tensor.mutable_view(), static_cast<int64_t>(i), codes[i]);
  }
  return tensor;
}

// a [2, 3] with a scale for each column, b [3], combined by `op_type`.
Isolating Binary(const char* op_type) {
  Node graph;
  graph.op_type = kGraphOpType;
  graph.inputs = {"a", "a_scale", "b", "b_scale", "y_scale"};
  graph.outputs = {"y"};
  graph.body = {
      IsolatedOp("DequantizeLinear", {"a", "a_scale"}, "da", {{"axis", int64_t{1}}}),
      IsolatedOp("DequantizeLinear", {"b", "b_scale"}, "db"),
      IsolatedOp(op_type, {"da", "db"}, "s"),
      IsolatedOp("QuantizeLinear", {"s", "y_scale"}, "y")};
  Isolating made;
  auto bound = BindGraph(graph, std::vector<int>(4, 21));
  EXPECT_TRUE(bound.ok()) << (bound ? "" : bound.error().message);
  made.bound = *std::move(bound);
  const Tensor half = ScalesOf({0x3f000000});
  made.tensors = {Numbered(DataType::kUint8, {2, 3}),
                  ScalesOf({0x3f800000, 0x40000000, 0x40800000}),  // 1, 2, 4
                  Numbered(DataType::kUint8, {3}),
                  Tensor{DataType::kFloat, {}, half.data},
                  Tensor{DataType::kFloat, {}, half.data}};
  return made;
}

// Each element alone has the answer that it has among the others.
TEST(IsolateGraphElement, Elementwise_HasTheSameAnswer) {
  const Isolating whole = Binary("Add");
  const auto answers = whole.bound->Evaluate(whole.operands(), ReadingSet());
  ASSERT_TRUE(answers.ok()) << answers.error().message;
  ASSERT_EQ(answers->front().elements.size(), 6u);
  for (int64_t i = 0; i < 6; ++i) {
    const auto alone = whole.bound->IsolateElement(whole.operands(), 0, i);
    ASSERT_TRUE(alone.ok()) << alone.error().message;
    Operands operands;
    for (const Tensor& tensor : *alone) operands.emplace_back(tensor.view());
    EXPECT_EQ((*alone)[0].shape, (Shape{1, 1}));
    const auto answer = whole.bound->Evaluate(operands, ReadingSet());
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    ASSERT_EQ(answer->front().elements.size(), 1u);
    EXPECT_EQ(answer->front().elements[0].code,
              answers->front().elements[static_cast<size_t>(i)].code);
    EXPECT_TRUE(whole.bound->DimensionsOf(operands).ok());
  }
}

TEST(IsolateGraphElement, OfASum_IsAnError) {
  const Isolating whole = Binary("MatMul");
  const auto alone = whole.bound->IsolateElement(whole.operands(), 0, 0);
  ASSERT_FALSE(alone.ok());
  EXPECT_EQ(alone.error().message,
            "graph: expected nodes that act on each element by itself, got MatMul");
}

}  // namespace
}  // namespace qconform
