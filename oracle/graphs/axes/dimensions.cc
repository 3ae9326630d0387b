#include "oracle/graphs/axes/dimensions.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "oracle/graphs/axes/node_axes.h"
#include "oracle/graphs/wiring.h"

namespace qconform {
namespace {

// What is known of a value before the graph runs.
struct KnownValue {
  DataType type = DataType::kUndefined;
  Shape shape;
  std::span<const std::byte> data{};  // of inputs
};

// An axis of a value, in elements of which `block` of the dimension are one.
struct ValueAxis {
  size_t value = 0;
  size_t axis = 0;

  friend auto operator<=>(const ValueAxis&, const ValueAxis&) = default;
};

// Axes that are joined to dimensions.
class JoinedAxes {
 public:
  size_t Add(ValueAxis axis) {
    const auto [at, is_new] = numbers_.emplace(axis, parents_.size());
    if (is_new) {
      parents_.push_back(parents_.size());
      facts_.emplace_back();
    }
    return at->second;
  }

  size_t size() const { return parents_.size(); }

  size_t Find(size_t number) const {
    while (parents_[number] != number) number = parents_[number];
    return number;
  }

  struct Facts {
    bool is_summed = false;
    bool is_whole = false;
    bool is_rows = false;
    // Axes that count blocks.
    std::vector<std::pair<ValueAxis, int64_t>> blocked{};
  };
  Facts& Of(size_t number) { return facts_[Find(number)]; }

  void Join(size_t a, size_t b) {
    const size_t from = Find(b);
    const size_t to = Find(a);
    if (from == to) return;
    parents_[from] = to;
    Facts& kept = facts_[to];
    const Facts& other = facts_[from];
    kept.is_summed = kept.is_summed || other.is_summed;
    kept.is_whole = kept.is_whole || other.is_whole;
    kept.is_rows = kept.is_rows || other.is_rows;
    kept.blocked.insert(kept.blocked.end(), other.blocked.begin(), other.blocked.end());
  }

 private:
  std::map<ValueAxis, size_t> numbers_;
  std::vector<size_t> parents_;
  std::vector<Facts> facts_;
};

class Joiner {
 public:
  Joiner(const GraphStructure& structure, const Operands& operands)
      : structure_(structure), values_(structure.values.size()) {
    for (size_t i = 0; i < structure.input_count; ++i) {
      const auto operand = OperandAt(operands, i);
      if (!operand) continue;
      values_[i] = {
          operand->type, {operand->shape.begin(), operand->shape.end()}, operand->data};
    }
  }

  Result<Dimensions> Run() {
    for (const GraphNode& node : structure_.nodes) {
      const Status status = node.is_float() ? AddFloatNode(node) : AddJudgedNode(node);
      if (status) continue;
      if (!lacks_data_) return status.error();
      return OperandsAlone();
    }
    return Made();
  }

 private:
  Operands OperandsOf(const GraphNode& node) const {
    Operands operands;
    for (const auto& input : node.inputs) {
      operands.emplace_back();
      if (!input || values_[*input].type == DataType::kUndefined) continue;
      const KnownValue& value = values_[*input];
      operands.back() = TensorView{value.type, value.shape, value.data};
    }
    return operands;
  }

  // The number of an axis of an operand or output of a node.
  size_t NumberOf(const GraphNode& node, const NodeAxis& axis) {
    const size_t value =
        axis.is_output ? node.first_output + axis.tensor : *node.inputs[axis.tensor];
    return joined_.Add({value, axis.axis});
  }

