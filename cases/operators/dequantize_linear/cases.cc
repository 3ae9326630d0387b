// The cases of DequantizeLinear: its row of the lattice, and one generator.
#include <algorithm>

#include "cases/core/operator_cases.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform::dequantize_linear {
namespace {

using generators::Constant;
using generators::Content;
using generators::ContentName;
using generators::CounterRng;

constexpr std::string_view kOpType = "DequantizeLinear";
constexpr int64_t kAxis = 1;
constexpr int64_t kBlock = 4;

std::vector<ContentName> Contents(const Cell&, Level level) {
  std::vector<ContentName> names;
  const int count = level == Level::kSmoke ? 4 : 16;
  for (int i = 0; i < count; ++i) names.push_back({"plain", "random", i});
  return names;
}

Status CheckVariant(const Cell&, std::string_view variant) {
  if (variant == "plain") return Ok();
  return Error{"is not 'plain'"};
}

Tensor RandomTensor(DataType type, const Shape& shape, CounterRng& rng) {
  Tensor tensor = Tensor::Zeros(type, shape);
  const int64_t count = *ElementCount(shape);
  const int bits = BitWidth(type);
  for (int64_t i = 0; i < count; ++i) {
    WriteCode(tensor.mutable_view(), i,
              rng.Below(uint64_t{1} << std::min(bits, 31)) & ((uint64_t{1} << bits) - 1));
  }
  return tensor;
}

Result<Content> MakeContent(const Cell& cell, const ContentName&, CounterRng rng) {
  const DataType x = cell.types[0];
  const DataType scale = cell.types[1];
  const DataType y = cell.types[2];
  const Shape shape{rng.Between(1, 4), rng.Between(1, 17), rng.Between(1, 3)};
  Shape scale_shape;
  Content content;
  if (cell.granularity == "per_axis") scale_shape = {shape[kAxis]};
  if (cell.granularity == "blocked") {
    scale_shape = shape;
    scale_shape[kAxis] = (shape[kAxis] + kBlock - 1) / kBlock;
    content.node.attributes.push_back({"block_size", kBlock});
  }
  if (scale != y) {
    content.node.attributes.push_back({"output_dtype", static_cast<int64_t>(y)});
  }
  content.node.op_type = kOpType;
  content.node.inputs = {"x", "x_scale"};
  content.node.outputs = {"y"};
  content.constant = {Constant::kNever, Constant::kParameter, Constant::kParameter};
  content.outputs = {{"y", y, shape}};
  content.operands.push_back(RandomTensor(x, shape, rng));
  content.operands.push_back(RandomTensor(scale, scale_shape, rng));
  content.operands.emplace_back();
  return content;
}

}  // namespace

const OperatorCases& GetCases();
const OperatorCases& GetCases() {
  static const OperatorCases cases{
      .op_type = kOpType,
      .formals = {"x", "x_scale", "y"},
      .granularities = {{"per_tensor", "", 0},
                        {"per_axis", "axis", 1},
                        {"blocked", "block_size", 2}},
      .newest_since_version = 28,
      .generators = {{"random", 1, "Random codes of x and x_scale."}},
      .probed_contents = 4,
      .contents = Contents,
      .check_variant = CheckVariant,
      .make_content = MakeContent};
  return cases;
}

}  // namespace qconform::dequantize_linear
