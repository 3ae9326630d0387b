#include "oracle/graphs/evidence.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "oracle/formats/codes.h"
#include "oracle/graphs/float_operators.h"
#include "oracle/graphs/wiring.h"

namespace qconform {
namespace {

// More elements of the operands than this are no evidence that anybody reads.
constexpr size_t kMostElements = 16;
constexpr size_t kMostSources = 4;  // of one sum or window

// The elements of the graph's inputs that an element comes from.
class Trace {
 public:
  Trace(const GraphStructure& structure, const Composition& composition)
      : structure_(structure), composition_(composition) {}

  Status Visit(size_t value, int64_t index) {
    if (elements_.size() >= kMostElements) return Ok();
    const GraphNode* node = structure_.NodeOf(value);
    if (node == nullptr) {
      Add(structure_.values[value].name, composition_.values()[value].view, index);
      return Ok();
    }
    if (node->is_float()) return VisitSources(*node, value, index);
    const auto own = node->bound->OperandsOfElement(composition_.OperandsOf(*node),
                                                    value - node->first_output, index);
    if (!own) return own.error();
    size_t first = 0;
    if (node->is_elementwise()) {
      const Status visited = Visit(*node->inputs[0], index);
      if (!visited) return visited;
      first = 1;  // x, which has been followed
    }
    for (size_t i = first; i < own->size(); ++i) AddNamed(*node, (*own)[i]);
    return Ok();
  }

  // Names an operand's element "x" where it is the only one of it, else "x[3]".
  std::vector<ElementOperand> Take() {
    std::vector<ElementOperand> operands;
    for (const Element& one : elements_) {
      const bool is_alone =
          std::ranges::count(elements_, one.operand.name, [](const Element& other) {
            return other.operand.name;
          }) == 1;
      ElementOperand operand = one.operand;
      if (!is_alone && one.index) {
        operand.name += "[" + std::to_string(*one.index) + "]";
      }
      operands.push_back(std::move(operand));
    }
    return operands;
  }

 private:
  struct Element {
    ElementOperand operand;
    std::optional<int64_t> index;
  };

  void Put(Element element) {
    const bool is_known = std::ranges::any_of(elements_, [&](const Element& other) {
      return other.operand.name == element.operand.name && other.index == element.index;
    });
    if (!is_known) elements_.push_back(std::move(element));
  }

  void Add(const std::string& name, const TensorView& view, int64_t index) {
    Put({{name, view.type, ReadCode(view, index)}, index});
  }

  // An operand of a judged operator, by the name that the graph has for it.
  void AddNamed(const GraphNode& node, ElementOperand operand) {
    const std::span<const OperandInfo> infos = node.op->operands();
    for (size_t k = 0; k < infos.size() && k < node.inputs.size(); ++k) {
      const std::string_view base =
          std::string_view(operand.name).substr(0, operand.name.find('['));
      if (base != infos[k].name || !node.inputs[k]) continue;
      const std::string& name = structure_.values[*node.inputs[k]].name;
      operand.name = name + operand.name.substr(base.size());
      break;
    }
    Put({std::move(operand), std::nullopt});
  }

  Status VisitSources(const GraphNode& node, size_t value, int64_t index) {
    const Wiring& wiring = composition_.wirings()[node.number];
    const WiredOutput& wired = wiring.outputs[value - node.first_output];
    const auto at = static_cast<size_t>(index);
    const size_t count = wired.first[at + 1] - wired.first[at];
    const size_t factors = wiring.kind == WiredKind::kSum ? 2 : 1;
    size_t shown = 0;
    for (size_t s = 0; s + factors <= count && shown < kMostSources; s += factors) {
      const std::span terms(&wired.sources[wired.first[at] + s], factors);
      // Padding adds nothing to a sum, whatever its other factor is.
      if (std::ranges::count(terms, WiredElement::kZero, &WiredElement::operand) > 0) {
        continue;
      }
      ++shown;
      for (const WiredElement& source : terms) {
        const Status visited = VisitWired(node, source);
        if (!visited) return visited;
      }
    }
    if (!wired.bias.empty()) return VisitWired(node, wired.bias[at]);
    for (const auto& bound : {wiring.low, wiring.high}) {
      if (!bound) continue;
      const Status visited = VisitWired(node, *bound);
      if (!visited) return visited;
    }
    return Ok();
  }

