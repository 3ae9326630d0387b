// Records as JSON and back. Private to the sources of reports.
#ifndef QCONFORM_REPORTS_RECORD_RECORD_JSON_H_
#define QCONFORM_REPORTS_RECORD_RECORD_JSON_H_

#include <optional>

#include "reports/record/finding.h"
#include "reports/record/json.h"
#include "reports/record/negative_record.h"
#include "reports/record/record.h"
#include "reports/record/totals.h"

namespace qconform {

// Texts of a backend, such as reasons, are cut off at this length.
inline constexpr size_t kLongestText = 1000;

// Cuts off long texts and replaces what is no UTF-8, so that a record in memory
// is what the document says.
void CleanTexts(CellRecord* cell);
void CleanTexts(NodeTestRecord* test);
void CleanTexts(NegativeRecord* record);

// Members that hold nothing are left out, so that rows stay short.
void SetText(Json& object, const char* key, const std::string& text);

Json ValueToJson(const ValueRecord& value);
Json OperandsToJson(const std::vector<OperandRecord>& operands);

Json CounterexampleToJson(const Counterexample& example);
Counterexample CounterexampleFromJson(const Fields& fields);

// `explained_by` is the cell's diagnosis.
Json DeviationToJson(const std::string& explained_by, const Deviation& deviation);
Deviation DeviationFromJson(const Fields& fields);

Json ObservationToJson(const Observation& observation);
Observation ObservationFromJson(const Fields& fields);
// Of a note of version 1.0; nothing where it is no observation.
std::optional<Observation> ObservationFromNote(const std::string& note);

// What the row says of the answers: without words and explanations.
Json AnswersToJson(const CellRecord& cell);

// Written only, as totals are.
Json FindingsToJson(const std::vector<FindingRecord>& findings);

Json CellToJson(const CellRecord& cell);  // without its time
// Whether a document may have verdicts that this program does not know: those of later
// minor versions may.
enum class VerdictWords { kKnown, kLater };
CellRecord CellFromJson(const Fields& fields, VerdictWords words = VerdictWords::kKnown);

Json NodeTestToJson(const NodeTestRecord& test);
NodeTestRecord NodeTestFromJson(const Fields& fields);

Json NegativeToJson(const NegativeRecord& record);
NegativeRecord NegativeFromJson(const Fields& fields);

Json SuiteToJson(const SuiteRecord& suite);
SuiteRecord SuiteFromJson(const Fields& fields);

Json SelectionToJson(const SelectionRecord& selection);
SelectionRecord SelectionFromJson(const Fields& fields);

// Who the backend is (`results`), and what else is known of it (`run`).
Json BackendToJson(const BackendRecord& backend);
Json BackendDetailsToJson(const BackendRecord& backend);
BackendRecord BackendFromJson(const Fields& identity, const Fields& details);

Json ToolToJson(const ToolRecord& tool);
ToolRecord ToolFromJson(const Fields& fields);

Json MachineToJson(const MachineRecord& machine);
MachineRecord MachineFromJson(const Fields& fields);

// Totals are written only: who reads a report counts again. `major_version` is that of
// the report.
Json TotalsToJson(const Totals& totals, int major_version);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_RECORD_RECORD_JSON_H_
