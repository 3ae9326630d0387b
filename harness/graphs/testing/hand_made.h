// Small graphs that tests write down node by node, and what wrong graphs make of them.
#ifndef QCONFORM_HARNESS_GRAPHS_TESTING_HAND_MADE_H_
#define QCONFORM_HARNESS_GRAPHS_TESTING_HAND_MADE_H_

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/core/fault.h"
#include "harness/graphs/faults.h"
#include "harness/graphs/numbers.h"
#include "oracle/formats/codes.h"

namespace qconform::graphs {

inline constexpr int kHandMadeOpset = 21;

// Families.
inline constexpr const char* kRequantization = "graphs.requantization";
inline constexpr const char* kMovers = "graphs.movers";
inline constexpr const char* kChoosers = "graphs.choosers";
inline constexpr const char* kArithmetic = "graphs.arithmetic";
inline constexpr const char* kSums = "graphs.sums";
inline constexpr const char* kDynamic = "graphs.dynamic";

inline Node Make(std::string op_type, std::vector<std::string> inputs, std::string output,
                 std::vector<Attribute> attributes = {}) {
  return {.op_type = std::move(op_type),
          .domain = "",
          .inputs = std::move(inputs),
          .outputs = {std::move(output)},
          .attributes = std::move(attributes)};
}

struct HandMade {
  std::string family;
  std::vector<std::pair<std::string, Tensor>> operands;
  std::vector<Node> body;
  std::vector<std::string> outputs = {"y"};

  Node OuterNode() const {
    Node node{.op_type = family,
              .domain = "",
              .inputs = {},
              .outputs = outputs,
              .attributes = {},
              .body = body};
    for (const auto& [name, tensor] : operands) node.inputs.push_back(name);
    return node;
  }
  Operands Views() const {
    Operands views;
    for (const auto& [name, tensor] : operands) views.emplace_back(tensor.view());
    return views;
  }

  std::vector<TellingInput> TellingInputs(size_t most) const {
    return FindOperatorFaults(family)->TellingInputs(OuterNode(), kHandMadeOpset, Views(),
                                                     most);
  }

  std::shared_ptr<const DecodedCase> Decoded() const {
    const Node node = OuterNode();
    const Operands views = Views();
    const auto graph = Workspace::Create(node, kHandMadeOpset, views);
    EXPECT_TRUE(graph.ok()) << graph.error().message;
    if (!graph) return nullptr;
    Codes canonical;
    for (const std::string& output : outputs) {
      for (const uint64_t code : ReadCodes(graph->ValueOf(output)->view())) {
        canonical.push_back(static_cast<uint32_t>(code));
      }
    }
    const auto decoded = FindOperatorFaults(family)->Decode(node, kHandMadeOpset, views,
                                                            canonical, ReadingSet());
    EXPECT_TRUE(decoded.ok()) << decoded.error().message;
    return decoded ? *decoded : nullptr;
  }

  Codes By(std::string_view fault) const {
    const auto decoded = Decoded();
    const Fault* found = FindFault(fault);
    EXPECT_NE(found, nullptr) << fault;
    if (decoded == nullptr || found == nullptr) return {};
    FaultState state;
    return decoded->CodesOf(*found, state);
  }
  Codes Canonical() const { return Decoded()->canonical(); }
  std::string SentenceOf(std::string_view fault) const {
    return Decoded()->SentenceOf(*FindFault(fault)->SetFor(family));
  }
};

inline Tensor Of(DataType type, Shape shape, const std::vector<Number>& numbers) {
  return TensorOfNumbers(type, shape, numbers);
}

// The codes of FLOAT numbers.
inline Codes Floats(const std::vector<Number>& numbers) {
  Codes codes;
  const Tensor tensor =
      Of(DataType::kFloat, {static_cast<int64_t>(numbers.size())}, numbers);
  for (const uint64_t code : ReadCodes(tensor.view())) {
    codes.push_back(static_cast<uint32_t>(code));
  }
  return codes;
}

// Scale and zero point of codes; without shape they are per tensor. Without zero points
// the node has none.
struct Coding {
  DataType type = DataType::kUndefined;
  std::vector<Number> scales;
  std::vector<Number> zero_points{};
  std::optional<int64_t> axis{};
};

// A graph that is written down node by node.
class Draft {
 public:
  explicit Draft(std::string family) { graph_.family = std::move(family); }

