#include <algorithm>
#include <bit>
#include <cmath>

#include "harness/core/clause_decides.h"
#include "harness/operators/dynamic_quantize_linear/faults.h"
#include "oracle/formats/codes.h"

namespace qconform::dynamic_quantize_linear {
namespace {

bool IsScale(const AskedElement& asked) { return asked.type == DataType::kFloat; }

bool IsRegular(const AskedElement& asked) { return asked.element.tier == Tier::kRegular; }

int64_t SizeOfX(const AskedElement& asked) {
  return *ElementCount(asked.op_case.operands.front().shape);
}

bool HasNan(const AskedElement& asked) {
  const std::vector<uint64_t> codes = ReadCodes(asked.op_case.operands.front().view());
  return std::ranges::any_of(
      codes, [](uint64_t code) { return IsNan(FormatOf(DataType::kFloat), code); });
}

ClauseDecides Decides() {
  return {
      {"DYN-01", [](const AskedElement& a) { return IsScale(a) && IsRegular(a); }},
      // The zero point: a scalar beside elements.
      {"DYN-02",
       [](const AskedElement& a) {
         return !IsScale(a) && a.elements == 1 && SizeOfX(a) > 1 && IsRegular(a);
       }},
      {"DYN-03",
       [](const AskedElement& a) {
         return !IsScale(a) && a.elements > 1 && IsRegular(a) &&
                a.has(kFeatureTie | kFeatureNearTie);
       }},
      {"DYN-04",
       [](const AskedElement& a) {
         return IsScale(a) && a.element.code == 0 &&
                a.element.tier == Tier::kDegenerateScale;
       }},
      // Only the scale looks at all of x: once for each case.
      {"DYN-05",
       [](const AskedElement& a) {
         return IsScale(a) && a.element.freedom == Freedom::kAnyCode && HasNan(a);
       }},
      {"DYN-06",
       [](const AskedElement& a) {
         return a.element.tier == Tier::kDegenerateScale &&
                a.element.freedom == Freedom::kNone;
       }},
      {"DYN-08", [](const AskedElement& a) { return IsScale(a); }},
      {"DYN-09",
       [](const AskedElement& a) {
         return IsScale(a) && SizeOfX(a) == 1 && IsRegular(a);
       }},
  };
}

}  // namespace

const ClauseDecides& Faults::clauses_asked() const {
  static const ClauseDecides decides = Decides();
  return decides;
}

}  // namespace qconform::dynamic_quantize_linear
