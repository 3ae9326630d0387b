#include "cases/operators/q_linear_conv/question.h"

#include <algorithm>
#include <bit>

#include "oracle/base/expected.h"

namespace qconform::generators {

std::string VariantText(BiasForm form) {
  constexpr std::string_view kNames[] = {"present", "absent", "empty"};
  return "bias=" + std::string(kNames[static_cast<size_t>(form)]);
}

Result<BiasForm> ParseQLinearConvVariant(const Cell& cell, std::string_view text) {
  for (const BiasForm form : {BiasForm::kPresent, BiasForm::kAbsent, BiasForm::kEmpty}) {
    if (text == VariantText(form)) return form;
  }
  return Expected("variant of " + CellId(cell), "bias=present, bias=absent or bias=empty",
                  "'" + std::string(text) + "'");
}

QLinearConvQuestion::QLinearConvQuestion(const Cell& cell_in, BiasForm bias_form_in,
                                         int index_in, CounterRng rng_in)
    : ConvolutionQuestion(cell_in, index_in, rng_in),
      bias_form(bias_form_in),
      scale(FormatOf(DataType::kFloat)),
      y(FormatOf(cell_in.types[2])),
      boundaries(RoundingBoundaries::Of(cell_in.types[2])) {}

void QLinearConvQuestion::SetBias(int64_t magnitude) {
  bias.assign(static_cast<size_t>(geometry.m()), 0);
  if (bias_form != BiasForm::kPresent) return;
  for (int32_t& each : bias) {
    each = static_cast<int32_t>(rng.Between(-magnitude, magnitude));
  }
}

void QLinearConvQuestion::SetScales(ScaleFamily x_family, ScaleFamily w_family,
                                    ScaleFamily y_family, int sum_exponent,
                                    int result_exponent) {
  const ScaleExponents exponents =
      ChooseScaleExponents(scale, sum_exponent, result_exponent, rng);
  x_scale = ScaleCode(scale, x_family, exponents.a, rng);
  w_scales.assign(w_zero_points.size(), 0);
  for (uint64_t& code : w_scales) {
    const int less = per_channel() ? static_cast<int>(rng.Below(3)) : 0;
    code = ScaleCode(scale, w_family, exponents.b - less, rng);
  }
  y_scale = ScaleCode(scale, y_family, exponents.y, rng);
}

void QLinearConvQuestion::FitScales(ScaleFamily family, bool saturates) {
  int64_t largest = 1;
  bool is_negative = false;
  bool is_positive = false;
  ForEachOutput([&](int64_t n, int64_t m, int64_t p) {
    const int64_t total = Total(n, m, p);
    largest = std::max(largest, total < 0 ? -total : total);
    (total < 0 ? is_negative : is_positive) = true;
  });
  const bool both = is_negative == is_positive;
  const int exponent =
      static_cast<int>(std::bit_width(static_cast<uint64_t>(largest))) - 1;
  SetScales(family, family, ScaleFamily::kFull, exponent, saturates ? 8 : both ? 6 : 7);
  if (both && saturates) {
    y_zero_point = AnyCode();
  } else if (both) {
    SetYZeroPoint(y.is_signed ? rng.Between(-9, 9) : rng.Between(119, 137));
  } else {
    SetYZeroPoint(is_negative ? 255 : -128);
  }
}

void QLinearConvQuestion::SetWholeScales() {
  const auto power = [&](int exponent) {
    return ScaleCode(scale, ScaleFamily::kPowerOfTwo, exponent, rng);
  };
  const auto of_x = static_cast<int>(rng.Between(-7, 2));
  const auto of_w = static_cast<int>(rng.Between(-9, -1));
  x_scale = power(of_x);
  w_scales.clear();
  for (size_t m = 0; m < w_zero_points.size(); ++m) {
    w_scales.push_back(power(of_w + (per_channel() && rng.OneIn(3) ? 1 : 0)));
  }
  y_scale = power(of_x + of_w);
  SetYZeroPoint(y.is_signed ? rng.Between(-9, 9) : rng.Between(119, 137));
}

void QLinearConvQuestion::SetYZeroPoint(int64_t value) {
  y_zero_point = NearestCode(y.type, value);
}

ExactValue QLinearConvQuestion::AnyBoundary() {
  const auto count = static_cast<uint32_t>(boundaries.count());
  return boundaries.At(rng.Below(count), Prepared(y).decode(y_zero_point));
}

RequantizationScales QLinearConvQuestion::ScalesOf(int64_t m) const {
  const Decoder& decode = Prepared(scale).decode;
  return {decode(x_scale), decode(w_scales[per_channel() ? static_cast<size_t>(m) : 0]),
          decode(y_scale)};
}

}  // namespace qconform::generators
