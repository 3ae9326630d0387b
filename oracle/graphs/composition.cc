#include "oracle/graphs/composition.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "oracle/graphs/code_sets.h"
#include "oracle/graphs/evaluate.h"
#include "oracle/graphs/judged_node.h"

namespace qconform {
namespace {

// Whether a node gives zeros the sign of its operands' zeros.
bool KeepsZeroSigns(WiredKind kind) {
  switch (kind) {
    case WiredKind::kMove:
    case WiredKind::kMaximum:
    case WiredKind::kMinimum:
    case WiredKind::kCast:
      return true;
    default:
      return false;
  }
}

// Whether an element has the features of the operand that it is.
bool KeepsFeatures(WiredKind kind) {
  switch (kind) {
    case WiredKind::kMove:
    case WiredKind::kRelu:
    case WiredKind::kClip:
    case WiredKind::kMaximum:
    case WiredKind::kMinimum:
    case WiredKind::kNeg:
    case WiredKind::kAbs:
      return true;
    default:
      return false;
  }
}

}  // namespace

class Composition::Builder {
 public:
  Builder(const GraphStructure& structure, std::span<const ReadingSet> readings,
          Widening* widening)
      : structure_(structure), readings_(readings), widening_(widening) {
    made_.structure_ = &structure;
    made_.values_.resize(structure.values.size());
    made_.wirings_.resize(structure.nodes.size());
  }

  Status SetOperands(const Operands& operands) {
    for (size_t i = 0; i < structure_.input_count; ++i) {
      const std::optional<TensorView> operand = OperandAt(operands, i);
      if (!operand) continue;
      const auto count = ElementCount(operand->shape);
      if (operand->type == DataType::kUndefined || !count ||
          operand->data.size() != PackedByteSize(operand->type, *count)) {
        return Error{structure_.values[i].name +
                     ": expected data for its type and shape " +
                     ShapeToString(operand->shape) + ", got " +
                     std::to_string(operand->data.size()) + " bytes"};
      }
      made_.values_[i].view = *operand;
    }
    return Ok();
  }

  Status Run() {
    for (const GraphNode& node : structure_.nodes) {
      const Status done = Evaluate(node);
      if (!done) return done;
    }
    return Ok();
  }

  Status Evaluate(const GraphNode& node) {
    const Operands operands = made_.OperandsOf(node);
    const Status done =
        node.is_float() ? EvaluateFloat(node, operands) : EvaluateJudged(node, operands);
    if (!done || widening_ == nullptr) return done;
    return widening_->Widen(node, made_, OutputsOf(node));
  }

  // Returns the validity of one node; its outputs are known if it is not invalid.
  Result<ModelValidity> Check(const GraphNode& node) {
    const Operands operands = made_.OperandsOf(node);
    if (!node.is_float()) {
      auto validity = node.bound->Validate(operands);
      if (!validity) return InvalidBy(node, validity.error().message);
      if (validity->kind == ModelValidity::Kind::kInvalid) return validity;
      const Status done = EvaluateJudged(node, operands);
      if (!done) return done.error();
      return validity;
    }
    const Status done = EvaluateFloat(node, operands);
    if (!done) return InvalidBy(node, done.error().message);
    return ModelValidity{};
  }

  Composition Take() { return std::move(made_); }

 private:
  static ModelValidity InvalidBy(const GraphNode& node, const std::string& reason) {
    return {.kind = ModelValidity::Kind::kInvalid,
            .clause = "GR-01",
            .reason = node.node.op_type + ": " + reason};
  }

  std::span<ComposedValue> OutputsOf(const GraphNode& node) {
    return std::span(made_.values_).subspan(node.first_output, node.output_count);
  }

  const ComposedValue* ValueAt(const GraphNode& node, size_t operand) const {
    if (operand >= node.inputs.size() || !node.inputs[operand]) return nullptr;
    return &made_.values_[*node.inputs[operand]];
  }

