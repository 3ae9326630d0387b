#include "harness/runner/judge/clauses_asked.h"

#include "cases/model/attributes.h"

namespace qconform {
namespace {

// An element and what its clauses ask of it.
struct Asked : AskedElement {
  Asked(const AskedElement& one) : AskedElement(one) {}

  const Cell& cell() const { return op_case.key.cell; }
  bool has(int features) const { return (element.features & features) != 0; }
  DataType x() const { return op_case.operands[0].type; }
  DataType scale() const { return op_case.operands[1].type; }
  bool integer() const { return IsInteger(type); }
  int64_t attribute(const char* name, int64_t otherwise) const {
    return IntegerAttributeOr(op_case.model.node, name, otherwise);
  }
};

bool IsFloat8(const Asked& asked) {
  return !asked.integer() && asked.type != DataType::kFloat4E2M1;
}

constexpr int kSaturated = kFeatureSaturatedLow | kFeatureSaturatedHigh;

ClauseDecides QuantizeLinearDecides() {
  return {
      {"QL-01",
       [](const Asked& a) {
         return a.x() == a.scale() && a.has(kFeatureQuotientRounded);
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
         return (a.integer() || a.type == DataType::kFloat4E2M1) &&
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
         return a.type == DataType::kFloat4E2M1 && a.has(kFeatureTie);
       }},
      {"QL-26",
       [](const Asked& a) {
         return a.type == DataType::kFloat4E2M1 && a.element.freedom == Freedom::kAnyCode;
       }},
      {"QL-30",
       [](const Asked& a) {
         return a.op_case.operands[2].type == DataType::kUndefined && a.has(kFeatureTie);
       }},
      {"QL-31",
       [](const Asked& a) {
         return a.cell().granularity == "blocked" && a.op_case.key.generator == "shapes";
       }},
      {"QL-32", [](const Asked& a) { return a.op_case.operands[0].shape.empty(); }},
      {"QL-40", [](const Asked& a) { return a.element.tier == Tier::kDegenerateScale; }},
      {"QL-50",
       [](const Asked& a) {
         return a.integer() && PackedByteSize(a.type, 4) < 4 &&
                a.answer.elements.size() > 1;
       }},
      {"QL-51",
       [](const Asked& a) {
         const auto count = static_cast<int64_t>(a.answer.elements.size());
         return PackedByteSize(a.type, count) == PackedByteSize(a.type, count + 1);
       }},
  };
}

ClauseDecides QLinearMatMulDecides() {
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
         return a.cell().granularity != "per_tensor-per_tensor" && a.has(kFeatureInexact);
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

}  // namespace

const ClauseDecides& DecidesOf(const std::string& op_type) {
  static const ClauseDecides quantize_linear = QuantizeLinearDecides();
  static const ClauseDecides mat_mul = QLinearMatMulDecides();
  return op_type == "QuantizeLinear" ? quantize_linear : mat_mul;
}

std::set<std::string> ClausesAsked(const OpCase& op_case, const CaseAnswer& answer) {
  std::set<std::string> clauses;
  for (const auto& [clause, decides] : DecidesOf(op_case.key.cell.op_type)) {
    for (size_t i = 0; i < answer.elements.size(); ++i) {
      if (!decides({op_case, answer, answer.elements[i], answer.TypeOf(i)})) continue;
      clauses.insert(clause);
      break;
    }
  }
  return clauses;
}

}  // namespace qconform
