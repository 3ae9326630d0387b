// Each wrong graph is run as a backend, and the diagnosis of each cell in which it
// deviates must have its name. By itself a sample of cells is asked;
// QCONFORM_NAMES='graphs.*/21/*' asks the cells that match, and prints what is named.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cases/core/case.h"
#include "cases/lattice/lattice.h"
#include "harness/backends/faulty/faulty_backend.h"
#include "harness/compare/compare.h"
#include "harness/compare/inference.h"
#include "harness/core/operator_faults.h"
#include "harness/diagnosis/diagnosis.h"
#include "harness/faults/matrix_cell.h"
#include "harness/runner/ask/further_cases.h"
#include "oracle/base/glob.h"

namespace qconform {
namespace {

constexpr uint64_t kSeed = 1;

// Of a fault in a cell in which it deviates.
enum class Named : uint8_t {
  kRight,
  kProvedEqual,  // another name comes first, whose model gives the same bits always
  kAmbiguous,    // another name comes first, whose model gives all bits that were asked
  kWrong,
  kNot,
};

Named NameOf(const Fault& fault, const Diagnosis& diagnosis) {
  const auto has = [&](const std::vector<std::string>& names) {
    return std::ranges::find(names, fault.name) != names.end();
  };
  if (diagnosis.explained_by == fault.name) return Named::kRight;
  if (diagnosis.explained_by.empty()) return Named::kNot;
  if (has(diagnosis.deviation.indistinguishable_from)) return Named::kProvedEqual;
  return has(diagnosis.deviation.also_explained_by) ? Named::kAmbiguous : Named::kWrong;
}

class NamedCell {
 public:
  explicit NamedCell(const Cell& cell)
      : cell_(cell),
        keys_(ContentsOf(cell, {cell.since_version, {cell.since_version}},
                         Level::kSmoke)) {}

  void Prepare() {
    for (const CaseKey& key : keys_) {
      auto made = SharedCase::Create(key, kSeed, answers_);
      ASSERT_TRUE(made.ok()) << made.error().message;
      shared_.push_back(*std::move(made));
    }
  }

  // Returns nothing if the fault does not deviate, or is explained by readings.
  std::optional<Diagnosis> Diagnosed(const Fault& fault) {
    const auto backend = MakeFaultyBackend(fault);
    CasesOfOtherSeeds further(*backend, keys_, keys_.front(), kSeed);
    return DiagnosedWhere(
        fault, [](size_t) { return true; }, &further);
  }

  // The same of a backend that makes it in every second case in which it shows.
  std::optional<Diagnosis> DiagnosedInEverySecond(const Fault& fault) {
    return DiagnosedWhere(
        fault, [](size_t shown) { return shown % 2 == 0; }, nullptr);
  }

 private:
  template <typename Acts>
  std::optional<Diagnosis> DiagnosedWhere(const Fault& fault, Acts acts,
                                          FurtherCases* further) {
    FaultState state;
    std::vector<Codes> codes;
    size_t shown = 0;
    for (const auto& shared : shared_) {
      codes.push_back(shared->decoded().CodesOf(fault, state));
      for (size_t i = 0; i < codes.back().size(); ++i) {
        if (Allows(shared->answer(), i, codes.back())) continue;
        if (!acts(shown++)) codes.back() = shared->decoded().canonical();
        break;
      }
    }
    if (shown == 0) return std::nullopt;
    std::vector<AnsweredCase> cases;
    for (size_t i = 0; i < shared_.size(); ++i) {
      const OpCase& op_case = shared_[i]->op_case();
      auto content = answers_.Add(op_case.model, ViewsOf(op_case.inputs));
      if (!content) return std::nullopt;
      cases.push_back({*content, (*content)->canonical(), codes[i], op_case.key.form});
    }
    const auto explanations = ExplainByReadings(cases);
    EXPECT_TRUE(explanations.ok());
    if (!explanations) return std::nullopt;
    if (std::ranges::all_of(*explanations, [](const auto& one) { return !!one; })) {
      return std::nullopt;
    }
    auto diagnosis = Diagnose(cell_, cases, *explanations, further);
    EXPECT_TRUE(diagnosis.ok()) << diagnosis.error().message;
    if (!diagnosis) return std::nullopt;
    return *std::move(diagnosis);
  }

