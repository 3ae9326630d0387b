// QC-09: invalid models of QLinearConv; QC-05 and QC-06: legal ones that look odd; QC-05,
// QC-06 and QC-09: open ones.
#include "cases/operators/q_linear_conv/negative/models.h"

#include "cases/convolution/negative/convolution.h"

namespace qconform::negative {
namespace {

using enum DataType;
using enum ModelPhase;

struct QLinearConvSpec {
  Operand x{kUint8, {1, 2, 5, 4}};
  Operand x_scale{kFloat, {}};
  Operand x_zero_point{kUint8, {}};
  Operand w{kUint8, {4, 2, 3, 2}};
  Operand w_scale{kFloat, {}};
  Operand w_zero_point{kUint8, {}};
  Operand y_scale{kFloat, {}, {40}};
  Operand y_zero_point{kUint8, {}};
  Operand bias{kInt32, {4}};  // one of no type is left out
  int missing = -1;           // the place of an input that is left out
  std::vector<Attribute> attributes{};
  Shape y{1, 4, 3, 3};
};

constexpr int kBias[] = {-20, 30, 7, -45};

FedModel Build(const QLinearConvSpec& spec, int opset_version) {
  ModelBuilder builder("QLinearConv", opset_version);
  const struct {
    const char* name;
    const Operand& operand;
    std::span<const int> pattern;
  } operands[] = {
      {"x", spec.x, kWholeNumbers},
      {"x_scale", spec.x_scale, ScalePattern(spec.x_scale)},
      {"x_zero_point", spec.x_zero_point, ZeroPointPattern(spec.x_zero_point)},
      {"w", spec.w, kWholeNumbers},
      {"w_scale", spec.w_scale, ScalePattern(spec.w_scale)},
      {"w_zero_point", spec.w_zero_point, ZeroPointPattern(spec.w_zero_point)},
      {"y_scale", spec.y_scale, ScalePattern(spec.y_scale)},
      {"y_zero_point", spec.y_zero_point, ZeroPointPattern(spec.y_zero_point)},
      {"B", spec.bias, kBias}};
  const auto last = std::ssize(operands) - 1;
  for (int i = 0; i <= last; ++i) {
    if (operands[i].operand.type == kUndefined) continue;
    if (i != spec.missing) {
      builder.AddInput(operands[i].name, operands[i].operand, operands[i].pattern);
    } else {
      builder.AddEmptyInput();
    }
  }
  builder.AddAttributes(spec.attributes);
  return builder.Finish({{"y", spec.y_zero_point.TypeInModel(), spec.y}});
}

FedModel BuildConvolution(const ConvolutionSpec& spec, int opset_version) {
  QLinearConvSpec whole{.x = {kUint8, spec.x},
                        .w = {kUint8, spec.w},
                        .attributes = spec.attributes,
                        .y = spec.y};
  whole.bias.shape = {spec.w.front()};
  return Build(whole, opset_version);
}

}  // namespace
}  // namespace qconform::negative

