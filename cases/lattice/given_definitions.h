// The definitions of operators as a program that has ONNX wrote them, for builds that
// have none. The text is JSON, an object by op_type:
//
//   {"formals": ["x", ...],
//    "versions": [{"since_version": 21, "opset_versions": [21, 22],
//                  "attributes": ["axis", ...], "granularities": ["per_tensor", ...]}]}
//
// Other keys are ignored.
#ifndef QCONFORM_CASES_LATTICE_GIVEN_DEFINITIONS_H_
#define QCONFORM_CASES_LATTICE_GIVEN_DEFINITIONS_H_

#include <string_view>

#include "oracle/base/result.h"

namespace qconform {

// Takes the text in place of what was given before. Before the first call there is no
// operator. An Error, which changes nothing, if the text has another form.
Status GiveDefinitions(std::string_view text);

}  // namespace qconform

#endif  // QCONFORM_CASES_LATTICE_GIVEN_DEFINITIONS_H_
