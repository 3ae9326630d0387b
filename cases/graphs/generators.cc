#include "cases/graphs/generators.h"

#include <algorithm>

namespace qconform::generators {
namespace {

// As many elements as show all codes of the type that has most of them, of at most 8
// bits; a sample of the others.
int AllCodes(const Cell& cell) {
  int bits = 4;
  for (const DataType type : cell.types) {
    if (BitWidth(type) <= 8 || (IsInteger(type) && BitWidth(type) == 16)) {
      bits = std::max(bits, BitWidth(type));
    }
  }
  return bits >= 8 ? 285 : 75;
}

Plan PlanCodes(const Cell& cell, int) { return {.elements = AllCodes(cell)}; }

Plan PlanTies(const Cell& cell, int) {
  return {.scales = Scales::kPowers, .elements = AllCodes(cell)};
}

Plan PlanNearTies(const Cell&, int) {
  return {.scales = Scales::kNearTies, .elements = 75};
}

Plan PlanEqual(const Cell& cell, int) {
  return {.scales = Scales::kEqual, .elements = AllCodes(cell)};
}

Plan PlanLastBit(const Cell& cell, int) {
  return {.scales = Scales::kLastBit, .elements = AllCodes(cell)};
}

Plan PlanBesideLows(const Cell&, int index) {
  return {.scales = index % 2 == 0 ? Scales::kFull : Scales::kPowers,
          .zero_points = ZeroPoints::kBesideLows,
          .elements = 75};
}

Plan PlanNegative(const Cell&, int) {
  return {.scales = Scales::kNegative, .elements = 75};
}

Plan PlanExtremes(const Cell&, int index) {
  return {.scales = index % 2 == 0 ? Scales::kTiny : Scales::kHuge, .elements = 24};
}

Plan PlanSpecials(const Cell&, int) {
  return {.values = Values::kSpecials, .elements = 24};
}

Plan PlanAttributes(const Cell&, int index) {
  return {.scales = index % 3 == 0 ? Scales::kPowers : Scales::kFull};
}

// 1 to 40 elements, and lengths around those of vectors.
constexpr int kLongLengths[] = {63, 64, 65, 127, 128, 129};
constexpr int kLengths = 40 + static_cast<int>(std::size(kLongLengths));
Plan PlanLengths(const Cell& cell, int index) {
  // Cells of equal types take turns.
  const auto turn = static_cast<int>(
      (HashOfTypes(cell).hash() + static_cast<uint64_t>(index) * 7) % kLengths);
  return {.scales = index % 2 == 0 ? Scales::kPowers : Scales::kFull,
          .elements = turn < 40 ? turn + 1 : kLongLengths[turn - 40]};
}

Plan PlanExactTwin(const Cell&, int) {
  return {.scales = Scales::kPowers, .values = Values::kSmall, .exact = true};
}

Plan PlanLargeSums(const Cell&, int index) {
  return {.scales = index % 2 == 0 ? Scales::kFull : Scales::kPowers,
          .values = Values::kEnds};
}

Plan PlanFolds(const Cell& cell, int) {
  Plan plan{.zero_points = ZeroPoints::kFolds, .elements = 24};
  // Few values, so that extremes are equal.
  if (FindGraph(cell)->name.starts_with("DQ-Arg")) plan.values = Values::kEnds;
  return plan;
}

Plan PlanFoldsOfCodes(const Cell&, int) {
  return {.zero_points = ZeroPoints::kFolds, .elements = 75};
}

bool HasPart(const GraphInfo& graph, std::string_view part) {
  return graph.name.find(part) != std::string_view::npos;
}

// The contents of `folds` that show something in a graph.
int FoldsOf(const GraphInfo& graph) {
  const std::string_view name = graph.name;
  const auto has = [&](std::string_view part) { return HasPart(graph, part); };
  if (name == "DQ-Q") return 4;
  if (has("HardSigmoid")) return 2;
  if (name.starts_with("Relu-") || has("-Relu-")) return 8;
  if (name.starts_with("DQ-Arg")) return 3;
  if (name == "DQ-Clip-Q" || has("-Conv-Clip-Q") || has("FLOAT")) return 2;
  return name == "DQ-MaxPool-Q" ? 1 : 0;
}

// What begins with floats has no codes that fold, but windows that padding may raise.
int NegativeWindowsOf(const GraphInfo& graph) {
  return graph.name == "MaxPool-Q" ? 2 : 0;
}

// Ties, scales of either sign, and ties with another zero point.
Plan PlanShort(const Cell&, int index) {
  constexpr Scales kScales[] = {Scales::kPowers, Scales::kNegative, Scales::kNegative,
                                Scales::kPowers};
  return {.scales = kScales[index % 4], .elements = 24, .few_terms = true};
}

// Choices and means along an axis or over a plane.
int ShortOf(const GraphInfo& graph) {
  return HasPart(graph, "Reduce") || HasPart(graph, "AveragePool") ? 4 : 0;
}

Plan PlanSums(const Cell&, int) { return {}; }

Plan PlanSumsNearTies(const Cell&, int) { return {.scales = Scales::kNearTies}; }

Plan PlanSumsNegative(const Cell&, int) { return {.scales = Scales::kNegative}; }

Plan PlanSumsFolds(const Cell&, int) { return {.zero_points = ZeroPoints::kFolds}; }

Plan PlanSumsExtremes(const Cell&, int index) {
  return {.scales = index % 2 == 0 ? Scales::kTiny : Scales::kHuge};
}

Plan PlanSumsBesideLows(const Cell&, int) {
  return {.zero_points = ZeroPoints::kBesideLows};
}

Plan PlanLargeBias(const Cell&, int) { return {.special = kLargeBias}; }

// Bounds leave little of a large sum.
int LargeBiasOf(const GraphInfo& graph) {
  return HasPart(graph, "DQ,DQ,DQ-Conv") && !HasPart(graph, "Clip") ? 2 : 0;
}

Plan PlanGroups(const Cell&, int) { return {.special = kGroups}; }

// Others are asked such groups among their sums.
int GroupsOf(const GraphInfo& graph) { return HasPart(graph, "-Conv-Relu") ? 4 : 0; }

Plan PlanOutlier(const Cell&, int index) {
  Plan plan{.exact = index % 2 == 0, .special = 1};
  if (plan.exact) {
    plan.scales = Scales::kPowers;
    plan.values = Values::kSmall;
  }
  return plan;
}

Plan PlanConstant(const Cell&, int) { return {.special = 1}; }

Plan PlanDynamicTies(const Cell&, int) { return {.scales = Scales::kPowers}; }

Plan PlanDynamicSpecials(const Cell&, int) { return {.values = Values::kSpecials}; }

constexpr GeneratorInfo kCodesInfo = {
    "codes", 1, "All codes of types of at most 8 bits, with scales that use all bits."};
constexpr GeneratorInfo kTiesInfo = {
    "ties", 1, "Scales that are powers of two, so that the composed function has ties."};
constexpr GeneratorInfo kNearTiesInfo = {
    "near_ties", 1,
    "A last scale that makes some value of the composed function a tie, or nearly one."};
constexpr GeneratorInfo kEqualInfo = {
    "equal", 1,
    "Equal scales on both sides, and zero points that are equal or differ by one."};
constexpr GeneratorInfo kLastBitInfo = {
    "last_bit", 1, "Scales on both sides that differ in the last bit."};
constexpr GeneratorInfo kZeroPointsInfo = {"zero_points", 1,
                                           "Zero points at the lowest code and beside "
                                           "it: where an activation may be folded into "
                                           "a QuantizeLinear, and where it may not."};
constexpr GeneratorInfo kFoldsInfo = {
    "folds", 1,
    "What does not fold into codes: a Relu in front of each zero point with scales of "
    "both signs, bounds halfway between codes, windows below the value of code 0, equal "
    "extremes, a slope that falls, quotients that only the zero point brings into "
    "range."};
constexpr GeneratorInfo kNegativeWindowsInfo = {
    "negative_windows", 1,
    "Padded windows of floats below 0: the maximum is negative, at the border too."};
constexpr GeneratorInfo kShortInfo = {
    "short", 1,
    "Choices and means of two or three elements, so that results take many codes: ties, "
    "and scales of either sign."};
constexpr GeneratorInfo kNegativeInfo = {"negative", 1,
                                         "Negative scales, on one side or on both."};
constexpr GeneratorInfo kExtremesInfo = {"extremes", 1,
                                         "Scales near the ends of their type's range."};
constexpr GeneratorInfo kSpecialsInfo = {
    "specials", 1, "NaN, infinities, zeros of both signs and subnormals among floats."};
constexpr GeneratorInfo kAttributesInfo = {
    "attributes", 1, "Short tensors; attributes, axes and shapes take turns."};
constexpr GeneratorInfo kLengthsInfo = {
    "lengths", 1, "1 to 40 elements, and lengths around those of vectors."};
constexpr GeneratorInfo kExactTwinInfo = {
    "exact_twin", 1,
    "The exact twin of GR-12: scales are powers of two, some sums are ties of y, and "
    "codes "
    "are so small that no order of additions rounds."};
constexpr GeneratorInfo kSumsInfo = {
    "sums", 1, "Codes of the whole range, with scales that use all bits."};
constexpr GeneratorInfo kLargeSumsInfo = {
    "large_sums", 1, "Codes at both ends of the range: sums that 16 bits do not hold."};
constexpr GeneratorInfo kLargeBiasInfo = {
    "large_bias", 1, "A bias of 17 bits, and a result that shows it."};
constexpr GeneratorInfo kGroupsInfo = {
    "groups", 1, "Convolutions with several channels in each group, in front of a Relu."};
constexpr GeneratorInfo kOutlierInfo = {
    "outlier", 1,
    "One activation is 2^10 above the others, and the weights of its row are 0: rounding "
    "the activations shows."};

constexpr GraphGenerator kEdgeGenerators[] = {
    {kCodesInfo, 1, 2, PlanCodes},
    {kTiesInfo, 1, 3, PlanTies},
    {kNearTiesInfo, 0, 2, PlanNearTies},
    {kEqualInfo, 0, 3, PlanEqual},
    {kLastBitInfo, 0, 1, PlanLastBit},
    {kZeroPointsInfo, 0, 1, PlanBesideLows},
    {kNegativeInfo, 0, 5, PlanNegative},
    {kExtremesInfo, 0, 2, PlanExtremes},
    {kSpecialsInfo, 0, 1, PlanSpecials},
    {kAttributesInfo, 0, 2, PlanAttributes},
    {kFoldsInfo, 0, 4, PlanFoldsOfCodes, FoldsOf},
};
constexpr GraphGenerator kMoverGenerators[] = {
    {kCodesInfo, 1, 2, PlanCodes},       {kTiesInfo, 1, 3, PlanTies},
    {kNearTiesInfo, 0, 1, PlanNearTies}, {kEqualInfo, 0, 3, PlanEqual},
    {kLastBitInfo, 0, 1, PlanLastBit},   {kNegativeInfo, 0, 5, PlanNegative},
    {kSpecialsInfo, 0, 1, PlanSpecials}, {kAttributesInfo, 0, 4, PlanAttributes},
};
constexpr GraphGenerator kChooserGenerators[] = {
    {kCodesInfo, 0, 2, PlanCodes},
    {kTiesInfo, 1, 3, PlanTies},
    {kNearTiesInfo, 0, 1, PlanNearTies},
    {kEqualInfo, 0, 3, PlanEqual},
    {kLastBitInfo, 0, 1, PlanLastBit},
    {kFoldsInfo, 1, 8, PlanFolds, FoldsOf},
    {kNegativeInfo, 1, 5, PlanNegative},
    {kExtremesInfo, 0, 2, PlanExtremes},
    {kSpecialsInfo, 0, 1, PlanSpecials},
    {kAttributesInfo, 1, 5, PlanAttributes},
    {kZeroPointsInfo, 1, 6, PlanBesideLows},
    {kShortInfo, 0, 4, PlanShort, ShortOf},
    {kNegativeWindowsInfo, 0, 2, PlanFolds, NegativeWindowsOf},
};
constexpr GraphGenerator kArithmeticGenerators[] = {
    {kCodesInfo, 1, 2, PlanCodes},           {kTiesInfo, 2, 3, PlanTies},
    {kNearTiesInfo, 0, 2, PlanNearTies},     {kEqualInfo, 0, 1, PlanEqual},
    {kZeroPointsInfo, 0, 3, PlanBesideLows}, {kNegativeInfo, 0, 5, PlanNegative},
    {kExtremesInfo, 0, 2, PlanExtremes},     {kSpecialsInfo, 0, 1, PlanSpecials},
    {kAttributesInfo, 0, 5, PlanAttributes}, {kLengthsInfo, 0, 4, PlanLengths},
    {kFoldsInfo, 1, 8, PlanFolds, FoldsOf},
};
constexpr GraphGenerator kSumGenerators[] = {
    {kSumsInfo, 1, 7, PlanSums},
    {kFoldsInfo, 1, 8, PlanSumsFolds, FoldsOf},
    {kExactTwinInfo, 3, 7, PlanExactTwin},
    {kNearTiesInfo, 0, 2, PlanSumsNearTies},
    {kLargeSumsInfo, 0, 2, PlanLargeSums},
    {kZeroPointsInfo, 0, 3, PlanSumsBesideLows},
    {kNegativeInfo, 0, 5, PlanSumsNegative},
    {kExtremesInfo, 0, 2, PlanSumsExtremes},
    {kShortInfo, 0, 4, PlanShort, ShortOf},
    {kLargeBiasInfo, 0, 2, PlanLargeBias, LargeBiasOf},
    {kGroupsInfo, 0, 4, PlanGroups, GroupsOf},
};
constexpr GraphGenerator kWeightGenerators[] = {
    {kSumsInfo, 1, 8, PlanSums},
    {kExactTwinInfo, 1, 8, PlanExactTwin},
    {kOutlierInfo, 1, 4, PlanOutlier},
    {kNegativeInfo, 0, 5, PlanSumsNegative},
    {kExtremesInfo, 0, 2, PlanSumsExtremes},
};
constexpr GraphGenerator kDynamicGenerators[] = {
    {kSumsInfo, 1, 12, PlanSums},
    {kTiesInfo, 1, 12, PlanDynamicTies},
    {kExactTwinInfo, 0, 6, PlanExactTwin},
    {kNegativeInfo, 0, 3, PlanSumsNegative},
    {kExtremesInfo, 0, 4, PlanSumsExtremes},
    {kSpecialsInfo, 0, 4, PlanDynamicSpecials},
    {{"constant", 1, "All elements of x are equal, or 0."}, 0, 4, PlanConstant},
};

}  // namespace

std::span<const GraphGenerator> GraphGeneratorsOf(std::string_view family) {
  if (family == "graphs.round_trip" || family == "graphs.requantization")
    return kEdgeGenerators;
  if (family == "graphs.movers") return kMoverGenerators;
  if (family == "graphs.choosers") return kChooserGenerators;
  if (family == "graphs.arithmetic") return kArithmeticGenerators;
  if (family == "graphs.sums") return kSumGenerators;
  if (family == "graphs.weights") return kWeightGenerators;
  if (family == "graphs.dynamic") return kDynamicGenerators;
  return {};
}

}  // namespace qconform::generators
