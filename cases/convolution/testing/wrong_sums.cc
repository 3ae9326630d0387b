#include "cases/convolution/testing/wrong_sums.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "cases/convolution/question.h"
#include "cases/convolution/testing/kinds.h"
#include "oracle/formats/codes.h"

namespace qconform::generators {
namespace {

using enum ConvolutionMistake;

constexpr std::array<std::string_view, kConvolutionMistakes> kNames{
    "none",
    "raw_zero_padding",
    "row_sums_without_padding",
    "w_zero_ignored",
    "x_zero_ignored",
    "first_w_zero",
    "w_zero_by_channel_of_group",
    "w_zero_by_input_channel",
    "w_zero_by_position",
    "w_zero_by_batch",
    "flipped",
    "flipped_last_axis",
    "transposed_kernel",
    "transposed_strides",
    "transposed_dilations",
    "transposed_pads",
    "swapped_pads",
    "odd_pad_at_other_end",
    "dilation_ignored_in_auto_pad",
    "dilation_ignored",
    "stride_ignored_in_auto_pad",
    "stride_ignored",
    "border_replicated",
    "first_groups_input",
    "interleaved_groups",
    "first_batch_only",
    "last_term_left_out",
    "terms_beyond_256_left_out",
    "terms_beyond_1024_left_out",
    "odd_term_left_out",
    "tail_of_4_left_out",
    "tail_of_16_left_out",
    "tail_of_64_left_out",
    "saturated_pairs",
    "saturated_pairs_of_channels",
    "saturated_16",
    "float_accumulator",
};

struct Axis {
  int64_t in = 0;
  int64_t kernel = 0;
  int64_t stride = 0;
  int64_t dilation = 0;
  int64_t begin = 0;
  int64_t out = 0;
};

// Row-major coordinates of an index.
Shape CoordinatesOf(int64_t index, const std::vector<Axis>& axes, int64_t Axis::*size) {
  Shape at(axes.size());
  for (size_t axis = axes.size(); axis-- > 0;) {
    at[axis] = index % (axes[axis].*size);
    index /= axes[axis].*size;
  }
  return at;
}

struct Term {
  int64_t channel = 0;  // within the group
  int64_t kernel = 0;
  int64_t x = 0;  // value, the zero point where there is padding
  int64_t w = 0;
  bool is_padding = false;
};

int64_t Saturated16(int64_t value) { return std::clamp<int64_t>(value, -32768, 32767); }

class Model {
 public:
  Model(const ConvolutionCase& asked, ConvolutionMistake mistake)
      : asked_(asked), mistake_(mistake), right_(asked.sizes), sizes_(right_.sizes()) {
    const Shape y = right_.YShape();
    const size_t rank = sizes_.input.size();
    for (size_t i = 0; i < rank; ++i) {
      axes_.push_back({sizes_.input[i], sizes_.kernel[i], sizes_.strides[i],
                       sizes_.dilations[i], sizes_.pads[i], y[2 + i]});
    }
    if (rank < 2 && (mistake == kTransposedKernel || mistake == kTransposedStrides ||
                     mistake == kTransposedDilations || mistake == kTransposedPads)) {
      has_meaning_ = false;
      return;
    }
    const auto swap_last = [&](int64_t Axis::*member) {
      std::swap(axes_[rank - 1].*member, axes_[rank - 2].*member);
    };
    if (mistake == kTransposedStrides) swap_last(&Axis::stride);
    if (mistake == kTransposedDilations) swap_last(&Axis::dilation);
    if (mistake == kTransposedPads) swap_last(&Axis::begin);
    for (size_t i = 0; i < rank; ++i) SpoilAxis(i);
    const auto zeros = static_cast<int64_t>(asked.w_zeros.size());
    if (mistake == kWZeroByInputChannel) has_meaning_ = zeros == sizes_.channels;
    if (mistake == kWZeroByPosition) has_meaning_ = zeros == y.back();
    if (mistake == kWZeroByBatch) has_meaning_ = zeros == sizes_.batch;
  }

  bool has_meaning() const { return has_meaning_; }

  std::vector<int64_t> Sums() const {
    std::vector<int64_t> sums;
    for (int64_t n = 0; n < sizes_.batch; ++n) {
      for (int64_t m = 0; m < right_.m(); ++m) {
        for (int64_t p = 0; p < right_.positions(); ++p) sums.push_back(Sum(n, m, p));
      }
    }
    return sums;
  }

