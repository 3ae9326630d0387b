#include "harness/runner/suites/part_inputs.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "cases/model/lookup.h"
#include "harness/core/bound_model.h"
#include "harness/core/operands.h"
#include "harness/core/operator_faults.h"
#include "harness/core/oracle_model.h"
#include "harness/runner/ask/further_cases.h"
#include "oracle/core/operator.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

// A node of the model with its operator, which is known.
struct KnownNode {
  const Node* node = nullptr;
  const Operator* op = nullptr;

  // Returns the position of the scale or zero point (`role`) of operand `of`, or of the
  // output if that is nothing.
  std::optional<size_t> ParameterOf(OperandRole role, std::optional<size_t> of) const {
    const auto infos = op->operands();
    for (size_t i = 0; i < std::min(infos.size(), node->inputs.size()); ++i) {
      if (infos[i].role == role && infos[i].of == of && !node->inputs[i].empty()) {
        return i;
      }
    }
    return std::nullopt;
  }
};

// Returns the node by itself, if all of its operands come from outside. Of a graph it is
// a model that has no outputs yet.
std::optional<Model> Alone(const Model& model, const Node& node) {
  Model alone;
  alone.opset_version = model.opset_version;
  alone.ir_version = model.ir_version;
  alone.node = node;
  std::set<std::string> seen;
  for (const std::string& name : node.inputs) {
    if (name.empty() || !seen.insert(name).second) continue;
    if (const Tensor* constant = FindConstant(model, name)) {
      alone.initializers.push_back({name, *constant});
    } else if (const ValueInfo* input = FindInput(model, name)) {
      alone.inputs.push_back(*input);
    } else {
      return std::nullopt;
    }
  }
  for (const std::string& name : node.outputs) alone.outputs.push_back({name, {}, {}});
  return alone;
}

// Returns for each element of operand `of` the number of the element of operand `scale`
// that belongs to it.
std::vector<uint32_t> ChannelsOf(const Dimensions& dimensions, size_t of,
                                 const Shape& shape, size_t scale,
                                 const Shape& scale_shape) {
  // By axis of `of`: the stride of the scale, and how many elements share one.
  struct Axis {
    int64_t stride = 0;
    int64_t own = 1;
    int64_t block = 1;
  };
  std::vector<Axis> axes(shape.size());
  for (const Dimension& dimension : dimensions) {
    for (const AxisPlace& here : dimension.operands) {
      if (here.tensor != of || here.axis >= axes.size()) continue;
      for (const AxisPlace& there : dimension.operands) {
        if (there.tensor != scale || there.axis >= scale_shape.size()) continue;
        int64_t stride = 1;
        for (size_t i = there.axis + 1; i < scale_shape.size(); ++i) {
          stride *= scale_shape[i];
        }
        axes[here.axis] = {stride, here.block, there.block};
      }
    }
  }
  const int64_t count = ElementCount(shape).value_or(0);
  const int64_t scales = ElementCount(scale_shape).value_or(0);
  if (scales <= 1) return {};
  std::vector<uint32_t> channels(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    int64_t left = i;
    int64_t channel = 0;
    for (size_t axis = shape.size(); axis-- > 0;) {
      const int64_t at = left % shape[axis];
      left /= shape[axis];
      channel += at * axes[axis].own / axes[axis].block * axes[axis].stride;
    }
    channels[static_cast<size_t>(i)] =
        static_cast<uint32_t>(std::clamp<int64_t>(channel, 0, scales - 1));
  }
  return channels;
}

bool IsNumber(DataType type) {
  const NumberFormat& format = FormatOf(type);
  return format.kind == NumberKind::kFloat && format.bits > 8;
}

// Fills in scales, zero points and channels of an input that the node reads as operand
// `of`: those of the output if it is quantized there, otherwise its own.
void AddParameters(const Model& model, const KnownNode& known, size_t of, bool quantized,
                   InputFacts& facts) {
  const std::optional<size_t> owner = quantized ? std::nullopt : std::optional(of);
  const auto scale_at = known.ParameterOf(OperandRole::kScale, owner);
  const auto zero_at = known.ParameterOf(OperandRole::kZeroPoint, owner);
  const Tensor* scale =
      scale_at ? FindConstant(model, known.node->inputs[*scale_at]) : nullptr;
  const Tensor* zero =
      zero_at ? FindConstant(model, known.node->inputs[*zero_at]) : nullptr;
  if (zero != nullptr) facts.zero_points = ReadCodes(zero->view());
  if (quantized) {
    if (scale == nullptr || facts.grid == DataType::kUndefined) {
      facts.grid = DataType::kUndefined;
      return;
    }
    facts.scale_type = scale->type;
    facts.scales = ReadCodes(scale->view());
  }
  const Tensor* layout = scale != nullptr ? scale : zero;
  const auto layout_at = scale != nullptr ? scale_at : zero_at;
  const auto alone = Alone(model, *known.node);
  if (layout == nullptr || !alone) return;
  const auto dimensions = DimensionsOf(*alone);
  if (!dimensions) return;  // then all elements belong to the first channel
  facts.channel = ChannelsOf(*dimensions, of, facts.shape, *layout_at, layout->shape);
}

