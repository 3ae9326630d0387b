#include "cases/graphs/table.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "cases/core/operator_cases.h"
#include "cases/graphs/makers.h"
#include "cases/lattice/lattice.h"
#include "oracle/base/text.h"

namespace qconform::generators {
namespace {

using enum DataType;

// The opset_versions of the models: the first with QDQ per axis, those that brought
// float8 and 4 bits, and the newest that is judged.
constexpr std::array kOpsetVersions = {13, 19, 21, 28};

// The other pairs of x and w that sums are asked with; y has the type of x.
constexpr std::pair<DataType, DataType> kMixedOperands[] = {
    {kUint8, kInt4}, {kUint8, kUint4}, {kUint16, kInt8}, {kInt16, kInt8}};

constexpr int kWeightBits = 8;
constexpr DataType kSampleTypes[] = {kUint8, kInt8, kInt4, kUint16, kFloat8E4M3FN};

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
    {"per_axis", TypeSet::kEightBitCodes, TypeSet::kFloat},
};
constexpr TypeRow kFloatSumRows[] = {
    {"per_tensor", TypeSet::kSample, TypeSet::kFloat},
    {"per_tensor", TypeSet::kEightBitCodes, TypeSet::kFloat, Mixing::kMixedSum},
    {"per_tensor", TypeSet::kEightBitCodes, TypeSet::kHalves},
};
constexpr TypeRow kEightBitSumRows[] = {
    {"per_tensor", TypeSet::kSample, TypeSet::kFloat},
    {"per_tensor", TypeSet::kEightBitCodes, TypeSet::kFloat, Mixing::kMixedSum},
    {"per_axis", TypeSet::kEightBitCodes, TypeSet::kFloat},
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

// --- cells ------------------------------------------------------------------------

std::string_view OpTypeOfToken(std::string_view token) {
  if (token == "DQ") return "DequantizeLinear";
  if (token == "Q") return "QuantizeLinear";
  if (token == "DQL") return "DynamicQuantizeLinear";
  return token;
}

// Whether models of an opset_version select a definition of the operator that is judged.
bool IsJudgedAt(std::string_view op_type, int opset_version) {
  for (const SinceVersion& version : SinceVersions(op_type)) {
    if (std::ranges::find(version.opset_versions, opset_version) !=
        version.opset_versions.end()) {
      return true;
    }
  }
  return false;
}

bool Contains(std::span<const DataType> types, DataType type) {
  return std::ranges::find(types, type) != types.end();
}

// The types of a set that QuantizeLinear and DequantizeLinear of the opset_version have.
std::vector<DataType> TypesIn(TypeSet set, int opset_version) {
  if (set == TypeSet::kFloat || set == TypeSet::kHalves) {
    std::vector<DataType> scales = {kFloat};
    if (set == TypeSet::kHalves) scales = {kFloat16, kBfloat16};
    const auto legal = SchemaTypes("DequantizeLinear", opset_version, "x_scale");
    std::erase_if(scales, [&](DataType type) { return !Contains(legal, type); });
    return scales;
  }
  std::vector<DataType> types = SchemaTypes("QuantizeLinear", opset_version, "y");
  std::erase_if(types, [&](DataType type) {
    const int bits = BitWidth(type);
    switch (set) {
      case TypeSet::kEightBits:
        return bits != 8;
      case TypeSet::kEightBitCodes:
        return bits != 8 || !IsInteger(type);
      case TypeSet::kSample:
        return !Contains(kSampleTypes, type);
      case TypeSet::kWeights:
        return bits > kWeightBits;
      case TypeSet::kUint8:
        return type != kUint8;
      default:
        return false;
    }
  });
  return types;
}

// The types of codes that a graph is asked with: {x, w, y}.
struct CodeTypes {
  DataType x = kUndefined;
  DataType w = kUndefined;
  DataType y = kUndefined;
};

std::vector<CodeTypes> ChoicesOf(const TypeRow& row, int opset_version) {
  const std::vector<DataType> types = TypesIn(row.codes, opset_version);
  std::vector<CodeTypes> choices;
  for (const DataType x : types) {
    if (row.mixing == Mixing::kEqual) {
      choices.push_back({x, x, x});
      continue;
    }
    for (const DataType other : types) {
      if (row.mixing == Mixing::kAnyPair) choices.push_back({x, other, other});
      if (row.mixing == Mixing::kMixedSum) choices.push_back({x, other, x});
    }
  }
  if (row.mixing == Mixing::kMixedSum) {
    const std::vector<DataType> all = TypesIn(TypeSet::kQuantized, opset_version);
    for (const auto& [x, w] : kMixedOperands) {
      if (Contains(all, x) && Contains(all, w)) choices.push_back({x, w, x});
    }
  }
  return choices;
}

std::vector<DataType> TypesOfCell(Ends ends, const CodeTypes& codes, DataType scale) {
  switch (ends) {
    case Ends::kCodesToCodes:
    case Ends::kInnerCodes:
      return {codes.x, scale, codes.y};
    case Ends::kCodesToFloat:
      return {codes.x, scale, scale};
    case Ends::kFloatToCodes:
      return {scale, scale, codes.y};
    case Ends::kFloatToFloat:
      return {codes.x, scale};
    case Ends::kCodesToIndex:
      return {codes.x, scale, kInt32};
    case Ends::kSumToCodes:
      return {codes.x, codes.w, scale, codes.y};
    case Ends::kSumToFloat:
      return {codes.x, codes.w, scale, scale};
    case Ends::kDynamic:
      return {scale, codes.w, scale};
  }
  return {};
}

// Whether the float nodes of a graph take the type of its scales.
bool NodesTake(const GraphInfo& graph, DataType scale, int opset_version) {
  for (const std::string_view op_type : OpTypesOf(graph)) {
    if (FindOperatorCases(op_type) != nullptr) {
      if (!IsJudgedAt(op_type, opset_version)) return false;
    } else if (!Contains(SchemaTypes(op_type, opset_version, ""), scale)) {
      return false;
    }
  }
  return true;
}

bool HasBlocks(int opset_version) {
  const std::vector<std::string> names =
      AttributeNames("DequantizeLinear", opset_version);
  return std::ranges::find(names, "block_size") != names.end();
}

std::vector<Cell> CellsOfGraph(const GraphInfo& graph, int opset_version) {
  std::vector<Cell> cells;
  for (const TypeRow& row : graph.rows) {
    if (row.granularity == "blocked" && !HasBlocks(opset_version)) continue;
    const std::vector<CodeTypes> choices = ChoicesOf(row, opset_version);
    for (const DataType scale : TypesIn(row.scales, opset_version)) {
      if (!NodesTake(graph, scale, opset_version)) continue;
      for (const CodeTypes& codes : choices) {
        Cell cell{
            .op_type = std::string(graph.family),
            .since_version = opset_version,
            .types = TypesOfCell(graph.ends, codes, scale),
            .granularity = std::string(graph.name) + "." + std::string(row.granularity)};
        // Rows overlap: UINT8 with UINT8 is an equal pair too.
        if (std::ranges::find(cells, cell) == cells.end())
          cells.push_back(std::move(cell));
      }
    }
  }
  return cells;
}

}  // namespace

std::string_view TypeSetName(TypeSet set) {
  constexpr std::string_view kNames[] = {"quantized", "eight_bits", "eight_bit_codes",
                                         "sample",    "weights",    "uint8",
                                         "float",     "halves"};
  return kNames[static_cast<size_t>(set)];
}

std::string_view TypeSetSentence(TypeSet set) {
  constexpr std::string_view kSentences[] = {
      "all types that QuantizeLinear gives",
      "those of them that have 8 bits, float8 included",
      "UINT8 and INT8",
      "UINT8, INT8, INT4, UINT16, FLOAT8E4M3FN",
      "types of at most 8 bits",
      "UINT8",
      "FLOAT",
      "FLOAT16 and BFLOAT16"};
  return kSentences[static_cast<size_t>(set)];
}

std::string_view MixingSentence(Mixing mixing) {
  switch (mixing) {
    case Mixing::kEqual:
      return "one type for all codes";
    case Mixing::kAnyPair:
      return "every pair of types";
    case Mixing::kMixedSum:
      return "every pair of x and w, and UINT8 x with INT4 or UINT4 w, UINT16 or INT16 x "
             "with INT8 w; y as x";
  }
  return "";
}

std::span<const GraphInfo> AllGraphs() { return kGraphs; }

std::vector<std::string_view> OpTypesOf(const GraphInfo& graph) {
  std::vector<std::string_view> op_types;
  std::string_view rest = graph.name;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find_first_of("-,"), rest.size());
    const std::string_view token = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (token != "FLOAT") op_types.push_back(OpTypeOfToken(token));
  }
  return op_types;
}

