// Rows about pairs of QuantizeLinear and DequantizeLinear.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "harness/graphs/proofs/both_sides.h"
#include "harness/graphs/proofs/parameters.h"
#include "harness/graphs/proofs/questions.h"
#include "harness/graphs/proofs/rows.h"
#include "oracle/formats/codes.h"

namespace qconform::graphs {
namespace {

using Integers = std::vector<int64_t>;
using Claim = Comparison::Claim;

std::string CodeText(const char* name, int64_t code) {
  return std::string(name) + " = " + std::to_string(code);
}

// DequantizeLinear to `middle`, which ends in "m", then QuantizeLinear, all with the same
// scale and zero point.
Node AroundGraph(std::vector<std::string> inputs, std::vector<Node> middle,
                 const std::vector<Attribute>& in = {},
                 const std::vector<Attribute>& out = {}) {
  std::vector<Node> body{MakeOp("DequantizeLinear", {"x", "s", "z"}, "d", in)};
  body.insert(body.end(), middle.begin(), middle.end());
  body.push_back(
      MakeOp("QuantizeLinear", {middle.empty() ? "d" : "m", "s", "z"}, "y", out));
  return MakeGraph(std::move(inputs), std::move(body));
}

// All codes and zero points of a type by one scale.
Status AddPairsOf(DataType type, float scale, ProofSize size, Comparison& comparison) {
  const Integers codes = AllIntegers(type, size);
  const Integers zero_points = ZeroPoints(type, size);
  const auto rows = static_cast<int64_t>(zero_points.size());
  const auto columns = static_cast<int64_t>(codes.size());
  const Integers x = Repeated(codes, zero_points.size());
  const auto before =
      Evaluate({AroundGraph({"x", "s", "z"}, {}, kByRow, kByRow),
                {MakeIntegers(type, {rows, columns}, x),
                 MakeFloats({rows}, std::vector<float>(zero_points.size(), scale)),
                 MakeIntegers(type, {rows}, zero_points)}});
  if (!before) return before.error();
  std::vector<Claim> claims;
  for (size_t row = 0; row < zero_points.size(); ++row) {
    claims.push_back({row * codes.size(), codes.size(),
                      StaysFinite(type, codes, scale, zero_points[row]),
                      ParametersText(type, scale, zero_points[row])});
  }
  return comparison.Add(*before, CodesOf(type, x), claims, [&](size_t i) {
    return CodeText("q", x[i]) + ": gives " +
           std::to_string(IntegerOf(type, (*before)[i]));
  });
}

// All codes of a float type but NaN, each by itself: infinities saturate.
Status AddFloatPairsOf(DataType type, float scale, Comparison& comparison) {
  const NumberFormat& format = FormatOf(type);
  const std::string parameters =
      std::string(DataTypeName(type)) + ", scale " + DecimalOf(scale);
  std::vector<uint64_t> codes;
  std::vector<Claim> claims;
  for (uint64_t code = 0; code < uint64_t{1} << format.bits; ++code) {
    const ValueClass value = Decode(format, code).value_class;
    if (value == ValueClass::kNan) continue;
    claims.push_back({codes.size(), 1, value != ValueClass::kInfinity, parameters});
    codes.push_back(code);
  }
  const auto count = static_cast<int64_t>(codes.size());
  const auto before = Evaluate({AroundGraph({"x", "s", "z"}, {}),
                                {MakeTensor(type, {count}, codes),
                                 MakeFloats({}, {scale}), MakeTensor(type, {}, {0})}});
  if (!before) return before.error();
  return comparison.Add(*before, Codes(codes.begin(), codes.end()), claims,
                        [&](size_t i) { return "q = " + CodeToString(type, codes[i]); });
}

// fl(fl(d s) / s) is nearer to d than to any other integer, for the significands s of
// [1, 2). Returns how many pairs of d and s were computed.
Result<uint64_t> ProveAllSignificands(ProofSize size) {
  const uint32_t step = size == ProofSize::kWhole ? 1 : 4099;
  uint64_t evaluations = 0;
  for (int d = 1; d <= 255; ++d) {
    const auto difference = static_cast<float>(d);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 1u << 23; i += step) {
      const float s = 1.0f + static_cast<float>(i) * 0x1p-23f;
      const float product = difference * s;
      wrong += std::abs(product / s - difference) < 0.5f ? 0u : 1u;
    }
    evaluations += (uint64_t{1} << 23) / step + (step == 1 ? 0 : 1);
    if (wrong != 0) {
      return Error{"drop_pair: expected every scale to give back the difference " +
                   std::to_string(d) + ", got " + std::to_string(wrong) + " that do not"};
    }
  }
  return evaluations;
}

}  // namespace

