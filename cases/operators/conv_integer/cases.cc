// ConvInteger's generators and lists. All but the overflow are those that convolutions
// have in common.
#include <utility>

#include "cases/convolution/covered_sizes.h"
#include "cases/convolution/generators.h"
#include "cases/convolution/values.h"
#include "cases/core/covered_sums.h"
#include "cases/core/operator_cases.h"
#include "cases/operators/conv_integer/negative/models.h"
#include "cases/operators/conv_integer/variant.h"

namespace qconform::generators {
namespace {

constexpr std::string_view kOverflow = "overflow";

std::string FirstVariant(const Cell& cell) {
  return VariantText(ConvIntegerVariants(cell).front());
}

// The variants take turns.
std::string VariantOf(const Cell& cell, const ConvolutionGenerator& generator,
                      int index) {
  const auto variants = ConvIntegerVariants(cell);
  const bool is_first = generator.has_zero_points || index % 2 == 0;
  const auto turn = static_cast<size_t>(index / 2);
  return VariantText(is_first ? variants.front() : variants[turn % variants.size()]);
}

// The rows of a covering array, and larger convolutions.
void AddSizes(const Cell& cell, std::vector<ContentName>& contents) {
  const auto variants = ConvIntegerVariants(cell);
  CoveredConvolutions sizes(cell, static_cast<int>(variants.size()));
  for (int place = 1; place < kCoveredSums; ++place) {
    CoveredConvolutions::Row row = sizes.Next(place);
    contents.push_back({VariantText(variants[static_cast<size_t>(row.variant)]), "sizes",
                        row.index, std::move(row.levels)});
  }
  for (int i = 0; i < kLargeConvolutions; ++i) {
    contents.push_back({FirstVariant(cell), "sizes", kFirstLargeConvolution + i});
  }
}

std::vector<ContentName> ContentsOfCell(const Cell& cell, Level level) {
  std::vector<ContentName> contents;
  const int turn = TurnOf(cell);
  const auto add = [&](std::string_view name, int index) {
    const ConvolutionGenerator& generator = *FindConvolutionGenerator(name);
    contents.push_back({VariantOf(cell, generator, index), generator.name, index});
  };
  if (level == Level::kSmoke) {
    // What finds most wrong implementations.
    add("windows", 1);
    add("padding", 4);
    add("auto_pad", 4 + turn % 2);
    add("auto_pad", 15 - turn % 2);
    add("groups", 1);
    add("groups", 12);
    add("long_sums", 3);
    add("equal_sizes", 4);
    add("extremes", 2);
    add("zero_points", 0);
    contents.push_back({FirstVariant(cell), kOverflow, 0});
    return contents;
  }
  // One after the other, so that the first ones have something of each: later definitions
  // are probed with those.
  for (int place = 0;; ++place) {
    const size_t before = contents.size();
    for (const ConvolutionGenerator& generator : ConvolutionGenerators()) {
      if (place < generator.count) add(generator.name, place);
    }
    if (contents.size() == before) break;
  }
  contents.push_back({FirstVariant(cell), kOverflow, 0});
  contents.push_back({FirstVariant(cell), kOverflow, 1});
  AddSizes(cell, contents);
  if (level == Level::kExhaustive) {
    const int huge = 2 * turn % kHugeConvolutions;
    add("huge", huge);
    add("huge", huge + 1);
  }
  return contents;
}

Content ToContent(const ConvolutionQuestion& question,
                  const ConvIntegerVariant& variant) {
  Content content;
  content.node.op_type = question.cell.op_type;
  content.node.inputs = {"x", "w"};
  content.node.outputs = {"y"};
  content.node.attributes = question.Attributes();
  content.operands = {question.PackX(), question.PackW(), Tensor(), Tensor()};
  content.constant = {Constant::kNever, Constant::kWeight, Constant::kParameter,
                      Constant::kParameter};
  if (variant.x == ZeroPointForm::kPresent) {
    content.node.inputs.emplace_back("x_zero_point");
    content.operands[2] = question.PackXZeroPoint();
  } else if (variant.x == ZeroPointForm::kEmpty) {
    content.node.inputs.emplace_back();
  }
  if (variant.w == ZeroPointForm::kPresent) {
    content.node.inputs.emplace_back("w_zero_point");
    content.operands[3] = question.PackWZeroPoint();
  } else if (variant.w == ZeroPointForm::kEmpty) {
    content.node.inputs.emplace_back();
  }
  content.outputs = {{"y", DataType::kInt32, question.geometry.YShape()}};
  return content;
}

Result<Content> MakeContent(const Cell& cell, const ContentName& name, CounterRng rng) {
  const auto variant = ParseConvIntegerVariant(cell, name.variant);
  if (!variant) return variant.error();
  ConvolutionQuestion question(cell, name.index, rng);
  question.has_x_zero_point = variant->x == ZeroPointForm::kPresent;
  question.has_w_zero_point = variant->w == ZeroPointForm::kPresent;
  if (name.generator == kOverflow) {
    FillConvolutionOverflow(question, name.index % 2 == 1);
  } else {
    FindConvolutionGenerator(name.generator)->fill(question);
  }
  return ToContent(question, *variant);
}

Status CheckVariant(const Cell& cell, std::string_view variant) {
  const auto parsed = ParseConvIntegerVariant(cell, variant);
  return parsed ? Ok() : parsed.error();
}

OperatorCases MakeCases() {
  OperatorCases cases{
      .op_type = "ConvInteger",
      .formals = {"x", "w", "y"},
      .granularities = {{"per_tensor", "", 0}, {"per_channel", "", 1}},
      .newest_since_version = 10,
      .rules_since = {10},
      .generators = {},
      .has_weights = true,
      .probed_contents = 40,
      .frozen_levels = {{25,
                         {0x5f6fa046a9335c2d, 0x9671159811d176d4, 0x7a189828da35f956},
                         0xd1c610a6cff4dc04}},
      .contents = ContentsOfCell,
      .check_variant = CheckVariant,
      .make_content = MakeContent,
      .negative_models = ConvIntegerNegativeModels,
  };
  for (const ConvolutionGenerator& generator : ConvolutionGenerators()) {
    cases.generators.push_back({generator.name, 1, generator.sentence});
  }
  cases.generators.push_back(
      {kOverflow, 1, "Sums at the ends of INT32 and beyond, of 33030 products."});
  return cases;
}

}  // namespace
}  // namespace qconform::generators

namespace qconform::conv_integer {

const OperatorCases& GetCases();

const OperatorCases& GetCases() {
  static const OperatorCases cases = generators::MakeCases();
  return cases;
}

}  // namespace qconform::conv_integer