namespace qconform::generators {

std::vector<NegativeModel> QLinearConvNegativeModels() {
  using namespace negative;  // NOLINT
  std::vector<NegativeModel> models;
  const ConvolutionOperator convolution{.build = BuildConvolution,
                                        .every = {10},
                                        .invalid = "QC-09",
                                        .legal_windows = "QC-06",
                                        .legal_groups = "QC-05",
                                        .open_auto_pad = "QC-05",
                                        .open_empty = "QC-05"};
  const std::vector<int> every{10};
  using QLinearConvRows = Rows<QLinearConvSpec>;
  AddConvolutionInvalid(convolution, models);

  const QLinearConvRows inference{"QC-09", ModelKind::kInvalid, kShapeInference, models};
  inference("x_scale_float16", "x_scale is FLOAT16", every, {.x_scale = {kFloat16, {}}});
  inference("w_scale_float16", "w_scale is FLOAT16", every, {.w_scale = {kFloat16, {}}});
  inference("y_scale_bfloat16", "y_scale is BFLOAT16", every,
            {.y_scale = {kBfloat16, {}}});
  inference("x_zero_point_int8", "x is UINT8, x_zero_point is INT8", every,
            {.x_zero_point = {kInt8, {}}});
  inference("w_zero_point_int8", "w is UINT8, w_zero_point is INT8", every,
            {.w_zero_point = {kInt8, {}}});
  inference("y_zero_point_int32", "y_zero_point is INT32, which is in no T3", every,
            {.y_zero_point = {kInt32, {}}});
  inference("x_int16", "x is INT16, which is in no T1", every,
            {.x = {kInt16, {1, 2, 5, 4}}, .x_zero_point = {kInt16, {}}});
  inference("bias_float", "B is FLOAT", every, {.bias = {kFloat, {4}}});
  inference("bias_uint8", "B is UINT8", every, {.bias = {kUint8, {4}, {1, 2, 3, 4}}});

  const QLinearConvRows load{"QC-09", ModelKind::kInvalid, kLoad, models};
  load("bias_of_wrong_length", "B has 3 elements, w has 4 output channels", every,
       {.bias = {kInt32, {3}}});
  load("bias_of_a_group", "group is 2, B has one element for each output channel of one",
       every,
       {.x = {kUint8, {1, 4, 5, 4}},
        .bias = {kInt32, {2}},
        .attributes = {{"group", int64_t{2}}}});
  load("bias_scalar", "B is a scalar", every, {.bias = {kInt32, {}, {30}}},
       {.bias = {kInt32, {4}, {30}}});
  load("bias_of_rank_4", "B is [1,4,1,1]", every, {.bias = {kInt32, {1, 4, 1, 1}}},
       QLinearConvSpec{});
  load("w_scale_of_wrong_length", "w_scale has 3 elements, w has 4 output channels",
       every, {.w_scale = {kFloat, {3}}, .w_zero_point = {kUint8, {3}}});
  load("w_scale_per_input_channel", "w_scale has 2 elements, one for each input channel",
       every, {.w_scale = {kFloat, {2}}, .w_zero_point = {kUint8, {2}}});
  load("w_zero_point_scalar_for_vector_scale", "w_scale is [M], w_zero_point is a scalar",
       every, {.w_scale = {kFloat, {4}}, .w_zero_point = {kUint8, {}, {2}}},
       {.w_scale = {kFloat, {4}}, .w_zero_point = {kUint8, {4}, {2}}});
  load("w_scale_scalar_for_vector_zero_point", "w_scale is a scalar, w_zero_point is [M]",
       every, {.w_scale = {kFloat, {}, {6}}, .w_zero_point = {kUint8, {4}}},
       {.w_scale = {kFloat, {4}, {6}}, .w_zero_point = {kUint8, {4}}});
  load("w_zero_point_of_wrong_length", "w_scale has 4 elements, w_zero_point has 3",
       every, {.w_scale = {kFloat, {4}}, .w_zero_point = {kUint8, {3}}});
  load("x_scale_per_channel", "x_scale has 2 elements, one for each channel", every,
       {.x_scale = {kFloat, {2}}, .x_zero_point = {kUint8, {2}}});
  load("y_scale_per_channel", "y_scale has 4 elements, one for each output channel",
       every, {.y_scale = {kFloat, {4}}, .y_zero_point = {kUint8, {4}}});

  const QLinearConvRows run{"QC-09", ModelKind::kInvalid, kRun, models};
  run("feeds_bias_of_wrong_length", "B is declared as [4] and fed with 3 elements", every,
      {.bias = {.type = kInt32, .shape = {3}, .declared_shape = Shape{4}}});
  run("feeds_w_scale_of_wrong_length",
      "w_scale is declared as [4] and fed with 3 elements", every,
      {.w_scale = {.type = kFloat, .shape = {3}, .declared_shape = Shape{4}},
       .w_zero_point = {kUint8, {4}}});

  const QLinearConvRows checker{"QC-09", ModelKind::kInvalid, kChecker, models};
  checker("no_x", "x is not there", every, {.missing = 0});
  checker("no_x_scale", "x_scale is not there", every, {.missing = 1});
  checker("no_x_zero_point", "x_zero_point is not there", every, {.missing = 2});
  checker("no_w", "w is not there", every, {.missing = 3});
  checker("no_w_scale", "w_scale is not there", every, {.missing = 4});
  checker("no_w_zero_point", "w_zero_point is not there", every, {.missing = 5});
  checker("no_y_scale", "y_scale is not there", every, {.missing = 6});
  checker("no_y_zero_point", "y_zero_point is not there", every, {.missing = 7});

  AddConvolutionLegal(convolution, models);
  const QLinearConvRows legal{"QC-06", ModelKind::kLegal, kNone, models};
  legal("legal_per_channel", "w_scale and w_zero_point are [M]", every,
        {.w_scale = {kFloat, {4}}, .w_zero_point = {kUint8, {4}, {3, 0, 2, 1}}});
  legal("legal_one_channel", "M is 1, w_scale and w_zero_point are [1]", every,
        {.w = {kUint8, {1, 2, 3, 2}},
         .w_scale = {kFloat, {1}},
         .w_zero_point = {kUint8, {1}},
         .bias = {kInt32, {1}},
         .y = {1, 1, 3, 3}});
  legal("legal_equal_sizes", "M, C, and both sides of the kernel are 3", every,
        {.x = {kUint8, {3, 3, 5, 5}},
         .w = {kUint8, {3, 3, 3, 3}},
         .w_scale = {kFloat, {3}},
         .w_zero_point = {kUint8, {3}, {3, 0, 5}},
         .bias = {kInt32, {3}},
         .y = {3, 3, 3, 3}});
  const QLinearConvRows legal_bias{"QC-09", ModelKind::kLegal, kNone, models};
  legal_bias("legal_no_bias", "B is absent", every, {.bias = {}});
  legal_bias("legal_bias_of_empty_name", "the name of B is empty", every, {.missing = 8});

  AddConvolutionOpen(convolution, models);
  const QLinearConvRows open{"QC-06", ModelKind::kOpen, kNone, models};
  open("open_x_of_shape_1", "x_scale and x_zero_point are [1]", every,
       {.x_scale = {kFloat, {1}}, .x_zero_point = {kUint8, {1}}});
  open("open_w_of_shape_1", "w_scale and w_zero_point are [1], w has 4 output channels",
       every, {.w_scale = {kFloat, {1}}, .w_zero_point = {kUint8, {1}}});
  open("open_y_of_shape_1", "y_scale and y_zero_point are [1]", every,
       {.y_scale = {kFloat, {1}, {40}}, .y_zero_point = {kUint8, {1}}});
  const QLinearConvRows mixed{"QC-09", ModelKind::kOpen, kNone, models};
  mixed("open_x_zero_point_of_shape_1", "x_scale is a scalar, x_zero_point is [1]", every,
        {.x_zero_point = {kUint8, {1}}});
  mixed("open_y_scale_of_shape_1", "y_scale is [1], y_zero_point is a scalar", every,
        {.y_scale = {kFloat, {1}, {40}}});
  return models;
}

}  // namespace qconform::generators
