#include "cases/convolution/negative/convolution.h"

#include <string>

namespace qconform::negative {
namespace {

using enum ModelPhase;

// What Rows builds models from.
struct ConvolutionModel {
  const ConvolutionOperator* op = nullptr;
  ConvolutionSpec spec{};
};
FedModel Build(const ConvolutionModel& model, int opset_version) {
  return model.op->build(model.spec, opset_version);
}

// Rows of an operator.
class ConvolutionRows {
 public:
  ConvolutionRows(const ConvolutionOperator& op, const char* clause, ModelKind kind,
                  ModelPhase phase, std::vector<NegativeModel>& models)
      : op_(op), rows_{clause, kind, phase, models} {}

  void operator()(const char* name, const char* sentence,
                  const ConvolutionSpec& spec) const {
    rows_(name, sentence, op_.every, {&op_, spec});
  }
  // `meaning` is the legal model that means the same.
  void operator()(const char* name, const char* sentence, const ConvolutionSpec& spec,
                  const ConvolutionSpec& meaning) const {
    rows_(name, sentence, op_.every, {&op_, spec}, ConvolutionModel{&op_, meaning});
  }

 private:
  const ConvolutionOperator& op_;
  Rows<ConvolutionModel> rows_;
};

Attribute Integers(const char* name, std::vector<int64_t> values) {
  return {name, std::move(values)};
}
Attribute Group(int64_t group) { return {"group", group}; }
Attribute AutoPadOf(const char* value) { return {"auto_pad", std::string(value)}; }

}  // namespace

void AddConvolutionInvalid(const ConvolutionOperator& op,
                           std::vector<NegativeModel>& models) {
  const ConvolutionRows inference(op, op.invalid, ModelKind::kInvalid, kShapeInference,
                                  models);
  inference("x_rank_2", "x is [1,2]: there is no spatial axis",
            {.x = {1, 2}, .w = {4, 2}, .y = {1, 4}});
  inference("w_rank_3", "x is [1,2,5,4], w is [4,2,3]", {.w = {4, 2, 3}});
  inference("w_rank_5", "x is [1,2,5,4], w is [4,2,3,2,1]", {.w = {4, 2, 3, 2, 1}});
  inference("kernel_of_0", "w is [4,2,0,2]: the kernel has no rows", {.w = {4, 2, 0, 2}});
  inference("kernel_shape_of_length_1", "kernel_shape is [3], there are two spatial axes",
            {.attributes = {Integers("kernel_shape", {3})}});
  inference("kernel_shape_of_0", "kernel_shape is [0,2]",
            {.attributes = {Integers("kernel_shape", {0, 2})}});
  inference("strides_of_length_1", "strides is [2], there are two spatial axes",
            {.attributes = {Integers("strides", {2})}});
  inference("strides_of_length_3", "strides is [1,1,1], there are two spatial axes",
            {.attributes = {Integers("strides", {1, 1, 1})}});
  inference("stride_of_0", "strides is [0,1]",
            {.attributes = {Integers("strides", {0, 1})}});
  inference("stride_below_0", "strides is [1,-1]",
            {.attributes = {Integers("strides", {1, -1})}});
  inference("dilations_of_length_1", "dilations is [1], there are two spatial axes",
            {.attributes = {Integers("dilations", {1})}});
  inference("dilation_of_0", "dilations is [1,0]",
            {.attributes = {Integers("dilations", {1, 0})}});
  inference("dilation_below_0", "dilations is [-1,1]",
            {.attributes = {Integers("dilations", {-1, 1})}});
  inference("pads_of_length_2", "pads is [1,1], there are two spatial axes",
            {.attributes = {Integers("pads", {1, 1})}});
  inference("pad_below_0", "pads is [0,0,-1,0]",
            {.attributes = {Integers("pads", {0, 0, -1, 0})}});

  const ConvolutionRows load(op, op.invalid, ModelKind::kInvalid, kLoad, models);
  load("channels_differ", "x has 3 channels, w has 2 in one group", {.x = {1, 3, 5, 4}});
  load("channels_of_groups", "x has 2 channels in 2 groups, w has 2 channels",
       {.attributes = {Group(2)}});
  load("group_does_not_divide_channels", "group is 2, x has 5 channels",
       {.x = {1, 5, 5, 4}, .attributes = {Group(2)}});
  load("group_does_not_divide_outputs", "group is 2, w has 3 output channels",
       {.x = {1, 4, 5, 4},
        .w = {3, 2, 3, 2},
        .attributes = {Group(2)},
        .y = {1, 3, 3, 3}});
  load("group_of_0", "group is 0", {.attributes = {Group(0)}});
  load("group_below_0", "group is -1", {.attributes = {Group(-1)}});
  load("kernel_shape_is_not_that_of_w", "kernel_shape is [3,3], w is [4,2,3,2]",
       {.attributes = {Integers("kernel_shape", {3, 3})}, .y = {1, 4, 3, 2}});
  load("kernel_shape_transposed", "kernel_shape is [2,3], w is [4,2,3,2]",
       {.attributes = {Integers("kernel_shape", {2, 3})}, .y = {1, 4, 4, 2}});
  load("auto_pad_of_another_word", "auto_pad is SAME",
       {.attributes = {AutoPadOf("SAME")}, .y = {1, 4, 3, 3}});
  load("auto_pad_in_lower_case", "auto_pad is same_upper",
       {.attributes = {AutoPadOf("same_upper")}, .y = {1, 4, 3, 3}});
}

void AddConvolutionLegal(const ConvolutionOperator& op,
                         std::vector<NegativeModel>& models) {
  const ConvolutionRows windows(op, op.legal_windows, ModelKind::kLegal, kNone, models);
  windows("legal_one_axis", "x has one spatial axis",
          {.x = {1, 2, 5}, .w = {4, 2, 3}, .y = {1, 4, 3}});
  windows("legal_three_axes", "x has three spatial axes",
          {.x = {1, 2, 3, 4, 5}, .w = {4, 2, 2, 1, 3}, .y = {1, 4, 2, 4, 3}});
  windows("legal_four_axes", "x has four spatial axes",
          {.x = {1, 2, 3, 2, 3, 4}, .w = {4, 2, 2, 1, 2, 3}, .y = {1, 4, 2, 2, 2, 2}});
  windows("legal_kernel_larger_than_input", "the kernel is larger than x before padding",
          {.x = {1, 2, 2, 1},
           .attributes = {Integers("pads", {1, 1, 0, 0})},
           .y = {1, 4, 1, 1}});
  windows("legal_stride_larger_than_input", "strides are larger than x",
          {.attributes = {Integers("strides", {7, 9})}, .y = {1, 4, 1, 1}});
  windows("legal_windows_of_padding", "some windows have nothing but padding",
          {.attributes = {Integers("pads", {4, 0, 0, 3})}, .y = {1, 4, 7, 6}});
  windows("legal_everything_is_written", "all attributes have their default values",
          {.attributes = {AutoPadOf("NOTSET"), Integers("dilations", {1, 1}), Group(1),
                          Integers("kernel_shape", {3, 2}),
                          Integers("pads", {0, 0, 0, 0}), Integers("strides", {1, 1})}});
  windows("legal_one_position", "the kernel is as large as x",
          {.x = {1, 2, 3, 2}, .y = {1, 4, 1, 1}});
  const ConvolutionRows groups(op, op.legal_groups, ModelKind::kLegal, kNone, models);
  groups("legal_depthwise", "each channel is a group",
         {.x = {1, 4, 5, 4}, .w = {4, 1, 3, 2}, .attributes = {Group(4)}});
  groups("legal_depthwise_multiplier", "each channel is a group of two output channels",
         {.w = {4, 1, 3, 2}, .attributes = {Group(2)}});
  groups("legal_group_with_one_output", "each group has one output channel",
         {.x = {1, 8, 5, 4}, .attributes = {Group(4)}});
}

void AddConvolutionOpen(const ConvolutionOperator& op,
                        std::vector<NegativeModel>& models) {
  const ConvolutionRows auto_pad(op, op.open_auto_pad, ModelKind::kOpen, kNone, models);
  auto_pad("open_same_upper_and_pads", "auto_pad is SAME_UPPER, pads is [1,0,1,0]",
           {.attributes = {AutoPadOf("SAME_UPPER"), Integers("pads", {1, 0, 1, 0})},
            .y = {1, 4, 5, 3}});
  auto_pad("open_valid_and_pads", "auto_pad is VALID, pads is [0,0,0,0]",
           {.attributes = {AutoPadOf("VALID"), Integers("pads", {0, 0, 0, 0})}});
  const ConvolutionRows empty(op, op.open_empty, ModelKind::kOpen, kNone, models);
  empty("open_batch_of_0", "x has a batch of 0", {.x = {0, 2, 5, 4}, .y = {0, 4, 3, 3}});
  empty("open_no_channels", "x has no channels: sums of nothing",
        {.x = {1, 0, 5, 4}, .w = {4, 0, 3, 2}});
  empty("open_no_output_channels", "w has no output channels",
        {.w = {0, 2, 3, 2}, .y = {1, 0, 3, 3}});
  empty("open_kernel_larger_than_input", "the kernel is one row larger than x",
        {.x = {1, 2, 2, 4}, .y = {1, 4, 0, 3}});
}

}  // namespace qconform::negative
