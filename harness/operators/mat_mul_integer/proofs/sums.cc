#include "harness/operators/mat_mul_integer/proofs/sums.h"

namespace qconform::mat_mul_integer {
namespace {

using integer_sums::AskedLines;
using integer_sums::Kind;
using integer_sums::kLines;
using integer_sums::Lines;
using integer_sums::Sums;

constexpr int64_t kRowsPerModel = 16;
constexpr int64_t kModelsPerChunk = 16;

// A chunk has the rows with one high byte, and all columns.
int64_t ModelsPerChunk(Kind) { return kModelsPerChunk; }
Lines LinesOf(Kind, int64_t chunk, int64_t model) {
  const auto first =
      static_cast<uint64_t>((chunk * kModelsPerChunk + model) * kRowsPerModel);
  return {.a = {first, kRowsPerModel}, .b = {0, kLines}};
}

// Products have zero points by row and by column.
AskedLines Ask(Kind kind, const Sums& sums, const Lines& lines) {
  const auto m = static_cast<int64_t>(lines.a.count);
  const auto n = static_cast<int64_t>(lines.b.count);
  const bool is_products = kind == Kind::kProducts;
  const int64_t k = is_products ? 1 : 2;
  AskedLines asked{
      .a = Tensor::Zeros(sums.a, {m, k}),
      .b = Tensor::Zeros(sums.b, {k, n}),
      .a_zero_point = Tensor::Zeros(sums.a, is_products ? Shape{m} : Shape{}),
      .b_zero_point = Tensor::Zeros(sums.b, is_products ? Shape{n} : Shape{}),
      .y_shape = {m, n}};
  WriteLines(kind, lines.a, /*is_line_innermost=*/false, asked.a, asked.a_zero_point);
  WriteLines(kind, lines.b, /*is_line_innermost=*/true, asked.b, asked.b_zero_point);
  return asked;
}

}  // namespace

integer_sums::SumsOperator SumsOfProduct() {
  return {.op_type = "MatMulInteger",
          .a = "A",
          .b = "B",
          .a_zero_point = "a_zero_point",
          .b_zero_point = "b_zero_point",
          .y = "Y",
          .products_kind = "integer-products",
          .pairs_kind = "integer-pairs",
          .models_per_chunk = ModelsPerChunk,
          .lines = LinesOf,
          .ask = Ask};
}

}  // namespace qconform::mat_mul_integer