Result<RewriteProof> ProveDropPair(ProofSize size) {
  Comparison comparison;
  for (const DataType type : IntegerTypes()) {
    for (const float scale : Scales(size)) {
      const Status added = AddPairsOf(type, scale, size, comparison);
      if (!added) return added.error();
    }
  }
  for (const DataType type :
       {DataType::kFloat8E4M3FN, DataType::kFloat8E4M3FNUZ, DataType::kFloat8E5M2,
        DataType::kFloat8E5M2FNUZ, DataType::kFloat4E2M1, DataType::kFloat6E2M3,
        DataType::kFloat6E3M2}) {
    std::vector<float> scales = PlainScales(size);
    scales.insert(scales.end(), {0x1p-100f, 0x1.000002p-100f, 0x1.555556p-90f,
                                 0x1.99999ap90f, 0x1.fffffep99f, 0x1p100f});
    for (const float scale : scales) {
      for (const float either : {scale, -scale}) {
        const Status added = AddFloatPairsOf(type, either, comparison);
        if (!added) return added.error();
      }
    }
  }
  const auto counted = ProveAllSignificands(size);
  if (!counted) return counted.error();
  comparison.Count(*counted);
  return comparison.Take();
}

namespace {

// A mover of a matrix of 16 by 16 codes, and where it puts them.
struct Mover {
  Node node;  // from "d" to "m"
  std::vector<Tensor> amounts;
  std::vector<std::string> inputs{};
};

Tensor Amounts(const Integers& values) {
  return MakeIntegers(DataType::kInt64, {static_cast<int64_t>(values.size())}, values);
}

std::vector<Mover> Movers() {
  return {{MakeOp("Transpose", {"d"}, "m"), {}},
          {MakeOp("Reshape", {"d", "shape"}, "m"), {Amounts({-1})}, {"shape"}},
          {MakeOp("Concat", {"d", "d"}, "m", {{"axis", int64_t{1}}}), {}},
          {MakeOp("Slice", {"d", "starts", "ends", "axes", "steps"}, "m"),
           {Amounts({-1}), Amounts({-100}), Amounts({0}), Amounts({-1})},
           {"starts", "ends", "axes", "steps"}},
          {MakeOp("Tile", {"d", "repeats"}, "m"), {Amounts({1, 2})}, {"repeats"}}};
}

Node RenamedInput(Node node, const std::string& from, const std::string& to) {
  std::ranges::replace(node.inputs, from, to);
  return node;
}

// Codes of an 8-bit type as a matrix of 16 by 16.
Integers Square(DataType type) {
  Integers codes = AllIntegers(type, ProofSize::kWhole);
  codes.resize(256);
  return codes;
}

std::string At(size_t i) { return "element " + std::to_string(i); }

}  // namespace

