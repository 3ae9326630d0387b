// The lattice: every legal cell, derived from ONNX's OpSchemaRegistry when the
// program runs. Which operands name a cell, and which definitions are judged, comes from
// OperatorCases.
#ifndef QCONFORM_CASES_LATTICE_LATTICE_H_
#define QCONFORM_CASES_LATTICE_LATTICE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cases/lattice/cell.h"
#include "cases/lattice/definitions.h"
#include "cases/lattice/since_version.h"

namespace qconform {

// Returns the newer definitions of a judged operator that the linked ONNX has and the
// project has no clauses for yet. They have no cells.
std::vector<SinceVersion> UnjudgedVersions(std::string_view op_type);

// Returns the newest definition that the project judges if the linked ONNX is too old to
// have it: its cells are not there.
std::optional<int> DefinitionBeyondOnnx(std::string_view op_type);

// Returns the newest opset_version of ONNX's own domain in the linked release.
int NewestOpsetVersion();

// Returns the types that the schema of an operator allows for one of its inputs or
// outputs at an opset_version, by number, as far as the project knows them; `formal` ""
// is the first input. None if there is no such schema, input or output.
std::vector<DataType> SchemaTypes(std::string_view op_type, int opset_version,
                                  std::string_view formal);

// Returns the IR version of the ONNX release that brought this opset_version
// (the version table of onnx/helper.py and docs/Versioning.md), so that old
// opsets get old IR versions; at most the newest that the linked library knows.
int IrVersionFor(int opset_version);

// Returns all cells of `op_type`, ordered by since_version, then by the types of
// OperatorCases::formals (each by DataType number), then by granularity. Formal
// parameters that share a type constraint have equal types. Empty for operators that are
// not judged.
std::vector<Cell> CellsOf(std::string_view op_type);

// A type that a schema allows and DataType does not have: no cell stands for
// it, so whoever counts cells has to ask for these too. An operand that a
// definition no longer has is listed with an empty type: it has no cells at all.
struct UnknownType {
  int since_version = 0;
  std::string formal_parameter;  // "y_scale"
  std::string type;              // ONNX's words: "tensor(float6e3m2)"

  friend bool operator==(const UnknownType&, const UnknownType&) = default;
};
std::vector<UnknownType> UnknownTypes(std::string_view op_type);

// Returns the operators that the project judges and the linked ONNX knows.
std::vector<std::string> JudgedOperators();

}  // namespace qconform

#endif  // QCONFORM_CASES_LATTICE_LATTICE_H_
