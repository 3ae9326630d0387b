// Where data and scales lie (GR-03, GR-07).
#include "harness/graphs/catalogue.h"
#include "harness/graphs/declare.h"
#include "harness/graphs/rewrites.h"

namespace qconform::graphs {
namespace {

const DeclareGraph kMovesAxis = HasOneOf({"Transpose"});

}  // namespace

void AddLayoutFaults(std::vector<OperatorFault>& faults) {
  Add(faults,
      {"axis_not_moved",
       "The axis of the scales stays where it is when a Transpose moves past the "
       "DequantizeLinear.",
       "passes that move DequantizeLinear behind a Transpose"},
      {.rewrite = rewrites::AxisNotMoved, .stage = 1}, Both(kMovesAxis, ManyScales));
  Add(faults,
      {"axis_of_result_not_moved",
       "The axis of the scales stays where it is when a Transpose moves past the "
       "QuantizeLinear.",
       "passes that move QuantizeLinear in front of a Transpose"},
      {.rewrite = rewrites::AxisOfOutputNotMoved, .stage = 1},
      Both(kMovesAxis, Both(ManyScales, HasOneOf({"QuantizeLinear"}))));
  Add(faults,
      {"data_not_moved", "The data stays where it is, only the shape changes.",
       "Transpose that is taken for a Reshape"},
      {.rewrite = rewrites::DataNotMoved},
      HasOneOf({"Transpose", "DepthToSpace", "SpaceToDepth"}));
  Add(faults, {"operands_swapped", "The first two operands are exchanged."},
      {.rewrite = rewrites::OperandsSwapped}, HasOneOf({"Concat", "Sub", "Div"}));
  Add(faults,
      {"depth_to_space_mode_ignored", "DepthToSpace takes the other mode.",
       "an attribute that is not read"},
      {.rewrite = rewrites::DepthToSpaceModeToggled}, HasOneOf({"DepthToSpace"}));
  Add(faults,
      {"padding_with_raw_zero", "Padding has code 0, whatever the zero point.",
       "buffers of codes that are cleared with memset"},
      {.rewrite = rewrites::PadWithRawZero},
      Both(HasOneOf({"Pad", "Conv", "MaxPool", "AveragePool"}),
           Both(IntegerOperand, [](const GraphFacts& f) {
             return f.granularity == "per_tensor" || SumsUp(f)
                        ? Deviates()
                        : Equivalent("it acts on one scale");
           })));
  Add(faults,
      {"maximum_padded_with_zero", "The padding of a MaxPool is 0.",
       "buffers that are cleared before a pool"},
      {.rewrite = rewrites::PadMaximumWithZero}, HasOneOf({"MaxPool"}));
  Add(faults, {"pad_value_dropped", "Pad fills with 0, whatever its value."},
      {.rewrite = rewrites::PadValueDropped}, HasOneOf({"Pad"}));
  Add(faults, {"gather_next_index", "Each index is that of the next element."},
      {.rewrite = rewrites::GatherNextIndex}, HasOneOf({"Gather", "GatherElements"}));
}

}  // namespace qconform::graphs
