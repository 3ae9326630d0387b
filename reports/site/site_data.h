// What the pages of a site show, as JSON. Private to reports/site.
#ifndef QCONFORM_REPORTS_SITE_SITE_DATA_H_
#define QCONFORM_REPORTS_SITE_SITE_DATA_H_

#include <span>
#include <string>
#include <vector>

#include "oracle/base/json.h"
#include "reports/site/site.h"

namespace qconform {

// The operators and families of all backends, in the order of their reports.
std::vector<std::string> OperatorsOf(std::span<const SiteBackend> backends);

// What every page knows: backends with their counts, operators, histories.
Json IndexData(std::span<const SiteBackend> backends, const SiteInput& input);

// The pages in Markdown.
Json NotesData(const SiteInput& input);

// The cells of one operator: who answers what.
Json OperatorData(std::span<const SiteBackend> backends, const std::string& op_type,
                  const SiteInput& input);

// The findings of all backends, each once.
Json FindingsData(std::span<const SiteBackend> backends, const SiteInput& input);

// A history, with the sentences of the models and clauses that its findings name. An
// Error only for a history that is no JSON.
Result<Json> HistoryData(const History& history, const SiteInput& input);

// The verdicts of all cells, to compare a report with.
Json VerdictsData(std::span<const SiteBackend> backends);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_SITE_SITE_DATA_H_
