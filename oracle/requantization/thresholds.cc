#include "oracle/requantization/thresholds.h"

#include <limits>

#include "oracle/core/target.h"
#include "oracle/requantization/requantize.h"

namespace qconform {
namespace {

class Requantize {
 public:
  explicit Requantize(const RequantizedSums& question)
      : requantize_(question.requantization),
        target_(question.y, question.target, question.requantization.precision_of_v()),
        scales_{.a = Decode(FormatOf(question.scale), question.a_scale),
                .b = Decode(FormatOf(question.scale), question.b_scale),
                .y = Decode(FormatOf(question.scale), question.y_scale)},
        zero_point_(target_.PrepareZeroPoint(question.y_zero_point)) {}

  ElementAnswer operator()(int64_t sum) const {
    const bool negative = sum < 0;
    const RationalSum c{.value_class = sum == 0 ? ValueClass::kZero : ValueClass::kFinite,
                        .negative = negative,
                        .numerator = static_cast<Uint128>(negative ? -sum : sum)};
    ElementAnswer answer;
    target_.Round(requantize_(c, scales_), zero_point_, answer);
    if (IsFloat8(target_.format().type) && (answer.features & kFeatureZeroResult) != 0) {
      answer.code = 0;
      answer.zero_sign_is_free = true;
    }
    return answer;
  }

 private:
  Requantizer requantize_;
  Target target_;
  RequantizationScales scales_;
  PreparedZeroPoint zero_point_;
};

bool Same(const ElementAnswer& a, const ElementAnswer& b) {
  return a.code == b.code && a.freedom == b.freedom &&
         a.zero_sign_is_free == b.zero_sign_is_free;
}

// Precondition: the answer is monotone from `first` to `last`.
void Find(const Requantize& ask, int64_t first, int64_t last,
          std::vector<SumInterval>& intervals) {
  while (first <= last) {
    const ElementAnswer answer = ask(first);
    int64_t known = first;
    int64_t changed = last + 1;
    if (Same(ask(last), answer)) known = last;
    while (changed - known > 1) {
      const int64_t middle = known + (changed - known) / 2;
      (Same(ask(middle), answer) ? known : changed) = middle;
    }
    intervals.push_back({.first = static_cast<int32_t>(first),
                         .last = static_cast<int32_t>(known),
                         .y = answer.code,
                         .freedom = answer.freedom,
                         .zero_sign_is_free = answer.zero_sign_is_free});
    first = known + 1;
  }
}

}  // namespace

ElementAnswer AnswerForSum(const RequantizedSums& question, int32_t sum) {
  return Requantize(question)(sum);
}

std::vector<SumInterval> FindSumThresholds(const RequantizedSums& question) {
  const Requantize ask(question);
  std::vector<SumInterval> intervals;
  Find(ask, std::numeric_limits<int32_t>::min(), -1, intervals);
  Find(ask, 0, 0, intervals);
  Find(ask, 1, std::numeric_limits<int32_t>::max(), intervals);
  return intervals;
}

}  // namespace qconform
