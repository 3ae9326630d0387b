#include "harness/backends/simd/convolution/convolution.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "harness/backends/simd/convolution/depthwise.h"
#include "harness/backends/simd/convolution/kernels.h"
#include "harness/backends/simd/convolution/panel_maker.h"
#include "harness/backends/simd/convolution/phases.h"
#include "harness/backends/simd/core/targets.h"
#include "harness/backends/simd/matmul/job.h"
#include "harness/backends/simd/matmul/panels.h"

namespace qconform::simd {
namespace {

// One value if all are the same bits.
template <typename T>
std::vector<T> Joined(const std::vector<T>& values) {
  const auto is_first = [&](const T& value) {
    return std::memcmp(&value, values.data(), sizeof value) == 0;
  };
  if (std::ranges::all_of(values, is_first)) return {values.front()};
  return values;
}

// One product for each image and group: the group's rows of w by a column for each pixel.
MatMulShape ShapeOf(const ConvolutionGeometry& g) {
  MatMulShape shape;
  shape.m = g.out_channels;
  shape.n = g.pixels();
  shape.k = g.depth();
  shape.a_matrices = g.groups;
  shape.b_matrices = g.images * g.groups;
  for (int64_t i = 0; i < shape.b_matrices; ++i) {
    shape.a_of.push_back(i % g.groups);
    shape.b_of.push_back(i);
  }
  return shape;
}

}  // namespace

PackedWeights::PackedWeights(const TensorView& w, const Products& products, int threads)
    : type_(w.type), shape_(w.shape.begin(), w.shape.end()) {
  int64_t depth = 1;
  for (const int64_t size : w.shape.subspan(1)) depth *= size;
  rows_ = MakeRows(w, w.shape[0], depth, products, threads);
  if (w.shape[1] == 1) taps_ = std::make_unique<const TapWords>(MakeTapWords(w));
}
PackedWeights::PackedWeights(PackedWeights&&) noexcept = default;
PackedWeights& PackedWeights::operator=(PackedWeights&&) noexcept = default;
PackedWeights::~PackedWeights() = default;

Result<PackedWeights> PackedWeights::Pack(const TensorView& w,
                                          const ProductOptions& options) {
  const Result<Target> target = FindTarget(options.target);
  if (!target) return target.error();
  if (w.type != DataType::kUint8 && w.type != DataType::kInt8) {
    return Error{"w: expected UINT8 or INT8, got " + std::string(DataTypeName(w.type))};
  }
  const auto count = ElementCount(w.shape);
  if (w.shape.size() < 3 || !count || w.data.size() != static_cast<size_t>(*count)) {
    return Error{"w: expected a tensor of rank 3 or more, got shape " +
                 ShapeToString(w.shape) + " and " + std::to_string(w.data.size()) +
                 " bytes"};
  }
  return PackedWeights(w, ProductsOf(target->bit, options.dot_product), options.threads);
}

bool PackedWeights::Fits(const TensorView& w, const ProductOptions& options) const {
  const Result<Target> target = FindTarget(options.target);
  return target && w.type == type_ && std::ranges::equal(w.shape, shape_) &&
         rows_->products == ProductsOf(target->bit, options.dot_product);
}

void Convolve(const ConvolutionJob& job, const PackedWeights* packed,
              const ProductOptions& options) {
  const ConvolutionGeometry& g = job.geometry;
  if (*ElementCount(g.YShape()) == 0) return;
  const int64_t target = FindTarget(options.target)->bit;
  const Products products = ProductsOf(target, options.dot_product);
  MatMulJob product;
  product.shape = ShapeOf(g);
  product.a = job.w;
  product.b.type = job.x.type;
  product.y_type = job.y_type;
  product.y = job.y;
  product.a_zero_point = Joined(job.w_zero_point);
  product.b_zero_point = {job.x_zero_point};
  product.bias = job.bias;
  product.a_scale = Joined(job.w_scale);
  product.b_scale = {job.x_scale};
  product.y_scale = job.y_scale;
  product.y_zero_point = job.y_zero_point;
  product.threads = options.threads;
  std::optional<PackedWeights> made;
  if (packed == nullptr) {
    made.emplace(PackedWeights(job.w, products, options.threads));
    packed = &*made;
  }
  if (IsDepthwise(g)) {
    ConvolveDepthwise(g, product, job.x, packed->taps(), target);
    return;
  }
  const ConvolutionKernels& kernels = *convolution::KernelsOf(target);
  std::optional<Phases> phases;
  if (HasPhases(g)) phases = MakePhases(g, job.x, kernels, options.threads);
  const auto new_maker = [&] {
    return PanelMaker(g, job.x, phases ? &*phases : nullptr, job.x_zero_point, kernels,
                      products.form);
  };
  const Panels form = FormOfPanels(job.x.type, product.shape.b_matrices, product.shape.k,
                                   product.shape.n, products);
  MultiplyIntegers(product, packed->rows(), form, [&]() -> MakePanel {
    const auto maker = std::make_shared<PanelMaker>(new_maker());
    return [maker](int64_t matrix, size_t column, size_t valid, size_t width,
                   uint32_t* words) {
      maker->Choose(column, valid, width);
      maker->LayOut(matrix, words);
    };
  });
}

}  // namespace qconform::simd
