// Builds random graphs node by node, with operands that aim at ties and limits of what
// the nodes so far give. For the agreement tests only.
#ifndef QCONFORM_ORACLE_EXACT_GRAPHS_TESTING_GRAPH_BUILDER_H_
#define QCONFORM_ORACLE_EXACT_GRAPHS_TESTING_GRAPH_BUILDER_H_

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "oracle/exact/format.h"
#include "oracle/exact/graphs/compose.h"
#include "oracle/exact/graphs/testing/graph_questions.h"

namespace qconform::agreement::graphs {

using exact::Codes;
using exact::Format;
using exact::GraphAttribute;
using exact::GraphNode;
using exact::Value;
using Shape = std::vector<int64_t>;

inline GraphAttribute Integer(int64_t v) {
  GraphAttribute attribute;
  attribute.integer = v;
  return attribute;
}

inline GraphAttribute Integers(Shape v) {
  GraphAttribute attribute;
  attribute.integers = std::move(v);
  return attribute;
}

inline GraphAttribute Number(const mpq_class& v) {
  GraphAttribute attribute;
  attribute.number =
      exact::RoundToPrecision(exact::GetFormat(exact::kFloat), Value::Number(v)).number;
  return attribute;
}

inline GraphAttribute Text(const std::string& v) {
  GraphAttribute attribute;
  attribute.text = v;
  return attribute;
}

using Attributes = std::map<std::string, GraphAttribute>;

inline Codes Indices(const Shape& shape, const Shape& values) {
  Codes codes{exact::kInt64, shape, {}};
  for (int64_t v : values) codes.codes.push_back(static_cast<uint64_t>(v));
  return codes;
}

// How scales of a question are drawn.
enum class Scales : uint8_t { kAny, kPowersOfTwo, kDegenerate };

class Builder {
 public:
  Builder(int opset, Random& random) : opset_(opset), random_(random) {
    float_type_ = opset < 19 || random.OneIn(2)
                      ? exact::kFloat
                      : random.Pick<int>({exact::kFloat16, exact::kBfloat16});
    scales_ = random.OneIn(4)    ? Scales::kPowersOfTwo
              : random.OneIn(12) ? Scales::kDegenerate
                                 : Scales::kAny;
    has_specials_ = random.OneIn(10);
  }

  Random& random() { return random_; }
  int opset() const { return opset_; }
  int float_type() const { return float_type_; }
  const Format& float_format() const { return exact::GetFormat(float_type_); }
  void UseFloat() { float_type_ = exact::kFloat; }

  std::string Input(const std::string& name, Codes codes) {
    std::string unique = name;
    for (int i = 1; question_.inputs.contains(unique); ++i) {
      unique = name + std::to_string(i);
    }
    question_.inputs[unique] = std::move(codes);
    return unique;
  }

  // An operand with axes.
  std::string Axes(const Shape& axes) {
    return Input("axes", Indices({static_cast<int64_t>(axes.size())}, axes));
  }

  std::string Node(const std::string& op_type, const std::vector<std::string>& inputs,
                   const Attributes& attributes = {}) {
    return NodeOf(op_type, inputs, attributes, 1)[0];
  }

  std::vector<std::string> NodeOf(const std::string& op_type,
                                  const std::vector<std::string>& inputs,
                                  const Attributes& attributes, size_t outputs) {
    GraphNode node;
    node.op_type = op_type;
    node.since_version = SinceVersionOf(op_type, opset_);
    node.inputs = inputs;
    for (size_t i = 0; i < outputs; ++i) {
      node.outputs.push_back("v" + std::to_string(next_++));
    }
    node.attributes = attributes;
    question_.graph.nodes.push_back(node);
    return node.outputs;
  }

  // The value that the composition gives so far.
  exact::GraphTensor Now(const std::string& name) const {
    return exact::Compose(question_.graph, question_.inputs).at(name);
  }
  Shape ShapeOf(const std::string& name) const { return Now(name).shape; }

  int QuantizedType() {
    std::vector<int> types = {exact::kUint8, exact::kInt8, exact::kUint8, exact::kInt8};
    if (opset_ >= 21) {
      for (int type : {exact::kUint4, exact::kInt4, exact::kUint16, exact::kInt16}) {
        types.push_back(type);
      }
    }
    if (opset_ >= 19 && random_.OneIn(4)) {
      for (int type : {exact::kFloat8E4M3FN, exact::kFloat8E5M2, exact::kFloat8E4M3FNUZ,
                       exact::kFloat8E5M2FNUZ}) {
        types.push_back(type);
      }
    }
    return types[random_.Below(types.size())];
  }

