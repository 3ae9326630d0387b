// The families of graphs as data: which graphs there are, and with which types and
// granularities each is asked. Cells and denominators follow from this table, from the
// schemas of the nodes in the linked ONNX, and from the definitions that are judged.
#ifndef QCONFORM_CASES_GRAPHS_TABLE_H_
#define QCONFORM_CASES_GRAPHS_TABLE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cases/lattice/cell.h"
#include "cases/lattice/since_version.h"
#include "oracle/tensor/data_type.h"

namespace qconform::generators {

class GraphQuestion;

// A set of types, by name, from which a rule takes those that the opset_version allows.
enum class TypeSet : uint8_t {
  kQuantized,      // all that QuantizeLinear gives
  kEightBits,      // those of them that have 8 bits
  kEightBitCodes,  // UINT8, INT8
  kSample,         // one of each kind: 8 and 4 bits, 16 bits, float8
  kWeights,        // 8 bits and fewer
  kUint8,          // what DynamicQuantizeLinear gives
  kFloat,          // FLOAT
  kHalves,         // FLOAT16, BFLOAT16
};
std::string_view TypeSetName(TypeSet set);
std::string_view TypeSetSentence(TypeSet set);

// How the types of a graph's edges follow from one type of codes, or from several.
enum class Mixing : uint8_t {
  kEqual,     // all codes of a graph have one type
  kAnyPair,   // the first and the last codes: every pair
  kMixedSum,  // x and w: UINT8 and INT8 in every way, and the pairs of kMixedOperands
};
std::string_view MixingSentence(Mixing mixing);

// A row of the rule of types: what a graph is asked with at one granularity.
struct TypeRow {
  std::string_view granularity;
  TypeSet codes;
  TypeSet scales;
  Mixing mixing = Mixing::kEqual;
};

// Which types name a cell, by the ends of the graph. `q` stands for the type of codes.
enum class Ends : uint8_t {
  kCodesToCodes,  // q, scale, q: DQ-M-Q
  kCodesToFloat,  // q, scale, scale: DQ-M
  kFloatToCodes,  // scale, scale, q: M-Q
  kFloatToFloat,  // q, scale: Q-DQ
  kInnerCodes,    // first q, scale, last q: Q-DQ-Q-DQ
  kCodesToIndex,  // q, scale, INT32: DQ-ArgMax-Cast
  kSumToCodes,    // x, w, scale, y: DQ,DQ-MatMul-Q
  kSumToFloat,    // x, w, scale, scale: DQ,DQ-MatMul
  kDynamic,       // FLOAT, w, FLOAT: DynamicQuantizeLinear-MatMulInteger-...
};

struct GraphInfo {
  std::string_view family;  // "graphs.choosers"
  // The nodes in their order, joined by "-"; those that do not depend on each other by
  // ",". DQ, Q and DQL stand for the three operators that quantize and dequantize.
  std::string_view name;
  Ends ends;
  std::span<const TypeRow> rows;
  void (*make)(GraphQuestion& question);
};

// All graphs of all families, in the order of the lattice.
std::span<const GraphInfo> AllGraphs();

// Returns the op_types of a graph's nodes, in the order of its name.
std::vector<std::string_view> OpTypesOf(const GraphInfo& graph);

// Returns how a graph's name spells an operator: "DQ" for DequantizeLinear.
std::string_view TokenOf(std::string_view op_type);

// Returns the graph of a cell, or null.
const GraphInfo* FindGraph(const Cell& cell);

// Returns the family that has a graph of this name; "" if none has.
std::string_view FamilyOfGraph(std::string_view name);

// The types of a graph's edges.
struct EdgeTypes {
  std::vector<DataType> dequantized;  // the codes that each DequantizeLinear takes
  std::vector<DataType> quantized;    // and that each QuantizeLinear gives
  DataType scale = DataType::kUndefined;
  DataType weights = DataType::kUndefined;  // of an integer sum
  DataType output = DataType::kUndefined;   // the last of the graph
};

// Returns the cell that a graph belongs to whose name, scales (granularity) and types are
// these, at the newest opset_version of the families that is not above this one. Nothing
// if no family has such a graph.
std::optional<Cell> CellOfGraph(std::string_view name, std::string_view granularity,
                                int opset_version, const EdgeTypes& types);
// Returns the granularity of scales: the cell's granularity without the graph's name.
std::string_view ScaleGranularity(const Cell& cell);

// Returns the opset_versions of the families that the linked ONNX has.
std::vector<SinceVersion> GraphVersions();
// Returns the newest opset_version of the families, which the linked ONNX may not have.
int NewestGraphVersion();
// Returns the cells of a family.
std::vector<Cell> GraphCells(std::string_view family);
// Returns the names of all granularities of a family, "DQ-Relu-Q.per_tensor". They live
// as long as the program.
std::vector<std::string_view> GraphGranularities(std::string_view family);

// Returns the rule of types in lines for people: each graph with its rows, and what the
// names of sets mean.
std::vector<std::string> RuleOfTypes(std::string_view family);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_GRAPHS_TABLE_H_
