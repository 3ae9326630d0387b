#include "harness/backends/simd/convolution/depthwise.h"

#include <algorithm>
#include <cstring>

#include "harness/backends/simd/core/parallel.h"
#include "harness/backends/simd/matmul/codes.h"
#include "harness/backends/simd/matmul/panels.h"

namespace qconform::simd {
namespace {

// More channels of y for one of x are worth tiles.
constexpr int64_t kMostChannels = 2;
// Sums that become codes at once, about: they stay in L1.
constexpr int64_t kSumsAtOnce = 2048;
// Channels of small images that become codes at once.
constexpr int64_t kChannelsAtOnce = 16;
static_assert(kChannelsAtOnce * static_cast<int64_t>(kMaxColumns) <= kSumsAtOnce);

int32_t ValueOf(DataType type, uint8_t code) {
  return type == DataType::kInt8 ? static_cast<int8_t>(code) : int32_t{code};
}

size_t QuadsOf(int64_t taps) { return static_cast<size_t>(taps + 3) / 4; }

// What all threads of a call share.
struct Plan {
  Plan(const ConvolutionGeometry& geometry, const MatMulJob& the_job, const TensorView& x,
       const TapWords& the_weights, int64_t target)
      : g(geometry),
        job(the_job),
        weights(the_weights),
        kernels(*convolution::KernelsOf(target)),
        codes(the_job, target),
        x_data(reinterpret_cast<const uint8_t*>(x.data.data()), x.data.size()),
        last(g.in.size() - 1),
        out_rows(g.pixels() / g.out[last]),
        tap_rows(g.taps() / g.kernel[last]),
        quads(QuadsOf(g.kernel[last])),
        vectors((static_cast<size_t>(g.out[last]) + kernels.depthwise_lanes() - 1) /
                kernels.depthwise_lanes()),
        rows_at_once(std::clamp<int64_t>(kSumsAtOnce / g.out[last], 1, out_rows)),
        blocks((out_rows + rows_at_once - 1) / rows_at_once),
        are_small(codes.path == CodePath::kFused && g.out_channels == 1 &&
                  g.pixels() <= static_cast<int64_t>(kMaxColumns)) {
    FindOffsets();
    FindKept();
    for (size_t q = 0; q < quads; ++q) {
      const int64_t taps =
          std::min<int64_t>(g.kernel[last] - static_cast<int64_t>(4 * q), 4);
      ones.push_back(taps == 4 ? 0x01010101u : (1u << (8 * taps)) / 255);
    }
    // From the last row's first element on. All rows begin with a pad.
    const auto lanes = static_cast<int64_t>(kernels.depthwise_lanes());
    const int64_t read = (static_cast<int64_t>(vectors) - 1) * lanes * g.strides[last] +
                         4 * static_cast<int64_t>(quads - 1) * g.dilations[last] +
                         static_cast<int64_t>(kDepthwiseBytes);
    read_before = g.pads[last];
    read_after = std::max<int64_t>(read - g.pads[last] - g.in[last], 0);
    padded_row.assign(static_cast<size_t>(read), job.b_zero_point[0]);
    for (int64_t byte = 0; byte < 4 * lanes; ++byte) {
      places.push_back(static_cast<uint8_t>(byte / 4 * g.strides[last] +
                                            byte % 4 * g.dilations[last]));
    }
  }

  void FindOffsets() {
    std::vector<int64_t> at(last), tap(last);
    const auto next = [&](const std::vector<int64_t>& sizes,
                          std::vector<int64_t>* index) {
      for (size_t i = index->size(); i-- > 0;) {
        if (++(*index)[i] < sizes[i]) return;
        (*index)[i] = 0;
      }
    };
    for (int64_t row = 0; row < out_rows; ++row) {
      for (int64_t r = 0; r < tap_rows; ++r) {
        int64_t offset = 0;
        bool is_inside = true;
        for (size_t i = 0; i < last; ++i) {
          const int64_t in = at[i] * g.strides[i] + tap[i] * g.dilations[i] - g.pads[i];
          is_inside &= in >= 0 && in < g.in[i];
          offset = offset * g.in[i] + in;
        }
        offsets.push_back(is_inside ? offset * g.in[last] - g.pads[last] : kPaddedRow);
        next(g.kernel, &tap);
      }
      next(g.out, &at);
    }
  }

