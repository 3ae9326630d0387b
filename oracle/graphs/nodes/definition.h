// What ONNX's schemas say of a float node, as data, and a node read by it.
#ifndef QCONFORM_ORACLE_GRAPHS_NODES_DEFINITION_H_
#define QCONFORM_ORACLE_GRAPHS_NODES_DEFINITION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/result.h"
#include "oracle/base/node.h"
#include "oracle/graphs/wiring.h"
#include "oracle/tensor/tensor.h"

namespace qconform::graphs {

class NodeReader;

enum class InputKind : uint8_t {
  kData,     // of the type T, which all such inputs share
  kAmounts,  // INT64: a shape, axes or amounts; WireNode needs their data
  kIndices,  // the same of INT32 or INT64
};

struct NodeInput {
  std::string_view name;
  InputKind kind = InputKind::kData;
  bool is_optional = false;
  bool is_variadic = false;  // the last one: one or more
};

// The types that T may have, among those that the project knows.
struct DataTypes {
  uint32_t mask = 0;  // bit n: the type with number n
  // And those that have come to ONNX since, from the version on that brought them.
  bool grows = false;
};

constexpr DataTypes operator|(DataTypes a, DataTypes b) {
  return {a.mask | b.mask, a.grows || b.grows};
}

// A definition of an operator: its inputs, attributes and types from `since_version` on.
// Unused entries of the arrays are empty.
struct NodeDefinition {
  std::string_view op_type;
  int since_version = 1;
  NodeInput inputs[5];
  std::string_view attributes[8];
  DataTypes types;
  Result<Wiring> (*wire)(const NodeReader& node) = nullptr;
};

// Returns the definition that `since_version` selects; null if there is none.
const NodeDefinition* FindDefinition(std::string_view op_type, int since_version);

// A node with its operands, by the names of its definition. Errors begin with the
// op_type: "Transpose perm: expected ..., got ...".
class NodeReader {
 public:
  NodeReader(const Node& node, const NodeDefinition& definition, int since_version,
             const Operands& operands)
      : node_(node),
        definition_(definition),
        since_version_(since_version),
        operands_(operands) {}

  // Checks the number of inputs, their types and sizes, and the names of attributes.
  Status Check() const;

  std::string_view op_type() const { return node_.op_type; }
  // The type T.
  DataType type() const { return operands_[0]->type; }
  // Whether T may have it.
  bool Takes(DataType type) const;
  size_t input_count() const { return operands_.size(); }
  size_t output_count() const { return node_.outputs.size(); }

  // An operand by its position among the node's inputs, for variadic ones.
  const TensorView& operand(size_t position) const { return *operands_[position]; }
  // Precondition: the definition has that input, and it is given.
  const TensorView& operand(std::string_view name) const;
  // Returns its position; nothing if the definition has no such input, or the node has
  // left it out.
  std::optional<int> Find(std::string_view name) const;

  // Returns the values of an input of shapes, axes or amounts, row-major; nothing if it
  // is left out. An Error if its data is missing or it is not 1-D.
  Result<std::optional<std::vector<int64_t>>> Amounts(std::string_view name) const;
  // The same of any rank. Precondition: it is given.
  Result<std::vector<int64_t>> Indices(std::string_view name) const;

  // Attributes; those that the definition has not are absent.
  Result<int64_t> Integer(std::string_view name, int64_t otherwise) const;
  Result<bool> Flag(std::string_view name, bool otherwise) const;
  Result<std::optional<std::vector<int64_t>>> Integers(std::string_view name) const;
  Result<std::string> String(std::string_view name, std::string_view otherwise) const;
  Result<uint32_t> Float(std::string_view name, uint32_t otherwise) const;
  // Whether the node, or its definition, has an attribute of that name.
  bool HasAttribute(std::string_view name) const;
  bool KnowsAttribute(std::string_view name) const;
  const std::vector<Attribute>& attributes() const { return node_.attributes; }

  // Returns "OP_TYPE THING: expected EXPECTED, got GOT".
  Error Expected(std::string_view thing, std::string_view expected,
                 std::string_view got) const;

  // Returns an axis from the front. An Error if it is not in [-rank, rank - 1].
  Result<size_t> Axis(std::string_view thing, int64_t axis, size_t rank) const;
  // The same of several, all different, in their order.
  Result<std::vector<size_t>> Axes(std::string_view thing,
                                   const std::vector<int64_t>& axes, size_t rank) const;

 private:
  Status CheckOperand(const NodeInput& input, size_t position) const;

  const Node& node_;
  const NodeDefinition& definition_;
  int since_version_;
  const Operands& operands_;
};

}  // namespace qconform::graphs

#endif  // QCONFORM_ORACLE_GRAPHS_NODES_DEFINITION_H_
