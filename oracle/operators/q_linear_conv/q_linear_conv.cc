#include "oracle/operators/q_linear_conv/q_linear_conv.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "oracle/convolution/operands.h"
#include "oracle/convolution/parameters.h"
#include "oracle/formats/codes.h"
#include "oracle/matmul/accumulate.h"
#include "oracle/requantization/bounds.h"
#include "oracle/requantization/reach.h"
#include "oracle/requantization/requantize.h"

namespace qconform::q_linear_conv {
namespace {

// Whether nothing is to be rounded: of an infinity nothing is.
bool IsWhole(const Unrounded& v) {
  if (v.value_class != ValueClass::kFinite) return true;
  if (v.sticky) return false;
  if (v.exponent >= 0 || v.significand == 0) return true;
  if (v.exponent <= -128) return false;
  return (v.significand & ((Uint128{1} << -v.exponent) - 1)) == 0;
}

Accumulated Sum(Int128 units, Uint128 magnitude) {
  return {.value_class = units == 0 ? ValueClass::kZero : ValueClass::kFinite,
          .units = units,
          .magnitude = magnitude};
}

// Everything that a convolution needs, prepared once.
class Evaluation {
 public:
  Evaluation(const Problem& problem, const ConvolutionGeometry& geometry,
             const Parameters& parameters)
      : geometry_(geometry),
        parameters_(parameters),
        operands_(geometry, problem.x, problem.x_zero_point, problem.w,
                  problem.w_zero_point),
        requantize_(parameters.requantization),
        target_(problem.y_zero_point.type, parameters.target,
                parameters.requantization.precision_of_v()),
        zero_point_(target_.PrepareZeroPoint(ReadCode(problem.y_zero_point, 0))) {
    const TermTypes types{.scale = problem.x_scale.type,
                          .a = problem.x.type,
                          .b = problem.w.type,
                          .terms = geometry.terms(),
                          .has_bias = problem.bias.has_value()};
    for (int64_t m = 0; m < geometry.output_channels; ++m) {
      Channel& channel = channels_.emplace_back();
      channel.scales = {
          .a = ScaleAt(problem.x_scale, 0),
          .b = ScaleAt(problem.w_scale, IndexOfChannel(problem.w_scale.shape, m)),
          .y = ScaleAt(problem.y_scale, 0)};
      channel.tier = TierOfScales(types, channel.scales);
      if (problem.bias) {
        channel.bias =
            static_cast<int32_t>(static_cast<uint32_t>(ReadCode(*problem.bias, m)));
      }
    }
    if (parameters.bounds == Bounds::kFloatConv) {
      float_bounds_.emplace(DataType::kFloat, DataType::kFloat, parameters.target,
                            target_.format());
    }
  }

  Answer Run() {
    Answer answer{
        .type = target_.format().type, .shape = geometry_.y_shape, .elements = {}};
    const auto count = static_cast<size_t>(*ElementCount(geometry_.y_shape));
    answer.elements.resize(count);
    if (parameters_.bounds != Bounds::kNone) answer.bounds.resize(count);
    if (count == 0) return answer;
    for (int64_t position = 0; position < geometry_.positions(); ++position) {
      const MatMulOperand windows = operands_.Windows(position);
      const MatMulAccumulator accumulate(windows, operands_.w(),
                                         /*with_magnitude=*/float_bounds_.has_value());
      std::optional<FloatReachOf> reach;
      if (float_bounds_) reach.emplace(windows, operands_.w());
      for (int64_t n = 0; n < geometry_.batches; ++n) {
        for (int64_t m = 0; m < geometry_.output_channels; ++m) {
          const ConvolutionElement place{n, m, position};
          const int64_t line = operands_.LineOf(place);
          const auto index = static_cast<size_t>(IndexOf(geometry_, place));
          const Accumulated c = accumulate(line, m);
          const ElementAnswer element = AnswerFor(c, channels_[static_cast<size_t>(m)]);
          answer.elements[index] = element;
          if (answer.bounds.empty()) continue;
          answer.bounds[index] =
              reach ? FloatBounds(c, line, m, element, *reach)
                    : UnspecifiedBounds(c, channels_[static_cast<size_t>(m)], element);
        }
      }
    }
    return answer;
  }

