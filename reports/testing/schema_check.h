// Validation of JSON by JSON Schema, by a validator that this project did not
// write.
#ifndef QCONFORM_REPORTS_TESTING_SCHEMA_CHECK_H_
#define QCONFORM_REPORTS_TESTING_SCHEMA_CHECK_H_

#include <string>
#include <string_view>

namespace qconform {

// Returns what is wrong with the document; empty where it is valid.
std::string SchemaViolations(std::string_view schema, std::string_view document);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_TESTING_SCHEMA_CHECK_H_
