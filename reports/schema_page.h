// A JSON Schema of this folder as a page for readers: docs/report_format.md.
#ifndef QCONFORM_REPORTS_SCHEMA_PAGE_H_
#define QCONFORM_REPORTS_SCHEMA_PAGE_H_

#include <string>
#include <string_view>

namespace qconform {

// Returns Markdown: the schema's title and description, then a table of fields
// for the document and for each definition. Precondition: `schema` is one of
// the JSON Schemas of this folder.
std::string SchemaMarkdown(std::string_view schema);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_SCHEMA_PAGE_H_
