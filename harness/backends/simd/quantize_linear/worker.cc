#include "harness/backends/simd/quantize_linear/worker.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <numeric>
#include <type_traits>

#include "harness/backends/simd/core/prefetch.h"
#include "harness/backends/simd/quantize_linear/scales/scale_feed.h"

namespace qconform::simd {
namespace {

// How rows that share operands are quantized: in panels, the operands of which are made
// once, and this many rows at a time, which share operands in a kernel's registers.
struct RowPlan {
  int64_t panel = 0;    // elements of a row
  int64_t at_once = 1;  // rows
};
// So few rows go through a kernel at once, but for pairs. x that is fetched ahead, and
// codes that are packed later, leave room in L1 for no more; a kernel that waits for
// fetched x is faster by more rows all the same.
constexpr int64_t kFewestRows = 4;
constexpr int64_t kAwaitedRows = 8;
constexpr int64_t kMostRows = 32;
constexpr int64_t kElementsOfRows = 24 << 10;
// Two rows at a time, in short panels, the operands of which stay in L1: where x is read
// faster than codes are made, the order in which it is read counts for more.
constexpr int64_t kPairPanel = kWindowInCache;
// One row at a time in parts of this many bytes of x. CPUs fetch ahead from row to row,
// too, also for stores (Zen 5): where several rows take turns, a row or two beyond the
// part and before it are taken from the thread that writes them. Larger parts lose less
// by that than by operands that are read for each row.
constexpr int64_t kPartOfLoneRows = 1 << 19;
// So many bytes at either edge of such a part's y another core has taken since the last
// call, all the same: they are under way before they are needed. (16 lines were measured
// to be as good as 64.)
constexpr size_t kEdge = 16 * kLine;

template <typename Work, typename Zero>
class Worker {
 public:
  explicit Worker(const Job& job)
      : job_(job), k_(*job.scales.kernels), feed_(job.scales) {}

  void Quantize(int64_t begin, int64_t end) {
    elements_ = end - begin;
    if (HasNeighbours()) FetchEdges(begin, end);
    if (!QuantizePacked(begin, end)) {
      HasRows() ? QuantizeRows(begin, end) : QuantizeSpan(begin, end);
    }
    if (job_.stream) k_.flush();
  }

 private:
  using Piece = ScalePiece<Work, Zero>;
  // Some rows with the same operands; one is a run.
  struct Rows {
    int64_t count = 1;
    int64_t at_once = 1;   // this many take turns
    int pack_shift = 0;    // Run's
    int64_t x_stride = 0;  // elements from one to the next
    int64_t out_stride = 0;
    int64_t x_next = 0;  // elements from the first one to the next part
  };
  static_assert(static_cast<int64_t>(kChunk) <= kCodeChunk);

  int64_t YBytes(int64_t elements) const { return elements * job_.y_bits / 8; }
  bool IsPacked() const { return job_.y_bits < 8; }
  bool IsWholeBytes(int64_t elements) const { return elements * job_.y_bits % 8 == 0; }
  // The fewest codes of packed y that are whole bytes: one byte, or three of 6 bits.
  int64_t GroupOfCodes() const { return 8 / std::gcd(job_.y_bits, 8); }
  // Codes of elements from `at` on. Other elements' codes stay where they share a byte
  // with the first ones or the last ones.
  void Pack(const uint8_t* codes, int64_t n, int64_t at) {
    const int64_t group = GroupOfCodes();
    const int64_t first = std::min(n, (group - at % group) % group);
    const int64_t last = (n - first) % group;
    const int64_t whole = n - first - last;
    PutCodes(codes, first, at);
    k_.pack(job_.y_bits, codes + first, static_cast<size_t>(whole),
            reinterpret_cast<uint8_t*>(job_.y) + YBytes(at + first));
    PutCodes(codes + n - last, last, at + n - last);
  }
  // n codes of one group: they and what else is in their bytes have 32 bits at most.
  void PutCodes(const uint8_t* codes, int64_t n, int64_t at) const {
    if (n == 0) return;
    const int bits = job_.y_bits;
    const auto first = static_cast<int>(at * bits % 8);
    auto end = first;
    uint32_t values = 0;
    for (int64_t i = 0; i < n; ++i, end += bits) {
      values |= (codes[i] & ((1u << bits) - 1)) << end;
    }
    const bool is_end = at + n == job_.scales.elements;
    if (is_end) end = (end + 7) / 8 * 8;  // QL-51
    uint32_t mask = ((1u << end) - 1) & ~((1u << first) - 1);
    for (std::byte* y = job_.y + YBytes(at); mask != 0; mask >>= 8, values >>= 8, ++y) {
      *y = (*y & ~static_cast<std::byte>(mask)) | static_cast<std::byte>(values);
    }
  }

