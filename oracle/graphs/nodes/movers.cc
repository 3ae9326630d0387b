#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "oracle/graphs/nodes/index_maps.h"
#include "oracle/graphs/nodes/nodes.h"

namespace qconform::graphs {
namespace {

// All elements of the data in their order, in another shape.
Result<Wiring> InShape(const NodeReader& node, Shape shape) {
  const auto count = CheckedCount(node, shape);
  if (!count) return count.error();
  return OneOutput(WiredKind::kMove,
                   Moved(node.type(), std::move(shape), 0, Counting(*count)));
}

// The elements of the data as tensor of shape `inner`, with its axes permuted, as tensor
// of shape `outer`.
Wiring Rearranged(const NodeReader& node, const Shape& inner,
                  std::span<const size_t> perm, Shape outer) {
  return OneOutput(WiredKind::kMove,
                   Moved(node.type(), std::move(outer), 0, Permuted(inner, perm)));
}

// The blocksize of a tensor [N, C, H, W].
Result<int64_t> BlockSize(const NodeReader& node) {
  const TensorView& input = node.operand(0);
  if (input.shape.size() != 4) {
    return node.Expected("input", "rank 4, [N, C, H, W]",
                         "shape " + ShapeToString(input.shape));
  }
  const auto block = node.Integer("blocksize", 0);
  if (!block) return block.error();
  if (*block < 1 || *block > (1 << 16)) {
    return node.Expected("blocksize", "a positive number of at most 2^16",
                         std::to_string(*block));
  }
  const auto count = CheckedCount(node, input.shape);
  if (!count) return count.error();
  return *block;
}

// Whether the mode is CRD, and not DCR.
Result<bool> IsColumnFirst(const NodeReader& node) {
  const auto mode = node.String("mode", "DCR");
  if (!mode) return mode.error();
  if (*mode != "DCR" && *mode != "CRD") {
    return node.Expected("mode", "DCR or CRD", "'" + *mode + "'");
  }
  return *mode == "CRD";
}

}  // namespace

Result<Wiring> WireIdentity(const NodeReader& node) {
  return InShape(node, ShapeOf(node.operand(0)));
}

Result<Wiring> WireTranspose(const NodeReader& node) {
  const TensorView& data = node.operand("data");
  const size_t rank = data.shape.size();
  const auto given = node.Integers("perm");
  if (!given) return given.error();
  std::vector<size_t> perm(rank);
  for (size_t i = 0; i < rank; ++i) perm[i] = rank - 1 - i;
  if (*given) {
    std::vector<int64_t> sorted = **given;
    std::ranges::sort(sorted);
    std::vector<int64_t> all(rank);
    std::iota(all.begin(), all.end(), 0);
    if (sorted != all) {
      return node.Expected("perm", "each of " + std::to_string(rank) + " axes once",
                           ShapeToString(**given));
    }
    perm.assign((*given)->begin(), (*given)->end());
  }
  const auto count = CheckedCount(node, data.shape);
  if (!count) return count.error();
  return Rearranged(node, ShapeOf(data), perm, PermutedShape(data.shape, perm));
}

Result<Wiring> WireReshape(const NodeReader& node) {
  const TensorView& data = node.operand("data");
  const auto given = node.Amounts("shape");
  if (!given) return given.error();
  const auto allows_zero = node.Flag("allowzero", false);
  if (!allows_zero) return allows_zero.error();
  Shape shape = **given;
  const auto invalid = [&](std::string_view expected) {
    return node.Expected(
        "shape", expected,
        ShapeToString(**given) + " for data of shape " + ShapeToString(data.shape));
  };
  std::optional<size_t> inferred;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == -1) {
      if (inferred) return invalid("at most one -1");
      inferred = i;
      shape[i] = 1;
    } else if (shape[i] < 0) {
      return invalid("dimensions of at least -1");
    } else if (shape[i] == 0 && !*allows_zero) {
      if (i >= data.shape.size()) return invalid("0 only at axes that the data has");
      shape[i] = data.shape[i];
    }
  }
  const bool has_zero = std::ranges::find(**given, 0) != (*given)->end();
  if (*allows_zero && inferred && has_zero) {
    return invalid("no -1 besides 0 with allowzero 1");
  }
  const int64_t count = *ElementCount(data.shape);
  std::optional<int64_t> others = ElementCount(shape);
  if (inferred && others) {
    if (*others == 0 || count % *others != 0) return invalid("a size that -1 can have");
    shape[*inferred] = count / *others;
    others = count;
  }
  if (others != count) return invalid("the same number of elements");
  return InShape(node, std::move(shape));
}

Result<Wiring> WireFlatten(const NodeReader& node) {
  const TensorView& input = node.operand("input");
  const auto given = node.Integer("axis", 1);
  if (!given) return given.error();
  const auto rank = static_cast<int64_t>(input.shape.size());
  if (*given < -rank || *given > rank) {
    return node.Expected(
        "axis",
        "at least " + std::to_string(-rank) + " and at most " + std::to_string(rank),
        std::to_string(*given));
  }
  const auto axis = static_cast<size_t>(*given < 0 ? *given + rank : *given);
  return InShape(node, {*ElementCount(input.shape.first(axis)),
                        *ElementCount(input.shape.subspan(axis))});
}

