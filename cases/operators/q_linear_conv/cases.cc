// The cases of QLinearConv.
#include "cases/core/operator_cases.h"
#include "oracle/formats/codes.h"

namespace qconform::q_linear_conv {
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
  const DataType y = cell.types[2];
  const Shape channels = cell.granularity == "per_channel" ? Shape{3} : Shape{};
  // From 2^-9 to nearly 2^-7.
  const auto scales = [&rng](const Shape& shape) {
    Tensor tensor = Tensor::Zeros(DataType::kFloat, shape);
    for (int64_t i = 0; i < *ElementCount(shape); ++i) {
      WriteCode(tensor.mutable_view(), i, 0x3b000000 + rng.Below(1 << 24));
    }
    return tensor;
  };
  Content content;
  content.node.op_type = cell.op_type;
  content.node.inputs = {"x",       "x_scale",      "x_zero_point",
                         "w",       "w_scale",      "w_zero_point",
                         "y_scale", "y_zero_point", "B"};
  content.node.outputs = {"y"};
  Tensor bias = Tensor::Zeros(DataType::kInt32, {3});
  for (int64_t i = 0; i < 3; ++i) {
    WriteCode(bias.mutable_view(), i, static_cast<uint32_t>(rng.Between(-30000, 30000)));
  }
  content.operands = {random(x, {1, 2, 6, 5}),
                      scales({}),
                      random(x, {}),
                      random(w, {3, 2, 3, 2}),
                      scales(channels),
                      random(w, channels),
                      scales({}),
                      random(y, {}),
                      std::move(bias)};
  content.constant.assign(content.operands.size(), Constant::kParameter);
  content.constant[0] = Constant::kNever;
  content.constant[3] = Constant::kWeight;
  content.outputs = {{"y", y, {1, 3, 4, 4}}};
  return content;
}

}  // namespace

const OperatorCases& GetCases();
const OperatorCases& GetCases() {
  static const OperatorCases cases{
      .op_type = "QLinearConv",
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

}  // namespace qconform::q_linear_conv