  // --- float nodes --------------------------------------------------------------------

  Status EvaluateFloat(const GraphNode& node, const Operands& operands) {
    auto wired = WireNode(node.node, node.since_version, operands);
    if (!wired) return wired.error();
    Wiring& wiring = made_.wirings_[node.number];
    wiring = *std::move(wired);
    auto evaluator = FloatEvaluator::Create(wiring, operands);
    if (!evaluator) return evaluator.error();
    std::vector<NodeOutput> outputs = EvaluateAll(wiring, *evaluator);
    const std::span<ComposedValue> values = OutputsOf(node);
    if (outputs.size() != values.size()) {
      return Error{node.node.op_type + ": expected " + std::to_string(outputs.size()) +
                   " outputs, got " + std::to_string(values.size())};
    }
    const bool is_plain = std::ranges::all_of(node.inputs, [&](const auto& input) {
      return !input || made_.values_[*input].elements.empty();
    });
    for (size_t k = 0; k < outputs.size(); ++k) {
      ComposedValue& value = values[k];
      value.owned = std::move(outputs[k].tensor);
      value.view = value.owned.view();
      value.elements = std::move(outputs[k].elements);
      if (is_plain) continue;
      for (size_t i = 0; i < value.elements.size(); ++i) {
        Inherit(node, *evaluator, k, i, value);
      }
    }
    return Ok();
  }

  const ElementAnswer* ElementOf(const GraphNode& node,
                                 const WiredElement& source) const {
    if (source.operand == WiredElement::kZero) return nullptr;
    const ComposedValue* value = ValueAt(node, static_cast<size_t>(source.operand));
    if (value == nullptr || value->elements.empty()) return nullptr;
    return &value->elements[static_cast<size_t>(source.index)];
  }

  // Tier, features and freedom that an element has from those that it is made of.
  void Inherit(const GraphNode& node, FloatEvaluator& evaluator, size_t output,
               size_t index, ComposedValue& value) {
    const Wiring& wiring = made_.wirings_[node.number];
    ElementAnswer& element = value.elements[index];
    bool has_sets = false;
    bool has_free_zero = false;
    const bool keeps_features = KeepsFeatures(wiring.kind);
    ForEachSource(wiring, output, index, [&](const WiredElement& source) {
      const ElementAnswer* from = ElementOf(node, source);
      if (from == nullptr) return;
      element.tier = std::max(element.tier, from->tier);
      has_sets = has_sets || IsSet(*from);
      has_free_zero = has_free_zero || from->zero_sign_is_free;
      if (keeps_features && from->code == element.code) {
        element.features = static_cast<uint16_t>(element.features | from->features);
      }
      if (wiring.kind == WiredKind::kMove && from->freedom == Freedom::kAnyNan) {
        element.freedom = Freedom::kAnyNan;
      }
    });
    if (has_free_zero && KeepsZeroSigns(wiring.kind) &&
        (element.features & kFeatureZeroResult) != 0) {
      element.zero_sign_is_free = FormatOf(value.view.type).has_negative_zero;
    }
    const bool divides_by_free_zero = has_free_zero && wiring.kind == WiredKind::kDiv;
    if (has_sets || divides_by_free_zero) {
      TryAll(node, evaluator, output, index, value);
    }
  }

