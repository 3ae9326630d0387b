// The definitions of the operators that explain covers, for a build without ONNX.
#ifndef QCONFORM_HARNESS_EXPLAIN_DEFINITIONS_JSON_H_
#define QCONFORM_HARNESS_EXPLAIN_DEFINITIONS_JSON_H_

#include "oracle/base/json.h"

namespace qconform {

// Returns them in the form of cases/lattice/given_definitions.h. Each version has also
// "operands" ({"name", "role", "optional", "types": [...]}), for a form to fill in, and
// each operator an "example" of settings.
Json DefinitionsJson();

}  // namespace qconform

#endif  // QCONFORM_HARNESS_EXPLAIN_DEFINITIONS_JSON_H_
