// A small graph with its operands, written down in few lines.
#ifndef QCONFORM_ORACLE_GRAPHS_TESTING_SMALL_GRAPH_H_
#define QCONFORM_ORACLE_GRAPHS_TESTING_SMALL_GRAPH_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "oracle/formats/codes.h"
#include "oracle/graphs/graph.h"

namespace qconform::graph_test {

inline Tensor TensorOf(DataType type, Shape shape, const std::vector<uint64_t>& codes) {
  Tensor tensor = Tensor::Zeros(type, std::move(shape));
  for (size_t i = 0; i < codes.size(); ++i) {
    WriteCode(tensor.mutable_view(), static_cast<int64_t>(i), codes[i]);
  }
  return tensor;
}

// Integers by their values.
inline Tensor Integers(DataType type, Shape shape, const std::vector<int64_t>& values) {
  std::vector<uint64_t> codes;
  const uint64_t mask =
      BitWidth(type) >= 64 ? ~uint64_t{0} : (uint64_t{1} << BitWidth(type)) - 1;
  for (const int64_t value : values) codes.push_back(static_cast<uint64_t>(value) & mask);
  return TensorOf(type, std::move(shape), codes);
}

inline Tensor Floats(Shape shape, const std::vector<float>& values) {
  std::vector<uint64_t> codes;
  for (const float value : values) {
    uint32_t code = 0;
    std::memcpy(&code, &value, sizeof(code));
    codes.push_back(code);
  }
  return TensorOf(DataType::kFloat, std::move(shape), codes);
}

inline uint64_t CodeOf(float value) { return ReadCode(Floats({}, {value}).view(), 0); }

class SmallGraph {
 public:
  SmallGraph& Input(std::string name, Tensor tensor) {
    graph_.inputs.push_back(std::move(name));
    tensors_.push_back(std::move(tensor));
    return *this;
  }

  SmallGraph& Add(std::string op_type, int since_version, std::vector<std::string> inputs,
                  std::vector<std::string> outputs,
                  std::vector<Attribute> attributes = {}) {
    graph_.body.push_back({.op_type = std::move(op_type),
                           .domain = {},
                           .inputs = std::move(inputs),
                           .outputs = std::move(outputs),
                           .attributes = std::move(attributes)});
    versions_.push_back(since_version);
    return *this;
  }

  SmallGraph& Output(std::string name) {
    graph_.outputs.push_back(std::move(name));
    return *this;
  }

  Operands operands() const {
    Operands operands;
    for (const Tensor& tensor : tensors_) operands.emplace_back(tensor.view());
    return operands;
  }

  // The tensors may be changed afterwards.
  std::unique_ptr<const BoundGraph> Bind() {
    graph_.op_type = kGraphOpType;
    auto bound = BindGraph(graph_, versions_);
    EXPECT_TRUE(bound) << bound.error().message;
    return bound ? *std::move(bound) : nullptr;
  }

  std::vector<Answer> Evaluate(const ReadingSet& readings = {}) {
    const auto bound = Bind();
    if (bound == nullptr) return {};
    const auto validity = bound->Validate(operands());
    EXPECT_TRUE(validity && validity->kind == ModelValidity::Kind::kValid)
        << (validity ? validity->reason : validity.error().message);
    auto answers = bound->Evaluate(operands(), readings);
    EXPECT_TRUE(answers) << answers.error().message;
    return answers ? *std::move(answers) : std::vector<Answer>();
  }

  Tensor& tensor(size_t input) { return tensors_[input]; }

 private:
  Node graph_;
  std::vector<int> versions_;
  std::vector<Tensor> tensors_;
};

// x and its parameters, dequantized as `name`.
inline void AddDequantize(SmallGraph& graph, const std::string& x, Tensor codes,
                          float scale, int64_t zero_point, const std::string& name) {
  const DataType type = codes.type;
  graph.Input(x, std::move(codes))
      .Input(x + "_scale", Floats({}, {scale}))
      .Input(x + "_zero_point", Integers(type, {}, {zero_point}))
      .Add("DequantizeLinear", 21, {x, x + "_scale", x + "_zero_point"}, {name});
}

// The same of x, quantized as `name`, with parameters of that name.
inline void AddQuantize(SmallGraph& graph, const std::string& x, DataType type,
                        float scale, int64_t zero_point, const std::string& name) {
  graph.Input(name + "_scale", Floats({}, {scale}))
      .Input(name + "_zero_point", Integers(type, {}, {zero_point}))
      .Add("QuantizeLinear", 21, {x, name + "_scale", name + "_zero_point"}, {name});
}

// The codes of an answer.
inline std::vector<uint32_t> CodesOf(const Answer& answer) {
  std::vector<uint32_t> codes;
  for (const ElementAnswer& element : answer.elements) codes.push_back(element.code);
  return codes;
}

}  // namespace qconform::graph_test

#endif  // QCONFORM_ORACLE_GRAPHS_TESTING_SMALL_GRAPH_H_
