// The report as GitHub-flavoured Markdown: made for a comment on a pull request
// or the summary of a CI job. What deviates comes first; details are folded.
#ifndef QCONFORM_REPORTS_SHOW_MARKDOWN_H_
#define QCONFORM_REPORTS_SHOW_MARKDOWN_H_

#include <string>

#include "reports/diff/known_differences.h"
#include "reports/report/report.h"

namespace qconform {

struct MarkdownOptions {
  size_t cells = 20;          // cells that do not pass, at most, with their evidence
  size_t most_bytes = 60000;  // GitHub refuses comments of more than 65536
};

// `known` may be null.
std::string MarkdownText(const Report& report, const KnownOutcome* known,
                         const MarkdownOptions& options = {});

}  // namespace qconform

#endif  // QCONFORM_REPORTS_SHOW_MARKDOWN_H_