Result<RewriteProof> ProveDropPairAroundMover(ProofSize size) {
  Comparison comparison;
  for (const DataType type : {DataType::kUint8, DataType::kInt8}) {
    const Integers codes = Square(type);
    const Tensor x = MakeIntegers(type, {16, 16}, codes);
    for (const float scale : Scales(size)) {
      for (const int64_t zero_point : ZeroPoints(type, ProofSize::kSmall)) {
        for (const Mover& mover : Movers()) {
          std::vector<std::string> inputs{"x", "s", "z"};
          inputs.insert(inputs.end(), mover.inputs.begin(), mover.inputs.end());
          std::vector<Tensor> operands{x, MakeFloats({}, {scale}),
                                       MakeIntegers(type, {}, {zero_point})};
          operands.insert(operands.end(), mover.amounts.begin(), mover.amounts.end());
          const auto before = Evaluate({AroundGraph(inputs, {mover.node}), operands});
          if (!before) return before.error();
          std::vector<std::string> moved{"x"};
          moved.insert(moved.end(), mover.inputs.begin(), mover.inputs.end());
          std::vector<Tensor> own{x};
          own.insert(own.end(), mover.amounts.begin(), mover.amounts.end());
          const auto after =
              Evaluate({MakeGraph(moved, {RenamedInput(mover.node, "d", "x")}), own});
          if (!after) return after.error();
          const bool holds = StaysFinite(type, codes, scale, zero_point);
          const Status added = comparison.Add(
              *before, *after,
              {{0, before->size(), holds, ParametersText(type, scale, zero_point)}}, At);
          if (!added) return added.error();
        }
      }
    }
    // One zero point for each row, which Transpose makes a column.
    for (const bool is_moved : {true, false}) {
      Integers zero_points(16);
      std::iota(zero_points.begin(), zero_points.end(), Least(type) + 100);
      const auto before =
          Evaluate({AroundGraph({"x", "s", "z"}, {MakeOp("Transpose", {"d"}, "m")},
                                kByRow, {{"axis", int64_t{is_moved ? 1 : 0}}}),
                    {x, MakeFloats({16}, std::vector<float>(16, 0.1f)),
                     MakeIntegers(type, {16}, zero_points)}});
      if (!before) return before.error();
      const auto after =
          Evaluate({MakeGraph({"x"}, {MakeOp("Transpose", {"x"}, "m")}), {x}});
      if (!after) return after.error();
      const Status added = comparison.Add(
          *before, *after,
          {{0, before->size(), is_moved,
            std::string(DataTypeName(type)) + ", zero points of rows, then of " +
                (is_moved ? "columns" : "rows again")}},
          At);
      if (!added) return added.error();
    }
  }
  return comparison.Take();
}

Result<RewriteProof> ProveDropPairAroundPad(ProofSize size) {
  Comparison comparison;
  const Node pad = MakeOp("Pad", {"d", "pads"}, "m");
  for (const DataType type : {DataType::kUint8, DataType::kInt8}) {
    const Integers codes = AllIntegers(type, size);
    const Tensor x = MakeIntegers(type, {static_cast<int64_t>(codes.size())}, codes);
    for (const float scale : Scales(size)) {
      for (const int64_t zero_point : ZeroPoints(type, size)) {
        const Tensor pads = Amounts({1, 1});
        const auto before = Evaluate(
            {AroundGraph({"x", "s", "z", "pads"}, {pad}),
             {x, MakeFloats({}, {scale}), MakeIntegers(type, {}, {zero_point}), pads}});
        if (!before) return before.error();
        const auto after = Evaluate(
            {MakeGraph({"x", "pads"}, {RenamedInput(pad, "d", "x")}), {x, pads}});
        if (!after) return after.error();
        const Status added = comparison.Add(
            *before, *after,
            {{0, before->size(),
              zero_point == 0 && StaysFinite(type, codes, scale, zero_point),
              ParametersText(type, scale, zero_point)}},
            At);
        if (!added) return added.error();
      }
    }
  }
  return comparison.Take();
}

namespace {

// The codes that pairs are made of: all of 4 bits, some of 8.
Integers ChosenCodes(DataType type) {
  if (BitWidth(type) <= 4) return AllIntegers(type, ProofSize::kWhole);
  Integers codes;
  for (int64_t c = Least(type); c <= Greatest(type); c += 17) codes.push_back(c);
  codes.push_back(Least(type) + 1);
  codes.push_back(Greatest(type) - 1);
  return codes;
}

constexpr DataType kPaired[] = {DataType::kUint2, DataType::kInt2,  DataType::kUint4,
                                DataType::kInt4,  DataType::kUint8, DataType::kInt8};

}  // namespace

