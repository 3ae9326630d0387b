// Products of integers: tiles of sums, from a laid out in rows and b in
// panels, then codes.
//
//   C = sum a b - za * (sum b) - zb * (sum a) + K za zb     modulo 2^32      (1)

#include <algorithm>

#include "harness/backends/simd/core/parallel.h"
#include "harness/backends/simd/matmul/codes.h"
#include "harness/backends/simd/matmul/job.h"
#include "harness/backends/simd/matmul/panels.h"

namespace qconform::simd {
namespace {

// Longer rows are multiplied in pieces, so that a piece of a panel stays in L2.
constexpr size_t kMaxSteps = 1024;
// Tiles whose sums wait for the next piece.
constexpr size_t kTilesPerStrip = 8;
// Rows of a that are laid out at once take about this many words: half of an L2 of
// 1 MB, as they are read once for each panel.
constexpr int64_t kChunkWords = int64_t{1} << 17;
// Threads take units in turns: enough of them, of a height that is worth a panel.
constexpr int64_t kUnitsPerThread = 8;
constexpr int64_t kTilesPerUnit = 4;

// Rows of the next tile, of `left`: the last two are of about the same height.
size_t NextRows(size_t left, size_t most) {
  if (left <= most) return left;
  return left < 2 * most ? (left + 1) / 2 : most;
}

// How many tiles of NextRows rows follow each other.
size_t TilesAlike(size_t left, size_t most) {
  if (left < 2 * most) return 1;
  return left / most - (left % most != 0);
}

// Zero points as the kernel's values have them.
std::vector<int32_t> ZeroPoints(DataType type, const std::vector<uint8_t>& codes,
                                int32_t offset) {
  std::vector<int32_t> values;
  values.reserve(codes.size());
  for (const uint8_t code : codes) {
    values.push_back((type == DataType::kInt8 ? static_cast<int8_t>(code) : code) +
                     offset);
  }
  return values;
}

// The terms of (1) are sums and products modulo 2^32.
int32_t Wrapped(uint32_t value) { return static_cast<int32_t>(value); }

// Where the operands come from if they are not laid out as usual: a before, b when it is
// multiplied.
struct LaterPanels {
  const Rows& rows;
  const std::function<MakePanel()>& new_maker;
};

struct IntegerPlan {
  IntegerPlan(const MatMulJob& the_job, const Panels& the_panels,
              const LaterPanels* later_panels, int64_t threads)
      : job(the_job),
        panels(the_panels),
        later(later_panels),
        codes(the_job, the_panels.products.kernels->target),
        za(ZeroPoints(the_job.a.type, the_job.a_zero_point,
                      the_panels.products.AOffset(the_job.a.type))),
        zb(ZeroPoints(the_job.b.type, the_job.b_zero_point,
                      the_panels.products.BOffset(the_job.b.type))),
        correction(za.size() == 1 && zb.size() == 1 ? Correction::kSums
                                                    : Correction::kProducts),
        at_once(the_panels.products.multiply_to_codes != nullptr &&
                (codes.path == CodePath::kFused || codes.path == CodePath::kSums) &&
                correction == Correction::kSums),
        fixed_point(codes.multiplier, static_cast<int32_t>(codes.zero_point),
                    codes.smallest) {
    const int64_t m = job.shape.m;
    const auto tile = static_cast<int64_t>(panels.products.rows);
    const auto products = static_cast<int64_t>(job.shape.a_of.size());
    const auto in_panels = products * static_cast<int64_t>(panels.count);
    if (later != nullptr) {  // a panel is laid out once
      chunk_rows = m;
      chunks = 1;
      units = in_panels;
      return;
    }
    const auto words = static_cast<int64_t>(panels.products.StepsOf(job.shape.k)) + 1;
    int64_t most = std::max(kChunkWords / words, tile);
    if (threads > 1) {
      const int64_t wanted = (threads * kUnitsPerThread + in_panels - 1) / in_panels;
      most = std::min(most, std::max(m / wanted, kTilesPerUnit * tile));
    }
    const int64_t parts = (m + most - 1) / most;
    chunk_rows = ((m + parts - 1) / parts + tile - 1) / tile * tile;
    chunks = (m + chunk_rows - 1) / chunk_rows;
    units = in_panels * chunks;
  }