  Codes QuantizedCodes(int type, const Shape& shape) {
    const Format& format = exact::GetFormat(type);
    Codes codes{type, shape, {}};
    const bool is_small = random_.OneIn(3);
    for (size_t i = 0; i < exact::CountOf(shape); ++i) {
      if (is_small && format.set == Format::Set::kIntegers) {
        codes.codes.push_back(random_.Below(4));
      } else if (format.bits <= 8 && format.set == Format::Set::kIntegers) {
        codes.codes.push_back(random_.Below(uint64_t{1} << format.bits));
      } else {
        codes.codes.push_back(RandomCode(format, random_));
      }
      if (format.set == Format::Set::kFloats && !has_specials_ &&
          !exact::ValueOf(format, codes.codes.back()).IsNumber()) {
        codes.codes.back() = 1;
      }
    }
    return codes;
  }

  mpq_class ScaleValue() {
    if (scales_ == Scales::kPowersOfTwo) {
      return exact::PowerOfTwo(static_cast<int>(random_.Between(-6, 2)));
    }
    const mpq_class v = (1 + mpq_class(random_.Between(0, 0xFFFFFF), 0x1000000)) *
                        exact::PowerOfTwo(static_cast<int>(random_.Between(-9, 1)));
    return random_.OneIn(12) ? mpq_class(-v) : v;
  }

  uint64_t ScaleCode() {
    const Format& format = float_format();
    if (scales_ == Scales::kDegenerate && random_.OneIn(3)) {
      return RandomCode(format, random_);
    }
    return exact::Round(format, Value::Number(ScaleValue()), exact::Overflow::kSaturate);
  }

  // The shape of scales of a tensor, and the attributes that say so.
  std::pair<Shape, Attributes> Layout(const Shape& shape, bool may_be_blocked) {
    if (shape.empty() || random_.OneIn(2)) return {{}, {}};
    const int64_t rank = static_cast<int64_t>(shape.size());
    const int64_t axis = random_.Between(0, rank - 1);
    const int64_t written = random_.OneIn(3) ? axis - rank : axis;
    if (may_be_blocked && opset_ >= 21 && random_.OneIn(3) &&
        shape[static_cast<size_t>(axis)] > 1) {
      Shape blocks = shape;
      const int64_t size = random_.Between(1, shape[static_cast<size_t>(axis)]);
      int64_t& along = blocks[static_cast<size_t>(axis)];
      along = (along + size - 1) / size;
      // A single block of a rank-1 tensor looks like a scale for the whole tensor.
      if (rank > 1) {
        return {blocks, {{"axis", Integer(written)}, {"block_size", Integer(size)}}};
      }
    }
    return {{shape[static_cast<size_t>(axis)]}, {{"axis", Integer(written)}}};
  }

  std::optional<Codes> ZeroPoint(int type, const Shape& shape, bool required) {
    if (!required && random_.OneIn(4)) return std::nullopt;
    const Format& format = exact::GetFormat(type);
    Codes codes{type, shape, {}};
    for (size_t i = 0; i < exact::CountOf(shape); ++i) {
      const bool is_zero = format.set != Format::Set::kIntegers ||
                           type == exact::kInt32 || random_.OneIn(3);
      if (is_zero) {
        codes.codes.push_back(0);
      } else if (random_.OneIn(3)) {
        codes.codes.push_back(exact::CodeOf(
            format, Value::Number(random_.Pick<mpq_class>(
                        {format.lowest, format.highest, format.lowest + 1}))));
      } else {
        codes.codes.push_back(random_.Below(uint64_t{1} << format.bits));
      }
    }
    return codes;
  }

  // DequantizeLinear of new codes, or of a value that is there.
  std::string Dequantized(const std::string& name, const Shape& shape,
                          std::optional<int> type = {}, bool may_be_blocked = false) {
    const int x = type ? *type : QuantizedType();
    return DequantizeValue(name, Input(name, QuantizedCodes(x, shape)), may_be_blocked);
  }

  std::string DequantizeValue(const std::string& name, const std::string& x,
                              bool may_be_blocked = false) {
    const exact::GraphTensor tensor = Now(x);
    const auto [layout, attributes] = Layout(tensor.shape, may_be_blocked);
    Codes scale{float_type_, layout, {}};
    for (size_t i = 0; i < exact::CountOf(layout); ++i)
      scale.codes.push_back(ScaleCode());
    std::vector<std::string> inputs = {x, Input(name + "_scale", scale)};
    last_scale_ = scale;
    if (const auto zero_point = ZeroPoint(tensor.type, layout, false)) {
      inputs.push_back(Input(name + "_zero_point", *zero_point));
    }
    return Node("DequantizeLinear", inputs, attributes);
  }