// Returns the type that the node gives to its only output; kUndefined if that is not
// known.
DataType QuantizedType(const Model& model, const KnownNode& known) {
  const std::string& output = known.node->outputs.front();
  const auto found = std::ranges::find(model.outputs, output, &ValueInfo::name);
  if (found != model.outputs.end()) return found->type;
  if (const auto at = known.ParameterOf(OperandRole::kZeroPoint, std::nullopt)) {
    const std::string& name = known.node->inputs[*at];
    if (const Tensor* zero = FindConstant(model, name)) return zero->type;
    if (const ValueInfo* input = FindInput(model, name)) return input->type;
  }
  return DataType::kUndefined;
}

// Whether the node quantizes operand `of`: its scale belongs to the output, and the
// operand has none.
bool Quantizes(const KnownNode& known, size_t of) {
  return known.ParameterOf(OperandRole::kScale, std::nullopt).has_value() &&
         !known.ParameterOf(OperandRole::kScale, of).has_value();
}

// Sets what the first node that quantizes says of a number that reaches it through float
// nodes: only its first scale, because its layout may be another.
void AddFirstQuantizerBehind(const Model& model, const std::string& name,
                             InputFacts& facts) {
  std::set<std::string> reached{name};
  for (const Node& node : NodesOf(model.node)) {
    const auto is_reached = [&](const std::string& input) {
      return reached.contains(input);
    };
    if (!std::ranges::any_of(node.inputs, is_reached)) continue;
    const KnownNode known{&node, FindOperator(node.op_type)};
    if (known.op != nullptr && is_reached(node.inputs.front()) && Quantizes(known, 0)) {
      facts.grid = QuantizedType(model, known);
      AddParameters(model, known, 0, /*quantized=*/true, facts);
      facts.channel.clear();
      return;
    }
    reached.insert(node.outputs.begin(), node.outputs.end());
  }
}

InputFacts FactsOf(const Model& model, const ValueInfo& input) {
  using Kind = InputFacts::Kind;
  InputFacts facts;
  facts.type = input.type;
  facts.shape = input.shape;
  const bool is_number = IsNumber(input.type);
  facts.kind = is_number ? Kind::kNumbers : Kind::kPlain;
  for (const Node& node : NodesOf(model.node)) {
    const KnownNode known{&node, FindOperator(node.op_type)};
    const auto at = std::ranges::find(node.inputs, input.name);
    if (known.op == nullptr || at == node.inputs.end()) continue;
    const auto of = static_cast<size_t>(at - node.inputs.begin());
    const auto infos = known.op->operands();
    if (of >= infos.size()) continue;
    switch (infos[of].role) {
      case OperandRole::kScale:
        facts.kind = Kind::kScale;
        return facts;
      case OperandRole::kZeroPoint:
        facts.kind = Kind::kZeroPoint;
        return facts;
      case OperandRole::kBias:
        facts.kind = Kind::kBias;
        return facts;
      case OperandRole::kData:
      case OperandRole::kWeight: {
        const bool quantized = Quantizes(known, of);
        facts.kind = is_number || quantized ? Kind::kNumbers : Kind::kCodes;
        if (quantized) facts.grid = QuantizedType(model, known);
        AddParameters(model, known, of, quantized, facts);
        return facts;
      }
    }
  }
  if (is_number) {
    AddFirstQuantizerBehind(model, input.name, facts);
  } else if (FormatOf(input.type).kind == NumberKind::kInteger &&
             FormatOf(input.type).bits <= 16) {
    facts.kind = Kind::kCodes;
  }
  return facts;
}

// Whether an axis is one along which a window slides, or one of the window itself.
bool IsOfWindow(const Dimensions& dimensions, size_t operand, size_t axis) {
  const auto found = std::ranges::find_if(dimensions, [&](const Dimension& dimension) {
    return HasAxis(dimension, operand, axis);
  });
  return found != dimensions.end() && found->is_whole && !found->is_summed &&
         found->outputs.empty();
}

