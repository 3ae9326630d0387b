// A question under construction: one content of a QLinearConv case.
#ifndef QCONFORM_CASES_OPERATORS_Q_LINEAR_CONV_QUESTION_H_
#define QCONFORM_CASES_OPERATORS_Q_LINEAR_CONV_QUESTION_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cases/convolution/question.h"
#include "cases/core/exact_value.h"
#include "cases/core/rounding_boundaries.h"
#include "cases/requantization/requantize.h"
#include "oracle/base/result.h"

namespace qconform::generators {

// The variants of the cases, "bias=present" and so on: B is there, is left out, or has an
// empty name.
enum class BiasForm : uint8_t { kPresent, kAbsent, kEmpty };
std::string VariantText(BiasForm form);
Result<BiasForm> ParseQLinearConvVariant(const Cell& cell, std::string_view text);

class QLinearConvQuestion : public ConvolutionQuestion {
 public:
  QLinearConvQuestion(const Cell& cell, BiasForm bias_form, int index, CounterRng rng);

  const BiasForm bias_form;
  const NumberFormat& scale;
  const NumberFormat& y;
  const RoundingBoundaries& boundaries;

  // --- what is chosen -------------------------------------------------------
  uint64_t x_scale = 0;  // codes
  std::vector<uint64_t> w_scales;
  uint64_t y_scale = 0;
  uint8_t y_zero_point = 0;
  std::vector<int32_t> bias;  // one for each output channel; 0 if it is left out

  // --- choosing, after SetSizes ----------------------------------------------
  // A bias of at most `magnitude` for each output channel, if there is one.
  void SetBias(int64_t magnitude);
  // Scales with which sums of 2^sum_exponent come to 2^result_exponent; those of output
  // channels differ by a fraction and up to two binades.
  void SetScales(ScaleFamily x_family, ScaleFamily w_family, ScaleFamily y_family,
                 int sum_exponent, int result_exponent);
  // The same for the sums as they are: the largest comes to the end of y's range, or to
  // somewhat beyond if `saturates`. Sums of one sign get a zero point at the other end.
  void FitScales(ScaleFamily family, bool saturates);
  // Scales that are powers of two, so that a result is the sum, or twice the sum of an
  // output channel, and no result is rounded.
  void SetWholeScales();
  void SetYZeroPoint(int64_t value);  // the nearest that y's type has
  ExactValue AnyBoundary();

  // --- sums -----------------------------------------------------------------
  int64_t Total(int64_t batch, int64_t m, int64_t position) const {
    return Sum(batch, m, position) + bias[static_cast<size_t>(m)];
  }
  RequantizationScales ScalesOf(int64_t m) const;
  Requantization requantization() const { return {scale, y, y_zero_point}; }
};

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_Q_LINEAR_CONV_QUESTION_H_