  Draft& Feed(std::string name, Tensor tensor) {
    graph_.operands.emplace_back(std::move(name), std::move(tensor));
    return *this;
  }
  Draft& Add(std::string op_type, std::vector<std::string> inputs, std::string output,
             std::vector<Attribute> attributes = {}) {
    graph_.body.push_back(Make(std::move(op_type), std::move(inputs), std::move(output),
                               std::move(attributes)));
    return *this;
  }
  Draft& AddOf(const std::string& op_type, std::vector<std::string> inputs,
               std::vector<std::string> outputs) {
    Add(op_type, std::move(inputs), "");
    graph_.body.back().outputs = std::move(outputs);
    return *this;
  }
  // Feeds codes NAME, and adds the DequantizeLinear that gives dNAME.
  Draft& Dequantize(const std::string& name, const Coding& coding, Shape shape,
                    const std::vector<Number>& codes) {
    Feed(name, Of(coding.type, std::move(shape), codes));
    return Coded("DequantizeLinear", name, name, "d" + name, coding);
  }
  // Adds a DequantizeLinear of codes that a QuantizeLinear gives.
  Draft& DequantizeAgain(const std::string& codes, std::string output) {
    return Add("DequantizeLinear", {codes, codes + "_scale", codes + "_zero_point"},
               std::move(output));
  }
  // Adds the QuantizeLinear that gives NAME.
  Draft& Quantize(const std::string& value, const std::string& name,
                  const Coding& coding) {
    return Coded("QuantizeLinear", value, name, name, coding);
  }
  Draft& Return(std::vector<std::string> outputs) {
    graph_.outputs = std::move(outputs);
    return *this;
  }
  const HandMade& graph() const { return graph_; }

 private:
  Draft& Coded(const char* op_type, const std::string& value, const std::string& name,
               const std::string& output, const Coding& coding) {
    const Shape shape =
        coding.axis ? Shape{static_cast<int64_t>(coding.scales.size())} : Shape{};
    std::vector<std::string> inputs = {value, name + "_scale"};
    Feed(inputs.back(), Of(DataType::kFloat, shape, coding.scales));
    if (!coding.zero_points.empty()) {
      inputs.push_back(name + "_zero_point");
      Feed(inputs.back(), Of(coding.type, shape, coding.zero_points));
    }
    std::vector<Attribute> attributes;
    if (coding.axis) attributes.push_back({"axis", *coding.axis});
    return Add(op_type, std::move(inputs), output, std::move(attributes));
  }

  HandMade graph_;
};

// What a graph with one output gives: by the clauses, or with a fault.
struct WrongAnswer {
  std::string_view fault;
  std::vector<Number> numbers;
};

inline void ExpectAnswers(const Draft& draft, DataType type,
                          const std::vector<Number>& right,
                          const std::vector<WrongAnswer>& wrong) {
  const auto codes_of = [type](const std::vector<Number>& numbers) {
    Codes codes;
    const Tensor tensor = Of(type, {static_cast<int64_t>(numbers.size())}, numbers);
    for (const uint64_t code : ReadCodes(tensor.view())) {
      codes.push_back(static_cast<uint32_t>(code));
    }
    return codes;
  };
  EXPECT_EQ(draft.graph().Canonical(), codes_of(right));
  for (const WrongAnswer& answer : wrong) {
    EXPECT_NE(answer.numbers, right) << answer.fault;
    EXPECT_EQ(draft.graph().By(answer.fault), codes_of(answer.numbers)) << answer.fault;
  }
}

}  // namespace qconform::graphs

#endif  // QCONFORM_HARNESS_GRAPHS_TESTING_HAND_MADE_H_