  Status AddFloatNode(const GraphNode& node) {
    const Operands operands = OperandsOf(node);
    const auto wiring = WireNode(node.node, node.since_version, operands);
    if (!wiring) {
      lacks_data_ = std::ranges::any_of(operands, [](const auto& operand) {
        return operand && operand->data.empty() && IsInteger(operand->type) &&
               ElementCount(operand->shape) != 0;
      });
      return wiring.error();
    }
    for (size_t k = 0; k < wiring->outputs.size(); ++k) {
      values_[node.first_output + k] = {wiring->outputs[k].type,
                                        wiring->outputs[k].shape};
    }
    const NodeAxes axes = FindNodeAxes(node.node, operands, *wiring);
    for (const auto& [one, other] : axes.equal) {
      joined_.Join(NumberOf(node, one), NumberOf(node, other));
    }
    for (const NodeAxis& axis : axes.summed)
      joined_.Of(NumberOf(node, axis)).is_summed = true;
    for (const NodeAxis& axis : axes.whole)
      joined_.Of(NumberOf(node, axis)).is_whole = true;
    if (axes.rows) joined_.Of(NumberOf(node, *axes.rows)).is_rows = true;
    return Ok();
  }

  // The type of an output of an operator that is judged by itself.
  static DataType TypeOf(const GraphNode& node, const Operands& operands, size_t output) {
    const auto named = IntegerAttribute(node.node.attributes, "output_dtype");
    if (named && named->value_or(0) != 0) {
      return DataTypeFromNumber(**named).value_or(DataType::kUndefined);
    }
    const std::span<const OperandInfo> infos = node.op->operands();
    bool has_scale = false;
    for (size_t i = 0; i < infos.size(); ++i) {
      const auto operand = OperandAt(operands, i);
      const bool is_scale = infos[i].role == OperandRole::kScale;
      has_scale = has_scale || is_scale;
      if (!operand) continue;
      if (is_scale && node.is_dequantize()) return operand->type;
      const bool is_of_output = infos[i].role == OperandRole::kZeroPoint && !infos[i].of;
      if (is_of_output) return operand->type;
    }
    if (has_scale) return DataType::kUint8;               // the default of QuantizeLinear
    if (node.output_count == 1) return DataType::kInt32;  // sums of integers
    return output == 1 ? DataType::kFloat : DataType::kUint8;  // DynamicQuantizeLinear
  }

  Status AddJudgedNode(const GraphNode& node) {
    const Operands operands = OperandsOf(node);
    const auto dimensions = node.bound->DimensionsOf(operands);
    if (!dimensions) return dimensions.error();
    for (size_t k = 0; k < node.output_count; ++k) {
      values_[node.first_output + k].type = TypeOf(node, operands, k);
    }
    for (const Dimension& dimension : *dimensions) {
      AddDimension(node, dimension);
    }
    return Ok();
  }

  void AddDimension(const GraphNode& node, const Dimension& dimension) {
    std::optional<size_t> number;
    std::vector<std::pair<ValueAxis, int64_t>> blocked;
    const auto add = [&](const AxisPlace& place, bool is_output) {
      const size_t value =
          is_output ? node.first_output + place.tensor : *node.inputs[place.tensor];
      if (is_output) {
        Shape& shape = values_[value].shape;
        shape.resize(std::max(shape.size(), place.axis + 1), 1);
        shape[place.axis] = SizeAt(dimension, place);
      }
      if (place.block != 1) {
        blocked.push_back({{value, place.axis}, place.block});
        return;
      }
      const size_t own = joined_.Add({value, place.axis});
      if (number) {
        joined_.Join(*number, own);
      } else {
        number = own;
      }
    };
    for (const AxisPlace& place : dimension.operands) add(place, false);
    for (const AxisPlace& place : dimension.outputs) add(place, true);
    if (!number) return;
    JoinedAxes::Facts& facts = joined_.Of(*number);
    facts.is_summed = facts.is_summed || dimension.is_summed;
    facts.is_whole = facts.is_whole || dimension.is_whole;
    facts.is_rows = facts.is_rows || dimension.is_rows;
    for (const auto& place : blocked) {
      // Values inside the graph cannot be cut on their own.
      if (place.first.value >= structure_.input_count) facts.is_whole = true;
      facts.blocked.push_back(place);
    }
  }