  Cell cell_;
  std::vector<CaseKey> keys_;
  CellAnswers answers_;
  std::vector<std::unique_ptr<SharedCase>> shared_;
};

// The cells that match the globs; one of `stride`.
std::vector<Cell> CellsToAsk(std::string_view glob, size_t stride) {
  std::vector<Cell> cells;
  size_t index = 0;
  for (const OperatorFaults* of : AllOperatorFaults()) {
    if (!IsGraphFamily(of->op_type())) continue;
    for (const Cell& cell : CellsOf(of->op_type())) {
      if (CellGlobMatches(glob, CellId(cell)) && index++ % stride == 0) {
        cells.push_back(cell);
      }
    }
  }
  return cells;
}

// An optimizer looks at a zero point, a sign or an attribute before it rewrites a graph.
TEST(GraphNames, OfAFaultThatActsInSomeCasesOnly) {
  const auto cells = CellsToAsk("graphs.choosers/21/INT8-FLOAT-INT8/DQ-Relu-Q.*", 1);
  ASSERT_FALSE(cells.empty());
  NamedCell named(cells.front());
  named.Prepare();
  const Fault* dropped = FindFault("activation_dropped");
  ASSERT_NE(dropped, nullptr);
  const auto everywhere = named.Diagnosed(*dropped);
  ASSERT_TRUE(everywhere);
  EXPECT_EQ(everywhere->explained_by, "activation_dropped");
  EXPECT_EQ(everywhere->deviation.model.find("Only in"), std::string::npos);
  const auto at_times = named.DiagnosedInEverySecond(*dropped);
  ASSERT_TRUE(at_times);
  EXPECT_EQ(at_times->explained_by, "activation_dropped");
  EXPECT_NE(at_times->deviation.model.find("cases in which it would show."),
            std::string::npos)
      << at_times->deviation.model;
}

TEST(GraphNames, AreThoseOfTheFaults) {
  const char* glob = std::getenv("QCONFORM_NAMES");
  const char* given = std::getenv("QCONFORM_NAMES_STRIDE");
  constexpr size_t kSampled = 199;  // a prime, so that all kinds of cells are among them
  const size_t stride = given != nullptr  ? std::strtoul(given, nullptr, 10)
                        : glob != nullptr ? 1
                                          : kSampled;
  int64_t counts[5] = {};
  for (const Cell& cell : CellsToAsk(glob == nullptr ? "graphs.*/21/*" : glob,
                                     std::max<size_t>(stride, 1))) {
    NamedCell named(cell);
    named.Prepare();
    for (const Fault& fault : Faults()) {
      if (fault.SetFor(cell.op_type) == nullptr || fault.has_state) continue;
      if (Declare(fault, cell).kind != Declaration::Kind::kDeviates) continue;
      const auto diagnosis = named.Diagnosed(fault);
      if (!diagnosis) continue;
      const Named name = NameOf(fault, *diagnosis);
      ++counts[static_cast<size_t>(name)];
      EXPECT_NE(name, Named::kWrong)
          << CellId(cell) << " " << fault.name << " is " << diagnosis->explained_by;
      if (glob == nullptr || name == Named::kRight) continue;
      std::cout << CellId(cell) << " " << fault.name << ": '" << diagnosis->explained_by
                << "'" << (name == Named::kAmbiguous ? " or it" : "") << "\n";
    }
  }
  const int64_t right = counts[0] + counts[1];
  const int64_t all = right + counts[2] + counts[3] + counts[4];
  ASSERT_GT(all, 0);
  std::cout << "named " << right << " of " << all << " (of them " << counts[1]
            << " proved equal to another); ambiguous " << counts[2] << ", wrong "
            << counts[3] << ", not named " << counts[4] << "\n";
  EXPECT_GE(100 * right, 95 * all);
}

}  // namespace
}  // namespace qconform
