// Every reading of the ledger is told from the canonical one, and from the others
// of its clause, by a case of the level standard: inference could not name one
// that no case distinguishes.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cases/core/case.h"
#include "harness/compare/compare.h"
#include "harness/core/oracle_model.h"
#include "oracle/core/clauses.h"

namespace qconform {
namespace {

// Names of two choices of one clause, "canonical" among them; in order.
using Pair = std::pair<std::string, std::string>;

std::string ClauseOf(const std::string& name) { return name.substr(0, name.find(':')); }

// "canonical" belongs to every clause.
bool ShareAClause(const std::string& a, const std::string& b) {
  return a == "canonical" || b == "canonical" || ClauseOf(a) == ClauseOf(b);
}

bool Differ(const CaseAnswer& a, const CaseAnswer& b) {
  for (size_t i = 0; i < a.elements.size(); ++i) {
    if (!Allows(a.TypeOf(i), a.elements[i], b.elements[i].code)) return true;
  }
  return false;
}

struct Findings {
  std::set<Pair> met;   // both apply to some case
  std::set<Pair> told;  // and some case has other answers by one than by the other
};

// Asks all readings about one case; a combination of readings is no further one.
void Ask(const OpCase& op_case, Findings& findings) {
  const auto oracle = OracleModel::Create(op_case.model);
  ASSERT_TRUE(oracle.ok()) << CaseId(op_case.key);
  const std::vector<TensorView> inputs = ViewsOf(op_case.inputs);
  auto choices = oracle->Readings(inputs);
  ASSERT_TRUE(choices.ok()) << CaseId(op_case.key);
  std::erase_if(*choices, [](const ReadingSet& choice) {
    return choice.is_bounded() || Spell(choice).find('+') != std::string::npos;
  });
  std::vector<CaseAnswer> answers;
  for (const ReadingSet& choice : *choices) {
    answers.push_back(*oracle->Evaluate(inputs, choice));
  }
  for (size_t i = 0; i < choices->size(); ++i) {
    for (size_t j = i + 1; j < choices->size(); ++j) {
      const std::string a = Spell((*choices)[i]);
      const std::string b = Spell((*choices)[j]);
      if (!ShareAClause(a, b)) continue;
      const Pair pair{std::min(a, b), std::max(a, b)};
      findings.met.insert(pair);
      if (findings.told.contains(pair)) continue;
      if (Differ(answers[i], answers[j])) findings.told.insert(pair);
    }
  }
}

// Every `step`th cell; of each, the contents once.
Findings AskCells(const std::string& op_type, int64_t step) {
  Findings all;
  int64_t turn = 0;
  const SinceVersion any{.since_version = 0, .opset_versions = {0}};
  for (const Cell& cell : CellsOf(op_type)) {
    if (++turn % step != 0) continue;
    Findings findings;
    for (CaseKey key : CasesOf(cell, any, Level::kStandard)) {
      if (key.form != OperandForm::kInputs) continue;
      // The longest sums say nothing about requantization that short ones do not.
      if (key.generator == "overflow") continue;
      key.opset_version = cell.since_version;
      const Result<OpCase> made = MakeCase(key, 1);
      EXPECT_TRUE(made.ok()) << CaseId(key);
      if (!made.ok()) return all;
      Ask(*made, findings);
      if (findings.told.size() == findings.met.size() && key.index > 1) break;
    }
    all.met.merge(findings.met);
    all.told.merge(findings.told);
  }
  return all;
}

// The readings of the clauses of an operator, as choices are named.
std::set<std::string> ReadingsOf(const std::string& op_type) {
  std::set<std::string> names;
  for (const Clause& clause : Clauses()) {
    if (clause.op_type != op_type || clause.kind != ClauseKind::kParametric) continue;
    for (const ClauseReading& reading : clause.readings) {
      // Of what is refused there are no bits.
      if (!reading.canonical && reading.name != "refused") {
        names.insert(std::string(clause.id) + ":" + std::string(reading.name));
      }
    }
  }
  return names;
}

void ExpectAllTold(const std::string& op_type, int64_t step) {
  const Findings findings = AskCells(op_type, step);
  // These two differ by the last place of a DOUBLE, and both from the canonical one.
  const Pair orders{"MM-02:f64_chain", "MM-02:f64_chain_b_first"};
  for (const Pair& pair : findings.met) {
    if (pair == orders) continue;
    EXPECT_TRUE(findings.told.contains(pair))
        << "no case of these cells tells " << pair.first << " from " << pair.second;
  }
  for (const std::string& name : ReadingsOf(op_type)) {
    const bool found = std::ranges::any_of(findings.told, [&](const Pair& pair) {
      return (pair.first == "canonical" || pair.second == "canonical") &&
             (pair.first.starts_with(name) || pair.second.starts_with(name));
    });
    EXPECT_TRUE(found) << name
                       << " is in the ledger, and no case of these cells shows it";
  }
  EXPECT_GT(findings.met.size(), 10u);
}

TEST(Readings, QuantizeLinear_EachIsToldFromTheOthers) {
  ExpectAllTold("QuantizeLinear", 5);
}

TEST(Readings, QLinearMatMul_EachIsToldFromTheOthers) {
  ExpectAllTold("QLinearMatMul", 11);
}

}  // namespace
}  // namespace qconform