  const MatMulJob& job;
  const Panels& panels;
  const LaterPanels* later;
  const CodePlan codes;
  const std::vector<int32_t> za, zb;  // one, or one for each line
  const Correction correction;
  const bool at_once;  // sums become codes in the kernel that multiplies
  const FixedPoint fixed_point;
  // A unit is a chunk of a product's rows by one panel; those of a chunk follow each
  // other, as do the chunks.
  int64_t chunk_rows = 0;
  int64_t chunks = 0;  // of a product
  int64_t units = 0;
};

class IntegerWorker {
 public:
  ~IntegerWorker() { plan_.job.repaired += repaired_; }
  explicit IntegerWorker(const IntegerPlan& plan)
      : plan_(plan),
        products_(plan.panels.products),
        steps_(products_.StepsOf(plan.job.shape.k)),
        in_place_(steps_ != 0 && plan.later == nullptr &&
                  products_.IsLaidOut(plan.job.a, plan.job.shape.k)),
        stride_(in_place_               ? steps_
                : plan.later != nullptr ? plan.later->rows.stride
                                        : StrideOfRows(steps_)),
        y_size_(plan.job.y_type == DataType::kInt32 ? sizeof(int32_t) : 1) {
    if (plan.later == nullptr) return;
    make_panel_ = plan.later->new_maker();
    made_ = AlignedWords(steps_ * products_.columns);
  }

  // Units [begin, end) of the plan.
  void Multiply(int64_t begin, int64_t end) {
    const auto panels = static_cast<int64_t>(plan_.panels.count);
    while (begin < end) {
      const int64_t rows = begin / panels;
      const int64_t panel = begin % panels;
      const int64_t panel_end =
          plan_.later != nullptr ? panel + 1 : std::min(panels, panel + (end - begin));
      if (rows != rows_) BeginRows(rows);
      if (plan_.later != nullptr) LayOutPanel(static_cast<size_t>(panel));
      PrepareColumns(static_cast<size_t>(panel), static_cast<size_t>(panel_end));
      for (int64_t p = panel; p < panel_end; ++p) MultiplyPanel(static_cast<size_t>(p));
      begin += panel_end - panel;
    }
  }

 private:
  // The plan's chunk `index` of rows: of the products one after the other.
  void BeginRows(int64_t index) {
    const MatMulShape& shape = plan_.job.shape;
    const int64_t product = index / plan_.chunks;
    a_matrix_ = shape.a_of[static_cast<size_t>(product)];
    b_matrix_ = shape.b_of[static_cast<size_t>(product)];
    y_ = reinterpret_cast<uint8_t*>(plan_.job.y) +
         static_cast<size_t>(product * shape.m * shape.n) * y_size_;
    repairs_ = {&plan_.codes, a_matrix_ * shape.m, b_matrix_ * shape.n, &repaired_};
    rows_ = index;
    first_row_ = static_cast<size_t>(index % plan_.chunks * plan_.chunk_rows);
    row_count_ = std::min(static_cast<size_t>(plan_.chunk_rows),
                          static_cast<size_t>(shape.m) - first_row_);
    LayOutRows(first_row_, row_count_);
  }

  void LayOutPanel(size_t panel) {
    const size_t column = panel * products_.columns;
    const size_t width = plan_.panels.WidthOf(panel);
    const size_t valid = std::min(width, static_cast<size_t>(plan_.panels.n) - column);
    make_panel_(b_matrix_, column, valid, width, made_.data());
    const bool no_sums = plan_.correction == Correction::kSums && plan_.za[0] == 0;
    if (!no_sums) SumColumns(products_, made_.data(), width, steps_, made_sums_);
  }

  const uint32_t* WordsOf(size_t panel) const {
    return plan_.later != nullptr ? made_.data() : plan_.panels.Words(b_matrix_, panel);
  }

  // Terms and factors of the columns, from that of panel `panel` on.
  void PrepareColumns(size_t panel, size_t panel_end) {
    const Panels& panels = plan_.panels;
    first_column_ = panel * products_.columns;
    const size_t n = panel_end == panels.count ? panels.padded_columns - first_column_
                                               : (panel_end - panel) * products_.columns;
    const size_t valid = std::min(n, static_cast<size_t>(panels.n) - first_column_);
    const size_t room = n + kMaxColumns;
    init_.assign(room, 0);
    factors_.assign(room, 0);
    const int32_t* sums =
        plan_.later != nullptr
            ? made_sums_
            : panels.column_sums.data() +
                  static_cast<size_t>(b_matrix_) * panels.padded_columns + first_column_;
    const int64_t first_line =
        repairs_.first_column + static_cast<int64_t>(first_column_);
    if (plan_.codes.path != CodePath::kSums) {
      FillColumnFactors(plan_.codes, first_line, valid, factors_.data());
    }
    if (plan_.correction == Correction::kSums) {
      const uint32_t za = 0u - static_cast<uint32_t>(plan_.za[0]);
      for (size_t i = 0; i < n; ++i) {
        init_[i] = Wrapped(za * static_cast<uint32_t>(sums[i]));
      }
      return;
    }
    column_sums_.assign(room, 0);
    column_zero_points_.assign(room, 0);
    std::copy_n(sums, n, column_sums_.data());
    for (size_t i = 0; i < valid; ++i) {
      column_zero_points_[i] =
          plan_.zb.size() == 1 ? 1 : plan_.zb[static_cast<size_t>(first_line) + i];
    }
  }