  // Fetches the lines that Pack will write.
  [[gnu::always_inline]] void WillPack(int64_t at, int64_t n) {
    WillWriteAll(job_.y + YBytes(at), static_cast<size_t>(YBytes(n)));
  }

  // Whether kernels pack codes, of a block or more at once.
  bool KernelsPack() const { return job_.pack_shift() != 0 && IsDirect() && k_.packs; }
  int64_t BlockOfKernel() const { return 4 * static_cast<int64_t>(k_.lanes()); }

  // Elements [begin, end) in their order.
  void QuantizeSpan(int64_t begin, int64_t end) {
    if (begin == end) return;
    feed_.Seek(begin);
    if (!IsPacked()) return QuantizeTo(begin, end, job_.y + YBytes(begin));
    if (KernelsPack()) begin = QuantizeRunsPacked(begin, end);
    for (int64_t chunk = begin; chunk < end; chunk += kCodeChunk) {
      const int64_t chunk_end = std::min(chunk + kCodeChunk, end);
      if (job_.scales.fetch) WillPack(chunk, chunk_end - chunk);
      QuantizeTo(chunk, chunk_end, reinterpret_cast<std::byte*>(codes_));
      Pack(codes_, chunk_end - chunk, chunk);
    }
  }
  // The same, to one code of 1 or 2 bytes for each element.
  void QuantizeTo(int64_t begin, int64_t end, std::byte* out) {
    const int64_t code_bytes = job_.y_bits == 16 ? 2 : 1;
    for (int64_t at = begin; at < end;) {
      const auto left = static_cast<size_t>(end - at);
      const Piece piece = feed_.Next(IsDirect() ? left : std::min(left, kChunk));
      QuantizePiece(at, piece, Rows(), out + (at - begin) * code_bytes);
      at += static_cast<int64_t>(piece.n);
    }
  }

  // Elements from `begin` on, where kernels pack the codes of runs of one scale, which
  // are whole bytes, and begin with one; returns where that ends.
  int64_t QuantizeRunsPacked(int64_t begin, int64_t end) {
    const Geometry& g = job_.scales.geometry;
    const bool one = g.scale_count == 1;
    const int64_t run = one ? end - begin : g.block * g.inner;
    const bool whole =
        one || (g.inner_stride == 0 && g.axis % g.block == 0 && IsWholeBytes(run));
    const bool long_enough = run >= BlockOfKernel() || feed_.has_blocks();
    if (!whole || !long_enough || !IsWholeBytes(begin)) return begin;
    for (end -= (end - begin) % GroupOfCodes(); begin < end;) {
      const Piece piece = feed_.Next(static_cast<size_t>(end - begin));
      const auto n = static_cast<int64_t>(piece.n);
      if (n / static_cast<int64_t>(piece.runs) >= BlockOfKernel()) {
        QuantizePiece(begin, piece, {.pack_shift = job_.pack_shift()},
                      job_.y + YBytes(begin));
      } else {  // part of a run or of a block
        QuantizePiece(begin, piece, {}, reinterpret_cast<std::byte*>(codes_));
        Pack(codes_, n, begin);
      }
      begin += n;
    }
    return begin;
  }