 private:
  void SpoilAxis(size_t i) {
    Axis& axis = axes_[i];
    const int64_t end = sizes_.pads[sizes_.input.size() + i];
    const bool upper = sizes_.auto_pad == AutoPad::kSameUpper;
    const bool same = upper || sizes_.auto_pad == AutoPad::kSameLower;
    const auto begin_of = [&](int64_t total) {
      total = std::max<int64_t>(total, 0);
      return upper ? total / 2 : total - total / 2;
    };
    const int64_t reach = (axis.kernel - 1) * axis.dilation + 1;
    if (mistake_ == kSwappedPads && !same) axis.begin = end;
    if (mistake_ == kOddPadAtOtherEnd && same) axis.begin = end;
    if (mistake_ == kDilationIgnoredInAutoPad && same) {
      axis.begin = begin_of((axis.out - 1) * axis.stride + axis.kernel - axis.in);
    }
    if (mistake_ == kStrideIgnoredInAutoPad && same) axis.begin = begin_of(reach - 1);
    if (mistake_ == kDilationIgnored) axis.dilation = 1;
    if (mistake_ == kStrideIgnored) axis.stride = 1;
  }

  int64_t WZero(int64_t n, int64_t m, int64_t p, int64_t channel) const {
    const auto at = [&](int64_t i) {
      return asked_.w_zeros[static_cast<size_t>(i) % asked_.w_zeros.size()];
    };
    if (asked_.w_zeros.size() == 1 || mistake_ == kFirstWZero) return at(0);
    switch (mistake_) {
      case kWZeroByChannelOfGroup:
        return at(m % sizes_.outputs);
      case kWZeroByInputChannel:
        return at(channel);
      case kWZeroByPosition:
        return at(p % axes_.back().out);
      case kWZeroByBatch:
        return at(n);
      default:
        return at(m);
    }
  }

  std::vector<Term> TermsOf(int64_t n, int64_t m, int64_t p) const {
    const Shape out = CoordinatesOf(p, axes_, &Axis::out);
    int64_t group = m / sizes_.outputs;
    if (mistake_ == kFirstGroupsInput) group = 0;
    if (mistake_ == kInterleavedGroups) group = m % sizes_.group;
    if (mistake_ == kFirstBatchOnly) n = 0;
    std::vector<Term> terms;
    for (int64_t channel = 0; channel < sizes_.channels; ++channel) {
      for (int64_t k = 0; k < right_.kernel_size(); ++k) {
        terms.push_back(TermAt(n, group * sizes_.channels + channel, m, channel, k, out));
      }
    }
    return terms;
  }

  Term TermAt(int64_t n, int64_t x_channel, int64_t m, int64_t channel, int64_t k,
              const Shape& out) const {
    const Shape tap = CoordinatesOf(k, axes_, &Axis::kernel);
    Term term{.channel = channel, .kernel = k};
    int64_t x_at = 0;
    bool is_padding = false;
    for (size_t i = 0; i < axes_.size(); ++i) {
      const Axis& axis = axes_[i];
      int64_t at = out[i] * axis.stride + tap[i] * axis.dilation - axis.begin;
      if (mistake_ == kBorderReplicated) at = std::clamp<int64_t>(at, 0, axis.in - 1);
      if (at < 0 || at >= axis.in) is_padding = true;
      x_at = x_at * axis.in + at;
    }
    const int64_t x_zero = mistake_ == kXZeroIgnored ? 0 : asked_.x_zero;
    term.is_padding = is_padding;
    if (is_padding) {
      term.x = mistake_ == kRawZeroPadding ? 0 : x_zero;
    } else {
      x_at += (n * right_.c() + x_channel) * right_.input_size();
      term.x = asked_.x[static_cast<size_t>(x_at)];
    }
    int64_t w_at = k;
    if (mistake_ == kFlipped) w_at = right_.kernel_size() - 1 - k;
    const int64_t last = axes_.back().kernel;
    if (mistake_ == kFlippedLastAxis) w_at = k - k % last + (last - 1 - k % last);
    if (mistake_ == kTransposedKernel) {
      const int64_t before = axes_[axes_.size() - 2].kernel;
      const int64_t plane = last * before;
      w_at = k - k % plane + k % last * before + k % plane / last;
    }
    w_at += (m * sizes_.channels + channel) * right_.kernel_size();
    term.w = asked_.w[static_cast<size_t>(w_at)];
    return term;
  }