Result<Wiring> WireSqueeze(const NodeReader& node) {
  const TensorView& data = node.operand("data");
  const auto given = node.Amounts("axes");
  if (!given) return given.error();
  std::vector<size_t> axes;
  if (*given) {
    const auto checked = node.Axes("axes", **given, data.shape.size());
    if (!checked) return checked.error();
    axes = *checked;
  }
  Shape shape;
  for (size_t i = 0; i < data.shape.size(); ++i) {
    const bool is_named = std::ranges::find(axes, i) != axes.end();
    if (is_named && data.shape[i] != 1) {
      return node.Expected(
          "axes", "axes of dimension 1",
          ShapeToString(**given) + " for data of shape " + ShapeToString(data.shape));
    }
    const bool is_removed = *given ? is_named : data.shape[i] == 1;
    if (!is_removed) shape.push_back(data.shape[i]);
  }
  return InShape(node, std::move(shape));
}

Result<Wiring> WireUnsqueeze(const NodeReader& node) {
  const TensorView& data = node.operand("data");
  const auto given = node.Amounts("axes");
  if (!given) return given.error();
  const size_t rank = data.shape.size() + (*given)->size();
  const auto axes = node.Axes("axes", **given, rank);
  if (!axes) return axes.error();
  Shape shape;
  size_t next = 0;
  for (size_t i = 0; i < rank; ++i) {
    const bool is_new = std::ranges::find(*axes, i) != axes->end();
    shape.push_back(is_new ? 1 : data.shape[next++]);
  }
  return InShape(node, std::move(shape));
}

Result<Wiring> WireExpand(const NodeReader& node) {
  const TensorView& input = node.operand("input");
  const auto given = node.Amounts("shape");
  if (!given) return given.error();
  std::optional<Shape> shape;
  if (ElementCount(**given)) shape = Broadcast(input.shape, **given);
  if (!shape) {
    return node.Expected(
        "shape",
        "one that the input's " + ShapeToString(input.shape) + " can be broadcast with",
        ShapeToString(**given));
  }
  const auto count = CheckedCount(node, *shape);
  if (!count) return count.error();
  const IndexMap indices = BroadcastIndices(input.shape, *shape);
  return OneOutput(WiredKind::kMove, Moved(node.type(), *std::move(shape), 0, indices));
}

Result<Wiring> WireTile(const NodeReader& node) {
  const TensorView& input = node.operand("input");
  const auto repeats = node.Amounts("repeats");
  if (!repeats) return repeats.error();
  if ((*repeats)->size() != input.shape.size() || !ElementCount(**repeats)) {
    return node.Expected("repeats",
                         std::to_string(input.shape.size()) +
                             " values of at least 0, as many as the input has axes",
                         ShapeToString(**repeats));
  }
  Shape shape;
  for (size_t i = 0; i < input.shape.size(); ++i) {
    const int64_t size = input.shape[i];
    const int64_t times = (**repeats)[i];
    const bool is_large = size > 0 && times > kMostElements / size;
    shape.push_back(is_large ? kMostElements : size * times);
  }
  const auto count = CheckedCount(node, shape);
  if (!count) return count.error();
  std::vector<std::vector<int64_t>> along_axes(shape.size());
  for (size_t i = 0; i < shape.size() && *count > 0; ++i) {
    for (int64_t at = 0; at < shape[i]; ++at) {
      along_axes[i].push_back(at % input.shape[i]);
    }
  }
  const IndexMap indices = *count > 0 ? AlongAxes(input.shape, along_axes) : IndexMap();
  return OneOutput(WiredKind::kMove, Moved(node.type(), std::move(shape), 0, indices));
}

Result<Wiring> WireDepthToSpace(const NodeReader& node) {
  const auto block = BlockSize(node);
  if (!block) return block.error();
  const auto is_column_first = IsColumnFirst(node);
  if (!is_column_first) return is_column_first.error();
  const std::span<const int64_t> x = node.operand(0).shape;
  const int64_t b = *block;
  const int64_t depth = x[1] / (b * b);
  if (depth * b * b != x[1]) {
    return node.Expected("input", "channels that are a multiple of blocksize^2",
                         "shape " + ShapeToString(x));
  }
  const Shape inner = *is_column_first ? Shape{x[0], depth, b, b, x[2], x[3]}
                                       : Shape{x[0], b, b, depth, x[2], x[3]};
  static constexpr size_t kDcr[] = {0, 3, 4, 1, 5, 2};
  static constexpr size_t kCrd[] = {0, 1, 4, 2, 5, 3};
  return Rearranged(node, inner, *is_column_first ? kCrd : kDcr,
                    {x[0], depth, x[2] * b, x[3] * b});
}

Result<Wiring> WireSpaceToDepth(const NodeReader& node) {
  const auto block = BlockSize(node);
  if (!block) return block.error();
  const auto is_column_first = IsColumnFirst(node);
  if (!is_column_first) return is_column_first.error();
  const std::span<const int64_t> x = node.operand(0).shape;
  const int64_t b = *block;
  if (x[2] % b != 0 || x[3] % b != 0) {
    return node.Expected("input", "a height and a width that are multiples of blocksize",
                         "shape " + ShapeToString(x));
  }
  const Shape inner = {x[0], x[1], x[2] / b, b, x[3] / b, b};
  static constexpr size_t kDcr[] = {0, 3, 5, 1, 2, 4};
  static constexpr size_t kCrd[] = {0, 1, 3, 5, 2, 4};
  return Rearranged(node, inner, *is_column_first ? kCrd : kDcr,
                    {x[0], x[1] * b * b, x[2] / b, x[3] / b});
}

}  // namespace qconform::graphs