  // Rows share vectors of scales. Where they are no whole bytes their codes are packed
  // row by row: short ones, of which a window holds the scales of two, cost less one
  // after the other.
  bool HasRows() const {
    const int64_t length = feed_.row_length();
    return length != 0 &&
           (IsWholeBytes(length) || 2 * length > static_cast<int64_t>(kWindow));
  }
  // A part of such a vector is made once and stays in cache while the rows that
  // share it are read, a few at once.
  void QuantizeRows(int64_t begin, int64_t end);
  // Rows [row, last) that share operands.
  void QuantizeAlike(int64_t row, int64_t last);
  // Whether what this core fetches beyond its part costs other threads more than rows
  // that take turns gain.
  bool HasNeighbours() const {
    return elements_ < job_.scales.elements && !job_.scales.fetch &&
           elements_ * (BitWidth(job_.x.type) / 8) <= kPartOfLoneRows;
  }
  // Only whole lines of the part: the other core may need a line that both write.
  [[gnu::always_inline]] void FetchEdges(int64_t begin, int64_t end) const {
    const auto line = [&](int64_t element, uintptr_t up) {
      return (reinterpret_cast<uintptr_t>(job_.y + YBytes(element)) + up) / kLine * kLine;
    };
    const uintptr_t first = line(begin, kLine - 1);
    const uintptr_t last = line(end, 0);
    if (first >= last) return;
    const size_t edge = std::min<size_t>(kEdge, last - first);
    if (begin > 0) WillWriteAll(reinterpret_cast<const void*>(first), edge);
    if (end < job_.scales.elements) {
      WillWriteAll(reinterpret_cast<const void*>(last - edge), edge);
    }
  }
  // Whether the kernel does so little that it waits for x.
  bool WaitsForX() const { return job_.DoesLeast() && job_.scales.reciprocals_of_many; }
  // Whether to read two rows at a time costs less than to read many: where these are a
  // power of two apart they are read slowly (Zen 5), and the kernel that does least waits
  // for x. Short rows gain more by operands in registers.
  bool ReadsPairs() const {
    constexpr int64_t kShortRow = 512;
    if (BitWidth(job_.x.type) != 32 || job_.scales.fetch) return false;
    const int64_t length = feed_.row_length();
    if (WaitsForX() && length >= 2 * kPairPanel) return true;
    return std::has_single_bit(static_cast<uint64_t>(length)) &&
           length >= (WaitsForX() ? kShortRow : kPairPanel);
  }
  RowPlan PlanRows() const {
    if (!IsDirect()) return {.panel = kWindow};
    if (HasNeighbours()) return {.panel = static_cast<int64_t>(job_.scales.window)};
    if (ReadsPairs()) return {.panel = kPairPanel, .at_once = 2};
    if (job_.scales.fetch && WaitsForX()) {
      return {.panel = kWindow, .at_once = kAwaitedRows};
    }
    const bool buffers = IsPacked() && !KernelsPack();
    if (buffers || job_.scales.fetch) return {.panel = kWindow, .at_once = kFewestRows};
    const int64_t rows = kElementsOfRows / feed_.row_length();
    return {.panel = kWindow, .at_once = std::clamp(rows, kFewestRows, kMostRows)};
  }
  // `count` rows with the same operands; the first begins at element `at`. What comes
  // after them begins at `next`.
  void QuantizePanel(int64_t at, int64_t count, int64_t next, const RowPlan& plan,
                     const Piece& piece);

  // One kernel makes codes of x: no buffer, and no chunks in a long run.
  bool IsDirect() const {
    return std::is_same_v<Work, float> && std::is_same_v<Zero, int32_t>;
  }

  const std::byte* XAt(int64_t index) const {
    return job_.x.data.data() + index * (BitWidth(job_.x.type) / 8);
  }

  Run MakeRun(const Piece& piece, std::byte* out) const {
    Run run;
    run.n = piece.n / piece.runs;
    run.runs = piece.runs;
    run.block_shift = piece.block_shift;
    run.one_offset = piece.one_zero_point;
    run.out = out;
    run.stream = job_.stream && !IsPacked();
    if (job_.scales.fetch && IsDirect()) run.x_next = piece.n;
    run.x_type = job_.x.type;
    run.exact = job_.scales.exact;
    run.x_low = job_.x_low;
    run.rounded_x = job_.rounded_x;
    run.integers = job_.format.integers;
    run.floats = job_.format.floats;
    if constexpr (std::is_same_v<Work, float>) run.scale = piece.scale;
    if constexpr (std::is_same_v<Zero, int32_t>) run.offset = piece.zero_point;
    return run;
  }