  void FindKept() {
    const size_t lanes = kernels.depthwise_lanes();
    for (size_t output = 0; output < vectors * lanes; output += lanes) {
      for (size_t q = 0; q < quads; ++q) {
        for (size_t byte = 0; byte < 4 * lanes; ++byte) {
          const auto o = static_cast<int64_t>(output + byte / 4);
          const auto tap = static_cast<int64_t>(4 * q + byte % 4);
          const int64_t in = o * g.strides[last] + tap * g.dilations[last] - g.pads[last];
          keep.push_back(in >= 0 && in < g.in[last] ? 0xFF : 0);
        }
      }
    }
  }

  const ConvolutionGeometry& g;
  const MatMulJob& job;
  const TapWords& weights;
  const ConvolutionKernels& kernels;
  const CodePlan codes;
  const std::span<const uint8_t> x_data;
  const size_t last;  // axis
  const int64_t out_rows, tap_rows;
  const size_t quads, vectors;
  // A unit is a block of rows of a channel of x.
  const int64_t rows_at_once, blocks;
  const bool are_small;  // several channels become codes at once
  std::vector<int64_t> offsets;
  std::vector<uint8_t> keep, padded_row, places;
  std::vector<uint32_t> ones;
  int64_t read_before = 0, read_after = 0;  // beyond the ends of a channel
};

class Worker {
 public:
  explicit Worker(const Plan& plan)
      : plan_(plan),
        // A vector may be written after the last sum, and a tile has whole rows.
        sums_(static_cast<size_t>(
                  std::max(plan.rows_at_once * plan.g.out[plan.last], kSumsAtOnce)) +
              2 * kMaxColumns),
        row_factors_(static_cast<size_t>(kSumsAtOnce) / kMaxColumns + 2),
        row_terms_(row_factors_.size()),
        fixed_point_(plan.codes.multiplier, static_cast<int32_t>(plan.codes.zero_point),
                     plan.codes.smallest) {
    if (plan.codes.path != CodePath::kSums) {
      FillColumnFactors(plan.codes, 0, kMaxColumns, column_factors_);
    }
  }
  ~Worker() { plan_.job.repaired += repaired_; }

  // Units [begin, end).
  void Convolve(int64_t begin, int64_t end) {
    const ConvolutionGeometry& g = plan_.g;
    while (begin < end) {
      if (plan_.are_small) {
        // The channels of an image.
        const int64_t left = g.groups - begin % g.groups;
        const int64_t count = std::min({left, end - begin, kChannelsAtOnce});
        ConvolveSmall(begin, count);
        begin += count;
        continue;
      }
      const int64_t product = begin / plan_.blocks;
      const int64_t row = begin % plan_.blocks * plan_.rows_at_once;
      const int64_t rows = std::min(plan_.rows_at_once, plan_.out_rows - row);
      const uint8_t* x = ChannelAt(product);
      for (int64_t i = 0; i < g.out_channels; ++i) {
        const int64_t channel = product % g.groups * g.out_channels + i;
        Multiply(x, channel, row, rows, Sums());
        Write(channel,
              (product * g.out_channels + i) * g.pixels() + row * g.out[plan_.last],
              rows * g.out[plan_.last]);
      }
      ++begin;
    }
  }

 private:
  // A channel of x, or a copy of it if the kernel would read beyond the ends of x.
  const uint8_t* ChannelAt(int64_t product) {
    const int64_t size = plan_.g.in_size();
    const int64_t at = product * size;
    const uint8_t* channel = plan_.x_data.data() + at;
    const auto end = static_cast<int64_t>(plan_.x_data.size());
    if (at >= plan_.read_before && at + size + plan_.read_after <= end) return channel;
    copy_.resize(static_cast<size_t>(plan_.read_before + size + plan_.read_after));
    std::copy_n(channel, size, copy_.data() + plan_.read_before);
    return copy_.data() + plan_.read_before;
  }

