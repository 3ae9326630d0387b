#include "harness/backends/simd/convolution/depthwise.h"

#include <algorithm>
#include <cstring>

#include "harness/backends/simd/core/parallel.h"
#include "harness/backends/simd/matmul/codes.h"
#include "harness/backends/simd/matmul/panels.h"

namespace qconform::simd {
namespace {

// A panel's rows are taken by this many channels of y at most: a tile of the general way
// has a few rows more.
constexpr int64_t kMostChannels = 2;
// Channels of x that a thread takes at once, for one choice of pixels.
constexpr int64_t kChannelsPerUnit = 16;

class Worker {
 public:
  Worker(const ConvolutionGeometry& geometry, const MatMulJob& job, const Rows& rows,
         const ConvolutionKernels& kernels, const CodePlan& codes, PanelMaker maker)
      : g_(geometry),
        job_(job),
        rows_(rows),
        kernels_(kernels),
        codes_(codes),
        maker_(std::move(maker)),
        steps_(rows.products.StepsOf(job.shape.k)),
        words_(steps_ * rows.products.columns),
        fixed_point_(codes.multiplier, static_cast<int32_t>(codes.zero_point),
                     codes.smallest) {
    if (codes.path != CodePath::kSums) {
      FillColumnFactors(codes, 0, kMaxColumns, column_factors_);
    }
  }
  ~Worker() { job_.repaired += repaired_; }

  // A panel of each of the products [begin, end).
  void Convolve(size_t column, size_t valid, size_t width, int64_t begin, int64_t end) {
    maker_.Choose(column, valid, width);
    for (int64_t product = begin; product < end; ++product) {
      maker_.LayOut(product, words_.data());
      const int64_t first = product % g_.groups * g_.out_channels;
      for (int64_t i = 0; i < g_.out_channels; ++i) {
        Multiply(first + i, width);
        Write(
            first + i, valid,
            (product * g_.out_channels + i) * g_.pixels() + static_cast<int64_t>(column));
      }
    }
  }

 private:
  // The sums of a channel of y: sum a b - za (sum b) - zb (sum a) + K za zb + bias.
  void Multiply(int64_t channel, size_t width) {
    const auto row = static_cast<size_t>(channel);
    const Products& products = rows_.products;
    const auto value = [](DataType type, uint8_t code) {
      return type == DataType::kInt8 ? static_cast<int8_t>(code) : int32_t{code};
    };
    const int32_t za = value(job_.a.type, ParameterAt(job_.a_zero_point, channel)) +
                       products.AOffset(job_.a.type);
    const int32_t zb =
        value(job_.b.type, job_.b_zero_point[0]) + products.BOffset(job_.b.type);
    const uint32_t term =
        static_cast<uint32_t>(job_.shape.k) * static_cast<uint32_t>(za) - rows_.sums[row];
    const uint32_t bias = job_.bias.empty() ? 0 : static_cast<uint32_t>(job_.bias[row]);
    kernels_.multiply_row[static_cast<int>(products.form)](
        {.a = rows_.words.data() + row * rows_.stride,
         .b = words_.data(),
         .width = width,
         .steps = steps_,
         .init = static_cast<int32_t>(term * static_cast<uint32_t>(zb) + bias),
         .sum_factor = -za,
         .c = sums_});
  }

  // To y from element `at` on.
  void Write(int64_t channel, size_t valid, int64_t at) {
    if (codes_.path == CodePath::kSums) {
      std::memcpy(job_.y + at * static_cast<int64_t>(sizeof(int32_t)), sums_,
                  valid * sizeof(int32_t));
      return;
    }
    auto* y = reinterpret_cast<uint8_t*>(job_.y) + at;
    const Repairs repairs = {&codes_, channel, 0, &repaired_};
    if (codes_.path != CodePath::kFused) {
      WriteCodes(codes_, repairs, 0, 0, valid, sums_, column_factors_, y);
      return;
    }
    constexpr int32_t kNothing = 0;
    const float row_factor = codes_.multiplier == Multiplier::kRowAndColumn
                                 ? RowFactor(codes_, channel)
                                 : 1.0F;
    codes_.kernels->requantize[static_cast<int>(Correction::kSums)][static_cast<int>(
        codes_.multiplier)]({.c = sums_,
                             .rows = 1,
                             .columns = valid,
                             .row_term = &kNothing,
                             .row_factor = &row_factor,
                             .column_factor = column_factors_,
                             .zero_point = static_cast<int32_t>(codes_.zero_point),
                             .fixed_point = fixed_point_,
                             .y = y,
                             .y_stride = kMaxColumns,
                             .repairs = &repairs});
  }

  const ConvolutionGeometry& g_;
  const MatMulJob& job_;
  const Rows& rows_;
  const ConvolutionKernels& kernels_;
  const CodePlan& codes_;
  PanelMaker maker_;
  const size_t steps_;
  AlignedWords words_;
  const FixedPoint fixed_point_;
  int64_t repaired_ = 0;
  alignas(64) int32_t sums_[kMaxColumns] = {};
  alignas(64) float column_factors_[kMaxColumns] = {};
};

}  // namespace

bool IsDepthwise(const ConvolutionGeometry& geometry) {
  return geometry.in_channels == 1 && geometry.out_channels <= kMostChannels;
}

void ConvolveDepthwise(const ConvolutionGeometry& geometry, const MatMulJob& job,
                       const Rows& rows, const ConvolutionKernels& kernels,
                       const std::function<PanelMaker()>& new_maker) {
  const Panels form =
      FormOfPanels(job.b.type, 1, job.shape.k, job.shape.n, rows.products);
  const CodePlan codes(job, rows.products.kernels->target);
  const int64_t products = job.shape.b_matrices;
  const int64_t parts = (products + kChannelsPerUnit - 1) / kChannelsPerUnit;
  const auto panels = static_cast<int64_t>(form.count);
  const double work = static_cast<double>(products * geometry.out_channels) *
                      static_cast<double>(job.shape.n * job.shape.k);
  constexpr double kWorthAThread = 1 << 19;
  const auto threads = static_cast<int64_t>(std::clamp(
      work / kWorthAThread, 1.0, static_cast<double>(std::max(job.threads, 1))));
  InTurns(panels * parts, threads, [&](Parts& turns) {
    Worker worker(geometry, job, rows, kernels, codes, new_maker());
    for (int64_t begin, end; turns.Next(&begin, &end);) {
      while (begin < end) {
        const int64_t panel = begin / parts;
        const int64_t part_end = std::min(end - panel * parts, parts);
        const size_t column = static_cast<size_t>(panel) * rows.products.columns;
        const size_t width = form.WidthOf(static_cast<size_t>(panel));
        worker.Convolve(column, std::min(width, static_cast<size_t>(form.n) - column),
                        width, begin % parts * kChannelsPerUnit,
                        std::min(part_end * kChannelsPerUnit, products));
        begin = panel * parts + part_end;
      }
    }
  });
}

}  // namespace qconform::simd