Result<RewriteProof> ProveDropPairAroundChooser(ProofSize size) {
  Comparison comparison;
  const Node graph =
      MakeGraph({"a", "s", "z", "b"}, {MakeOp("DequantizeLinear", {"a", "s", "z"}, "da"),
                                       MakeOp("DequantizeLinear", {"b", "s", "z"}, "db"),
                                       MakeOp("Max", {"da", "db"}, "m"),
                                       MakeOp("QuantizeLinear", {"m", "s", "z"}, "y")});
  for (const DataType type : kPaired) {
    const Integers codes = ChosenCodes(type);
    const auto count = static_cast<int64_t>(codes.size());
    Integers after;
    for (const int64_t a : codes) {
      for (const int64_t b : codes) after.push_back(std::max(a, b));
    }
    for (const float scale : Scales(size)) {
      for (const int64_t zero_point : ZeroPoints(type, ProofSize::kSmall)) {
        const auto before =
            Evaluate({graph,
                      {MakeIntegers(type, {count, 1}, codes), MakeFloats({}, {scale}),
                       MakeIntegers(type, {}, {zero_point}),
                       MakeIntegers(type, {1, count}, codes)}});
        if (!before) return before.error();
        const bool holds = scale > 0 && StaysFinite(type, codes, scale, zero_point);
        const Status added = comparison.Add(
            *before, CodesOf(type, after),
            {{0, before->size(), holds, ParametersText(type, scale, zero_point)}},
            [&](size_t i) {
              return CodeText("a", codes[i / codes.size()]) + ", " +
                     CodeText("b", codes[i % codes.size()]) + ": gives " +
                     std::to_string(IntegerOf(type, (*before)[i]));
            });
        if (!added) return added.error();
        for (const Chooser& chooser : ChoosersOfPairs()) {
          std::vector<std::string> inputs{"x", "s", "z"};
          inputs.insert(inputs.end(), chooser.inputs.begin(), chooser.inputs.end());
          std::vector<Tensor> operands{PairsOf(type, codes), MakeFloats({}, {scale}),
                                       MakeIntegers(type, {}, {zero_point})};
          operands.insert(operands.end(), chooser.operands.begin(),
                          chooser.operands.end());
          const auto chosen = Evaluate({AroundGraph(inputs, {chooser.node}), operands});
          if (!chosen) return chosen.error();
          const Status compared = comparison.Add(
              *chosen, CodesOf(type, after),
              {{0, chosen->size(), holds,
                chooser.node.op_type + ", " + ParametersText(type, scale, zero_point)}},
              At);
          if (!compared) return compared.error();
        }
      }
    }
  }
  return comparison.Take();
}

Result<RewriteProof> ProveDropPairAroundArgMax(ProofSize size) {
  Comparison comparison;
  const Node graph =
      MakeGraph({"x", "s", "z"}, {MakeOp("DequantizeLinear", {"x", "s", "z"}, "d"),
                                  MakeOp("ArgMax", {"d"}, "i", {{"axis", int64_t{1}}}),
                                  MakeOp("Cast", {"i"}, "y", {{"to", int64_t{6}}})});
  for (const DataType type : kPaired) {
    const Integers codes = ChosenCodes(type);
    Integers pairs;
    Integers after;
    for (const int64_t a : codes) {
      for (const int64_t b : codes) {
        pairs.insert(pairs.end(), {a, b});
        after.push_back(b > a ? 1 : 0);
      }
    }
    const auto count = static_cast<int64_t>(after.size());
    for (const float scale : Scales(size)) {
      for (const int64_t zero_point : ZeroPoints(type, ProofSize::kSmall)) {
        const auto before =
            Evaluate({graph,
                      {MakeIntegers(type, {count, 2}, pairs), MakeFloats({}, {scale}),
                       MakeIntegers(type, {}, {zero_point})}});
        if (!before) return before.error();
        const auto overflowing = [&](bool above) {
          return std::ranges::count_if(codes, [&](int64_t c) {
            return (c > zero_point) == above && Overflows(c - zero_point, scale);
          });
        };
        const bool holds = scale > 0 && overflowing(true) <= 1 && overflowing(false) <= 1;
        const Status added = comparison.Add(
            *before, CodesOf(DataType::kInt32, after),
            {{0, before->size(), holds, ParametersText(type, scale, zero_point)}},
            [&](size_t i) {
              return "codes " + std::to_string(pairs[2 * i]) + ", " +
                     std::to_string(pairs[2 * i + 1]);
            });
        if (!added) return added.error();
      }
    }
  }
  return comparison.Take();
}

