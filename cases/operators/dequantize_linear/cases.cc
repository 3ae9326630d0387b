#include "cases/operators/dequantize_linear/cases.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "cases/operators/dequantize_linear/negative/models.h"
#include "oracle/formats/codes.h"

namespace qconform::generators {
namespace {

constexpr int kTails = 64;

// Their tails: those of the contents that every cell is asked are all remainders modulo
// 16 (contents_asked_test.cc).
constexpr DequantizeLinearGenerator kGenerators[] = {
    {.info = {"products", 1,
              "x and x_scale that tell one rounded product from those with converted "
              "operands, other precisions and distributed zero points."},
     .fill = FillProducts,
     .finish_tail = true,
     .tails = {0, 17, 34, 57, 10, 43}},
    {.info = {"ties", 1,
              "Products halfway between two values of y, and their neighbours, as far as "
              "the types have any."},
     .fill = FillTies,
     .finish_tail = true,
     .tails = {3, 20, 37, 54, 7, 24}},
    {.info = {"codes", 1,
              "Every code of x; of 16 bits a part of them, so that cells of equal x have "
              "all of them together."},
     .fill = FillCodes,
     .finish_tail = true,
     .tails = {9, 26, 41, 58, 25, 42}},
    {.info = {"differences", 1,
              "Integer x and zero points at opposite ends of their range, next to each "
              "other, and INT32 that FLOAT cannot hold."},
     .fill = FillDifferences,
     .finish_tail = true,
     .tails = {11, 28, 45, 62, 15, 32}},
    {.info = {"zero_points", 1,
              "Zero points of float x that are not 0: ordinary, tiny, -0, largest, not a "
              "number, infinite; with every code as x."},
     .fill = FillZeroPoints,
     .finish_tail = true,
     .tails = {11, 28, 45, 62, 15, 32}},
    {.info = {"subnormal", 1,
              "Products that are subnormal in y, and scales that are or become so, where "
              "flushing would change the code."},
     .fill = FillSubnormal,
     .tails = {13, 30, 47, 0, 17, 34}},
    {.info = {"range_ends", 1,
              "Products at both ends of y's range, and scales of the largest and of the "
              "smallest binade of their type."},
     .fill = FillRangeEnds,
     .tails = {14, 31, 48, 1, 18, 35}},
    {.info =
         {"conversion_range", 1,
          "Scales and differences that overflow or become zero when they are converted "
          "to y's type, and their neighbours that do not."},
     .fill = FillConversionRange,
     .tails = {2, 19, 36, 53, 6, 23}},
    {.info =
         {"degenerate", 1,
          "Scales that are zero, negative, subnormal, infinite or NaN, among ordinary "
          "ones."},
     .fill = FillDegenerate,
     .tails = {15, 3, 49, 2, 36, 5}},
    {.info =
         {"random_bits", 1,
          "Uniform bit patterns as x, with ordinary scales and scales from anywhere."},
     .fill = FillRandomBits,
     .finish_tail = true,
     .tails = {13, 30, 47, 61, 14, 31}},
    {.info =
         {"shapes", 1,
          "Ranks, axes, block sizes, empty dimensions, whole vectors and tails of all "
          "lengths, with scales and zero points that a wrong index would confuse."},
     .fill = FillShapes,
     .finish_tail = true},
    {.info = {"sizes", 1,
              "Every length from 0 to 64, with ranks, axes, blocks, attributes, "
              "opset_versions and operand forms by a covering array."},
     .fill = FillSizes,
     .finish_tail = true},
    {.info =
         {"large", 1,
          "Axes of up to 4096 channels, blocks of up to 1024 elements, long runs, and "
          "ranks from 6 on."},
     .fill = FillLarge,
     .finish_tail = true},
    {.info = {"huge", 1,
              "Tensors of 131 072 elements and more, which kernels cut into parts for "
              "threads; at level exhaustive."},
     .fill = FillHuge,
     .finish_tail = true},
};

// Where the tails of a cell start: cells of one since_version go through the upper parts,
// cells of different ones through the generators that ask a tail.
int TailTurn(const Cell& cell) {
  const int turn = static_cast<int>(cell.types[0]) + 2 * static_cast<int>(cell.types[1]) +
                   static_cast<int>(cell.types[2]);
  return 16 * turn + 11 * (cell.since_version | 1);
}

const DequantizeLinearGenerator& Find(std::string_view name) {
  for (const DequantizeLinearGenerator& generator : kGenerators) {
    if (generator.info.name == name) return generator;
  }
  assert(false && "callers check the name");
  return kGenerators[0];
}

Tensor PackX(const DequantizeLinearQuestion& question) {
  Tensor tensor = Tensor::Zeros(question.x.type, question.layout.x_shape);
  int64_t index = 0;
  for (const uint32_t code : question.x_codes) {
    WriteCode(tensor.mutable_view(), index++, code);
  }
  if (question.sets_unused_bits && !tensor.data.empty()) {
    tensor.data.back() |= ~LastByteMask(tensor.type, question.layout.element_count);
  }
  return tensor;
}

std::vector<Attribute> AttributesOf(const DequantizeLinearQuestion& question) {
  using OutputDtype = DequantizeLinearVariant::OutputDtype;
  std::vector<Attribute> attributes;
  const int since = question.cell.since_version;
  const uint64_t turn = HashOfTypes(question.cell).hash() +
                        static_cast<uint64_t>(since + question.index / 2);
  AddLayoutAttributes(question.layout, question.spells_defaults,
                      {.axis = DequantizeLinearHasAxis(since),
                       .block_size = DequantizeLinearHasBlocks(since)},
                      turn, attributes);
  if (question.variant.output_dtype != OutputDtype::kAbsent) {
    const bool given = question.variant.output_dtype == OutputDtype::kGiven;
    attributes.push_back(
        {"output_dtype", given ? static_cast<int64_t>(question.y.type) : int64_t{0}});
  }
  OrderAttributes(question.attribute_order, attributes);
  return attributes;
}

Content ToContent(const DequantizeLinearQuestion& question) {
  Content content;
  content.node.op_type = question.cell.op_type;
  content.node.inputs = {"x", "x_scale"};
  content.node.outputs = {"y"};
  content.node.attributes = AttributesOf(question);
  content.operands.resize(3);
  content.constant = {Constant::kNever, Constant::kParameter, Constant::kParameter};
  content.operands[0] = PackX(question);
  content.operands[1] = PackChannels(
      question.x_scale.type, question.layout, question.channels,
      [](const DequantizeLinearChannel& channel) { return channel.scale_code; });
  if (question.has_zero_point()) {
    content.operands[2] = PackChannels(
        question.x.type, question.layout, question.channels,
        [](const DequantizeLinearChannel& channel) { return channel.zero_point_code; });
    content.node.inputs.push_back("x_zero_point");
  }
  if (question.variant.zero_point == ZeroPointForm::kEmpty) {
    content.node.inputs.push_back("");
  }
  content.outputs = {{"y", question.y.type, question.layout.x_shape}};
  return content;
}

Result<Content> MakeContent(const Cell& cell, const ContentName& name, CounterRng rng) {
  const auto variant = ParseDequantizeLinearVariant(cell, name.variant);
  if (!variant) return variant.error();
  const DequantizeLinearGenerator& generator = Find(name.generator);
  DequantizeLinearQuestion question(cell, *variant, name.index, rng);
  const auto place = static_cast<size_t>(name.index);
  question.tail =
      (TailTurn(cell) + generator.tails[place % generator.tails.size()]) % kTails;
  question.sets_unused_bits = name.index % 2 == 0;
  generator.fill(question);
  if (generator.finish_tail) FinishTail(question);
  return ToContent(question);
}

Status CheckVariant(const Cell& cell, std::string_view variant) {
  const auto parsed = ParseDequantizeLinearVariant(cell, variant);
  return parsed ? Ok() : parsed.error();
}

OperatorCases MakeCases() {
  OperatorCases cases{
      .op_type = "DequantizeLinear",
      .formals = {"x", "x_scale", "y"},
      .granularities = {{"per_tensor", "", 0},
                        {"per_axis", "axis", 1},
                        {"blocked", "block_size", 2}},
      .newest_since_version = 28,
      // The type of the product has a name since 23.
      .rules_since = {10, 21, 23},
      .new_clauses_since = {24, 28},
      .input_clauses = {{"DQ-05", 2}, {"DQ-07", 1}, {"DQ-08", 1}, {"DQ-11", 2}},
      .generators = {},
      .probed_contents = 12,
      .frozen_levels = {{25,
                         {0x43cf389fadce349b, 0x0b91b65506c22b68, 0xa69e54853e247d9f},
                         0x03a84501a3fb31dc},
                        {28,
                         {0x10870b1047991f02, 0x0cc489044eaf1507, 0xd3b6a694c73dbeb9},
                         0x405ec0466dc5def2}},
      .contents = DequantizeLinearContents,
      .check_variant = CheckVariant,
      .make_content = MakeContent,
      .negative_models = DequantizeLinearNegativeModels,
      .example = DequantizeLinearExample,
  };
  for (const auto& generator : kGenerators) cases.generators.push_back(generator.info);
  return cases;
}

}  // namespace
}  // namespace qconform::generators

namespace qconform::dequantize_linear {

const OperatorCases& GetCases();

const OperatorCases& GetCases() {
  static const OperatorCases cases = generators::MakeCases();
  return cases;
}

}  // namespace qconform::dequantize_linear