  // More rows than one: IsDirect(), and operands are vectors.
  void QuantizePiece(int64_t at, const Piece& piece, const Rows& rows, std::byte* out);
  // The run, some of its rows at a time.
  void QuantizeGroups(RunFunction function, Run& run, const Rows& rows) const {
    const int64_t code_bits =
        run.pack_shift != 0 ? job_.y_bits : std::max(job_.y_bits, 8);
    for (int64_t row = 0; row < rows.count; row += rows.at_once) {
      const int64_t count = std::min(rows.at_once, rows.count - row);
      const int64_t elements = count * rows.x_stride;
      run.rows = static_cast<size_t>(count);
      if (run.x_next != 0 && count > 1) {
        const bool is_last = row + count == rows.count;
        run.x_next =
            static_cast<size_t>(is_last ? rows.x_next - row * rows.x_stride : elements);
      }
      function(run);
      run.x =
          static_cast<const std::byte*>(run.x) + elements * (BitWidth(job_.x.type) / 8);
      run.out =
          static_cast<std::byte*>(run.out) + count * rows.out_stride * code_bits / 8;
    }
  }
  // Codes of less than 8 bits by one scale for all, where they can be packed in
  // registers. Returns false, with nothing done, where not.
  bool QuantizePacked(int64_t begin, int64_t end);
  // Adds the zero point of a float target to quotient_, and writes codes.
  void EncodeQuotients(const Piece& piece, Run& run, std::byte* out);
  // Returns the piece's zero points, one for each element.
  const float* SpreadZeroPoints(const Piece& piece);