  bool IsLeftOut(int64_t t, int64_t count) const {
    switch (mistake_) {
      case kLastTermLeftOut:
        return t == count - 1;
      case kTermsBeyond256LeftOut:
        return t >= 256;
      case kTermsBeyond1024LeftOut:
        return t >= 1024;
      case kOddTermLeftOut:
        return t >= count / 2 * 2;
      case kTailOf4LeftOut:
        return t >= count / 4 * 4;
      case kTailOf16LeftOut:
        return t >= count / 16 * 16;
      case kTailOf64LeftOut:
        return count > 64 && t >= count / 64 * 64;
      default:
        return false;
    }
  }

  int64_t Sum(int64_t n, int64_t m, int64_t p) const {
    std::vector<Term> terms = TermsOf(n, m, p);
    const int64_t x_zero = mistake_ == kXZeroIgnored ? 0 : asked_.x_zero;
    if (mistake_ == kSaturatedPairs || mistake_ == kSaturatedPairsOfChannels) {
      return SumOfSaturatedPairs(std::move(terms), WZero(n, m, p, 0));
    }
    int64_t sum = 0;
    float in_float = 0;
    for (size_t t = 0; t < terms.size(); ++t) {
      if (IsLeftOut(static_cast<int64_t>(t), std::ssize(terms))) continue;
      const Term& term = terms[t];
      const int64_t w_zero = mistake_ == kWZeroIgnored ? 0 : WZero(n, m, p, term.channel);
      int64_t product = (term.x - x_zero) * (term.w - w_zero);
      if (mistake_ == kRowSumsWithoutPadding && term.is_padding) {
        product += x_zero * w_zero;
      }
      sum += product;
      if (mistake_ == kSaturated16) sum = Saturated16(sum);
      in_float += static_cast<float>(product);
    }
    return mistake_ == kFloatAccumulator ? static_cast<int64_t>(in_float) : sum;
  }

  // As instructions that multiply u8 by s8 and add pairs with 16 bits.
  int64_t SumOfSaturatedPairs(std::vector<Term> terms, int64_t w_zero) const {
    if (mistake_ == kSaturatedPairsOfChannels) {
      std::ranges::stable_sort(terms, {}, &Term::kernel);
    }
    const int64_t of_x = asked_.x_type == DataType::kInt8 ? 128 : 0;
    const int64_t of_w = asked_.w_type == DataType::kUint8 ? -128 : 0;
    const int64_t x_zero = asked_.x_zero + of_x;
    w_zero += of_w;
    int64_t sum = 0;
    for (size_t t = 0; t < terms.size(); t += 2) {
      int64_t pair = 0;
      for (size_t i = t; i < std::min(t + 2, terms.size()); ++i) {
        const int64_t x = terms[i].x + of_x;
        const int64_t w = terms[i].w + of_w;
        pair += x * w;
        sum += x_zero * w_zero - x_zero * w - w_zero * x;
      }
      sum += Saturated16(pair);
    }
    return sum;
  }

  const ConvolutionCase& asked_;
  ConvolutionMistake mistake_;
  ConvolutionGeometry right_;
  const ConvolutionSizes& sizes_;
  std::vector<Axis> axes_;
  bool has_meaning_ = true;
};

std::vector<int64_t> ValuesOf(const Tensor& tensor) {
  std::vector<int64_t> values;
  for (const uint64_t code : ReadCodes(tensor.view())) {
    values.push_back(ValueOf(tensor.type, static_cast<uint8_t>(code)));
  }
  return values;
}

}  // namespace

std::string_view MistakeName(ConvolutionMistake mistake) {
  return kNames[static_cast<size_t>(mistake)];
}

ConvolutionCase CaseOf(const OpCase& made, size_t w, size_t x_zero, size_t w_zero) {
  ConvolutionCase asked{.sizes = SizesOf(made, w),
                        .x_type = made.operands[0].type,
                        .w_type = made.operands[w].type,
                        .x = ValuesOf(made.operands[0]),
                        .w = ValuesOf(made.operands[w]),
                        .w_zeros = {0}};
  const auto is_there = [&](size_t operand) {
    return made.operands[operand].type != DataType::kUndefined;
  };
  if (is_there(x_zero)) asked.x_zero = ValuesOf(made.operands[x_zero])[0];
  if (is_there(w_zero)) asked.w_zeros = ValuesOf(made.operands[w_zero]);
  return asked;
}

std::optional<std::vector<int64_t>> SumsOf(const ConvolutionCase& asked,
                                           ConvolutionMistake mistake) {
  const Model model(asked, mistake);
  if (!model.has_meaning()) return std::nullopt;
  return model.Sums();
}

}  // namespace qconform::generators
