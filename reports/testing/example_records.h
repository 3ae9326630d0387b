// Records that tests of reports are made of.
#ifndef QCONFORM_REPORTS_TESTING_EXAMPLE_RECORDS_H_
#define QCONFORM_REPORTS_TESTING_EXAMPLE_RECORDS_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/testing/temporary_directory.h"
#include "reports/report/report.h"

namespace qconform {

// A run of the whole suite, in which every field is set.
RunInfo ExampleRun();

// A cell whose tiers all have this verdict, with what goes with it (reading,
// reason, counterexamples). The id is made of the parts.
CellRecord ExampleCell(std::string_view op_type, int since_version,
                       std::vector<DataType> types, std::string_view granularity,
                       Verdict verdict);

// One cell of each verdict, several operators, versions and output types.
std::vector<CellRecord> ExampleCells();

NodeTestRecord ExampleNodeTest(std::string_view name, NodeVerdict verdict);

// An invalid model that was refused.
NegativeRecord ExampleNegative(std::string_view id);

// The report of ExampleCells and one node test of each verdict.
Report ExampleReport();

// A part of a model, as ExampleCell, and the report of such parts. In the model two parts
// are not judged, and its outputs differ.
CellRecord ExamplePart(std::string_view name, int64_t position, Verdict verdict);
Report ExampleModelReport(std::vector<CellRecord> rows);

// As many cells as the whole lattice of both operators has (4772), in its shape.
std::vector<CellRecord> WholeLattice(Verdict verdict);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_TESTING_EXAMPLE_RECORDS_H_