Result<RewriteProof> ProveDropQuantizeDequantize(ProofSize) {
  Comparison comparison;
  const std::vector<float> x{0.5f};
  const auto before =
      Evaluate({MakeGraph({"x", "s"}, {MakeOp("QuantizeLinear", {"x", "s"}, "q"),
                                       MakeOp("DequantizeLinear", {"q", "s"}, "y")}),
                {MakeFloats({1}, x), MakeFloats({}, {1.0f})}});
  if (!before) return before.error();
  const auto after = Evaluate(
      {MakeGraph({"x"}, {MakeOp("Identity", {"x"}, "y")}), {MakeFloats({1}, x)}});
  if (!after) return after.error();
  const Status added = comparison.Add(*before, *after, {{0, 1, false, "UINT8, scale 1"}},
                                      [](size_t) { return "x = 0.5: gives 0"; });
  if (!added) return added.error();
  return comparison.Take();
}

namespace {

// The scales that a second pair is asked with: equal, negated, one bit away, multiples.
std::vector<float> SecondScales(float scale, ProofSize size) {
  std::vector<float> scales{scale, -scale, std::nextafter(scale, 0.0f), 2 * scale,
                            scale / 2};
  if (size == ProofSize::kWhole) {
    scales.insert(scales.end(), {std::nextafter(scale, 1e9f), 3 * scale, scale / 3,
                                 5 * scale, -3 * scale, 15 * scale, 16 * scale,
                                 scale / 16, -std::nextafter(scale, 0.0f)});
  }
  return scales;
}

Status AddMerged(DataType type, float first, float second, ProofSize size,
                 Comparison& comparison) {
  std::vector<float> inputs = ThresholdInputs(first, type);
  const std::vector<float> others = ThresholdInputs(second, type);
  inputs.insert(inputs.end(), others.begin(), others.end());
  const Integers one = ZeroPoints(type, BitWidth(type) <= 4 ? size : ProofSize::kSmall);
  Integers z1;
  Integers z2;
  for (const int64_t a : one) {
    for (const int64_t b : one) {
      z1.push_back(a);
      z2.push_back(b);
    }
  }
  const auto rows = static_cast<int64_t>(z1.size());
  const Tensor x = MakeFloats({rows, static_cast<int64_t>(inputs.size())},
                              Repeated(inputs, z1.size()));
  const Tensor s1 = MakeFloats({rows}, std::vector<float>(z1.size(), first));
  const Tensor s2 = MakeFloats({rows}, std::vector<float>(z1.size(), second));
  const Tensor second_zero_points = MakeIntegers(type, {rows}, z2);
  const auto before =
      Evaluate({MakeGraph({"x", "s1", "z1", "s2", "z2"},
                          {MakeOp("QuantizeLinear", {"x", "s1", "z1"}, "q", kByRow),
                           MakeOp("DequantizeLinear", {"q", "s1", "z1"}, "d", kByRow),
                           MakeOp("QuantizeLinear", {"d", "s2", "z2"}, "y", kByRow)}),
                {x, s1, MakeIntegers(type, {rows}, z1), s2, second_zero_points}});
  if (!before) return before.error();
  const auto after =
      Evaluate({MakeGraph({"x", "s2", "z2"},
                          {MakeOp("QuantizeLinear", {"x", "s2", "z2"}, "y", kByRow)}),
                {x, s2, second_zero_points}});
  if (!after) return after.error();
  std::vector<Claim> claims;
  for (size_t row = 0; row < z1.size(); ++row) {
    const bool is_equal = second == first && z2[row] == z1[row];
    const bool is_mirrored =
        second == -first && z1[row] + z2[row] == Least(type) + Greatest(type);
    claims.push_back({row * inputs.size(), inputs.size(), is_equal || is_mirrored,
                      ParametersText(type, first, z1[row]) + ", then scale " +
                          DecimalOf(second) + ", zero point " + std::to_string(z2[row])});
  }
  return comparison.Add(*before, *after, claims, [&](size_t i) {
    return "x = " + DecimalOf(inputs[i % inputs.size()]) + ": gives " +
           std::to_string(IntegerOf(type, (*before)[i])) + " and " +
           std::to_string(IntegerOf(type, (*after)[i]));
  });
}

}  // namespace

