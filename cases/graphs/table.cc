#include "cases/graphs/table.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "cases/core/operator_cases.h"
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

// --- cells ------------------------------------------------------------------------

std::string_view OpTypeOfToken(std::string_view token) {
  if (token == "DQ") return "DequantizeLinear";
  if (token == "Q") return "QuantizeLinear";
  if (token == "DQL") return "DynamicQuantizeLinear";
  return token;
}

// Returns the types of the cell that a graph with these edges belongs to; none if their
// types are mixed in a way that no cell has.
std::vector<DataType> TypesOfEdges(Ends ends, const EdgeTypes& edges) {
  const std::vector<DataType>& x = edges.dequantized;
  const std::vector<DataType>& y = edges.quantized;
  const DataType scale = edges.scale;
  const auto all_equal = [](const std::vector<DataType>& types) {
    return !types.empty() && std::ranges::all_of(types, [&](DataType type) {
      return type == types.front();
    });
  };
  // Behind the data and the weights there is a bias.
  const bool is_sum = x.size() >= 2 && (x.size() == 2 || x[2] == kInt32) && x.size() <= 3;
  switch (ends) {
    case Ends::kCodesToCodes:
      if (all_equal(x) && all_equal(y)) return {x.front(), scale, y.front()};
      return {};
    case Ends::kInnerCodes:
      if (!y.empty()) return {y.front(), scale, y.back()};
      return {};
    case Ends::kCodesToFloat:
      if (all_equal(x)) return {x.front(), scale, scale};
      return {};
    case Ends::kFloatToCodes:
      if (all_equal(y)) return {scale, scale, y.front()};
      return {};
    case Ends::kFloatToFloat:
      if (all_equal(y)) return {y.front(), scale};
      return {};
    case Ends::kCodesToIndex:
      if (all_equal(x)) return {x.front(), scale, edges.output};
      return {};
    case Ends::kSumToCodes:
      if (is_sum && all_equal(y)) return {x[0], x[1], scale, y.front()};
      return {};
    case Ends::kSumToFloat:
      if (is_sum) return {x[0], x[1], scale, scale};
      return {};
    case Ends::kDynamic:
      return {kFloat, edges.weights, kFloat};
  }
  return {};
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

std::string_view TokenOf(std::string_view op_type) {
  for (const std::string_view token : {"DQ", "Q", "DQL"}) {
    if (OpTypeOfToken(token) == op_type) return token;
  }
  return op_type;
}

std::string_view FamilyOfGraph(std::string_view name) {
  const std::span<const GraphInfo> all = AllGraphs();
  const auto found = std::ranges::find(all, name, &GraphInfo::name);
  return found == all.end() ? "" : found->family;
}

std::optional<Cell> CellOfGraph(std::string_view name, std::string_view granularity,
                                int opset_version, const EdgeTypes& types) {
  int since_version = 0;
  for (const SinceVersion& version : GraphVersions()) {
    if (version.since_version <= opset_version) since_version = version.since_version;
  }
  const std::string whole = std::string(name) + "." + std::string(granularity);
  for (const GraphInfo& graph : AllGraphs()) {
    if (graph.name != name) continue;
    const std::vector<DataType> of_cell = TypesOfEdges(graph.ends, types);
    for (const Cell& cell : GraphCells(graph.family)) {
      if (cell.since_version == since_version && cell.granularity == whole &&
          cell.types == of_cell) {
        return cell;
      }
    }
  }
  return std::nullopt;
}

const GraphInfo* FindGraph(const Cell& cell) {
  const std::string_view granularity = cell.granularity;
  const std::string_view name = granularity.substr(0, granularity.find('.'));
  const std::span<const GraphInfo> all = AllGraphs();
  const auto found = std::ranges::find_if(all, [&](const GraphInfo& graph) {
    return graph.family == cell.op_type && graph.name == name;
  });
  return found == all.end() ? nullptr : &*found;
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
    for (const GraphInfo& graph : AllGraphs()) {
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
    for (const GraphInfo& graph : AllGraphs()) {
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
    for (const GraphInfo& graph : AllGraphs()) {
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
  for (const GraphInfo& graph : AllGraphs()) {
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
