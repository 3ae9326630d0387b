#include "oracle/graphs/axes/node_axes.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

using Dims = std::span<const int64_t>;

// The coordinates of an element.
std::vector<int64_t> CoordinatesOf(Dims shape, int64_t index) {
  std::vector<int64_t> at(shape.size());
  for (size_t axis = shape.size(); axis-- > 0; index /= shape[axis]) {
    at[axis] = index % shape[axis];
  }
  return at;
}

bool Contains(const std::vector<NodeAxis>& axes, const NodeAxis& axis) {
  return std::ranges::find(axes, axis) != axes.end();
}

// Two axes of the same size that had the same position in all elements so far.
struct Candidate {
  NodeAxis one;
  NodeAxis other;
  bool was_seen = false;
};

class Finder {
 public:
  Finder(const Node& node, const Operands& operands, const Wiring& wiring)
      : node_(node), operands_(operands), wiring_(wiring) {}

  NodeAxes Run() {
    for (size_t k = 0; k < wiring_.outputs.size(); ++k) FindEqual(k);
    if (wiring_.kind == WiredKind::kSum) FindSummedPairs();
    const bool contracts = node_.op_type.starts_with("Reduce") ||
                           node_.op_type.starts_with("Arg") ||
                           node_.op_type == "GlobalAveragePool";
    for (size_t k = 0; k < operands_.size(); ++k) {
      for (size_t axis = 0; axis < ShapeOf(k).size(); ++axis) {
        const NodeAxis own{false, k, axis};
        if (ShapeOf(k)[axis] == 1 || IsEqualToSome(own)) continue;
        (contracts && k == 0 ? axes_.summed : axes_.whole).push_back(own);
      }
    }
    // An axis that the node makes: what has scales along it cannot be cut alone.
    for (size_t k = 0; k < wiring_.outputs.size(); ++k) {
      for (size_t axis = 0; axis < wiring_.outputs[k].shape.size(); ++axis) {
        const NodeAxis own{true, k, axis};
        if (!IsEqualToSome(own)) axes_.whole.push_back(own);
      }
    }
    AddWholeByAmounts();
    AddRows();
    return std::move(axes_);
  }

 private:
  Dims ShapeOf(size_t operand) const {
    return operands_[operand] ? operands_[operand]->shape : Dims();
  }

  bool IsEqualToSome(const NodeAxis& axis) const {
    return std::ranges::any_of(axes_.equal, [&](const auto& pair) {
      return pair.first == axis || pair.second == axis;
    });
  }

  // The axes of operands that equal axes of an output.
  void FindEqual(size_t k) {
    const WiredOutput& output = wiring_.outputs[k];
    std::vector<Candidate> candidates;
    for (size_t operand = 0; operand < operands_.size(); ++operand) {
      const Dims shape = ShapeOf(operand);
      const bool is_same =
          IsElementwise(node_, wiring_.kind) && std::ranges::equal(shape, output.shape);
      for (size_t axis = 0; axis < shape.size(); ++axis) {
        for (size_t own = 0; own < output.shape.size(); ++own) {
          if (shape[axis] != output.shape[own]) continue;
          // Of size 1 only where nothing else can be meant.
          if (shape[axis] == 1 && !(is_same && own == axis)) continue;
          candidates.push_back({{false, operand, axis}, {true, k, own}});
        }
      }
    }
    for (size_t i = 0; i + 1 < output.first.size(); ++i) {
      const auto place = CoordinatesOf(output.shape, static_cast<int64_t>(i));
      const auto check = [&](const WiredElement& source) {
        if (source.operand == WiredElement::kZero) return;
        const auto operand = static_cast<size_t>(source.operand);
        const auto at = CoordinatesOf(ShapeOf(operand), source.index);
        std::erase_if(candidates, [&](Candidate& candidate) {
          if (candidate.one.tensor != operand) return false;
          candidate.was_seen = true;
          return at[candidate.one.axis] != place[candidate.other.axis];
        });
      };
      for (size_t s = output.first[i]; s < output.first[i + 1]; ++s) {
        check(output.sources[s]);
      }
      if (!output.bias.empty()) check(output.bias[i]);
    }
    for (const Candidate& candidate : candidates) {
      if (candidate.was_seen) axes_.equal.emplace_back(candidate.one, candidate.other);
    }
  }

