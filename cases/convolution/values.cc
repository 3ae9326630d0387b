#include "cases/convolution/values.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <iterator>
#include <utility>

namespace qconform::generators {
namespace {

// Returns wanted / digit, rounded so that the remainder can still be reached: a range of
// one sign reaches only remainders of that sign.
int64_t QuotientOf(int64_t wanted, int64_t digit, bool both_signs) {
  const int64_t quotient = wanted / digit;
  const int64_t rest = wanted % digit;
  if (rest == 0 || !both_signs) return quotient;  // toward zero
  const int64_t magnitude = rest < 0 ? -rest : rest;
  if (2 * magnitude <= (digit < 0 ? -digit : digit)) return quotient;
  return quotient + ((rest < 0) == (digit < 0) ? 1 : -1);
}

}  // namespace

void FillConvolutionExtremes(ConvolutionQuestion& question) {
  static const ConvolutionSizes kSizes[kExtremeConvolutions] = {
      {1, 1, 16, 6, {3, 4}, {2, 2}},
      {1, 1, 64, 7, {3, 5}, {1, 1}},
      {1, 1, 5, 9, {6, 5}, {3, 2}},
      {1, 8, 1, 1, {6, 7}, {3, 3}},
      {1, 1, 33, 5, {9}, {2}},
      {1, 1, 6, 5, {3, 4, 3}, {2, 2, 1}},
      {1, 2, 9, 5, {4, 5}, {2, 2}},
      {1, 1, 256, 6, {2, 3}, {1, 1}},
      {1, 1, 3, 8, {7, 7}, {3, 3}, {2, 2}, {}, {1, 0, 1, 1}},
      {1, 17, 1, 1, {6, 5}, {2, 4}, {}, {}, {0, 1, 1, 2}}};
  question.SetSizes(kSizes[question.index % kExtremeConvolutions]);
  question.SetZeroPoints(static_cast<uint32_t>(question.index));
  CounterRng& rng = question.rng;
  const uint8_t high = question.EndOf(question.w_type, true);
  const uint8_t low = question.EndOf(question.w_type, false);
  const int64_t terms = question.geometry.terms();
  for (int64_t i = 0; i < question.geometry.WCount(); ++i) {
    const int64_t at = i % terms;
    uint8_t& code = question.w[static_cast<size_t>(i)];
    switch (i / terms % 5) {
      case 0:
        code = high;
        break;
      case 1:
        code = low;
        break;
      case 2:
        code = at % 2 == 0 ? high : low;
        break;
      case 3:
        code = at % 4 < 2 ? high : low;
        break;
      default:
        code = rng.OneIn(2) ? high : low;
    }
  }
  const int64_t most = ValueOf(question.x_type, question.EndOf(question.x_type, true));
  for (uint8_t& code : question.x) {
    const int64_t below = rng.OneIn(2) ? 0 : rng.Between(0, 55);
    code = NearestCode(question.x_type, most - below);
  }
  // A few ordinary codes, so that sums differ.
  for (int i = 0; i < 6; ++i) {
    question.x[rng.Below(static_cast<uint32_t>(question.x.size()))] = question.AnyCode();
    question.w[rng.Below(static_cast<uint32_t>(question.w.size()))] = question.AnyCode();
  }
}

void FillSmallProducts(ConvolutionQuestion& question) {
  CounterRng& rng = question.rng;
  constexpr int64_t kRoom = 3;
  const auto inner = [&](DataType type, int64_t turn) {
    const NumberFormat& format = FormatOf(type);
    const int64_t width = IntegerMax(format) - IntegerMin(format) - 2 * kRoom + 1;
    return NearestCode(type, IntegerMin(format) + kRoom + turn % width);
  };
  question.x_zero_point = inner(question.x_type, rng.Between(0, 1000));
  const int64_t first = rng.Between(0, 1000);
  // Without a factor in common with the width, so that all differ.
  constexpr int64_t kSteps[] = {3, 7, 9, 11, 13, 17, 19, 21, 23, 27, 29, 31};
  const int64_t step = rng.Pick(kSteps);
  for (size_t m = 0; m < question.w_zero_points.size(); ++m) {
    question.w_zero_points[m] =
        inner(question.w_type, first + static_cast<int64_t>(m) * step);
  }
  const auto beside = [&](DataType type, int64_t zero, int64_t magnitude) {
    return NearestCode(type, rng.OneIn(2) ? zero + magnitude : zero - magnitude);
  };
  const int64_t x_zero = ValueOf(question.x_type, question.x_zero_point);
  for (uint8_t& code : question.x) {
    code = beside(question.x_type, x_zero, rng.OneIn(4) ? 2 : 1);
  }
  for (int64_t i = 0; i < question.geometry.WCount(); ++i) {
    const int64_t w_zero = question.WZero(i / question.geometry.terms());
    question.w[static_cast<size_t>(i)] = beside(question.w_type, w_zero, 1);
  }
}

DirectedWindows::DirectedWindows(ConvolutionQuestion& question, ConvolutionSizes sizes,
                                 int64_t segment, uint32_t zero_points)
    : question_(question), segment_(segment) {
  question.SetSizes(std::move(sizes));
  question.SetZeroPoints(zero_points);
  SetWeights();
}

DirectedWindows::DirectedWindows(ConvolutionQuestion& question, int64_t segment)
    : question_(question), segment_(segment) {
  SetWeights();
}

void DirectedWindows::SetWeights() {
  const ConvolutionGeometry& geometry = question_.geometry;
  const int64_t terms = geometry.terms();
  const int64_t outputs = geometry.sizes().outputs;
  assert(segment_ >= 3 && outputs * segment_ <= terms);
  const DataType type = question_.w_type;
  const int64_t lowest = ValueOf(type, question_.EndOf(type, false));
  const int64_t highest = ValueOf(type, question_.EndOf(type, true));
  const DataType x_type = question_.x_type;
  const int64_t x_zero = ValueOf(x_type, question_.x_zero_point);
  const int64_t x_low = ValueOf(x_type, question_.EndOf(x_type, false)) - x_zero;
  const int64_t x_high = ValueOf(x_type, question_.EndOf(x_type, true)) - x_zero;
  int64_t reach = 1;
  for (int64_t m = 0; m < geometry.m(); ++m) {
    const int64_t zero = question_.WZero(m);
    // The side on which weights reach farther.
    const bool up = highest - zero >= zero - lowest;
    const int64_t most = up ? highest - zero : lowest - zero;
    const int64_t sign = up ? 1 : -1;
    for (int64_t k = 0; k < terms; ++k) {
      const int64_t digit = k - m % outputs * segment_;
      int64_t value = 0;
      if (0 <= digit && digit < segment_ - 2) value = most;
      if (digit == segment_ - 2) value = 11 * sign;
      if (digit == segment_ - 1) value = sign;
      question_.w[static_cast<size_t>(m * terms + k)] = NearestCode(type, value + zero);
    }
    positive_ = positive_ || (up ? x_high > 0 : x_low < 0);
    negative_ = negative_ || (up ? x_low < 0 : x_high > 0);
    reach = std::max(reach, std::max(x_high, -x_low) * most * sign * (segment_ - 2));
  }
  sum_exponent_ = static_cast<int>(std::bit_width(static_cast<uint64_t>(reach))) - 1;
  for (uint8_t& code : question_.x) code = question_.AnyCode();
}

int64_t DirectedWindows::Choose(int64_t batch, int64_t m, int64_t position,
                                int64_t wanted) {
  const DataType type = question_.x_type;
  const int64_t zero = ValueOf(type, question_.x_zero_point);
  const int64_t low = ValueOf(type, question_.EndOf(type, false)) - zero;
  const int64_t high = ValueOf(type, question_.EndOf(type, true)) - zero;
  const bool both_signs = low < 0 && high > 0;
  const ConvolutionGeometry& geometry = question_.geometry;
  const int64_t first = m * geometry.terms() + m % geometry.sizes().outputs * segment_;
  int64_t sum = 0;
  geometry.ForEachTerm(batch, m, position, [&](int64_t x_at, int64_t w_at) {
    if (w_at < first || w_at >= first + segment_) return;
    const int64_t weight = question_.WValue(w_at);
    const int64_t value =
        std::clamp(QuotientOf(wanted - sum, weight, both_signs), low, high);
    question_.x[static_cast<size_t>(x_at)] = NearestCode(type, value + zero);
    sum += weight * value;
  });
  return sum;
}

ConvolutionSizes DirectedConvolution(int turn, int64_t& segment) {
  // Windows that do not overlap: strides of the kernel's size, 1x1, or a dilation that is
  // the number of output elements.
  static const struct {
    int64_t segment;
    ConvolutionSizes sizes;
  } kSizes[kDirectedConvolutions] = {{9, {1, 1, 54, 6, {5, 7}, {1, 1}}},
                                     {13, {1, 1, 6, 4, {9, 15}, {3, 3}, {3, 3}}},
                                     {5, {2, 3, 5, 3, {4, 9}, {1, 3}, {1, 3}}},
                                     {21, {1, 1, 21, 5, {68}, {5}, {1}, {14}}},
                                     {9, {1, 12, 1, 1, {12, 12}, {3, 3}, {3, 3}}},
                                     {8, {1, 1, 6, 6, {6, 4, 9}, {2, 2, 2}, {2, 2, 3}}},
                                     {17, {1, 2, 51, 3, {29}, {1}}},
                                     {11, {1, 1, 33, 3, {1, 43}, {1, 1}}}};
  const auto& chosen = kSizes[turn % kDirectedConvolutions];
  segment = chosen.segment;
  return chosen.sizes;
}

void FillConvolutionOverflow(ConvolutionQuestion& question, bool negative) {
  constexpr int64_t kLength = 33'030;
  constexpr int64_t kInt32Max = 2'147'483'647;
  constexpr int64_t kSums[] = {kInt32Max, kInt32Max + 1, kInt32Max + 100'000,
                               kInt32Max - 1, kInt32Max - 77};
  question.SetSizes({1, 1, kLength, 1, {std::ssize(kSums)}, {1}});
  // Weights reach 255, x 255 or -255, whatever the types are.
  question.x_zero_point = question.EndOf(question.x_type, negative);
  std::ranges::fill(question.w_zero_points, question.EndOf(question.w_type, false));
  DirectedWindows windows(question, kLength);
  for (int64_t position = 0; position < std::ssize(kSums); ++position) {
    // The ends of INT32: 2^31 - 1, and -2^31.
    const int64_t sum = kSums[position];
    windows.Choose(0, 0, position, negative ? -sum - 1 : sum);
  }
}

}  // namespace qconform::generators