  Status VisitWired(const GraphNode& node, const WiredElement& source) {
    if (source.operand == WiredElement::kZero) return Ok();
    const auto& value = node.inputs[static_cast<size_t>(source.operand)];
    return value ? Visit(*value, source.index) : Ok();
  }

  const GraphStructure& structure_;
  const Composition& composition_;
  std::vector<Element> elements_;
};

// Why an element is free: the first node on its way that makes it so.
class Cause {
 public:
  Cause(const GraphStructure& structure, const Composition& composition)
      : structure_(structure), composition_(composition) {}

  Result<std::optional<FreeInput>> Of(size_t value, int64_t index) {
    const GraphNode* node = structure_.NodeOf(value);
    if (node == nullptr) return std::optional<FreeInput>();
    const ComposedValue& composed = composition_.values()[value];
    const ElementAnswer& element = composed.elements[static_cast<size_t>(index)];
    if (!node->is_float()) {
      if (node->is_elementwise() && IsFree(*node->inputs[0], index)) {
        return Of(*node->inputs[0], index);
      }
      const auto own = node->bound->FreeInputOf(
          composition_.OperandsOf(*node), value - node->first_output, index, element);
      if (own && *own) return own;
      return std::optional(
          FreeInput{.clause = "GR-02", .input = "a free operand of " + Named(*node)});
    }
    const Wiring& wiring = composition_.wirings()[node->number];
    const WiredOutput& wired = wiring.outputs[value - node->first_output];
    const auto at = static_cast<size_t>(index);
    for (size_t s = wired.first[at]; s < wired.first[at + 1]; ++s) {
      const WiredElement& source = wired.sources[s];
      if (source.operand == WiredElement::kZero) continue;
      const auto& operand = node->inputs[static_cast<size_t>(source.operand)];
      if (operand && IsFree(*operand, source.index)) return Of(*operand, source.index);
    }
    const std::string_view clause = ClauseOf(node->node.op_type);
    const bool is_nan = (element.features & kFeatureNan) != 0;
    if (element.freedom == Freedom::kNone && element.zero_sign_is_free) {
      return std::optional(FreeInput{.clause = std::string(clause),
                                     .input = "sign of a zero of " + Named(*node)});
    }
    return std::optional(
        FreeInput{.clause = std::string(clause),
                  .input = (is_nan ? "NaN in " : "no operand of ") + Named(*node)});
  }

 private:
  static std::string Named(const GraphNode& node) { return node.node.op_type; }

  bool IsFree(size_t value, int64_t index) const {
    const ComposedValue& composed = composition_.values()[value];
    if (composed.elements.empty()) return false;
    const ElementAnswer& element = composed.elements[static_cast<size_t>(index)];
    return element.freedom != Freedom::kNone || element.zero_sign_is_free;
  }

  const GraphStructure& structure_;
  const Composition& composition_;
};

}  // namespace

Result<std::vector<ElementOperand>> OperandsOfValue(const GraphStructure& structure,
                                                    const Composition& composition,
                                                    size_t value, int64_t index) {
  Trace trace(structure, composition);
  const Status visited = trace.Visit(value, index);
  if (!visited) return visited.error();
  return trace.Take();
}

Result<std::optional<FreeInput>> FreeInputOfValue(const GraphStructure& structure,
                                                  const Composition& composition,
                                                  size_t value, int64_t index) {
  return Cause(structure, composition).Of(value, index);
}

}  // namespace qconform
