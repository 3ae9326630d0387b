#include "oracle/exact/graphs/testing/graph_questions.h"

#include <sstream>

#include "oracle/exact/graphs/testing/graph_builder.h"
#include "oracle/exact/graphs/testing/graph_nodes.h"

namespace qconform::agreement {

int SinceVersionOf(const std::string& op_type, int opset_version) {
  // Ascending.
  static const std::map<std::string, std::vector<int>> versions = {
      {"QuantizeLinear", {10, 13, 19, 21, 23, 24, 25, 28}},
      {"DequantizeLinear", {10, 13, 19, 21, 23, 24, 25, 28}},
      {"DynamicQuantizeLinear", {11}},
      {"MatMulInteger", {10}},
      {"ConvInteger", {10}},
      {"Identity", {1, 13, 14, 16, 19, 21, 23, 24, 25}},
      {"Transpose", {1, 13, 21, 23, 24, 25}},
      {"Reshape", {5, 13, 14, 19, 21, 23, 24, 25}},
      {"Flatten", {11, 13, 21, 23, 24, 25}},
      {"Squeeze", {11, 13, 21, 23, 24, 25}},
      {"Unsqueeze", {11, 13, 21, 23, 24, 25}},
      {"Slice", {10, 11, 13}},
      {"Split", {11, 13, 18}},
      {"Concat", {11, 13}},
      {"Gather", {11, 13}},
      {"GatherElements", {11, 13}},
      {"Expand", {8, 13}},
      {"Tile", {6, 13}},
      {"DepthToSpace", {11, 13}},
      {"SpaceToDepth", {1, 13}},
      {"Pad", {11, 13, 18, 19, 21, 23, 24, 25}},
      {"MaxPool", {10, 11, 12, 22}},
      {"ReduceMax", {12, 13, 18, 20}},
      {"ReduceMin", {12, 13, 18, 20}},
      {"Max", {12, 13}},
      {"Min", {12, 13}},
      {"Relu", {6, 13, 14}},
      {"Clip", {12, 13}},
      {"ArgMax", {12, 13}},
      {"ArgMin", {12, 13}},
      {"Add", {7, 13, 14}},
      {"Sub", {7, 13, 14}},
      {"Mul", {7, 13, 14}},
      {"Div", {7, 13, 14}},
      {"LeakyRelu", {6, 16}},
      {"PRelu", {9, 16}},
      {"HardSigmoid", {6, 22}},
      {"HardSwish", {14, 22}},
      {"Neg", {6, 13}},
      {"Abs", {6, 13}},
      {"Cast", {9, 13, 19, 21, 23, 24, 25}},
      {"MatMul", {9, 13}},
      {"Gemm", {11, 13}},
      {"Conv", {11, 22}},
      {"AveragePool", {11, 19, 22}},
      {"GlobalAveragePool", {1, 22}},
      {"ReduceMean", {11, 13, 18}},
  };
  int chosen = 0;
  for (int version : versions.at(op_type)) {
    if (version <= opset_version) chosen = version;
  }
  return chosen;
}

GraphQuestion MakeGraphQuestion(Family family, Random& random) {
  using graphs::Builder, graphs::Shape;
  Builder b(random.Pick<int>({13, 19, 21, 23, 24, 25}), random);
  const auto end = [&](const std::string& x, uint64_t one_in_is_float) {
    return b.Finish({random.OneIn(one_in_is_float) ? x : b.Quantized("y", x)});
  };
  switch (family) {
    case Family::kRoundTrip:
      return b.Finish({b.DequantizeValue(
          "y", b.Quantized("q", b.Input("x", b.FloatCodes(b.RandomShape(0, 3)))))});
    case Family::kRequantization: {
      const bool has_two = random.OneIn(2);
      const std::string x = has_two ? b.Input("x", b.FloatCodes(b.RandomShape(0, 3)))
                                    : b.Dequantized("x", b.RandomShape(0, 3), {}, true);
      if (!has_two) return b.Finish({b.Quantized("y", x)});
      const std::string first = b.DequantizeValue("q", b.Quantized("q", x));
      const std::string second = b.Quantized("y", first);
      return b.Finish({random.OneIn(3) ? second : b.DequantizeValue("z", second)});
    }
    case Family::kMovers: {
      const Shape shape = b.RandomShape(1, 4);
      const bool is_data = random.OneIn(4);
      std::vector<std::string> moved = Move(
          b, is_data ? b.Input("x", b.FloatCodes(shape)) : b.Dequantized("x", shape));
      if (!is_data && random.OneIn(3)) return b.Finish(moved);
      std::vector<std::string> outputs;
      for (const std::string& one : moved) outputs.push_back(b.Quantized("y", one));
      return b.Finish(outputs);
    }
    case Family::kChoosers: {
      const Shape shape = b.RandomShape(1, 4);
      const std::string x =
          random.OneIn(4) ? b.Input("x", b.FloatCodes(shape)) : b.Dequantized("x", shape);
      if (random.OneIn(6)) return b.Finish({graphs::ChooseIndex(b, x)});
      return end(graphs::Choose(b, x), 6);
    }
    case Family::kArithmetic: {
      std::string y = graphs::Compute(b, b.Dequantized("a", b.RandomShape(1, 3)), true);
      if (random.OneIn(4))
        y = random.OneIn(2) ? b.Node("Relu", {y}) : graphs::Clipped(b, y);
      return end(y, 4);
    }
    case Family::kSums: {
      std::string y = graphs::Sum(b, false);
      if (random.OneIn(4))
        y = random.OneIn(2) ? b.Node("Relu", {y}) : graphs::Clipped(b, y);
      return end(y, 4);
    }
    case Family::kWeights:
      return b.Finish({graphs::Sum(b, true)});
    case Family::kDynamic:
      return b.Finish({graphs::Dynamic(b)});
    case Family::kMixed:
      break;
  }
  std::string y = b.Dequantized("x", b.RandomShape(1, 3));
  for (int i = static_cast<int>(random.Between(2, 3)); i > 0; --i) {
    if (b.Now(y).elements.empty()) break;
    switch (random.Below(4)) {
      case 0:
        y = graphs::Move(b, y)[0];
        break;
      case 1:
        y = graphs::Choose(b, y);
        break;
      case 2:
        y = graphs::Compute(b, y, true);
        break;
      default:
        y = b.DequantizeValue("q", b.Quantized("q", y));
        break;
    }
  }
  return end(y, 3);
}

std::string ToString(const GraphQuestion& question) {
  std::ostringstream out;
  out << "opset " << question.opset;
  for (const exact::GraphNode& node : question.graph.nodes) {
    out << "\n  " << node.op_type << "-" << node.since_version << "(";
    for (const std::string& name : node.inputs) out << " " << name;
    out << " ) ->";
    for (const std::string& name : node.outputs) out << " " << name;
    for (const auto& [name, value] : node.attributes) {
      out << " " << name << "=";
      if (value.integer) {
        out << *value.integer;
      } else if (value.number) {
        out << value.number->get_str();
      } else if (value.text) {
        out << *value.text;
      } else {
        for (int64_t one : value.integers) out << one << ",";
      }
    }
  }
  for (const std::string& name : question.graph.inputs) {
    out << "\n  " << name << " " << ToString(question.inputs.at(name));
  }
  return out.str();
}

}  // namespace qconform::agreement
