// QLinearConv with switches: one evaluation for all wrong models, over a case that is
// decoded once. Elements whose sum lies outside of INT32 keep the oracle's code.
#ifndef QCONFORM_HARNESS_OPERATORS_Q_LINEAR_CONV_FAULT_MODEL_H_
#define QCONFORM_HARNESS_OPERATORS_Q_LINEAR_CONV_FAULT_MODEL_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "harness/convolution/wrong_convolution.h"
#include "harness/operators/q_linear_conv/fault_switches.h"
#include "oracle/base/attribute.h"
#include "oracle/base/reading.h"
#include "oracle/base/result.h"
#include "oracle/formats/number_format.h"
#include "oracle/requantization/requantize.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

struct DecodedQLinearConv {
  DecodedConvolution convolution;
  const NumberFormat* y = nullptr;
  ExactValue x_scale, y_scale, y_zero_point;
  std::vector<ExactValue> w_scales;  // one, or one for each output channel
  std::vector<int64_t> bias;         // empty: none
  // The readings that steps without a mistake follow. Nothing: v is exact.
  std::optional<Requantizer> requantize;
  const NumberFormat* precision_of_v = nullptr;  // null: exact
  FaultyRounding rounding = FaultyRounding::kEven;
  FaultyOrder order = FaultyOrder::kAfter;

  int64_t BiasOf(int64_t element) const;
  // Whether one of its scales is NaN or infinite, or y_scale is 0.
  bool HasSpecialScale(int64_t element) const;
  // Whether an element keeps the oracle's code.
  bool KeepsCode(int64_t element) const;
};

// An Error if the model is not a valid convolution, or a reading has no function.
Result<DecodedQLinearConv> DecodeQLinearConv(std::span<const Attribute> attributes,
                                             const Operands& operands,
                                             const std::vector<Reading>& readings);

// Returns the codes of y. `canonical` holds the oracle's.
std::vector<uint32_t> EvaluateWithSwitches(const DecodedQLinearConv& decoded,
                                           const std::vector<uint32_t>& canonical,
                                           const QLinearConvSwitches& switches);

// The steps of one element, to be shown.
struct QLinearConvTrace {
  int64_t sum = 0;    // without a bias
  int64_t total = 0;  // C, with it
  Unrounded product;  // v = C * x_scale * w_scale / y_scale
  IntegerSteps of_integer{};
  uint32_t code = 0;
};

// Nothing for elements that keep the oracle's code or have a special scale.
std::optional<QLinearConvTrace> TraceElement(const DecodedQLinearConv& decoded,
                                             const QLinearConvSwitches& switches,
                                             int64_t element);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_OPERATORS_Q_LINEAR_CONV_FAULT_MODEL_H_
