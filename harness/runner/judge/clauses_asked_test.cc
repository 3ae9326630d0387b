// Every clause of the ledger is asked about: by an element of a case of the level
// standard that it decides, or by a model at the border of what is defined. (That
// readings of parametric clauses are told apart: harness/compare/readings_test.cc.)
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "cases/core/case.h"
#include "cases/lattice/lattice.h"
#include "cases/negative/negative_model.h"
#include "harness/core/fault.h"
#include "harness/core/operator_faults.h"
#include "harness/core/oracle_model.h"
#include "harness/runner/selection.h"
#include "oracle/core/clauses.h"
#include "oracle/core/operator.h"

namespace qconform {
namespace {

// The clauses of which no case of about 60 cells of an operator, in equal steps, asks.
std::set<std::string> NotAsked(const std::string& op_type, ClauseDecides left) {
  size_t turn = 0;
  const auto cells = SelectCells({op_type + "/*"});
  // An odd step meets every granularity.
  const size_t step = (cells->size() / 60) | 1;
  for (const SelectedCell& selected : *cells) {
    if (left.empty()) break;
    if (++turn % step != 0) continue;
    for (const CaseKey& key :
         CasesOf(selected.cell, selected.versions, Level::kStandard)) {
      if (left.empty()) break;
      if (key.form != OperandForm::kInputs) continue;
      const auto op_case = MakeCase(key, 1);
      EXPECT_TRUE(op_case.ok()) << CaseId(key);
      const std::vector<TensorView> views = ViewsOf(op_case->inputs);
      const auto answer = OracleModel::Create(op_case->model)->Evaluate(views);
      EXPECT_TRUE(answer.ok()) << CaseId(key);
      for (size_t i = 0; i < answer->elements.size(); ++i) {
        std::erase_if(left, [&](const auto& clause) {
          const size_t output = answer->PlaceOf(i).output;
          return clause.second({*op_case, answer->elements[i], answer->TypeOf(i),
                                static_cast<int64_t>(answer->SizeOf(output))});
        });
      }
    }
  }
  std::set<std::string> names;
  for (const auto& [name, decides] : left) names.insert(name);
  return names;
}

TEST(Clauses, EachIsAskedAbout) {
  std::set<std::string> models;  // clauses that models at the border cite
  for (const NegativeModel& model : NegativeModels()) models.insert(model.clause);
  std::map<std::string, int> clauses;  // by operator
  for (const Clause& clause : Clauses()) {
    const std::string id(clause.id);
    ++clauses[std::string(clause.op_type)];
    if (clause.op_type.empty()) continue;  // how readings and tiers are judged
    if (clause.kind == ClauseKind::kParametric) continue;
    if (clause.op_type == kGraphs) continue;  // FamiliesOfGraphs_AskAllTogether
    EXPECT_TRUE(FindOperatorFaults(clause.op_type)->clauses_asked().contains(id) ||
                models.contains(id))
        << id << ": a clause that nothing asks about";
  }
  EXPECT_EQ(clauses["QuantizeLinear"], 33);
  EXPECT_EQ(clauses["QLinearMatMul"], 13);
  for (const std::string& op_type : JudgedOperators()) {
    if (IsGraphFamily(op_type)) continue;
    EXPECT_GT(clauses[op_type], 0) << op_type;
    EXPECT_EQ(NotAsked(op_type, FindOperatorFaults(op_type)->clauses_asked()),
              std::set<std::string>())
        << op_type;
  }
}

TEST(Clauses, FamiliesOfGraphs_AskAllTogether) {
  std::set<std::string> of_graphs;
  for (const Clause& clause : Clauses()) {
    if (clause.op_type == kGraphs) of_graphs.emplace(clause.id);
  }
  EXPECT_EQ(of_graphs.size(), 20u);
  for (const std::string& op_type : JudgedOperators()) {
    if (!IsGraphFamily(op_type)) continue;
    const ClauseDecides& decides = FindOperatorFaults(op_type)->clauses_asked();
    const std::set<std::string> not_asked = NotAsked(op_type, decides);
    for (const auto& [clause, by] : decides) {
      if (!not_asked.contains(clause)) of_graphs.erase(clause);
    }
  }
  EXPECT_EQ(of_graphs, std::set<std::string>());
}

// The names of an operator's attributes, inputs and outputs.
std::set<std::string> NamesOf(const std::string& op_type) {
  std::set<std::string> names;
  for (const std::string& name : AttributeNames(op_type, NewestOpsetVersion())) {
    names.insert(name);
  }
  const Operator* op = FindOperator(op_type);
  for (const auto& operand : op->operands()) names.emplace(operand.name);
  for (const auto& output : op->outputs()) names.emplace(output.name);
  return names;
}

// What the ledger calls a wrong model by is what a diagnosis says.
TEST(Clauses, EachDiagnosisThatIsNamed_IsInTheCatalogue) {
  // A reading by its bare name, and facts that are reported in other ways.
  std::set<std::string> known{"uninitialised_padding",
                              "float_matmul",
                              "float_conv",
                              "scale_type_matmul",
                              "unspecified_requantization",
                              "MM-10:reduced_precision_accumulation",
                              "QL-24:added_in_p@3",
                              "fused_arithmetic",
                              "fused_requantization",
                              "float_sum",
                              "reduced_precision",
                              "reduced_precision_accumulation"};
  for (const std::string& op_type : JudgedOperators()) {
    known.merge(NamesOf(op_type));
  }
  for (int tier = 0; tier < kTierCount; ++tier) {
    known.emplace(TierName(static_cast<Tier>(tier)));
  }
  for (const Clause& clause : Clauses()) {
    for (const ClauseReading& reading : clause.readings) known.emplace(reading.name);
  }
  int diagnoses = 0;
  for (const Clause& clause : Clauses()) {
    for (const std::string_view text : {clause.text, clause.source}) {
      size_t start = 0;
      while ((start = text.find('`', start)) != std::string_view::npos) {
        const size_t end = text.find('`', start + 1);
        const std::string name(text.substr(start + 1, end - start - 1));
        start = end + 1;
        if (name.find('_') == std::string::npos || known.contains(name)) continue;
        EXPECT_NE(FindFault(name), nullptr) << clause.id << " names " << name;
        ++diagnoses;
      }
    }
  }
  EXPECT_GE(diagnoses, 5);
}

}  // namespace
}  // namespace qconform
