#include "oracle/exact/graphs/admit.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "oracle/exact/format.h"
#include "oracle/exact/graphs/code_order.h"
#include "oracle/exact/graphs/trace.h"
#include "oracle/exact/graphs/ways.h"
#include "oracle/exact/graphs/wires.h"
#include "oracle/exact/scale_layout.h"
#include "oracle/exact/target.h"

namespace qconform::exact {
namespace {

class Tracer {
 public:
  Tracer(const Graph& graph, const GraphValues& values,
         const std::vector<NodeReadings>& readings)
      : graph_(graph),
        values_(values),
        readings_(readings),
        admissible_(values),
        open_(values) {}

  std::vector<AdmittedTensor> Run() {
    for (const std::string& name : graph_.inputs) {
      traced_[name] = Untraced(values_.at(name));
    }
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      const GraphNode& node = graph_.nodes[n];
      TraceNode(node);
      SpreadSets(node, readings_.empty() ? NodeReadings{} : readings_[n], false);
      SpreadSets(node, readings_.empty() ? NodeReadings{} : readings_[n], true);
    }
    std::vector<AdmittedTensor> all;
    for (const std::string& name : graph_.outputs) all.push_back(Output(name));
    return all;
  }

 private:
  const Traced& TracedAt(const GraphNode& node, size_t k) const {
    return traced_.at(node.inputs.at(k));
  }
  const GraphTensor& TensorAt(const GraphNode& node, size_t k) const {
    return values_.at(node.inputs.at(k));
  }
  bool HasInput(const GraphNode& node, size_t k) const {
    return k < node.inputs.size() && !node.inputs[k].empty();
  }

  void TraceNode(const GraphNode& node) {
    if (node.op_type == "QuantizeLinear") {
      traced_[node.outputs[0]] = TraceQuantize(node);
    } else if (node.op_type == "DequantizeLinear") {
      traced_[node.outputs[0]] = TraceDequantize(node);
    } else if (const auto kind = KindOf(node)) {
      TraceFloats(node, *kind);
    } else {
      for (const std::string& name : node.outputs) {
        if (!name.empty()) traced_[name] = Untraced(values_.at(name));
      }
    }
  }

  Traced TraceDequantize(const GraphNode& node) const {
    const GraphTensor& x = TensorAt(node, 0);
    const GraphTensor& scale = TensorAt(node, 1);
    const Format& format = GetFormat(values_.at(node.outputs[0]).type);
    const std::vector<size_t> at = ScaleIndices(
        x.shape, scale.shape, node.Integer("axis", 1), node.Integer("block_size", 0));
    Traced traced;
    traced.is_dequantized = true;
    traced.strongest = TracedAt(node, 0).strongest;
    for (size_t i = 0; i < x.elements.size(); ++i) {
      const Value s = SingleValue(scale, at[i]);
      Value zero_point = Value::Number(0);
      if (HasInput(node, 2)) {
        const GraphTensor& tensor = TensorAt(node, 2);
        zero_point = SingleValue(tensor, tensor.elements.size() == 1 ? 0 : at[i]);
      }
      const bool is_free = values_.at(node.outputs[0]).elements[i].any_code;
      const auto dequantize = [&](const Ways& ways) {
        Ways result;
        if (!s.IsNumber() || !zero_point.IsNumber() || is_free) return result;
        for (uint64_t code : ways.codes) {
          const Value v = ValueOfElement(x.type, code);
          if (!v.IsNumber()) return Ways{};
          result.reaches.push_back(MakeReach(
              DequantizedTerms(v.number - zero_point.number, s.number, format)));
        }
        return result;
      };
      const TracedElement& from = TracedAt(node, 0).elements[i];
      traced.elements.push_back({dequantize(from.admissible), dequantize(from.open)});
    }
    return traced;
  }

