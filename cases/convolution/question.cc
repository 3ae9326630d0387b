#include "cases/convolution/question.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <utility>

#include "cases/core/exact_value.h"
#include "cases/quantization/operands.h"
#include "cases/quantization/values.h"

namespace qconform::generators {

uint8_t NearestCode(DataType type, int64_t value) {
  const NumberFormat& format = FormatOf(type);
  return static_cast<uint8_t>(std::clamp(value, IntegerMin(format), IntegerMax(format)));
}

Tensor PackBytes(DataType type, const Shape& shape, const std::vector<uint8_t>& codes) {
  Tensor tensor = Tensor::Zeros(type, shape);
  assert(tensor.data.size() == codes.size());
  if (!codes.empty()) std::memcpy(tensor.data.data(), codes.data(), codes.size());
  return tensor;
}

ConvolutionQuestion::ConvolutionQuestion(const Cell& cell_in, int index_in,
                                         CounterRng rng_in)
    : cell(cell_in),
      index(index_in),
      x_type(cell_in.types[0]),
      w_type(cell_in.types[1]),
      rng(rng_in) {}

void ConvolutionQuestion::SetSizes(ConvolutionSizes sizes) {
  geometry = ConvolutionGeometry(std::move(sizes));
  x.assign(static_cast<size_t>(geometry.XCount()), 0);
  w.assign(static_cast<size_t>(geometry.WCount()), 0);
  w_zero_points.assign(per_channel() ? static_cast<size_t>(geometry.m()) : 1, 0);
}

void ConvolutionQuestion::SetZeroPoints(uint32_t turn) {
  using Family = ZeroPointFamily;
  constexpr std::array kFamilies{Family::kHigh,   Family::kLow,  Family::kOdd,
                                 Family::kMiddle, Family::kZero, Family::kAny};
  const auto choose = [&](DataType type, uint32_t at) {
    return static_cast<uint8_t>(
        ZeroPointCode(FormatOf(type), kFamilies[at % kFamilies.size()], rng));
  };
  const uint8_t of_x = choose(x_type, turn);
  // The other way round, so that both ends meet.
  const uint8_t of_w = choose(w_type, turn / 6 + 5 * turn + 1);
  if (has_x_zero_point) x_zero_point = of_x;
  const auto step = static_cast<uint8_t>(rng.Next32() | 1);
  if (!has_w_zero_point) return;
  uint8_t next = of_w;
  for (uint8_t& code : w_zero_points) {
    code = next;
    next = static_cast<uint8_t>(next + step);
  }
}

uint8_t ConvolutionQuestion::EndOf(DataType type, bool high) const {
  const NumberFormat& format = FormatOf(type);
  return static_cast<uint8_t>(high ? IntegerMax(format) : IntegerMin(format));
}

void ConvolutionQuestion::FillAny() {
  for (uint8_t& code : x) code = AnyCode();
  for (uint8_t& code : w) code = AnyCode();
}

int64_t ConvolutionQuestion::Sum(int64_t batch, int64_t m, int64_t position) const {
  int64_t sum = 0;
  const int64_t x_zero = ValueOf(x_type, x_zero_point);
  const int64_t w_zero = WZero(m);
  geometry.ForEachTerm(batch, m, position, [&](int64_t x_at, int64_t w_at) {
    sum += (ValueOf(x_type, x[static_cast<size_t>(x_at)]) - x_zero) *
           (ValueOf(w_type, w[static_cast<size_t>(w_at)]) - w_zero);
  });
  return sum;
}

Tensor ConvolutionQuestion::PackX() const {
  return PackBytes(x_type, geometry.XShape(), x);
}
Tensor ConvolutionQuestion::PackW() const {
  return PackBytes(w_type, geometry.WShape(), w);
}
Tensor ConvolutionQuestion::PackXZeroPoint() const {
  return PackBytes(x_type, {}, {x_zero_point});
}
Tensor ConvolutionQuestion::PackWZeroPoint() const {
  return PackBytes(w_type, per_channel() ? Shape{geometry.m()} : Shape{}, w_zero_points);
}

std::vector<Attribute> ConvolutionQuestion::Attributes() const {
  std::vector<Attribute> attributes = geometry.Attributes(index % 2 == 1);
  OrderAttributes(index / 2 % 3, attributes);
  return attributes;
}

}  // namespace qconform::generators
