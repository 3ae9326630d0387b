#include <string_view>

#include "cases/model/attributes.h"
#include "harness/core/clause_decides.h"
#include "harness/operators/quantize_linear/faults.h"
#include "oracle/operators/quantize_linear/clauses.h"

namespace qconform::quantize_linear {
namespace {

constexpr int kSaturated = kFeatureSaturatedLow | kFeatureSaturatedHigh;

int64_t AttributeOf(const AskedElement& asked, const char* name, int64_t otherwise) {
  return IntegerAttributeOr(asked.op_case.model.node, name, otherwise);
}

// Whether y is a type whose rounding this clause states.
bool IsTargetOf(const AskedElement& asked, std::string_view clause) {
  return ClausesOfTarget(asked.type).rounding == clause;
}

ClauseDecides Decides() {
  return {
      {"QL-01",
       [](const AskedElement& a) {
         return a.op_case.operands[0].type == a.op_case.operands[1].type &&
                a.has(kFeatureQuotientRounded);
       }},
      {"QL-05",
       [](const AskedElement& a) {
         return AttributeOf(a, "precision", 0) != 0 && a.has(kFeatureQuotientRounded);
       }},
      {"QL-10",
       [](const AskedElement& a) {
         return a.is_integer() && a.has(kFeatureTie) && a.has(kFeatureZeroPoint);
       }},
      {"QL-11",
       [](const AskedElement& a) {
         return a.is_integer() && a.has(kFeatureInfinity) && a.has(kSaturated);
       }},
      {"QL-12",
       [](const AskedElement& a) {
         return a.is_integer() && a.element.freedom == Freedom::kAnyCode;
       }},
      {"QL-13",
       [](const AskedElement& a) { return a.is_integer() && a.has(kSaturated); }},
      {"QL-14",
       [](const AskedElement& a) {
         return (a.is_integer() || IsTargetOf(a, "QL-25")) &&
                AttributeOf(a, "saturate", 1) == 0 &&
                a.has(kSaturated | kFeatureInfinity);
       }},
      {"QL-20",
       [](const AskedElement& a) {
         return HasNan(a.type) && a.has(kFeatureTie | kFeatureNearTie);
       }},
      {"QL-21",
       [](const AskedElement& a) { return HasNan(a.type) && a.has(kFeatureInfinity); }},
      {"QL-23",
       [](const AskedElement& a) { return HasNan(a.type) && a.has(kFeatureNan); }},
      {"QL-25",
       [](const AskedElement& a) {
         return IsTargetOf(a, "QL-25") && a.has(kFeatureTie);
       }},
      {"QL-26",
       [](const AskedElement& a) {
         return IsTargetOf(a, "QL-25") && a.element.freedom == Freedom::kAnyCode;
       }},
      {"QL-27",
       [](const AskedElement& a) {
         return IsTargetOf(a, "QL-27") && a.has(kFeatureTie | kFeatureNearTie);
       }},
      {"QL-28",
       [](const AskedElement& a) {
         return IsTargetOf(a, "QL-27") && a.element.freedom == Freedom::kAnyCode;
       }},
      {"QL-30",
       [](const AskedElement& a) {
         return a.op_case.operands[2].type == DataType::kUndefined && a.has(kFeatureTie);
       }},
      {"QL-31",
       [](const AskedElement& a) {
         return a.op_case.key.cell.granularity == "blocked" &&
                a.op_case.key.generator == "shapes";
       }},
      {"QL-32",
       [](const AskedElement& a) { return a.op_case.operands[0].shape.empty(); }},
      {"QL-40",
       [](const AskedElement& a) { return a.element.tier == Tier::kDegenerateScale; }},
      {"QL-50",
       [](const AskedElement& a) {
         return a.is_integer() && PackedByteSize(a.type, 4) < 4 && a.elements > 1;
       }},
      {"QL-52",
       [](const AskedElement& a) {
         return PackedByteSize(a.type, 4) == 3 && a.elements > 1;
       }},
      {"QL-51",
       [](const AskedElement& a) {
         return PackedByteSize(a.type, a.elements) ==
                PackedByteSize(a.type, a.elements + 1);
       }},
  };
}

}  // namespace

const ClauseDecides& Faults::clauses_asked() const {
  static const ClauseDecides decides = Decides();
  return decides;
}

}  // namespace qconform::quantize_linear
