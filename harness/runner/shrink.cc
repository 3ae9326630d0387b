#include "harness/runner/shrink.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "harness/backends/operands.h"
#include "harness/compare/compare.h"
#include "harness/compare/inference.h"
#include "harness/compare/oracle_model.h"
#include "harness/runner/runner.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

std::vector<TensorView> Views(const StoredCase& stored) {
  std::vector<TensorView> views;
  for (const Tensor& tensor : stored.inputs) views.push_back(tensor.view());
  return views;
}

Tensor* FindTensor(StoredCase& stored, const std::string& name) {
  for (size_t i = 0; i < stored.model.inputs.size(); ++i) {
    if (stored.model.inputs[i].name == name) return &stored.inputs[i];
  }
  for (Initializer& initializer : stored.model.initializers) {
    if (initializer.name == name) return &initializer.tensor;
  }
  return nullptr;
}

// The operand at `index` of the node, or nothing.
Tensor* OperandTensor(StoredCase& stored, size_t index) {
  const std::vector<std::string>& names = stored.model.node.inputs;
  if (index >= names.size() || names[index].empty()) return nullptr;
  return FindTensor(stored, names[index]);
}

void Replace(StoredCase& stored, size_t index, Tensor tensor) {
  const std::string& name = stored.model.node.inputs[index];
  for (ValueInfo& info : stored.model.inputs) {
    if (info.name == name) info.shape = tensor.shape;
  }
  if (index == 0) stored.model.outputs.front().shape = tensor.shape;
  *FindTensor(stored, name) = std::move(tensor);
}

Tensor Single(DataType type, Shape shape, uint64_t code) {
  Tensor tensor = Tensor::Zeros(type, std::move(shape));
  WriteCode(tensor.mutable_view(), 0, code);
  return tensor;
}

// Returns tensor[..., from:to, ...] along `dimension`.
Tensor Slice(const Tensor& tensor, size_t dimension, int64_t from, int64_t to) {
  Shape shape = tensor.shape;
  shape[dimension] = to - from;
  Tensor slice = Tensor::Zeros(tensor.type, shape);
  int64_t inner = 1;
  for (size_t i = dimension + 1; i < shape.size(); ++i) inner *= shape[i];
  const int64_t count = *ElementCount(shape);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t outer = i / inner / shape[dimension];
    const int64_t middle = i / inner % shape[dimension] + from;
    const int64_t source = (outer * tensor.shape[dimension] + middle) * inner + i % inner;
    WriteCode(slice.mutable_view(), i, ReadCode(tensor.view(), source));
  }
  return slice;
}

int64_t AttributeOr(const Node& node, std::string_view name, int64_t otherwise) {
  const auto value = IntegerAttribute(node, name);
  return value && value->has_value() ? **value : otherwise;
}

class Shrinker {
 public:
  Shrinker(StoredCase best, const StillDeviates& deviates, int most)
      : best_(std::move(best)), deviates_(deviates), left_(most) {}

  StoredCase Run() {
    if (!IsolateElement()) {
      while (HalveSomeDimension()) {
      }
    }
    SimplifyValues();
    return std::move(best_);
  }

 private:
  bool Try(StoredCase candidate) {
    if (left_-- <= 0 || candidate == best_ || !deviates_(candidate)) return false;
    best_ = std::move(candidate);
    return true;
  }

  // One element of x with its scale and zero point, per tensor.
  bool IsolateElement() {
    const auto oracle = OracleModel::Create(best_.model);
    const Tensor* x = OperandTensor(best_, 0);
    if (!oracle || x == nullptr) return false;
    const int64_t count = *ElementCount(x->shape);
    const StoredCase whole = best_;
    for (int64_t i = 0; i < count && left_ > 0; ++i) {
      const auto operands = oracle->OperandsOfElement(Views(whole), i);
      if (!operands) return false;
      StoredCase candidate = whole;
      std::erase_if(candidate.model.node.attributes, [](const Attribute& attribute) {
        return attribute.name == "axis" || attribute.name == "block_size";
      });
      size_t operand = 0;
      for (const ElementOperand& element : *operands) {
        Replace(candidate, operand,
                Single(element.type, operand == 0 ? Shape{1} : Shape{}, element.code));
        ++operand;
      }
      if (Try(std::move(candidate))) return true;
    }
    return false;
  }

