// The kill matrix: no planted fault survives where it deviates, and a fault that
// nothing can catch is told as a survivor.
#include "harness/faults/matrix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <string>
#include <thread>

#include "harness/faults/fault_report.h"
#include "harness/operators/quantize_linear/fault_switches.h"

namespace qconform {
namespace {

const std::atomic<bool> kNeverStop{false};

std::vector<SelectedCell> Cells(const std::vector<std::string>& patterns = {}) {
  auto cells = SelectCells(patterns);
  EXPECT_TRUE(cells.ok());
  return *std::move(cells);
}

MatrixRequest RequestFor(std::vector<SelectedCell> cells, Level level) {
  MatrixRequest request;
  request.cells = std::move(cells);
  request.level = level;
  request.jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  for (const Fault& fault : Faults()) request.faults.push_back(&fault);
  for (const ComparisonFault& fault : ComparisonFaults()) {
    request.comparison_faults.push_back(&fault);
  }
  return request;
}

TEST(ComparisonFaults, OfPlaces_ActOnEachOutput) {
  // y[70] and scales[2].
  const CaseAnswer answer({Answer{DataType::kUint8, {70}, std::vector<ElementAnswer>(70)},
                           Answer{DataType::kFloat, {2}, std::vector<ElementAnswer>(2)}},
                          {"y", "scales"});
  const auto accepted = [&](std::string_view name) {
    const auto fault =
        std::ranges::find(ComparisonFaults(), name, &ComparisonFault::name);
    std::vector<size_t> elements;
    for (size_t i = 0; i < answer.elements.size(); ++i) {
      if (fault->passes(answer, i, 1)) elements.push_back(i);
    }
    return elements;
  };
  EXPECT_EQ(accepted("compare_forgets_last"), (std::vector<size_t>{69, 71}));
  EXPECT_EQ(accepted("compare_whole_vectors"),
            (std::vector<size_t>{64, 65, 66, 67, 68, 69, 70, 71}));
}

std::vector<FaultRecord> Records(const MatrixRequest& request) {
  FaultReportBuilder builder(request);
  const auto all = RunMatrix(
      request, [&](const MatrixRow& row) { builder.Add(row); }, kNeverStop);
  EXPECT_TRUE(all.ok()) << all.error().message;
  return builder.Finish({}).value();
}

// One cell of each operator, since_version and output type: not always the first,
// so that types and granularities take turns.
std::vector<SelectedCell> OneOfEachGroup() {
  std::map<std::string, std::vector<SelectedCell>> groups;
  for (const SelectedCell& cell : Cells()) {
    groups[cell.cell.op_type + std::to_string(cell.cell.since_version) +
           std::string(DataTypeName(OutputType(cell.cell)))]
        .push_back(cell);
  }
  std::vector<SelectedCell> chosen;
  size_t turn = 0;
  for (const auto& [name, cells] : groups)
    chosen.push_back(cells[7 * turn++ % cells.size()]);
  return chosen;
}

TEST(Faults, Catalogue_HasEnoughOfThemWithNamesAndSentences) {
  std::set<std::string_view> names;
  const auto check = [&](std::string_view name, std::string_view sentence) {
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"),
              std::string_view::npos)
        << name;
    EXPECT_TRUE(sentence.ends_with('.')) << name;
  };
  for (const Fault& fault : Faults()) {
    check(fault.name, fault.sentence);
    EXPECT_FALSE(fault.shares.empty()) << fault.name;
    EXPECT_EQ(FindFault(fault.name), &fault);
  }
  for (const ComparisonFault& fault : ComparisonFaults()) {
    check(fault.name, fault.sentence);
    EXPECT_NE(FindFault(fault.witness), nullptr) << fault.name;
  }
  EXPECT_GE(Faults().size(), 60u);
}

// Four kinds of claims, each with what it has to say.
TEST(Faults, Declarations_CoverTheLattice) {
  std::map<Declaration::Kind, int64_t> counts;
  for (const SelectedCell& cell : Cells()) {
    for (const Fault& fault : Faults()) {
      const Declaration declared = Declare(fault, cell.cell);
      ++counts[declared.kind];
      EXPECT_EQ(declared.reading.empty(),
                declared.kind != Declaration::Kind::kAdmissible);
      EXPECT_EQ(declared.reason.empty(), declared.kind != Declaration::Kind::kEquivalent);
    }
  }
  EXPECT_EQ(counts.size(), 4u);
}

TEST(Matrix, Standard_NoFaultSurvivesInACellOfEachGroup) {
  const MatrixRequest request = RequestFor(OneOfEachGroup(), Level::kStandard);
  EXPECT_GE(request.cells.size(), 40u);
  for (const FaultRecord& record : Records(request)) {
    for (const ContradictionRecord& one : record.contradictions) {
      ADD_FAILURE() << record.name << " in " << one.cell << ": declared " << one.declared
                    << ", " << one.observed;
    }
  }
}

// A few cases in every ninth cell: most faults are caught somewhere, and what is
// declared equivalent or admissible is never caught.
TEST(Matrix, Smoke_MostFaultsAreCaughtInSomeCellAndNoneWrongly) {
  std::vector<SelectedCell> cells;
  for (const SelectedCell& cell : Cells()) {
    if (cell.sequence % 9 == 0) cells.push_back(cell);
  }
  const MatrixRequest request = RequestFor(std::move(cells), Level::kSmoke);
  int caught = 0;
  for (const FaultRecord& record : Records(request)) {
    caught += record.deviates.confirmed > 0 ? 1 : 0;
    for (const ContradictionRecord& one : record.contradictions) {
      if (one.declared == "deviates") continue;
      EXPECT_NE(one.observed, "deviates") << record.name << " " << one.cell;
      if (one.declared == "equivalent") ADD_FAILURE() << record.name << " " << one.cell;
    }
  }
  EXPECT_GE(caught, 60);
}

TEST(Matrix, FaultThatDoesNothing_Survives) {
  const Fault nothing{
      .name = "nothing",
      .sentence = "It does nothing to integers.",
      .shares = {{"QuantizeLinear", {QuantizeLinearSwitches{.late_overflow = true}}}},
  };
  MatrixRequest request =
      RequestFor(Cells({"QuantizeLinear/21/FLOAT-FLOAT-INT8/per_tensor"}), Level::kSmoke);
  request.faults = {&nothing};
  request.comparison_faults.clear();
  const std::vector<FaultRecord> records = Records(request);
  ASSERT_EQ(records.size(), 1u);
  ASSERT_EQ(records[0].contradictions.size(), 1u);
  EXPECT_EQ(records[0].contradictions[0].declared, "deviates");
  EXPECT_EQ(records[0].contradictions[0].observed, "no case shows a difference");
  EXPECT_FALSE(records[0].found());
}

TEST(Matrix, WrongClaimOfEquivalence_IsTold) {
  const Fault wrong{
      .name = "wrong_claim",
      .sentence = "Ties go away from zero, and it is declared that this is the same.",
      .shares = {{"QuantizeLinear",
                  {QuantizeLinearSwitches{.rounding =
                                              QuantizeLinearSwitches::Rounding::kAway},
                   [](const Cell&) { return Equivalent("it is not"); }}}},
  };
  MatrixRequest request = RequestFor(
      Cells({"QuantizeLinear/21/FLOAT-FLOAT-INT8/per_tensor"}), Level::kExhaustive);
  request.faults = {&wrong};
  request.comparison_faults.clear();
  const std::vector<FaultRecord> records = Records(request);
  ASSERT_EQ(records[0].contradictions.size(), 1u);
  EXPECT_EQ(records[0].contradictions[0].observed, "deviates");
}

TEST(Matrix, CaughtFault_HasAShrunkCaseOfOneElement) {
  MatrixRequest request = RequestFor(
      Cells({"QuantizeLinear/21/FLOAT-FLOAT-INT8/per_axis"}), Level::kStandard);
  request.faults = {FindFault("ties_away")};
  request.comparison_faults.clear();
  const std::vector<FaultRecord> records = Records(request);
  ASSERT_TRUE(records[0].example);
  EXPECT_EQ(records[0].example->operands.size(), 3u);
  EXPECT_NE(records[0].example->expected, records[0].example->actual);
  EXPECT_NE(records[0].stored_case.find("\"qconform_case\""), std::string::npos);
  EXPECT_EQ(records[0].first_generator, "ties");
  EXPECT_GT(records[0].first_elements, 0);
}

}  // namespace
}  // namespace qconform
