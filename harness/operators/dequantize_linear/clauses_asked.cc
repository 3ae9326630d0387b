#include <cstddef>

#include "harness/core/clause_decides.h"
#include "harness/operators/dequantize_linear/faults.h"

namespace qconform::dequantize_linear {
namespace {

constexpr size_t kX = 0;
constexpr size_t kScale = 1;

DataType TypeOf(const AskedElement& asked, size_t operand) {
  return asked.op_case.operands[operand].type;
}

bool IsFloat6(DataType type) {
  return type == DataType::kFloat6E2M3 || type == DataType::kFloat6E3M2;
}

// x of at most 16 bits whose difference is one of integers.
bool IsNarrowInteger(const AskedElement& asked) {
  return IsInteger(TypeOf(asked, kX)) && BitWidth(TypeOf(asked, kX)) <= 16;
}

ClauseDecides Decides() {
  return {
      {"DQ-01",
       [](const AskedElement& a) {
         return IsNarrowInteger(a) && a.has(kFeatureZeroPoint) &&
                !a.has(kFeatureZeroResult);
       }},
      {"DQ-02",
       [](const AskedElement& a) {
         return TypeOf(a, kScale) == a.type && BitWidth(TypeOf(a, kX)) <= 8 &&
                a.has(kFeatureTie);
       }},
      {"DQ-09",
       [](const AskedElement& a) { return a.element.tier == Tier::kDegenerateScale; }},
      {"DQ-12",
       [](const AskedElement& a) {
         return IsFloat6(TypeOf(a, kX)) && !a.has(kFeatureZeroResult);
       }},
      {"DQ-13",
       [](const AskedElement& a) {
         return a.element.tier == Tier::kSubnormal ||
                a.element.tier == Tier::kConversionRange;
       }},
      {"DQ-30",
       [](const AskedElement& a) {
         return TypeOf(a, kScale) != a.type && a.has(kFeatureInexact);
       }},
      {"DQ-33",
       [](const AskedElement& a) {
         return a.op_case.key.cell.granularity == "blocked" &&
                a.op_case.key.generator == "shapes";
       }},
      {"DQ-50",
       [](const AskedElement& a) {
         const Tensor& x = a.op_case.operands[kX];
         return PackedByteSize(x.type, 4) < 4 && !x.data.empty() &&
                (x.data.back() & ~LastByteMask(x.type, a.elements)) != std::byte{0};
       }},
  };
}

}  // namespace

const ClauseDecides& Faults::clauses_asked() const {
  static const ClauseDecides decides = Decides();
  return decides;
}

}  // namespace qconform::dequantize_linear
