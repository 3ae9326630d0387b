#include "oracle/graphs/graph.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "oracle/graphs/axes/dimensions.h"
#include "oracle/graphs/axes/isolate.h"
#include "oracle/graphs/bounds/bounds.h"
#include "oracle/graphs/bounds/sections.h"
#include "oracle/graphs/composition.h"
#include "oracle/graphs/evidence.h"
#include "oracle/graphs/float_operators.h"
#include "oracle/graphs/graph_operator.h"
#include "oracle/graphs/structure.h"
#include "oracle/graphs/wiring.h"

namespace qconform {
namespace {

// What a graph gives by the canonical readings, with copies of the operands that it was
// evaluated with.
struct CanonicalComposition {
  uint64_t graph = 0;
  std::vector<Tensor> operands;  // kUndefined: an operand that is left out
  Result<Composition> made;
};

bool IsOf(const CanonicalComposition& known, uint64_t graph, const Operands& operands) {
  if (known.graph != graph || known.operands.size() != operands.size()) return false;
  for (size_t i = 0; i < operands.size(); ++i) {
    const Tensor& copy = known.operands[i];
    const TensorView& operand = operands[i].value_or(TensorView());
    if (copy.type != operand.type || !std::ranges::equal(copy.shape, operand.shape) ||
        !std::ranges::equal(copy.data, operand.data)) {
      return false;
    }
  }
  return true;
}

class Bound : public BoundGraph {
 public:
  Bound(const Node& node, GraphStructure structure)
      : number_(NextNumber()),
        structure_(std::move(structure)),
        sections_(FindSections(structure_)),
        op_(node, structure_) {}

  const Operator& op() const override { return op_; }

  Result<std::vector<std::vector<Tensor>>> Intermediates(
      const Operands& operands) const override {
    const auto canonical = Canonical(operands);
    const auto& composition = canonical->made;
    if (!composition) return composition.error();
    std::vector<std::vector<Tensor>> all;
    for (const GraphNode& node : structure_.nodes) {
      std::vector<Tensor>& outputs = all.emplace_back();
      for (size_t k = 0; k < node.node.outputs.size(); ++k) {
        outputs.push_back(composition->values()[node.first_output + k].owned);
      }
    }
    return all;
  }

  Result<std::vector<ReadingSet>> ReadingsOfNodes(const Operands& operands,
                                                  const ReadingSet& set) const override {
    auto chosen = ChoiceOf(operands, set);
    if (!chosen) return chosen.error();
    return std::move(chosen->readings);
  }

  Result<ModelValidity> Validate(const Operands& operands) const override {
    return ValidateGraph(structure_, operands);
  }

  Result<std::vector<Answer>> Evaluate(const Operands& operands,
                                       const ReadingSet& set) const override {
    if (set.code == 0) {
      const auto canonical = Canonical(operands);
      if (!canonical->made) return canonical->made.error();
      return AnswersOf(*canonical->made);
    }
    const auto chosen = ChoiceOf(operands, set);
    if (!chosen) return chosen.error();
    SectionBounds bounds(structure_, sections_, chosen->kind == ReadingSet::Kind::kWider);
    const bool is_bounded = chosen->kind != ReadingSet::Kind::kFunction;
    const auto composition = Composition::Evaluate(structure_, operands, chosen->readings,
                                                   is_bounded ? &bounds : nullptr);
    if (!composition) return composition.error();
    std::vector<Answer> answers = AnswersOf(*composition);
    for (size_t i = 0; is_bounded && i < answers.size(); ++i) {
      AddBounds(composition->values()[structure_.outputs[i]], answers[i]);
    }
    return answers;
  }

  Result<std::vector<std::vector<bool>>> InExactCase(
      const Operands& operands) const override {
    SectionBounds bounds(structure_, sections_, /*is_wider=*/false);
    const auto composition = Composition::Evaluate(structure_, operands, {}, &bounds);
    if (!composition) return composition.error();
    std::vector<std::vector<bool>> exact;
    for (const size_t output : structure_.outputs) {
      exact.push_back(bounds.exact()[output]);
      exact.back().resize(composition->values()[output].elements.size(), false);
    }
    return exact;
  }

  Result<std::vector<ReadingSet>> Readings(const Operands& operands) const override {
    const auto own = OwnReadings(operands);
    if (!own) return own.error();
    auto sets = Combined(*own);
    if (!sets || sections_.bounds.empty()) return sets;
    AddBoundedSets(*own, sections_.bounds, ReadingSet::Kind::kBounded, *sets);
    if (!sections_.wider.empty()) {
      AddBoundedSets(*own, sections_.wider, ReadingSet::Kind::kWider, *sets);
    }
    return sets;
  }