// Returns how many elements of a window belong to each place of a summed dimension: of
// the operands that have it, the window is the one with the fewest elements.
int64_t WindowOf(const Model& model, const Dimensions& dimensions,
                 const Dimension& summed) {
  std::optional<int64_t> fewest;
  for (const AxisPlace& place : summed.operands) {
    if (place.tensor >= model.node.inputs.size()) continue;
    const std::string& name = model.node.inputs[place.tensor];
    const Tensor* constant = FindConstant(model, name);
    const ValueInfo* input = FindInput(model, name);
    if (constant == nullptr && input == nullptr) continue;
    const Shape& shape = constant != nullptr ? constant->shape : input->shape;
    int64_t size = 1;
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      if (IsOfWindow(dimensions, place.tensor, axis)) {
        size *= std::max<int64_t>(shape[axis], 1);
      }
    }
    fewest = std::min(fewest.value_or(size), size);
  }
  return fewest.value_or(1);
}

}  // namespace

Result<std::vector<InputFacts>> FactsOfInputs(const Model& model) {
  const auto dimensions = DimensionsOf(model);
  if (!dimensions) return dimensions.error();
  std::vector<InputFacts> all;
  for (const ValueInfo& input : model.inputs) {
    InputFacts& facts = all.emplace_back(FactsOf(model, input));
    const auto at = std::ranges::find(model.node.inputs, input.name);
    const auto operand = static_cast<size_t>(at - model.node.inputs.begin());
    for (const Dimension& dimension : *dimensions) {
      if (!dimension.is_summed) continue;
      for (const AxisPlace& place : dimension.operands) {
        if (place.tensor == operand && place.axis < facts.shape.size()) {
          facts.summed.push_back(place.axis);
        }
      }
    }
    std::ranges::sort(facts.summed);
  }
  return all;
}

std::vector<TellingValue> TellingInputsOf(const Model& model, size_t most) {
  std::vector<TellingValue> values;
  const OperatorFaults* faults = FindOperatorFaults(model.node.op_type);
  const auto bound = BindModel(model);
  if (faults == nullptr || !bound) return values;
  std::vector<Tensor> zeros;
  for (const ValueInfo& input : model.inputs) {
    zeros.push_back(Tensor::Zeros(input.type, input.shape));
  }
  const std::vector<TensorView> views = ViewsOf(zeros);
  const auto operands = ResolveOperands(model, views);
  if (!operands) return values;
  for (TellingInput& one :
       faults->TellingInputs(model.node, bound->since_version, *operands, most)) {
    const std::string& name = model.node.inputs[one.operand];
    const auto input = std::ranges::find(model.inputs, name, &ValueInfo::name);
    if (input == model.inputs.end()) continue;  // a constant
    values.push_back(
        {static_cast<size_t>(input - model.inputs.begin()), std::move(one.tensor)});
  }
  return values;
}

int64_t MostWorkOf(const Model& model) {
  // The oracle wires each product of a graph, and does so for each reading if a part
  // deviates.
  constexpr int64_t kMostOfGraph = int64_t{1} << 17;
  constexpr int64_t kMostOfNode = int64_t{1} << 22;
  return model.node.is_graph() ? kMostOfGraph : kMostOfNode;
}

int64_t ElementsOf(const Model& model) {
  int64_t most = 0;
  for (const auto* infos : {&model.inputs, &model.outputs}) {
    for (const ValueInfo& info : *infos) {
      most = std::max(most, ElementCount(info.shape).value_or(0));
    }
  }
  return most;
}

bool IsValidWithZeros(const Model& model) {
  FedModel fed{model, {}};
  for (const ValueInfo& input : model.inputs) {
    fed.inputs.push_back(Tensor::Zeros(input.type, input.shape));
  }
  const auto validity = ValidityOf(fed);
  return validity && validity->kind != ModelValidity::Kind::kInvalid;
}

Result<int64_t> WorkOf(const Model& model) {
  const auto dimensions = DimensionsOf(model);
  if (!dimensions) return dimensions.error();
  return WorkOf(model, *dimensions);
}

int64_t WorkOf(const Model& model, const Dimensions& dimensions) {
  // Saturates: only whether it is too much counts.
  constexpr int64_t kMost = int64_t{1} << 50;
  constexpr int64_t kMostTerms = int64_t{1} << 13;
  int64_t work = 0;
  for (const ValueInfo& output : model.outputs) {
    work += ElementCount(output.shape).value_or(kMost);
  }
  work = std::clamp<int64_t>(work, 1, kMost);
  for (const Dimension& dimension : dimensions) {
    if (!dimension.is_summed) continue;
    const int64_t terms =
        std::max<int64_t>(dimension.size, 1) * WindowOf(model, dimensions, dimension);
    work = std::min(work * std::clamp<int64_t>(terms, 1, kMostTerms), kMost);
  }
  return work;
}

}  // namespace qconform
