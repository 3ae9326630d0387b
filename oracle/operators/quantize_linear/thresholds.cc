#include "oracle/operators/quantize_linear/thresholds.h"

#include <string>
#include <utility>

#include "oracle/formats/number_format.h"
#include "oracle/operators/quantize_linear/element.h"
#include "oracle/operators/quantize_linear/parameters.h"

namespace qconform {
namespace {

uint64_t SignBit(DataType type) { return uint64_t{1} << (FormatOf(type).bits - 1); }

class Finder {
 public:
  explicit Finder(const QuantizeLinearLine& line)
      : x_(line.x),
        element_(line.x, line.y_scale, line.y,
                 ParametersOf(line.readings, line.since_version, line.x, line.y_scale,
                              line.y, line.precision, line.saturate)),
        scale_(element_.PrepareScale(line.scale)) {
    if (line.zero_point) zero_point_ = element_.PrepareZeroPoint(*line.zero_point);
  }

  Thresholds Run() {
    const NumberFormat& format = FormatOf(x_);
    if (format.kind == NumberKind::kInteger) {
      Find(IntegerMin(format), IntegerMax(format));
      return std::move(thresholds_);
    }
    const int64_t infinity = LineOrder(x_, Infinity(format, false));
    // -Inf, the negative values, -0, +0, the positive values, +Inf. -0 is at -1.
    Find(-1 - infinity, -1 - infinity);
    Find(-infinity, -2);
    Find(-1, -1);
    Find(0, 0);
    Find(1, infinity - 1);
    Find(infinity, infinity);
    thresholds_.nan = Ask(CanonicalNan(format));
    return std::move(thresholds_);
  }

 private:
  ElementAnswer Ask(uint64_t x_code) const {
    ElementAnswer answer;
    element_.Evaluate(x_code, scale_, zero_point_, answer);
    return answer;
  }
  ElementAnswer AskAt(int64_t place) const { return Ask(LineCode(x_, place)); }

  static bool Same(const ElementAnswer& a, const ElementAnswer& b) {
    return a.code == b.code && a.freedom == b.freedom;
  }

  // Precondition: the answer is monotone from `first` to `last`.
  void Find(int64_t first, int64_t last) {
    int64_t length = 1;  // of the interval before: most are about as long
    while (first <= last) {
      const ElementAnswer answer = AskAt(first);
      // The answer holds at `known`, and not at `changed`.
      int64_t known = first;
      int64_t changed = last + 1;
      if (Same(AskAt(last), answer)) known = last;
      Bracket(answer, first + length, known, changed);
      while (changed - known > 1) {
        const int64_t middle = known + (changed - known) / 2;
        (Same(AskAt(middle), answer) ? known : changed) = middle;
      }
      Append(first, known, answer);
      length = known + 1 - first;
      first = known + 1;
    }
  }

  // Narrows [known, changed) from a guess of `changed`, by steps that double.
  void Bracket(const ElementAnswer& answer, int64_t guess, int64_t& known,
               int64_t& changed) const {
    for (int64_t step = 1; guess > known && guess < changed; step *= 2) {
      const bool same = Same(AskAt(guess), answer);
      (same ? known : changed) = guess;
      guess += same ? step : -step;
    }
  }

  void Append(int64_t first, int64_t last, const ElementAnswer& answer) {
    std::vector<ThresholdInterval>& intervals = thresholds_.intervals;
    if (!intervals.empty() && intervals.back().y == answer.code &&
        intervals.back().freedom == answer.freedom) {
      intervals.back().last = LineCode(x_, last);
      return;
    }
    intervals.push_back({.first = LineCode(x_, first),
                         .last = LineCode(x_, last),
                         .y = answer.code,
                         .freedom = answer.freedom});
  }

  const DataType x_;
  const QuantizeLinearElement element_;
  const PreparedScale scale_;
  PreparedZeroPoint zero_point_;
  Thresholds thresholds_;
};

}  // namespace

int64_t LineOrder(DataType x, uint64_t code) {
  const NumberFormat& format = FormatOf(x);
  if (format.kind == NumberKind::kInteger) return ToInteger(format, code);
  const uint64_t sign = SignBit(x);
  const auto magnitude = static_cast<int64_t>(code & (sign - 1));
  return (code & sign) != 0 ? -1 - magnitude : magnitude;
}

uint64_t LineCode(DataType x, int64_t place) {
  const NumberFormat& format = FormatOf(x);
  const uint64_t sign = SignBit(x);
  if (format.kind == NumberKind::kInteger) {
    return static_cast<uint64_t>(place) & (sign | (sign - 1));
  }
  return place < 0 ? sign | static_cast<uint64_t>(-1 - place)
                   : static_cast<uint64_t>(place);
}

Result<Thresholds> FindThresholds(const QuantizeLinearLine& line) {
  for (const DataType type :
       {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kInt32}) {
    if (line.x == type) return Finder(line).Run();
  }
  return Error{"thresholds: x has type " + std::string(DataTypeName(line.x)) +
               ": it must be FLOAT, FLOAT16, BFLOAT16 or INT32"};
}

}  // namespace qconform