  Result<Dimensions> Made() {
    struct Found {
      Dimension dimension;
      size_t number;
    };
    std::vector<Found> all;
    const auto dimension_of = [&](size_t number, int64_t size) -> Dimension& {
      number = joined_.Find(number);
      const auto at = std::ranges::find(all, number, &Found::number);
      if (at != all.end()) return at->dimension;
      all.push_back({{.name = {}, .size = size, .operands = {}, .outputs = {}}, number});
      return all.back().dimension;
    };
    const auto is_blocked = [&](ValueAxis axis) {
      return std::ranges::any_of(blocked_,
                                 [&](const auto& each) { return each == axis; });
    };
    CollectBlocked();
    for (size_t i = 0; i < structure_.input_count; ++i) {
      const Shape& shape = values_[i].shape;
      for (size_t axis = 0; axis < shape.size(); ++axis) {
        if (is_blocked({i, axis})) continue;
        dimension_of(joined_.Add({i, axis}), shape[axis]).operands.push_back({i, axis});
      }
    }
    for (size_t o = 0; o < structure_.outputs.size(); ++o) {
      const size_t value = structure_.outputs[o];
      const Shape& shape = values_[value].shape;
      for (size_t axis = 0; axis < shape.size(); ++axis) {
        dimension_of(joined_.Add({value, axis}), shape[axis])
            .outputs.push_back({o, axis});
      }
    }
    Dimensions dimensions;
    for (auto& [dimension, number] : all) {
      const JoinedAxes::Facts& facts = joined_.Of(number);
      const bool is_alone = dimension.operands.empty() || dimension.outputs.empty();
      // An operand's axis of size 1 that makes no axis of an output is broadcast.
      if (dimension.size == 1 && dimension.outputs.empty()) continue;
      dimension.name = "d" + std::to_string(dimensions.size());
      dimension.is_summed = dimension.outputs.empty() && facts.is_summed;
      dimension.is_whole = facts.is_whole || (is_alone && !dimension.is_summed);
      dimension.is_rows = facts.is_rows;
      for (const auto& [axis, block] : facts.blocked) {
        if (axis.value >= structure_.input_count) continue;
        const AxisPlace place{axis.value, axis.axis, block};
        if (std::ranges::find(dimension.operands, place) == dimension.operands.end()) {
          dimension.operands.push_back(place);
        }
      }
      dimensions.push_back(std::move(dimension));
    }
    return dimensions;
  }

  // The axes that belong to a dimension as counts of blocks.
  void CollectBlocked() {
    for (size_t i = 0; i < structure_.input_count; ++i) {
      for (size_t axis = 0; axis < values_[i].shape.size(); ++axis) {
        joined_.Add({i, axis});
      }
    }
    for (size_t number = 0; number < joined_.size(); ++number) {
      for (const auto& [axis, block] : joined_.Of(number).blocked)
        blocked_.push_back(axis);
    }
  }

  Result<Dimensions> OperandsAlone() const {
    Dimensions dimensions;
    for (size_t i = 0; i < structure_.input_count; ++i) {
      for (size_t axis = 0; axis < values_[i].shape.size(); ++axis) {
        if (values_[i].shape[axis] == 1) continue;
        dimensions.push_back({.name = "d" + std::to_string(dimensions.size()),
                              .size = values_[i].shape[axis],
                              .is_whole = true,
                              .operands = {{i, axis}},
                              .outputs = {}});
      }
    }
    return dimensions;
  }

  const GraphStructure& structure_;
  std::vector<KnownValue> values_;
  JoinedAxes joined_;
  std::vector<ValueAxis> blocked_;
  bool lacks_data_ = false;
};

}  // namespace

Result<Dimensions> GraphDimensions(const GraphStructure& structure,
                                   const Operands& operands) {
  return Joiner(structure, operands).Run();
}

}  // namespace qconform
