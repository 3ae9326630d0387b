#include "harness/backends/simd/dequantize_linear/worker.h"

#include <algorithm>
#include <cstring>

#include "harness/backends/simd/core/prefetch.h"
#include "harness/backends/simd/core/stores.h"

namespace qconform::simd::dequantize {
namespace {

// The most scales, and the most elements with a scale each, that are held at once.
constexpr int64_t kWindow = 4096;
// The most elements that go through a buffer at once.
constexpr int64_t kChunk = 4096;
// Shorter runs of one scale, and shorter rows of a vector of scales, get their scales
// laid out element by element together with their neighbours.
constexpr int64_t kShortestRun = 8;
constexpr int64_t kShortestRow = 64;
// The most runs that go through a kernel at once.
constexpr int64_t kRuns = 1024;
// Shorter runs are streamed from a buffer: the lines that are no part of one run alone
// cost more than the way through it. Longer ones are streamed in multiples of so many
// elements: two vectors of any target.
constexpr int64_t kShortestStream = 1 << 15;
constexpr size_t kStreamed = 128;
// Longer runs of one scale are looked up in a table of all codes, if y has 16 bits.
constexpr int64_t kShortestLookUp = 2048;

class Worker {
 public:
  explicit Worker(const Job& job)
      : job_(job), g_(job.geometry), runs_(*job.kernels->runs[Index(job.output)]) {
    if (!job.has_zero_point) std::fill_n(zero_point_, kWindow, 0.0F);
  }

  void Dequantize(int64_t begin, int64_t end) {
    const bool is_row = g_.inner_stride != 0;
    const int64_t run = is_row ? g_.inner : g_.block * g_.inner;
    if (job_.exact || run < (is_row ? kShortestRow : kShortestRun)) {
      return LaidOut(begin, end);
    }
    is_row ? Rows(begin, end) : Runs(begin, end);
  }

 private:
  template <typename E>
  static size_t Index(E value) {
    return static_cast<size_t>(value);
  }

  // Of element `begin`: the index of its scale, and how many elements from there on have
  // the same one or, in rows, the next ones.
  struct Place {
    int64_t scale = 0;
    int64_t left = 0;
    int64_t row = 0;   // outer and axis in one
    int64_t axis = 0;  // within outer
  };
  Place PlaceOf(int64_t begin) const {
    Place place;
    const int64_t inner = begin % g_.inner;
    place.row = begin / g_.inner;
    place.axis = place.row % g_.axis;
    const int64_t block = place.axis / g_.block;
    place.scale = place.row / g_.axis * g_.outer_stride + block * g_.block_stride +
                  inner * g_.inner_stride;
    if (g_.inner_stride != 0) {
      place.left = g_.inner - inner;
    } else {
      const int64_t end = std::min((block + 1) * g_.block, g_.axis);
      place.left = (end - place.axis) * g_.inner - inner;
    }
    return place;
  }

  // Runs of one scale, some at a time.
  void Runs(int64_t begin, int64_t end) {
    const int64_t run = g_.block * g_.inner;
    while (begin < end) {
      const Place place = PlaceOf(begin);
      const int64_t left = std::min(place.left, end - begin);
      int64_t count = 1;
      if (place.left == run && left == run && run <= kChunk) {
        // Whole ones up to the end of the axis; their scales are neighbours.
        count = std::min((g_.axis - place.axis) / g_.block, (end - begin) / run);
        count = std::min(count, job_.stream  ? kChunk / run
                                : IsDirect() ? kRuns
                                             : kChunk / run);
      }
      if (count > 1) {
        LoadScales(place.scale, count);
        Piece(begin, run, count, false);
        begin += run * count;
        continue;
      }
      LoadScales(place.scale, 1);
      if (LooksUp() && left >= kShortestLookUp) {
        LookUp(begin, left);
        begin += left;
        continue;
      }
      const bool is_direct = IsDirect() && (!job_.stream || left > kShortestStream);
      for (int64_t at = begin; at < begin + left;) {
        const int64_t n = is_direct ? left : std::min(begin + left - at, kChunk);
        Piece(at, n, 1, false);
        at += n;
      }
      begin += left;
    }
  }

