#include "cases/operators/quantize_linear/cases.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <string>

#include "cases/operators/quantize_linear/negative/models.h"

namespace qconform::generators {
namespace {

using ZeroPoint = ZeroPointForm;

constexpr int kTails = 64;

// Their tails: those of the first contents of each, which every cell is asked, are all
// remainders modulo 16; those of others stand in where one of these has nothing to round
// (tails_asked_test.cc).
constexpr QuantizeLinearGenerator kGenerators[] = {
    {.info = {"ties", 2,
              "x nearest to y_scale * (halfway between two codes), and its neighbours on "
              "both sides, over the whole range of codes."},
     .fill = FillTies,
     .finish_tail = true,
     .tails = {0, 17, 34, 51, 46, 4}},
    {.info =
         {"quotient", 2,
          "x and y_scale that tell true division in P from the reciprocal, from other "
          "precisions and from unconverted operands."},
     .fill = FillQuotient,
     .finish_tail = true,
     .tails = {36, 53, 12, 39, 59, 3}},
    {.info =
         {"near_ties", 3,
          "FLOAT16 quotients closer to a tie of a 16-bit integer than FLOAT can tell."},
     .fill = FillNearTies,
     .tails = {39, 12, 49, 22, 59, 32}},
    {.info = {"saturation", 3,
              "Quotients at both ends of the range, and so far beyond that conversions "
              "to 16, 32 and 64 bits wrap."},
     .fill = FillSaturation,
     .finish_tail = true,
     .tails = {54, 7, 62, 24, 27, 44}},
    {.info = {"zero_points", 3,
              "Zero points at both ends, odd and in the middle, with ties all over the "
              "range; for floats also tiny, -0, NaN and infinite ones, with such x."},
     .fill = FillZeroPoints,
     .finish_tail = true,
     .tails = {24, 41, 30, 25, 12, 28}},
    {.info =
         {"specials", 2,
          "Zeros, subnormals, ends of the range, infinities, NaNs and the boundaries of "
          "narrower formats as x, with ordinary scales."},
     .fill = FillSpecials,
     .finish_tail = true,
     .tails = {10, 27, 47, 0, 20, 37}},
    {.info =
         {"subnormal", 2,
          "x, the scale in P, or the quotient is subnormal, where flushing would change "
          "the code."},
     .fill = FillSubnormal,
     .finish_tail = true,
     .tails = {44, 28, 17, 34, 54, 7}},
    {.info =
         {"conversion_range", 2,
          "Operands that overflow or become zero when they are converted to P, and their "
          "neighbours that do not."},
     .fill = FillConversionRange,
     .finish_tail = true,
     .tails = {50, 2, 23, 39, 60, 12}},
    {.info =
         {"degenerate", 3,
          "Scales that are zero, negative, subnormal, infinite or NaN, among ordinary "
          "ones."},
     .fill = FillDegenerate,
     .tails = {25, 29, 62, 60, 15, 34}},
    {.info = {"random_scaled", 2,
              "Quotients of every magnitude that matters, with random significands."},
     .fill = FillRandomScaled,
     .finish_tail = true,
     .tails = {31, 53, 4, 26, 41, 63}},
    {.info =
         {"random_bits", 2,
          "Uniform bit patterns as x, with ordinary scales and scales from anywhere."},
     .fill = FillRandomBits,
     .finish_tail = true,
     .tails = {61, 13, 34, 50, 7, 23}},
    {.info = {"nan_neighbours", 2,
              "NaN beside ordinary values, in the same byte and vector."},
     .fill = FillNanNeighbours,
     .finish_tail = true,
     .tails = {14, 51, 24, 61, 34, 7}},
    {.info =
         {"shapes", 3,
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
         {"large", 2,
          "Axes of up to 4096 channels, blocks of up to 1024 elements, long runs, and "
          "ranks from 6 on, with special x and scales scattered over them."},
     .fill = FillLarge,
     .finish_tail = true},
    {.info = {"range_ends", 2,
              "Scales of the largest and of the smallest binade of their type, with x "
              "whose quotients are codes, as far as there are any, and the largest x."},
     .fill = FillRangeEnds,
     .tails = {12, 9, 49, 46, 22, 19}},
    {.info = {"huge", 1,
              "Tensors of 131 072 elements and more, which kernels cut into parts for "
              "threads; at level exhaustive."},
     .fill = FillHuge,
     .finish_tail = true},
};

// Where the tails of a cell start: cells of one since_version go through the upper parts,
// cells of different ones through the generators that ask a tail. It is odd, so that a
// reciprocal that shows only in subnormal divisors shows in the tail of a vector of two.
int TailTurn(const Cell& cell) {
  int turn = static_cast<int>(cell.types[0]) + 2 * static_cast<int>(cell.types[2]);
  if (HasPrecision(cell.since_version)) turn += static_cast<int>(cell.types[1]);
  return 16 * turn + 11 * (cell.since_version | 1);
}

const QuantizeLinearGenerator& Find(std::string_view name) {
  for (const QuantizeLinearGenerator& generator : kGenerators) {
    if (generator.info.name == name) return generator;
  }
  assert(false && "callers check the name");
  return kGenerators[0];
}

static_assert(std::endian::native == std::endian::little,
              "codes are copied as ONNX stores them");

// x is never narrower than a byte.
Tensor PackX(const QuantizeLinearQuestion& question) {
  Tensor tensor = Tensor::Zeros(question.x.type, question.layout.x_shape);
  const auto size = static_cast<size_t>(question.x.bits / 8);
  std::byte* out = tensor.data.data();
  for (const uint32_t code : question.x_codes) {
    std::memcpy(out, &code, size);
    out += size;
  }
  return tensor;
}

std::vector<Attribute> AttributesOf(const QuantizeLinearQuestion& question) {
  std::vector<Attribute> attributes;
  const auto add = [&](const char* name, int64_t value) {
    attributes.push_back({name, value});
  };
  const QuantizeLinearVariant& variant = question.variant;
  const int since = question.cell.since_version;
  const bool spells = question.spells_defaults;
  const ChannelLayout& layout = question.layout;
  const uint64_t turn = HashOfTypes(question.cell).hash() +
                        static_cast<uint64_t>(since + question.index / 2);
  AddLayoutAttributes(layout, spells,
                      {.axis = since >= 13, .block_size = HasOutputDtype(since)}, turn,
                      attributes);  // block_size and output_dtype came with 21
  if (variant.output_dtype) {
    add("output_dtype", static_cast<int64_t>(question.y.type));
  } else if (spells && HasOutputDtype(since)) {
    add("output_dtype", 0);
  }
  if (variant.precision != DataType::kUndefined) {
    add("precision", static_cast<int64_t>(variant.precision));
  } else if (spells && HasPrecision(since)) {
    add("precision", 0);
  }
  // The default is left out, and written down, in turn.
  if (HasSaturate(question.cell.since_version) &&
      (variant.saturate == 0 || question.index % 2 == 1)) {
    add("saturate", variant.saturate);
  }
  OrderAttributes(question.attribute_order, attributes);
  return attributes;
}

}  // namespace

Content ToContent(const QuantizeLinearQuestion& question) {
  Content content;
  content.node.op_type = question.cell.op_type;
  content.node.inputs = {"x", "y_scale"};
  content.node.outputs = {"y"};
  content.node.attributes = AttributesOf(question);
  content.operands.resize(3);
  content.constant = {Constant::kNever, Constant::kParameter, Constant::kParameter};
  content.operands[0] = PackX(question);
  content.operands[1] = PackChannels(
      question.y_scale.type, question.layout, question.channels,
      [](const QuantizeLinearChannel& channel) { return channel.scale_code; });
  if (question.variant.zero_point == ZeroPoint::kPresent) {
    content.operands[2] = PackChannels(
        question.y.type, question.layout, question.channels,
        [](const QuantizeLinearChannel& channel) { return channel.zero_point_code; });
    content.node.inputs.push_back("y_zero_point");
  }
  if (question.variant.zero_point == ZeroPoint::kEmpty) content.node.inputs.push_back("");
  content.outputs = {{"y", question.y.type, question.layout.x_shape}};
  return content;
}

namespace {

Result<Content> MakeContent(const Cell& cell, const ContentName& name, CounterRng rng) {
  const auto variant = ParseQuantizeLinearVariant(cell, name.variant);
  if (!variant) return variant.error();
  const QuantizeLinearGenerator& generator = Find(name.generator);
  QuantizeLinearQuestion question(cell, *variant, name.index, rng);
  const auto place = static_cast<size_t>(name.index);
  question.tail =
      (TailTurn(cell) + generator.tails[place % generator.tails.size()]) % kTails;
  generator.fill(question);
  if (generator.finish_tail) FinishTail(question);
  return ToContent(question);
}

Status CheckVariant(const Cell& cell, std::string_view variant) {
  const auto parsed = ParseQuantizeLinearVariant(cell, variant);
  return parsed ? Ok() : parsed.error();
}

OperatorCases MakeCases() {
  OperatorCases cases{
      .op_type = "QuantizeLinear",
      .formals = {"x", "y_scale", "y"},
      .granularities = {{"per_tensor", "", 0},
                        {"per_axis", "axis", 1},
                        {"blocked", "block_size", 2}},
      .newest_since_version = 28,
      .rules_since = {10, 23},    // the precision of the computation has a name since 23
      .new_clauses_since = {28},  // the types of 6 bits
      .input_clauses =
          {{"QL-03", 2}, {"QL-04", 2}, {"QL-06", 2}, {"QL-07", 2}, {"QL-09", 2}},
      .generators = {},
      .probed_contents = 24,
      .frozen_levels = {{25,
                         {0x6e0c7746e4043987, 0xcc5f3cf6151151b0, 0x8a4390582361ff92},
                         0xd3d919501713da98},
                        {28,
                         {0x249f2eaa03e314e0, 0x02a580427fe3cd87, 0x8265ce73ee58723b},
                         0xbd83f4c184b4dd39}},
      .contents = QuantizeLinearContents,
      .check_variant = CheckVariant,
      .make_content = MakeContent,
      .negative_models = QuantizeLinearNegativeModels,
      .example = QuantizeLinearExample,
  };
  for (const auto& generator : kGenerators) cases.generators.push_back(generator.info);
  return cases;
}

}  // namespace
}  // namespace qconform::generators

namespace qconform::quantize_linear {

const OperatorCases& GetCases();

const OperatorCases& GetCases() {
  static const OperatorCases cases = generators::MakeCases();
  return cases;
}

}  // namespace qconform::quantize_linear
