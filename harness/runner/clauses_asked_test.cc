// Every clause of the ledger is asked about: by an element of a case of the level
// standard that it decides, or by a model at the border of what is defined. (That
// readings of parametric clauses are told apart: harness/compare/readings_test.cc.)
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "cases/generators/case.h"
#include "cases/negative/negative_model.h"
#include "harness/backends/operands.h"
#include "harness/compare/oracle_model.h"
#include "harness/runner/selection.h"
#include "oracle/scalar/clauses.h"

namespace qconform {
namespace {

// One element of one case.
struct Asked {
  const OpCase& op_case;
  const Answer& answer;
  const ElementAnswer& element;

  const Cell& cell() const { return op_case.key.cell; }
  bool has(int features) const { return (element.features & features) != 0; }
  DataType x() const { return op_case.operands[0].type; }
  DataType scale() const { return op_case.operands[1].type; }
  bool integer() const { return IsInteger(answer.type); }
  int64_t attribute(const char* name, int64_t otherwise) const {
    for (const Attribute& one : op_case.model.node.attributes) {
      const auto* value = std::get_if<int64_t>(&one.value);
      if (one.name == name && value != nullptr) return *value;
    }
    return otherwise;
  }
};

bool IsFloat8(const Asked& asked) {
  return !asked.integer() && asked.answer.type != DataType::kFloat4E2M1;
}

constexpr int kSaturated = kFeatureSaturatedLow | kFeatureSaturatedHigh;

using Decides = std::function<bool(const Asked&)>;

std::map<std::string, Decides> QuantizeLinearClauses() {
  return {
      {"QL-01",
       [](const Asked& a) {
         return a.x() == a.scale() && a.has(kFeatureQuotientRounded);
       }},
      {"QL-02",
       [](const Asked& a) {
         return a.cell().since_version <= 21 && a.x() == DataType::kFloat &&
                a.scale() == DataType::kFloat && a.has(kFeatureQuotientRounded);
       }},
      {"QL-05",
       [](const Asked& a) {
         return a.attribute("precision", 0) != 0 && a.has(kFeatureQuotientRounded);
       }},
      {"QL-10",
       [](const Asked& a) {
         return a.integer() && a.has(kFeatureTie) && a.has(kFeatureZeroPoint);
       }},
      {"QL-11",
       [](const Asked& a) {
         return a.integer() && a.has(kFeatureInfinity) && a.has(kSaturated);
       }},
      {"QL-12",
       [](const Asked& a) {
         return a.integer() && a.element.freedom == Freedom::kAnyCode;
       }},
      {"QL-13", [](const Asked& a) { return a.integer() && a.has(kSaturated); }},
      {"QL-14",
       [](const Asked& a) {
         return (a.integer() || a.answer.type == DataType::kFloat4E2M1) &&
                a.attribute("saturate", 1) == 0 && a.has(kSaturated | kFeatureInfinity);
       }},
      {"QL-20",
       [](const Asked& a) {
         return IsFloat8(a) && a.has(kFeatureTie | kFeatureNearTie);
       }},
      {"QL-21", [](const Asked& a) { return IsFloat8(a) && a.has(kFeatureInfinity); }},
      {"QL-23", [](const Asked& a) { return IsFloat8(a) && a.has(kFeatureNan); }},
      {"QL-25",
       [](const Asked& a) {
         return a.answer.type == DataType::kFloat4E2M1 && a.has(kFeatureTie);
       }},
      {"QL-26",
       [](const Asked& a) {
         return a.answer.type == DataType::kFloat4E2M1 &&
                a.element.freedom == Freedom::kAnyCode;
       }},
      {"QL-30",
       [](const Asked& a) {
         return a.op_case.operands[2].type == DataType::kUndefined && a.has(kFeatureTie);
       }},
      {"QL-31",
       [](const Asked& a) {
         return a.cell().granularity == Granularity::kBlocked &&
                a.op_case.key.generator == "shapes";
       }},
      {"QL-32", [](const Asked& a) { return a.op_case.operands[0].shape.empty(); }},
      {"QL-40", [](const Asked& a) { return a.element.tier == Tier::kDegenerateScale; }},
      {"QL-50",
       [](const Asked& a) {
         return a.integer() && PackedByteSize(a.answer.type, 4) < 4 &&
                a.answer.elements.size() > 1;
       }},
      {"QL-51",
       [](const Asked& a) {
         const auto count = static_cast<int64_t>(a.answer.elements.size());
         return PackedByteSize(a.answer.type, count) ==
                PackedByteSize(a.answer.type, count + 1);
       }},
  };
}

std::map<std::string, Decides> QLinearMatMulClauses() {
  return {
      {"MM-01",
       [](const Asked& a) { return IsInteger(a.cell().types[1]) && a.integer(); }},
      {"MM-01b",
       [](const Asked& a) { return a.element.tier == Tier::kAccumulatorOverflow; }},
      {"MM-03",
       [](const Asked& a) {
         return a.integer() && a.has(kFeatureTie | kFeatureNearTie) &&
                a.has(kFeatureZeroPoint);
       }},
      {"MM-04",
       [](const Asked& a) {
         return GranularityName(a.cell().granularity) != "per_tensor-per_tensor" &&
                a.has(kFeatureInexact);
       }},
      {"MM-10", [](const Asked& a) { return !IsInteger(a.cell().types[1]); }},
      {"MM-11",
       [](const Asked& a) {
         return !IsInteger(a.cell().types[1]) && a.has(kFeatureNan | kFeatureInfinity);
       }},
      {"MM-12", [](const Asked& a) { return a.element.zero_sign_is_free; }},
      {"MM-20", [](const Asked& a) { return a.element.tier == Tier::kDegenerateScale; }},
  };
}

// The clauses of which no case of every `step`th cell of an operator asks.
std::set<std::string> NotAsked(const std::string& op_type,
                               std::map<std::string, Decides> left, int step) {
  int turn = 0;
  const auto cells = SelectCells({op_type + "/*"});
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
      for (const ElementAnswer& element : answer->elements) {
        std::erase_if(left, [&](const auto& clause) {
          return clause.second({*op_case, *answer, element});
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
  const std::map<std::string, Decides> quantize = QuantizeLinearClauses();
  const std::map<std::string, Decides> mat_mul = QLinearMatMulClauses();
  int clauses = 0;
  for (const Clause& clause : Clauses()) {
    const std::string id(clause.id);
    ++clauses;
    if (clause.op_type.empty()) continue;  // how readings and tiers are judged
    if (clause.kind == ClauseKind::kParametric) continue;
    EXPECT_TRUE(quantize.contains(id) || mat_mul.contains(id) || models.contains(id))
        << id << ": a clause that nothing asks about";
  }
  EXPECT_EQ(clauses, 45);
  const std::set<std::string> none;
  EXPECT_EQ(NotAsked("QuantizeLinear", quantize, 37), none);
  EXPECT_EQ(NotAsked("QLinearMatMul", mat_mul, 53), none);
}

}  // namespace
}  // namespace qconform
