#include "cases/model/attributes.h"
#include "harness/core/clause_decides.h"
#include "harness/operators/quantize_linear/faults.h"
namespace qconform::quantize_linear {
namespace {

constexpr int kSaturated = kFeatureSaturatedLow | kFeatureSaturatedHigh;

int64_t AttributeOf(const AskedElement& asked, const char* name, int64_t otherwise) {
  return IntegerAttributeOr(asked.op_case.model.node, name, otherwise);
}

bool IsFloat8(const AskedElement& asked) {
  return !asked.is_integer() && asked.type != DataType::kFloat4E2M1;
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
         return (a.is_integer() || a.type == DataType::kFloat4E2M1) &&
                AttributeOf(a, "saturate", 1) == 0 &&
                a.has(kSaturated | kFeatureInfinity);
       }},
      {"QL-20",
       [](const AskedElement& a) {
         return IsFloat8(a) && a.has(kFeatureTie | kFeatureNearTie);
       }},
      {"QL-21",
       [](const AskedElement& a) { return IsFloat8(a) && a.has(kFeatureInfinity); }},
      {"QL-23", [](const AskedElement& a) { return IsFloat8(a) && a.has(kFeatureNan); }},
      {"QL-25",
       [](const AskedElement& a) {
         return a.type == DataType::kFloat4E2M1 && a.has(kFeatureTie);
       }},
      {"QL-26",
       [](const AskedElement& a) {
         return a.type == DataType::kFloat4E2M1 && a.element.freedom == Freedom::kAnyCode;
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