  bool rounds(const Operands&) const override {
    return std::ranges::any_of(structure_.outputs,
                               [&](size_t output) { return IsRounded(output); });
  }

  int64_t ReadingsKey() const override {
    uint64_t key = 0;
    for (const GraphNode& node : structure_.nodes) {
      if (node.is_float()) continue;
      key = Mixed(key, static_cast<uint64_t>(node.bound->ReadingsKey()));
    }
    return static_cast<int64_t>(key);
  }

  Result<std::vector<ElementOperand>> OperandsOfElement(const Operands& operands,
                                                        size_t output,
                                                        int64_t index) const override {
    const auto canonical = Canonical(operands);
    const auto& composition = canonical->made;
    if (!composition) return composition.error();
    return OperandsOfValue(structure_, *composition, structure_.outputs[output], index);
  }

  Result<std::optional<FreeInput>> FreeInputOf(const Operands& operands, size_t output,
                                               int64_t index,
                                               const ElementAnswer&) const override {
    const auto canonical = Canonical(operands);
    const auto& composition = canonical->made;
    if (!composition) return composition.error();
    return FreeInputOfValue(structure_, *composition, structure_.outputs[output], index);
  }

  Result<std::vector<Tensor>> IsolateElement(const Operands& operands, size_t output,
                                             int64_t index) const override {
    const auto canonical = Canonical(operands);
    const auto& composition = canonical->made;
    if (!composition) return composition.error();
    return IsolateGraphElement(structure_, *composition, output, index);
  }

  Result<Dimensions> DimensionsOf(const Operands& operands) const override {
    return GraphDimensions(structure_, operands);
  }

 private:
  // Numbers of graphs, which are not given twice as addresses are.
  static uint64_t NextNumber() {
    static std::atomic<uint64_t> last = 0;
    return ++last;
  }

  // The composition by the canonical readings. Each thread keeps the last one, because
  // what is asked about the elements of a case and about its readings is asked in a row.
  // Of a convolution it is large and takes long.
  std::shared_ptr<const CanonicalComposition> Canonical(const Operands& operands) const {
    thread_local std::shared_ptr<const CanonicalComposition> last;
    if (last != nullptr && IsOf(*last, number_, operands)) return last;
    last = nullptr;
    auto next = std::make_shared<CanonicalComposition>(
        CanonicalComposition{number_, {}, Error{}});
    Operands copies;
    for (const auto& operand : operands) {
      Tensor& copy = next->operands.emplace_back();
      if (operand) {
        copy.type = operand->type;
        copy.shape.assign(operand->shape.begin(), operand->shape.end());
        copy.data.assign(operand->data.begin(), operand->data.end());
      }
    }
    for (size_t i = 0; i < operands.size(); ++i) {
      copies.push_back(operands[i] ? std::optional(next->operands[i].view())
                                   : std::nullopt);
    }
    next->made = Composition::Evaluate(structure_, copies);
    last = next;
    return last;
  }

  std::vector<Answer> AnswersOf(const Composition& composition) const {
    std::vector<Answer> answers;
    for (const size_t output : structure_.outputs) {
      answers.push_back(composition.AnswerOf(output));
    }
    return answers;
  }

  static uint64_t Mixed(uint64_t key, uint64_t more) {
    return (key ^ more) * 0x9e3779b97f4a7c15u + (key >> 29);
  }

  // Whether elements of a value come from a QuantizeLinear, or another operator that
  // rounds to codes. Floats are bounded wherever they are rounded (GR-05), and what a
  // DequantizeLinear by itself rounds is asked of the operator.
  bool IsRounded(size_t value) const {
    const GraphNode* node = structure_.NodeOf(value);
    if (node == nullptr) return false;
    const auto& inputs = node->inputs;
    if (!node->is_float() && !node->is_dequantize()) return node->bound->rounds({});
    if (node->is_float() && RoundsOf(node->node.op_type) != FloatRounding::kNone) {
      return false;
    }
    return std::ranges::any_of(
        inputs, [&](const auto& input) { return input && IsRounded(*input); });
  }

  // --- readings -----------------------------------------------------------------------

  // Of each node its own, the canonical one first; of a float node none.
  Result<std::vector<std::vector<ReadingSet>>> OwnReadings(
      const Operands& operands) const {
    const auto canonical = Canonical(operands);
    const auto& composition = canonical->made;
    if (!composition) return composition.error();
    std::vector<std::vector<ReadingSet>> own;
    for (const GraphNode& node : structure_.nodes) {
      own.emplace_back();
      if (node.is_float()) continue;
      auto sets = node.bound->Readings(composition->OperandsOf(node));
      if (!sets) return sets.error();
      own.back() = *std::move(sets);
      // Bounds of a node inside a graph are those of the graph.
      std::erase_if(own.back(), [](const ReadingSet& set) { return set.is_bounded(); });
    }
    return own;
  }

