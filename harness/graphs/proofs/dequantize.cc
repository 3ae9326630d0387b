// Rows about DequantizeLinear on the other side of another node, and about signed codes
// in place of unsigned ones.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "harness/graphs/proofs/both_sides.h"
#include "harness/graphs/proofs/parameters.h"
#include "harness/graphs/proofs/questions.h"
#include "harness/graphs/proofs/rows.h"

namespace qconform::graphs {
namespace {

using Integers = std::vector<int64_t>;

std::string At(size_t i) { return "element " + std::to_string(i); }

// Reshape of a matrix [16, 16] whose rows have a zero point each, or all the same one.
Status AddReshaped(DataType type, const Integers& codes, float scale,
                   Comparison& comparison) {
  struct Form {
    Integers shape;
    int64_t axis;
    bool is_moved;  // whether the axis is still that of the rows
  };
  static const Form kForms[] = {{{16, 4, 4}, 0, true},
                                {{1, 16, 16}, 1, true},
                                {{2, 8, 16}, 2, false},
                                {{4, 4, 16}, 2, false}};
  const Tensor x = MakeIntegers(type, {16, 16}, codes);
  const Tensor scales = MakeFloats({16}, std::vector<float>(16, scale));
  for (const bool differ : {true, false}) {
    Integers zero_points(16, Least(type) + 100);
    if (differ) std::iota(zero_points.begin(), zero_points.end(), Least(type) + 100);
    const Tensor zeros = MakeIntegers(type, {16}, zero_points);
    for (const Form& form : kForms) {
      const bool holds = form.is_moved || !differ;
      // Otherwise everything may overflow, whatever the zero point.
      const bool shows = std::abs(scale) > 1e-30f && std::abs(scale) < 1e30f;
      if (!holds && !shows) continue;
      const Tensor shape = MakeIntegers(
          DataType::kInt64, {static_cast<int64_t>(form.shape.size())}, form.shape);
      const auto before =
          Evaluate({MakeGraph({"x", "s", "z", "shape"},
                              {MakeOp("DequantizeLinear", {"x", "s", "z"}, "d", kByRow),
                               MakeOp("Reshape", {"d", "shape"}, "y")}),
                    {x, scales, zeros, shape}});
      if (!before) return before.error();
      const auto after = Evaluate({MakeGraph({"x", "s", "z", "shape"},
                                             {MakeOp("Reshape", {"x", "shape"}, "r"),
                                              MakeOp("DequantizeLinear", {"r", "s", "z"},
                                                     "y", {{"axis", form.axis}})}),
                                   {x, scales, zeros, shape}});
      if (!after) return after.error();
      const Status added =
          comparison.Add(*before, *after,
                         {{0, before->size(), holds,
                           "Reshape, " + ParametersText(type, scale, zero_points[0]) +
                               ", axis " + std::to_string(form.axis) + " after it"}},
                         At);
      if (!added) return added;
    }
  }
  return Ok();
}

}  // namespace

Result<RewriteProof> ProveDequantizePastMover(ProofSize size) {
  Comparison comparison;
  for (const DataType type : {DataType::kUint8, DataType::kInt8, DataType::kInt16}) {
    Integers codes = AllIntegers(type, size);
    codes.resize(256);
    const Tensor x = MakeIntegers(type, {16, 16}, codes);
    Integers zero_points(16);
    std::iota(zero_points.begin(), zero_points.end(), Least(type) + 100);
    for (const float scale : Scales(size)) {
      const Tensor scales = MakeFloats({16}, std::vector<float>(16, scale));
      const Tensor zeros = MakeIntegers(type, {16}, zero_points);
      const auto before =
          Evaluate({MakeGraph({"x", "s", "z"},
                              {MakeOp("DequantizeLinear", {"x", "s", "z"}, "d", kByRow),
                               MakeOp("Transpose", {"d"}, "y")}),
                    {x, scales, zeros}});
      if (!before) return before.error();
      for (const bool is_moved : {true, false}) {
        // Otherwise everything may overflow, whatever the zero point.
        const bool shows = std::abs(scale) > 1e-30f && std::abs(scale) < 1e30f;
        if (!is_moved && !shows) continue;
        const auto after = Evaluate(
            {MakeGraph({"x", "s", "z"}, {MakeOp("Transpose", {"x"}, "t"),
                                         MakeOp("DequantizeLinear", {"t", "s", "z"}, "y",
                                                {{"axis", int64_t{is_moved ? 1 : 0}}})}),
             {x, scales, zeros}});
        if (!after) return after.error();
        const Status added =
            comparison.Add(*before, *after,
                           {{0, before->size(), is_moved,
                             ParametersText(type, scale, zero_points[0]) +
                                 " and others by row, of columns " +
                                 (is_moved ? "after" : "not after") + " Transpose"}},
                           At);
        if (!added) return added.error();
      }
      const Status reshaped = AddReshaped(type, codes, scale, comparison);
      if (!reshaped) return reshaped.error();
    }
  }
  return comparison.Take();
}

Result<RewriteProof> ProveDequantizePastChooser(ProofSize size) {
  Comparison comparison;
  for (const DataType type : {DataType::kUint2, DataType::kInt2, DataType::kUint4,
                              DataType::kInt4, DataType::kUint8, DataType::kInt8}) {
    Integers codes = AllIntegers(type, ProofSize::kWhole);
    if (BitWidth(type) > 4) {
      std::erase_if(codes, [&](int64_t c) { return (c - Least(type)) % 17 > 1; });
    }
    const auto count = static_cast<int64_t>(codes.size());
    Integers chosen;
    for (const int64_t a : codes) {
      for (const int64_t b : codes) chosen.push_back(std::max(a, b));
    }
    for (const float scale : Scales(size)) {
      for (const int64_t zero_point : ZeroPoints(type, ProofSize::kSmall)) {
        const Tensor s = MakeFloats({}, {scale});
        const Tensor z = MakeIntegers(type, {}, {zero_point});
        const auto before =
            Evaluate({MakeGraph({"a", "s", "z", "b"},
                                {MakeOp("DequantizeLinear", {"a", "s", "z"}, "da"),
                                 MakeOp("DequantizeLinear", {"b", "s", "z"}, "db"),
                                 MakeOp("Max", {"da", "db"}, "y")}),
                      {MakeIntegers(type, {count, 1}, codes), s, z,
                       MakeIntegers(type, {1, count}, codes)}});
        if (!before) return before.error();
        const auto after =
            Evaluate({MakeGraph({"x", "s", "z"},
                                {MakeOp("DequantizeLinear", {"x", "s", "z"}, "y")}),
                      {MakeIntegers(type, {count * count}, chosen), s, z}});
        if (!after) return after.error();
        const Status added = comparison.Add(
            *before, *after,
            {{0, before->size(), scale > 0, ParametersText(type, scale, zero_point)}},
            [&](size_t i) {
              return "codes " + std::to_string(codes[i / codes.size()]) + ", " +
                     std::to_string(codes[i % codes.size()]);
            });
        if (!added) return added.error();
        for (const Chooser& chooser : ChoosersOfPairs()) {
          std::vector<std::string> inputs{"x", "s", "z"};
          inputs.insert(inputs.end(), chooser.inputs.begin(), chooser.inputs.end());
          std::vector<Tensor> operands{PairsOf(type, codes), s, z};
          operands.insert(operands.end(), chooser.operands.begin(),
                          chooser.operands.end());
          const auto other = Evaluate(
              {MakeGraph(inputs, {MakeOp("DequantizeLinear", {"x", "s", "z"}, "d"),
                                  chooser.node}),
               operands});
          if (!other) return other.error();
          const Status compared = comparison.Add(
              *other, *after,
              {{0, other->size(), scale > 0,
                chooser.node.op_type + ", " + ParametersText(type, scale, zero_point)}},
              At);
          if (!compared) return compared.error();
        }
      }
    }
  }
  return comparison.Take();
}

namespace {

struct SignPair {
  DataType without;
  DataType with;
};
constexpr SignPair kSignPairs[] = {{DataType::kUint8, DataType::kInt8},
                                   {DataType::kUint16, DataType::kInt16},
                                   {DataType::kUint4, DataType::kInt4},
                                   {DataType::kUint2, DataType::kInt2}};

// Half of the range less.
Integers Shifted(const Integers& values, DataType with) {
  Integers shifted;
  for (const int64_t value : values) shifted.push_back(value + Least(with));
  return shifted;
}

}  // namespace

Result<RewriteProof> ProveUnsignedBySigned(ProofSize size) {
  Comparison comparison;
  for (const SignPair& types : kSignPairs) {
    const Integers codes = AllIntegers(types.without, size);
    const Integers zero_points = ZeroPoints(types.without, size);
    const auto rows = static_cast<int64_t>(zero_points.size());
    const auto columns = static_cast<int64_t>(codes.size());
    const Integers x = Repeated(codes, zero_points.size());
    const Node graph = MakeGraph(
        {"x", "s", "z"}, {MakeOp("DequantizeLinear", {"x", "s", "z"}, "y", kByRow)});
    for (const float scale : PlainScales(size)) {
      const Tensor s = MakeFloats({rows}, std::vector<float>(zero_points.size(), scale));
      const auto before = Evaluate({graph,
                                    {MakeIntegers(types.without, {rows, columns}, x), s,
                                     MakeIntegers(types.without, {rows}, zero_points)}});
      if (!before) return before.error();
      const auto after = Evaluate(
          {graph,
           {MakeIntegers(types.with, {rows, columns}, Shifted(x, types.with)), s,
            MakeIntegers(types.with, {rows}, Shifted(zero_points, types.with))}});
      if (!after) return after.error();
      const Status added = comparison.Add(
          *before, *after,
          {{0, before->size(), true, ParametersText(types.without, scale, 0)}}, At);
      if (!added) return added.error();
    }
  }
  return comparison.Take();
}

Result<RewriteProof> ProveQuantizeUnsignedBySigned(ProofSize size) {
  Comparison comparison;
  for (const SignPair& types : kSignPairs) {
    const Integers zero_points = ZeroPoints(types.without, ProofSize::kSmall);
    const auto rows = static_cast<int64_t>(zero_points.size());
    const Node graph = MakeGraph(
        {"x", "s", "z"}, {MakeOp("QuantizeLinear", {"x", "s", "z"}, "y", kByRow)});
    for (const float scale : PlainScales(size)) {
      const std::vector<float> inputs = ThresholdInputs(scale, types.without);
      const Tensor x = MakeFloats({rows, static_cast<int64_t>(inputs.size())},
                                  Repeated(inputs, zero_points.size()));
      const Tensor s = MakeFloats({rows}, std::vector<float>(zero_points.size(), scale));
      const auto before =
          Evaluate({graph, {x, s, MakeIntegers(types.without, {rows}, zero_points)}});
      if (!before) return before.error();
      const auto signs = Evaluate(
          {graph,
           {x, s, MakeIntegers(types.with, {rows}, Shifted(zero_points, types.with))}});
      if (!signs) return signs.error();
      Codes after;
      for (const auto& code : *signs) {
        after.push_back(code ? std::optional(static_cast<uint64_t>(
                                   IntegerOf(types.with, code) - Least(types.with)))
                             : std::nullopt);
      }
      const Status added = comparison.Add(
          *before, after,
          {{0, before->size(), true, ParametersText(types.without, scale, 0)}}, At);
      if (!added) return added.error();
    }
  }
  return comparison.Take();
}

}  // namespace qconform::graphs
