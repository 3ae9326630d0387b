#include "cases/operators/mat_mul_integer/question.h"

#include <algorithm>
#include <utility>

#include "cases/matmul/sizes.h"

namespace qconform::generators {
namespace {

uint8_t NotZero(const ByteType& type, CounterRng& rng) {
  const int value = static_cast<int>(rng.Between(type.low(), type.high() - 1));
  return type.CodeOf(value < 0 ? value : value + 1);
}

uint8_t Single(const ByteType& type, uint32_t turn, CounterRng& rng) {
  const uint8_t any = NotZero(type, rng);  // always drawn
  switch (turn % kSingleZeroPoints) {
    case 0:
      return any;
    case 1:
      return type.CodeOf(type.high());
    case 2:
      return type.CodeOf(type.low());
    case 3:
      return type.CodeOf(type.middle());
    case 4:
      return type.CodeOf(type.middle() + 1);
    case 5:
      return type.CodeOf(type.is_signed ? -1 : 1);
    case 6:
      return any | 1;
    default:
      return 0;
  }
}

void SetVector(const ByteType& type, ZeroPoints pattern, CounterRng& rng,
               std::vector<uint8_t>& codes) {
  const uint8_t first = NotZero(type, rng);
  const auto ends = [&](size_t i) {
    return type.CodeOf(i % 2 == 0 ? type.low() : type.high());
  };
  for (size_t i = 0; i < codes.size(); ++i) {
    const uint8_t any = NotZero(type, rng);
    const bool is_end = i == 0 || i + 1 == codes.size();
    switch (pattern) {
      case ZeroPoints::kDifferent:
        codes[i] = any;
        if (i > 0 && any == codes[i - 1]) {  // 1 above, past 0
          codes[i] = static_cast<uint8_t>(any == 255 ? 1 : any + 1);
        }
        break;
      case ZeroPoints::kEnds:
        codes[i] = ends(i);
        break;
      case ZeroPoints::kNoneAtFirst:
        codes[i] = i == 0 ? 0 : any;
        break;
      case ZeroPoints::kNoneButTheLast:
        codes[i] = i + 1 == codes.size() ? any : 0;
        break;
      case ZeroPoints::kAllEqual:
        codes[i] = first;
        break;
      case ZeroPoints::kNoneAtBothEnds:
        codes[i] = is_end ? 0 : any;
        break;
    }
  }
}

}  // namespace

uint8_t ByteType::CodeOf(int64_t value) const {
  return static_cast<uint8_t>(std::clamp<int64_t>(value, low(), high()));
}

MatMulIntegerQuestion::MatMulIntegerQuestion(const Cell& cell_in,
                                             const MatMulIntegerVariant& variant_in,
                                             int index_in, CounterRng rng_in)
    : cell(cell_in),
      variant(variant_in),
      index(index_in),
      a_type{cell_in.types[0] == DataType::kInt8},
      b_type{cell_in.types[1] == DataType::kInt8},
      rng(rng_in) {}

void MatMulIntegerQuestion::SetSizes(MatMulSizes sizes) {
  const MatMulForms forms = variant.forms();
  FitMatMulSizes(cell, forms, sizes);
  layout = MakeMatMulLayout(cell, forms, std::move(sizes));
  const MatMulSizes& s = layout.sizes;
  a.assign(static_cast<size_t>(layout.a_matrices * s.rows * s.k), 0);
  b.assign(static_cast<size_t>(layout.b_matrices * s.k * s.columns), 0);
  a_zero_points.assign(static_cast<size_t>(layout.a_channels()), 0);
  b_zero_points.assign(static_cast<size_t>(layout.b_channels()), 0);
}

void MatMulIntegerQuestion::SetZeroPoints(uint32_t a_turn, uint32_t b_turn) {
  const auto set = [&](const ByteType& type, bool is_there, uint32_t turn,
                       std::vector<uint8_t>& codes) {
    if (!is_there) return;
    if (codes.size() == 1) {
      codes[0] = Single(type, turn, rng);
    } else {
      SetVector(type, static_cast<ZeroPoints>(turn % kZeroPointPatterns), rng, codes);
    }
  };
  set(a_type, variant.has_a(), a_turn, a_zero_points);
  set(b_type, variant.has_b(), b_turn, b_zero_points);
}

void MatMulIntegerQuestion::FillCodes() {
  for (uint8_t& code : a) code = static_cast<uint8_t>(rng.Next32());
  for (uint8_t& code : b) code = static_cast<uint8_t>(rng.Next32());
  const int64_t terms = layout.sizes.k;
  if (terms == 0) return;
  MakeCount(terms - 1);
  if (terms > 1) MakeCount(terms - 2);
  MakeCount(0);
}

void MatMulIntegerQuestion::MakeCount(int64_t k) {
  const MatMulSizes& sizes = layout.sizes;
  for (int64_t m = 0; m < layout.a_matrices; ++m) {
    for (int64_t row = 0; row < sizes.rows; ++row) {
      if (a[AIndex(m, row, k)] == AZeroPoint(m, row)) a[AIndex(m, row, k)] ^= 1;
    }
  }
  for (int64_t m = 0; m < layout.b_matrices; ++m) {
    for (int64_t column = 0; column < sizes.columns; ++column) {
      if (b[BIndex(m, k, column)] == BZeroPoint(m, column)) b[BIndex(m, k, column)] ^= 1;
    }
  }
}

size_t MatMulIntegerQuestion::AIndex(int64_t matrix, int64_t row, int64_t k) const {
  return static_cast<size_t>((matrix * layout.sizes.rows + row) * layout.sizes.k + k);
}

size_t MatMulIntegerQuestion::BIndex(int64_t matrix, int64_t k, int64_t column) const {
  return static_cast<size_t>((matrix * layout.sizes.k + k) * layout.sizes.columns +
                             column);
}

uint8_t MatMulIntegerQuestion::AZeroPoint(int64_t matrix, int64_t row) const {
  return a_zero_points[static_cast<size_t>(layout.a_channel(matrix, row))];
}

uint8_t MatMulIntegerQuestion::BZeroPoint(int64_t matrix, int64_t column) const {
  return b_zero_points[static_cast<size_t>(layout.b_channel(matrix, column))];
}

void MatMulIntegerQuestion::SetA(int64_t matrix, int64_t row, int64_t k,
                                 int64_t difference) {
  const int zero_point = a_type.ValueOf(AZeroPoint(matrix, row));
  a[AIndex(matrix, row, k)] = a_type.CodeOf(zero_point + difference);
}

void MatMulIntegerQuestion::SetB(int64_t matrix, int64_t k, int64_t column,
                                 int64_t difference) {
  const int zero_point = b_type.ValueOf(BZeroPoint(matrix, column));
  b[BIndex(matrix, k, column)] = b_type.CodeOf(zero_point + difference);
}

}  // namespace qconform::generators
