#include "oracle/exact/graphs/testing/graph_problem.h"

#include <cstdint>
#include <cstdlib>
#include <utility>

#include "oracle/exact/format.h"
#include "oracle/exact/operators/dequantize_linear/testing/questions.h"
#include "oracle/exact/packing.h"

namespace qconform::agreement {
namespace {

int BitsOf(int type) { return exact::GetFormat(type).bits; }

qconform::AttributeValue OracleAttribute(const exact::GraphAttribute& attribute) {
  if (attribute.integer) return *attribute.integer;
  if (attribute.number) return static_cast<float>(attribute.number->get_d());
  if (attribute.text) return *attribute.text;
  return attribute.integers;
}

exact::GraphAttribute JudgeAttribute(const qconform::AttributeValue& value) {
  exact::GraphAttribute attribute;
  if (const auto* integer = std::get_if<int64_t>(&value)) attribute.integer = *integer;
  if (const auto* number = std::get_if<float>(&value)) {
    attribute.number = mpq_class(static_cast<double>(*number));
  }
  if (const auto* text = std::get_if<std::string>(&value)) attribute.text = *text;
  if (const auto* all = std::get_if<std::vector<int64_t>>(&value)) {
    attribute.integers = *all;
  }
  return attribute;
}

// A reading of QuantizeLinear by its name.
bool Apply(const Reading& reading, exact::QuantizeLinearReadings& judge) {
  const std::string& name = reading.name;
  using exact::DivisionPrecision;
  using exact::FloatZeroPoint;
  using exact::ZeroPointOfZero;
  if (name == "f64_division") {
    judge.division = DivisionPrecision::kF64Division;
  } else if (name == "f32_quotient") {
    judge.division = DivisionPrecision::kF32Quotient;
  } else if (name == "x_type_division") {
    judge.division = DivisionPrecision::kXTypeDivision;
  } else if (name == "unconverted_operands") {
    judge.unconverted_operands = true;
  } else if (name == "zero_point_ignored") {
    judge.target.float_zero_point = FloatZeroPoint::kIgnored;
  } else if (name == "round_then_add") {
    judge.target.float_zero_point = FloatZeroPoint::kRoundThenAdd;
  } else if (name == "added_in_p") {
    judge.target.float_zero_point = FloatZeroPoint::kAddedInP;
  } else if (name == "zero_point_added") {
    judge.target.zero_point_of_zero = ZeroPointOfZero::kAddedWherePresent;
  } else if (name == "missing_zero_point_added") {
    judge.target.zero_point_of_zero = ZeroPointOfZero::kAlwaysAdded;
  } else if (reading.clause == "QL-22") {
    judge.target.other_fnuz_infinity = true;
  } else if (name == "zero_sign_dropped") {
    judge.target.zero_sign_dropped = true;
  } else {
    return false;
  }
  return true;
}

bool Apply(const Reading& reading, exact::DynamicQuantizeLinearReadings& judge) {
  using Readings = exact::DynamicQuantizeLinearReadings;
  if (reading.name == "fused_range") {
    judge.range = Readings::Range::kFused;
  } else if (reading.name == "fused_range_in_double") {
    judge.range = Readings::Range::kFusedInDouble;
  } else if (reading.name == "one_255th") {
    judge.zero_scale = Readings::ZeroScale::kUnit;
  } else if (reading.name == "one") {
    judge.zero_scale = Readings::ZeroScale::kOne;
  } else {
    return false;
  }
  return true;
}

// Whether a reading is one of this node's: some are of float operands or targets only.
bool Concerns(const Reading& reading, const std::string& op_type, int x, int y) {
  const auto is_float = [](int type) {
    return exact::GetFormat(type).set != exact::Format::Set::kIntegers;
  };
  if (op_type == "QuantizeLinear") {
    return !reading.clause.starts_with("QL-2") || is_float(y);
  }
  if (op_type == "DequantizeLinear") {
    if (reading.clause == "DQ-07" || reading.clause == "DQ-08") return is_float(x);
    if (reading.clause == "DQ-10") return !is_float(x);
    if (reading.clause == "DQ-05" || reading.clause == "DQ-06") return x == exact::kInt32;
  }
  return true;
}

std::string OwnClauses(const std::string& op_type) {
  if (op_type == "QuantizeLinear") return "QL-";
  if (op_type == "DequantizeLinear") return "DQ-";
  if (op_type == "DynamicQuantizeLinear") return "DYN-";
  return "";
}

}  // namespace

GraphProblem::GraphProblem(const GraphQuestion& question) {
  qconform::Node graph;
  graph.op_type = kGraphOpType;
  graph.inputs = question.graph.inputs;
  graph.outputs = question.graph.outputs;
  std::vector<int> since_versions;
  for (const exact::GraphNode& node : question.graph.nodes) {
    qconform::Node one{node.op_type, "", node.inputs, node.outputs, {}};
    for (const auto& [name, value] : node.attributes) {
      one.attributes.push_back({name, OracleAttribute(value)});
    }
    graph.body.push_back(std::move(one));
    since_versions.push_back(node.since_version);
  }
  for (const std::string& name : graph.inputs) {
    const exact::Codes& codes = question.inputs.at(name);
    tensors_.push_back({static_cast<DataType>(codes.type), codes.shape,
                        exact::PackedBytes(codes.codes, BitsOf(codes.type))});
  }
  for (const Tensor& tensor : tensors_) operands_.emplace_back(tensor.view());
  auto bound = BindGraph(graph, since_versions);
  if (!bound.ok()) {
    refusal_ = "BindGraph: " + bound.error().message;
    return;
  }
  bound_ = std::move(*bound);
  const auto validity = bound_->Validate(operands_);
  if (!validity.ok()) {
    refusal_ = "Validate: " + validity.error().message;
  } else if (validity->kind == ModelValidity::Kind::kInvalid) {
    refusal_ = "invalid, " + validity->clause + ": " + validity->reason;
  }
}

exact::Graph JudgeGraph(const qconform::Node& node,
                        const std::vector<int>& since_versions) {
  exact::Graph graph;
  graph.inputs = node.inputs;
  graph.outputs = node.outputs;
  const auto nodes = NodesOf(node);
  for (size_t i = 0; i < nodes.size(); ++i) {
    exact::GraphNode one;
    one.op_type = nodes[i].op_type;
    one.since_version = since_versions[i];
    one.inputs = nodes[i].inputs;
    one.outputs = nodes[i].outputs;
    for (const Attribute& attribute : nodes[i].attributes) {
      one.attributes[attribute.name] = JudgeAttribute(attribute.value);
    }
    graph.nodes.push_back(std::move(one));
  }
  return graph;
}

exact::Codes Unpack(const TensorView& tensor) {
  exact::Codes codes;
  codes.type = static_cast<int>(tensor.type);
  codes.shape.assign(tensor.shape.begin(), tensor.shape.end());
  codes.codes = exact::UnpackedCodes({tensor.data.begin(), tensor.data.end()},
                                     BitsOf(codes.type), exact::CountOf(codes.shape));
  return codes;
}

std::optional<std::vector<exact::NodeReadings>> JudgeNodeReadings(
    const exact::Graph& graph, const exact::GraphValues& values,
    const ReadingSet& readings, std::string& unknown) {
  std::vector<exact::NodeReadings> all(graph.nodes.size());
  std::vector<ReadingSet> dequantize(graph.nodes.size());
  for (const Reading& reading : readings.readings) {
    Reading plain = reading;
    const size_t at = reading.name.find('@');
    std::optional<size_t> number;
    if (at != std::string::npos) {
      number = static_cast<size_t>(std::atoi(reading.name.c_str() + at + 1)) - 1;
      plain.name = reading.name.substr(0, at);
    }
    bool applied = false;
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
      const std::string& op_type = graph.nodes[n].op_type;
      const std::string own = OwnClauses(op_type);
      if (own.empty() || !plain.clause.starts_with(own) || (number && *number != n)) {
        continue;
      }
      const int x = values.at(graph.nodes[n].inputs[0]).type;
      const int y = values.at(graph.nodes[n].outputs[0]).type;
      if (!Concerns(plain, op_type, x, y)) continue;
      if (op_type == "QuantizeLinear") {
        if (!all[n].quantize) all[n].quantize.emplace();
        applied = Apply(plain, *all[n].quantize);
      } else if (op_type == "DequantizeLinear") {
        dequantize[n].readings.push_back(plain);
        applied = true;
      } else {
        if (!all[n].dynamic) all[n].dynamic.emplace();
        applied = Apply(plain, *all[n].dynamic);
      }
    }
    if (!applied) {
      unknown = reading.clause + ":" + reading.name;
      return std::nullopt;
    }
  }
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    if (dequantize[n].readings.empty()) continue;
    const exact::GraphNode& node = graph.nodes[n];
    const DequantizeLinearCell cell = {node.since_version, values.at(node.inputs[0]).type,
                                       values.at(node.inputs[1]).type,
                                       values.at(node.outputs[0]).type};
    all[n].dequantize = JudgeReadings(dequantize[n], cell);
  }
  return all;
}

}  // namespace qconform::agreement