  void LayOutRows(size_t first, size_t rows) {
    const MatMulJob& job = plan_.job;
    const auto k = static_cast<size_t>(job.shape.k);
    const Rows* made = plan_.later != nullptr ? &plan_.later->rows : nullptr;
    if (capacity_ < rows) {
      if (!in_place_ && made == nullptr) a_ = AlignedWords(rows * stride_);
      capacity_ = rows;
    }
    row_a_.resize(rows);
    row_term_.resize(rows);
    row_factor_.resize(rows);
    const auto first_line = static_cast<size_t>(repairs_.first_row) + first;
    const uint8_t* a = made != nullptr ? nullptr : job.AMatrix(a_matrix_) + first * k;
    laid_out_ = made != nullptr ? made->words.data() + first_line * stride_
                : in_place_     ? reinterpret_cast<const uint32_t*>(a)
                                : a_.data();
    const auto lay_out = products_.kernels->lay_out_row[static_cast<int>(products_.form)];
    const bool no_sums =
        in_place_ && plan_.correction == Correction::kSums && plan_.zb[0] == 0;
    for (size_t i = 0; i < rows; ++i) {
      const uint32_t sum = made != nullptr ? made->sums[first_line + i]
                           : no_sums
                               ? 0
                               : lay_out(a + i * k, job.a.type == DataType::kInt8, k,
                                         in_place_ ? nullptr : a_.data() + i * stride_);
      const auto line = static_cast<int64_t>(first_line + i);
      const auto za = static_cast<uint32_t>(ParameterAt(plan_.za, line));
      const uint32_t term = static_cast<uint32_t>(k) * za - sum;
      row_a_[i] = Wrapped(0u - za);
      const auto bias = static_cast<uint32_t>(
          job.bias.empty() ? 0 : job.bias[static_cast<size_t>(line)]);
      // With one zero point of b its product with `term` is the row's own.
      row_term_[i] = Wrapped(
          plan_.zb.size() == 1 ? term * static_cast<uint32_t>(plan_.zb[0]) + bias : term);
      if (plan_.codes.path != CodePath::kSums &&
          plan_.codes.multiplier == Multiplier::kRowAndColumn) {
        row_factor_[i] = RowFactor(plan_.codes, line);
      }
    }
  }

  // The rows that are laid out by one panel.
  void MultiplyPanel(size_t panel) {
    // What every tile looks at lies together: a panel leaves little else in L1.
    const Products products = products_;
    const bool at_once = plan_.at_once;
    const size_t all_steps = steps_;
    size_t height = products.rows;
    if (all_steps > kMaxSteps) {
      height *= kTilesPerStrip;
    } else if (at_once) {
      height = row_count_;
    }
    const size_t at = panel * products.columns - first_column_;
    const size_t width = plan_.panels.WidthOf(panel);
    const uint32_t* b = WordsOf(panel);
    TileArgs tile = FirstTile(at);
    ProductArgs args = {.a_stride = stride_, .width = width};
    const uint32_t* a = laid_out_;
    size_t rows = row_count_;
    while (rows != 0) {
      const size_t strip = NextRows(rows, height);
      for (size_t step = 0; step == 0 || step < all_steps; step += kMaxSteps) {
        args.steps = std::min(kMaxSteps, all_steps - step);
        args.b = b + step * width;
        const bool is_last = step + args.steps == all_steps;
        for (size_t i = 0; i < strip;) {
          const size_t left = strip - i;
          args.a = a + i * args.a_stride + step;
          args.rows = NextRows(left, products.rows);
          args.c = sums_ + i * kMaxColumns;
          args.init = step == 0 ? init_.data() + at : args.c;
          args.init_stride = step == 0 ? 0 : kMaxColumns;
          if (at_once && is_last) {
            const size_t tiles = TilesAlike(left, products.rows);
            products.multiply_to_codes(args, tile, plan_.codes.multiplier, tiles);
            Advance(args.rows * tiles, &tile);
            i += args.rows * tiles;
          } else {
            products.multiply(args);
            i += args.rows;
          }
        }
      }
      if (!at_once) {
        tile.c = sums_;
        tile.rows = strip;
        Finish(tile);
        Advance(strip, &tile);
      }
      a += strip * args.a_stride;
      rows -= strip;
    }
  }

