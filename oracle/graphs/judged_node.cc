#include "oracle/graphs/judged_node.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"
#include "oracle/graphs/code_sets.h"
#include "oracle/graphs/wiring.h"

namespace qconform {
namespace {

// Elements of an operand whose influence is found one by one.
constexpr size_t kMostPerturbed = 64;

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

class JudgedNode {
 public:
  JudgedNode(const GraphNode& node, const ReadingSet& readings,
             std::span<const ComposedValue> values, std::span<ComposedValue> outputs)
      : node_(node), readings_(readings), values_(values), outputs_(outputs) {}

  Status Evaluate(const Operands& operands) {
    auto answers = Answers(operands);
    if (!answers) return answers.error();
    const std::span<ComposedValue> values = outputs_;
    for (size_t k = 0; k < values.size(); ++k) {
      ComposedValue& value = values[k];
      value.owned = TensorOf((*answers)[k]);
      value.view = value.owned.view();
      value.elements = std::move((*answers)[k].elements);
    }
    if (node_.is_dequantize()) MarkOverflow(values.front());
    const bool is_plain = std::ranges::all_of(node_.inputs, [&](const auto& input) {
      return !input || values_[*input].elements.empty();
    });
    if (is_plain) return Ok();
    return node_.is_elementwise() ? InheritElementwise(operands, values.front())
                                  : InheritWhole(operands, values);
  }

 private:
  const ComposedValue* ValueAt(size_t operand) const {
    if (operand >= node_.inputs.size() || !node_.inputs[operand]) return nullptr;
    return &values_[*node_.inputs[operand]];
  }

  Result<std::vector<Answer>> Answers(const Operands& operands) {
    return node_.bound->Evaluate(operands, readings_);
  }

  // GR-10: overflow to Inf in front of a float node_.
  static void MarkOverflow(ComposedValue& value) {
    constexpr uint16_t kOverflow = kFeatureSaturatedLow | kFeatureSaturatedHigh;
    for (ElementAnswer& element : value.elements) {
      if ((element.features & kOverflow) == 0) continue;
      element.tier = std::max(element.tier, Tier::kDegenerateScale);
    }
  }

  Status InheritElementwise(const Operands& operands, ComposedValue& value) {
    const ComposedValue& x = *ValueAt(0);
    Tier of_scales = Tier::kRegular;
    bool has_free_scales = false;
    bool has_free_zero = false;
    for (size_t k = 1; k < node_.inputs.size(); ++k) {
      const ComposedValue* scale = ValueAt(k);
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
      if (node_.is_dequantize() && !x.elements.empty()) {
        element.features =
            static_cast<uint16_t>(element.features | x.elements[i].features);
      }
      if (has_free_zero && format.has_negative_zero && IsZero(format, element.code)) {
        element.zero_sign_is_free = true;
      }
    }
    if (has_free_scales || x.elements.empty()) return Ok();
    return TryAllElementwise(operands, x, value);
  }

  // Returns the scalar operand with the only element of a scale or zero point.
  static Tensor ScalarOf(const TensorView& view) {
    Tensor scalar = Tensor::Zeros(view.type, {});
    WriteCode(scalar.mutable_view(), 0, ReadCode(view, 0));
    return scalar;
  }

