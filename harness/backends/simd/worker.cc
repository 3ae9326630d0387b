#include "harness/backends/simd/worker.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "harness/backends/simd/fp_environment.h"
#include "harness/backends/simd/zero_points.h"

namespace qconform::simd {
namespace {

template <typename Work, typename Zero>
class Worker {
 public:
  explicit Worker(const Job& job)
      : job_(job), k_(*job.scales.kernels), feed_(job.scales) {}

  void Quantize(int64_t begin, int64_t end) {
    if (job_.y_bits >= 8) {
      WorksInPanels() ? QuantizePanels(begin, end) : QuantizeSpan(begin, end);
      return;
    }
    feed_.Seek(begin);
    for (int64_t chunk = begin; chunk < end; chunk += kCodeChunk) {
      const int64_t chunk_end = std::min(chunk + kCodeChunk, end);
      QuantizeTo(chunk, chunk_end, reinterpret_cast<std::byte*>(codes_));
      k_.pack(job_.y_bits, codes_, static_cast<size_t>(chunk_end - chunk),
              reinterpret_cast<uint8_t*>(job_.y) + chunk * job_.y_bits / 8);
    }
  }

 private:
  using Piece = ScalePiece<Work, Zero>;
  static constexpr int64_t kPanel = 1024;
  static_assert(kPanel <= static_cast<int64_t>(kChunk));

  // Writes one code of 1 or 2 bytes for each element.
  void QuantizeTo(int64_t begin, int64_t end, std::byte* out) {
    const int64_t code_bytes = job_.y_bits == 16 ? 2 : 1;
    for (int64_t at = begin; at < end;) {
      const auto left = static_cast<size_t>(end - at);
      const Piece piece = feed_.Next(IsDirect() ? left : std::min(left, kChunk));
      QuantizePiece(at, piece, out + (at - begin) * code_bytes);
      at += static_cast<int64_t>(piece.n);
    }
  }

  // Elements [begin, end) in their order; codes of 8 or 16 bits.
  void QuantizeSpan(int64_t begin, int64_t end) {
    if (begin == end) return;
    feed_.Seek(begin);
    QuantizeTo(begin, end, job_.y + begin * (job_.y_bits / 8));
  }

  // Long rows whose scales the next rows share: a part of them stays in L1 while it
  // is used.
  bool WorksInPanels() const {
    const Geometry& g = job_.scales.geometry;
    return IsDirect() && g.inner_stride == 1 && g.inner > kPanel;
  }
  void QuantizePanels(int64_t begin, int64_t end);

  // The kernels take x as it lies: no buffer, and no chunks in a long run.
  bool IsDirect() const {
    return std::is_same_v<Work, float> && job_.x.type == TypeOfX(job_.division) &&
           !job_.add_zero_point;
  }

  const std::byte* XAt(int64_t index) const {
    return job_.x.data.data() + index * (BitWidth(job_.x.type) / 8);
  }

  Run MakeRun(const Piece& piece, std::byte* out) const {
    Run run;
    run.n = piece.n;
    run.block_shift = piece.block_shift;
    run.out = out;
    run.integers = job_.format.integers;
    run.floats = job_.format.floats;
    if constexpr (std::is_same_v<Work, float>) run.scale = piece.scale;
    if constexpr (std::is_same_v<Zero, int32_t>) run.offset = piece.zero_point;
    return run;
  }

  void QuantizePiece(int64_t at, const Piece& piece, std::byte* out);
  // Adds the zero point of a float target to quotient_, and writes codes.
  void EncodeQuotients(const Piece& piece, Run& run, std::byte* out);
  // Returns the piece's zero points, one for each element.
  const float* SpreadZeroPoints(const Piece& piece);

