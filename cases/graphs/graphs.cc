// The graphs of all families, and the types that they are asked with.
#include "cases/graphs/makers.h"
#include "cases/graphs/table.h"

namespace qconform::generators {
namespace {

// --- the rule of types ----------------------------------------------------------

constexpr TypeRow kMainRows[] = {
    {"per_tensor", TypeSet::kQuantized, TypeSet::kFloat},
    {"per_tensor", TypeSet::kEightBitCodes, TypeSet::kHalves},
};
constexpr TypeRow kFloatScaleRows[] = {
    {"per_tensor", TypeSet::kQuantized, TypeSet::kFloat},
};
constexpr TypeRow kSampleRows[] = {
    {"per_tensor", TypeSet::kSample, TypeSet::kFloat},
};
constexpr TypeRow kMoverRows[] = {
    {"per_tensor", TypeSet::kQuantized, TypeSet::kFloat},
    {"per_tensor", TypeSet::kEightBitCodes, TypeSet::kHalves},
    {"per_axis", TypeSet::kSample, TypeSet::kFloat},
};
constexpr TypeRow kHalfMoverRows[] = {
    {"per_tensor", TypeSet::kQuantized, TypeSet::kFloat},
    {"per_axis", TypeSet::kEightBitCodes, TypeSet::kFloat},
};
constexpr TypeRow kRoundTripRows[] = {
    {"per_tensor", TypeSet::kQuantized, TypeSet::kFloat},
    {"per_tensor", TypeSet::kEightBits, TypeSet::kHalves},
    {"per_axis", TypeSet::kQuantized, TypeSet::kFloat},
    {"blocked", TypeSet::kSample, TypeSet::kFloat},
};
constexpr TypeRow kRequantizationRows[] = {
    {"per_tensor", TypeSet::kQuantized, TypeSet::kFloat, Mixing::kAnyPair},
    {"per_tensor", TypeSet::kEightBits, TypeSet::kHalves},
    {"per_axis", TypeSet::kSample, TypeSet::kFloat},
    {"blocked", TypeSet::kSample, TypeSet::kFloat},
};
constexpr TypeRow kPairsRows[] = {
    {"per_tensor", TypeSet::kQuantized, TypeSet::kFloat},
    {"per_tensor", TypeSet::kEightBitCodes, TypeSet::kFloat, Mixing::kAnyPair},
    {"per_tensor", TypeSet::kEightBitCodes, TypeSet::kHalves},
};
constexpr TypeRow kSumRows[] = {
    {"per_tensor", TypeSet::kQuantized, TypeSet::kFloat},
    {"per_tensor", TypeSet::kEightBitCodes, TypeSet::kFloat, Mixing::kMixedSum},
    {"per_tensor", TypeSet::kEightBitCodes, TypeSet::kHalves},
    {"per_axis", TypeSet::kEightBitCodes, TypeSet::kFloat, Mixing::kMixedSum},
};
constexpr TypeRow kFloatSumRows[] = {
    {"per_tensor", TypeSet::kSample, TypeSet::kFloat},
    {"per_tensor", TypeSet::kEightBitCodes, TypeSet::kFloat, Mixing::kMixedSum},
    {"per_tensor", TypeSet::kEightBitCodes, TypeSet::kHalves},
    {"per_axis", TypeSet::kEightBitCodes, TypeSet::kFloat, Mixing::kMixedSum},
};
constexpr TypeRow kEightBitSumRows[] = {
    {"per_tensor", TypeSet::kSample, TypeSet::kFloat},
    {"per_tensor", TypeSet::kEightBitCodes, TypeSet::kFloat, Mixing::kMixedSum},
    {"per_axis", TypeSet::kEightBitCodes, TypeSet::kFloat, Mixing::kMixedSum},
};
constexpr TypeRow kWeightRows[] = {
    {"per_tensor", TypeSet::kWeights, TypeSet::kFloat},
    {"per_tensor", TypeSet::kEightBitCodes, TypeSet::kHalves},
    {"per_axis", TypeSet::kWeights, TypeSet::kFloat},
    {"blocked", TypeSet::kWeights, TypeSet::kFloat},
};
constexpr TypeRow kDynamicRows[] = {
    {"per_tensor", TypeSet::kEightBitCodes, TypeSet::kFloat},
};
constexpr TypeRow kUint8Rows[] = {
    {"per_tensor", TypeSet::kUint8, TypeSet::kFloat},
};

// --- the graphs -----------------------------------------------------------------

constexpr std::string_view kRoundTrip = "graphs.round_trip";
constexpr std::string_view kRequantization = "graphs.requantization";
constexpr std::string_view kMovers = "graphs.movers";
constexpr std::string_view kChoosers = "graphs.choosers";
constexpr std::string_view kArithmetic = "graphs.arithmetic";
constexpr std::string_view kSums = "graphs.sums";
constexpr std::string_view kWeightsAlone = "graphs.weights";
constexpr std::string_view kDynamicFamily = "graphs.dynamic";

constexpr GraphInfo kGraphs[] = {
    {kRoundTrip, "Q-DQ", Ends::kFloatToFloat, kRoundTripRows, MakeRoundTrip},
    {kRequantization, "DQ-Q", Ends::kCodesToCodes, kRequantizationRows,
     MakeRequantization},
    {kRequantization, "DQ-Q,Q", Ends::kCodesToCodes, kFloatScaleRows, MakeTwoReaders},
    {kRequantization, "Q-DQ-Q-DQ", Ends::kInnerCodes, kPairsRows, MakeTwoPairs},
    {kMovers, "DQ-Identity-Q", Ends::kCodesToCodes, kMoverRows, MakeMover},
    {kMovers, "DQ-Identity", Ends::kCodesToFloat, kHalfMoverRows, MakeMover},
    {kMovers, "Identity-Q", Ends::kFloatToCodes, kSampleRows, MakeMover},
    {kMovers, "DQ-Transpose-Q", Ends::kCodesToCodes, kMoverRows, MakeMover},
    {kMovers, "DQ-Transpose", Ends::kCodesToFloat, kHalfMoverRows, MakeMover},
    {kMovers, "Transpose-Q", Ends::kFloatToCodes, kSampleRows, MakeMover},
    {kMovers, "DQ-Reshape-Q", Ends::kCodesToCodes, kMoverRows, MakeMover},
    {kMovers, "DQ-Reshape", Ends::kCodesToFloat, kHalfMoverRows, MakeMover},
    {kMovers, "Reshape-Q", Ends::kFloatToCodes, kSampleRows, MakeMover},
    {kMovers, "DQ-Flatten-Q", Ends::kCodesToCodes, kMoverRows, MakeMover},
    {kMovers, "DQ-Flatten", Ends::kCodesToFloat, kHalfMoverRows, MakeMover},
    {kMovers, "Flatten-Q", Ends::kFloatToCodes, kSampleRows, MakeMover},
    {kMovers, "DQ-Squeeze-Q", Ends::kCodesToCodes, kMoverRows, MakeMover},
    {kMovers, "DQ-Squeeze", Ends::kCodesToFloat, kHalfMoverRows, MakeMover},
    {kMovers, "Squeeze-Q", Ends::kFloatToCodes, kSampleRows, MakeMover},
    {kMovers, "DQ-Unsqueeze-Q", Ends::kCodesToCodes, kMoverRows, MakeMover},
    {kMovers, "DQ-Unsqueeze", Ends::kCodesToFloat, kHalfMoverRows, MakeMover},
    {kMovers, "Unsqueeze-Q", Ends::kFloatToCodes, kSampleRows, MakeMover},
    {kMovers, "DQ-Slice-Q", Ends::kCodesToCodes, kMoverRows, MakeMover},
    {kMovers, "DQ-Slice", Ends::kCodesToFloat, kHalfMoverRows, MakeMover},
    {kMovers, "Slice-Q", Ends::kFloatToCodes, kSampleRows, MakeMover},
    {kMovers, "DQ-Split-Q,Q", Ends::kCodesToCodes, kMoverRows, MakeMover},
    {kMovers, "DQ-Split", Ends::kCodesToFloat, kHalfMoverRows, MakeMover},
    {kMovers, "Split-Q,Q", Ends::kFloatToCodes, kSampleRows, MakeMover},
    {kMovers, "DQ,DQ-Concat-Q", Ends::kCodesToCodes, kMoverRows, MakeMover},
    {kMovers, "DQ,DQ-Concat", Ends::kCodesToFloat, kHalfMoverRows, MakeMover},
    {kMovers, "Concat-Q", Ends::kFloatToCodes, kSampleRows, MakeMover},
    {kMovers, "DQ-Gather-Q", Ends::kCodesToCodes, kMoverRows, MakeMover},
    {kMovers, "DQ-Gather", Ends::kCodesToFloat, kHalfMoverRows, MakeMover},
    {kMovers, "Gather-Q", Ends::kFloatToCodes, kSampleRows, MakeMover},
    {kMovers, "DQ-GatherElements-Q", Ends::kCodesToCodes, kMoverRows, MakeMover},
    {kMovers, "DQ-GatherElements", Ends::kCodesToFloat, kHalfMoverRows, MakeMover},
    {kMovers, "GatherElements-Q", Ends::kFloatToCodes, kSampleRows, MakeMover},
    {kMovers, "DQ-Expand-Q", Ends::kCodesToCodes, kMoverRows, MakeMover},
    {kMovers, "DQ-Expand", Ends::kCodesToFloat, kHalfMoverRows, MakeMover},
    {kMovers, "Expand-Q", Ends::kFloatToCodes, kSampleRows, MakeMover},
    {kMovers, "DQ-Tile-Q", Ends::kCodesToCodes, kMoverRows, MakeMover},
    {kMovers, "DQ-Tile", Ends::kCodesToFloat, kHalfMoverRows, MakeMover},
    {kMovers, "Tile-Q", Ends::kFloatToCodes, kSampleRows, MakeMover},
    {kMovers, "DQ-DepthToSpace-Q", Ends::kCodesToCodes, kMoverRows, MakeMover},
    {kMovers, "DQ-DepthToSpace", Ends::kCodesToFloat, kHalfMoverRows, MakeMover},
    {kMovers, "DepthToSpace-Q", Ends::kFloatToCodes, kSampleRows, MakeMover},
    {kMovers, "DQ-SpaceToDepth-Q", Ends::kCodesToCodes, kMoverRows, MakeMover},
    {kMovers, "DQ-SpaceToDepth", Ends::kCodesToFloat, kHalfMoverRows, MakeMover},
    {kMovers, "SpaceToDepth-Q", Ends::kFloatToCodes, kSampleRows, MakeMover},
    {kMovers, "DQ-Pad-Q", Ends::kCodesToCodes, kMoverRows, MakeMover},
    {kMovers, "DQ-Pad", Ends::kCodesToFloat, kHalfMoverRows, MakeMover},
    {kMovers, "Pad-Q", Ends::kFloatToCodes, kSampleRows, MakeMover},
    {kChoosers, "DQ-Relu-Q", Ends::kCodesToCodes, kMoverRows, MakeChooser},
    {kChoosers, "Relu-Q", Ends::kFloatToCodes, kFloatScaleRows, MakeChooser},
    {kChoosers, "DQ-Clip-Q", Ends::kCodesToCodes, kMoverRows, MakeChooser},
    {kChoosers, "Clip-Q", Ends::kFloatToCodes, kFloatScaleRows, MakeChooser},
    {kChoosers, "DQ-MaxPool-Q", Ends::kCodesToCodes, kMoverRows, MakeChooser},
    {kChoosers, "MaxPool-Q", Ends::kFloatToCodes, kFloatScaleRows, MakeChooser},
    {kChoosers, "DQ-ReduceMax-Q", Ends::kCodesToCodes, kMainRows, MakeChooser},
    {kChoosers, "ReduceMax-Q", Ends::kFloatToCodes, kFloatScaleRows, MakeChooser},
    {kChoosers, "DQ-ReduceMin-Q", Ends::kCodesToCodes, kMainRows, MakeChooser},
    {kChoosers, "ReduceMin-Q", Ends::kFloatToCodes, kFloatScaleRows, MakeChooser},
    {kChoosers, "DQ-Max-Q", Ends::kCodesToCodes, kMainRows, MakeChooser},
    {kChoosers, "Max-Q", Ends::kFloatToCodes, kFloatScaleRows, MakeChooser},
    {kChoosers, "DQ-Min-Q", Ends::kCodesToCodes, kMainRows, MakeChooser},
    {kChoosers, "Min-Q", Ends::kFloatToCodes, kFloatScaleRows, MakeChooser},
    {kChoosers, "DQ,DQ-Max-Q", Ends::kCodesToCodes, kFloatScaleRows, MakeChooser},
    {kChoosers, "DQ,DQ-Min-Q", Ends::kCodesToCodes, kFloatScaleRows, MakeChooser},
    {kChoosers, "DQ-Relu-Q,Q", Ends::kCodesToCodes, kFloatScaleRows, MakeChooser},
    {kChoosers, "DQ-ArgMax-Cast", Ends::kCodesToIndex, kFloatScaleRows, MakeChooser},
    {kChoosers, "DQ-ArgMin-Cast", Ends::kCodesToIndex, kFloatScaleRows, MakeChooser},
    {kArithmetic, "DQ,DQ-Add-Q", Ends::kCodesToCodes, kMainRows, MakeArithmetic},
    {kArithmetic, "DQ,DQ-Sub-Q", Ends::kCodesToCodes, kMainRows, MakeArithmetic},
    {kArithmetic, "DQ,DQ-Mul-Q", Ends::kCodesToCodes, kMainRows, MakeArithmetic},
    {kArithmetic, "DQ,DQ-Div-Q", Ends::kCodesToCodes, kMainRows, MakeArithmetic},
    {kArithmetic, "DQ,DQ-PRelu-Q", Ends::kCodesToCodes, kMainRows, MakeArithmetic},
    {kArithmetic, "DQ,DQ-Add-Relu-Q", Ends::kCodesToCodes, kFloatScaleRows,
     MakeArithmetic},
    {kArithmetic, "DQ,DQ-Add", Ends::kCodesToFloat, kMainRows, MakeArithmetic},
    {kArithmetic, "DQ,DQ-Mul-Relu-Q", Ends::kCodesToCodes, kFloatScaleRows,
     MakeArithmetic},
    {kArithmetic, "DQ,DQ-Mul", Ends::kCodesToFloat, kMainRows, MakeArithmetic},
    {kArithmetic, "DQ-Add-Q", Ends::kCodesToCodes, kFloatScaleRows, MakeArithmetic},
    {kArithmetic, "DQ-Sub-Q", Ends::kCodesToCodes, kFloatScaleRows, MakeArithmetic},
    {kArithmetic, "DQ-Mul-Q", Ends::kCodesToCodes, kFloatScaleRows, MakeArithmetic},
    {kArithmetic, "DQ-Div-Q", Ends::kCodesToCodes, kFloatScaleRows, MakeArithmetic},
    {kArithmetic, "DQ-LeakyRelu-Q", Ends::kCodesToCodes, kMainRows, MakeArithmetic},
    {kArithmetic, "DQ-HardSigmoid-Q", Ends::kCodesToCodes, kMainRows, MakeArithmetic},
    {kArithmetic, "DQ-HardSwish-Q", Ends::kCodesToCodes, kMainRows, MakeArithmetic},
    {kArithmetic, "DQ-Neg-Q", Ends::kCodesToCodes, kMainRows, MakeArithmetic},
    {kArithmetic, "DQ-Abs-Q", Ends::kCodesToCodes, kMainRows, MakeArithmetic},
    {kSums, "DQ,DQ-MatMul-Q", Ends::kSumToCodes, kSumRows, MakeMatMul},
    {kSums, "DQ,DQ-MatMul", Ends::kSumToFloat, kFloatSumRows, MakeMatMul},
    {kSums, "DQ,DQ-Gemm-Q", Ends::kSumToCodes, kSumRows, MakeGemm},
    {kSums, "DQ,DQ,DQ-Gemm-Q", Ends::kSumToCodes, kEightBitSumRows, MakeGemm},
    {kSums, "DQ,DQ,FLOAT-Gemm-Q", Ends::kSumToCodes, kEightBitSumRows, MakeGemm},
    {kSums, "DQ,DQ,DQ-Gemm", Ends::kSumToFloat, kFloatSumRows, MakeGemm},
    {kSums, "DQ,DQ-Conv-Q", Ends::kSumToCodes, kSumRows, MakeConv},
    {kSums, "DQ,DQ,DQ-Conv-Q", Ends::kSumToCodes, kEightBitSumRows, MakeConv},
    {kSums, "DQ,DQ-Conv-Relu-Q", Ends::kSumToCodes, kEightBitSumRows, MakeConv},
    {kSums, "DQ,DQ,DQ-Conv-Relu-Q", Ends::kSumToCodes, kEightBitSumRows, MakeConv},
    {kSums, "DQ,DQ,DQ-Conv-Clip-Q", Ends::kSumToCodes, kEightBitSumRows, MakeConv},
    {kSums, "DQ,DQ,FLOAT-Conv-Q", Ends::kSumToCodes, kEightBitSumRows, MakeConv},
    {kSums, "DQ,DQ-Conv", Ends::kSumToFloat, kFloatSumRows, MakeConv},
    {kSums, "DQ-AveragePool-Q", Ends::kCodesToCodes, kMainRows, MakeMean},
    {kSums, "DQ-GlobalAveragePool-Q", Ends::kCodesToCodes, kMainRows, MakeMean},
    {kSums, "DQ-ReduceMean-Q", Ends::kCodesToCodes, kMainRows, MakeMean},
    {kWeightsAlone, "DQ-MatMul", Ends::kCodesToFloat, kWeightRows, MakeWeightsAlone},
    {kDynamicFamily, "DQL-DQ", Ends::kDynamic, kUint8Rows, MakeDynamic},
    {kDynamicFamily, "DQL-MatMulInteger-Cast-Mul", Ends::kDynamic, kDynamicRows,
     MakeDynamic},
    {kDynamicFamily, "DQL-MatMulInteger-Cast-Mul-Add", Ends::kDynamic, kDynamicRows,
     MakeDynamic},
    {kDynamicFamily, "DQL-MatMulInteger-Cast-Mul-Mul", Ends::kDynamic, kDynamicRows,
     MakeDynamic},
    {kDynamicFamily, "DQL-MatMulInteger-Cast-Mul-Mul-Add", Ends::kDynamic, kDynamicRows,
     MakeDynamic},
    {kDynamicFamily, "DQL-ConvInteger-Cast-Mul", Ends::kDynamic, kDynamicRows,
     MakeDynamic},
    {kDynamicFamily, "DQL-ConvInteger-Cast-Mul-Mul", Ends::kDynamic, kDynamicRows,
     MakeDynamic},
    {kDynamicFamily, "DQL-ConvInteger-Cast-Mul-Mul-Add", Ends::kDynamic, kDynamicRows,
     MakeDynamic},
};

}  // namespace

std::span<const GraphInfo> AllGraphs() { return kGraphs; }

}  // namespace qconform::generators