  bool LooksUp() const {
    return job_.kernels->look_up != nullptr && job_.x_bits <= 8 && job_.y_size == 2 &&
           !job_.exact;
  }

  // The elements [begin, begin + n), which have the loaded scale.
  void LookUp(int64_t begin, int64_t n) {
    // Codes of less than 8 bits are unpacked to the top of bytes, for one index of each.
    const bool few = job_.x_bits < 8;
    alignas(64) uint8_t codes[256];
    alignas(64) uint16_t words[256];
    Run run;
    run.n = few ? 64 : 256;
    for (size_t i = 0; i < run.n; ++i) {
      const auto top = static_cast<uint8_t>(few ? i * 4 : i);
      codes[i] = top;
      if (few && job_.widening == Widening::kZeros) {
        codes[i] = static_cast<uint8_t>(top >> (8 - job_.x_bits));
      }
      if (few && job_.widening == Widening::kSign) {
        codes[i] = static_cast<uint8_t>(static_cast<int8_t>(top) >> (8 - job_.x_bits));
      }
    }
    run.x = reinterpret_cast<const std::byte*>(codes);
    run.y = reinterpret_cast<std::byte*>(words);
    run.scale = scale_;
    run.zero_point = zero_point_;
    run.floats = job_.floats;
    run.values = job_.values;
    runs_.run[Index(Operands::kOne)][Index(job_.codes)](run);
    const int64_t most = few || job_.stream ? kChunk : n;
    for (int64_t at = begin; at < begin + n; at += most) {
      const int64_t count = std::min(most, begin + n - at);
      const auto* from = CodesAt(job_.x, at, count, Widening::kToTop);
      std::byte* const y = job_.y + static_cast<size_t>(at) * 2;
      std::byte* const to =
          job_.stream ? buffer_ + reinterpret_cast<uintptr_t>(y) % kLine : y;
      job_.kernels->look_up(reinterpret_cast<const uint8_t*>(from),
                            static_cast<size_t>(count), words, few, to);
      if (job_.stream) job_.kernels->stream(to, static_cast<size_t>(count) * 2, y);
    }
  }

  // Rows of a vector of scales; a part of the vector is used for all rows that share it.
  void Rows(int64_t begin, int64_t end) {
    while (begin < end) {
      const Place place = PlaceOf(begin);
      const bool is_whole = place.left == g_.inner;
      int64_t rows = 1;
      if (is_whole) {
        const int64_t whole = (end - begin) / g_.inner;
        const bool all = g_.axis == 1 && g_.outer_stride == 0;
        const int64_t alike =
            all ? whole
                : std::min(g_.block - place.axis % g_.block, g_.axis - place.axis);
        rows = std::max<int64_t>(std::min(alike, whole), 1);
      }
      const int64_t length = std::min(place.left, end - begin);
      for (int64_t column = 0; column < length;) {
        const int64_t n = std::min(length - column, IsDirect() ? kWindow : kChunk);
        LoadScales(place.scale + column, n);
        for (int64_t row = 0; row < rows; ++row) {
          Piece(begin + row * g_.inner + column, n, 1, true);
        }
        column += n;
      }
      begin += length + (rows - 1) * g_.inner;
    }
  }

  // A scale for each element, in a buffer.
  void LaidOut(int64_t begin, int64_t end) {
    const bool repeats =
        g_.outer_stride == 0 && g_.axis <= kChunk / 4 && g_.inner <= kChunk / 4 / g_.axis;
    if (g_.scale_count == 1 || repeats) {
      // The pattern of an axis comes again and again.
      const int64_t period = g_.scale_count == 1 ? kChunk : g_.axis * g_.inner;
      const int64_t size = kChunk / period * period;
      LayOut(0, g_.scale_count == 1 ? std::min(kChunk, ElementsOfX()) : period);
      for (int64_t to = period; to < size; to += period) {
        std::copy_n(scale_, period, scale_ + to);
        std::copy_n(zero_point_, period, zero_point_ + to);
      }
      while (begin < end) {
        const int64_t phase = begin % size;
        const int64_t n = std::min(end - begin, size - phase);
        Piece(begin, n, 1, true, phase);
        begin += n;
      }
      return;
    }
    while (begin < end) {
      const int64_t n = std::min(end - begin, kChunk);
      LayOut(begin, n);
      Piece(begin, n, 1, true);
      begin += n;
    }
  }

