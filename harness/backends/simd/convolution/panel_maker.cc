#include "harness/backends/simd/convolution/panel_maker.h"

#include <algorithm>
#include <cstring>

namespace qconform::simd {
namespace {

// Rows that are laid out at once, about: little enough for L1.
constexpr size_t kRowsAtOnce = 256;
// As many channels are whole words, whatever the number of taps.
constexpr size_t kChannels = 4;

}  // namespace

PanelMaker::PanelMaker(const ConvolutionGeometry& geometry, const TensorView& x,
                       const Phases* phases, uint8_t zero_point,
                       const ConvolutionKernels& kernels, WordForm form)
    : g_(geometry),
      x_(reinterpret_cast<const uint8_t*>(x.data.data())),
      phases_(phases),
      is_signed_(x.type == DataType::kInt8),
      zero_point_(zero_point),
      kernels_(kernels),
      form_(form),
      steps_(g_.in.size(), 1),
      keep_(static_cast<size_t>(g_.taps()) * kMaxColumns),
      copies_end_(static_cast<size_t>(g_.taps())),
      channels_at_once_(
          kChannels *
          std::max<size_t>(kRowsAtOnce / (kChannels * copies_end_.size()), 1)),
      scratch_(channels_at_once_ * copies_end_.size() * kMaxColumns),
      rows_(channels_at_once_ * copies_end_.size()) {
  for (size_t i = g_.in.size() - 1; i > 0; --i) steps_[i - 1] = steps_[i] * g_.in[i];
  for (size_t i = 0; i < g_.in.size(); ++i) {
    const int64_t last = (g_.out[i] - 1) * g_.strides[i] +
                         (g_.kernel[i] - 1) * g_.dilations[i] - g_.pads[i];
    has_padding_ |= g_.pads[i] > 0 || last >= g_.in[i];
  }
  ForEachTap(g_, [&](size_t, const std::vector<int64_t>& at) {
    taps_.insert(taps_.end(), at.begin(), at.end());
  });
  for (size_t row = 0; row < rows_.size(); ++row) {
    keep_rows_.push_back(keep_.data() + row % copies_end_.size() * kMaxColumns);
  }
  if (phases_ != nullptr) {
    const auto [least, most] = std::ranges::minmax(phases_->tap_offsets);
    least_offset_ = least;
    most_offset_ = most;
  }
}

void PanelMaker::FindRuns(size_t column, size_t valid) {
  const size_t rank = g_.out.size();
  starts_.assign(rank, 0);
  auto rest = static_cast<int64_t>(column);
  for (size_t i = rank; i-- > 0;) {
    starts_[i] = rest % g_.out[i];
    rest /= g_.out[i];
  }
  runs_.clear();
  for (size_t begin = 0;;) {
    const int64_t* at = starts_.data() + starts_.size() - rank;
    const auto left = static_cast<size_t>(g_.out[rank - 1] - at[rank - 1]);
    const size_t count = std::min(left, valid - begin);
    runs_.push_back({begin, count});
    begin += count;
    if (begin == valid) return;
    starts_.resize(starts_.size() + rank);
    int64_t* next = starts_.data() + starts_.size() - rank;
    std::copy_n(next - rank, rank, next);
    next[rank - 1] = 0;
    for (size_t i = rank - 1; i-- > 0;) {
      if (++next[i] < g_.out[i]) break;
      next[i] = 0;
    }
  }
}

void PanelMaker::FindCopies() {
  const size_t rank = g_.in.size();
  const size_t last = rank - 1;
  const int64_t stride = g_.strides[last];
  copies_.clear();
  for (size_t t = 0; t < copies_end_.size(); ++t) {
    const int64_t* tap = taps_.data() + t * rank;
    const int64_t* at = starts_.data();
    for (const Run& run : runs_) {
      int64_t from = 0;
      bool is_inside = true;
      for (size_t i = 0; i < last; ++i) {
        const int64_t in = at[i] * g_.strides[i] + tap[i] * g_.dilations[i] - g_.pads[i];
        is_inside &= in >= 0 && in < g_.in[i];
        from += in * steps_[i];
      }
      const int64_t first =
          at[last] * stride + tap[last] * g_.dilations[last] - g_.pads[last];
      at += rank;
      if (!is_inside) continue;
      // The elements that lie in x: 0 <= first + j * stride < in.
      const int64_t begin = first >= 0 ? 0 : (stride - 1 - first) / stride;
      const int64_t room = g_.in[last] - first;
      const int64_t end = room <= 0 ? 0
                                    : std::min(static_cast<int64_t>(run.count),
                                               (room + stride - 1) / stride);
      if (begin >= end) continue;
      copies_.push_back({run.begin + static_cast<size_t>(begin),
                         static_cast<size_t>(end - begin),
                         from + first + begin * stride});
    }
    copies_end_[t] = copies_.size();
  }
}

// The copies of FindCopies as masks.
void PanelMaker::FindKept() {
  const size_t pixels = runs_.back().begin + runs_.back().count;
  keeps_all_ = true;
  size_t at = 0;
  for (size_t tap = 0; tap < copies_end_.size(); ++tap) {
    size_t kept = 0;
    for (size_t i = at; i < copies_end_[tap]; ++i) kept += copies_[i].count;
    uint8_t* keep = keep_.data() + tap * kMaxColumns;
    if (kept == pixels) {
      std::memset(keep, 0xFF, kMaxColumns);
    } else {
      keeps_all_ = false;
      std::memset(keep, 0, kMaxColumns);
      for (size_t i = at; i < copies_end_[tap]; ++i) {
        std::memset(keep + copies_[i].to, 0xFF, copies_[i].count);
      }
    }
    at = copies_end_[tap];
  }
}

void PanelMaker::Choose(size_t column, size_t valid, size_t width) {
  column_ = column;
  width_ = width;
  if (phases_ != nullptr && !has_padding_) return;  // keeps_all_
  FindRuns(column, valid);
  FindCopies();
  if (phases_ != nullptr) FindKept();
}

// Returns the row's elements of the planes from `position` on; what would lie outside of
// the planes does not matter.
const uint8_t* PanelMaker::FlatRow(int64_t position, uint8_t* scratch) const {
  const auto size = static_cast<int64_t>(phases_->data.size());
  const auto width = static_cast<int64_t>(width_);
  if (position >= 0 && position + width <= size) return phases_->data.data() + position;
  std::memset(scratch, zero_point_, width_);
  const int64_t from = std::max<int64_t>(position, 0);
  const int64_t to = std::min(position + width, size);
  if (from < to) {
    std::memcpy(scratch + (from - position), phases_->data.data() + from,
                static_cast<size_t>(to - from));
  }
  return scratch;
}

const uint8_t* PanelMaker::CopiedRow(const uint8_t* channel, size_t tap,
                                     uint8_t* scratch) const {
  const auto stride = static_cast<size_t>(g_.strides.back());
  std::memset(scratch, zero_point_, kMaxColumns);
  for (size_t i = tap == 0 ? 0 : copies_end_[tap - 1]; i < copies_end_[tap]; ++i) {
    const Copy& copy = copies_[i];
    const uint8_t* from = channel + copy.from;
    uint8_t* to = scratch + copy.to;
    if (stride == 1) {
      std::memcpy(to, from, copy.count);
    } else {
      for (size_t j = 0; j < copy.count; ++j) to[j] = from[j * stride];
    }
  }
  return scratch;
}

// The rows of a channel.
void PanelMaker::FindRows(int64_t channel, const uint8_t** rows, uint8_t* scratch) const {
  const size_t taps = copies_end_.size();
  if (phases_ == nullptr) {
    for (size_t tap = 0; tap < taps; ++tap) {
      rows[tap] =
          CopiedRow(x_ + channel * g_.in_size(), tap, scratch + tap * kMaxColumns);
    }
    return;
  }
  const int64_t* offsets = phases_->tap_offsets.data();
  const int64_t at = channel * phases_->channel_size + static_cast<int64_t>(column_);
  const int64_t end = at + most_offset_ + static_cast<int64_t>(width_);
  if (at + least_offset_ >= 0 && end <= static_cast<int64_t>(phases_->data.size())) {
    const uint8_t* first = phases_->data.data() + at;
    for (size_t tap = 0; tap < taps; ++tap) rows[tap] = first + offsets[tap];
    return;
  }
  for (size_t tap = 0; tap < taps; ++tap) {
    rows[tap] = FlatRow(at + offsets[tap], scratch + tap * kMaxColumns);
  }
}

void PanelMaker::LayOut(int64_t matrix, uint32_t* words) {
  const size_t taps = copies_end_.size();
  const size_t values = form_ == WordForm::kPairs ? 2 : 4;  // of a word
  int64_t channel = matrix * g_.in_channels;
  for (auto left = static_cast<size_t>(g_.in_channels); left != 0;) {
    const size_t channels = std::min(left, channels_at_once_);
    for (size_t i = 0; i < channels; ++i) {
      FindRows(channel++, rows_.data() + i * taps,
               scratch_.data() + i * taps * kMaxColumns);
    }
    const size_t count = channels * taps;
    kernels_.lay_out[static_cast<int>(form_)](
        {.rows = rows_.data(),
         .keep = phases_ != nullptr && !keeps_all_ ? keep_rows_.data() : nullptr,
         .count = count,
         .width = width_,
         .fill = zero_point_,
         .is_signed = is_signed_},
        words);
    words += (count + values - 1) / values * width_;
    left -= channels;
  }
}

}  // namespace qconform::simd