  const Job& job_;
  const Kernels& k_;
  ScaleFeed<Work, Zero> feed_;
  alignas(64) Work x_[kChunk];
  alignas(64) Work scale_[std::is_same_v<Work, double> ? kChunk : 1];
  alignas(64) float quotient_[kChunk];
  alignas(64) float zero_point_[kChunk];
  alignas(64) uint8_t codes_[kCodeChunk];
};

template <typename Work, typename Zero>
void Worker<Work, Zero>::QuantizePanels(int64_t begin, int64_t end) {
  const Geometry& g = job_.scales.geometry;
  const int64_t code_bytes = job_.y_bits / 8;
  int64_t row = (begin + g.inner - 1) / g.inner;
  const int64_t row_end = end / g.inner;
  if (row >= row_end) return QuantizeSpan(begin, end);  // no whole row
  QuantizeSpan(begin, row * g.inner);
  while (row < row_end) {
    // The next rows with the same scales.
    const int64_t at_axis = row % g.axis;
    const bool all = g.outer_stride == 0 && g.axis <= g.block;
    const int64_t same =
        all ? row_end - row : std::min(g.block - at_axis % g.block, g.axis - at_axis);
    const int64_t last = std::min(row + same, row_end);
    if (last == row + 1) QuantizeSpan(row * g.inner, last * g.inner);
    for (int64_t column = 0; last > row + 1 && column < g.inner; column += kPanel) {
      const int64_t first = row * g.inner + column;
      const auto n = static_cast<size_t>(std::min(kPanel, g.inner - column));
      feed_.Seek(first);
      const Piece piece = feed_.Next(n);
      for (int64_t r = row; r < last; ++r) {
        const int64_t at = first + (r - row) * g.inner;
        QuantizePiece(at, piece, job_.y + at * code_bytes);
      }
    }
    row = last;
  }
  QuantizeSpan(row_end * g.inner, end);
}

template <typename Work, typename Zero>
const float* Worker<Work, Zero>::SpreadZeroPoints(const Piece& piece) {
  if constexpr (std::is_same_v<Zero, float>) {
    if (piece.operands == Operands::kVectors) return piece.zero_point;
    std::fill_n(zero_point_, piece.n, *piece.zero_point);
  }
  return zero_point_;
}

template <typename Work, typename Zero>
void Worker<Work, Zero>::QuantizePiece(int64_t at, const Piece& piece, std::byte* out) {
  Run run = MakeRun(piece, out);
  const Sink sink = job_.format.sink;
  if constexpr (std::is_same_v<Work, float>) {
    const DataType type = TypeOfX(job_.division);
    run.x = XAt(at);
    if (job_.x.type != type) {
      k_.convert(job_.x.type, XAt(at), piece.n, type, x_);
      run.x = x_;
    }
    if constexpr (std::is_same_v<Zero, int32_t>) {
      Division division = job_.division;
      if (piece.reciprocal != nullptr) {
        division = ReciprocalOf(division);
        run.reciprocal = piece.reciprocal;
        run.reciprocal_low = piece.reciprocal_low;
      }
      // Float targets have no zero points here.
      const bool scales_alone =
          job_.format.is_float && piece.operands == Operands::kVectors;
      k_.Function(division, scales_alone ? Operands::kVectorScale : piece.operands,
                  sink)(run);
    } else {
      run.out = quotient_;
      const bool uniform = piece.operands == Operands::kUniform;
      k_.Function(job_.division, uniform ? Operands::kUniform : Operands::kVectorScale,
                  Sink::kQuotient)(run);
      k_.add_zero_point(SpreadZeroPoints(piece), piece.n, quotient_);
      run.x = quotient_;
      run.out = out;
      k_.Function(Division::kDone, Operands::kUniform, sink)(run);
    }
  } else {
    const bool uniform = piece.operands == Operands::kUniform;
    // Not for float targets: a zero's sign would be lost.
    if (uniform && !job_.format.is_float && std::isnormal(*piece.scale)) {
      k_.divide_by_one(job_.x.type, XAt(at), *piece.scale, piece.n, quotient_);
    } else {
      k_.to_double(job_.x.type, XAt(at), piece.n, x_);
      const double* scale = piece.scale;
      if (uniform) {
        std::fill_n(scale_, piece.n, *piece.scale);
        scale = scale_;
      }
      const float* zero_point =
          job_.sum == ZeroPointSum::kNone ? nullptr : SpreadZeroPoints(piece);
      k_.divide_double(job_.sum, x_, scale, zero_point, piece.n, quotient_);
    }
    run.x = quotient_;
    const bool vectors = piece.operands == Operands::kVectors && !job_.format.is_float;
    k_.Function(Division::kDone, vectors ? Operands::kVectors : Operands::kUniform,
                sink)(run);
  }
}

}  // namespace

Job MakeJob(const QuantizeLinearArgs& args, std::byte* y, const Kernels& kernels,
            const Geometry& geometry) {
  Job job;
  job.x = args.x;
  job.y = y;
  job.y_bits = BitWidth(args.output_dtype);
  job.format = *FormatOfTarget(args.output_dtype, args.saturate);
  job.scales.kernels = &kernels;
  job.scales.geometry = geometry;
  job.scales.scale = args.y_scale;
  job.scales.min = job.format.integers.min;
  job.scales.precision = args.division_precision;
  switch (args.division_precision) {
    case DataType::kFloat16:
      job.division = Division::kFloat16;
      break;
    case DataType::kBfloat16:
      job.division = Division::kBfloat16;
      break;
    case DataType::kFloat:
      break;
    default:
      job.double_quotient = true;
  }
  // Zero points that are all zero are as good as none (QL-20a).
  if (args.y_zero_point && !AllZero(*args.y_zero_point)) {
    job.scales.zero_point = *args.y_zero_point;
    job.scales.zero_point_count = *ElementCount(args.y_zero_point->shape);
    job.add_zero_point = job.format.is_float;
  }
  if (job.double_quotient && job.add_zero_point) {
    job.sum = args.division_precision == DataType::kDouble
                  ? ZeroPointSum::kRoundedQuotient
                  : ZeroPointSum::kExactQuotient;
  }
  job.scales.blocks = !job.double_quotient && !job.add_zero_point;
  const RunFunction reciprocal =
      kernels.Function(ReciprocalOf(job.division), Operands::kUniform, job.format.sink);
  job.scales.reciprocals = job.scales.blocks && reciprocal != nullptr;
  const std::optional<int64_t> elements = ElementCount(args.x.shape);
  job.scales.uses = elements.value_or(0) / std::max<int64_t>(geometry.scale_count, 1);
  return job;
}

void QuantizeRange(const Job& job, int64_t begin, int64_t end) {
  const DefaultFpEnvironment environment;
  if (job.double_quotient) {
    job.add_zero_point ? Worker<double, float>(job).Quantize(begin, end)
                       : Worker<double, int32_t>(job).Quantize(begin, end);
  } else {
    job.add_zero_point ? Worker<float, float>(job).Quantize(begin, end)
                       : Worker<float, int32_t>(job).Quantize(begin, end);
  }
}

}  // namespace qconform::simd