  // QuantizeLinear of a value, with a scale that takes one of its elements next to a tie.
  std::string Quantized(const std::string& name, const std::string& x,
                        std::optional<int> type = {}) {
    const exact::GraphTensor tensor = Now(x);
    int y = type ? *type : QuantizedType();
    const auto [layout, attributes] = Layout(tensor.shape, false);
    const Format& format = exact::GetFormat(tensor.type);
    Codes scale{tensor.type, layout, {}};
    const bool repeats = last_scale_ && random_.OneIn(4) &&
                         last_scale_->type == tensor.type &&
                         last_scale_->codes.size() == exact::CountOf(layout);
    for (size_t i = 0; i < exact::CountOf(layout); ++i) {
      scale.codes.push_back(repeats ? last_scale_->codes[i]
                                    : AimedScale(tensor, format, y));
    }
    std::vector<std::string> inputs = {x, Input(name + "_scale", scale)};
    if (const auto zero_point = ZeroPoint(y, layout, y != exact::kUint8)) {
      inputs.push_back(Input(name + "_zero_point", *zero_point));
    }
    return Node("QuantizeLinear", inputs, attributes);
  }

  Codes FloatCodes(const Shape& shape, int low = -8, int high = 8) {
    const Format& format = float_format();
    Codes codes{float_type_, shape, {}};
    const bool is_short = random_.OneIn(3);
    for (size_t i = 0; i < exact::CountOf(shape); ++i) {
      if (has_specials_ && random_.OneIn(6)) {
        codes.codes.push_back(RandomCode(format, random_));
        continue;
      }
      if (random_.OneIn(12)) {
        codes.codes.push_back(random_.OneIn(2) ? 0 : uint64_t{1} << (format.bits - 1));
        continue;
      }
      mpq_class v = (1 + mpq_class(random_.Between(0, 0xFFFFFF), 0x1000000)) *
                    exact::PowerOfTwo(static_cast<int>(random_.Between(low, high)));
      if (is_short) v = random_.Between(0, 64);
      if (random_.OneIn(2)) v = -v;
      codes.codes.push_back(
          exact::Round(format, Value::Number(v), exact::Overflow::kSaturate));
    }
    return codes;
  }

  Shape RandomShape(size_t least_rank, size_t most_rank, int64_t most = 4) {
    Shape shape(least_rank + random_.Below(most_rank - least_rank + 1));
    int64_t count = 1;
    for (int64_t& size : shape) {
      size =
          random_.Between(1, std::max<int64_t>(1, std::min<int64_t>(most, 40 / count)));
      count *= size;
    }
    return shape;
  }

  GraphQuestion Finish(const std::vector<std::string>& outputs) {
    question_.opset = opset_;
    question_.graph.outputs = outputs;
    std::map<std::string, Codes> used;
    for (const GraphNode& node : question_.graph.nodes) {
      for (const std::string& name : node.inputs) {
        const auto found = question_.inputs.find(name);
        if (found == question_.inputs.end() || used.contains(name)) continue;
        used.insert(*found);
        question_.graph.inputs.push_back(name);
      }
    }
    question_.inputs = std::move(used);
    return std::move(question_);
  }

 private:
  uint64_t AimedScale(const exact::GraphTensor& tensor, const Format& format, int y) {
    if (scales_ == Scales::kDegenerate && random_.OneIn(3)) {
      return RandomCode(format, random_);
    }
    if (tensor.elements.empty() || scales_ == Scales::kPowersOfTwo || random_.OneIn(5)) {
      return exact::Round(format, Value::Number(ScaleValue()),
                          exact::Overflow::kSaturate);
    }
    const exact::GraphElement& element =
        tensor.elements[random_.Below(tensor.elements.size())];
    const Value v = exact::ValueOf(format, element.code);
    if (!v.IsNumber() || v.IsZero()) {
      return exact::Round(format, Value::Number(ScaleValue()),
                          exact::Overflow::kSaturate);
    }
    const Format& target = exact::GetFormat(y);
    mpq_class boundary = RandomBoundary(target, random_);
    if (target.set == Format::Set::kIntegers && random_.OneIn(2)) {
      boundary = random_.Between(0, 20) + mpq_class(1, 2);
    }
    if (sgn(boundary) == 0) boundary = mpq_class(1, 2);
    mpq_class scale = v.number / boundary;
    if (sgn(scale) < 0 && !random_.OneIn(8)) scale = -scale;
    return CodeNear(format, scale, random_.OneIn(2) ? 0 : 2, random_);
  }

  int opset_;
  Random& random_;
  int float_type_ = exact::kFloat;
  Scales scales_ = Scales::kAny;
  bool has_specials_ = false;
  std::optional<Codes> last_scale_;
  GraphQuestion question_;
  int next_ = 0;
};

}  // namespace qconform::agreement::graphs

#endif  // QCONFORM_ORACLE_EXACT_GRAPHS_TESTING_GRAPH_BUILDER_H_
