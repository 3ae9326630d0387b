#include "oracle/graphs/composition.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "oracle/graphs/evaluate.h"

namespace qconform {
namespace {

// More combinations of operands' codes than this are not tried, and more codes are not
// kept: the element is free.
constexpr size_t kMostCombinations = 4096;
// A free element of a type of at most this many bits may have each of its codes.
constexpr int kMostFreeBits = 8;
// Elements of an operand whose influence is found one by one.
constexpr size_t kMostPerturbed = 64;

bool IsSet(const ElementAnswer& element) {
  return element.freedom != Freedom::kNone && element.freedom != Freedom::kAnyNan;
}

bool HasSets(const ComposedValue& value) {
  return std::ranges::any_of(value.elements, IsSet);
}

Tier TierOf(const ComposedValue& value, int64_t index) {
  return value.elements.empty() ? Tier::kRegular
                                : value.elements[static_cast<size_t>(index)].tier;
}

Tier LastTier(const ComposedValue& value) {
  Tier last = Tier::kRegular;
  for (const ElementAnswer& element : value.elements) last = std::max(last, element.tier);
  return last;
}

// The codes that an element may have; nothing: any, and they are too many.
std::optional<CodeSet> CodesOf(const ComposedValue& value, int64_t index) {
  const uint64_t code = ReadCode(value.view, index);
  if (value.elements.empty()) return CodeSet{code};
  const ElementAnswer& element = value.elements[static_cast<size_t>(index)];
  switch (element.freedom) {
    case Freedom::kNone:
    case Freedom::kAnyNan:
      return CodeSet{code};
    case Freedom::kOneOf:
      return value.one_of.at(index);
    case Freedom::kAnyCode:
    case Freedom::kSameCode:
      break;
  }
  const int bits = BitWidth(value.view.type);
  if (bits > kMostFreeBits) return std::nullopt;
  CodeSet all;
  for (uint64_t any = 0; any < uint64_t{1} << bits; ++any) all.push_back(any);
  return all;
}

Tensor CopyOf(const TensorView& view) {
  return {view.type, Shape(view.shape.begin(), view.shape.end()),
          std::vector<std::byte>(view.data.begin(), view.data.end())};
}

Tensor TensorOf(const Answer& answer) {
  Tensor tensor = Tensor::Zeros(answer.type, answer.shape);
  const MutableTensorView view = tensor.mutable_view();
  for (size_t i = 0; i < answer.elements.size(); ++i) {
    WriteCode(view, static_cast<int64_t>(i), answer.elements[i].code);
  }
  return tensor;
}

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

  // What an element may be by all that its operands may be.
  class Union {
   public:
    explicit Union(DataType type) : type_(type) {}

    void Add(const ElementAnswer& element, uint64_t code) {
      if (element.freedom == Freedom::kAnyCode || element.freedom == Freedom::kSameCode) {
        any_ = true;
        return;
      }
      codes_.insert(code);
      zero_sign_is_free_ = zero_sign_is_free_ || element.zero_sign_is_free;
      any_ = any_ || codes_.size() > kMostCombinations;
    }
    void AddAny() { any_ = true; }
    bool is_any() const { return any_; }

    // Gives the element the freedom that follows.
    void Put(int64_t index, ComposedValue& value) const {
      ElementAnswer& element = value.elements[static_cast<size_t>(index)];
      if (any_) {
        element.freedom = Freedom::kAnyCode;
        return;
      }
      CodeSet codes(codes_.begin(), codes_.end());
      if (zero_sign_is_free_) {
        const uint64_t minus = uint64_t{1} << (BitWidth(type_) - 1);
        if (codes_.contains(0) || codes_.contains(minus)) {
          for (const uint64_t zero : {uint64_t{0}, minus}) {
            if (!codes_.contains(zero)) codes.push_back(zero);
          }
          std::ranges::sort(codes);
        }
      }
      if (codes.size() <= 1) return;
      const NumberFormat& format = FormatOf(type_);
      if (codes.size() == 2 && format.has_negative_zero && IsZero(format, codes[0]) &&
          IsZero(format, codes[1])) {
        element.zero_sign_is_free = true;
        return;
      }
      element.freedom = Freedom::kOneOf;
      value.one_of[index] = std::move(codes);
    }

