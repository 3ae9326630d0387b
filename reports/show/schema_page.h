// JSON Schemas as a page for readers: docs/report_format.md.
#ifndef QCONFORM_REPORTS_SHOW_SCHEMA_PAGE_H_
#define QCONFORM_REPORTS_SHOW_SCHEMA_PAGE_H_

#include <string>
#include <string_view>

namespace qconform {

// Returns Markdown: the schema's title and description, then a table of fields
// for the document and for each definition. Headings start at `#` x depth, and
// `prefix` makes their anchors differ from those of another schema on the page.
// Precondition: `schema` is a JSON Schema in the form of reports/schema/.
std::string SchemaMarkdown(std::string_view schema, int depth, std::string_view prefix);

// Returns docs/report_format.md: of each format that has a schema.
std::string ReportFormatMarkdown();

}  // namespace qconform

#endif  // QCONFORM_REPORTS_SHOW_SCHEMA_PAGE_H_