  bool HalveSomeDimension() {
    const Tensor* x = OperandTensor(best_, 0);
    for (size_t d = 0; d < x->shape.size(); ++d) {
      const int64_t size = x->shape[d];
      if (size <= 1) continue;
      const int64_t middle = SplitPoint(d, size);
      if (middle <= 0 || middle >= size) continue;
      if (Try(Cut(d, 0, middle)) || Try(Cut(d, middle, size))) return true;
    }
    return false;
  }

  size_t Axis() const {
    const auto rank =
        static_cast<int64_t>(best_.model.outputs.front().shape.size());
    const int64_t axis = AttributeOr(best_.model.node, "axis", 1);
    return static_cast<size_t>(axis < 0 ? axis + rank : axis);
  }

  // Half of the dimension; along a blocked axis, at a block's border.
  int64_t SplitPoint(size_t dimension, int64_t size) const {
    const int64_t block = AttributeOr(best_.model.node, "block_size", 0);
    if (block <= 0 || dimension != Axis()) return size / 2;
    return (size / block + 1) / 2 * block;
  }

  StoredCase Cut(size_t dimension, int64_t from, int64_t to) {
    StoredCase candidate = best_;
    Replace(candidate, 0, Slice(*OperandTensor(best_, 0), dimension, from, to));
    const int64_t block = AttributeOr(best_.model.node, "block_size", 0);
    for (size_t operand = 1; operand < best_.model.node.inputs.size(); ++operand) {
      const Tensor* scale = OperandTensor(best_, operand);
      if (scale == nullptr || scale->shape.empty()) continue;
      const bool along = dimension == Axis();
      if (block > 0) {
        const int64_t unit = along ? block : 1;
        Replace(candidate, operand,
                Slice(*scale, dimension, from / unit, (to + unit - 1) / unit));
      } else if (along) {
        Replace(candidate, operand, Slice(*scale, 0, from, to));
      }
    }
    return candidate;
  }

  // Zeros and ones where they show it as well: zero points first, then x, scales.
  void SimplifyValues() {
    for (const size_t operand : {size_t{2}, size_t{0}, size_t{1}}) {
      const Tensor* tensor = OperandTensor(best_, operand);
      if (tensor == nullptr) continue;
      const int64_t count = *ElementCount(tensor->shape);
      const uint64_t simple = operand == 1 ? One(tensor->type) : 0;
      for (int64_t i = 0; i < count && left_ > 0; ++i) {
        StoredCase candidate = best_;
        WriteCode(OperandTensor(candidate, operand)->mutable_view(), i, simple);
        Try(std::move(candidate));
      }
    }
  }

  static uint64_t One(DataType type) {
    const NumberFormat& format = FormatOf(type);
    if (format.kind == NumberKind::kInteger) return 1;
    return static_cast<uint64_t>(format.exponent_bias) << format.mantissa_bits;
  }

  StoredCase best_;
  const StillDeviates& deviates_;
  int left_;
};

}  // namespace

StillDeviates DeviatesOn(Backend& backend) {
  return [&backend](const StoredCase& stored) {
    const auto oracle = OracleModel::Create(stored.model);
    if (!oracle) return false;
    const std::vector<TensorView> views = Views(stored);
    const auto validity = oracle->Validate(views);
    if (!validity || validity->kind != ModelValidity::Kind::kValid) return false;
    auto evaluated = oracle->Evaluate(views);
    if (!evaluated) return false;
    const auto answer = std::make_shared<const Answer>(*std::move(evaluated));
    const RunResult result = RunModel(backend, stored.model, stored.inputs);
    if (std::holds_alternative<BackendError>(result)) return true;
    const auto* outputs = std::get_if<Outputs>(&result);
    if (outputs == nullptr) return false;
    const Comparison comparison = Compare(*answer, *outputs, 1);
    if (!comparison.invalid_output.empty()) return true;
    if (comparison.mismatches() == 0) return false;
    const AnsweredCase answered{&stored.model, views, answer, &outputs->front()};
    const auto explanations = ExplainByReadings({&answered, 1});
    if (!explanations) return false;
    for (size_t tier = 0; tier < kTierCount; ++tier) {
      if (comparison.tiers[tier].mismatches > 0 && !(*explanations)[tier]) return true;
    }
    return false;
  };
}

StoredCase Shrink(const StoredCase& start, const StillDeviates& deviates, int most) {
  return Shrinker(start, deviates, most).Run();
}

}  // namespace qconform
