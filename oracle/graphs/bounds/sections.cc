#include "oracle/graphs/bounds/sections.h"

#include <algorithm>

#include "oracle/graphs/float_operators.h"

namespace qconform {
namespace {

class SectionFinder {
 public:
  explicit SectionFinder(const GraphStructure& structure) : structure_(structure) {
    found_.values.resize(structure.values.size());
    found_.is_inside.resize(structure.nodes.size(), false);
  }

  Sections Run() {
    for (const GraphNode& node : structure_.nodes) Follow(node);
    for (const size_t output : structure_.outputs) {
      Sections::Value& value = found_.values[output];
      value.is_bounded_output = value.is_computed;
      if (value.is_computed) AddEnd(value);
      value.is_needed = value.is_needed || value.is_computed;
    }
    std::for_each(structure_.nodes.rbegin(), structure_.nodes.rend(),
                  [&](const GraphNode& node) { GoBack(node); });
    for (const GraphNode& node : structure_.nodes) {
      const bool is_output = std::ranges::find(structure_.outputs, node.first_output) !=
                             structure_.outputs.end();
      if (node.is_dequantize() && !is_output) {
        found_.is_inside[node.number] = found_.values[node.first_output].is_needed;
      }
      if (node.is_quantize()) found_.is_inside[node.number] = IsBoundedEnd(node);
    }
    return std::move(found_);
  }

 private:
  Sections::Value* ValueAt(const GraphNode& node, size_t input) {
    if (input >= node.inputs.size() || !node.inputs[input]) return nullptr;
    return &found_.values[*node.inputs[input]];
  }

  bool IsBoundedEnd(const GraphNode& node) {
    const Sections::Value* x = ValueAt(node, 0);
    return node.is_quantize() && x != nullptr && (x->is_computed || x->is_dequantized);
  }

  void Follow(const GraphNode& node) {
    if (node.is_dequantize()) {
      found_.values[node.first_output].is_dequantized = true;
      return;
    }
    if (IsBoundedEnd(node)) AddEnd(*ValueAt(node, 0));
    if (!node.is_float()) return;
    Sections::Value joined;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const Sections::Value* input = ValueAt(node, i);
      if (input == nullptr) continue;
      joined.is_dequantized = joined.is_dequantized || input->is_dequantized;
      joined.is_computed = joined.is_computed || input->is_computed;
      joined.has_operation = joined.has_operation || input->has_operation;
      joined.has_sum = joined.has_sum || input->has_sum;
    }
    switch (RoundsOf(node.node.op_type)) {
      case FloatRounding::kNone:
        break;
      case FloatRounding::kPosition:
        // Positions are another section; they are bounded where their operands are.
        if (joined.is_computed) AddEnd(joined);
        return;
      case FloatRounding::kOperation:
        joined.is_computed = true;
        joined.has_operation = true;
        break;
      case FloatRounding::kSum:
        joined.is_computed = true;
        joined.has_sum = true;
        break;
    }
    for (size_t k = 0; k < node.output_count; ++k) {
      found_.values[node.first_output + k] = joined;
    }
  }

  void GoBack(const GraphNode& node) {
    if (IsBoundedEnd(node)) {
      ValueAt(node, 0)->is_needed = true;
      ValueAt(node, 0)->is_quantized_behind = true;
    }
    if (!node.is_float()) return;
    const FloatRounding rounding = RoundsOf(node.node.op_type);
    bool is_needed = false;
    bool is_quantized_behind = false;
    for (size_t k = 0; k < node.output_count; ++k) {
      const Sections::Value& output = found_.values[node.first_output + k];
      is_needed = is_needed || output.is_needed;
      is_quantized_behind = is_quantized_behind || output.is_quantized_behind;
    }
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      Sections::Value* input = ValueAt(node, i);
      if (input == nullptr) continue;
      const bool decides = rounding == FloatRounding::kPosition && input->is_computed;
      input->is_needed = input->is_needed || is_needed || decides;
      if (rounding == FloatRounding::kNone && is_quantized_behind) {
        input->is_quantized_behind = true;
      }
    }
  }

  static void AddOnce(const char* clause, const char* name, std::vector<Reading>& to) {
    const Reading reading{clause, name};
    if (std::ranges::find(to, reading) == to.end()) to.push_back(reading);
    std::ranges::sort(to);
  }

  void AddEnd(const Sections::Value& value) {
    if (value.has_operation) {
      AddOnce("GR-05", "fused_arithmetic", found_.bounds);
      AddOnce("GR-05", "reduced_precision", found_.wider);
    }
    if (value.has_sum) {
      AddOnce("GR-06", "float_sum", found_.bounds);
      AddOnce("GR-06", "reduced_precision_accumulation", found_.wider);
    }
    if (!value.is_computed) AddOnce("GR-13", "fused_requantization", found_.bounds);
  }

  const GraphStructure& structure_;
  Sections found_;
};

}  // namespace

Sections FindSections(const GraphStructure& structure) {
  return SectionFinder(structure).Run();
}

}  // namespace qconform