  // GR-02: the element by each combination of its operands' codes.
  void TryAll(const GraphNode& node, FloatEvaluator& evaluator, size_t output,
              size_t index, ComposedValue& value) {
    struct Varied {
      WiredElement source;
      uint64_t code;  // canonical
      CodeSet codes;
    };
    std::vector<Varied> varied;
    CodeUnion all(value.view.type);
    size_t combinations = 1;
    ForEachSource(
        made_.wirings_[node.number], output, index, [&](const WiredElement& source) {
          const ElementAnswer* from = ElementOf(node, source);
          if (from == nullptr || all.is_any()) return;
          if (!IsSet(*from) && !from->zero_sign_is_free) return;
          for (const Varied& one : varied) {
            if (one.source == source) return;
          }
          const ComposedValue& operand =
              *ValueAt(node, static_cast<size_t>(source.operand));
          auto codes = PossibleCodes(operand, source.index);
          if (!codes) {
            all.AddAny();
            return;
          }
          if (from->zero_sign_is_free && !IsSet(*from)) {
            const uint64_t sign = uint64_t{1} << (BitWidth(operand.view.type) - 1);
            codes->push_back(codes->front() ^ sign);
          }
          combinations *= codes->size();
          if (combinations > kMostCombinedCodes) {
            all.AddAny();
            return;
          }
          varied.push_back({source, evaluator.CodeOf(source), *std::move(codes)});
        });
    if (!all.is_any()) {
      for (size_t c = 0; c < combinations && !all.is_any(); ++c) {
        size_t rest = c;
        for (const Varied& one : varied) {
          evaluator.SetCode(one.source, one.codes[rest % one.codes.size()]);
          rest /= one.codes.size();
        }
        uint64_t code = 0;
        const ElementAnswer answer = evaluator.Element(output, index, code);
        all.Add(answer, code);
      }
    }
    for (const Varied& one : varied) evaluator.SetCode(one.source, one.code);
    all.Put(static_cast<int64_t>(index), value);
  }

  Status EvaluateJudged(const GraphNode& node, const Operands& operands) {
    static const ReadingSet kCanonical;
    const bool has_own = node.number < readings_.size();
    return EvaluateJudgedNode(node, has_own ? readings_[node.number] : kCanonical,
                              operands, made_.values_, OutputsOf(node));
  }

  const GraphStructure& structure_;
  std::span<const ReadingSet> readings_;
  Widening* widening_;
  Composition made_;
};

Result<Composition> Composition::Evaluate(const GraphStructure& structure,
                                          const Operands& operands,
                                          std::span<const ReadingSet> readings,
                                          Widening* widening) {
  Builder builder(structure, readings, widening);
  const Status set = builder.SetOperands(operands);
  if (!set) return set.error();
  const Status done = builder.Run();
  if (!done) return done.error();
  return builder.Take();
}

Operands Composition::OperandsOf(const GraphNode& node) const {
  Operands operands;
  for (const auto& input : node.inputs) {
    if (input && values_[*input].is_present()) {
      operands.emplace_back(values_[*input].view);
    } else {
      operands.emplace_back();
    }
  }
  return operands;
}

Answer Composition::AnswerOf(size_t value) const {
  const ComposedValue& composed = values_[value];
  Answer answer{.type = composed.view.type,
                .shape = Shape(composed.view.shape.begin(), composed.view.shape.end()),
                .elements = composed.elements};
  for (const auto& [index, codes] : composed.one_of) {
    if (answer.elements[static_cast<size_t>(index)].freedom != Freedom::kOneOf) continue;
    answer.one_of[index].assign(codes.begin(), codes.end());
  }
  // The free code that others follow would have to be one of this graph's outputs.
  for (ElementAnswer& element : answer.elements) {
    if (element.freedom == Freedom::kSameCode) element.freedom = Freedom::kAnyCode;
  }
  return answer;
}

Result<ModelValidity> ValidateGraph(const GraphStructure& structure,
                                    const Operands& operands) {
  Composition::Builder builder(structure, {}, nullptr);
  const Status set = builder.SetOperands(operands);
  if (!set) {
    return ModelValidity{.kind = ModelValidity::Kind::kInvalid,
                         .clause = "GR-01",
                         .reason = set.error().message};
  }
  ModelValidity graph;
  for (const GraphNode& node : structure.nodes) {
    const auto validity = builder.Check(node);
    if (!validity) return validity.error();
    if (validity->kind == ModelValidity::Kind::kInvalid) return *validity;
    if (graph.kind == ModelValidity::Kind::kValid) graph = *validity;
  }
  return graph;
}

}  // namespace qconform
