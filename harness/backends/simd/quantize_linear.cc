#include "harness/backends/simd/quantize_linear.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <thread>
#include <vector>

#include "harness/backends/simd/fp_environment.h"
#include "harness/backends/simd/geometry.h"
#include "harness/backends/simd/kernels.h"
#include "harness/backends/simd/scale_feed.h"
#include "harness/backends/simd/target_format.h"
#include "harness/backends/simd/targets.h"
#include "harness/backends/simd/zero_points.h"

namespace qconform::simd {
namespace {

constexpr int64_t kStep = kChunk;

// All that the threads of one call share.
struct Job {
  ScaleSource scales;
  TensorView x;
  std::byte* y = nullptr;
  int y_bits = 8;
  TargetFormat format;
  bool double_quotient = false;
  // A zero point of a float target is added to the quotient.
  bool add_zero_point = false;
  ZeroPointSum sum = ZeroPointSum::kNone;  // of DOUBLE quotients
};

// Quantizes parts of x on one thread.
template <typename Work>
class Worker {
 public:
  explicit Worker(const Job& job) : job_(job), feed_(job.scales) {}

  // Quantizes elements [begin, end). Precondition: begin is a multiple of 4.
  void Quantize(int64_t begin, int64_t end) {
    if (job_.y_bits >= 8) {
      QuantizeTo(begin, end, job_.y + begin * (job_.y_bits / 8));
      return;
    }
    for (int64_t chunk = begin; chunk < end; chunk += kStep) {
      const int64_t chunk_end = std::min(chunk + kStep, end);
      QuantizeTo(chunk, chunk_end, reinterpret_cast<std::byte*>(codes_));
      job_.scales.kernels->pack(
          job_.y_bits, codes_, static_cast<size_t>(chunk_end - chunk),
          reinterpret_cast<uint8_t*>(job_.y) + chunk * job_.y_bits / 8);
    }
  }

 private:
  using Piece = typename ScaleFeed<Work>::Piece;

  // Writes one code of 1 or 2 bytes for each element.
  void QuantizeTo(int64_t begin, int64_t end, std::byte* out) {
    const int64_t code_bytes = job_.y_bits == 16 ? 2 : 1;
    for (int64_t at = begin; at < end;) {
      // x as it lies needs no buffer, and a long run no chunks.
      const auto left = static_cast<size_t>(end - at);
      const Piece piece = feed_.Next(at, IsDirect() ? left : std::min(left, kChunk));
      QuantizePiece(at, piece, out + (at - begin) * code_bytes);
      at += static_cast<int64_t>(piece.n);
    }
  }

  bool IsDirect() const {
    return std::is_same_v<Work, float> && job_.x.type == DataType::kFloat &&
           job_.scales.precision == Precision::kFloat && !job_.add_zero_point;
  }

  const std::byte* XAt(int64_t index) const {
    return job_.x.data.data() + index * (BitWidth(job_.x.type) / 8);
  }

  Run MakeRun(const Piece& piece, std::byte* out) const {
    Run run;
    run.zero_point = piece.zero_point;
    run.n = piece.n;
    run.out = out;
    run.integers = job_.format.integers;
    run.floats = job_.format.floats;
    return run;
  }

  void QuantizePiece(int64_t at, const Piece& piece, std::byte* out);

