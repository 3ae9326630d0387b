#include "reports/deviating_rows.h"

#include "reports/evidence.h"

namespace qconform {

std::vector<DeviatingRow> DeviatingNodeTests(const Report& report) {
  std::vector<DeviatingRow> rows;
  for (const NodeTestRecord& test : report.node_tests) {
    if (!IsDeviation(test.verdict) && test.verdict != NodeVerdict::kError) continue;
    rows.push_back({"node test " + test.name + " (" + test.release + ")",
                    std::string(NodeVerdictName(test.verdict)), test.reason});
  }
  return rows;
}

std::vector<DeviatingRow> DeviatingNegativeModels(const Report& report) {
  std::vector<DeviatingRow> rows;
  for (const NegativeRecord& record : report.negative) {
    if (!IsDeviation(record.result)) continue;
    rows.push_back({"negative model " + record.id,
                    std::string(NegativeResultName(record.result)), record.text});
  }
  return rows;
}

std::string DeviatingRowsText(const Report& report) {
  std::string text;
  const auto add = [&](size_t count, const char* noun) {
    if (count == 0) return;
    text += (text.empty() ? "" : ", ") + Plural(static_cast<int64_t>(count), noun) +
            (count == 1 ? " deviates" : " deviate");
  };
  add(static_cast<size_t>(report.totals.node_tests.deviations()), "node test");
  add(DeviatingNegativeModels(report).size(), "negative model");
  return text;
}

}  // namespace qconform
