// Convolutions of integers with mistakes: the sums of wrong models. Index arithmetic of
// its own: the oracle's would hide its errors.
#ifndef QCONFORM_HARNESS_CONVOLUTION_WRONG_CONVOLUTION_H_
#define QCONFORM_HARNESS_CONVOLUTION_WRONG_CONVOLUTION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "oracle/base/attribute.h"
#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

struct ConvolutionMistakes {
  enum class Sum : uint8_t {
    kExact,
    // Pairs of products of unsigned x and signed w saturate to INT16, as VPMADDUBSW
    // does; corrections are exact.
    kPairsSaturate16,
    kWrap16,                // each product keeps 16 bits
    kWrapDifferences,       // each difference wraps in the type of its operand
    kSaturateDifferences8,  // each difference saturates to INT8
    kWrap24,                // the sum keeps 24 bits
    kSaturate16,            // the running sum saturates to INT16
  };
  // Which zero point or scale of w an output channel takes.
  enum class Channel : uint8_t {
    kRight,
    kFirst,
    kNext,
    kWithinGroup,  // the index within its group
    kGroup,        // the index of its group
    kInput,        // only zero points: the index of the input channel
  };
  // What a padded position counts for; other than 0 only with zero points.
  enum class Padding : uint8_t {
    kZeroPoint,  // nothing
    kRawZero,    // as x = 0
    kCrossTerm,  // x_zero_point * w_zero_point
    kWeightSum,  // -x_zero_point * w
    kNeighbour,  // the element that lies there in memory, within the channel
  };
  enum class AutoPad : uint8_t {
    kRight,
    kWithoutDilation,
    kWithoutStride,
    kSwapped,  // SAME_UPPER and SAME_LOWER
    kAllAtEnd,
    kAllAtBeginning,
  };
  enum class Pads : uint8_t {
    kRight,
    kInterleaved,  // begin and end of each axis in turn
    kBeginAndEndSwapped,
    kReversedAxes,
    kFirstForAll,
    kIgnored,
  };
  // For strides, dilations.
  enum class Axes : uint8_t { kRight, kReversed, kFirstForAll, kIgnored };
  enum class Kernel : uint8_t { kRight, kFlipped, kReversedAxes, kLastTapLost };
  enum class Groups : uint8_t {
    kRight,
    kFirstInputs,         // every group reads the channels of the first
    kInputsInterleaved,   // channel c of group g is c * group + g
    kOutputsInterleaved,  // the group of output channel m is m % group
  };

  Sum sum = Sum::kExact;
  int lost_tail = 0;         // products after the last multiple of it do not count
  int uncorrected_tail = 0;  // there, zero points are not subtracted
  int depthwise_tail = 0;    // the same of output channels, where a group has one input
  bool no_x_zero_point = false;
  bool no_w_zero_point = false;
  bool no_cross_term = false;    // x_zero_point * w_zero_point for each product
  bool x_of_other_sign = false;  // and its zero point
  bool w_of_other_sign = false;
  bool x_alone_of_other_sign = false;  // its zero point is right
  bool w_alone_of_other_sign = false;
  bool first_batch = false;  // for all
  bool strides_and_dilations_swapped = false;
  Channel w_zero_point = Channel::kRight;
  Padding padding = Padding::kZeroPoint;
  AutoPad auto_pad = AutoPad::kRight;
  Pads pads = Pads::kRight;
  Axes strides = Axes::kRight;
  Axes dilations = Axes::kRight;
  Kernel kernel = Kernel::kRight;
  Groups groups = Groups::kRight;

  friend bool operator==(const ConvolutionMistakes&,
                         const ConvolutionMistakes&) = default;
};

// Returns the mistakes of both: `other`'s, if both have one of a kind.
ConvolutionMistakes Merged(ConvolutionMistakes one, const ConvolutionMistakes& other);

// The first step that they change.
enum class ConvolutionStep : uint8_t {
  kNone,
  kGeometry,  // strides, dilations, kernel, pads
  kAutoPad,
  kPadding,  // what a padded position counts for
  kGroups,
  kZeroPoints,  // of w: whose it is
  kSum,
};
ConvolutionStep FirstChanged(const ConvolutionMistakes& mistakes);

// A case, decoded once.
struct DecodedConvolution {
  DataType x_type = DataType::kUndefined;
  DataType w_type = DataType::kUndefined;
  int64_t batches = 0;
  int64_t inputs = 0;  // channels of x
  int64_t outputs = 0;
  int64_t groups = 1;
  // By spatial axis.
  Shape x, taps, y;
  Shape strides, dilations;
  Shape pads;  // of all beginnings, then of all ends
  enum class AutoPad : uint8_t { kNotSet, kSameUpper, kSameLower, kValid };
  AutoPad auto_pad = AutoPad::kNotSet;
  std::vector<int16_t> x_values, w_values;
  int64_t x_zero_point = 0;
  std::vector<int64_t> w_zero_points;  // one, or one for each output channel
  std::vector<int64_t> sums;           // without a mistake, row-major
  std::vector<int64_t> padded;         // how many taps are, by position of y

  int64_t inputs_of_group() const { return inputs / groups; }
  int64_t outputs_of_group() const { return outputs / groups; }
  // Products of an element, padded positions included.
  int64_t terms() const;
  int64_t positions() const;  // of one channel of y
  int64_t ChannelOf(int64_t element) const { return element / positions() % outputs; }
};

// An Error if the model is not a valid convolution. Zero points may be absent.
Result<DecodedConvolution> DecodeConvolution(
    std::span<const Attribute> attributes, const TensorView& x, const TensorView& w,
    const std::optional<TensorView>& x_zero_point,
    const std::optional<TensorView>& w_zero_point);

// Returns the index among `count` zero points, scales or biases that output channel m
// takes. kInput is as kRight.
size_t IndexOf(ConvolutionMistakes::Channel place, const DecodedConvolution& decoded,
               int64_t m, size_t count);

// The sums of a wrong model. `decoded` must outlive it.
class WrongSums {
 public:
  WrongSums(const DecodedConvolution& decoded, const ConvolutionMistakes& mistakes);

  int64_t Of(int64_t element) const;

  // How many taps lie outside of x, by position of y.
  std::vector<int64_t> Padded() const;

 private:
  void LayOut();
  int64_t Begin(size_t axis, const Shape& strides, const Shape& dilations) const;

  const DecodedConvolution& d_;
  const ConvolutionMistakes m_;
  bool is_right_;
  int64_t positions_ = 0;
  int64_t taps_ = 0;
  int64_t plane_ = 0;
  std::vector<int64_t> places_;   // in x, by position of y and tap; below 0: padded
  std::vector<int64_t> weights_;  // in w, by tap
  std::vector<int16_t> x_, w_;    // as other types, if they are
  int64_t x_zero_point_ = 0;
  std::vector<int64_t> w_zero_points_;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CONVOLUTION_WRONG_CONVOLUTION_H_
