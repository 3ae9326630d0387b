#include "oracle/core/answer.h"

#include <utility>

#include "oracle/formats/number_format.h"

namespace qconform {

std::string_view TierName(Tier tier) {
  constexpr std::string_view kNames[] = {"regular", "subnormal", "conversion_range",
                                         "degenerate_scale", "accumulator_overflow"};
  return kNames[static_cast<size_t>(tier)];
}

bool ArisingCodes::Hold(DataType type, uint64_t code) const {
  if (nan && (IsInteger(type) || IsNan(FormatOf(type), code))) return true;
  if (plus_infinity && code == plus_infinity_code) return true;
  if (minus_infinity && code == minus_infinity_code) return true;
  return finite && IsWithin(type, code, low, high);
}

bool IsWithin(DataType type, uint64_t code, uint64_t low, uint64_t high) {
  const NumberFormat& format = FormatOf(type);
  if (IsNan(format, code) || IsNan(format, low)) {
    return IsNan(format, code) && IsNan(format, low);
  }
  const int64_t key = ValueOrder(format, code);
  return ValueOrder(format, low) <= key && key <= ValueOrder(format, high);
}

Result<std::vector<Answer>> AnswersOf(Result<Answer> answer) {
  if (!answer) return answer.error();
  std::vector<Answer> answers;
  answers.push_back(*std::move(answer));
  return answers;
}

}  // namespace qconform
