// The cases of ConvInteger.
#include "cases/core/operator_cases.h"
#include "oracle/formats/codes.h"

namespace qconform::conv_integer {
namespace {

using generators::Constant;
using generators::Content;
using generators::ContentName;
using generators::CounterRng;

std::vector<ContentName> Contents(const Cell&, Level level) {
  std::vector<ContentName> names;
  const int count = level == Level::kSmoke ? 2 : 4;
  for (int i = 0; i < count; ++i) names.push_back({"plain", "random", i});
  return names;
}

Status CheckVariant(const Cell&, std::string_view variant) {
  if (variant == "plain") return Ok();
  return Error{"is not 'plain'"};
}

Result<Content> MakeContent(const Cell& cell, const ContentName&, CounterRng rng) {
  const auto random = [&rng](DataType type, const Shape& shape) {
    Tensor tensor = Tensor::Zeros(type, shape);
    for (std::byte& byte : tensor.data) byte = static_cast<std::byte>(rng.Below(256));
    return tensor;
  };
  const DataType x = cell.types[0];
  const DataType w = cell.types[1];
  const Shape zero_points = cell.granularity == "per_channel" ? Shape{3} : Shape{};
  Content content;
  content.node.op_type = cell.op_type;
  content.node.inputs = {"x", "w", "x_zero_point", "w_zero_point"};
  content.node.outputs = {"y"};
  content.operands = {random(x, {1, 2, 6, 5}), random(w, {3, 2, 3, 2}), random(x, {}),
                      random(w, zero_points)};
  content.constant = {Constant::kNever, Constant::kWeight, Constant::kParameter,
                      Constant::kParameter};
  content.outputs = {{"y", DataType::kInt32, {1, 3, 4, 4}}};
  return content;
}

}  // namespace

const OperatorCases& GetCases();
const OperatorCases& GetCases() {
  static const OperatorCases cases{
      .op_type = "ConvInteger",
      .formals = {"x", "w", "y"},
      .granularities = {{"per_tensor", "", 0}, {"per_channel", "", 1}},
      .newest_since_version = 10,
      .generators = {{"random", 1, "Random codes in a plain 2-D convolution."}},
      .has_weights = true,
      .probed_contents = 2,
      .contents = Contents,
      .check_variant = CheckVariant,
      .make_content = MakeContent};
  return cases;
}

}  // namespace qconform::conv_integer