 private:
  struct Channel {
    RequantizationScales scales;
    Tier tier = Tier::kRegular;
    std::optional<int32_t> bias{};
  };

  static ExactValue ScaleAt(const TensorView& scales, int64_t index) {
    return Decode(FormatOf(scales.type), ReadCode(scales, index));
  }

  // QC-02, QC-03: the sum, and whether it leaves INT32 before or after the bias.
  struct WithBias {
    Int128 units;
    bool overflows;
  };
  WithBias AddBias(const Accumulated& c, const Channel& channel) const {
    const Int128 bias = channel.bias.value_or(0);
    const Accumulator accumulator = parameters_.accumulator;
    return {Narrow(Narrow(c.units, accumulator) + bias, accumulator),
            !FitsInt32(c.units) || !FitsInt32(c.units + bias)};
  }

  ElementAnswer AnswerFor(const Accumulated& c, const Channel& channel) const {
    ElementAnswer element{.tier = channel.tier};
    const WithBias sum = AddBias(c, channel);
    target_.Round(requantize_(SumOf(Sum(sum.units, 0)), channel.scales), zero_point_,
                  element);
    if (sum.overflows) {
      element.tier = Tier::kAccumulatorOverflow;
      element.freedom = Freedom::kAnyCode;
    }
    return element;
  }

  CodeBounds FloatBounds(const Accumulated& c, int64_t line, int64_t m,
                         const ElementAnswer& element, FloatReachOf& reach) const {
    const Channel& channel = channels_[static_cast<size_t>(m)];
    const Int128 bias = channel.bias.value_or(0);
    const FloatSumBounds::Element of{
        .sum = Sum(c.units + bias,
                   c.magnitude + static_cast<Uint128>(bias < 0 ? -bias : bias)),
        .terms = geometry_.terms() + (channel.bias ? 1 : 0),
        .integer = true,
        .scales = channel.scales,
        .zero_point = zero_point_};
    CodeBounds bounds = float_bounds_->Of(of, element);
    if (element.tier == Tier::kDegenerateScale) {
      bounds.arising = float_bounds_->CodesOf(
          reach(line, m, of.sum, channel.scales, channel.bias), of);
    }
    return bounds;
  }

  // One code next to the canonical one.
  CodeBounds UnspecifiedBounds(const Accumulated& c, const Channel& channel,
                               const ElementAnswer& element) const {
    const uint32_t code = element.code;
    CodeBounds bounds{code, code, code, code};
    const Unrounded v =
        requantize_(SumOf(Sum(AddBias(c, channel).units, 0)), channel.scales);
    if (IsWhole(v)) return bounds;
    const NumberFormat& y = target_.format();
    const int64_t value = ToInteger(y, code);
    const uint64_t mask = (uint64_t{1} << y.bits) - 1;
    const auto code_of = [mask](int64_t of) {
      return static_cast<uint32_t>(static_cast<uint64_t>(of) & mask);
    };
    bounds.wider_low = code_of(std::max(value - 1, IntegerMin(y)));
    bounds.wider_high = code_of(std::min(value + 1, IntegerMax(y)));
    return bounds;
  }

  const ConvolutionGeometry& geometry_;
  const Parameters parameters_;
  const ConvolutionOperands operands_;
  const Requantizer requantize_;
  const Target target_;
  const PreparedZeroPoint zero_point_;
  std::vector<Channel> channels_;
  std::optional<FloatSumBounds> float_bounds_;
};

}  // namespace

Result<Answer> EvaluateQLinearConv(const Problem& problem, const Parameters& parameters) {
  const auto geometry = ValidGeometry(Resolve(problem));
  if (!geometry) return geometry.error();
  return Evaluation(problem, *geometry, parameters).Run();
}

}  // namespace qconform::q_linear_conv