  // Gives the results of a node what its operands' sets of codes lead to (GR-17).
  void SpreadSets(const GraphNode& node, const NodeReadings& readings, bool is_open) {
    GraphValues& sets = is_open ? open_ : admissible_;
    const Traced& first = traced_.at(node.outputs[0]);
    if (node.op_type == "QuantizeLinear" && first.section_of_quantize != Section::kBits) {
      GraphTensor& tensor = sets[node.outputs[0]];
      for (size_t i = 0; i < tensor.elements.size(); ++i) {
        const Ways& ways =
            is_open ? first.elements[i].open : first.elements[i].admissible;
        for (uint64_t code : ways.codes) {
          if (code != tensor.elements[i].code) tensor.elements[i].others.push_back(code);
        }
        std::sort(tensor.elements[i].others.begin(), tensor.elements[i].others.end());
      }
      return;
    }
    const bool is_moved =
        std::any_of(node.inputs.begin(), node.inputs.end(), [&](const std::string& name) {
          return !name.empty() && traced_.at(name).strongest != Section::kBits;
        });
    if (!is_moved || first.section >= Section::kArithmetic) return;
    std::vector<GraphTensor> results =
        ComputeNode(node, OperandsOf(node, sets), readings);
    for (size_t o = 0; o < node.outputs.size(); ++o) {
      if (!node.outputs[o].empty()) sets[node.outputs[o]] = std::move(results[o]);
    }
  }

  // NaN where the element has several codes.
  static Value SingleValue(const GraphTensor& tensor, size_t index) {
    const GraphElement& element = tensor.elements[index];
    return element.HasOneCode() ? ValueOfElement(tensor.type, element.code)
                                : Value::Nan();
  }

  Traced TraceQuantize(const GraphNode& node) const {
    const Traced& from = TracedAt(node, 0);
    const GraphTensor& x = TensorAt(node, 0);
    const GraphTensor& y = values_.at(node.outputs[0]);
    if (from.section == Section::kBits && !from.is_dequantized) return Untraced(y);
    const GraphTensor& scale = TensorAt(node, 1);
    const std::vector<size_t> at = ScaleIndices(
        x.shape, scale.shape, node.Integer("axis", 1), node.Integer("block_size", 0));
    const Section section = std::max(from.section, Section::kRequantized);
    Traced traced;
    traced.strongest = std::max(from.strongest, section);
    traced.section_of_quantize = section;
    for (size_t i = 0; i < y.elements.size(); ++i) {
      const Value s = SingleValue(scale, at[i]);
      std::optional<Value> zero_point;
      if (HasInput(node, 2)) {
        const GraphTensor& tensor = TensorAt(node, 2);
        zero_point = SingleValue(tensor, tensor.elements.size() == 1 ? 0 : at[i]);
      }
      const bool is_special = !y.elements[i].HasOneCode() || !s.IsNumber() ||
                              s.IsZero() || (zero_point && !zero_point->IsNumber());
      if (is_special) {
        traced.elements.emplace_back();
        continue;
      }
      const LastStep last = {&GetFormat(x.type), s.number};
      const uint64_t canonical = y.elements[i].code;
      const auto encode = [&](const mpq_class& v) {
        return QuantizeToTarget(node.since_version < 24, GetFormat(y.type),
                                Value::Number(v), zero_point, nullptr,
                                node.Integer("saturate", 1) != 0, {})
            .code;
      };
      TracedElement one;
      const auto [admissible, open] =
          CodesOf(from.elements[i], last, section, y.type, canonical, encode);
      one.admissible.codes = admissible;
      one.open.codes = open;
      traced.elements.push_back(std::move(one));
    }
    return traced;
  }

  // The codes of all ways, without gaps: {canonical and admissible, open too}. Both are
  // empty where the bound does not hold.
  static std::pair<std::vector<uint64_t>, std::vector<uint64_t>> CodesOf(
      const TracedElement& from, const LastStep& last, Section section, int type,
      uint64_t canonical, const std::function<uint64_t(const mpq_class&)>& encode) {
    const Order order(type);
    if (!IsNumberCode(type, canonical) || from.admissible.reaches.empty()) return {};
    Ends admissible{canonical, canonical};
    for (const ReachPointer& reach : from.admissible.reaches) {
      const RealInterval interval = Bounded(*reach, last);
      if (!interval) return {};
      admissible.Add(order, encode(interval->first));
      admissible.Add(order, encode(interval->second));
    }
    Ends open = admissible;
    const auto& wide = from.open.reaches.empty() ? from.admissible : from.open;
    for (const ReachPointer& reach : wide.reaches) {
      // One code from what this way gives by itself.
      const uint64_t center =
          wide.reaches.size() == 1 ? canonical : encode(last.Applied(Chosen(*reach).v));
      const Ends near{order.Next(center, -1), order.Next(center, 1)};
      const RealInterval interval = section == Section::kRequantized
                                        ? Bounded(*reach, last)
                                        : Reduced(*reach, last);
      if (!interval) return {};
      for (const mpq_class& end : {interval->first, interval->second}) {
        uint64_t code = encode(end);
        if (section == Section::kArithmetic) {
          if (order.IsLess(code, near.low)) code = near.low;
          if (order.IsLess(near.high, code)) code = near.high;
        }
        open.Add(order, code);
      }
    }
    return {Between(order, admissible, canonical), Between(order, open, canonical)};
  }

