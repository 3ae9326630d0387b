// Weights alone are quantized: DequantizeLinear of weights, MatMul with float
// activations.
#include <algorithm>

#include "cases/graphs/makers.h"
#include "cases/graphs/question.h"
#include "oracle/formats/codes.h"

namespace qconform::generators {
namespace {

// One activation is this many powers of two above the others: whoever rounds activations
// to 8 bits loses these.
constexpr int kOutlier = 10;

}  // namespace

void MakeWeightsAlone(GraphQuestion& question) {
  const std::vector<DataType>& types = question.cell.types;
  const DataType scale = types[1];
  const NumberFormat& format = FormatOf(scale);
  constexpr int64_t kTerms[] = {16, 8, 32, 4, 24, 64};
  int64_t terms =
      question.plan.elements > 0 ? question.plan.elements : kTerms[question.index % 6];
  // BFLOAT16 holds no more small products.
  if (question.plan.exact && scale == DataType::kBfloat16) terms = 8;
  const int64_t rows = 3;
  const int64_t columns = question.index % 3 == 1 ? 7 : 5;

  // (1) Weights: [terms, columns].
  // A last block that is shorter, one block, two, four.
  constexpr int64_t kBlocks[] = {3, 1, 2, 4};
  const int64_t block_size = std::max<int64_t>(terms / kBlocks[question.index % 4], 1);
  const int64_t blocks = (terms + block_size - 1) / block_size;
  const bool along_sum = question.index % 4 == 3;
  int64_t channels = 1;
  if (question.per_axis()) channels = along_sum ? terms : columns;
  if (question.blocked()) channels = blocks * columns;
  Parameters w = question.First(types[0], scale, channels, true);
  if (question.per_axis()) question.Along(w, along_sum ? 0 : 1);
  if (question.blocked()) {
    w.axis = 0;
    w.block_size = block_size;
    w.shape = {blocks, columns};
  }
  const Shape w_shape = {terms, columns};
  Tensor weights = question.Codes(types[0], w_shape, w, false);

  // (2) Activations.
  const bool outlier = question.plan.special == 1;
  const int64_t outlier_at = question.rng.Below(static_cast<uint32_t>(terms));
  Tensor x = Tensor::Zeros(scale, {rows, terms});
  for (int64_t i = 0; i < rows * terms; ++i) {
    uint64_t code = 0;
    if (question.plan.exact) {
      code = RoundNearest(format, ToUnrounded(Dyadic(question.rng.Between(-7, 7), -2)));
    } else {
      code = question.Scale(scale, static_cast<int>(question.rng.Between(-3, 0)), true);
      if (question.rng.OneIn(2)) code = Negated(format, code);
    }
    if (outlier && i % terms == outlier_at) {
      code = RoundNearest(format,
                          ToUnrounded(Dyadic(question.rng.Between(5, 7), kOutlier - 2)));
    }
    WriteCode(x.mutable_view(), i, code);
  }
  if (outlier) {
    for (int64_t column = 0; column < columns; ++column) {
      size_t channel = 0;
      if (question.per_axis()) {
        channel = static_cast<size_t>(along_sum ? outlier_at : column);
      } else if (question.blocked()) {
        channel = static_cast<size_t>(outlier_at / block_size * columns + column);
      }
      const uint64_t zero = w.zero_points[channel];
      WriteCode(weights.mutable_view(), outlier_at * columns + column, zero);
    }
  }
  const std::string b =
      question.Dequantize("b", std::move(weights), w, Constant::kWeight);
  question.Apply("MatMul", {question.Feed("a", std::move(x)), b}, "y");
  question.Return("y", scale, {rows, columns});
}

}  // namespace qconform::generators
