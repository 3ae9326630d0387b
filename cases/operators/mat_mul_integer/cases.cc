// The cases of MatMulInteger.
#include "cases/core/operator_cases.h"
#include "oracle/formats/codes.h"

namespace qconform::mat_mul_integer {
namespace {

using generators::Constant;
using generators::Content;
using generators::ContentName;
using generators::CounterRng;

constexpr std::string_view kOpType = "MatMulInteger";

std::vector<ContentName> Contents(const Cell&, Level) {
  std::vector<ContentName> names;
  for (int i = 0; i < 4; ++i) names.push_back({"plain", "random", i});
  return names;
}

Status CheckVariant(const Cell&, std::string_view variant) {
  if (variant == "plain") return Ok();
  return Error{"is not 'plain'"};
}

Tensor RandomCodes(DataType type, const Shape& shape, CounterRng& rng) {
  Tensor tensor = Tensor::Zeros(type, shape);
  for (std::byte& element : tensor.data) element = static_cast<std::byte>(rng.Below(256));
  return tensor;
}

Result<Content> MakeContent(const Cell& cell, const ContentName&, CounterRng rng) {
  const int64_t rows = rng.Between(1, 5);
  const int64_t terms = rng.Between(1, 40);
  const int64_t columns = rng.Between(1, 40);
  const bool per_row = cell.granularity.starts_with("per_row");
  const bool per_column = cell.granularity.ends_with("per_column");
  Content content;
  content.node.op_type = kOpType;
  content.node.inputs = {"A", "B", "a_zero_point", "b_zero_point"};
  content.node.outputs = {"Y"};
  content.operands = {
      RandomCodes(cell.types[0], {rows, terms}, rng),
      RandomCodes(cell.types[1], {terms, columns}, rng),
      RandomCodes(cell.types[0], per_row ? Shape{rows} : Shape{}, rng),
      RandomCodes(cell.types[1], per_column ? Shape{columns} : Shape{}, rng)};
  content.constant = {Constant::kNever, Constant::kWeight, Constant::kParameter,
                      Constant::kParameter};
  content.outputs = {{"Y", cell.types[2], {rows, columns}}};
  return content;
}

}  // namespace

const OperatorCases& GetCases();
const OperatorCases& GetCases() {
  static const OperatorCases cases{
      .op_type = kOpType,
      .formals = {"A", "B", "Y"},
      .granularities = {{"per_tensor-per_tensor", "", 3},
                        {"per_tensor-per_column", "", 4},
                        {"per_row-per_tensor", "", 5},
                        {"per_row-per_column", "", 6}},
      .newest_since_version = 10,
      .generators = {{"random", 1, "Random codes and zero points of two matrices."}},
      .has_weights = true,
      .probed_contents = 4,
      .frozen_levels = {{28, {0, 0, 0}}},
      .contents = Contents,
      .check_variant = CheckVariant,
      .make_content = MakeContent};
  return cases;
}

}  // namespace qconform::mat_mul_integer