  // All codes from low to high. `canonical` keeps its sign of zero.
  static std::vector<uint64_t> Between(const Order& order, const Ends& ends,
                                       uint64_t canonical) {
    std::vector<uint64_t> codes = {canonical};
    for (const int sign : {-1, 1}) {
      const uint64_t end = sign < 0 ? ends.low : ends.high;
      uint64_t code = canonical;
      while (sign < 0 ? order.IsLess(end, code) : order.IsLess(code, end)) {
        code = order.Next(code, sign);
        codes.push_back(code);
      }
    }
    return codes;
  }

  void TraceFloats(const GraphNode& node, FloatNodeKind kind) {
    std::vector<std::optional<Codes>> operands;
    std::vector<const Traced*> from;
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      operands.push_back(HasInput(node, k)
                             ? CanonicalCodes(std::optional(TensorAt(node, k)))
                             : std::nullopt);
      from.push_back(HasInput(node, k) ? &TracedAt(node, k) : nullptr);
    }
    const std::vector<WiredOutput> wired = WiresOf(node, operands);
    for (size_t o = 0; o < node.outputs.size(); ++o) {
      if (node.outputs[o].empty()) continue;
      const GraphTensor& y = values_.at(node.outputs[o]);
      Traced traced;
      for (const Traced* operand : from) {
        if (operand == nullptr) continue;
        traced.section = std::max(traced.section, operand->section);
        traced.strongest = std::max(traced.strongest, operand->strongest);
        traced.is_dequantized = traced.is_dequantized || operand->is_dequantized;
      }
      const bool behind_bounded = traced.section >= Section::kArithmetic;
      if (kind == FloatNodeKind::kArithmetic && node.op_type != "Neg" &&
          node.op_type != "Abs") {
        traced.section = std::max(traced.section, Section::kArithmetic);
      }
      if (kind == FloatNodeKind::kCast && IsFloatType(y.type) &&
          !IsFloatType(TensorAt(node, 0).type)) {
        traced.section = std::max(traced.section, Section::kArithmetic);
      }
      if (kind == FloatNodeKind::kSum) traced.section = Section::kSum;
      traced.strongest =
          std::max(traced.strongest,
                   traced.section == Section::kBits ? Section::kBits : traced.section);
      SumOperands sums;
      if (kind == FloatNodeKind::kSum && IsFloatType(y.type)) {
        sums = SumOperandsOf(from, GetFormat(y.type));
      }
      for (size_t i = 0; i < y.elements.size(); ++i) {
        const Wire& wire = wired[o].elements[i];
        TracedElement one;
        // What is free in the composition has no bound; a zero's sign does not matter.
        if (!y.elements[i].any_code && !y.elements[i].any_nan &&
            IsNumberCode(y.type, y.elements[i].code)) {
          for (const bool is_open : {false, true}) {
            Ways& to = is_open ? one.open : one.admissible;
            to =
                TraceElement(node, kind, wire, from, y, i, is_open, behind_bounded, sums);
          }
        }
        traced.elements.push_back(std::move(one));
      }
      traced_[node.outputs[o]] = std::move(traced);
    }
  }