const GraphInfo* FindGraph(const Cell& cell) {
  const std::string_view granularity = cell.granularity;
  const std::string_view name = granularity.substr(0, granularity.find('.'));
  const auto* const found = std::ranges::find_if(kGraphs, [&](const GraphInfo& graph) {
    return graph.family == cell.op_type && graph.name == name;
  });
  return found == std::end(kGraphs) ? nullptr : found;
}

std::string_view ScaleGranularity(const Cell& cell) {
  const std::string_view granularity = cell.granularity;
  return granularity.substr(granularity.find('.') + 1);
}

std::vector<SinceVersion> GraphVersions() {
  std::vector<SinceVersion> versions;
  for (const int opset_version : kOpsetVersions) {
    if (opset_version > NewestOpsetVersion()) continue;
    versions.push_back(
        {.since_version = opset_version, .opset_versions = {opset_version}});
  }
  return versions;
}

int NewestGraphVersion() { return kOpsetVersions.back(); }

namespace {

std::vector<Cell> MakeGraphCells(std::string_view family) {
  std::vector<Cell> cells;
  for (const SinceVersion& version : GraphVersions()) {
    std::vector<Cell> of_version;
    for (const GraphInfo& graph : kGraphs) {
      if (graph.family != family) continue;
      for (Cell& cell : CellsOfGraph(graph, version.since_version)) {
        of_version.push_back(std::move(cell));
      }
    }
    // As the lattice of the operators: by types, then by granularity in the table's
    // order.
    std::ranges::stable_sort(of_version, {}, &Cell::types);
    for (Cell& cell : of_version) cells.push_back(std::move(cell));
  }
  return cells;
}

}  // namespace

