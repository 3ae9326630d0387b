#include "harness/core/patterns/wrong_scale.h"

#include <algorithm>
#include <cstdio>

#include "harness/core/patterns/pattern.h"

namespace qconform {
namespace {

// The first element of a scale fits some wrong one; these are the others that have to fit
// it, too.
constexpr int64_t kFewestOthers = 8;
// A factor further from 1 is no error of an approximation.
constexpr double kLargestError = 0x1p-4;
constexpr size_t kFewestScales = 3;  // that show a constant

std::string NumberText(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

// Numbers between two bounds.
struct Range {
  double low = -INFINITY;
  double high = INFINITY;

  void Cut(double from, double to) {
    low = std::max(low, from);
    high = std::min(high, to);
  }
  double middle() const { return (low + high) / 2; }
  // Whether it says what number it is, and that this is not `right`.
  bool IsAnother(double right) const {
    if (!(low <= high) || (low <= right && right <= high)) return false;
    return high - low <= std::fabs(middle() - right) / 2;
  }
};

}  // namespace

void WrongScale::Add(double scale, double value, const NumberFormat& y, uint32_t code,
                     double zero_point, bool deviates) {
  if (!std::isfinite(scale) || scale == 0 || !std::isfinite(value) || value == 0) return;
  const auto number = NumberOf(Decode(y, code));
  if (!number) return;
  // The ends of what is rounded to that code, on the side of the value.
  double low = *number - zero_point - 0.5;
  double high = *number - zero_point + 0.5;
  if (*number == static_cast<double>(IntegerMin(y))) low = -INFINITY;
  if (*number == static_cast<double>(IntegerMax(y))) high = INFINITY;
  if (value < 0) {
    std::swap(low, high);
    low = -low;
    high = -high;
  }
  const double size = std::fabs(value);
  Factor& factor = factors_[scale];
  factor.low = std::max(factor.low, high <= 0 ? INFINITY : size / high * (1 - slack_));
  if (low > 0) factor.high = std::min(factor.high, size / low * (1 + slack_));
  factor.deviating += deviates ? 1 : 0;
}

std::string WrongScale::Words() const {
  int64_t others = 0;
  double error = 0;  // that some scale has at least
  Range added;
  Range multiplied;
  for (const auto& [scale, factor] : factors_) {
    if (factor.low > factor.high) return "";
    others += std::max<int64_t>(factor.deviating - 1, 0);
    error = std::max({error, factor.low - 1, 1 - factor.high});
    // The sum with a constant is rounded, too.
    const double low = (factor.low - 1 - slack_) * scale;
    const double high = (factor.high - 1 + slack_) * scale;
    added.Cut(std::min(low, high), std::max(low, high));
    multiplied.Cut(factor.low, factor.high);
  }
  if (others < kFewestOthers || error == 0) return "";
  if (factors_.size() >= kFewestScales) {
    if (added.IsAnother(0)) {
      return "scales, as if about " + NumberText(added.middle()) +
             " were added to each " + name_;
    }
    if (multiplied.IsAnother(1)) {
      return "scales, as if each " + name_ + " were about " +
             NumberText(multiplied.middle()) + " times as large";
    }
  }
  if (error > kLargestError) return "";
  return "scales, as if each " + name_ +
         " had a relative error of its own, up to about 2^" +
         std::to_string(std::lround(std::log2(error))) +
         ", as an approximate reciprocal has";
}

}  // namespace qconform