  int64_t ElementsOfX() const {
    return static_cast<int64_t>(job_.x.data.size()) * 8 / job_.x_bits;
  }

  void LayOut(int64_t begin, int64_t n) {
    for (int64_t i = 0; i < n;) {
      const Place place = PlaceOf(begin + i);
      const int64_t count = std::min(place.left, n - i);
      const int64_t scales = g_.inner_stride != 0 ? count : 1;
      const int64_t at = Available(place.scale, scales);
      if (scales == 1) {
        std::fill_n(scale_ + i, count, window_scale_[at]);
        std::fill_n(zero_point_ + i, count, window_zero_point_[at]);
      } else {
        std::copy_n(window_scale_ + at, count, scale_ + i);
        std::copy_n(window_zero_point_ + at, count, zero_point_ + i);
      }
      i += count;
    }
  }

  // Returns where scales [index, index + n) are in the window, n <= kChunk.
  int64_t Available(int64_t index, int64_t n) {
    if (index < window_begin_ || index + n > window_end_) {
      window_begin_ = index;
      window_end_ = std::min(index + kChunk, g_.scale_count);
      const int64_t count = window_end_ - window_begin_;
      ConvertScales(index, count, window_scale_);
      ConvertZeroPoints(index, count, window_zero_point_);
    }
    return index - window_begin_;
  }

  // Makes scale_ and zero_point_ those of scales [index, index + n).
  void LoadScales(int64_t index, int64_t n) {
    if (index == loaded_ && n == loaded_count_) return;
    loaded_ = index;
    loaded_count_ = n;
    ConvertScales(index, n, scale_);
    if (job_.has_zero_point) ConvertZeroPoints(index, n, zero_point_);
  }

  void ConvertScales(int64_t index, int64_t n, float* out) const {
    const auto size = static_cast<int64_t>(BitWidth(job_.scale.type)) / 8;
    job_.kernels->scales(job_.scale.type, job_.rounds_scale, job_.output,
                         job_.scale.data.data() + index * size, static_cast<size_t>(n),
                         out);
  }

  // Zero points are codes of x: their values are what a scale of 1 makes of them.
  void ConvertZeroPoints(int64_t index, int64_t n, float* out) {
    if (!job_.has_zero_point) {
      std::fill_n(out, n, 0.0F);
      return;
    }
    static constexpr float kOne = 1, kZero = 0;
    const int64_t first = job_.zero_points_vary ? index : 0;
    int64_t count = job_.zero_points_vary ? n : 1;
    Run run;
    run.scale = &kOne;
    run.zero_point = &kZero;
    run.floats = job_.floats;
    run.values = job_.values;
    for (int64_t i = 0; i < count; i += kChunk) {
      run.n = static_cast<size_t>(std::min(count - i, kChunk));
      run.x =
          CodesAt(job_.zero_point, first + i, static_cast<int64_t>(run.n), job_.widening);
      run.y = reinterpret_cast<std::byte*>(out + i);
      job_.kernels->runs[Index(Output::kFloat)]
          ->run[Index(Operands::kOne)][Index(job_.codes)](run);
    }
    if (!job_.zero_points_vary) std::fill_n(out + 1, n - 1, *out);
  }

