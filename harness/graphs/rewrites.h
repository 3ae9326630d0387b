// Rewrites of a whole graph that change what it means, each a mistake that compilers
// make. See mistake.h for what they return.
#ifndef QCONFORM_HARNESS_GRAPHS_REWRITES_H_
#define QCONFORM_HARNESS_GRAPHS_REWRITES_H_

#include "harness/graphs/mistake.h"

namespace qconform::graphs::rewrites {

#define QCONFORM_REWRITE(name) std::vector<int> name(Workspace& graph, Where where)

// --- activations and bounds ----------------------------------------------------------
QCONFORM_REWRITE(DropActivation);
QCONFORM_REWRITE(DropReluOfUnsigned);
QCONFORM_REWRITE(DropReluOfMinimum);
QCONFORM_REWRITE(DropReluBesideMinimum);
QCONFORM_REWRITE(DropReluByFirstZeroPoint);
QCONFORM_REWRITE(DropReluUnlessZeroPointOf8Bits);
QCONFORM_REWRITE(ReluByCodes);
QCONFORM_REWRITE(ReluBeforeBinary);
QCONFORM_REWRITE(SlopeIsZero);
QCONFORM_REWRITE(ActivationWithDefaults);
QCONFORM_REWRITE(FirstSlopeForAll);
QCONFORM_REWRITE(HardSwishAsHardSigmoid);
QCONFORM_REWRITE(DropBounds);
QCONFORM_REWRITE(DropBoundsOfRange);
QCONFORM_REWRITE(DropLowBound);
QCONFORM_REWRITE(DropHighBound);
QCONFORM_REWRITE(BoundsInCodesOfInput);
QCONFORM_REWRITE(BoundsToIntegers);
QCONFORM_REWRITE(ClipAsRelu6);
QCONFORM_REWRITE(OrderByCodes);
QCONFORM_REWRITE(OrderOfArgMaxByCodes);
QCONFORM_REWRITE(LastIndexToggled);
QCONFORM_REWRITE(LastIndexTaken);
QCONFORM_REWRITE(MaximumAndZero);

// --- scales, zero points and pairs ---------------------------------------------------
QCONFORM_REWRITE(IgnoreZeroPointOfOutput);
QCONFORM_REWRITE(IgnoreZeroPointOfInput);
QCONFORM_REWRITE(IgnoreZeroPointOfSecondOperand);
QCONFORM_REWRITE(IgnoreZeroPointOfWeights);
QCONFORM_REWRITE(ZeroPointOfOutputTwice);
QCONFORM_REWRITE(AbsoluteScaleOfInput);
QCONFORM_REWRITE(AbsoluteScaleOfOutput);
QCONFORM_REWRITE(FirstScaleOfInput);
QCONFORM_REWRITE(FirstScaleOfOutput);
QCONFORM_REWRITE(FirstScaleOfWeights);
QCONFORM_REWRITE(LastChannelTakesPrevious);
QCONFORM_REWRITE(NextScale);
QCONFORM_REWRITE(ScaleOfGroup);
QCONFORM_REWRITE(PreviousBlockScale);
QCONFORM_REWRITE(FirstZeroPoint);
QCONFORM_REWRITE(FirstBlockForAll);
QCONFORM_REWRITE(ScalesTakenAsEqual);
QCONFORM_REWRITE(ScalesTakenAsClose);
QCONFORM_REWRITE(SecondOperandTakesFirst);
QCONFORM_REWRITE(SecondOutputTakesFirst);
QCONFORM_REWRITE(OutputsSwapped);
QCONFORM_REWRITE(DropRequantization);
QCONFORM_REWRITE(OutputScaleOfInput);
QCONFORM_REWRITE(OutputZeroPointOfInput);
QCONFORM_REWRITE(MergePairs);
QCONFORM_REWRITE(DropPair);
QCONFORM_REWRITE(DropRequantizationOfInfinity);
QCONFORM_REWRITE(InsertPairBehindMover);
QCONFORM_REWRITE(DropSaturation);
QCONFORM_REWRITE(DropRounding);
QCONFORM_REWRITE(ScaleToPowerOfTwo);
QCONFORM_REWRITE(SubnormalsToZero);
QCONFORM_REWRITE(ScaleToBfloat16);
QCONFORM_REWRITE(UnsignedCodesAsSigned);
QCONFORM_REWRITE(UnsignedWeightsAsSigned);
QCONFORM_REWRITE(CodesMovedBy128);
QCONFORM_REWRITE(LeastCodeNotNegated);
QCONFORM_REWRITE(ResultInCodesOfInput);
QCONFORM_REWRITE(InterpolatedInCodes);
QCONFORM_REWRITE(MeanOfCodesTruncated);
QCONFORM_REWRITE(DoubleRounding);

// --- where data lies -----------------------------------------------------------------
QCONFORM_REWRITE(AxisNotMoved);
QCONFORM_REWRITE(AxisOfOutputNotMoved);
QCONFORM_REWRITE(DataNotMoved);
QCONFORM_REWRITE(OperandsSwapped);
QCONFORM_REWRITE(DepthToSpaceModeToggled);
QCONFORM_REWRITE(PadWithRawZero);
QCONFORM_REWRITE(PadMaximumWithZero);
QCONFORM_REWRITE(PadValueDropped);
QCONFORM_REWRITE(GatherNextIndex);

// --- sums and means --------------------------------------------------------------------
QCONFORM_REWRITE(DropBias);
QCONFORM_REWRITE(IgnoreBiasScale);
QCONFORM_REWRITE(FirstBiasForAll);
QCONFORM_REWRITE(BiasToInt32);
QCONFORM_REWRITE(BiasToScaleOfOperand);
QCONFORM_REWRITE(BiasSaturatesTo16Bits);
QCONFORM_REWRITE(BiasTwice);
QCONFORM_REWRITE(IgnoreAlpha);
QCONFORM_REWRITE(IgnoreBeta);
QCONFORM_REWRITE(AlphaOnBias);
QCONFORM_REWRITE(IgnoreTransposition);
QCONFORM_REWRITE(IgnoreTranspositionOfWeights);
QCONFORM_REWRITE(SumSaturatesTo16Bits);
QCONFORM_REWRITE(PairsSaturateTo16Bits);
QCONFORM_REWRITE(ShiftedPairsSaturateTo16Bits);
QCONFORM_REWRITE(SumWrapsTo16Bits);
QCONFORM_REWRITE(LastTermLost);
QCONFORM_REWRITE(CrossTermMissing);
QCONFORM_REWRITE(QuantizeActivations);
QCONFORM_REWRITE(QuantizeActivationsByRow);
QCONFORM_REWRITE(QuantizeActivationsByBlock);
QCONFORM_REWRITE(DivisorCountsPadding);
QCONFORM_REWRITE(PaddingAlwaysCounted);
QCONFORM_REWRITE(PaddingNeverCounted);
QCONFORM_REWRITE(MeanInFloat16);

// --- dynamic quantization ------------------------------------------------------------
QCONFORM_REWRITE(MultiplierDropped);
QCONFORM_REWRITE(FirstMultiplierForAll);

#undef QCONFORM_REWRITE

}  // namespace qconform::graphs::rewrites

#endif  // QCONFORM_HARNESS_GRAPHS_REWRITES_H_
