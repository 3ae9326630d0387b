// Contents: what cases of equal ContentId share, whatever their form and
// opset_version.
#ifndef QCONFORM_CASES_CORE_CONTENT_H_
#define QCONFORM_CASES_CORE_CONTENT_H_

#include <string>
#include <string_view>
#include <vector>

#include "cases/core/counter_rng.h"
#include "cases/lattice/cell.h"
#include "cases/model/model.h"

namespace qconform::generators {

// Cells of equal types take turns by it: the hash of a cell's types, to be gone on with.
inline Fnv1a64 HashOfTypes(const Cell& cell) {
  Fnv1a64 hash;
  for (const DataType type : cell.types) hash.Number(static_cast<uint64_t>(type));
  return hash;
}

// Names a content within its cell.
struct ContentName {
  std::string variant;
  std::string_view generator;
  int index = 0;
  // Of a row of a CoveringArray: the level of each factor. Such a content is asked once:
  // CasesOf adds its operand form and opset_version to the row. Others have none.
  std::vector<int> levels{};

  friend bool operator==(const ContentName&, const ContentName&) = default;
};

// Which constants of a model an operand belongs to.
enum class Constant : uint8_t {
  kNever,      // fed in every operand form: x, a
  kWeight,     // b
  kParameter,  // scales and zero points
  kAlways,     // constant in every operand form: shapes, axes, bounds of graphs
};

// A node with all its operands. `operands` follow the schema; one that is left
// out is of type kUndefined, and the node's inputs say how it is left out.
struct Content {
  Node node;
  std::vector<Tensor> operands;
  std::vector<Constant> constant;  // by the operand's position
  std::vector<ValueInfo> outputs;
};

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_CORE_CONTENT_H_