  Status TryAllElementwise(const Operands& operands, const ComposedValue& x,
                           ComposedValue& value) {
    std::vector<size_t> free;
    std::map<size_t, CodeSet> codes;
    std::set<uint64_t> distinct;
    size_t most = 0;
    for (size_t i = 0; i < value.elements.size(); ++i) {
      // The sign of a zero shows in floats only.
      const bool is_free_zero =
          x.elements[i].zero_sign_is_free && FormatOf(value.view.type).has_negative_zero;
      if (!IsSet(x.elements[i]) && !is_free_zero) continue;
      auto known = PossibleCodes(x, static_cast<int64_t>(i));
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
      const auto answers = Answers(some);
      if (!answers) return answers.error();
      const Answer& answer = answers->front();
      for (const size_t i : free) {
        CodeUnion united(value.view.type);
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
    std::map<size_t, CodeUnion> united;
    for (const size_t i : free) united.emplace(i, CodeUnion(value.view.type));
    Tensor varied = CopyOf(x.view);
    Operands with = operands;
    with[0] = varied.view();
    for (size_t round = 0; round < most; ++round) {
      for (const size_t i : free) {
        const CodeSet& own = codes[i];
        WriteCode(varied.mutable_view(), static_cast<int64_t>(i),
                  own[std::min(round, own.size() - 1)]);
      }
      const auto answers = Answers(with);
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
  Status InheritWhole(const Operands& operands, std::span<ComposedValue> values) {
    const std::string_view op_type = node_.op->op_type();
    const bool is_convolution = op_type == "ConvInteger";
    const bool is_sum = is_convolution || op_type == "MatMulInteger";
    Tier last = Tier::kRegular;
    bool has_sets = false;
    for (size_t k = 0; k < node_.inputs.size(); ++k) {
      const ComposedValue* operand = ValueAt(k);
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
      const Status inherited =
          InheritTiers(is_convolution ? "Conv" : "MatMul", operands, values.front());
      if (!inherited) return inherited;
    }
    if (!has_sets) return Ok();
    if (!is_sum) {
      FreeAll(values);
      return Ok();
    }
    return FreeWhatDepends(operands, values);
  }

  // GR-10, of a sum of integers: its products are those of the float node_.
  Status InheritTiers(const char* float_op_type, const Operands& operands,
                      ComposedValue& value) {
    const bool is_regular = LastTier(*ValueAt(0)) == Tier::kRegular &&
                            LastTier(*ValueAt(1)) == Tier::kRegular;
    if (is_regular) return Ok();
    const Node products{.op_type = float_op_type,
                        .domain = {},
                        .inputs = {"a", "b"},
                        .outputs = {"y"},
                        .attributes = node_.node.attributes};
    constexpr int kSinceVersion = 13;
    const auto wiring = WireNode(products, kSinceVersion,
                                 {TensorView{DataType::kFloat, operands[0]->shape, {}},
                                  TensorView{DataType::kFloat, operands[1]->shape, {}}});
    if (!wiring) return wiring.error();
    for (size_t i = 0; i < value.elements.size(); ++i) {
      ForEachSource(*wiring, 0, i, [&](const WiredElement& source) {
        if (source.operand == WiredElement::kZero) return;
        const ComposedValue& from = *ValueAt(static_cast<size_t>(source.operand));
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

  // A free element of an operand, and where the result depends on it.
  struct FreeFactor {
    size_t operand = 0;
    int64_t index = 0;
    std::vector<size_t> results;
  };

  // A sum of products modulo 2^32 has another code if one factor changes by 1, unless the
  // other factor is 0. So what depends on a free element is found by changing that. A
  // result that depends on one of them may be what each of its codes gives.
  Status FreeWhatDepends(const Operands& operands, std::span<ComposedValue> values) {
    std::vector<FreeFactor> factors;
    for (size_t k = 0; k < node_.inputs.size(); ++k) {
      const ComposedValue* operand = ValueAt(k);
      if (operand == nullptr || !HasSets(*operand)) continue;
      for (size_t i = 0; i < operand->elements.size(); ++i) {
        if (IsSet(operand->elements[i]))
          factors.push_back({k, static_cast<int64_t>(i), {}});
      }
      if (node_.op->operands()[k].role == OperandRole::kZeroPoint ||
          factors.size() > kMostPerturbed) {
        FreeAll(values);
        return Ok();
      }
    }
    ComposedValue& value = values.front();
    std::vector<int> count(value.elements.size(), 0);
    for (FreeFactor& factor : factors) {
      const uint64_t code = ReadCode(*operands[factor.operand], factor.index);
      const auto answers = WithCode(operands, factor, code ^ 1);
      if (!answers) return answers.error();
      const std::vector<ElementAnswer>& others = answers->front().elements;
      for (size_t e = 0; e < others.size(); ++e) {
        if (others[e].code == value.elements[e].code) continue;
        factor.results.push_back(e);
        ++count[e];
      }
    }
    for (const FreeFactor& factor : factors) {
      const bool is_alone = std::ranges::any_of(
          factor.results, [&](size_t result) { return count[result] == 1; });
      const auto codes = PossibleCodes(*ValueAt(factor.operand), factor.index);
      std::map<size_t, CodeUnion> united;
      for (const size_t result : factor.results) {
        if (count[result] != 1 || !codes) {
          value.elements[result].freedom = Freedom::kAnyCode;
        } else {
          united.emplace(result, CodeUnion(value.view.type));
        }
      }
      if (!is_alone || !codes) continue;
      for (const uint64_t code : *codes) {
        const auto answers = WithCode(operands, factor, code);
        if (!answers) return answers.error();
        for (auto& [result, all] : united) {
          const ElementAnswer& one = answers->front().elements[result];
          all.Add(one, one.code);
        }
      }
      for (const auto& [result, all] : united) {
        all.Put(static_cast<int64_t>(result), value);
      }
    }
    return Ok();
  }

  // Returns the answers with another code in one place.
  Result<std::vector<Answer>> WithCode(const Operands& operands, const FreeFactor& factor,
                                       uint64_t code) {
    Tensor changed = CopyOf(*operands[factor.operand]);
    WriteCode(changed.mutable_view(), factor.index, code);
    Operands with = operands;
    with[factor.operand] = changed.view();
    return Answers(with);
  }

  const GraphNode& node_;
  const ReadingSet& readings_;
  std::span<const ComposedValue> values_;
  std::span<ComposedValue> outputs_;
};

}  // namespace

Status EvaluateJudgedNode(const GraphNode& node, const ReadingSet& readings,
                          const Operands& operands, std::span<const ComposedValue> values,
                          std::span<ComposedValue> outputs) {
  return JudgedNode(node, readings, values, outputs).Evaluate(operands);
}

}  // namespace qconform