Result<RewriteProof> ProveMergePairs(ProofSize size) {
  Comparison comparison;
  for (const DataType type : kPaired) {
    std::vector<float> firsts{0.1f};
    if (size == ProofSize::kWhole) {
      firsts.insert(firsts.end(), {1.0f, 0.7f, 1.0f / 3.0f, -0.3f, 0x1p-100f,
                                   0x1.99999ap-94f, 0x1.555556p94f, 0x1p100f});
    }
    for (const float first : firsts) {
      for (const float second : SecondScales(first, size)) {
        if (std::abs(second) < 0x1p-100f || std::abs(second) > 0x1p100f) continue;
        const Status added = AddMerged(type, first, second, size, comparison);
        if (!added) return added.error();
      }
    }
  }
  if (size == ProofSize::kWhole) {
    for (const DataType type : {DataType::kUint16, DataType::kInt16}) {
      for (const float second : SecondScales(0.1f, size)) {
        const Status added = AddMerged(type, 0.1f, second, size, comparison);
        if (!added) return added.error();
      }
    }
  }
  return comparison.Take();
}

Result<RewriteProof> ProveRequantizeByMultiplier(ProofSize size) {
  Comparison comparison;
  const DataType type = DataType::kInt8;
  const std::vector<float> scales = PlainScales(size);
  Integers differences(127);
  std::iota(differences.begin(), differences.end(), 1);
  const auto rows = static_cast<int64_t>(scales.size());
  const Node graph =
      MakeGraph({"x", "s1", "s2", "z2"},
                {MakeOp("DequantizeLinear", {"x", "s1"}, "d"),
                 MakeOp("QuantizeLinear", {"d", "s2", "z2"}, "y", kByRow)});
  int64_t least = Greatest(type) + 1;
  for (const float first : scales) {
    const auto before =
        Evaluate({graph,
                  {MakeIntegers(type, {rows, 127}, Repeated(differences, scales.size())),
                   MakeFloats({}, {first}), MakeFloats({rows}, scales),
                   MakeIntegers(type, {rows}, Integers(scales.size(), 0))}});
    if (!before) return before.error();
    comparison.Count(before->size());
    const Dyadic s1 = DyadicOf(first);
    for (size_t i = 0; i < before->size(); ++i) {
      const int64_t d = differences[i % differences.size()];
      const float second = scales[i / differences.size()];
      const Dyadic s2 = DyadicOf(second);
      const int shift = s1.exponent - s2.exponent;
      const int64_t exact = std::min(
          Greatest(type),
          RoundedQuotient(Int128{d} * s1.integer * (Int128{1} << std::max(shift, 0)),
                          Int128{s2.integer} * (Int128{1} << std::max(-shift, 0))));
      const int64_t actual = IntegerOf(type, (*before)[i]);
      if (actual == exact || d >= least) continue;
      least = d;
      comparison.Show("INT8, zero points 0, scale " + DecimalOf(first) + ", then " +
                      DecimalOf(second) + ", " + CodeText("q", d) + ": the graph gives " +
                      std::to_string(actual) + ", the multiplier " +
                      std::to_string(exact));
    }
  }
  return comparison.Take();
}

}  // namespace qconform::graphs
