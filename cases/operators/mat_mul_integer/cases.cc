#include "cases/operators/mat_mul_integer/cases.h"

#include <cassert>
#include <cstring>
#include <string>

#include "cases/operators/mat_mul_integer/negative/models.h"

namespace qconform::generators {
namespace {

constexpr MatMulIntegerGenerator kGenerators[] = {
    {{"lengths", 1,
      "K of 0 to 64, long ones with each remainder modulo 64, and those around multiples "
      "of 256, with rows and columns around the tiles of kernels."},
     FillIntegerLengths},
    {{"pairs", 1,
      "Codes of 200 to 255 beside codes at both ends of their type: pairs and fours of "
      "products that 16 bits do not hold, everywhere or at one place of K."},
     FillIntegerPairs},
    {{"zero_points", 1,
      "Zero points at both ends, in the middle, next to it, 1 and 0, and vectors of "
      "which "
      "only some are 0; every code of A and B, and differences beyond 8 bits."},
     FillIntegerZeroPoints},
    {{"squares", 1,
      "M, K, N and the number of matrices equal, all or two of them: rows stay rows, and "
      "columns stay columns."},
     FillIntegerSquares},
    {{"shapes", 1,
      "Batches that broadcast, 1-D operands beside them, empty dimensions, dot products, "
      "and ranks up to 6."},
     FillIntegerShapes},
    {{"sizes", 1,
      "Every K from 0 to 64, and around multiples of 16 to 257, and every N from 0 to "
      "64, "
      "with M, batches, forms and opset_versions by a covering array; more than 1024 "
      "rows or columns, and more than 16 matrices."},
     FillIntegerSizes},
    {{"wide_sums", 1, "Sums beyond 2^24, of which FLOAT does not hold all bits."},
     FillIntegerWideSums},
    {{"overflow", 1, "Sums at the ends of INT32 and beyond, K of 33030."},
     FillIntegerOverflow},
    {{"partial_sums", 1,
      "Sums within INT32 of which a part is beyond: the first half of the terms, or the "
      "products of the codes before zero points are subtracted."},
     FillIntegerPartialSums},
    {{"tiles", 1, "M, N and K that are large together, long rows, and batches of them."},
     FillIntegerTiles},
    {{"huge", 1,
      "Products that kernels cut into parts for threads and caches; at level "
      "exhaustive."},
     FillIntegerHuge},
    {{"random", 1, "Codes and zero points from anywhere, in any sizes."},
     FillIntegerRandom},
};

const MatMulIntegerGenerator& Find(std::string_view name) {
  for (const MatMulIntegerGenerator& generator : kGenerators) {
    if (generator.info.name == name) return generator;
  }
  assert(false && "callers check the name");
  return kGenerators[0];
}

Tensor Pack(DataType type, const Shape& shape, const std::vector<uint8_t>& codes) {
  Tensor tensor = Tensor::Zeros(type, shape);
  if (!codes.empty()) std::memcpy(tensor.data.data(), codes.data(), codes.size());
  return tensor;
}

Content ToContent(const MatMulIntegerQuestion& question) {
  using Form = MatMulIntegerVariant::Form;
  const MatMulLayout& layout = question.layout;
  const MatMulIntegerVariant& variant = question.variant;
  const auto& types = question.cell.types;
  Content content;
  content.node.op_type = question.cell.op_type;
  content.node.inputs = {"A", "B"};
  content.node.outputs = {"Y"};
  content.operands = {Pack(types[0], layout.a_shape, question.a),
                      Pack(types[1], layout.b_shape, question.b), Tensor{}, Tensor{}};
  if (variant.a != Form::kAbsent) {
    content.node.inputs.emplace_back(variant.has_a() ? "a_zero_point" : "");
  }
  if (variant.b != Form::kAbsent) {
    content.node.inputs.emplace_back(variant.has_b() ? "b_zero_point" : "");
  }
  if (variant.has_a()) {
    content.operands[2] =
        Pack(types[0], layout.a_parameter_shape, question.a_zero_points);
  }
  if (variant.has_b()) {
    content.operands[3] =
        Pack(types[1], layout.b_parameter_shape, question.b_zero_points);
  }
  content.constant = {Constant::kNever, Constant::kWeight, Constant::kParameter,
                      Constant::kParameter};
  content.outputs = {{"Y", types[2], layout.y_shape}};
  return content;
}

Result<Content> MakeContent(const Cell& cell, const ContentName& name, CounterRng rng) {
  const auto variant = ParseMatMulIntegerVariant(cell, name.variant);
  if (!variant) return variant.error();
  MatMulIntegerQuestion question(cell, *variant, name.index, rng);
  Find(name.generator).fill(question);
  return ToContent(question);
}

Status CheckVariant(const Cell& cell, std::string_view variant) {
  const auto parsed = ParseMatMulIntegerVariant(cell, variant);
  return parsed ? Ok() : parsed.error();
}

OperatorCases MakeCases() {
  OperatorCases cases{
      .op_type = "MatMulInteger",
      .formals = {"A", "B", "Y"},
      .granularities = {{"per_tensor-per_tensor", "", 3},
                        {"per_tensor-per_column", "", 4},
                        {"per_row-per_tensor", "", 5},
                        {"per_row-per_column", "", 6}},
      .newest_since_version = 10,
      .rules_since = {10},
      .generators = {},
      .has_weights = true,
      .probed_contents = 200,
      .frozen_levels = {{25,
                         {0x93e9da3d76f67c20, 0x133aed638f9352fc, 0x9d2141215ad64e26},
                         0x452a9b56640af92b}},
      .contents = MatMulIntegerContents,
      .check_variant = CheckVariant,
      .make_content = MakeContent,
      .negative_models = MatMulIntegerNegativeModels,
  };
  for (const auto& generator : kGenerators) cases.generators.push_back(generator.info);
  return cases;
}

}  // namespace
}  // namespace qconform::generators

namespace qconform::mat_mul_integer {

const OperatorCases& GetCases();

const OperatorCases& GetCases() {
  static const OperatorCases cases = generators::MakeCases();
  return cases;
}

}  // namespace qconform::mat_mul_integer