  // All combinations if they are at most this many. Else those in which one node alone
  // leaves its canonical readings, and those in which all nodes of one operator follow
  // the readings of the same names: a backend has one kernel for both.
  static constexpr size_t kMostCombinations = 256;

  static Result<uint64_t> CountOf(const std::vector<std::vector<ReadingSet>>& own) {
    uint64_t all = 1;
    for (const auto& sets : own) {
      if (sets.empty()) continue;
      if (all > (uint64_t{1} << 55) / sets.size()) return Error{"too many readings"};
      all *= sets.size();
    }
    return all;
  }

  Result<std::vector<ReadingSet>> Combined(
      const std::vector<std::vector<ReadingSet>>& own) const {
    const auto count = CountOf(own);
    if (!count) return Error{std::string(op_.op_type()) + ": " + count.error().message};
    const uint64_t all = *count;
    std::vector<std::vector<size_t>> chosen;
    if (all <= kMostCombinations) {
      for (uint64_t code = 0; code < all; ++code) chosen.push_back(DigitsOf(own, code));
    } else {
      chosen = SomeCombinations(own);
    }
    std::vector<ReadingSet> sets;
    for (const std::vector<size_t>& digits : chosen) {
      sets.push_back(SetOf(own, digits));
    }
    return sets;
  }

  static std::vector<size_t> DigitsOf(const std::vector<std::vector<ReadingSet>>& own,
                                      uint64_t code) {
    std::vector<size_t> digits;
    for (const auto& sets : own) {
      const uint64_t size = std::max<size_t>(sets.size(), 1);
      digits.push_back(static_cast<size_t>(code % size));
      code /= size;
    }
    return digits;
  }

  std::vector<std::vector<size_t>> SomeCombinations(
      const std::vector<std::vector<ReadingSet>>& own) const {
    std::vector<std::vector<size_t>> chosen{std::vector<size_t>(own.size(), 0)};
    const auto add = [&](const std::vector<size_t>& digits) {
      if (chosen.size() < kMostCombinations &&
          std::ranges::find(chosen, digits) == chosen.end()) {
        chosen.push_back(digits);
      }
    };
    for (size_t node = 0; node < own.size(); ++node) {
      for (size_t digit = 1; digit < own[node].size(); ++digit) {
        std::vector<size_t> digits(own.size(), 0);
        digits[node] = digit;
        add(digits);
        for (size_t other = 0; other < own.size(); ++other) {
          if (other == node || structure_.nodes[other].op != structure_.nodes[node].op) {
            continue;
          }
          const auto same = std::ranges::find(own[other], own[node][digit].readings,
                                              &ReadingSet::readings);
          if (same != own[other].end()) {
            digits[other] = static_cast<size_t>(same - own[other].begin());
          }
        }
        add(digits);
      }
    }
    return chosen;
  }

  // Whether another node has readings of the same clauses: then names need its number.
  bool IsNamedTwice(const std::vector<std::vector<ReadingSet>>& own, size_t node,
                    const std::string& clause) const {
    for (size_t other = 0; other < own.size(); ++other) {
      if (other == node) continue;
      for (const ReadingSet& set : own[other]) {
        for (const Reading& reading : set.readings) {
          if (reading.clause == clause) return true;
        }
      }
    }
    return false;
  }

  ReadingSet SetOf(const std::vector<std::vector<ReadingSet>>& own,
                   const std::vector<size_t>& digits) const {
    ReadingSet set;
    uint64_t radix = 1;
    for (size_t node = 0; node < own.size(); ++node) {
      if (own[node].empty()) continue;
      const ReadingSet& one = own[node][digits[node]];
      for (const Reading& reading : one.readings) {
        Reading named = reading;
        if (IsNamedTwice(own, node, reading.clause)) {
          named.name += "@" + std::to_string(node + 1);
        }
        set.readings.push_back(std::move(named));
      }
      set.code += radix * digits[node];
      radix *= own[node].size();
      set.shared = Mixed(set.shared, one.shared);
    }
    return set;
  }

  // The bounds take in every reading of the nodes inside of the sections; the others'
  // combine with them. Of many combinations the first ones are enough: bounds are the
  // last that is tried.
  static constexpr size_t kMostBounded = 32;