  // Returns codes [begin, begin + n) of a tensor of x's type, one in each byte or as they
  // are; n <= kChunk if they have less than 8 bits. Valid until the next call.
  const std::byte* CodesAt(const TensorView& tensor, int64_t begin, int64_t n,
                           Widening widening) {
    const std::byte* data = tensor.data.data();
    if (job_.x_bits >= 8) return data + begin * (job_.x_bits / 8);
    const int64_t before = begin % 4;  // four codes are whole bytes
    job_.kernels->unpack(job_.x_bits, widening, data + (begin - before) * job_.x_bits / 8,
                         static_cast<size_t>(n + before), codes_);
    return reinterpret_cast<const std::byte*>(codes_ + before);
  }

  // Whether kernels read x and write y themselves.
  bool IsDirect() const {
    return job_.x_bits >= 8 && !job_.exact && (!job_.stream || StreamsDirectly());
  }
  // Whether kernels stream y, in runs that are long enough. Else it is streamed from a
  // buffer.
  bool StreamsDirectly() const {
    return job_.x_bits >= 8 && job_.output == Output::kFloat && !job_.exact &&
           reinterpret_cast<uintptr_t>(job_.y) % sizeof(float) == 0;
  }

  // `runs` runs of n elements, or n elements by each; their operands are those from
  // `from` on.
  void Piece(int64_t begin, int64_t n, int64_t runs, bool by_each, int64_t from = 0) {
    std::byte* const y = job_.y + static_cast<size_t>(begin) * job_.y_size;
    const auto all = static_cast<size_t>(n * runs);
    Run run;
    run.x = CodesAt(job_.x, begin, n * runs, job_.widening);
    run.y = job_.stream ? buffer_ + reinterpret_cast<uintptr_t>(y) % kLine : y;
    run.n = static_cast<size_t>(n);
    run.runs = static_cast<size_t>(runs);
    run.scale = scale_ + from;
    run.zero_point = zero_point_ + from;
    run.floats = job_.floats;
    run.values = job_.values;
    if (job_.fetch && job_.x_bits >= 8) run.ahead = kAheadShort;
    if (job_.fetch && job_.x_bits < 8) {
      const auto bits = static_cast<size_t>(job_.x_bits);
      WillReadOnce(job_.x.data.data() + static_cast<size_t>(begin) * bits / 8,
                   kAheadShort, all * bits / 8);
    }
    if (job_.exact) {
      std::byte* const to = run.y;
      float* const product =
          job_.output == Output::kFloat ? reinterpret_cast<float*>(to) : product_;
      job_.kernels->multiply_exact(job_.codes, job_.output, job_.rounds_difference, run,
                                   product);
      if (job_.output != Output::kFloat) {
        job_.kernels->narrow(job_.output, product_, all, to);
      }
    } else {
      const Operands operands = !by_each                ? Operands::kOne
                                : job_.zero_points_vary ? Operands::kEach
                                                        : Operands::kEachScale;
      const auto& functions = job_.rounds_difference ? runs_.rounded : runs_.run;
      const RunFunction function = functions[Index(operands)][Index(job_.codes)];
      if (job_.stream && StreamsDirectly() && runs == 1 && n > kShortestStream) {
        return Streamed(function, run, by_each, y);
      }
      function(run);
    }
    if (job_.stream) job_.kernels->stream(run.y, all * job_.y_size, y);
  }

  // One run of FLOATs, of which whole lines are streamed.
  void Streamed(RunFunction function, Run run, bool by_each, std::byte* y) const {
    const size_t all = run.n;
    const auto part = [&](size_t n, bool stream) {
      run.n = n;
      run.y = y;
      run.stream = stream;
      if (n != 0) function(run);
      run.x += n * static_cast<size_t>(job_.x_bits) / 8;
      y += n * sizeof(float);
      if (!by_each) return;
      run.scale += n;
      run.zero_point += n;
    };
    const size_t before = (0 - reinterpret_cast<uintptr_t>(y)) % kLine / sizeof(float);
    part(before, false);
    part((all - before) / kStreamed * kStreamed, true);
    part((all - before) % kStreamed, false);
  }