  // What every element of a sum has to know of the operands as a whole.
  static SumOperands SumOperandsOf(const std::vector<const Traced*>& from,
                                   const Format& format) {
    SumOperands sums;
    for (const Traced* operand : from) {
      bool is_plain = true;
      int64_t most = operand != nullptr && operand->is_dequantized ? 1 : 0;
      if (operand != nullptr) {
        for (const TracedElement& element : operand->elements) {
          for (const ReachPointer& reach : element.admissible.reaches) {
            most = std::max(most, TermsOf(*reach, format).roundings);
            is_plain = is_plain && TermsOf(*reach, format).is_plain;
          }
        }
      }
      sums.roundings.push_back(most);
      sums.is_plain.push_back(is_plain);
    }
    return sums;
  }

  // The bounds that Clip has, and whether each is the lower one; none of other nodes. An
  // infinite bound bounds nothing, and one that is NaN is free.
  std::vector<Ways> ClipBounds(const GraphNode& node,
                               const std::vector<const Traced*>& from, bool is_open,
                               const Format& format, std::vector<bool>& is_low) const {
    std::vector<Ways> bounds;
    if (node.op_type != "Clip") return bounds;
    for (size_t k : {size_t{1}, size_t{2}}) {
      const std::string name = k == 1 ? "min" : "max";
      Ways bound;
      if (HasInput(node, k)) {
        bound = is_open ? from[k]->elements[0].open : from[k]->elements[0].admissible;
      } else if (node.Has(name)) {
        const Value v = RoundToPrecision(format, Value::Number(node.Number(name, 0)));
        if (v.IsInfinity()) continue;
        bound.reaches = {MakeReach(DataTerms(v.number, format))};
      }
      if (bound.reaches.empty()) continue;
      bounds.push_back(bound);
      is_low.push_back(k == 1);
    }
    return bounds;
  }

  Ways TraceElement(const GraphNode& node, FloatNodeKind kind, const Wire& wire,
                    const std::vector<const Traced*>& from, const GraphTensor& y,
                    size_t index, bool is_open, bool behind_bounded,
                    const SumOperands& sums) const {
    const auto ways_at = [&](const Place& place) -> const Ways& {
      const TracedElement& element = from[*place.operand]->elements[place.index];
      return is_open ? element.open : element.admissible;
    };
    if (kind == FloatNodeKind::kMover) {
      if (wire.places[0].operand) return ways_at(wire.places[0]);
      Ways zero;
      zero.codes = {0};
      if (IsFloatType(y.type)) zero.reaches = {MakeReach({})};
      return zero;
    }
    if (kind == FloatNodeKind::kIndexChooser) {
      return IndexWays(node, wire, ways_at, y.elements[index].code, is_open,
                       behind_bounded, TensorAt(node, 0).type);
    }
    if (kind == FloatNodeKind::kCast) {
      return CastWays(ways_at(wire.places[0]), TensorAt(node, 0).type, y.type);
    }
    if (!IsFloatType(y.type)) return {{}, {y.elements[index].code}};
    const Format& format = GetFormat(y.type);
    std::vector<const Ways*> operands;
    for (const auto* places : {&wire.places, &wire.factors}) {
      for (const Place& place : *places) operands.push_back(&ways_at(place));
    }
    if (kind == FloatNodeKind::kSum) {
      if (wire.bias) operands.push_back(&ways_at(*wire.bias));
      for (const Place& place : wire.padded) operands.push_back(&ways_at(place));
      const bool is_single =
          std::all_of(operands.begin(), operands.end(),
                      [](const Ways* ways) { return ways->reaches.size() == 1; });
      if (!is_single) return {};
      const auto terms_at = [&](const Place& place) {
        return TermsOf(*ways_at(place).reaches[0], format);
      };
      Ways sum;
      sum.reaches = {MakeReach(TraceSum(node, wire, sums, terms_at, format))};
      return sum;
    }
    std::vector<bool> is_low;
    const std::vector<Ways> bounds = ClipBounds(node, from, is_open, format, is_low);
    for (const Ways& bound : bounds) operands.push_back(&bound);
    const auto combinations = Combine(operands);
    if (!combinations) return {};
    Ways result;
    for (const std::vector<ReachPointer>& x : *combinations) {
      ReachPointer reach;
      if (kind == FloatNodeKind::kArithmetic) {
        reach = TraceArithmetic(node, x, format);
        if (reach == nullptr) return {};
      } else {
        reach = Choice(node, x, is_low);
      }
      result.reaches.push_back(reach);
    }
    return result;
  }

