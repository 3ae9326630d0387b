#include "oracle/exact/graphs/testing/graph_nodes.h"

namespace qconform::agreement::graphs {

std::vector<std::string> Move(Builder& b, const std::string& x) {
  Random& random = b.random();
  const Shape shape = b.ShapeOf(x);
  const auto rank = static_cast<int64_t>(shape.size());
  if (rank == 0) return {b.Node("Unsqueeze", {x, b.Axes({0})})};
  const auto axis = [&] {
    const int64_t at = random.Between(0, rank - 1);
    return random.OneIn(3) ? at - rank : at;
  };
  const auto size_at = [&](int64_t at) {
    return shape[static_cast<size_t>(at < 0 ? at + rank : at)];
  };
  switch (random.Below(16)) {
    case 0:
      return {b.Node("Identity", {x})};
    case 1: {
      if (random.OneIn(4)) return {b.Node("Transpose", {x})};
      Shape perm;
      for (int64_t d = 0; d < rank; ++d) perm.push_back(d);
      for (size_t i = perm.size(); i > 1; --i)
        std::swap(perm[i - 1], perm[random.Below(i)]);
      return {b.Node("Transpose", {x}, {{"perm", Integers(perm)}})};
    }
    case 2: {
      Shape target = random.OneIn(2) ? Shape{-1} : Shape{0, -1};
      if (random.OneIn(3)) target = Shape(shape.rbegin(), shape.rend());
      return {b.Node(
          "Reshape",
          {x, b.Input("shape", Indices({static_cast<int64_t>(target.size())}, target))})};
    }
    case 3: {
      Attributes attributes;
      if (random.OneIn(2)) attributes["axis"] = Integer(random.Between(-rank, rank));
      return {b.Node("Flatten", {x}, attributes)};
    }
    case 4: {
      Shape ones;
      for (int64_t d = 0; d < rank; ++d) {
        if (shape[static_cast<size_t>(d)] == 1)
          ones.push_back(random.OneIn(2) ? d : d - rank);
      }
      if (ones.empty() || random.OneIn(3)) return {b.Node("Squeeze", {x})};
      return {b.Node("Squeeze", {x, b.Axes(ones)})};
    }
    case 5: {
      Shape axes = {random.Between(-rank - 1, rank)};
      return {b.Node("Unsqueeze", {x, b.Axes(axes)})};
    }
    case 6: {
      const int64_t at = axis(), size = size_at(at);
      const int64_t step = random.Pick<int64_t>({1, 1, 2, -1, -2});
      int64_t start = random.Between(0, size - 1), end = size;
      if (step < 0) {
        start = random.OneIn(2) ? size + 5 : size - 1;
        end = random.OneIn(2) ? INT64_MIN : -size - 1;
      } else if (random.OneIn(3)) {
        end = INT64_MAX;
      }
      if (random.OneIn(3) && start < size) start -= size;
      return {b.Node("Slice", {x, b.Input("starts", Indices({1}, {start})),
                               b.Input("ends", Indices({1}, {end})),
                               b.Input("axes", Indices({1}, {at})),
                               b.Input("steps", Indices({1}, {step}))})};
    }
    case 7: {
      const int64_t at = axis(), size = size_at(at);
      if (size < 2) return {b.Node("Identity", {x})};
      const int64_t first = random.Between(1, size - 1);
      if (size % 2 == 0 && b.opset() < 18 && random.OneIn(2)) {
        return b.NodeOf("Split", {x}, {{"axis", Integer(at)}}, 2);
      }
      if (b.opset() >= 18 && random.OneIn(2)) {
        return b.NodeOf("Split", {x},
                        {{"axis", Integer(at)}, {"num_outputs", Integer(2)}}, 2);
      }
      return b.NodeOf("Split", {x, b.Input("split", Indices({2}, {first, size - first}))},
                      {{"axis", Integer(at)}}, 2);
    }
    case 8:
      return {b.Node("Concat", {x, x}, {{"axis", Integer(axis())}})};
    case 9: {
      const int64_t at = axis(), size = size_at(at);
      Shape indices;
      for (int i = 0; i < 3; ++i) indices.push_back(random.Between(-size, size - 1));
      const Shape where = random.OneIn(2) ? Shape{3} : Shape{1, 3};
      return {b.Node("Gather", {x, b.Input("indices", Indices(where, indices))},
                     {{"axis", Integer(at)}})};
    }
    case 10: {
      const int64_t at = axis(), size = size_at(at);
      Shape indices;
      for (size_t i = 0; i < exact::CountOf(shape); ++i) {
        indices.push_back(random.Between(-size, size - 1));
      }
      return {b.Node("GatherElements", {x, b.Input("indices", Indices(shape, indices))},
                     {{"axis", Integer(at)}})};
    }
    case 11: {
      Shape target = shape;
      for (int64_t& size : target) {
        if (size == 1) size = random.Between(1, 3);
      }
      if (random.OneIn(2)) target.insert(target.begin(), 2);
      return {b.Node(
          "Expand",
          {x, b.Input("shape", Indices({static_cast<int64_t>(target.size())}, target))})};
    }
    case 12: {
      Shape repeats;
      for (int64_t d = 0; d < rank; ++d) repeats.push_back(random.Between(1, 2));
      return {b.Node("Tile", {x, b.Input("repeats", Indices({rank}, repeats))})};
    }
    case 13:
    case 14: {
      // Both need four dimensions.
      const int64_t count = static_cast<int64_t>(exact::CountOf(shape));
      const bool to_space = random.OneIn(2);
      if (count % 4 != 0) return {b.Node("Identity", {x})};
      const Shape target = to_space ? Shape{1, count, 1, 1} : Shape{1, count / 4, 2, 2};
      const std::string image =
          b.Node("Reshape", {x, b.Input("shape", Indices({4}, target))});
      if (!to_space) {
        return {b.Node("SpaceToDepth", {image}, {{"blocksize", Integer(2)}})};
      }
      Attributes attributes = {{"blocksize", Integer(2)}};
      if (random.OneIn(2)) attributes["mode"] = Text(random.OneIn(2) ? "CRD" : "DCR");
      return {b.Node("DepthToSpace", {image}, attributes)};
    }
    default: {
      const std::string mode = random.Pick<std::string>({"constant", "edge", "reflect"});
      Shape pads;
      for (int64_t d = 0; d < 2 * rank; ++d) {
        const int64_t size = shape[static_cast<size_t>(d % rank)];
        const int64_t most = mode == "reflect" ? std::min<int64_t>(2, size - 1) : 2;
        pads.push_back(random.Between(0, most));
      }
      std::vector<std::string> inputs = {x, b.Input("pads", Indices({2 * rank}, pads))};
      const exact::GraphTensor tensor = b.Now(x);
      if (mode == "constant" && random.OneIn(2) && tensor.type == b.float_type()) {
        inputs.push_back(b.Input("constant_value", b.FloatCodes({})));
      }
      Attributes attributes;
      if (mode != "constant" || random.OneIn(2)) attributes["mode"] = Text(mode);
      return {b.Node("Pad", inputs, attributes)};
    }
  }
}

}  // namespace qconform::agreement::graphs
