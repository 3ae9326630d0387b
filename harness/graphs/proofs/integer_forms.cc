// Rows about integer forms of float operations.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "harness/graphs/proofs/both_sides.h"
#include "harness/graphs/proofs/parameters.h"
#include "harness/graphs/proofs/questions.h"
#include "harness/graphs/proofs/rows.h"

namespace qconform::graphs {
namespace {

using Integers = std::vector<int64_t>;
constexpr DataType kType = DataType::kInt8;

// Scales and operands of an element whose two sides differ.
struct Difference {
  float a_scale = 0;
  float b_scale = 0;
  float y_scale = 0;
  int64_t a = 0;
  int64_t b = 0;
  int64_t graph = 0;    // what the graph gives
  int64_t integer = 0;  // and the integer form
};

std::string TextOf(const Difference& d) {
  return "INT8, zero points 0, scales " + DecimalOf(d.a_scale) + " and " +
         DecimalOf(d.b_scale) + ", y_scale " + DecimalOf(d.y_scale) +
         ", a = " + std::to_string(d.a) + ", b = " + std::to_string(d.b) +
         ": the graph gives " + std::to_string(d.graph) + ", the integer form " +
         std::to_string(d.integer);
}

// The smallest difference in the codes; of equal ones the first.
class Smallest {
 public:
  void Add(const Difference& found) {
    const int64_t size = std::abs(found.a) + std::abs(found.b);
    if (best_ && size >= size_) return;
    best_ = found;
    size_ = size;
  }
  const std::optional<Difference>& get() const { return best_; }

