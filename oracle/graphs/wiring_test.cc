#include "oracle/graphs/wiring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/file.h"
#include "oracle/base/json.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

using Integers = std::vector<int64_t>;

Tensor Of(DataType type, Shape shape, const Integers& values = {}) {
  Tensor tensor = Tensor::Zeros(type, std::move(shape));
  if (type != DataType::kInt64 && type != DataType::kInt32) return tensor;
  for (size_t i = 0; i < values.size(); ++i) {
    const uint64_t mask = type == DataType::kInt32 ? 0xFFFFFFFF : ~uint64_t{0};
    WriteCode(tensor.mutable_view(), static_cast<int64_t>(i),
              static_cast<uint64_t>(values[i]) & mask);
  }
  return tensor;
}

Tensor Amounts(const Integers& values) {
  return Of(DataType::kInt64, {static_cast<int64_t>(values.size())}, values);
}

Operands ViewsOfOperands(const std::vector<std::optional<Tensor>>& tensors) {
  Operands views;
  for (const auto& tensor : tensors) {
    views.push_back(tensor ? std::optional(tensor->view()) : std::nullopt);
  }
  return views;
}

// The integer that a code of FLOAT is.
int64_t IntegerOf(uint32_t bits) {
  const ExactValue value = Decode(FormatOf(DataType::kFloat), bits);
  if (value.value_class == ValueClass::kZero) return 0;
  EXPECT_LE(value.exponent, 0);
  const auto magnitude = static_cast<int64_t>(value.significand >> -value.exponent);
  EXPECT_EQ(static_cast<uint64_t>(magnitude) << -value.exponent, value.significand);
  return value.negative ? -magnitude : magnitude;
}

// Evaluates wirings over integers, exactly.
class IntegerEvaluator {
 public:
  IntegerEvaluator(const Wiring& wiring, const std::vector<Integers>& operands)
      : wiring_(wiring), operands_(operands) {}

  int64_t Element(const WiredOutput& output, size_t i) const {
    Integers s;
    for (size_t at = output.first[i]; at < output.first[i + 1]; ++at) {
      s.push_back(ValueOf(output.sources[at]));
    }
    const auto clamp = [](int64_t value, int64_t low, int64_t high) {
      return std::min(std::max(value, low), high);
    };
    switch (wiring_.kind) {
      case WiredKind::kMove:
      case WiredKind::kCast:
        EXPECT_EQ(s.size(), 1u);
        return s[0];
      case WiredKind::kRelu:
        return std::max<int64_t>(s[0], 0);
      case WiredKind::kClip: {
        const int64_t low = wiring_.low ? ValueOf(*wiring_.low) : INT64_MIN;
        const int64_t high = wiring_.high ? ValueOf(*wiring_.high) : INT64_MAX;
        return clamp(s[0], low, high);
      }
      case WiredKind::kMaximum:
        return *std::ranges::max_element(s);
      case WiredKind::kMinimum:
        return *std::ranges::min_element(s);
      case WiredKind::kArgMax:
      case WiredKind::kArgMin: {
        size_t best = 0;
        for (size_t k = 1; k < s.size(); ++k) {
          const bool is_better =
              wiring_.kind == WiredKind::kArgMax ? s[k] > s[best] : s[k] < s[best];
          if (is_better || (wiring_.select_last_index && s[k] == s[best])) best = k;
        }
        return output.positions[output.first[i] + best];
      }
      case WiredKind::kAdd:
        return s[0] + s[1];
      case WiredKind::kSub:
        return s[0] - s[1];
      case WiredKind::kMul:
        return s[0] * s[1];
      case WiredKind::kDiv:
        EXPECT_EQ(s[0] % s[1], 0);
        return s[0] / s[1];
      case WiredKind::kPRelu:
        return s[0] < 0 ? s[0] * s[1] : s[0];
      case WiredKind::kLeakyRelu:
        return s[0] < 0 ? IntegerOf(wiring_.alpha) * s[0] : s[0];
      case WiredKind::kHardSigmoid:
        return clamp(IntegerOf(wiring_.alpha) * s[0] + IntegerOf(wiring_.beta), 0, 1);
      case WiredKind::kHardSwish:
        return s[0] * clamp(s[0] + 3, 0, 6) / 6;
      case WiredKind::kNeg:
        return -s[0];
      case WiredKind::kAbs:
        return s[0] < 0 ? -s[0] : s[0];
      case WiredKind::kSum: {
        int64_t sum = 0;
        for (size_t k = 0; k + 1 < s.size(); k += 2) sum += s[k] * s[k + 1];
        sum *= IntegerOf(wiring_.alpha);
        if (!output.bias.empty()) {
          sum += IntegerOf(wiring_.beta) * ValueOf(output.bias[i]);
        }
        return sum;
      }
      case WiredKind::kMean: {
        int64_t sum = 0;
        for (const int64_t value : s) sum += value;
        EXPECT_EQ(sum % output.divisors[i], 0);
        return sum / output.divisors[i];
      }
    }
    return 0;
  }

