// The fields of the records, by which they are written and read (oracle/base/codec.h).
// Private to the sources of reports.
#ifndef QCONFORM_REPORTS_RECORD_RECORD_JSON_H_
#define QCONFORM_REPORTS_RECORD_RECORD_JSON_H_

#include <tuple>

#include "oracle/base/codec.h"
#include "oracle/tensor/data_type_json.h"
#include "reports/record/finding.h"
#include "reports/record/negative_record.h"
#include "reports/record/record.h"
#include "reports/record/totals.h"

namespace qconform {

// Texts of a backend, such as reasons, are cut off at this length.
inline constexpr size_t kLongestText = 1000;

// Cuts off long texts and replaces what is not UTF-8, so that a record in memory is what
// the document says.
void CleanTexts(CellRecord* cell);
void CleanTexts(NodeTestRecord* test);
void CleanTexts(NegativeRecord* record);

// By their names. A document of a later version may have verdicts that this program does
// not know (ReadState::later_words).
void Convert(const JsonPlace& place, Verdict& verdict);
void Convert(const JsonPlace& place, NodeVerdict& verdict);
void Convert(const JsonPlace& place, NegativeResult& result);

// Vectors of these are objects.
inline auto Entry(OpsetRecord& opset) {
  return std::tie(opset.opset_version, opset.verdict);
}
inline auto Entry(VariantRecord& variant) {
  return std::tie(variant.variant, variant.verdict);
}
inline auto Entry(FormRecord& form) { return std::tie(form.form, form.tiers); }
inline auto Entry(TierRecord& tier) { return std::tie(tier.tier, tier.verdict); }
inline auto Entry(MixedPart& part) { return std::tie(part.part, part.reading); }

// What was run.
void Describe(Fields& fields, ToolRecord& tool);
void Describe(Fields& fields, SuiteRecord& suite);
void Describe(Fields& fields, ShardRecord& shard);
void Describe(Fields& fields, ModelRecord& model);
void Describe(Fields& fields, NotJudgedPart& part);
void Describe(Fields& fields, SelectionRecord& selection);
void Describe(Fields& fields, MachineRecord& machine);
void Describe(Fields& fields, OperatorRecord& record);
void Describe(Fields& fields, ClauseScope& scope);
void Describe(Fields& fields, ClauseSince& since);
// Who the backend is (`results`), and what else is known of it (`run`).
void Describe(Fields& fields, BackendRecord& backend);
struct BackendDetails {
  BackendRecord& backend;
};
void Describe(Fields& fields, BackendDetails& details);

// Rows.
void Describe(Fields& fields, PartRecord& part);
void Describe(Fields& fields, CellRecord& cell);  // without its times
void Describe(Fields& fields, NodeTestRecord& test);
void Describe(Fields& fields, NegativeRecord& record);

// Parts of rows.
void Describe(Fields& fields, ValueRecord& value);
void Describe(Fields& fields, OperandRecord& operand);
void Describe(Fields& fields, WorkedStep& step);
void Describe(Fields& fields, SecondAnswer& answer);
void Describe(Fields& fields, Counterexample& example);
void Describe(Fields& fields, NotReproduced& element);
void Describe(Fields& fields, Deviation& deviation);
void Describe(Fields& fields, Observation& observation);
void Describe(Fields& fields, VariedRecord& varied);
void Describe(Fields& fields, MixedTier& mixed);
void Describe(Fields& fields, BoundOnlyTier& tier);

// What is found from the rows: written for readers who do not count, and counted again by
// those who read a report.
void Describe(Fields& fields, FindingRecord& finding);
void Describe(Fields& fields, UnspecifiedRow& row);
void Describe(Fields& fields, MixedReadings& mixed);
// `major_version` is that of the report.
Json TotalsToJson(const Totals& totals, int major_version);

// What the row says of the answers: without words and explanations.
Json AnswersToJson(const CellRecord& cell);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_RECORD_RECORD_JSON_H_