  const Job& job_;
  const Geometry& g_;
  const RunTable& runs_;
  int64_t loaded_ = -1;
  int64_t loaded_count_ = 0;
  int64_t window_begin_ = 0;
  int64_t window_end_ = 0;
  alignas(64) float scale_[kWindow];
  alignas(64) float zero_point_[kWindow];
  alignas(64) float window_scale_[kChunk];
  alignas(64) float window_zero_point_[kChunk];
  alignas(64) float product_[kChunk];
  alignas(64) std::byte buffer_[kChunk * sizeof(float) + kLine];
  alignas(64) uint8_t codes_[kChunk + 512];  // unpacking writes whole vectors
};

bool AllZero(const TensorView& tensor) {
  return std::ranges::all_of(tensor.data,
                             [](std::byte byte) { return byte == std::byte{0}; });
}

}  // namespace

Job MakeJob(const DequantizeLinearArgs& args, std::byte* y, const Kernels& kernels,
            const Geometry& geometry, Stores stores) {
  Job job;
  job.kernels = &kernels;
  job.geometry = geometry;
  job.x = args.x;
  job.scale = args.x_scale;
  job.y = y;
  job.x_bits = BitWidth(args.x.type);
  job.y_size = static_cast<size_t>(BitWidth(args.output_dtype)) / 8;
  // A zero point of +0 is as good as none; that of -0 makes +0 of -0.
  if (args.x_zero_point && !AllZero(*args.x_zero_point)) {
    job.zero_point = *args.x_zero_point;
    job.has_zero_point = true;
    job.zero_points_vary = ElementCount(args.x_zero_point->shape).value_or(1) != 1;
  }
  job.output = args.output_dtype == DataType::kFloat     ? Output::kFloat
               : args.output_dtype == DataType::kFloat16 ? Output::kFloat16
                                                         : Output::kBfloat16;
  const bool is_signed = FormatOf(args.x.type).is_signed;
  const bool is_float = !IsInteger(args.x.type);
  if (is_float) {
    job.codes = job.x_bits == 8 ? Codes::kFloat : Codes::kFloat6;
    job.floats = SmallFloatOf(args.x.type);
    job.widening = Widening::kToTop;
  } else if (job.x_bits == 32) {
    job.codes = Codes::kInt32;
  } else if (job.x_bits == 16) {
    job.codes = is_signed ? Codes::kInt16 : Codes::kUint16;
  } else {
    job.codes = is_signed ? Codes::kInt8 : Codes::kUint8;
    job.widening = is_signed ? Widening::kSign : Widening::kZeros;
  }

  // Which products FLOAT does not hold. A power of two leaves the bits as they are.
  const bool to_float = job.output == Output::kFloat;
  const bool by_power = args.x_scale.type == DataType::kFloat8E8M0;
  const bool converts = args.converts_operands && job.x_bits != 32;
  job.rounds_scale = converts;
  if (is_float) {
    // E5M2's differences have up to 34 bits, E4M3's 18.
    const bool is_wide = FormatOf(args.x.type).exponent_bits == 5 || !to_float;
    job.exact = job.has_zero_point && is_wide;
    job.rounds_difference = converts && job.exact;
  } else if (job.x_bits == 32) {
    job.exact = !to_float && !by_power;
  } else if (job.x_bits == 16 && !to_float) {
    job.rounds_difference = converts;
    job.exact = !converts && !by_power;
  }

  if (job.x_bits <= 4 && !job.exact && kernels.look_up != nullptr) {
    job.codes = Codes::kFour;
    job.widening = Widening::kZeros;
    job.values = ValuesOfFour(args.x.type);
  }

  if (stores == Stores::kBySize) {
    const auto elements = job.x.data.size() * 8 / static_cast<size_t>(job.x_bits);
    stores = StoresFor(job.x.data.size() + elements * job.y_size);
  }
  job.fetch = stores != Stores::kCached;
  job.stream = stores == Stores::kStreamed;
  return job;
}

void DequantizeRange(const Job& job, int64_t begin, int64_t end) {
  Worker(job).Dequantize(begin, end);
  if (job.stream) job.kernels->flush();
}

}  // namespace qconform::simd::dequantize