  void AddBoundedSets(const std::vector<std::vector<ReadingSet>>& own,
                      const std::vector<Reading>& names, ReadingSet::Kind kind,
                      std::vector<ReadingSet>& sets) const {
    std::vector<std::vector<ReadingSet>> outside = own;
    for (size_t node = 0; node < own.size(); ++node) {
      if (sections_.is_inside[node] && outside[node].size() > 1) outside[node].resize(1);
    }
    const auto all = CountOf(own);
    const auto combined = Combined(outside);
    if (!all || !combined) return;
    for (size_t i = 0; i < combined->size() && i < kMostBounded; ++i) {
      // The same digits among all readings.
      const std::vector<size_t> digits = DigitsOf(outside, (*combined)[i].code);
      ReadingSet set = SetOf(own, digits);
      set.readings.insert(set.readings.begin(), names.begin(), names.end());
      set.kind = kind;
      const uint64_t which = kind == ReadingSet::Kind::kWider ? 2 : 1;
      set.code += which * *all;
      set.shared = Mixed(set.shared, which);
      sets.push_back(std::move(set));
    }
  }

  struct Choice {
    ReadingSet::Kind kind = ReadingSet::Kind::kFunction;
    std::vector<ReadingSet> readings;  // one for each node, or none: all are canonical
  };

  Result<Choice> ChoiceOf(const Operands& operands, const ReadingSet& set) const {
    Choice choice;
    if (set.code == 0) return choice;
    const auto own = OwnReadings(operands);
    if (!own) return own.error();
    const auto all = CountOf(*own);
    if (!all) return all.error();
    constexpr ReadingSet::Kind kKinds[] = {ReadingSet::Kind::kFunction,
                                           ReadingSet::Kind::kBounded,
                                           ReadingSet::Kind::kWider};
    const uint64_t which = set.code / *all;
    if (which >= std::size(kKinds)) {
      return Error{std::string(op_.op_type()) + ": expected one of its readings, got '" +
                   Spell(set) + "'"};
    }
    choice.kind = kKinds[which];
    const std::vector<size_t> digits = DigitsOf(*own, set.code % *all);
    for (size_t node = 0; node < own->size(); ++node) {
      choice.readings.push_back((*own)[node].empty() ? ReadingSet{}
                                                     : (*own)[node][digits[node]]);
    }
    return choice;
  }

  // The bounds of an answer, one for each element. Codes that follow each other are an
  // interval; of others the answer keeps the set.
  static void AddBounds(const ComposedValue& value, Answer& answer) {
    const NumberFormat& format = FormatOf(answer.type);
    answer.bounds.resize(answer.elements.size());
    for (size_t i = 0; i < answer.elements.size(); ++i) {
      ElementAnswer& element = answer.elements[i];
      CodeBounds& bounds = answer.bounds[i];
      bounds = value.bounds.empty() ? CodeBounds{.low = element.code,
                                                 .high = element.code,
                                                 .wider_low = element.code,
                                                 .wider_high = element.code}
                                    : value.bounds[i];
      // An interval of more codes than are kept as a set.
      if (element.freedom == Freedom::kAnyCode && bounds.low != bounds.high) {
        element.freedom = Freedom::kNone;
      }
      if (element.freedom != Freedom::kOneOf) continue;
      const std::vector<uint32_t>& codes = answer.one_of.at(static_cast<int64_t>(i));
      const auto interval = IntervalOf(format, codes);
      if (!interval) continue;
      bounds = {.low = interval->first,
                .high = interval->second,
                .wider_low = interval->first,
                .wider_high = interval->second};
      element.freedom = Freedom::kNone;
      answer.one_of.erase(static_cast<int64_t>(i));
    }
  }

  // Returns the first and the last of codes that are all those between them.
  static std::optional<std::pair<uint32_t, uint32_t>> IntervalOf(
      const NumberFormat& format, const std::vector<uint32_t>& codes) {
    std::vector<int64_t> orders;
    for (const uint32_t code : codes) {
      if (IsNan(format, code)) return std::nullopt;
      orders.push_back(ValueOrder(format, code));
    }
    std::ranges::sort(orders);
    orders.erase(std::unique(orders.begin(), orders.end()), orders.end());
    if (orders.back() - orders.front() + 1 != static_cast<int64_t>(orders.size())) {
      return std::nullopt;
    }
    const auto by_order = [&](uint32_t code) { return ValueOrder(format, code); };
    return std::pair(*std::ranges::min_element(codes, {}, by_order),
                     *std::ranges::max_element(codes, {}, by_order));
  }

  uint64_t number_;
  GraphStructure structure_;
  Sections sections_;
  GraphOperator op_;
};

}  // namespace

Result<std::unique_ptr<const BoundGraph>> BindGraph(const Node& graph,
                                                    std::span<const int> since_versions) {
  auto structure = ResolveGraph(graph, since_versions);
  if (!structure) return structure.error();
  return std::unique_ptr<const BoundGraph>(
      std::make_unique<Bound>(graph, *std::move(structure)));
}

bool IsGraphNode(const Node& node) {
  if (!node.domain.empty() || node.is_graph()) return false;
  return FindOperator(node.op_type) != nullptr || IsFloatNode(node.op_type);
}

}  // namespace qconform
