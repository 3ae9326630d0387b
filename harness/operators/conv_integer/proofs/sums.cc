#include "harness/operators/conv_integer/proofs/sums.h"

#include <vector>

namespace qconform::conv_integer {
namespace {

using integer_sums::AskedLines;
using integer_sums::Kind;
using integer_sums::kLines;
using integer_sums::Lines;
using integer_sums::Sums;

constexpr uint64_t kCodes = 256;
constexpr int64_t kModelsPerChunk = 16;

int64_t ModelsPerChunk(Kind) { return kModelsPerChunk; }

// x has one zero point. So a chunk of products has the lines of x with one high byte, and
// its models take turns at the channels. A chunk of pairs has the channels with one high
// byte of w.
Lines LinesOf(Kind kind, int64_t chunk, int64_t model) {
  const auto c = static_cast<uint64_t>(chunk);
  const auto m = static_cast<uint64_t>(model);
  if (kind == Kind::kProducts) {
    constexpr uint64_t kChannels = kLines / kModelsPerChunk;
    return {.a = {c * kCodes, kCodes}, .b = {m * kChannels, kChannels}};
  }
  constexpr uint64_t kChannels = kCodes / kModelsPerChunk;
  return {.a = {0, kLines}, .b = {c * kCodes + m * kChannels, kChannels}};
}

// A row of x and one output channel for each line of w. Products have a kernel of 1 and a
// zero point for each channel. Pairs have a kernel of 2 with a stride of 2, so that two
// elements of x are a line.
AskedLines Ask(Kind kind, const Sums& sums, const Lines& lines) {
  const auto pixels = static_cast<int64_t>(lines.a.count);
  const auto channels = static_cast<int64_t>(lines.b.count);
  const bool is_products = kind == Kind::kProducts;
  const int64_t kernel = is_products ? 1 : 2;
  AskedLines asked{
      .a = Tensor::Zeros(sums.a, {1, 1, pixels * kernel}),
      .b = Tensor::Zeros(sums.b, {channels, 1, kernel}),
      .a_zero_point = Tensor::Zeros(sums.a, {}),
      .b_zero_point = Tensor::Zeros(sums.b, is_products ? Shape{channels} : Shape{}),
      .attributes = {{"strides", std::vector<int64_t>{kernel}}},
      .y_shape = {1, channels, pixels}};
  WriteLines(kind, lines.a, /*is_line_innermost=*/false, asked.a, asked.a_zero_point);
  WriteLines(kind, lines.b, /*is_line_innermost=*/false, asked.b, asked.b_zero_point);
  return asked;
}

}  // namespace

integer_sums::SumsOperator SumsOfConvolution() {
  return {.op_type = "ConvInteger",
          .a = "x",
          .b = "w",
          .a_zero_point = "x_zero_point",
          .b_zero_point = "w_zero_point",
          .y = "y",
          .products_kind = "convolution-products",
          .pairs_kind = "convolution-pairs",
          .is_b_outer = true,
          .models_per_chunk = ModelsPerChunk,
          .lines = LinesOf,
          .ask = Ask};
}

}  // namespace qconform::conv_integer
