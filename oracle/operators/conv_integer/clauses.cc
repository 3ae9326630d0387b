#include "oracle/operators/conv_integer/clauses.h"

namespace qconform::conv_integer {

std::vector<Clause> AllClauses() {
  const std::vector<int> since{10};
  return {
      {.id = "CI-01",
       .text = "y = conv(x - x_zero_point, w - w_zero_point), as INT32. Differences, "
               "products and sums are exact: neither a difference nor a product wraps in "
               "the type of its operands, and no intermediate saturates or rounds. Sums "
               "of pairs of products that saturate in 16 bits are a deviation "
               "(`int16_saturating_products`). A zero point that is absent, or whose "
               "name is empty, is 0.",
       .source = "description: \"The production MUST never overflow. The accumulation "
                 "may overflow if and only if in 32 bits\"; inputs x_zero_point, "
                 "w_zero_point: \"It's optional and default value is 0\"",
       .since_versions = since,
       .tests = {"ConvInteger.NodeTests", "ConvInteger.AllTypes_AtTheirEnds",
                 "ConvInteger.PairsOfProducts_NeedMoreThan16Bits",
                 "ConvInteger.AbsentZeroPoints_AreZero"}},
      {.id = "CI-01b",
       .kind = ClauseKind::kFree,
       .text = "An exact sum outside INT32: the oracle answers it modulo 2^32, two's "
               "complement. Free within the tier `accumulator_overflow`; the report says "
               "which was seen: modulo, saturating, other.",
       .source = "description: \"The accumulation may overflow if and only if in 32 "
                 "bits\"",
       .since_versions = since,
       .tests = {"ConvInteger.SumsBeyondInt32_AreModuloAndFree",
                 "ConvIntegerOperator.AccumulatorsAreKnown"},
       .tier = Tier::kAccumulatorOverflow},
      {.id = "CI-02",
       .text = "Padded positions contribute 0 to a sum: x is padded with x_zero_point. "
               "Padding with the code 0 is a deviation (`padding_with_raw_zero`).",
       .source = "silent; ONNX's node test test_convinteger_with_padding",
       .since_versions = since,
       .tests = {"ConvInteger.NodeTests", "ConvInteger.PaddedPositions_ContributeNothing",
                 "ConvolutionGeometry.Windows"}},
      {.id = "CI-03",
       .kind = ClauseKind::kFree,
       .text = "x_zero_point is a scalar; w_zero_point is a scalar, or [M] by output "
               "channel. [1] where a scalar is meant (of w: where M is not 1): accepted "
               "with the plain meaning, or refused.",
       .source = "inputs x_zero_point: \"It's a scalar\", w_zero_point: \"a scalar or a "
                 "1-D tensor, which means a per-tensor/layer or per output channel "
                 "quantization. If it's a 1-D tensor, its number of elements should be "
                 "equal to the number of output channels (M)\"",
       .since_versions = since,
       .tests = {"ConvInteger.ZeroPointsByOutputChannel",
                 "ConvIntegerModels.Ci03_IsOpenAndAnswered"}},
      {.id = "CI-04",
       .text = "Each spatial axis has its own kernel size (of w; kernel_shape repeats "
               "it), stride, dilation and pads at its beginning and end; what is absent "
               "is 1, pads are 0. out = floor((in + pads - ((k - 1) * dilation + 1)) / "
               "stride) + 1. A kernel larger than x is legal where pads make room for "
               "it.",
       .source = "attributes kernel_shape, strides, dilations, pads (\"[x1_begin, "
                 "x2_begin...x1_end, x2_end,...]\"); ONNX's shape inference",
       .since_versions = since,
       .tests = {"ConvolutionGeometry.SizesAndPadsOfOneAxis",
                 "ConvolutionGeometry.EachAxisHasItsOwnNumbers",
                 "ConvInteger.ThreeSpatialAxes"}},
      {.id = "CI-05",
       .text = "auto_pad VALID: no pads. SAME_UPPER, SAME_LOWER: out = ceil(in / "
               "stride), pads of max(0, (out - 1) * stride + (k - 1) * dilation + 1 - "
               "in) in total, half at each side, the odd one at the end or at the "
               "beginning. These are normative. auto_pad other than NOTSET beside pads: "
               "the text forbids it, so either may count, or the model is refused; the "
               "oracle answers with the pads.",
       .source = "attribute auto_pad: \"SAME_UPPER or SAME_LOWER mean pad the input so "
                 "that output_shape[i] = ceil(input_shape[i] / strides[i])\"; attribute "
                 "pads: \"This attribute cannot be used simultaneously with auto_pad "
                 "attribute\"",
       .since_versions = since,
       .tests = {"ConvolutionGeometry.SizesAndPadsOfOneAxis",
                 "ConvolutionGeometry.Models", "ConvInteger.AutoPad"}},
      {.id = "CI-06",
       .text = "Invalid models: no x or no w, x of rank below 3, w of another rank, "
               "channels of x that are not those of w times group, M that is no "
               "multiple of group, a kernel size, stride, dilation or group below 1, "
               "pads below 0, attributes of another length than the spatial axes (pads: "
               "twice that), kernel_shape that is not w's, another word for auto_pad, an "
               "attribute that does not exist, operands that are not INT8 or UINT8, a "
               "zero point of another type than its operand or of another shape than "
               "CI-03 has. A backend may refuse them, or be lax; it must not crash.",
       .source = "type constraints; descriptions of inputs and attributes; ONNX's shape "
                 "inference",
       .since_versions = since,
       .tests = {"ConvolutionGeometry.Models", "ConvIntegerModels.Ci06_IsInvalid",
                 "ConvolutionGeometry.NumbersThatAreTooLarge_AreRefused"}},
      {.id = "CI-07",
       .kind = ClauseKind::kFree,
       .text = "An empty x, w or y: N, C or M of 0, a spatial axis of 0, a kernel for "
               "which pads leave no room. Accepted, or refused. The oracle answers an "
               "empty y, or sums of nothing, which are 0.",
       .source = "silent",
       .since_versions = since,
       .tests = {"ConvolutionGeometry.Models",
                 "ConvolutionGeometry.AKernelThatDoesNotFit_GivesNothing",
                 "ConvIntegerModels.Ci07_IsOpenAndAnswered"}},
      {.id = "CI-08",
       .text = "group: output channels m from g * M / group on are made of the channels "
               "of x from g * C / group on. w_zero_point [M] counts the output channels "
               "of all groups, not channels of x or of a group, also where their numbers "
               "are equal. group, strides and dilations hold together.",
       .source = "attribute group: \"number of groups input channels and output channels "
                 "are divided into\"; input w: \"X.shape[1] == (W.shape[1] * group) == "
                 "C\"",
       .since_versions = since,
       .tests = {"ConvInteger.GroupsHaveTheirOwnChannels",
                 "ConvolutionGeometry.Windows"}},
  };
}

}  // namespace qconform::conv_integer