   private:
    DataType type_;
    std::set<uint64_t> codes_;
    bool any_ = false;
    bool zero_sign_is_free_ = false;
  };

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

  // Calls `visit` with each wired element that an element is made of.
  template <typename Visit>
  static void ForEachSource(const Wiring& wiring, size_t output, size_t index,
                            const Visit& visit) {
    const WiredOutput& wired = wiring.outputs[output];
    for (size_t s = wired.first[index]; s < wired.first[index + 1]; ++s) {
      visit(wired.sources[s]);
    }
    if (!wired.bias.empty()) visit(wired.bias[index]);
    if (wiring.low) visit(*wiring.low);
    if (wiring.high) visit(*wiring.high);
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
    Union all(value.view.type);
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
          auto codes = CodesOf(operand, source.index);
          if (!codes) {
            all.AddAny();
            return;
          }
          if (from->zero_sign_is_free && !IsSet(*from)) {
            const uint64_t sign = uint64_t{1} << (BitWidth(operand.view.type) - 1);
            codes->push_back(codes->front() ^ sign);
          }
          combinations *= codes->size();
          if (combinations > kMostCombinations) {
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

  // --- operators that are judged by themselves ----------------------------------------

  Result<std::vector<Answer>> Answers(const GraphNode& node, const Operands& operands) {
    static const ReadingSet kCanonical;
    const bool has_own = node.number < readings_.size();
    return node.bound->Evaluate(operands, has_own ? readings_[node.number] : kCanonical);
  }

  Status EvaluateJudged(const GraphNode& node, const Operands& operands) {
    auto answers = Answers(node, operands);
    if (!answers) return answers.error();
    const std::span<ComposedValue> values = OutputsOf(node);
    for (size_t k = 0; k < values.size(); ++k) {
      ComposedValue& value = values[k];
      value.owned = TensorOf((*answers)[k]);
      value.view = value.owned.view();
      value.elements = std::move((*answers)[k].elements);
    }
    if (node.is_dequantize()) MarkOverflow(values.front());
    const bool is_plain = std::ranges::all_of(node.inputs, [&](const auto& input) {
      return !input || made_.values_[*input].elements.empty();
    });
    if (is_plain) return Ok();
    return node.is_elementwise() ? InheritElementwise(node, operands, values.front())
                                 : InheritWhole(node, operands, values);
  }

  // GR-10: overflow to Inf in front of a float node.
  static void MarkOverflow(ComposedValue& value) {
    constexpr uint16_t kOverflow = kFeatureSaturatedLow | kFeatureSaturatedHigh;
    for (ElementAnswer& element : value.elements) {
      if ((element.features & kOverflow) == 0) continue;
      element.tier = std::max(element.tier, Tier::kDegenerateScale);
    }
  }

  Status InheritElementwise(const GraphNode& node, const Operands& operands,
                            ComposedValue& value) {
    const ComposedValue& x = *ValueAt(node, 0);
    Tier of_scales = Tier::kRegular;
    bool has_free_scales = false;
    bool has_free_zero = false;
    for (size_t k = 1; k < node.inputs.size(); ++k) {
      const ComposedValue* scale = ValueAt(node, k);
      if (scale == nullptr) continue;
      of_scales = std::max(of_scales, LastTier(*scale));
      has_free_scales = has_free_scales || HasSets(*scale);
      has_free_zero = has_free_zero ||
                      std::ranges::any_of(scale->elements, [](const ElementAnswer& one) {
                        return one.zero_sign_is_free;
                      });
    }
    const NumberFormat& format = FormatOf(value.view.type);
    for (size_t i = 0; i < value.elements.size(); ++i) {
      ElementAnswer& element = value.elements[i];
      element.tier =
          std::max({element.tier, of_scales, TierOf(x, static_cast<int64_t>(i))});
      if (has_free_scales) element.freedom = Freedom::kAnyCode;
      // Of a round trip the ties are those of its QuantizeLinear.
      if (node.is_dequantize() && !x.elements.empty()) {
        element.features =
            static_cast<uint16_t>(element.features | x.elements[i].features);
      }
      if (has_free_zero && format.has_negative_zero && IsZero(format, element.code)) {
        element.zero_sign_is_free = true;
      }
    }
    if (has_free_scales || x.elements.empty()) return Ok();
    return TryAllElementwise(node, operands, x, value);
  }

  // Returns the scalar operand with the only element of a scale or zero point.
  static Tensor ScalarOf(const TensorView& view) {
    Tensor scalar = Tensor::Zeros(view.type, {});
    WriteCode(scalar.mutable_view(), 0, ReadCode(view, 0));
    return scalar;
  }

  Status TryAllElementwise(const GraphNode& node, const Operands& operands,
                           const ComposedValue& x, ComposedValue& value) {
    std::vector<size_t> free;
    std::map<size_t, CodeSet> codes;
    std::set<uint64_t> distinct;
    size_t most = 0;
    for (size_t i = 0; i < value.elements.size(); ++i) {
      // The sign of a zero shows in floats only.
      const bool is_free_zero =
          x.elements[i].zero_sign_is_free && FormatOf(value.view.type).has_negative_zero;
      if (!IsSet(x.elements[i]) && !is_free_zero) continue;
      auto known = CodesOf(x, static_cast<int64_t>(i));
      if (known && is_free_zero && !IsSet(x.elements[i])) {
        known->push_back(known->front() ^ (uint64_t{1} << (BitWidth(x.view.type) - 1)));
      }
      if (!known) {
        value.elements[i].freedom = Freedom::kAnyCode;
        continue;
      }
      free.push_back(i);
      most = std::max(most, known->size());
      distinct.insert(known->begin(), known->end());
      codes.emplace(i, *std::move(known));
    }
    if (free.empty()) return Ok();
    bool is_per_tensor = true;
    for (size_t k = 1; k < operands.size(); ++k) {
      is_per_tensor =
          is_per_tensor && (!operands[k] || ElementCount(operands[k]->shape) == 1);
    }
    if (is_per_tensor) {
      // (1) One scale: each distinct code once.
      const std::vector<uint64_t> all(distinct.begin(), distinct.end());
      Tensor compact = Tensor::Zeros(x.view.type, {static_cast<int64_t>(all.size())});
      for (size_t i = 0; i < all.size(); ++i) {
        WriteCode(compact.mutable_view(), static_cast<int64_t>(i), all[i]);
      }
      std::vector<Tensor> scalars(operands.size());
      Operands some{compact.view()};
      for (size_t k = 1; k < operands.size(); ++k) {
        if (operands[k]) scalars[k] = ScalarOf(*operands[k]);
        some.push_back(operands[k] ? std::optional(scalars[k].view()) : std::nullopt);
      }
      const auto answers = Answers(node, some);
      if (!answers) return answers.error();
      const Answer& answer = answers->front();
      for (const size_t i : free) {
        Union united(value.view.type);
        for (const uint64_t code : codes[i]) {
          const auto at =
              static_cast<size_t>(std::ranges::lower_bound(all, code) - all.begin());
          united.Add(answer.elements[at], answer.elements[at].code);
        }
        united.Put(static_cast<int64_t>(i), value);
      }
      return Ok();
    }
    // (2) All elements with their first code, then all with their second, and so on.
    std::map<size_t, Union> united;
    for (const size_t i : free) united.emplace(i, Union(value.view.type));
    Tensor varied = CopyOf(x.view);
    Operands with = operands;
    with[0] = varied.view();
    for (size_t round = 0; round < most; ++round) {
      for (const size_t i : free) {
        const CodeSet& own = codes[i];
        WriteCode(varied.mutable_view(), static_cast<int64_t>(i),
                  own[std::min(round, own.size() - 1)]);
      }
      const auto answers = Answers(node, with);
      if (!answers) return answers.error();
      for (const size_t i : free) {
        const ElementAnswer& one = answers->front().elements[i];
        united.at(i).Add(one, one.code);
      }
    }
    for (const size_t i : free) {
      united.at(i).Put(static_cast<int64_t>(i), value);
    }
    return Ok();
  }

  // An operator whose elements come from several elements of its operands.
  Status InheritWhole(const GraphNode& node, const Operands& operands,
                      std::span<ComposedValue> values) {
    const std::string_view op_type = node.op->op_type();
    const bool is_convolution = op_type == "ConvInteger";
    const bool is_sum = is_convolution || op_type == "MatMulInteger";
    Tier last = Tier::kRegular;
    bool has_sets = false;
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      const ComposedValue* operand = ValueAt(node, k);
      if (operand == nullptr) continue;
      if (k >= 2 || !is_sum) last = std::max(last, LastTier(*operand));
      has_sets = has_sets || HasSets(*operand);
    }
    for (ComposedValue& value : values) {
      for (ElementAnswer& element : value.elements) {
        element.tier = std::max(element.tier, last);
      }
    }
    if (is_sum) {
      const Status inherited = InheritTiers(node, is_convolution ? "Conv" : "MatMul",
                                            operands, values.front());
      if (!inherited) return inherited;
    }
    if (!has_sets) return Ok();
    if (!is_sum) {
      FreeAll(values);
      return Ok();
    }
    return FreeWhatDepends(node, operands, values);
  }

  // GR-10, of a sum of integers: its products are those of the float node.
  Status InheritTiers(const GraphNode& node, const char* float_op_type,
                      const Operands& operands, ComposedValue& value) {
    const bool is_regular = LastTier(*ValueAt(node, 0)) == Tier::kRegular &&
                            LastTier(*ValueAt(node, 1)) == Tier::kRegular;
    if (is_regular) return Ok();
    const Node products{.op_type = float_op_type,
                        .domain = {},
                        .inputs = {"a", "b"},
                        .outputs = {"y"},
                        .attributes = node.node.attributes};
    constexpr int kSinceVersion = 13;
    const auto wiring = WireNode(products, kSinceVersion,
                                 {TensorView{DataType::kFloat, operands[0]->shape, {}},
                                  TensorView{DataType::kFloat, operands[1]->shape, {}}});
    if (!wiring) return wiring.error();
    for (size_t i = 0; i < value.elements.size(); ++i) {
      ForEachSource(*wiring, 0, i, [&](const WiredElement& source) {
        if (source.operand == WiredElement::kZero) return;
        const ComposedValue& from = *ValueAt(node, static_cast<size_t>(source.operand));
        value.elements[i].tier =
            std::max(value.elements[i].tier, TierOf(from, source.index));
      });
    }
    return Ok();
  }

  static void FreeAll(std::span<ComposedValue> values) {
    for (ComposedValue& value : values) {
      for (ElementAnswer& element : value.elements) element.freedom = Freedom::kAnyCode;
    }
  }

  // A sum of products modulo 2^32 has another code if one factor changes by 1, unless the
  // other factor is 0. So what depends on a free element is found by changing that.
  Status FreeWhatDepends(const GraphNode& node, const Operands& operands,
                         std::span<ComposedValue> values) {
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      const ComposedValue* operand = ValueAt(node, k);
      if (operand == nullptr || !HasSets(*operand)) continue;
      std::vector<int64_t> free;
      for (size_t i = 0; i < operand->elements.size(); ++i) {
        if (IsSet(operand->elements[i])) free.push_back(static_cast<int64_t>(i));
      }
      if (node.op->operands()[k].role == OperandRole::kZeroPoint ||
          free.size() > kMostPerturbed) {
        FreeAll(values);
        return Ok();
      }
      Tensor changed = CopyOf(operand->view);
      Operands with = operands;
      with[k] = changed.view();
      for (const int64_t i : free) {
        const uint64_t code = ReadCode(operand->view, i);
        WriteCode(changed.mutable_view(), i, code ^ 1);
        const auto answers = Answers(node, with);
        if (!answers) return answers.error();
        WriteCode(changed.mutable_view(), i, code);
        const std::vector<ElementAnswer>& others = answers->front().elements;
        for (size_t e = 0; e < others.size(); ++e) {
          if (others[e].code != values.front().elements[e].code) {
            values.front().elements[e].freedom = Freedom::kAnyCode;
          }
        }
      }
    }
    return Ok();
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
