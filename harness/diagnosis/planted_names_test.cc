// Planted faults are diagnosed by their own names.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/backends/faulty/faulty_backend.h"
#include "harness/core/fault.h"
#include "harness/core/operator_faults.h"
#include "harness/runner/selection.h"
#include "harness/runner/testing/run_on.h"
#include "reports/record/evidence.h"

namespace qconform {
namespace {

// The operators are spread over as many tests as parts, which ctest runs side by side.
class PlantedNames : public testing::TestWithParam<size_t> {};
constexpr size_t kParts = 3;

// Of each fault one cell of each operator that has it, spread over the lattice: a fault
// has a model of its own for each operator.
TEST_P(PlantedNames, AreTheirOwnOrOnesThatGiveTheSame) {
  const auto cells = SelectCells({"*"});
  ASSERT_TRUE(cells.ok());
  int asked = 0;
  int named = 0;
  size_t turn = 0;
  for (const Fault& fault : Faults()) {
    std::map<std::string, std::vector<const SelectedCell*>> deviating;  // by operator
    for (const SelectedCell& cell : *cells) {
      if (Declare(fault, cell.cell).kind == Declaration::Kind::kDeviates) {
        deviating[cell.cell.op_type].push_back(&cell);
      }
    }
    for (const auto& [op_type, of] : deviating) {
      turn += 131;
      if (turn / 131 % kParts != GetParam()) continue;
      const Cell& cell = of[turn % of.size()]->cell;
      const std::unique_ptr<Backend> backend = MakeFaultyBackend(fault);
      const std::vector<CellRecord> records =
          RunOn(*backend, {CellId(cell)}, Level::kStandard);
      ASSERT_EQ(records.size(), 1u) << fault.name;
      const CellRecord& record = records.front();
      EXPECT_EQ(record.verdict, Verdict::kNonconformant)
          << fault.name << " " << record.cell;
      ASSERT_TRUE(record.deviation.has_value()) << fault.name << " " << record.cell;
      ++asked;
      const std::string name(fault.name);
      // By its own name, or by one that is proved to give the same for every input.
      const std::vector<std::string>& same = record.deviation->indistinguishable_from;
      const bool own =
          record.diagnosis == name || std::ranges::find(same, name) != same.end();
      named += own ? 1 : 0;
      if (!record.diagnosis.empty()) {
        // Or it says that the cell's cases do not tell them apart.
        const std::vector<std::string>& untold = record.deviation->also_explained_by;
        EXPECT_TRUE(own || std::ranges::find(untold, name) != untold.end())
            << name << " in " << record.cell << ": " << DiagnosisText(record);
      }
      if (!own) {
        std::printf("%s in %s: %s\n", name.c_str(), record.cell.c_str(),
                    DiagnosisText(record).c_str());
      }
    }
  }
  std::printf("%d of %d diagnosed\n", named, asked);
  EXPECT_GT(asked, 100);
  EXPECT_GE(named * 100, asked * 95);
}

INSTANTIATE_TEST_SUITE_P(Parts, PlantedNames, testing::Range(size_t{0}, kParts));

}  // namespace
}  // namespace qconform