 private:
  int64_t ValueOf(const WiredElement& element) const {
    if (element.operand == WiredElement::kZero) return 0;
    return operands_.at(static_cast<size_t>(element.operand))
        .at(static_cast<size_t>(element.index));
  }

  const Wiring& wiring_;
  const std::vector<Integers>& operands_;
};

Attribute AttributeOf(const std::string& name, const Json& json) {
  if (json.is_string()) return {name, json.text()};
  if (json.is_array()) return {name, json.get<Integers>()};
  if (json.is_number()) return {name, json.get<int64_t>()};
  const auto bits = json["bits"].get<uint32_t>();
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return {name, value};
}

// A node with operands, read from a line of the table.
struct Row {
  Node node;
  int since_version = 0;
  std::vector<std::optional<Tensor>> operands;
  std::vector<Integers> values;
};

Row ReadRow(const Json& json) {
  Row row;
  row.node.op_type = json["op_type"].text();
  row.since_version = json["since_version"].get<int>();
  for (const auto& [name, value] : json["attributes"].items()) {
    row.node.attributes.push_back(AttributeOf(name, value));
  }
  for (const Json& operand : json["operands"]) {
    row.values.emplace_back();
    row.operands.emplace_back();
    if (operand.is_null()) continue;
    row.values.back() = operand["values"].get<Integers>();
    row.operands.back() = Of(*ParseDataType(operand["type"].text()),
                             operand["shape"].get<Shape>(), row.values.back());
  }
  row.node.outputs.resize(json["outputs"].size(), "y");
  return row;
}

// The table is made by testing/make_wiring_table.py from ONNX's reference evaluator.
TEST(WireNode, AgreesWithOnnxsReferenceEvaluator) {
  const auto text =
      ReadFile(QCONFORM_SOURCE_DIR "/oracle/graphs/testing/wiring_table.jsonl");
  ASSERT_TRUE(text.ok()) << text.error().message;
  std::map<std::string, int> rows;
  for (size_t at = 0; at < text->size();) {
    const size_t end = text->find('\n', at);
    const std::string line = text->substr(at, end - at);
    at = end + 1;
    SCOPED_TRACE(line);
    const auto json = ParseJson(line, "wiring_table.jsonl");
    ASSERT_TRUE(json.ok()) << json.error().message;
    const Row row = ReadRow(*json);
    ++rows[row.node.op_type];
    EXPECT_TRUE(IsFloatNode(row.node.op_type));
    const auto wiring =
        WireNode(row.node, row.since_version, ViewsOfOperands(row.operands));
    if (!wiring) {
      ADD_FAILURE() << wiring.error().message;
      continue;
    }
    const IntegerEvaluator evaluator(*wiring, row.values);
    ASSERT_EQ(wiring->outputs.size(), (*json)["outputs"].size());
    for (size_t k = 0; k < wiring->outputs.size(); ++k) {
      const WiredOutput& output = wiring->outputs[k];
      const Json& expected = (*json)["outputs"][k];
      ASSERT_EQ(output.shape, expected["shape"].get<Shape>());
      ASSERT_EQ(static_cast<int64_t>(output.first.size()),
                *ElementCount(output.shape) + 1);
      Integers values;
      for (size_t i = 0; i + 1 < output.first.size(); ++i) {
        values.push_back(evaluator.Element(output, i));
      }
      EXPECT_EQ(values, expected["values"].get<Integers>());
    }
  }
  EXPECT_EQ(rows.size(), 42u);
  for (const auto& [op_type, count] : rows) EXPECT_EQ(count, 16) << op_type;
}

Node NodeOf(const char* op_type, std::vector<Attribute> attributes = {},
            size_t outputs = 1) {
  Node node;
  node.op_type = op_type;
  node.attributes = std::move(attributes);
  node.outputs.resize(outputs, "y");
  return node;
}