  // Where the rows start, of which it has none yet.
  TileArgs FirstTile(size_t at) {
    const auto n = static_cast<size_t>(plan_.job.shape.n);
    const size_t column = first_column_ + at;
    return {.columns = std::min(products_.columns, n - column),
            .row_a = row_a_.data(),
            .row_term = row_term_.data(),
            .column_a = column_sums_.data() + at,
            .column_b = column_zero_points_.data() + at,
            .row_factor = row_factor_.data(),
            .column_factor = factors_.data() + at,
            .zero_point = static_cast<int32_t>(plan_.codes.zero_point),
            .fixed_point = plan_.fixed_point,
            .y = y_ + (first_row_ * n + column) * y_size_,
            .y_stride = n * y_size_,
            .repairs = &repairs_,
            .row = first_row_,
            .column = column};
  }

  // To what follows `rows` rows later.
  static void Advance(size_t rows, TileArgs* tile) {
    tile->row_a += rows;
    tile->row_term += rows;
    tile->row_factor += rows;
    tile->y += rows * tile->y_stride;
    tile->row += rows;
  }

  // Codes of the strip, whose sums are there.
  void Finish(const TileArgs& tile) {
    const CodePlan& codes = plan_.codes;
    const auto correction = static_cast<int>(plan_.correction);
    if (codes.path == CodePath::kFused) {
      codes.kernels->requantize[correction][static_cast<int>(codes.multiplier)](tile);
      return;
    }
    if (codes.path == CodePath::kSums) {
      codes.kernels->store[correction](tile);
      return;
    }
    codes.kernels->correct[correction](tile);
    for (size_t i = 0; i < tile.rows; ++i) {
      WriteCodes(codes, repairs_, tile.row + i, tile.column, tile.columns,
                 tile.c + i * kMaxColumns, tile.column_factor,
                 tile.y + i * tile.y_stride);
    }
  }

  const IntegerPlan& plan_;
  const Products& products_;
  const size_t steps_;
  const bool in_place_;  // a is laid out as it is
  const size_t stride_;  // words between its rows
  const size_t y_size_;  // bytes of an element
  // The panel that was laid out last, if that is done here.
  MakePanel make_panel_;
  AlignedWords made_;
  alignas(64) int32_t made_sums_[kMaxColumns] = {};
  int64_t a_matrix_ = 0;
  int64_t b_matrix_ = 0;
  uint8_t* y_ = nullptr;  // of the product
  int64_t repaired_ = 0;
  Repairs repairs_;
  AlignedWords a_;
  size_t capacity_ = 0;  // rows of a_
  const uint32_t* laid_out_ = nullptr;
  int64_t rows_ = -1;  // the chunk that is laid out
  size_t first_row_ = 0;
  size_t row_count_ = 0;
  std::vector<int32_t> row_a_, row_term_;
  std::vector<float> row_factor_;
  size_t first_column_ = 0;
  std::vector<int32_t> init_, column_sums_, column_zero_points_;
  std::vector<float> factors_;
  // Zeros where no panel wrote, which nobody looks at.
  alignas(64) int32_t sums_[kTilesPerStrip * kMaxRows * kMaxColumns] = {};
};

void Multiply(const MatMulJob& job, const Panels& packed, const LaterPanels* later) {
  const MatMulShape& shape = job.shape;
  // Few rows take as long as a tile of them.
  const auto rows =
      static_cast<double>(std::max(shape.m, static_cast<int64_t>(packed.products.rows)));
  const double work = static_cast<double>(shape.a_of.size()) * rows *
                      static_cast<double>(shape.n) * static_cast<double>(shape.k + 1);
  constexpr double kWorthAThread = 1 << 24;
  const auto threads = static_cast<int64_t>(std::clamp(
      work / kWorthAThread, 1.0, static_cast<double>(std::max(job.threads, 1))));
  const IntegerPlan plan(job, packed, later, threads);
  InTurns(plan.units, threads, [&](Parts& parts) {
    IntegerWorker worker(plan);
    for (int64_t begin, end; parts.Next(&begin, &end);) worker.Multiply(begin, end);
  });
}

}  // namespace

void MultiplyIntegers(const MatMulJob& job, const Panels& packed) {
  Multiply(job, packed, nullptr);
}

void MultiplyIntegers(const MatMulJob& job, const Rows& rows, const Panels& form,
                      const std::function<MakePanel()>& new_maker) {
  const LaterPanels later = {rows, new_maker};
  Multiply(job, form, &later);
}

}  // namespace qconform::simd