  const Job& job_;
  ScaleFeed<Work> feed_;
  alignas(64) Work x_[kChunk];
  alignas(64) Work scale_[std::is_same_v<Work, double> ? kChunk : 1];
  alignas(64) float quotient_[kChunk];
  alignas(64) float zero_point_[kChunk];
  alignas(64) uint8_t codes_[kChunk];
};

template <>
void Worker<float>::QuantizePiece(int64_t at, const Piece& piece, std::byte* out) {
  const Kernels& k = *job_.scales.kernels;
  Run run = MakeRun(piece, out);
  run.scale = piece.scale;
  if (job_.x.type == DataType::kFloat && job_.scales.precision == Precision::kFloat) {
    run.x = reinterpret_cast<const float*>(XAt(at));
  } else {
    k.to_precision(job_.x.type, job_.scales.precision, XAt(at), piece.n, x_);
    run.x = x_;
  }
  const auto& divide =
      k.run[static_cast<int>(job_.scales.precision)][static_cast<int>(piece.operands)];
  if (!job_.add_zero_point) {
    divide[static_cast<int>(job_.format.sink)](run);
    return;
  }
  run.out = quotient_;
  divide[static_cast<int>(Sink::kQuotient)](run);
  const float* zero_point = piece.zero_point;
  if (piece.operands != Operands::kBothVary) {
    std::fill_n(zero_point_, piece.n, *piece.zero_point);
    zero_point = zero_point_;
  }
  k.add_zero_point(zero_point, piece.n, quotient_);
  run.x = quotient_;
  run.out = out;
  k.encode[0][static_cast<int>(job_.format.sink)](run);
}

template <>
void Worker<double>::QuantizePiece(int64_t at, const Piece& piece, std::byte* out) {
  const Kernels& k = *job_.scales.kernels;
  k.to_double(job_.x.type, XAt(at), piece.n, x_);
  const double* scale = piece.scale;
  if (piece.operands == Operands::kBothUniform) {
    std::fill_n(scale_, piece.n, *piece.scale);
    scale = scale_;
  }
  const bool varies = piece.operands == Operands::kBothVary;
  const float* zero_point = piece.zero_point;
  if (job_.add_zero_point && !varies) {
    std::fill_n(zero_point_, piece.n, *piece.zero_point);
    zero_point = zero_point_;
  }
  k.divide_double(job_.sum, x_, scale, zero_point, piece.n, quotient_);
  Run run = MakeRun(piece, out);
  run.x = quotient_;
  k.encode[static_cast<int>(varies ? Operands::kBothVary : Operands::kBothUniform)]
          [static_cast<int>(job_.format.sink)](run);
}

void QuantizeRange(const Job& job, int64_t begin, int64_t end) {
  const DefaultFpEnvironment environment;
  if (job.double_quotient) {
    Worker<double>(job).Quantize(begin, end);
  } else {
    Worker<float>(job).Quantize(begin, end);
  }
}

// Splits [0, n) at multiples of kChunk: no byte of y belongs to two threads.
void QuantizeAll(const Job& job, int64_t n, int threads) {
  constexpr int64_t kWorthAThread = 16 * kStep;
  const int64_t parts = std::clamp<int64_t>(n / kWorthAThread, 1, std::max(threads, 1));
  const int64_t chunks = (n + kStep - 1) / kStep;
  const auto bound = [&](int64_t part) {
    return (chunks / parts * part + std::min(part, chunks % parts)) * kStep;
  };
  std::vector<std::thread> others;
  for (int64_t part = 1; part < parts; ++part) {
    others.emplace_back(QuantizeRange, std::cref(job), bound(part),
                        std::min(bound(part + 1), n));
  }
  QuantizeRange(job, 0, std::min(bound(1), n));
  for (std::thread& thread : others) thread.join();
}

Status CheckTensor(std::string_view what, const TensorView& tensor) {
  const std::optional<int64_t> n = ElementCount(tensor.shape);
  if (!n || tensor.data.size() != PackedByteSize(tensor.type, *n)) {
    return Error{std::string(what) + " of type " +
                 std::string(DataTypeName(tensor.type)) + " and shape " +
                 ShapeToString(tensor.shape) + " has " +
                 std::to_string(tensor.data.size()) + " bytes"};
  }
  return Ok();
}

bool IsXType(DataType type) {
  return type == DataType::kFloat || type == DataType::kFloat16 ||
         type == DataType::kBfloat16 || type == DataType::kInt32;
}

Status CheckArgs(const QuantizeLinearArgs& args, const MutableTensorView& y) {
  if (!IsXType(args.x.type)) {
    return Error{"x of type " + std::string(DataTypeName(args.x.type)) +
                 ": FLOAT, FLOAT16, BFLOAT16 or INT32 is needed"};
  }
  if (!IsXType(args.y_scale.type) && args.y_scale.type != DataType::kFloat8E8M0) {
    return Error{"y_scale of type " + std::string(DataTypeName(args.y_scale.type)) +
                 ": FLOAT, FLOAT16, BFLOAT16, INT32 or FLOAT8E8M0 is needed"};
  }
  if (!FormatOfTarget(args.output_dtype, args.saturate)) {
    return Error{"y of type " + std::string(DataTypeName(args.output_dtype)) +
                 " is no target of QuantizeLinear"};
  }
  if (y.type != args.output_dtype || !std::ranges::equal(y.shape, args.x.shape)) {
    return Error{"y must be of type " + std::string(DataTypeName(args.output_dtype)) +
                 " and shape " + ShapeToString(args.x.shape)};
  }
  for (const Status& status :
       {CheckTensor("x", args.x), CheckTensor("y_scale", args.y_scale),
        CheckTensor("y", {y.type, y.shape, y.data})}) {
    if (!status) return status;
  }
  if (args.y_zero_point) {
    const TensorView& zero_point = *args.y_zero_point;
    if (Status status = CheckTensor("y_zero_point", zero_point); !status) return status;
    const int64_t count = *ElementCount(zero_point.shape);
    if (zero_point.type != args.output_dtype ||
        (count != 1 && !std::ranges::equal(zero_point.shape, args.y_scale.shape))) {
      return Error{"y_zero_point must be of type " +
                   std::string(DataTypeName(args.output_dtype)) + " and shape " +
                   ShapeToString(args.y_scale.shape)};
    }
  }
  switch (args.division_precision) {
    case DataType::kFloat:
    case DataType::kFloat16:
    case DataType::kBfloat16:
    case DataType::kDouble:
      return Ok();
    case DataType::kUndefined:
      if (args.y_scale.type == DataType::kInt32) return Ok();
      return Error{"an exact quotient needs an INT32 y_scale"};
    default:
      return Error{"no division in " +
                   std::string(DataTypeName(args.division_precision))};
  }
}

}  // namespace

Status QuantizeLinear(const QuantizeLinearArgs& args, const MutableTensorView& y,
                      const Options& options) {
  const Result<Target> target = FindTarget(options.target);
  if (!target) return target.error();
  if (Status status = CheckArgs(args, y); !status) return status;
  const int64_t n = *ElementCount(args.x.shape);
  if (n == 0) return Ok();
  const Result<Geometry> geometry = MakeGeometry(args);
  if (!geometry) return geometry.error();

  Job job;
  job.x = args.x;
  job.y = y.data.data();
  job.y_bits = BitWidth(args.output_dtype);
  job.format = *FormatOfTarget(args.output_dtype, args.saturate);
  job.scales.kernels = KernelsOf(target->bit);
  job.scales.geometry = *geometry;
  job.scales.scale = args.y_scale;
  switch (args.division_precision) {
    case DataType::kFloat16:
      job.scales.precision = Precision::kFloat16;
      break;
    case DataType::kBfloat16:
      job.scales.precision = Precision::kBfloat16;
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
    job.add_zero_point = IsFloatingPoint(args.output_dtype);
  }
  if (job.double_quotient && job.add_zero_point) {
    job.sum = args.division_precision == DataType::kDouble
                  ? ZeroPointSum::kRoundedQuotient
                  : ZeroPointSum::kExactQuotient;
  }
  QuantizeAll(job, n, options.threads);
  return Ok();
}

}  // namespace qconform::simd