// Returns the indices of the sources of a node that moves data; -1 for zero.
Integers SourcesOf(const Node& node, int since_version,
                   const std::vector<std::optional<Tensor>>& operands) {
  const auto wiring = WireNode(node, since_version, ViewsOfOperands(operands));
  if (!wiring) {
    ADD_FAILURE() << wiring.error().message;
    return {};
  }
  Integers indices;
  for (const WiredElement& source : wiring->outputs[0].sources) {
    indices.push_back(source.operand == WiredElement::kZero ? -1 : source.index);
  }
  return indices;
}

std::string ErrorOf(const Node& node, int since_version,
                    const std::vector<std::optional<Tensor>>& operands) {
  const auto wiring = WireNode(node, since_version, ViewsOfOperands(operands));
  return wiring ? "none" : wiring.error().message;
}

Tensor Floats(Shape shape) { return Of(DataType::kFloat, std::move(shape)); }

// The text clamps the start of a step backwards to the first element. The reference
// evaluator does not, and gives nothing; onnx.shape_inference agrees with the text.
TEST(WireNode, SliceBackwards_StartsAtTheFirstElementAtLeast) {
  EXPECT_EQ(SourcesOf(NodeOf("Slice"), 13,
                      {Floats({3}), Amounts({-100}), Amounts({-100}), Amounts({0}),
                       Amounts({-1})}),
            (Integers{0}));
  EXPECT_EQ(SourcesOf(NodeOf("Slice"), 13,
                      {Floats({3}), Amounts({INT64_MAX}), Amounts({INT64_MIN}),
                       Amounts({0}), Amounts({INT64_MIN})}),
            (Integers{2}));
}

TEST(WireNode, PadsBelowZero_RemoveElements) {
  EXPECT_EQ(SourcesOf(NodeOf("Pad"), 13, {Floats({4}), Amounts({-1, 2})}),
            (Integers{1, 2, 3, -1, -1}));
  EXPECT_EQ(SourcesOf(NodeOf("Pad", {{"mode", std::string("edge")}}), 13,
                      {Floats({4}), Amounts({2, -1})}),
            (Integers{0, 0, 0, 1, 2}));
}

TEST(WireNode, PadWithoutConstant_IsZeroOfNoOperand) {
  const auto wiring = WireNode(
      NodeOf("Pad"), 13, ViewsOfOperands({Floats({1}), Amounts({1, 0}), Floats({})}));
  ASSERT_TRUE(wiring.ok());
  EXPECT_EQ(wiring->outputs[0].sources[0], (WiredElement{2, 0}));
}

TEST(WireNode, AttributesThatAreLeftOut_HaveTheirDefault) {
  const auto of = [](const char* op_type) {
    return WireNode(NodeOf(op_type), 22, ViewsOfOperands({Floats({1})})).value();
  };
  EXPECT_EQ(of("LeakyRelu").alpha, 0x3c23d70au);
  EXPECT_EQ(of("HardSigmoid").alpha, 0x3e4ccccdu);
  EXPECT_EQ(of("HardSigmoid").beta, 0x3f000000u);
}

TEST(WireNode, TypesOfSince_AreTakenFromTheirVersionOn) {
  const auto is_taken = [](const char* op_type, int since_version, DataType type) {
    return WireNode(NodeOf(op_type), since_version, ViewsOfOperands({Of(type, {2})}))
        .ok();
  };
  EXPECT_FALSE(is_taken("Identity", 16, DataType::kFloat8E4M3FN));
  EXPECT_TRUE(is_taken("Identity", 19, DataType::kFloat8E4M3FN));
  EXPECT_FALSE(is_taken("Identity", 19, DataType::kInt4));
  EXPECT_TRUE(is_taken("Transpose", 21, DataType::kInt4));
  EXPECT_FALSE(is_taken("Transpose", 24, DataType::kInt2));
  EXPECT_TRUE(is_taken("Transpose", 25, DataType::kInt2));
  EXPECT_FALSE(is_taken("Relu", 13, DataType::kInt8));
  EXPECT_TRUE(is_taken("Relu", 14, DataType::kInt8));
  EXPECT_FALSE(is_taken("HardSwish", 14, DataType::kBfloat16));
}

