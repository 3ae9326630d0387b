// The definitions of operators, as far as one question needs them. The library
// cases_lattice takes them from ONNX's schemas; a build that has no ONNX links
// cases_given_definitions instead.
#ifndef QCONFORM_CASES_LATTICE_DEFINITIONS_H_
#define QCONFORM_CASES_LATTICE_DEFINITIONS_H_

#include <string>
#include <string_view>
#include <vector>

#include "cases/lattice/since_version.h"
#include "oracle/base/result.h"

namespace qconform {

// Returns the definitions of `op_type` in ONNX's own domain, ascending; empty
// if the linked ONNX does not know it. Of an operator that the project judges, only
// those that it judges.
std::vector<SinceVersion> SinceVersions(std::string_view op_type);

// The definition that judges a model.
struct JudgingVersion {
  int since_version = 0;
  // Empty if the model's opset_version selects this definition in the linked ONNX;
  // otherwise a sentence that says why this one is taken.
  std::string note;
};

// Returns the definition of `op_type` for models of an opset_version: the one that the
// opset_version selects, or the newest that is judged if that one is newer or not known.
// An Error if no definition is as old as that, or ONNX does not know the operator.
Result<JudgingVersion> JudgingVersionFor(std::string_view op_type, int opset_version);

// Returns the names of the attributes that the schema of an operator has at an
// opset_version, in alphabetical order; none if there is no such schema.
std::vector<std::string> AttributeNames(std::string_view op_type, int opset_version);

// Returns the inputs and outputs whose types name a cell, in the order of its id; none
// for operators that are not judged.
std::vector<std::string> CellFormals(std::string_view op_type);

// Returns the granularities of the cells of a definition, in the order of the lattice.
std::vector<std::string> CellGranularities(std::string_view op_type, int since_version);

}  // namespace qconform

#endif  // QCONFORM_CASES_LATTICE_DEFINITIONS_H_
