#include "harness/backends/simd/convolution/panel_maker.h"

#include <algorithm>
#include <cstring>

namespace qconform::simd {
namespace {

// Rows that are laid out at once: whole words, and little enough for L1.
constexpr size_t kBlock = 256;

}  // namespace

PanelMaker::PanelMaker(const ConvolutionGeometry& geometry, const TensorView& x,
                       uint8_t zero_point, const ConvolutionKernels& kernels,
                       WordForm form)
    : g_(geometry),
      x_(reinterpret_cast<const uint8_t*>(x.data.data()), x.data.size()),
      is_signed_(x.type == DataType::kInt8),
      zero_point_(zero_point),
      kernels_(kernels),
      form_(form),
      scratch_(kBlock * kMaxColumns),
      rows_(kBlock),
      keep_rows_(kBlock) {
  const size_t rank = g_.in.size();
  steps_.assign(rank, 1);
  for (size_t i = rank - 1; i > 0; --i) steps_[i - 1] = steps_[i] * g_.in[i];
  for (size_t i = 0; i < rank; ++i) {
    is_flat_ &= g_.strides[i] == 1 && (i == 0 || g_.out[i] == g_.in[i]);
  }
  const auto count = static_cast<size_t>(g_.taps());
  taps_.assign(count, std::vector<int64_t>(rank));
  for (size_t tap = 0; tap < count; ++tap) {
    auto rest = static_cast<int64_t>(tap);
    int64_t offset = 0;
    for (size_t i = rank; i-- > 0;) {
      taps_[tap][i] = rest % g_.kernel[i];
      rest /= g_.kernel[i];
      offset += (taps_[tap][i] * g_.dilations[i] - g_.pads[i]) * steps_[i];
    }
    flat_offsets_.push_back(offset);
  }
  keep_.resize(count * kMaxColumns);
}

void PanelMaker::FindRuns(size_t column, size_t valid) {
  const size_t rank = g_.out.size();
  std::vector<int64_t> at(rank);
  auto rest = static_cast<int64_t>(column);
  for (size_t i = rank; i-- > 0;) {
    at[i] = rest % g_.out[i];
    rest /= g_.out[i];
  }
  runs_.clear();
  for (size_t begin = 0; begin < valid;) {
    const auto left = static_cast<size_t>(g_.out[rank - 1] - at[rank - 1]);
    const size_t count = std::min(left, valid - begin);
    runs_.push_back({begin, count, at});
    begin += count;
    at[rank - 1] = 0;
    for (size_t i = rank - 1; i-- > 0;) {
      if (++at[i] < g_.out[i]) break;
      at[i] = 0;
    }
  }
}

void PanelMaker::FindCopies() {
  const size_t last = g_.in.size() - 1;
  const int64_t stride = g_.strides[last];
  copies_.clear();
  copies_end_.clear();
  for (const std::vector<int64_t>& tap : taps_) {
    for (const Run& run : runs_) {
      int64_t from = 0;
      bool is_inside = true;
      for (size_t i = 0; i < last; ++i) {
        const int64_t in =
            run.at[i] * g_.strides[i] + tap[i] * g_.dilations[i] - g_.pads[i];
        is_inside &= in >= 0 && in < g_.in[i];
        from += in * steps_[i];
      }
      if (!is_inside) continue;
      const int64_t first =
          run.at[last] * stride + tap[last] * g_.dilations[last] - g_.pads[last];
      // The elements that lie in x: 0 <= first + j * stride < in.
      const auto count = static_cast<int64_t>(run.count);
      const int64_t begin = first >= 0 ? 0 : (-first + stride - 1) / stride;
      const int64_t room = g_.in[last] - first;
      const int64_t end = room <= 0 ? 0 : std::min(count, (room + stride - 1) / stride);
      if (begin >= end) continue;
      copies_.push_back({run.begin + static_cast<size_t>(begin),
                         static_cast<size_t>(end - begin),
                         from + first + begin * stride});
    }
    copies_end_.push_back(copies_.size());
  }
}

// The copies of FindCopies as masks.
void PanelMaker::FindKept(size_t width) {
  size_t pixels = 0;
  for (const Run& run : runs_) pixels += run.count;
  keeps_all_ = true;
  size_t at = 0;
  for (size_t tap = 0; tap < taps_.size(); ++tap) {
    size_t kept = 0;
    for (size_t i = at; i < copies_end_[tap]; ++i) kept += copies_[i].count;
    uint8_t* keep = keep_.data() + tap * kMaxColumns;
    if (kept == pixels) {
      std::memset(keep, 0xFF, width);
    } else {
      keeps_all_ = false;
      std::memset(keep, 0, width);
      for (size_t i = at; i < copies_end_[tap]; ++i) {
        std::memset(keep + copies_[i].to, 0xFF, copies_[i].count);
      }
    }
    at = copies_end_[tap];
  }
}

// Returns `width` bytes of x from `position` on; those outside do not matter.
const uint8_t* PanelMaker::FlatRow(int64_t position, size_t width,
                                   uint8_t* scratch) const {
  const auto size = static_cast<int64_t>(x_.size());
  const auto end = position + static_cast<int64_t>(width);
  if (position >= 0 && end <= size) return x_.data() + position;
  std::memset(scratch, zero_point_, width);
  const int64_t from = std::max<int64_t>(position, 0);
  const int64_t to = std::min(end, size);
  if (from < to) {
    std::memcpy(scratch + (from - position), x_.data() + from,
                static_cast<size_t>(to - from));
  }
  return scratch;
}

const uint8_t* PanelMaker::CopiedRow(int64_t channel, size_t tap,
                                     uint8_t* scratch) const {
  const auto stride = static_cast<size_t>(g_.strides.back());
  std::memset(scratch, zero_point_, kMaxColumns);
  for (size_t i = tap == 0 ? 0 : copies_end_[tap - 1]; i < copies_end_[tap]; ++i) {
    const Copy& copy = copies_[i];
    const uint8_t* from = x_.data() + channel + copy.from;
    uint8_t* to = scratch + copy.to;
    if (stride == 1) {
      std::memcpy(to, from, copy.count);
    } else {
      for (size_t j = 0; j < copy.count; ++j) to[j] = from[j * stride];
    }
  }
  return scratch;
}

void PanelMaker::LayOut(int64_t matrix, size_t column, size_t valid, size_t width,
                        uint32_t* words) {
  FindRuns(column, valid);
  FindCopies();
  if (is_flat_) FindKept(width);
  const size_t taps = taps_.size();
  const auto depth = static_cast<size_t>(g_.depth());
  const size_t values = form_ == WordForm::kPairs ? 2 : 4;  // of a word
  int64_t channel = matrix * g_.in_channels * g_.in_size();
  size_t tap = 0;
  for (size_t begin = 0; begin < depth; begin += kBlock) {
    const size_t count = std::min(kBlock, depth - begin);
    for (size_t i = 0; i < count; ++i) {
      uint8_t* scratch = scratch_.data() + i * kMaxColumns;
      rows_[i] =
          is_flat_ ? FlatRow(channel + flat_offsets_[tap] + static_cast<int64_t>(column),
                             width, scratch)
                   : CopiedRow(channel, tap, scratch);
      keep_rows_[i] = keep_.data() + tap * kMaxColumns;
      if (++tap == taps) {
        tap = 0;
        channel += g_.in_size();
      }
    }
    kernels_.lay_out[static_cast<int>(form_)](
        {.rows = rows_.data(),
         .keep = is_flat_ && !keeps_all_ ? keep_rows_.data() : nullptr,
         .count = count,
         .width = width,
         .fill = zero_point_,
         .is_signed = is_signed_},
        words);
    words += (count + values - 1) / values * width;
  }
}

}  // namespace qconform::simd