 private:
  std::optional<Difference> best_;
  int64_t size_ = 0;
};

Result<RewriteProof> TakeNever(Comparison comparison, const Smallest& smallest) {
  if (!smallest.get()) {
    return Error{"rewrite: expected a difference, got none in any evaluation"};
  }
  comparison.Show(TextOf(*smallest.get()));
  return comparison.Take();
}

// The exact value of sums and products of dequantized values, divided by y_scale and
// rounded once.
int64_t Saturated(int64_t value) {
  return std::clamp(value, Least(kType), Greatest(kType));
}

Int128 ShiftedBy(Int128 value, int shift) { return value * (Int128{1} << shift); }

int64_t ExactSum(int64_t a, float a_scale, int64_t b, float b_scale, float y_scale) {
  const Dyadic sa = DyadicOf(a_scale), sb = DyadicOf(b_scale), sy = DyadicOf(y_scale);
  const int least = std::min({sa.exponent, sb.exponent, sy.exponent});
  const Int128 sum = ShiftedBy(Int128{a} * sa.integer, sa.exponent - least) +
                     ShiftedBy(Int128{b} * sb.integer, sb.exponent - least);
  return Saturated(RoundedQuotient(sum, ShiftedBy(sy.integer, sy.exponent - least)));
}

int64_t ExactProduct(int64_t a, float a_scale, int64_t b, float b_scale, float y_scale) {
  const Dyadic sa = DyadicOf(a_scale), sb = DyadicOf(b_scale), sy = DyadicOf(y_scale);
  const Int128 product = Int128{a} * b * sa.integer * sb.integer;
  const int shift = sa.exponent + sb.exponent - sy.exponent;
  return Saturated(RoundedQuotient(ShiftedBy(product, std::max(shift, 0)),
                                   ShiftedBy(sy.integer, std::max(-shift, 0))));
}

// Codes of a and b for which the graph's answers are a matrix [a, b].
struct Pairs {
  Integers a;
  Integers b;
};

Node ArithmeticGraph(const char* op_type) {
  return MakeGraph({"a", "a_scale", "za", "b", "b_scale", "zb", "y_scale", "z"},
                   {MakeOp("DequantizeLinear", {"a", "a_scale", "za"}, "da"),
                    MakeOp("DequantizeLinear", {"b", "b_scale", "zb"}, "db"),
                    MakeOp(op_type, {"da", "db"}, "f"),
                    MakeOp("QuantizeLinear", {"f", "y_scale", "z"}, "y")});
}

struct ZeroPointsOfNode {
  int64_t a = 0;
  int64_t b = 0;
  int64_t y = 0;
};

// a as [rows, terms]: the k-th term of a row is the code k rows further down.
Tensor RowsOf(const Integers& codes, size_t terms) {
  Integers values;
  for (size_t i = 0; i < codes.size(); ++i) {
    for (size_t k = 0; k < terms; ++k) values.push_back(codes[(i + k) % codes.size()]);
  }
  return MakeIntegers(
      kType, {static_cast<int64_t>(codes.size()), static_cast<int64_t>(terms)}, values);
}

// b as [terms, columns], likewise.
Tensor ColumnsOf(const Integers& codes, size_t terms) {
  Integers values;
  for (size_t k = 0; k < terms; ++k) {
    for (size_t j = 0; j < codes.size(); ++j) {
      values.push_back(codes[(j + k) % codes.size()]);
    }
  }
  return MakeIntegers(
      kType, {static_cast<int64_t>(terms), static_cast<int64_t>(codes.size())}, values);
}

// Operands [a, terms] and [terms, b]: matrices of MatMul, and with one term what Add and
// Mul broadcast.
Result<Codes> EvaluateArithmetic(const Node& graph, const Pairs& pairs, float a_scale,
                                 float b_scale, float y_scale,
                                 const ZeroPointsOfNode& zero_points = {},
                                 size_t terms = 1) {
  return Evaluate(
      {graph,
       {RowsOf(pairs.a, terms), MakeFloats({}, {a_scale}),
        MakeIntegers(kType, {}, {zero_points.a}), ColumnsOf(pairs.b, terms),
        MakeFloats({}, {b_scale}), MakeIntegers(kType, {}, {zero_points.b}),
        MakeFloats({}, {y_scale}), MakeIntegers(kType, {}, {zero_points.y})}});
}

// Small codes, which many scales are searched with.
const Pairs kSmallCodes{{1, 2, 3, 4, 5, 6, 7, 9, 11, 13, 15}, {0, 1, 2, 3, 5, 7}};

using ExactForm = int64_t (*)(int64_t, float, int64_t, float, float);

Result<RewriteProof> ProveNeverBy(const char* op_type, ExactForm exact, ProofSize size) {
  Comparison comparison;
  Smallest smallest;
  const Node graph = ArithmeticGraph(op_type);
  const std::vector<float> scales = PlainScales(size);
  for (const float a_scale : scales) {
    for (const float b_scale : {1.0f, 0.1f, 0.7f}) {
      for (const float y_scale : scales) {
        const auto before =
            EvaluateArithmetic(graph, kSmallCodes, a_scale, b_scale, y_scale);
        if (!before) return before.error();
        comparison.Count(before->size());
        for (size_t i = 0; i < before->size(); ++i) {
          const int64_t a = kSmallCodes.a[i / kSmallCodes.b.size()];
          const int64_t b = kSmallCodes.b[i % kSmallCodes.b.size()];
          const int64_t integer = exact(a, a_scale, b, b_scale, y_scale);
          const int64_t actual = IntegerOf(kType, (*before)[i]);
          if (!(*before)[i] || actual == integer) continue;
          smallest.Add({a_scale, b_scale, y_scale, a, b, actual, integer});
        }
      }
    }
  }
  return TakeNever(std::move(comparison), smallest);
}

}  // namespace

Result<RewriteProof> ProveAddToInteger(ProofSize size) {
  return ProveNeverBy("Add", ExactSum, size);
}

Result<RewriteProof> ProveMulToInteger(ProofSize size) {
  return ProveNeverBy("Mul", ExactProduct, size);
}

Result<RewriteProof> ProveAddOfEqualScales(ProofSize size) {
  Comparison comparison;
  const Node graph = ArithmeticGraph("Add");
  Pairs pairs;
  const int64_t step = size == ProofSize::kWhole ? 1 : 15;
  for (int64_t c = Least(kType); c <= Greatest(kType); c += step) pairs.a.push_back(c);
  pairs.b = pairs.a;
  std::vector<float> scales = PlainScales(size);
  for (const float scale : Scales(ProofSize::kSmall)) {
    if (std::abs(scale) <= 0x1p118f) scales.push_back(scale);
  }
  scales.insert(scales.end(), {0x1p118f, -0x1p118f, 0x1.fffffep117f});
  const ZeroPointsOfNode zero_points_of_pairs[] = {
      {0, 0, 0},       {0, 0, -128},   {0, 0, 127},     {-128, -128, -128},
      {127, 127, 127}, {-128, 127, 0}, {127, -128, 127}};
  for (const float scale : scales) {
    for (const ZeroPointsOfNode& zero_points : zero_points_of_pairs) {
      const auto before =
          EvaluateArithmetic(graph, pairs, scale, scale, scale, zero_points);
      if (!before) return before.error();
      Integers after;
      for (const int64_t a : pairs.a) {
        for (const int64_t b : pairs.b) {
          after.push_back(
              Saturated(a - zero_points.a + b - zero_points.b + zero_points.y));
        }
      }
      const Status added = comparison.Add(
          *before, CodesOf(kType, after),
          {{0, before->size(), true, ParametersText(kType, scale, zero_points.y)}},
          [&](size_t i) {
            return "a = " + std::to_string(pairs.a[i / pairs.b.size()]) +
                   ", b = " + std::to_string(pairs.b[i % pairs.b.size()]);
          });
      if (!added) return added.error();
    }
  }
  return comparison.Take();
}

namespace {

Node MatMulGraph() { return ArithmeticGraph("MatMul"); }

Node IntegerMatMulGraph() {
  return MakeGraph(
      {"a", "a_scale", "za", "b", "b_scale", "zb", "y_scale", "z"},
      {MakeOp("QLinearMatMul",
              {"a", "a_scale", "za", "b", "b_scale", "zb", "y_scale", "z"}, "y")});
}

// The same as convolutions: x [a, 1, 1], w [b, 1, 1].
Result<Codes> EvaluateConv(bool is_integer, const Pairs& pairs, float a_scale,
                           float b_scale, float y_scale) {
  const auto rows = static_cast<int64_t>(pairs.a.size());
  const auto columns = static_cast<int64_t>(pairs.b.size());
  const Tensor x = MakeIntegers(kType, {rows, 1, 1}, pairs.a);
  const Tensor w = MakeIntegers(kType, {columns, 1, 1}, pairs.b);
  const Tensor sa = MakeFloats({}, {a_scale});
  const Tensor sb = MakeFloats({}, {b_scale});
  const Tensor sy = MakeFloats({}, {y_scale});
  const Tensor z = MakeIntegers(kType, {}, {0});
  if (is_integer) {
    return Evaluate(
        {MakeGraph(
             {"x", "xs", "z", "w", "ws", "ys"},
             {MakeOp("QLinearConv", {"x", "xs", "z", "w", "ws", "z", "ys", "z"}, "y")}),
         {x, sa, z, w, sb, sy}});
  }
  return Evaluate({MakeGraph({"x", "xs", "w", "ws", "ys", "z"},
                             {MakeOp("DequantizeLinear", {"x", "xs"}, "dx"),
                              MakeOp("DequantizeLinear", {"w", "ws"}, "dw"),
                              MakeOp("Conv", {"dx", "dw"}, "f"),
                              MakeOp("QuantizeLinear", {"f", "ys", "z"}, "y")}),
                   {x, sa, w, sb, sy, z}});
}

// Adds both sides of a sum over small codes and plain scales.
template <typename BothSides>
Status AddSums(ProofSize size, Comparison& comparison, Smallest& smallest,
               BothSides both_sides) {
  const std::vector<float> scales = PlainScales(size);
  for (const float a_scale : scales) {
    for (const float b_scale : {1.0f, 0.1f}) {
      for (const float y_scale : scales) {
        const auto [before, after] = both_sides(a_scale, b_scale, y_scale);
        if (!before) return before.error();
        if (!after) return after.error();
        comparison.Count(before->size());
        for (size_t i = 0; i < before->size(); ++i) {
          if (!(*before)[i] || !(*after)[i] || *(*before)[i] == *(*after)[i]) continue;
          smallest.Add({a_scale, b_scale, y_scale,
                        kSmallCodes.a[i / kSmallCodes.b.size()],
                        kSmallCodes.b[i % kSmallCodes.b.size()],
                        IntegerOf(kType, (*before)[i]), IntegerOf(kType, (*after)[i])});
        }
      }
    }
  }
  return Ok();
}

}  // namespace

Result<RewriteProof> ProveMatMulToInteger(ProofSize size) {
  Comparison comparison;
  Smallest shown;  // of MatMul, K = 1
  for (const char* op_type : {"MatMul", "Gemm"}) {
    for (const size_t terms : {1u, 2u, 3u}) {
      const Node graph = ArithmeticGraph(op_type);
      Smallest smallest;
      const Status added = AddSums(
          size, comparison, smallest, [&](float a_scale, float b_scale, float y_scale) {
            return std::pair(EvaluateArithmetic(graph, kSmallCodes, a_scale, b_scale,
                                                y_scale, {}, terms),
                             EvaluateArithmetic(IntegerMatMulGraph(), kSmallCodes,
                                                a_scale, b_scale, y_scale, {}, terms));
          });
      if (!added) return added.error();
      if (!smallest.get()) {
        return Error{"rewrite: expected a difference of " + std::string(op_type) +
                     " with K = " + std::to_string(terms) + ", got none"};
      }
      if (!shown.get()) shown = smallest;
    }
  }
  return TakeNever(std::move(comparison), shown);
}

Result<RewriteProof> ProveConvToInteger(ProofSize size) {
  Comparison comparison;
  Smallest smallest;
  const Status added = AddSums(
      size, comparison, smallest, [](float a_scale, float b_scale, float y_scale) {
        return std::pair(EvaluateConv(false, kSmallCodes, a_scale, b_scale, y_scale),
                         EvaluateConv(true, kSmallCodes, a_scale, b_scale, y_scale));
      });
  if (!added) return added.error();
  return TakeNever(std::move(comparison), smallest);
}

Result<RewriteProof> ProveMatMulOfPowersOfTwo(ProofSize size) {
  Comparison comparison;
  Pairs pairs;
  const int64_t step = size == ProofSize::kWhole ? 3 : 15;
  for (int64_t c = Least(kType); c <= Greatest(kType); c += step) pairs.a.push_back(c);
  pairs.b = pairs.a;
  struct ScalesOfNode {
    float a, b, y;
  };
  std::vector<ScalesOfNode> scales{
      {0x1p-40f, 0x1p-40f, 0x1p40f}, {0x1p40f, 0x1p40f, 0x1p-40f},
      {0x1p40f, 0x1p-40f, 64.0f},    {0x1p-40f, -0x1p-40f, 0x1p-40f},
      {0x1p40f, 0x1p40f, 0x1p40f},   {-0x1p40f, 0x1p-30f, 0x1p20f}};
  for (const float a_scale : {1.0f, 0.25f, -0.5f}) {
    for (const float b_scale : {1.0f, 0x1p-10f}) {
      for (const float y_scale : {1.0f, 64.0f, 0x1p-7f, -8.0f}) {
        scales.push_back({a_scale, b_scale, y_scale});
      }
    }
  }
  for (const auto& [a_scale, b_scale, y_scale] : scales) {
    for (const ZeroPointsOfNode& zero_points :
         {ZeroPointsOfNode{}, ZeroPointsOfNode{-128, 127, 5}}) {
      for (const size_t terms : {1u, 2u, 3u}) {
        const auto before = EvaluateArithmetic(MatMulGraph(), pairs, a_scale, b_scale,
                                               y_scale, zero_points, terms);
        if (!before) return before.error();
        const auto after = EvaluateArithmetic(IntegerMatMulGraph(), pairs, a_scale,
                                              b_scale, y_scale, zero_points, terms);
        if (!after) return after.error();
        const Status added = comparison.Add(
            *before, *after,
            {{0, before->size(), true,
              "INT8, scales " + DecimalOf(a_scale) + ", " + DecimalOf(b_scale) +
                  ", y_scale " + DecimalOf(y_scale) + ", K = " + std::to_string(terms)}},
            [](size_t i) { return "element " + std::to_string(i); });
        if (!added) return added.error();
      }
    }
  }
  return comparison.Take();
}

Result<RewriteProof> ProveBiasToInt32(ProofSize size) {
  Comparison comparison;
  const Node after_graph =
      MakeGraph({"q", "s"}, {MakeOp("DequantizeLinear", {"q", "s"}, "y")});
  for (const float scale : PlainScales(size)) {
    std::vector<float> biases;
    for (const int k : {1, 2, 3, 100, 12345, 4194303}) {
      for (const double at : {k * 1.0, k + 0.5, -k * 1.0}) {
        const auto b = static_cast<float>(at * static_cast<double>(scale));
        biases.insert(biases.end(), {b, std::nextafter(b, 1e30f)});
      }
    }
    Integers codes;
    std::vector<Comparison::Claim> claims;
    for (size_t i = 0; i < biases.size(); ++i) {
      const double quotient = static_cast<double>(biases[i]) / static_cast<double>(scale);
      const double nearest = std::nearbyint(quotient);
      codes.push_back(static_cast<int64_t>(nearest));
      const bool is_step = std::ranges::any_of(
          std::vector<double>{nearest - 1, nearest, nearest + 1}, [&](double k) {
            return static_cast<float>(k * static_cast<double>(scale)) == biases[i];
          });
      claims.push_back({i, 1, is_step, "scale " + DecimalOf(scale)});
    }
    const auto count = static_cast<int64_t>(biases.size());
    const auto before = Evaluate({MakeGraph({"b"}, {MakeOp("Identity", {"b"}, "y")}),
                                  {MakeFloats({count}, biases)}});
    if (!before) return before.error();
    const auto after = Evaluate(
        {after_graph,
         {MakeIntegers(DataType::kInt32, {count}, codes), MakeFloats({}, {scale})}});
    if (!after) return after.error();
    const Status added = comparison.Add(*before, *after, claims, [&](size_t i) {
      return "bias " + DecimalOf(biases[i]) + ": becomes the code " +
             std::to_string(codes[i]);
    });
    if (!added) return added.error();
  }
  return comparison.Take();
}

}  // namespace qconform::graphs
