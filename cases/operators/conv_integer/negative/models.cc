// CI-06: invalid models of ConvInteger; CI-03, CI-04 and CI-08: legal ones that look odd;
// CI-03, CI-05 and CI-07: open ones.
#include "cases/operators/conv_integer/negative/models.h"

#include "cases/convolution/negative/convolution.h"

namespace qconform::negative {
namespace {

using enum DataType;
using enum ModelPhase;

struct ConvIntegerSpec {
  Operand x{kUint8, {1, 2, 5, 4}};
  Operand w{kUint8, {4, 2, 3, 2}};
  // One of no type is left out.
  Operand x_zero_point{kUint8, {}};
  Operand w_zero_point{kUint8, {}};
  bool has_x = true;
  bool has_w = true;
  std::vector<Attribute> attributes{};
  Shape y{1, 4, 3, 3};
};

FedModel Build(const ConvIntegerSpec& spec, int opset_version) {
  ModelBuilder builder("ConvInteger", opset_version);
  const auto add = [&](const char* name, const Operand& operand, bool is_there,
                       std::span<const int> pattern) {
    if (is_there) {
      builder.AddInput(name, operand, pattern);
    } else {
      builder.AddEmptyInput();
    }
  };
  add("x", spec.x, spec.has_x, kWholeNumbers);
  add("w", spec.w, spec.has_w, kWholeNumbers);
  const bool has_x_zero_point = spec.x_zero_point.type != kUndefined;
  const bool has_w_zero_point = spec.w_zero_point.type != kUndefined;
  if (has_x_zero_point || has_w_zero_point) {
    add("x_zero_point", spec.x_zero_point, has_x_zero_point,
        ZeroPointPattern(spec.x_zero_point));
  }
  if (has_w_zero_point) {
    add("w_zero_point", spec.w_zero_point, true, ZeroPointPattern(spec.w_zero_point));
  }
  builder.AddAttributes(spec.attributes);
  return builder.Finish({{"y", kInt32, spec.y}});
}

FedModel BuildConvolution(const ConvolutionSpec& spec, int opset_version) {
  return Build({.x = {kUint8, spec.x},
                .w = {kUint8, spec.w},
                .attributes = spec.attributes,
                .y = spec.y},
               opset_version);
}

}  // namespace
}  // namespace qconform::negative

namespace qconform::generators {

std::vector<NegativeModel> ConvIntegerNegativeModels() {
  using namespace negative;  // NOLINT
  std::vector<NegativeModel> models;
  const ConvolutionOperator convolution{.build = BuildConvolution,
                                        .every = {10},
                                        .invalid = "CI-06",
                                        .legal_windows = "CI-04",
                                        .legal_groups = "CI-08",
                                        .open_auto_pad = "CI-05",
                                        .open_empty = "CI-07"};
  const std::vector<int> every{10};
  using ConvIntegerRows = Rows<ConvIntegerSpec>;
  AddConvolutionInvalid(convolution, models);

  const ConvIntegerRows inference{"CI-06", ModelKind::kInvalid, kShapeInference, models};
  inference("x_zero_point_int8", "x is UINT8, x_zero_point is INT8", every,
            {.x_zero_point = {kInt8, {}}});
  inference("w_zero_point_int8", "w is UINT8, w_zero_point is INT8", every,
            {.w_zero_point = {kInt8, {}}});
  inference("x_int16", "x is INT16, which is in no T1", every,
            {.x = {kInt16, {1, 2, 5, 4}}, .x_zero_point = {kInt16, {}}});
  inference("w_int16", "w is INT16, which is in no T2", every,
            {.w = {kInt16, {4, 2, 3, 2}}, .w_zero_point = {kInt16, {}}});

  const ConvIntegerRows load{"CI-06", ModelKind::kInvalid, kLoad, models};
  load("x_zero_point_per_channel", "x_zero_point has 2 elements, one for each channel",
       every, {.x_zero_point = {kUint8, {2}}});
  load("w_zero_point_of_wrong_length", "w_zero_point has 3 elements, w has 4 channels",
       every, {.w_zero_point = {kUint8, {3}}});
  load("w_zero_point_per_input_channel",
       "w_zero_point has 2 elements, one for each input channel", every,
       {.w_zero_point = {kUint8, {2}}});
  load("w_zero_point_of_a_group",
       "group is 2, w_zero_point has one element for each output channel of a group",
       every,
       {.x = {kUint8, {1, 4, 5, 4}},
        .w_zero_point = {kUint8, {2}},
        .attributes = {{"group", int64_t{2}}}});
  load("w_zero_point_of_rank_4", "w_zero_point is [4,1,1,1]", every,
       {.w_zero_point = {kUint8, {4, 1, 1, 1}, {1, 0, 2, 3}}},
       {.w_zero_point = {kUint8, {4}, {1, 0, 2, 3}}});

  const ConvIntegerRows run{"CI-06", ModelKind::kInvalid, kRun, models};
  run("feeds_w_zero_point_of_wrong_length",
      "w_zero_point is declared as [4] and fed with 3 elements", every,
      {.w_zero_point = {.type = kUint8, .shape = {3}, .declared_shape = Shape{4}}});
  run("feeds_channels_that_differ", "x is declared with 2 channels and fed with 3", every,
      {.x = {
           .type = kUint8, .shape = {1, 3, 5, 4}, .declared_shape = Shape{1, 2, 5, 4}}});

  const ConvIntegerRows checker{"CI-06", ModelKind::kInvalid, kChecker, models};
  checker("no_x", "x is not there", every, {.has_x = false});
  checker("no_w", "w is not there", every, {.has_w = false});

  AddConvolutionLegal(convolution, models);
  const ConvIntegerRows legal{"CI-03", ModelKind::kLegal, kNone, models};
  legal("legal_no_zero_points", "both zero points are absent", every,
        {.x_zero_point = {}, .w_zero_point = {}});
  legal("legal_no_x_zero_point", "x_zero_point has an empty name", every,
        {.x_zero_point = {}, .w_zero_point = {kUint8, {4}}});
  legal("legal_w_zero_point_per_channel", "w_zero_point is [M]", every,
        {.w_zero_point = {kUint8, {4}, {3, 0, 2, 1}}});
  legal("legal_w_zero_point_of_one_channel", "M is 1, w_zero_point is [1]", every,
        {.w = {kUint8, {1, 2, 3, 2}}, .w_zero_point = {kUint8, {1}}, .y = {1, 1, 3, 3}});
  legal("legal_equal_sizes", "M, C, and both sides of the kernel are 3", every,
        {.x = {kUint8, {3, 3, 5, 5}},
         .w = {kUint8, {3, 3, 3, 3}},
         .w_zero_point = {kUint8, {3}, {3, 0, 5}},
         .y = {3, 3, 3, 3}});

  AddConvolutionOpen(convolution, models);
  const ConvIntegerRows open{"CI-03", ModelKind::kOpen, kNone, models};
  open("open_x_zero_point_of_shape_1", "x_zero_point is [1]", every,
       {.x_zero_point = {kUint8, {1}}});
  open("open_w_zero_point_of_shape_1", "w_zero_point is [1], w has 4 output channels",
       every, {.w_zero_point = {kUint8, {1}}});
  return models;
}

}  // namespace qconform::generators