  const Job& job_;
  const Kernels& k_;
  int64_t elements_ = 0;  // to quantize
  ScaleFeed<Work, Zero> feed_;
  // DOUBLE operands.
  alignas(64) Work x_[std::is_same_v<Work, double> ? kChunk : 1];
  alignas(64) Work scale_[std::is_same_v<Work, double> ? kChunk : 1];
  alignas(64) float quotient_[kChunk];
  alignas(64) float zero_point_[kChunk];
  alignas(64) uint8_t codes_[kCodeChunk];
};

template <typename Work, typename Zero>
void Worker<Work, Zero>::QuantizeRows(int64_t begin, int64_t end) {
  const int64_t length = feed_.row_length();
  int64_t row = (begin + length - 1) / length;
  const int64_t row_end = end / length;
  if (row >= row_end) return QuantizeSpan(begin, end);  // no whole row
  QuantizeSpan(begin, row * length);
  while (row < row_end) {
    const int64_t last = row + std::min(row_end - row, feed_.RowsLike(row));
    last == row + 1 ? QuantizeSpan(row * length, last * length)
                    : QuantizeAlike(row, last);
    row = last;
  }
  QuantizeSpan(row_end * length, end);
}

template <typename Work, typename Zero>
void Worker<Work, Zero>::QuantizeAlike(int64_t row, int64_t last) {
  const int64_t length = feed_.row_length();
  const RowPlan plan = PlanRows();
  for (int64_t column = 0; column < length;) {
    const int64_t at = row * length + column;
    const Piece piece =
        feed_.RowPiece(at, static_cast<size_t>(std::min(length - column, plan.panel)));
    column += static_cast<int64_t>(piece.n);
    const int64_t next = (column < length ? row : last) * length + column % length;
    QuantizePanel(at, last - row, next, plan, piece);
  }
}

template <typename Work, typename Zero>
void Worker<Work, Zero>::QuantizePanel(int64_t at, int64_t count, int64_t next,
                                       const RowPlan& plan, const Piece& piece) {
  const int64_t length = feed_.row_length();
  const auto n = static_cast<int64_t>(piece.n);
  const bool packs = KernelsPack() && n >= BlockOfKernel() && IsWholeBytes(length) &&
                     IsWholeBytes(at) && IsWholeBytes(n);
  const bool buffers = IsPacked() && !packs;
  const bool direct = IsDirect() && !buffers;
  const bool few = plan.at_once > 1 && count <= kFewestRows;
  const int64_t most = direct && few ? count : plan.at_once;
  const int64_t groups = (count + most - 1) / most;
  const int64_t group = (count + groups - 1) / groups;  // not three of four, and one
  Rows rows = {.count = count,
               .at_once = group,
               .pack_shift = packs ? job_.pack_shift() : 0,
               .x_stride = length,
               .out_stride = length,
               .x_next = next - at};
  if (direct) return QuantizePiece(at, piece, rows, job_.y + YBytes(at));
  const int64_t slice = IsDirect() ? kCodeChunk / plan.at_once : int64_t{kChunk};
  for (int64_t r = 0; r < count; r += group) {
    rows.count = std::min(group, count - r);
    const int64_t after = r + rows.count < count ? at + (r + rows.count) * length : next;
    for (int64_t i = 0; i < n; i += slice) {
      const int64_t m = std::min(slice, n - i);
      const int64_t first = at + r * length + i;
      const bool whole = m == n;
      const Piece part =
          whole ? piece : piece.Part(static_cast<size_t>(i), static_cast<size_t>(m));
      rows.x_next = i + m < n ? m : after - first;
      if (!buffers) {
        QuantizePiece(first, part, rows, job_.y + YBytes(first));
        continue;
      }
      rows.out_stride = m;
      if (job_.scales.fetch) {
        for (int64_t j = 0; j < rows.count; ++j) WillPack(first + j * length, m);
      }
      QuantizePiece(first, part, rows, reinterpret_cast<std::byte*>(codes_));
      for (int64_t j = 0; j < rows.count; ++j) {
        Pack(codes_ + j * m, m, first + j * length);
      }
    }
  }
}

template <typename Work, typename Zero>
bool Worker<Work, Zero>::QuantizePacked(int64_t begin, int64_t end) {
  if constexpr (std::is_same_v<Work, float> && std::is_same_v<Zero, int32_t>) {
    const bool possible = IsPacked() && job_.division == Division::kFloat &&
                          job_.x.type == DataType::kFloat && !job_.scales.exact &&
                          begin != end && job_.scales.geometry.scale_count == 1;
    if (!possible) return false;
    const PackedSink sink = job_.y_bits == 6       ? PackedSink::kFloat6
                            : job_.format.is_float ? PackedSink::kFloat4
                            : job_.y_bits == 4     ? PackedSink::kInteger4
                                                   : PackedSink::kInteger2;
    feed_.Seek(begin);
    const Piece piece = feed_.Next(static_cast<size_t>(end - begin));
    const bool multiplies = piece.reciprocals.has_value();
    const RunFunction function =
        k_.PackedFunction(multiplies ? job_.by_reciprocals : job_.division, sink);
    if (function == nullptr || piece.n != static_cast<size_t>(end - begin)) return false;
    Run run = MakeRun(piece, job_.y + YBytes(begin));
    run.x = XAt(begin);
    if (multiplies) run.reciprocals = *piece.reciprocals;
    run.stream = job_.stream;
    function(run);
    return true;
  }
  return false;
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
void Worker<Work, Zero>::QuantizePiece(int64_t at, const Piece& piece, const Rows& rows,
                                       std::byte* out) {
  Run run = MakeRun(piece, out);
  run.pack_shift = rows.pack_shift;
  run.x_stride = static_cast<size_t>(rows.x_stride);
  run.out_stride = static_cast<size_t>(rows.out_stride);
  const Sink sink = job_.format.sink;
  if constexpr (std::is_same_v<Work, float>) {
    run.x = XAt(at);
    if constexpr (std::is_same_v<Zero, int32_t>) {
      Division division = job_.division;
      if (piece.reciprocals) {
        division = job_.by_reciprocals;
        run.reciprocals = *piece.reciprocals;
      }
      assert(piece.reciprocals || !job_.scales.exact);
      // Float targets have no zero points here.
      const bool scales_alone =
          job_.format.is_float && piece.operands == Operands::kVectors;
      QuantizeGroups(
          k_.Function(division, scales_alone ? Operands::kVectorScale : piece.operands,
                      sink),
          run, rows);
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
    if (job_.sum == ZeroPointSum::kNone) {
      k_.multiply_double(
          job_.x.type,
          piece.operands == Operands::kVectors ? Operands::kVectorScale : piece.operands,
          XAt(at), piece.scale, piece.block_shift, piece.n, quotient_);
    } else {
      k_.to_double(job_.x.type, XAt(at), piece.n, x_);
      const double* scale = piece.scale;
      if (piece.operands == Operands::kUniform) {
        std::fill_n(scale_, piece.n, *piece.scale);
        scale = scale_;
      }
      k_.divide_double(job_.sum, x_, scale, SpreadZeroPoints(piece), piece.n, quotient_);
    }
    run.x = quotient_;
    const bool vary =
        piece.operands == Operands::kVectors || piece.operands == Operands::kBlocks;
    k_.Function(Division::kDone,
                vary && !job_.format.is_float ? piece.operands : Operands::kUniform,
                sink)(run);
  }
}

}  // namespace

void QuantizeRange(const Job& job, int64_t begin, int64_t end) {
  if (job.double_quotient) {
    job.add_zero_point ? Worker<double, float>(job).Quantize(begin, end)
                       : Worker<double, int32_t>(job).Quantize(begin, end);
  } else {
    job.add_zero_point ? Worker<float, float>(job).Quantize(begin, end)
                       : Worker<float, int32_t>(job).Quantize(begin, end);
  }
}

}  // namespace qconform::simd
