// What the kill tests of the operators assert: no wrong model lives through the cases of
// a cell if more of the same cases would have told it from the oracle.
#ifndef QCONFORM_HARNESS_CORE_TESTING_SURVIVORS_H_
#define QCONFORM_HARNESS_CORE_TESTING_SURVIVORS_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cases/core/testing/asked.h"
#include "harness/core/allows.h"
#include "harness/core/operator_faults.h"
#include "oracle/base/glob.h"

namespace qconform {

// A case with the oracle's answer, as wrong models see it.
struct KillCase {
  OpCase made;
  Answer answer;
  std::shared_ptr<const DecodedCase> decoded;

  Codes CodesOf(const FaultSet& set) const {
    FaultState state;
    return decoded->CodesOf(set, state);
  }
};

// Returns the case of a key. `answer_of` evaluates it, with the bounds that there are.
inline KillCase MakeKillCase(
    const CaseKey& key, const std::function<Result<Answer>(const OpCase&)>& answer_of) {
  KillCase asked;
  Result<OpCase> made = MakeCase(key, generators::kTestSeed);
  EXPECT_TRUE(made.ok()) << made.error().message;
  asked.made = std::move(*made);
  const Cell& cell = key.cell;
  const Node& node = asked.made.model.node;
  const Operands operands = generators::OperandsOf(asked.made);
  const auto bound =
      FindOperator(cell.op_type)->Bind(node.attributes, cell.since_version);
  EXPECT_TRUE(bound.ok()) << CaseId(key);
  const Result<ModelValidity> validity = (*bound)->Validate(operands);
  EXPECT_TRUE(validity.ok() && validity->kind == ModelValidity::Kind::kValid)
      << CaseId(key) << ": " << validity->clause << " " << validity->reason;
  Result<Answer> answer = answer_of(asked.made);
  EXPECT_TRUE(answer.ok()) << CaseId(key);
  asked.answer = std::move(*answer);
  Codes canonical;
  for (const ElementAnswer& element : asked.answer.elements) {
    canonical.push_back(element.code);
  }
  auto decoded =
      FindOperatorFaults(cell.op_type)
          ->Decode(node, cell.since_version, operands, std::move(canonical), {});
  EXPECT_TRUE(decoded.ok()) << CaseId(key);
  asked.decoded = std::move(*decoded);
  return asked;
}

// Whether the comparison would notice the codes: no freedom and no bound of the answer
// explains them.
inline bool Notices(const Answer& answer, const Codes& codes) {
  for (size_t i = 0; i < codes.size(); ++i) {
    if (Allows(answer.type, answer.elements[i], codes[i])) continue;
    if (answer.bounds.empty()) return true;
    const CodeBounds& bounds = answer.bounds[i];
    if (!IsWithin(answer.type, codes[i], bounds.low, bounds.high)) return true;
  }
  return false;
}

struct WrongModel {
  std::string name;
  FaultSet set;
};

struct KillTest {
  std::string op_type;
  int64_t one_in = 1;  // of so many cells one is tried
  std::vector<WrongModel> models;
  FaultSet no_mistake;
  std::function<Result<Answer>(const OpCase&)> answer_of;
  // Returns further cases of the same generators.
  std::function<std::vector<CaseKey>(const CaseKey&)> more_of;

  // Returns the names of the models that no content of the cell tells from the oracle,
  // and that more of the same would.
  // Adds to `ever_killed` those that the cell's own contents kill.
  std::vector<std::string> SurvivorsOf(const Cell& cell,
                                       std::set<std::string>& ever_killed) const {
    std::vector<bool> killed(models.size(), false);
    const auto attack = [&](const CaseKey& key, std::vector<bool>& by) {
      const KillCase asked = MakeKillCase(key, answer_of);
      EXPECT_FALSE(Notices(asked.answer, asked.CodesOf(no_mistake)))
          << CaseId(key) << ": the right model disagrees with the oracle";
      for (size_t m = 0; m < models.size(); ++m) {
        if (killed[m] || by[m]) continue;
        by[m] = Notices(asked.answer, asked.CodesOf(models[m].set));
      }
    };
    const std::vector<CaseKey> keys = generators::ContentsOf(cell, Level::kStandard);
    for (const CaseKey& key : keys) {
      std::vector<bool> by(models.size(), false);
      attack(key, by);
      for (size_t m = 0; m < models.size(); ++m) killed[m] = killed[m] || by[m];
    }
    std::vector<bool> later(models.size(), false);
    for (const CaseKey& key : keys) {
      for (const CaseKey& other : more_of(key)) attack(other, later);
    }
    std::vector<std::string> survivors;
    for (size_t m = 0; m < models.size(); ++m) {
      if (killed[m]) ever_killed.insert(models[m].name);
      if (!killed[m] && later[m]) survivors.push_back(models[m].name);
    }
    return survivors;
  }

  // QCONFORM_KILL_CELLS is a pattern of the cells to try, for work on the generators.
  void ExpectNoSurvivor() const {
    const char* pattern = std::getenv("QCONFORM_KILL_CELLS");
    std::map<std::string, int> survivors;
    std::set<std::string> ever_killed;
    int64_t turn = 0;
    int64_t cells = 0;
    for (const Cell& cell : CellsOf(op_type)) {
      if (pattern != nullptr ? !GlobMatches(pattern, CellId(cell))
                             : ++turn % one_in != 0) {
        continue;
      }
      ++cells;
      for (const std::string& name : SurvivorsOf(cell, ever_killed)) {
        std::cout << CellId(cell) << " " << name << "\n";
        ++survivors[name];
      }
    }
    for (const auto& [name, count] : survivors) {
      std::cout << "survives: " << name << " in " << count << " of " << cells << "\n";
    }
    EXPECT_GT(cells, 0);
    EXPECT_TRUE(survivors.empty());
    // A model that no cell kills does nothing; three may act in other cells only.
    if (pattern == nullptr) {
      EXPECT_GE(ever_killed.size() + 3, models.size());
    }
  }
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_TESTING_SURVIVORS_H_