  AdmittedTensor Output(const std::string& name) const {
    const Traced& traced = traced_.at(name);
    const GraphTensor& y = values_.at(name);
    AdmittedTensor tensor;
    tensor.section = traced.strongest;
    // A result that no bound is around by itself.
    const bool is_set = traced.section_of_quantize == Section::kBits &&
                        traced.section < Section::kArithmetic;
    for (size_t i = 0; i < y.elements.size(); ++i) {
      const TracedElement& element = traced.elements[i];
      const uint64_t canonical = y.elements[i].code;
      AdmittedElement one;
      one.low = one.high = one.wider_low = one.wider_high = canonical;
      one.is_set = is_set;
      one.possible = admissible_.at(name).elements[i];
      one.wider = open_.at(name).elements[i];
      const bool is_free = y.elements[i].any_code || y.elements[i].any_nan;
      if (!is_set && !is_free && IsNumberCode(y.type, canonical)) {
        if (IsFloatType(y.type)) {
          FloatEnds(element, y.type, one);
        } else if (!element.admissible.codes.empty()) {
          const Order order(y.type);
          Ends admissible{canonical, canonical};
          for (uint64_t code : element.admissible.codes) admissible.Add(order, code);
          Ends open = admissible;
          for (uint64_t code : element.open.codes) open.Add(order, code);
          SetEnds(admissible, open, one);
        }
      }
      tensor.elements.push_back(one);
    }
    return tensor;
  }

  static void SetEnds(const Ends& admissible, const Ends& open, AdmittedElement& one) {
    one.low = admissible.low;
    one.high = admissible.high;
    one.wider_low = open.low;
    one.wider_high = open.high;
  }

  void FloatEnds(const TracedElement& element, int type, AdmittedElement& one) const {
    const Format& format = GetFormat(type);
    const Order order(type);
    const auto& reaches = element.admissible.reaches;
    if (reaches.empty()) return;
    const LastStep last = {&format, std::nullopt};
    Ends admissible{one.low, one.low};
    for (const ReachPointer& reach : reaches) {
      const RealInterval interval = Bounded(*reach, last);
      if (!interval) {
        one.is_free = true;
        return;
      }
      admissible.Add(order, Directed(format, interval->first, -1));
      admissible.Add(order, Directed(format, interval->second, 1));
    }
    Ends open = admissible;
    for (const ReachPointer& reach : element.open.reaches) {
      const RealInterval interval = Reduced(*reach, last);
      if (!interval) continue;
      mpq_class low = interval->first, high = interval->second;
      uint64_t low_code = Directed(format, low, -1),
               high_code = Directed(format, high, 1);
      const mpq_class half = HalfStepOf(*reach);
      if (sgn(half) != 0) {
        // GR-14: less than half of the step.
        const mpq_class v = Chosen(*reach).v;
        const auto within = [&](uint64_t code, int sign, const mpq_class& end) {
          const Value value = ValueOf(format, code);
          const bool is_inside =
              value.IsNumber() && (sign < 0 ? value.number > end : value.number < end);
          if (is_inside) return code;
          uint64_t at = Directed(format, end, sign);
          const Value reached = ValueOf(format, at);
          if (reached.IsNumber() && reached.number == end) at = order.Next(at, -sign);
          return at;
        };
        low_code = within(low_code, -1, v - half);
        high_code = within(high_code, 1, v + half);
      }
      open.Add(order, low_code);
      open.Add(order, high_code);
    }
    SetEnds(admissible, open, one);
  }

  const Graph& graph_;
  const GraphValues& values_;
  const std::vector<NodeReadings>& readings_;
  GraphValues admissible_;  // with the sets of codes of GR-17
  GraphValues open_;
  std::map<std::string, Traced> traced_;
};

}  // namespace

std::vector<AdmittedTensor> Admit(const Graph& graph, const GraphValues& values,
                                  const std::vector<NodeReadings>& readings) {
  return Tracer(graph, values, readings).Run();
}

}  // namespace qconform::exact
