#include <algorithm>
#include <string>
#include <utility>

#include "oracle/graphs/nodes/index_maps.h"
#include "oracle/graphs/nodes/nodes.h"

namespace qconform::graphs {
namespace {

using AxisMaps = std::vector<std::vector<int64_t>>;

// Each position along each axis of a shape as it is.
AxisMaps Unchanged(std::span<const int64_t> shape) {
  AxisMaps maps;
  for (const int64_t size : shape) maps.push_back(Counting(size));
  return maps;
}

Shape ShapeAfter(const AxisMaps& maps) {
  Shape shape;
  for (const auto& map : maps) shape.push_back(static_cast<int64_t>(map.size()));
  return shape;
}

// The elements of the data at those positions along its axes.
Result<WiredOutput> At(const NodeReader& node, const AxisMaps& maps) {
  Shape shape = ShapeAfter(maps);
  const auto count = CheckedCount(node, shape);
  if (!count) return count.error();
  return Moved(node.type(), std::move(shape), 0, AlongAxes(node.operand(0).shape, maps));
}

// Returns a list that has one value for each of `axes`; `otherwise` for all if it is left
// out.
Result<std::vector<int64_t>> OnePerAxis(const NodeReader& node, std::string_view name,
                                        size_t axes, int64_t otherwise) {
  const auto given = node.Amounts(name);
  if (!given) return given.error();
  if (!*given) return std::vector<int64_t>(axes, otherwise);
  if ((*given)->size() != axes) {
    return node.Expected(name, std::to_string(axes) + " values", ShapeToString(**given));
  }
  return **given;
}

// Returns the axes that an input names, from the front. `count`: how many there are if it
// is left out: the first ones.
Result<std::vector<size_t>> NamedAxes(const NodeReader& node, size_t count, size_t rank) {
  const auto given = node.Amounts("axes");
  if (!given) return given.error();
  return node.Axes("axes", *given ? **given : Counting(static_cast<int64_t>(count)),
                   rank);
}

// The positions that a slice of an axis takes.
std::vector<int64_t> Sliced(int64_t size, int64_t start, int64_t end, int64_t step) {
  if (start < 0) start += size;
  if (end < 0) end += size;
  // Longer steps would leave the axis at once as well.
  step = std::clamp(step, -kMostElements, kMostElements);
  std::vector<int64_t> positions;
  if (step > 0) {
    start = std::clamp<int64_t>(start, 0, size);
    end = std::clamp<int64_t>(end, 0, size);
    for (int64_t at = start; at < end; at += step) positions.push_back(at);
  } else if (size > 0) {
    start = std::clamp<int64_t>(start, 0, size - 1);
    end = std::clamp<int64_t>(end, -1, size - 1);
    for (int64_t at = start; at > end; at += step) positions.push_back(at);
  }
  return positions;
}

// Returns the sizes of the parts along the axis.
Result<std::vector<int64_t>> PartsOf(const NodeReader& node, int64_t size) {
  const auto outputs = static_cast<int64_t>(node.output_count());
  const auto split = node.Amounts("split");
  if (!split) return split.error();
  const bool by_number = node.HasAttribute("num_outputs");
  const auto number = node.Integer("num_outputs", outputs);
  if (!number) return number.error();
  if (*split) {
    if (by_number) {
      return node.Expected("split", "either split or num_outputs", "both");
    }
    const std::optional<int64_t> are_sizes = ElementCount(**split);
    int64_t sum = 0;
    for (const int64_t part : **split) sum += part;
    if (!are_sizes || static_cast<int64_t>((*split)->size()) != outputs || sum != size) {
      return node.Expected(
          "split",
          std::to_string(outputs) + " sizes with the sum " + std::to_string(size),
          ShapeToString(**split));
    }
    return **split;
  }
  const bool knows_number = node.KnowsAttribute("num_outputs");
  if (knows_number && !by_number) {
    return node.Expected("split", "either split or num_outputs", "none");
  }
  if (*number != outputs || outputs < 1) {
    return node.Expected("num_outputs", std::to_string(outputs) + ", as it has outputs",
                         std::to_string(*number));
  }
  const int64_t part = (size + outputs - 1) / outputs;
  const int64_t last = size - part * (outputs - 1);
  if (last < 0 || (!knows_number && last != part)) {
    return node.Expected(
        "outputs",
        "a number that the size " + std::to_string(size) + " can be split into",
        std::to_string(outputs));
  }
  std::vector<int64_t> parts(static_cast<size_t>(outputs), part);
  parts.back() = last;
  return parts;
}

// Returns an index of an axis from its front. An Error if there is none.
Result<int64_t> Checked(const NodeReader& node, int64_t index, int64_t size) {
  if (index < -size || index >= size) {
    return node.Expected("indices",
                         "indices into an axis of size " + std::to_string(size),
                         std::to_string(index));
  }
  return index < 0 ? index + size : index;
}

enum class PadMode : uint8_t { kConstant, kReflect, kEdge, kWrap };

// Returns the position that a padded one has in an axis that is not empty.
int64_t Unpadded(PadMode mode, int64_t at, int64_t size) {
  const auto modulo = [](int64_t value, int64_t by) { return (value % by + by) % by; };
  switch (mode) {
    case PadMode::kConstant:
      return at < 0 || at >= size ? kOutside : at;
    case PadMode::kEdge:
      return std::clamp<int64_t>(at, 0, size - 1);
    case PadMode::kWrap:
      return modulo(at, size);
    case PadMode::kReflect:
      break;
  }
  if (size == 1) return 0;
  const int64_t period = 2 * (size - 1);
  const int64_t in_period = modulo(at, period);
  return std::min(in_period, period - in_period);
}

Result<PadMode> PadModeOf(const NodeReader& node, bool has_wrap) {
  const auto mode = node.String("mode", "constant");
  if (!mode) return mode.error();
  if (*mode == "constant") return PadMode::kConstant;
  if (*mode == "reflect") return PadMode::kReflect;
  if (*mode == "edge") return PadMode::kEdge;
  if (*mode == "wrap" && has_wrap) return PadMode::kWrap;
  return node.Expected(
      "mode", has_wrap ? "constant, reflect, edge or wrap" : "constant, reflect or edge",
      "'" + *mode + "'");
}

// What lies around the data.
Result<WiredElement> PaddingOf(const NodeReader& node) {
  const std::optional<int> constant = node.Find("constant_value");
  if (!constant) return WiredElement{};
  const std::span<const int64_t> shape = node.operand("constant_value").shape;
  if (*ElementCount(shape) != 1) {
    return node.Expected("constant_value", "a scalar", "shape " + ShapeToString(shape));
  }
  return WiredElement{*constant, 0};
}

Result<Wiring> Pad(const NodeReader& node, bool has_wrap) {
  const std::span<const int64_t> shape = node.operand("data").shape;
  const auto mode = PadModeOf(node, has_wrap);
  if (!mode) return mode.error();
  const auto axes = NamedAxes(node, shape.size(), shape.size());
  if (!axes) return axes.error();
  const auto pads = OnePerAxis(node, "pads", 2 * axes->size(), 0);
  if (!pads) return pads.error();
  const auto padding = PaddingOf(node);
  if (!padding) return padding.error();
  const auto count = CheckedCount(node, shape);
  if (!count) return count.error();
  AxisMaps maps = Unchanged(shape);
  for (size_t i = 0; i < axes->size(); ++i) {
    const int64_t begin = (*pads)[i];
    const int64_t end = (*pads)[axes->size() + i];
    const int64_t size = shape[(*axes)[i]];
    const bool is_large = std::max({begin, end, -begin, -end}) > kMostSources;
    if (is_large || begin + end + size < 0 ||
        (size == 0 && begin + end > 0 && *mode != PadMode::kConstant)) {
      return node.Expected(
          "pads", "pads that an axis of size " + std::to_string(size) + " can have",
          ShapeToString(*pads));
    }
    std::vector<int64_t>& map = maps[(*axes)[i]];
    map.clear();
    for (int64_t at = -begin; at < size + end; ++at) {
      map.push_back(Unpadded(*mode, at, size));
    }
  }
  auto output = At(node, maps);
  if (!output) return output.error();
  for (WiredElement& source : output->sources) {
    if (source.index == kOutside) source = *padding;
  }
  return OneOutput(WiredKind::kMove, *std::move(output));
}

}  // namespace

Result<Wiring> WireSlice(const NodeReader& node) {
  const std::span<const int64_t> shape = node.operand("data").shape;
  const auto starts = node.Amounts("starts");
  if (!starts) return starts.error();
  const auto axes = NamedAxes(node, (*starts)->size(), shape.size());
  if (!axes) return axes.error();
  if ((*starts)->size() != axes->size()) {
    return node.Expected("starts", std::to_string(axes->size()) + " values",
                         ShapeToString(**starts));
  }
  const auto ends = OnePerAxis(node, "ends", axes->size(), 0);
  if (!ends) return ends.error();
  const auto steps = OnePerAxis(node, "steps", axes->size(), 1);
  if (!steps) return steps.error();
  const auto count = CheckedCount(node, shape);
  if (!count) return count.error();
  AxisMaps maps = Unchanged(shape);
  for (size_t i = 0; i < axes->size(); ++i) {
    if ((*steps)[i] == 0) {
      return node.Expected("steps", "steps other than 0", ShapeToString(*steps));
    }
    maps[(*axes)[i]] = Sliced(shape[(*axes)[i]], (**starts)[i], (*ends)[i], (*steps)[i]);
  }
  auto output = At(node, maps);
  if (!output) return output.error();
  return OneOutput(WiredKind::kMove, *std::move(output));
}

Result<Wiring> WireSplit(const NodeReader& node) {
  const std::span<const int64_t> shape = node.operand("input").shape;
  const auto given = node.Integer("axis", 0);
  if (!given) return given.error();
  const auto axis = node.Axis("axis", *given, shape.size());
  if (!axis) return axis.error();
  const auto parts = PartsOf(node, shape[*axis]);
  if (!parts) return parts.error();
  const auto count = CheckedCount(node, shape);
  if (!count) return count.error();
  Wiring wiring;
  AxisMaps maps = Unchanged(shape);
  int64_t next = 0;
  for (const int64_t part : *parts) {
    maps[*axis] = Counting(part);
    for (int64_t& at : maps[*axis]) at += next;
    next += part;
    auto output = At(node, maps);
    if (!output) return output.error();
    wiring.outputs.push_back(*std::move(output));
  }
  return wiring;
}

Result<Wiring> WireConcat(const NodeReader& node) {
  if (!node.HasAttribute("axis")) return node.Expected("axis", "an attribute", "none");
  const auto given = node.Integer("axis", 0);
  if (!given) return given.error();
  Shape shape = ShapeOf(node.operand(0));
  const auto axis = node.Axis("axis", *given, shape.size());
  if (!axis) return axis.error();
  shape[*axis] = 0;
  for (size_t i = 0; i < node.input_count(); ++i) {
    Shape own = ShapeOf(node.operand(i));
    if (own.size() == shape.size()) {
      shape[*axis] += std::exchange(own[*axis], shape[*axis]);
    }
    const Shape before = own;
    own = shape;
    if (own.size() == before.size()) own[*axis] = before[*axis];
    if (own != before) {
      return node.Expected("input " + std::to_string(i),
                           "the shape of input 0, but along the axis",
                           ShapeToString(node.operand(i).shape));
    }
  }
  const auto count = CheckedCount(node, shape);
  if (!count) return count.error();
  const auto outer = *ElementCount(std::span(shape).first(*axis));
  WiredOutput output{
      .type = node.type(), .shape = std::move(shape), .sources = {}, .first = {}};
  for (int64_t block = 0; block < outer; ++block) {
    for (size_t i = 0; i < node.input_count(); ++i) {
      const int64_t size = *ElementCount(node.operand(i).shape) / outer;
      for (int64_t at = 0; at < size; ++at) {
        output.sources.push_back({static_cast<int>(i), block * size + at});
      }
    }
  }
  for (int64_t i = 0; i <= *count; ++i) output.first.push_back(static_cast<size_t>(i));
  return OneOutput(WiredKind::kMove, std::move(output));
}

Result<Wiring> WireGather(const NodeReader& node) {
  const std::span<const int64_t> shape = node.operand("data").shape;
  const auto given = node.Integer("axis", 0);
  if (!given) return given.error();
  const auto axis = node.Axis("axis", *given, shape.size());
  if (!axis) return axis.error();
  auto indices = node.Indices("indices");
  if (!indices) return indices.error();
  for (int64_t& index : *indices) {
    const auto checked = Checked(node, index, shape[*axis]);
    if (!checked) return checked.error();
    index = *checked;
  }
  const auto count = CheckedCount(node, shape);
  if (!count) return count.error();
  AxisMaps maps = Unchanged(shape);
  maps[*axis] = *std::move(indices);
  auto output = At(node, maps);
  if (!output) return output.error();
  // The axes of the indices stand in place of the axis.
  const std::span<const int64_t> own = node.operand("indices").shape;
  const auto place =
      output->shape.erase(output->shape.begin() + static_cast<std::ptrdiff_t>(*axis));
  output->shape.insert(place, own.begin(), own.end());
  return OneOutput(WiredKind::kMove, *std::move(output));
}

Result<Wiring> WireGatherElements(const NodeReader& node) {
  const std::span<const int64_t> shape = node.operand("data").shape;
  const auto given = node.Integer("axis", 0);
  if (!given) return given.error();
  const auto axis = node.Axis("axis", *given, shape.size());
  if (!axis) return axis.error();
  const auto indices = node.Indices("indices");
  if (!indices) return indices.error();
  const std::span<const int64_t> own = node.operand("indices").shape;
  bool fits = own.size() == shape.size();
  for (size_t i = 0; fits && i < own.size(); ++i) {
    fits = i == *axis || own[i] <= shape[i];
  }
  if (!fits) {
    return node.Expected(
        "indices", "no more than the data has along other axes: " + ShapeToString(shape),
        "shape " + ShapeToString(own));
  }
  const auto count = CheckedCount(node, own);
  if (!count) return count.error();
  // The place of each element as if its index were 0, and how far indices lie apart.
  AxisMaps maps = Unchanged(own);
  maps[*axis].assign(maps[*axis].size(), 0);
  IndexMap map = AlongAxes(shape, maps);
  const int64_t stride = *ElementCount(shape.subspan(*axis + 1));
  for (size_t i = 0; i < map.size(); ++i) {
    const auto index = Checked(node, (*indices)[i], shape[*axis]);
    if (!index) return index.error();
    map[i] += *index * stride;
  }
  return OneOutput(WiredKind::kMove,
                   Moved(node.type(), {own.begin(), own.end()}, 0, map));
}

Result<Wiring> WirePad(const NodeReader& node) { return Pad(node, false); }
Result<Wiring> WirePadWithWrap(const NodeReader& node) { return Pad(node, true); }

}  // namespace qconform::graphs