  // The axes of both factors along which the products lie.
  void FindSummedPairs() {
    const WiredOutput& output = wiring_.outputs[0];
    std::vector<Candidate> candidates;
    for (size_t left = 0; left < ShapeOf(0).size(); ++left) {
      for (size_t right = 0; right < ShapeOf(1).size(); ++right) {
        const NodeAxis one{false, 0, left};
        const NodeAxis other{false, 1, right};
        const bool fits = ShapeOf(0)[left] == ShapeOf(1)[right] && ShapeOf(0)[left] > 1;
        if (fits && !IsEqualToSome(one) && !IsEqualToSome(other)) {
          candidates.push_back({one, other});
        }
      }
    }
    for (size_t s = 0; s + 1 < output.sources.size() && !candidates.empty(); s += 2) {
      const WiredElement& left = output.sources[s];
      const WiredElement& right = output.sources[s + 1];
      if (left.operand == WiredElement::kZero) continue;
      const auto a = CoordinatesOf(ShapeOf(0), left.index);
      const auto b = CoordinatesOf(ShapeOf(1), right.index);
      std::erase_if(candidates, [&](Candidate& candidate) {
        candidate.was_seen = true;
        return a[candidate.one.axis] != b[candidate.other.axis];
      });
    }
    for (const Candidate& candidate : candidates) {
      if (!candidate.was_seen) continue;
      axes_.equal.emplace_back(candidate.one, candidate.other);
      axes_.summed.push_back(candidate.one);
    }
  }

  void Whole(bool is_output, size_t tensor, size_t axis) {
    const NodeAxis own{is_output, tensor, axis};
    if (!Contains(axes_.whole, own)) axes_.whole.push_back(own);
  }

  void AllWhole(size_t operand) {
    for (size_t axis = 0; axis < ShapeOf(operand).size(); ++axis) {
      Whole(false, operand, axis);
    }
  }

  std::vector<int64_t> ValuesOf(size_t operand) const {
    std::vector<int64_t> values;
    if (operand >= operands_.size() || !operands_[operand]) return values;
    const TensorView& view = *operands_[operand];
    for (const uint64_t code : ReadCodes(view)) {
      values.push_back(ToInteger(FormatOf(view.type), code));
    }
    return values;
  }

  int64_t IntegerOf(std::string_view name, int64_t otherwise) const {
    const auto value = IntegerAttribute(node_.attributes, name);
    return value ? value->value_or(otherwise) : otherwise;
  }

  // An axis of the first operand from the front.
  size_t FromFront(int64_t axis) const {
    const auto rank = static_cast<int64_t>(ShapeOf(0).size());
    return static_cast<size_t>(axis < 0 ? axis + rank : axis);
  }

  // Axes whose sizes or positions attributes or amounts name.
  void AddWholeByAmounts() {
    const std::string_view op_type = node_.op_type;
    if (op_type == "Reshape" || op_type == "Expand") {
      const std::vector<int64_t> sizes = ValuesOf(1);
      const size_t before = wiring_.outputs[0].shape.size() - sizes.size();
      for (size_t i = 0; i < sizes.size(); ++i) {
        const bool is_named = op_type == "Reshape" ? sizes[i] > 0 : sizes[i] > 1;
        if (is_named) Whole(true, 0, before + i);
      }
    } else if (op_type == "Squeeze" && operands_.size() < 2) {
      AllWhole(0);  // an axis that was cut to size 1 would go as well
    } else if (op_type == "GatherElements") {
      AllWhole(0);
    } else if (op_type == "Gather" || op_type == "Split") {
      Whole(false, 0, FromFront(IntegerOf("axis", 0)));
    } else if (op_type == "Slice") {
      const size_t rank = ShapeOf(0).size();
      const std::vector<int64_t> named = ValuesOf(3);
      for (size_t i = 0; i < (named.empty() ? rank : named.size()); ++i) {
        Whole(false, 0, named.empty() ? i : FromFront(named[i]));
      }
    } else if (op_type == "Conv") {
      for (size_t axis = 2; axis < ShapeOf(1).size(); ++axis) Whole(false, 1, axis);
      if (IntegerOf("group", 1) != 1) {
        Whole(false, 0, 1);
        Whole(false, 1, 0);
        Whole(false, 1, 1);
        Whole(true, 0, 1);
      }
    }
  }

  void AddRows() {
    const size_t rank = ShapeOf(0).size();
    if (node_.op_type == "MatMul" && rank >= 2) {
      axes_.rows = NodeAxis{false, 0, rank - 2};
    } else if (node_.op_type == "Gemm") {
      axes_.rows =
          NodeAxis{false, 0, IntegerOf("transA", 0) != 0 ? size_t{1} : size_t{0}};
    }
  }

  const Node& node_;
  const Operands& operands_;
  const Wiring& wiring_;
  NodeAxes axes_;
};

}  // namespace

bool IsElementwise(const Node& node, WiredKind kind) {
  switch (kind) {
    case WiredKind::kMove:
      return node.op_type == "Identity";
    case WiredKind::kMaximum:
      return node.op_type == "Max";
    case WiredKind::kMinimum:
      return node.op_type == "Min";
    case WiredKind::kArgMax:
    case WiredKind::kArgMin:
    case WiredKind::kSum:
    case WiredKind::kMean:
      return false;
    default:
      return true;
  }
}

NodeAxes FindNodeAxes(const Node& node, const Operands& operands, const Wiring& wiring) {
  return Finder(node, operands, wiring).Run();
}

}  // namespace qconform
