#include "harness/backends/simd/matmul/panels.h"

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "harness/backends/simd/core/parallel.h"
#include "harness/backends/simd/core/targets.h"
#include "harness/backends/simd/matmul/vnni.h"

namespace qconform::simd {
namespace {

constexpr size_t kAlignment = 64;
constexpr size_t kHugePage = size_t{1} << 21;

}  // namespace

// A product with a row of ones.
void SumColumns(const Products& products, const uint32_t* words, size_t width,
                size_t steps, int32_t* sums) {
  const uint32_t ones = products.form == WordForm::kPairs ? 0x00010001u : 0x01010101u;
  const std::vector<uint32_t> row(steps, ones);
  alignas(64) static constexpr int32_t kZeros[kMaxColumns] = {};
  alignas(64) int32_t c[kMaxColumns];
  products.multiply({.a = row.data(),
                     .a_stride = 0,
                     .rows = 1,
                     .b = words,
                     .width = width,
                     .steps = steps,
                     .init = kZeros,
                     .init_stride = 0,
                     .c = c});
  std::memcpy(sums, c, width * sizeof(int32_t));
}

AlignedWords::AlignedWords(size_t n, bool long_lived) {
  const size_t bytes = std::max<size_t>(n, 1) * sizeof(uint32_t);
  const bool huge = long_lived && bytes >= kHugePage / 2;
  const size_t unit = huge ? kHugePage : kAlignment;
  const size_t room = (bytes + unit - 1) / unit * unit;
  data_.reset(static_cast<uint32_t*>(std::aligned_alloc(unit, room)));
  if (data_ == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  // A hint, which changes only the speed.
  if (huge) static_cast<void>(madvise(data_.get(), room, MADV_HUGEPAGE));
#endif
}

void AlignedWords::Free::operator()(uint32_t* words) const { std::free(words); }

Panels FormOfPanels(DataType type, int64_t matrices, int64_t k, int64_t n,
                    const Products& products) {
  Panels panels;
  panels.type = type;
  panels.products = products;
  panels.matrices = matrices;
  panels.k = k;
  panels.n = n;
  const auto columns = static_cast<size_t>(n);
  panels.count = (columns + products.columns - 1) / products.columns;
  panels.padded_columns =
      (columns + products.granule - 1) / products.granule * products.granule;
  return panels;
}

std::unique_ptr<const Panels> MakePanels(const TensorView& b, const Products& products,
                                         int threads) {
  const size_t rank = b.shape.size();
  int64_t matrices = 1;
  for (size_t i = 0; i + 2 < rank; ++i) matrices *= b.shape[i];
  auto panels = std::make_unique<Panels>(
      FormOfPanels(b.type, matrices, rank == 1 ? b.shape[0] : b.shape[rank - 2],
                   rank == 1 ? 1 : b.shape[rank - 1], products));
  panels->shape.assign(b.shape.begin(), b.shape.end());
  const auto k = static_cast<size_t>(panels->k);
  const auto n = static_cast<size_t>(panels->n);
  if (n == 0 || panels->matrices == 0) return panels;

  const size_t steps = products.StepsOf(panels->k);
  const size_t padded = static_cast<size_t>(panels->matrices) * panels->padded_columns;
  panels->words = AlignedWords(padded * steps, /*long_lived=*/true);
  panels->column_sums.resize(padded);
  const auto count = static_cast<int64_t>(panels->count);
  const bool worth_threads = padded * steps > 1 << 18;
  InParallel(panels->matrices * count, worth_threads ? threads : 1,
             [&](int64_t begin, int64_t end) {
               for (int64_t unit = begin; unit < end; ++unit) {
                 const int64_t matrix = unit / count;
                 const auto panel = static_cast<size_t>(unit % count);
                 const size_t first = panel * products.columns;
                 const size_t width = panels->WidthOf(panel);
                 auto* out = const_cast<uint32_t*>(panels->Words(matrix, panel));
                 const auto* from = reinterpret_cast<const uint8_t*>(b.data.data()) +
                                    static_cast<size_t>(matrix) * k * n + first;
                 products.kernels->pack_panel[static_cast<int>(products.form)](
                     from, b.type == DataType::kInt8, k, n, std::min(width, n - first),
                     width, out);
                 SumColumns(products, out, width, steps,
                            panels->column_sums.data() +
                                static_cast<size_t>(matrix) * panels->padded_columns +
                                first);
               }
             });
  return panels;
}

std::unique_ptr<const Rows> MakeRows(const TensorView& a, int64_t rows, int64_t k,
                                     const Products& products, int threads) {
  auto made = std::make_unique<Rows>();
  made->products = products;
  made->stride = StrideOfRows(products.StepsOf(k));
  const size_t words = static_cast<size_t>(rows) * made->stride;
  made->words = AlignedWords(words, /*long_lived=*/true);
  made->sums.resize(static_cast<size_t>(rows));
  const auto lay_out = products.kernels->lay_out_row[static_cast<int>(products.form)];
  InParallel(rows, words > 1 << 18 ? threads : 1, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const auto i = static_cast<size_t>(row);
      made->sums[i] = lay_out(reinterpret_cast<const uint8_t*>(a.data.data()) + row * k,
                              a.type == DataType::kInt8, static_cast<size_t>(k),
                              made->words.data() + i * made->stride);
    }
  });
  return made;
}

Products ProductsOf(int64_t target_bit, bool dot_product) {
  const MatMulKernels* kernels = MatMulKernelsOf(target_bit);
  const size_t pair_columns = kernels->pair_columns();
  // Only 512-bit targets have four vectors of 16 sums.
  if (dot_product && pair_columns == kVnniColumns && HasVnni()) {
    return {.kernels = kernels,
            .form = WordForm::kQuads,
            .rows = kVnniRows,
            .columns = kVnniColumns,
            .granule = kVnniGranule,
            .multiply = MultiplyVnni,
            .multiply_to_codes = MultiplyVnniToCodes};
  }
  return {.kernels = kernels,
          .form = WordForm::kPairs,
          .rows = 2,
          .columns = pair_columns,
          .granule = pair_columns,
          .multiply = kernels->multiply_pairs};
}

Result<PackedB> PackedB::Pack(const TensorView& b, const ProductOptions& options) {
  const Result<Target> target = FindTarget(options.target);
  if (!target) return target.error();
  const bool is_integer = b.type == DataType::kUint8 || b.type == DataType::kInt8;
  if (!is_integer && !IsFloat8(b.type)) {
    return Error{"b of type " + std::string(DataTypeName(b.type)) +
                 ": UINT8, INT8 or a float8 type is needed"};
  }
  const auto count = ElementCount(b.shape);
  if (b.shape.empty() || !count || b.data.size() != static_cast<size_t>(*count)) {
    return Error{"b of shape " + ShapeToString(b.shape) + " has " +
                 std::to_string(b.data.size()) + " bytes: a tensor is needed"};
  }
  if (is_integer) {
    return PackedB(
        MakePanels(b, ProductsOf(target->bit, options.dot_product), options.threads));
  }
  auto panels = std::make_unique<Panels>();
  panels->type = b.type;
  panels->shape.assign(b.shape.begin(), b.shape.end());
  return PackedB(std::move(panels));
}

PackedB::PackedB(std::unique_ptr<const Panels> panels) : panels_(std::move(panels)) {}
PackedB::PackedB(PackedB&&) noexcept = default;
PackedB& PackedB::operator=(PackedB&&) noexcept = default;
PackedB::~PackedB() = default;

}  // namespace qconform::simd