  // sum a b - za (sum b) - zb (sum a) + K za zb + bias, of the kernel's values: b, of x,
  // is unsigned, and a signed.
  void Multiply(const uint8_t* x, int64_t channel, int64_t row, int64_t rows,
                int32_t* sums) {
    const MatMulJob& job = plan_.job;
    const auto i = static_cast<size_t>(channel);
    const int32_t za = ValueOf(job.a.type, ParameterAt(job.a_zero_point, channel)) -
                       (job.a.type == DataType::kUint8 ? 128 : 0);
    const int32_t zb = ValueOf(job.b.type, job.b_zero_point[0]) +
                       (job.b.type == DataType::kInt8 ? 128 : 0);
    const uint32_t term =
        static_cast<uint32_t>(plan_.g.taps()) * static_cast<uint32_t>(za) -
        static_cast<uint32_t>(plan_.weights.sums[i]);
    const uint32_t bias = job.bias.empty() ? 0 : static_cast<uint32_t>(job.bias[i]);
    const auto tap_rows = static_cast<size_t>(plan_.tap_rows);
    plan_.kernels.depthwise(
        {.x = x,
         .padded_row = plan_.padded_row.data(),
         .offsets = plan_.offsets.data() + static_cast<size_t>(row) * tap_rows,
         .outputs = static_cast<size_t>(rows),
         .tap_rows = tap_rows,
         .quads = plan_.quads,
         .width = static_cast<size_t>(plan_.g.out[plan_.last]),
         .stride = static_cast<size_t>(plan_.g.strides[plan_.last]),
         .dilation = static_cast<size_t>(plan_.g.dilations[plan_.last]),
         .places = plan_.places.data(),
         .keep = plan_.keep.data(),
         .a = plan_.weights.words.data() + i * tap_rows * plan_.quads,
         .ones = plan_.ones.data(),
         .zero_point = job.b_zero_point[0],
         .is_signed = job.b.type == DataType::kInt8,
         .init = static_cast<int32_t>(term * static_cast<uint32_t>(zb) + bias),
         .sum_factor = -za,
         .c = sums});
  }

  // Channels whose sums are a row of a tile each.
  void ConvolveSmall(int64_t product, int64_t count) {
    const CodePlan& codes = plan_.codes;
    const int64_t channel = product % plan_.g.groups;
    const int64_t pixels = plan_.g.pixels();
    for (int64_t i = 0; i < count; ++i) {
      Multiply(ChannelAt(product + i), channel + i, 0, plan_.out_rows,
               Sums() + i * static_cast<int64_t>(kMaxColumns));
      if (codes.multiplier == Multiplier::kRowAndColumn) {
        row_factors_[static_cast<size_t>(i)] = RowFactor(codes, channel + i);
      }
    }
    const Repairs repairs = {&codes, channel, 0, &repaired_};
    TileArgs tile = TileOf(repairs);
    tile.c = Sums();
    tile.rows = static_cast<size_t>(count);
    tile.columns = tile.y_stride = static_cast<size_t>(pixels);
    tile.y = reinterpret_cast<uint8_t*>(plan_.job.y) + product * pixels;
    RequantizeOf()(tile);
  }

  TileArgs TileOf(const Repairs& repairs) const {
    return {.columns = kMaxColumns,
            .row_term = row_terms_.data(),
            .row_factor = row_factors_.data(),
            .column_factor = column_factors_,
            .zero_point = static_cast<int32_t>(plan_.codes.zero_point),
            .fixed_point = fixed_point_,
            .y_stride = kMaxColumns,
            .repairs = &repairs};
  }

  void (*RequantizeOf() const)(const TileArgs&) {
    const CodePlan& codes = plan_.codes;
    return codes.kernels->requantize[static_cast<int>(Correction::kSums)]
                                    [static_cast<int>(codes.multiplier)];
  }

