// The cases of DynamicQuantizeLinear.
#include "cases/core/operator_cases.h"
#include "oracle/formats/codes.h"

namespace qconform::dynamic_quantize_linear {
namespace {

using generators::Constant;
using generators::Content;
using generators::ContentName;
using generators::CounterRng;

constexpr std::string_view kOpType = "DynamicQuantizeLinear";

std::vector<ContentName> Contents(const Cell&, Level) {
  std::vector<ContentName> names;
  for (int i = 0; i < 4; ++i) names.push_back({"plain", "random", i});
  return names;
}

Status CheckVariant(const Cell&, std::string_view variant) {
  if (variant == "plain") return Ok();
  return Error{"is not 'plain'"};
}

Result<Content> MakeContent(const Cell& cell, const ContentName&, CounterRng rng) {
  Tensor x =
      Tensor::Zeros(cell.types.front(), Shape{rng.Between(1, 5), rng.Between(1, 40)});
  // Of either sign, between 2^-3 and 2^5.
  for (int64_t i = 0; i < *ElementCount(x.shape); ++i) {
    const uint32_t bits = rng.Next32();
    WriteCode(x.mutable_view(), i,
              (bits & 0x807fffff) | static_cast<uint32_t>(rng.Between(124, 131)) << 23);
  }
  Content content;
  content.node.op_type = kOpType;
  content.node.inputs = {"x"};
  content.node.outputs = {"y", "y_scale", "y_zero_point"};
  content.constant = {Constant::kNever};
  content.outputs = {{"y", DataType::kUint8, x.shape},
                     {"y_scale", DataType::kFloat, {}},
                     {"y_zero_point", DataType::kUint8, {}}};
  content.operands.push_back(std::move(x));
  return content;
}

}  // namespace

const OperatorCases& GetCases();
const OperatorCases& GetCases() {
  static const OperatorCases cases{
      .op_type = kOpType,
      .formals = {"x", "y"},
      .granularities = {{"per_tensor", "", 0}},
      .newest_since_version = 11,
      .generators = {{"random", 1, "Random values of both signs, and shapes of rank 2."}},
      .probed_contents = 4,
      .frozen_levels = {{28, {0, 0, 0}}},
      .contents = Contents,
      .check_variant = CheckVariant,
      .make_content = MakeContent};
  return cases;
}

}  // namespace qconform::dynamic_quantize_linear