TEST(WireNode, Invalid_IsAnErrorThatNamesTheThing) {
  const std::string transposed =
      ErrorOf(NodeOf("Transpose", {{"perm", Integers{0, 0}}}), 13, {Floats({2, 2})});
  EXPECT_EQ(transposed, "Transpose perm: expected each of 2 axes once, got [0,0]");
  EXPECT_EQ(ErrorOf(NodeOf("Relu"), 13, {std::nullopt}),
            "Relu X: expected an operand, got none");
  EXPECT_EQ(ErrorOf(NodeOf("Relu"), 13, {Floats({1}), Floats({1})}),
            "Relu inputs: expected at most 1, got 2");
  EXPECT_EQ(ErrorOf(NodeOf("Relu", {{"alpha", int64_t{1}}}), 13, {Floats({1})}),
            "Relu attribute alpha: expected an attribute of since_version 13, got one "
            "that it does not have");
  EXPECT_EQ(ErrorOf(NodeOf("Add"), 14, {Floats({2}), Of(DataType::kFloat16, {2})}),
            "Add B: expected FLOAT, got FLOAT16");
  EXPECT_EQ(ErrorOf(NodeOf("Add"), 14, {Floats({2}), Floats({3})}),
            "Add input 1: expected a shape that can be broadcast with [2], got [3]");
  EXPECT_EQ(ErrorOf(NodeOf("Reshape"), 13, {Floats({6}), Amounts({4, -1})}),
            "Reshape shape: expected a size that -1 can have, got [4,-1] for data of "
            "shape [6]");
  EXPECT_EQ(ErrorOf(NodeOf("Reshape", {{"allowzero", int64_t{1}}}), 14,
                    {Floats({6}), Amounts({0, -1})}),
            "Reshape shape: expected no -1 besides 0 with allowzero 1, got [0,-1] for "
            "data of shape [6]");
  EXPECT_EQ(ErrorOf(NodeOf("Gather"), 13, {Floats({2}), Amounts({2})}),
            "Gather indices: expected indices into an axis of size 2, got 2");
  EXPECT_EQ(ErrorOf(NodeOf("Split", {}, 2), 18, {Floats({4})}),
            "Split split: expected either split or num_outputs, got none");
  EXPECT_EQ(ErrorOf(NodeOf("Split", {}, 3), 13, {Floats({4})}),
            "Split outputs: expected a number that the size 4 can be split into, got 3");
  EXPECT_EQ(ErrorOf(NodeOf("Pad", {{"mode", std::string("wrap")}}), 18,
                    {Floats({2}), Amounts({1, 1})}),
            "Pad mode: expected constant, reflect or edge, got 'wrap'");
  const Attribute kernel{"kernel_shape", Integers{2}};
  EXPECT_EQ(ErrorOf(NodeOf("MaxPool", {kernel, {"ceil_mode", int64_t{1}}}), 12,
                    {Floats({1, 1, 4})}),
            "MaxPool ceil_mode: expected 0: others are not judged, got 1");
  EXPECT_EQ(ErrorOf(NodeOf("MaxPool", {kernel, {"pads", Integers{2, 0}}}), 12,
                    {Floats({1, 1, 4})}),
            "MaxPool pads: expected windows that reach an element of X each, got one "
            "that has only padding");
  EXPECT_EQ(
      ErrorOf(NodeOf("Slice"), 13,
              {Floats({3}), Amounts({0}), Amounts({1}), Amounts({0}), Amounts({0})}),
      "Slice steps: expected steps other than 0, got [0]");
  EXPECT_EQ(ErrorOf(NodeOf("Expand"), 13, {Floats({2}), Amounts({int64_t{1} << 40, 1})}),
            "Expand shape: expected at most 2^24 elements, got [1099511627776,2]");
  EXPECT_EQ(ErrorOf(NodeOf("Softmax"), 13, {Floats({3})}),
            "Softmax: expected a float node of ONNX's domain, got domain '', "
            "since_version 13");
}

// Data of amounts that only running the graph gives.
TEST(WireNode, AmountsWithoutData_AreAnError) {
  const Tensor data = Floats({6});
  const Shape one{1};
  const Operands operands{data.view(), TensorView{DataType::kInt64, one, {}}};
  const auto wiring = WireNode(NodeOf("Reshape"), 13, operands);
  ASSERT_FALSE(wiring.ok());
  EXPECT_EQ(wiring.error().message,
            "Reshape shape: expected 1 values that are known before the graph runs, got "
            "0 bytes");
}

}  // namespace
}  // namespace qconform
