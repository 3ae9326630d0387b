#include "cases/operators/q_linear_mat_mul/cases.h"

#include <array>
#include <cassert>
#include <cstring>
#include <utility>

#include "cases/core/counter_rng.h"
#include "cases/core/covered_sums.h"
#include "cases/matmul/covered_sizes.h"
#include "cases/operators/q_linear_mat_mul/negative/models.h"
#include "oracle/base/expected.h"
#include "oracle/formats/codes.h"

namespace qconform::generators {
namespace {

constexpr MatMulGenerator kGenerators[] = {
    {{"boundaries", 4,
      "Sums of products at and next to the points where requantization changes its "
      "mind."},
     FillMatMulBoundaries},
    {{"readings", 5,
      "Sums for which the exact requantization, FLOAT multipliers, dequantizing, "
      "fixed-point multipliers and chains of DOUBLE operations differ."},
     FillMatMulReadings},
    {{"saturation", 3,
      "Results at both ends of y and so far beyond that narrow conversions wrap."},
     FillMatMulSaturation},
    {{"extremes", 4,
      "Products as large as the types allow, in runs whose pairs exceed 16 bits."},
     FillMatMulExtremes},
    {{"zero_points", 4,
      "Zero points of a, b and y at both ends, odd and in the middle; any float8 value."},
     FillMatMulZeroPoints},
    {{"shapes", 5,
      "M, N and K of 0, 1, whole vectors and around them, batches of none and batches "
      "that broadcast, 1-D operands beside them, both forms of vectors."},
     FillMatMulShapes},
    {{"sizes", 1,
      "Every K from 0 to 64, and around multiples of 16 to 257, and every N from 0 to "
      "64, "
      "with M, batches, forms and opset_versions by a covering array; more than 1024 "
      "rows or columns, and more than 16 matrices."},
     FillMatMulSizes},
    {{"degenerate", 2,
      "Each of the three scales zero, negative, subnormal, infinite or NaN, vectors of "
      "these, and of scales as small or large as can be."},
     FillMatMulDegenerate},
    {{"specials", 3,
      "NaN, infinite and zero codes among float8 operands and zero points."},
     FillMatMulSpecials},
    {{"overflow", 2, "Sums at the ends of INT32 and beyond, K of 33030."},
     FillMatMulOverflow},
    {{"exact_ties", 1,
      "Ties of integers by scales that are powers of two, with odd zero points: no FLOAT "
      "operation rounds them."},
     FillMatMulExactTies},
    {{"multipliers", 1,
      "Sums by which no reading gives what comes of 1 / y_scale, or of a sum that is "
      "truncated to FLOAT."},
     FillMatMulMultipliers},
    {{"large", 3, "M and N of up to 1030, with a small K."}, FillMatMulLarge},
    {{"tiles", 2,
      "M, N and K that are large together, single rows and batches of them, with sums at "
      "and next to boundaries, ties, and far beyond the range."},
     FillMatMulTiles},
    {{"terms", 1,
      "K above 256, most of them odd, in sums so small that each product counts."},
     FillMatMulTerms},
    {{"huge", 1,
      "Products that kernels cut into parts for threads and caches: many results, or K "
      "of 5003; at level exhaustive."},
     FillMatMulHuge},
    {{"random", 2, "Uniform codes of a and b, with scales that fit their sums."},
     FillMatMulRandom},
};

const MatMulGenerator& Find(std::string_view name) {
  for (const MatMulGenerator& generator : kGenerators) {
    if (generator.info.name == name) return generator;
  }
  assert(false && "callers check the name");
  return kGenerators[0];
}

template <typename Code>
Tensor Pack(DataType type, const Shape& shape, const std::vector<Code>& codes) {
  Tensor tensor = Tensor::Zeros(type, shape);
  for (size_t i = 0; i < codes.size(); ++i) {
    WriteCode(tensor.mutable_view(), static_cast<int64_t>(i), codes[i]);
  }
  return tensor;
}

// Operands have eight bits: their codes are their bytes.
Tensor PackBytes(DataType type, const Shape& shape, const std::vector<uint8_t>& codes) {
  Tensor tensor = Tensor::Zeros(type, shape);
  if (!codes.empty()) std::memcpy(tensor.data.data(), codes.data(), codes.size());
  return tensor;
}

Content ToContent(const MatMulQuestion& question) {
  const MatMulLayout& layout = question.layout;
  const DataType scale = question.cell.types[0];
  const DataType a = question.cell.types[1];
  const DataType b = question.cell.types[2];
  const DataType y = question.cell.types[3];
  Content content;
  content.node.op_type = question.cell.op_type;
  content.node.inputs = {"a",       "a_scale",      "a_zero_point", "b",
                         "b_scale", "b_zero_point", "y_scale",      "y_zero_point"};
  content.node.outputs = {"y"};
  content.operands = {
      PackBytes(a, layout.a_shape, question.a),
      Pack(scale, layout.a_parameter_shape, question.a_scales),
      PackBytes(a, layout.a_parameter_shape, question.a_zero_points),
      PackBytes(b, layout.b_shape, question.b),
      Pack(scale, layout.b_parameter_shape, question.b_scales),
      PackBytes(b, layout.b_parameter_shape, question.b_zero_points),
      Pack(scale, SingleShape(question.form), std::vector<uint64_t>{question.y_scale}),
      PackBytes(y, SingleShape(question.form), {question.y_zero_point}),
  };
  content.constant.assign(content.operands.size(), Constant::kParameter);
  content.constant[0] = Constant::kNever;
  content.constant[3] = Constant::kWeight;  // vendors prepack it
  content.outputs = {{"y", y, layout.y_shape}};
  return content;
}

}  // namespace

std::string_view VariantText(VectorForm form) {
  return form == VectorForm::kShort ? "vectors=short" : "vectors=full";
}

Result<VectorForm> ParseMatMulVariant(const Cell& cell, std::string_view text) {
  for (const VectorForm form : {VectorForm::kShort, VectorForm::kFull}) {
    if (text == VariantText(form)) return form;
  }
  return Expected("variant of " + CellId(cell), "vectors=short or vectors=full",
                  "'" + std::string(text) + "'");
}

namespace {

void Add(std::vector<ContentName>& contents, std::string_view generator, int count,
         int first = 0) {
  for (int i = first; i < first + count; ++i) {
    const VectorForm form = i % 2 == 0 ? VectorForm::kShort : VectorForm::kFull;
    contents.push_back({std::string(VariantText(form)), generator, i});
  }
}

// Asks every kind of MM-20 of each scale that is one value. Two scales that share a place
// in the list take turns. NaN to an integer is free (QL-12), so one NaN is enough.
void AddDegenerate(std::vector<ContentName>& contents, const Cell& cell, uint64_t turn) {
  using Kind = MatMulDegenerate;
  const bool a = !IsPerRow(cell);
  const bool b = !IsPerColumn(cell);
  const bool nan_is_seen = !IsInteger(cell.types[3]);
  const bool a_first = a && (!b || turn % 2 == 0);
  std::vector<Kind> kinds{Kind::kYZero, Kind::kYInfinite,
                          a_first || !b ? Kind::kASubnormal : Kind::kBSubnormal};
  if (a) kinds.push_back(Kind::kAZero);
  if (b) kinds.push_back(Kind::kBZero);
  if (a || b) kinds.push_back(a_first ? Kind::kAInfinite : Kind::kBInfinite);
  const Kind nan = a_first ? Kind::kANan : Kind::kBNan;
  if (nan_is_seen && (a || b)) kinds.push_back(nan);
  const bool nan_of_y = nan_is_seen || !(a || b) || turn / 2 % 2 == 0;
  kinds.push_back(nan_of_y ? Kind::kYNan : nan);
  for (size_t i = 0; i < kinds.size(); ++i) {
    // If a scale is infinite, the other is negative; if y_scale is 0, one of them is.
    const bool negates_b = kinds[i] == Kind::kYZero && !a_first;
    const int index = static_cast<int>(kinds[i]) + (negates_b ? kMatMulDegenerates : 0);
    const VectorForm form =
        (i + turn / 4) % 2 == 0 ? VectorForm::kShort : VectorForm::kFull;
    contents.push_back({std::string(VariantText(form)), "degenerate", index});
  }
}

bool HasOneScaleEach(const Cell& cell) { return !IsPerRow(cell) && !IsPerColumn(cell); }

std::string FullForm() { return std::string(VariantText(VectorForm::kFull)); }

// A few contents, which find most wrong implementations.
void AddSmoke(std::vector<ContentName>& contents, const Cell& cell) {
  Add(contents, "shapes", 1);
  Add(contents, "boundaries", 1);
  Add(contents, "zero_points", 1, 1);
  // Ties of floats are rarer: from another stretch of the range as well.
  if (!IsInteger(cell.types[3])) Add(contents, "boundaries", 1, 2);
}

// Batches, and one of the rarer shapes: the cells of equal types go through them.
void AddShapes(std::vector<ContentName>& contents, const Cell& cell, uint64_t turn) {
  const auto add = [&](int index) { contents.push_back({FullForm(), "shapes", index}); };
  Add(contents, "shapes", 1);
  add(kFirstBatches + static_cast<int>(turn % kMatMulBatches));
  add(kFirstBatchesOfB + static_cast<int>(turn / 2 % kMatMulBatchesOfB));
  Add(contents, "shapes", 3, 1);
  if (IsPerRow(cell) && IsPerColumn(cell)) {
    Add(contents, "shapes", 1, 4 + static_cast<int>(turn % (kFirstBatches - 4)));
  }
  const auto vectors = static_cast<int>(turn % kMatMulVectors);
  if (!IsPerRow(cell)) add(kFirstVectorA + vectors);
  if (!IsPerColumn(cell)) add(kFirstVectorB + vectors);
  const auto empty = static_cast<int>(turn / 4 % kMatMulEmpty);
  add(kFirstEmptyN + empty);
  add(kFirstEmptyM + (empty + 1) % kMatMulEmpty);
  if (HasOneScaleEach(cell)) add(kFirstColumn + static_cast<int>(turn % kMatMulColumns));
}

// Values that are directed at what kernels get wrong.
void AddValues(std::vector<ContentName>& contents, const Cell& cell, uint64_t turn) {
  const bool integers = IsInteger(cell.types[1]) && IsInteger(cell.types[2]);
  Add(contents, "boundaries", 3);
  Add(contents, "readings", 3);
  Add(contents, "saturation", 2);
  Add(contents, "extremes", 2);
  Add(contents, "zero_points", 2);
  AddDegenerate(contents, cell, turn);
  Add(contents, integers ? "overflow" : "specials", 2);
  if (!IsInteger(cell.types[3])) Add(contents, "specials", 1, kMatMulYNan);
  if (cell.types[3] == DataType::kFloat8E5M2) {  // the one that has infinities
    Add(contents, "specials", 1, kMatMulYInfinite);
  }
  if (integers && IsInteger(cell.types[3])) {
    Add(contents, "exact_ties", 2);
    if (cell.types[0] == DataType::kFloat) {
      Add(contents, "multipliers", kMatMulMultipliers);
    }
  }
}

// A part of the covering array, and one larger product.
void AddSizes(std::vector<ContentName>& contents, const Cell& cell, uint64_t turn) {
  constexpr std::array kForms{VectorForm::kShort, VectorForm::kFull};
  CoveredMatMuls sizes(cell, {static_cast<int>(kForms.size())});
  for (int place = 0; place < kCoveredSums; ++place) {
    if (!IsCoveredIn(cell, place)) continue;
    CoveredMatMuls::Row row =
        sizes.Next(place, [&](const std::vector<int>& own, const MatMulBatches& batches) {
          if (IsPerRow(cell) && batches.a_is_vector) return false;
          if (IsPerColumn(cell) && batches.b_is_vector) return false;
          const bool is_short = own[0] == 0;
          return !is_short || !((IsPerRow(cell) && batches.of_a) ||
                                (IsPerColumn(cell) && batches.of_b));
        });
    const VectorForm form = kForms[static_cast<size_t>(row.own[0])];
    contents.push_back(
        {std::string(VariantText(form)), "sizes", row.index, std::move(row.levels)});
  }
  const auto add = [&](int index) {
    contents.push_back({FullForm(), "sizes", index, sizes.LevelsOfOther()});
  };
  add(kFirstLargeProduct + static_cast<int>(turn % kLargeProducts));
  constexpr uint64_t kSplitOneIn = 32;
  if (turn % kSplitOneIn == 0) add(kSplitProduct);
}

// Two matrices, a row and batches, each with other values.
void AddTiles(std::vector<ContentName>& contents, uint64_t turn) {
  for (int kind = 0; kind < 4; ++kind) {
    const int size = 4 * static_cast<int>(turn % (kMatMulTiles / 4)) + kind;
    const uint64_t others = turn / (kMatMulTiles / 4);
    const auto values =
        static_cast<int>((others + static_cast<uint64_t>(kind)) % kMatMulTileValues);
    const int index = size + kMatMulTiles * values;
    if (kind == 3) {
      contents.push_back({FullForm(), "tiles", index});  // batches go with any scales
    } else {
      Add(contents, "tiles", 1, index);
    }
  }
}

}  // namespace

std::vector<ContentName> MatMulContents(const Cell& cell, Level level) {
  std::vector<ContentName> contents;
  if (level == Level::kSmoke) {
    AddSmoke(contents, cell);
    return contents;
  }
  const uint64_t turn = HashOfTypes(cell).hash() % 1000 + 2 * GranularityNumber(cell) +
                        (cell.since_version > 10 ? 1 : 0);
  AddShapes(contents, cell, turn);
  AddValues(contents, cell, turn);
  // A tall one and a wide one; per tensor a column and a row of the tiles are such.
  const int large = 2 * static_cast<int>(turn % (kMatMulLarge / 2));
  if (!HasOneScaleEach(cell)) Add(contents, "large", 2, large);
  AddTiles(contents, turn);
  const auto terms = static_cast<int>(turn % (kMatMulTerms / 2));
  Add(contents, "terms", 2, 2 * terms);
  AddSizes(contents, cell, turn);
  if (level == Level::kExhaustive) {
    const int huge = 2 * static_cast<int>(turn % (kMatMulHuge / 2));
    Add(contents, "huge", 2, huge);  // many results, and a large K
  }
  return contents;
}

namespace {

Result<Content> MakeContent(const Cell& cell, const ContentName& name, CounterRng rng) {
  const auto form = ParseMatMulVariant(cell, name.variant);
  if (!form) return form.error();
  MatMulQuestion question(cell, *form, name.index, rng);
  Find(name.generator).fill(question);
  return ToContent(question);
}

Status CheckVariant(const Cell& cell, std::string_view variant) {
  const auto parsed = ParseMatMulVariant(cell, variant);
  return parsed ? Ok() : parsed.error();
}

// onnx/onnx issues 6169 and 7835, corrected by pull request 7868: the goldens
// came from the reference evaluator of the time.
constexpr std::string_view kWrapped =
    "ONNX 1.16 to 1.21 give outputs that wrap around INT8 where QLinearMatMul saturates "
    "(onnx/onnx#7835)";

OperatorCases MakeCases() {
  OperatorCases cases{
      .op_type = "QLinearMatMul",
      .formals = {"a_scale", "a", "b", "y"},
      .granularities = {{"per_tensor-per_tensor", "", 3},
                        {"per_tensor-per_column", "", 4},
                        {"per_row-per_tensor", "", 5},
                        {"per_row-per_column", "", 6}},
      .newest_since_version = 21,
      .rules_since = {10},
      .input_clauses = {{"MM-02", 1}},
      .generators = {},
      .has_weights = true,
      .probed_contents = 16,
      .frozen_levels = {{25,
                         {0x3920f9345890a945, 0x2c069b5901ea9865, 0x0ff73d39e04c32b5},
                         0xe71c861011973681}},
      .contents = MatMulContents,
      .check_variant = CheckVariant,
      .make_content = MakeContent,
      .negative_models = MatMulNegativeModels,
      .disputed_outputs =
          {{"test_qlinearmatmul_2D_int8_float16",
            "9ad638ebc6e96ea879644862e750a738c39fc2f6cb943bdb4dbfac970fb685f0", kWrapped},
           {"test_qlinearmatmul_2D_int8_float32",
            "9ad638ebc6e96ea879644862e750a738c39fc2f6cb943bdb4dbfac970fb685f0", kWrapped},
           {"test_qlinearmatmul_3D_int8_float16",
            "e48d50a05a17b8aa1929864fb6d0da9c5cf82d5370942dda63d24b7187b4a4e8", kWrapped},
           {"test_qlinearmatmul_3D_int8_float32",
            "b590f52944661326b1a360d5ff67a6f2905957b8c5cfa02c81c2718c85966425",
            kWrapped}},
  };
  for (const auto& generator : kGenerators) cases.generators.push_back(generator.info);
  return cases;
}

}  // namespace
}  // namespace qconform::generators

namespace qconform::q_linear_mat_mul {

const OperatorCases& GetCases();

const OperatorCases& GetCases() {
  static const OperatorCases cases = generators::MakeCases();
  return cases;
}

}  // namespace qconform::q_linear_mat_mul