std::vector<Cell> GraphCells(std::string_view family) {
  // Asking the schema registry for all of them takes longer than a small run.
  static const auto kept = [] {
    std::map<std::string_view, std::vector<Cell>> cells;
    for (const GraphInfo& graph : kGraphs) {
      if (!cells.contains(graph.family))
        cells[graph.family] = MakeGraphCells(graph.family);
    }
    return cells;
  }();
  return kept.at(family);
}

std::vector<std::string_view> GraphGranularities(std::string_view family) {
  static const auto kept = [] {
    std::vector<std::pair<std::string_view, std::string>> names;
    for (const GraphInfo& graph : kGraphs) {
      std::set<std::string_view> seen;
      for (const TypeRow& row : graph.rows) {
        if (!seen.insert(row.granularity).second) continue;
        names.emplace_back(graph.family,
                           std::string(graph.name) + "." + std::string(row.granularity));
      }
    }
    return names;
  }();
  std::vector<std::string_view> names;
  for (const auto& [of_family, name] : kept) {
    if (of_family == family) names.push_back(name);
  }
  return names;
}

std::vector<std::string> RuleOfTypes(std::string_view family) {
  std::vector<std::string> lines;
  std::set<TypeSet> sets;
  for (const GraphInfo& graph : kGraphs) {
    if (graph.family != family) continue;
    for (const TypeRow& row : graph.rows) {
      lines.push_back(std::string(graph.name) + "." + std::string(row.granularity) +
                      ": codes " + std::string(TypeSetName(row.codes)) + ", scales " +
                      std::string(TypeSetName(row.scales)) + ", " +
                      std::string(MixingSentence(row.mixing)));
      sets.insert({row.codes, row.scales});
    }
  }
  for (const TypeSet set : sets) {
    lines.push_back(std::string(TypeSetName(set)) + ": " +
                    std::string(TypeSetSentence(set)));
  }
  return lines;
}

}  // namespace qconform::generators