  // `count` elements of y from `at` on.
  void Write(int64_t channel, int64_t at, int64_t count) {
    const CodePlan& codes = plan_.codes;
    if (codes.path == CodePath::kSums) {
      std::memcpy(plan_.job.y + at * static_cast<int64_t>(sizeof(int32_t)), Sums(),
                  static_cast<size_t>(count) * sizeof(int32_t));
      return;
    }
    auto* y = reinterpret_cast<uint8_t*>(plan_.job.y) + at;
    const Repairs repairs = {&codes, channel, 0, &repaired_, /*is_one_row=*/true};
    const auto n = static_cast<size_t>(count);
    if (codes.path != CodePath::kFused) {
      for (size_t i = 0; i < n; i += kMaxColumns) {
        WriteCodes(codes, repairs, 0, 0, std::min(kMaxColumns, n - i), Sums() + i,
                   column_factors_, y + i);
      }
      return;
    }
    if (codes.multiplier == Multiplier::kRowAndColumn) {
      std::ranges::fill(row_factors_, RowFactor(codes, channel));
    }
    TileArgs tile = TileOf(repairs);
    for (size_t i = 0; i < n;) {
      const size_t left = n - i;
      tile.c = Sums() + i;
      tile.rows =
          left < kMaxColumns ? 1 : std::min(left / kMaxColumns, row_terms_.size());
      tile.columns = std::min(left, kMaxColumns);
      tile.y = y + i;
      RequantizeOf()(tile);
      i += tile.rows * tile.columns;
    }
  }

  int32_t* Sums() { return reinterpret_cast<int32_t*>(sums_.data()); }

  const Plan& plan_;
  AlignedWords sums_;
  std::vector<uint8_t> copy_;
  std::vector<float> row_factors_;
  std::vector<int32_t> row_terms_;
  const FixedPoint fixed_point_;
  int64_t repaired_ = 0;
  alignas(64) float column_factors_[kMaxColumns] = {};
};

}  // namespace

TapWords MakeTapWords(const TensorView& w) {
  const auto taps = static_cast<size_t>(w.shape.back());
  size_t rows = 1;  // of taps, of a channel
  for (const int64_t size : w.shape.subspan(2, w.shape.size() - 3)) {
    rows *= static_cast<size_t>(size);
  }
  const size_t quads = QuadsOf(w.shape.back());
  const auto channels = static_cast<size_t>(w.shape[0]);
  TapWords made;
  made.words.resize(channels * rows * quads);
  made.sums.resize(channels);
  const uint8_t flip = w.type == DataType::kUint8 ? 0x80 : 0;
  auto* bytes = reinterpret_cast<uint8_t*>(made.words.data());
  const auto* codes = reinterpret_cast<const uint8_t*>(w.data.data());
  for (size_t channel = 0; channel < channels; ++channel) {
    for (size_t row = 0; row < rows; ++row) {
      for (size_t tap = 0; tap < taps; ++tap) {
        const auto value = static_cast<uint8_t>(*codes++ ^ flip);
        bytes[tap] = value;
        made.sums[channel] += static_cast<int8_t>(value);
      }
      bytes += 4 * quads;
    }
  }
  return made;
}

bool IsDepthwise(const ConvolutionGeometry& geometry) {
  constexpr auto kMostStep = static_cast<int64_t>(kMostDepthwiseStep);
  return geometry.in_channels == 1 && geometry.out_channels <= kMostChannels &&
         geometry.strides.back() <= kMostStep && geometry.dilations.back() <= kMostStep;
}

void ConvolveDepthwise(const ConvolutionGeometry& geometry, const MatMulJob& job,
                       const TensorView& x, const TapWords& weights, int64_t target) {
  const Plan plan(geometry, job, x, weights, target);
  const int64_t products = geometry.images * geometry.groups;
  const double work = static_cast<double>(products * geometry.out_channels) *
                      static_cast<double>(geometry.pixels() * geometry.taps());
  constexpr double kWorthAThread = 1 << 19;
  const auto threads = static_cast<int64_t>(std::clamp(
      work / kWorthAThread, 1.0, static_cast<double>(std::max(job.threads, 1))));
  InTurns(products * plan.blocks, threads, [&](Parts& parts) {
    Worker worker(plan);
    for (int64_t begin, end; parts.Next(&begin, &end);) worker.Convolve(begin, end);
  });
}

}  // namespace qconform::simd
