#include "cases/operators/dynamic_quantize_linear/cases.h"

#include <cassert>
#include <string>
#include <utility>

#include "cases/operators/dynamic_quantize_linear/negative/models.h"
#include "oracle/base/expected.h"
#include "oracle/formats/codes.h"

namespace qconform::generators {
namespace {

constexpr DynamicQuantizeGenerator kGenerators[] = {
    {{"scales", 1,
      "Ranges for which the scale of the function body differs from those of an exact or "
      "DOUBLE range, of a reciprocal of 255, and of ends that are divided before they "
      "are "
      "subtracted."},
     FillDynamicScales},
    {{"zero_points", 1,
      "Ranges with -min / y_scale so near to a tie that the zero point depends on every "
      "rounding before it."},
     FillDynamicZeroPoints},
    {{"zero_point_ties", 1,
      "Zero points that are ties, to both sides, and y that saturates because of them."},
     FillZeroPointTies},
    {{"one_sided", 1,
      "x of one sign, far from 0 or up to a zero of either sign, and of one element."},
     FillOneSided},
    {{"ties", 1,
      "Every multiple and a half of a scale of few bits, with even and odd zero points."},
     FillDynamicTies},
    {{"quotients", 1,
      "x beside every boundary between two codes of y, with a scale that uses all bits."},
     FillDynamicQuotients},
    {{"lengths", 1, "1 to 64 elements, and lengths around powers of two, up to 33001."},
     FillDynamicLengths},
    {{"end_places", 1,
      "The highest and the lowest value once in each of 128 places that a kernel's loop "
      "may take in one round."},
     FillEndPlaces},
    {{"shapes", 1, "Ranks 0 to 8, with dimensions of 1."}, FillDynamicShapes},
    {{"constant", 1, "All elements equal, and zeros of either or both signs."},
     FillDynamicConstant},
    {{"subnormal", 1,
      "Scales that are subnormal or 0 although x is not all 0, and subnormal x."},
     FillDynamicSubnormal},
    {{"range_ends", 1, "Ranges that overflow FLOAT, and their neighbours."},
     FillDynamicRangeEnds},
    {{"specials", 1, "NaN and infinite x at both ends and in the middle."},
     FillDynamicSpecials},
    {{"random", 1, "Uniform bits, values as activations are, and whole numbers."},
     FillDynamicRandom},
    {{"sizes", 1,
      "Every length from 1 to 64 four times, with ranks and opset_versions by a covering "
      "array."},
     FillDynamicSizes},
    {{"large", 1, "Up to 100003 elements."}, FillDynamicLarge},
    {{"huge", 1,
      "Tensors of 131 072 elements and more, which kernels cut into parts for threads; "
      "at level exhaustive."},
     FillDynamicHuge},
};

const DynamicQuantizeGenerator& Find(std::string_view name) {
  for (const DynamicQuantizeGenerator& generator : kGenerators) {
    if (generator.info.name == name) return generator;
  }
  assert(false && "callers check the name");
  return kGenerators[0];
}

Status CheckVariant(const Cell& cell, std::string_view variant) {
  if (variant == "plain") return Ok();
  return Expected("variant of " + CellId(cell), "plain",
                  "'" + std::string(variant) + "'");
}

Result<Content> MakeContent(const Cell& cell, const ContentName& name, CounterRng rng) {
  if (const Status valid = CheckVariant(cell, name.variant); !valid) return valid.error();
  DynamicQuantizeQuestion question(name.index, rng);
  Find(name.generator).fill(question);
  Tensor x = Tensor::Zeros(cell.types[0], question.shape);
  int64_t place = 0;
  for (const uint32_t code : question.x) WriteCode(x.mutable_view(), place++, code);
  Content content;
  content.node.op_type = cell.op_type;
  content.node.inputs = {"x"};
  content.node.outputs = {"y", "y_scale", "y_zero_point"};
  content.constant = {Constant::kNever};
  content.outputs = {{"y", cell.types[1], question.shape},
                     {"y_scale", cell.types[0], {}},
                     {"y_zero_point", cell.types[1], {}}};
  content.operands.push_back(std::move(x));
  return content;
}

OperatorCases MakeCases() {
  OperatorCases cases{
      .op_type = "DynamicQuantizeLinear",
      .formals = {"x", "y"},
      .granularities = {{"per_tensor", "", 0}},
      .newest_since_version = 11,
      .rules_since = {11},
      .generators = {},
      .has_parameters = false,
      .probed_contents = 200,
      .frozen_levels = {{25,
                         {0x003367f6ea7e349d, 0x952864d6bbca86df, 0xdb2d935168ead941},
                         0x747a36cfe1a6fe25}},
      .contents = DynamicQuantizeContents,
      .check_variant = CheckVariant,
      .make_content = MakeContent,
      .negative_models = DynamicQuantizeNegativeModels,
  };
  for (const auto& generator : kGenerators) cases.generators.push_back(generator.info);
  return cases;
}

}  // namespace
}  // namespace qconform::generators

namespace qconform::dynamic_quantize_linear {

const OperatorCases& GetCases();

const OperatorCases& GetCases() {
  static const OperatorCases cases = generators::MakeCases();
  return cases;
}

}  // namespace qconform::dynamic_quantize_linear
