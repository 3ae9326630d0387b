// QLinearConv's lists: what each level asks.
#include <array>
#include <utility>

#include "cases/convolution/covered_sizes.h"
#include "cases/convolution/generators.h"
#include "cases/core/covered_sums.h"
#include "cases/core/operator_cases.h"
#include "cases/operators/q_linear_conv/generators.h"
#include "cases/operators/q_linear_conv/negative/models.h"
#include "oracle/formats/codes.h"

namespace qconform::generators {
namespace {

constexpr QLinearConvGenerator kOwnGenerators[] = {
    {{"boundaries", 1,
      "Sums with B at and next to the points where requantization changes its mind, in "
      "each output channel by its own scale."},
     FillQLinearConvBoundaries,
     8},
    {{"readings", 1,
      "Sums with B for which the exact requantization, FLOAT multipliers, dequantizing, "
      "fixed-point multipliers and chains of DOUBLE operations differ."},
     FillQLinearConvReadings,
     24},
    {{"exact_ties", 1,
      "Ties by scales that are powers of two, of either sign, with odd zero points: no "
      "FLOAT operation rounds them."},
     FillQLinearConvTies,
     4},
    {{"saturation", 1,
      "Results at both ends of y and so far beyond that narrow conversions wrap."},
     FillQLinearConvSaturation,
     4},
    {{"bias", 1,
      "B at the ends of INT32 against sums of the other sign, beyond 2^24 and odd, "
      "cancelling the sum, and much larger than it."},
     FillQLinearConvBias,
     2 * kQLinearConvBiases},
    {{"degenerate", 1,
      "Each of the three scales zero, negative, subnormal, infinite or NaN, and vectors "
      "of these."},
     FillQLinearConvDegenerate,
     kQLinearConvDegenerates},
    {{"overflow", 1,
      "Sums of 33030 products, and sums with B, at the ends of INT32 and beyond."},
     FillQLinearConvOverflow,
     4},
};

const QLinearConvGenerator* FindOwn(std::string_view name) {
  for (const QLinearConvGenerator& generator : kOwnGenerators) {
    if (generator.info.name == name) return &generator;
  }
  return nullptr;
}

// B is there, absent and of an empty name in turn.
BiasForm BiasOf(int index) {
  switch (index % 8) {
    case 3:
      return BiasForm::kAbsent;
    case 6:
      return BiasForm::kEmpty;
    default:
      return BiasForm::kPresent;
  }
}

void Add(std::vector<ContentName>& contents, std::string_view name, int index) {
  const QLinearConvGenerator* own = FindOwn(name);
  const bool is_about_bias = name == "bias";
  const BiasForm form = is_about_bias ? BiasForm::kPresent : BiasOf(index);
  contents.push_back(
      {VariantText(form),
       own != nullptr ? own->info.name : FindConvolutionGenerator(name)->name, index});
}

// The rows of a covering array, and larger convolutions.
void AddSizes(const Cell& cell, std::vector<ContentName>& contents) {
  constexpr std::array kForms{BiasForm::kPresent, BiasForm::kAbsent, BiasForm::kEmpty};
  CoveredConvolutions sizes(cell, static_cast<int>(kForms.size()));
  for (int place = 1; place < kCoveredSums; ++place) {
    CoveredConvolutions::Row row = sizes.Next(place);
    contents.push_back({VariantText(kForms[static_cast<size_t>(row.variant)]), "sizes",
                        row.index, std::move(row.levels)});
  }
  for (int i = 0; i < kLargeConvolutions; ++i) {
    Add(contents, "sizes", kFirstLargeConvolution + i);
  }
}

std::vector<ContentName> ContentsOfCell(const Cell& cell, Level level) {
  std::vector<ContentName> contents;
  const int turn = TurnOf(cell);
  if (level == Level::kSmoke) {
    // What finds most wrong implementations.
    Add(contents, "windows", 1);
    Add(contents, "padding", 4);
    Add(contents, "auto_pad", 4 + turn % 2);
    Add(contents, "auto_pad", 15 - turn % 2);
    Add(contents, "groups", 1);
    Add(contents, "groups", 12);
    Add(contents, "long_sums", 3);
    Add(contents, "equal_sizes", 4);
    Add(contents, "extremes", 2);
    Add(contents, "boundaries", 1);
    Add(contents, "exact_ties", 0);
    Add(contents, "saturation", 0);
    Add(contents, "bias", 0);
    return contents;
  }
  // One after the other, so that the first ones have something of each: later definitions
  // are probed with those.
  for (int place = 0;; ++place) {
    const size_t before = contents.size();
    for (const QLinearConvGenerator& generator : kOwnGenerators) {
      if (place < generator.count) Add(contents, generator.info.name, place);
    }
    for (const ConvolutionGenerator& generator : ConvolutionGenerators()) {
      if (place < generator.count) Add(contents, generator.name, place);
    }
    if (contents.size() == before) break;
  }
  AddSizes(cell, contents);
  if (level == Level::kExhaustive) {
    const int huge = 2 * turn % kHugeConvolutions;
    Add(contents, "huge", huge);
    Add(contents, "huge", huge + 1);
  }
  return contents;
}

Tensor PackScales(const Shape& shape, const std::vector<uint64_t>& codes) {
  Tensor tensor = Tensor::Zeros(DataType::kFloat, shape);
  for (size_t i = 0; i < codes.size(); ++i) {
    WriteCode(tensor.mutable_view(), static_cast<int64_t>(i), codes[i]);
  }
  return tensor;
}

Tensor PackBias(const std::vector<int32_t>& bias) {
  Tensor tensor = Tensor::Zeros(DataType::kInt32, {static_cast<int64_t>(bias.size())});
  for (size_t i = 0; i < bias.size(); ++i) {
    WriteCode(tensor.mutable_view(), static_cast<int64_t>(i),
              static_cast<uint32_t>(bias[i]));
  }
  return tensor;
}

Content ToContent(const QLinearConvQuestion& question) {
  Content content;
  content.node.op_type = question.cell.op_type;
  content.node.inputs = {"x",       "x_scale",      "x_zero_point", "w",
                         "w_scale", "w_zero_point", "y_scale",      "y_zero_point"};
  content.node.outputs = {"y"};
  content.node.attributes = question.Attributes();
  const Tensor w_zero_point = question.PackWZeroPoint();
  content.operands = {question.PackX(),
                      PackScales({}, {question.x_scale}),
                      question.PackXZeroPoint(),
                      question.PackW(),
                      PackScales(w_zero_point.shape, question.w_scales),
                      w_zero_point,
                      PackScales({}, {question.y_scale}),
                      PackBytes(question.y.type, {}, {question.y_zero_point}),
                      Tensor()};
  content.constant.assign(content.operands.size(), Constant::kParameter);
  content.constant[0] = Constant::kNever;
  content.constant[3] = Constant::kWeight;
  content.constant[8] = Constant::kWeight;
  if (question.bias_form == BiasForm::kPresent) {
    content.node.inputs.emplace_back("B");
    content.operands[8] = PackBias(question.bias);
  } else if (question.bias_form == BiasForm::kEmpty) {
    content.node.inputs.emplace_back();
  }
  content.outputs = {{"y", question.y.type, question.geometry.YShape()}};
  return content;
}

Result<Content> MakeContent(const Cell& cell, const ContentName& name, CounterRng rng) {
  const auto form = ParseQLinearConvVariant(cell, name.variant);
  if (!form) return form.error();
  QLinearConvQuestion question(cell, *form, name.index, rng);
  if (const QLinearConvGenerator* own = FindOwn(name.generator)) {
    own->fill(question);
  } else {
    FindConvolutionGenerator(name.generator)->fill(question);
    FinishQLinearConv(question, name.generator);
  }
  return ToContent(question);
}

Status CheckVariant(const Cell& cell, std::string_view variant) {
  const auto parsed = ParseQLinearConvVariant(cell, variant);
  return parsed ? Ok() : parsed.error();
}

OperatorCases MakeCases() {
  OperatorCases cases{
      .op_type = "QLinearConv",
      .formals = {"x", "w", "y"},
      .granularities = {{"per_tensor", "", 0}, {"per_channel", "", 1}},
      .newest_since_version = 10,
      .rules_since = {10},
      .generators = {},
      .has_weights = true,
      .probed_contents = 40,
      .frozen_levels = {{25,
                         {0x61f405eae780cb9b, 0x3db746607410a59f, 0x5216de2b266c7d17},
                         0x669781d5004c0d14}},
      .contents = ContentsOfCell,
      .check_variant = CheckVariant,
      .make_content = MakeContent,
      .negative_models = QLinearConvNegativeModels,
  };
  for (const auto& generator : kOwnGenerators) cases.generators.push_back(generator.info);
  for (const ConvolutionGenerator& generator : ConvolutionGenerators()) {
    cases.generators.push_back({generator.name, 1, generator.sentence});
  }
  return cases;
}

}  // namespace
}  // namespace qconform::generators

namespace qconform::q_linear_conv {

const OperatorCases& GetCases();

const OperatorCases& GetCases() {
  static const OperatorCases cases = generators::MakeCases();
  return cases;
}

}  // namespace qconform::q_linear_conv
