// The cases of Identity8: its row of the lattice, two generators and two negative models.
#include "cases/core/operator_cases.h"
#include "cases/negative/rows.h"

namespace qconform::identity8 {

bool RegisterSchema();  // schema.cc

namespace {

using generators::Constant;
using generators::Content;
using generators::ContentName;
using generators::CounterRng;

constexpr std::string_view kOpType = "Identity8";

// When the program starts: ONNX's own operators are registered by then, too.
const bool kIsRegistered = RegisterSchema();

std::vector<ContentName> Contents(const Cell&, Level level) {
  std::vector<ContentName> names{{"plain", "all_codes", 0}};
  const int count = level == Level::kSmoke ? 4 : 16;
  for (int i = 0; i < count; ++i) names.push_back({"plain", "random", i});
  return names;
}

Status CheckVariant(const Cell&, std::string_view variant) {
  if (variant == "plain") return Ok();
  return Error{"is not 'plain'"};
}

Result<Content> MakeContent(const Cell& cell, const ContentName& name, CounterRng rng) {
  const bool all_codes = name.generator == "all_codes";
  const Shape shape =
      all_codes ? Shape{256} : Shape{rng.Between(1, 5), rng.Between(1, 40)};
  Tensor x = Tensor::Zeros(cell.types.front(), shape);
  uint32_t code = 0;
  for (std::byte& element : x.data) {
    element = static_cast<std::byte>(all_codes ? code++ : rng.Below(256));
  }
  Content content;
  content.node.op_type = kOpType;
  content.node.inputs = {"x"};
  content.node.outputs = {"y"};
  content.constant = {Constant::kNever};
  content.outputs = {{"y", x.type, x.shape}};
  content.operands.push_back(std::move(x));
  return content;
}

NegativeModel MakeNegative(ModelKind kind, const char* name, const char* clause,
                           const char* sentence, DataType type, const Shape& shape) {
  negative::ModelBuilder builder(kOpType, 13);
  builder.AddInput("x", {type, shape}, negative::kWholeNumbers);
  return {.id = "Identity8@13/" + std::string(name),
          .clause = clause,
          .sentence = sentence,
          .kind = kind,
          .phase = kind == ModelKind::kInvalid ? ModelPhase::kShapeInference
                                               : ModelPhase::kNone,
          .question = builder.Finish({{"y", type, shape}}),
          .meaning = {}};
}

std::vector<NegativeModel> NegativeModels() {
  return {MakeNegative(ModelKind::kInvalid, "x_int16", "ID-03", "x is INT16",
                       DataType::kInt16, {3}),
          MakeNegative(ModelKind::kLegal, "scalar", "ID-01", "x is a scalar",
                       DataType::kInt8, {})};
}

}  // namespace

const OperatorCases& GetCases();
const OperatorCases& GetCases() {
  static const OperatorCases cases{
      .op_type = kOpType,
      .formals = {"x", "y"},
      .granularities = {{"per_tensor", "", 0}},
      .newest_since_version = 13,
      .generators = {{"all_codes", 1, "Each code once."},
                     {"random", 1, "Random codes, and shapes of rank 2."}},
      .probed_contents = 4,
      .frozen_levels = {{25,
                         {0x94f9349d90e54c25, 0x8e5f41cd8e444389, 0x8e5f41cd8e444389},
                         0x9466ef77f7122d6a}},
      .contents = Contents,
      .check_variant = CheckVariant,
      .make_content = MakeContent,
      .negative_models = NegativeModels};
  return cases;
}

}  // namespace qconform::identity8
