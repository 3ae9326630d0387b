// Codes and zero points that kernels get wrong, in products of all shapes.
#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <utility>

#include "cases/matmul/covered_sizes.h"
#include "cases/matmul/sizes.h"
#include "cases/operators/mat_mul_integer/cases.h"

namespace qconform::generators {
namespace {

// Which kind of zero point is 0, and which is in the middle of the codes.
constexpr uint32_t kNone = kSingleZeroPoints - 1;
constexpr uint32_t kMiddle = 3;

// A code for place k of a row or column of a pattern. Pairs of such codes leave INT16,
// whether a kernel takes them as they are or moves them by 128.
uint8_t EndCode(const ByteType& type, int pattern, int64_t k, CounterRng& rng) {
  const auto near_end = static_cast<int64_t>(rng.Below(56));  // 200 to 255
  const auto high = [&](bool is_high, int64_t near = 0) {
    return type.CodeOf(is_high ? type.high() - near : type.low() + near);
  };
  switch (pattern) {
    case 0:
      return high(true);
    case 1:
      return high(false);
    case 2:
      return high(true, near_end);
    case 3:
      return high(k % 4 < 2);
    case 4:
      return high(k % 2 == 0);
    default:
      return high(rng.OneIn(2), near_end / 8);
  }
}
constexpr int kEndPatterns = 6;

// Where the one run of large codes of a column begins: first the last whole one.
int64_t RunOf(int64_t turn, int64_t length, int64_t k) {
  const int64_t runs = k / length;
  return runs == 0 ? 0 : (runs - 1 + turn * 5) % runs * length;
}

// Every second column has one pair or four of large codes, and codes in the middle of the
// type elsewhere: a kernel that is wrong at one place of K is seen.
uint8_t ColumnCode(const MatMulIntegerQuestion& question, int64_t column, int64_t k,
                   CounterRng& rng) {
  const ByteType& type = question.b_type;
  if (column % 2 == 0) {
    return EndCode(type, static_cast<int>(column / 2 % kEndPatterns), k, rng);
  }
  const int64_t turn = column / 2;
  const int64_t length = turn % 2 == 0 ? 2 : 4;
  const int64_t first = RunOf(turn / 2 + question.index, length, question.layout.sizes.k);
  if (k < first || k >= first + length) return type.CodeOf(type.middle());
  return type.CodeOf(turn / 2 % 2 == 0 ? type.high() : type.low());
}

// All 256 codes, again and again, in a scattered order.
void FillWithAllCodes(std::vector<uint8_t>& codes, CounterRng& rng) {
  std::array<uint8_t, 256> order{};
  std::iota(order.begin(), order.end(), uint8_t{0});
  for (size_t i = order.size() - 1; i > 0; --i) {
    std::swap(order[i], order[rng.Below(static_cast<uint32_t>(i) + 1)]);
  }
  for (size_t i = 0; i < codes.size(); ++i) codes[i] = order[i % order.size()];
}

}  // namespace

void FillIntegerPairs(MatMulIntegerQuestion& question) {
  static const MatMulSizes kSizes[kIntegerPairs] = {
      {{}, {}, 17, 64, 33}, {{}, {}, 5, 66, 18},   {{}, {}, 1, 256, 65},
      {{}, {}, 33, 35, 6},  {{}, {}, 16, 128, 16}, {{}, {}, 2, 302, 20},
      {{}, {}, 32, 96, 48}, {{}, {}, 4, 1026, 8},  {{}, {}, 7, 63, 31},
      {{}, {}, 18, 192, 32}};
  const auto index = static_cast<size_t>(question.index % kIntegerPairs);
  question.SetSizes(kSizes[index]);
  // Zero points about which the codes of a kernel are centred, and others.
  const auto turn = static_cast<uint32_t>(question.index);
  question.SetZeroPoints(turn % 2 == 0 ? kNone : turn, turn % 3 == 0 ? kMiddle : turn);
  CounterRng& rng = question.rng;
  const MatMulSizes& sizes = question.layout.sizes;
  for (int64_t row = 0; row < sizes.rows; ++row) {
    for (int64_t k = 0; k < sizes.k; ++k) {
      const int pattern = static_cast<int>((row + question.index) % kEndPatterns);
      question.a[question.AIndex(0, row, k)] = EndCode(question.a_type, pattern, k, rng);
    }
  }
  for (int64_t column = 0; column < sizes.columns; ++column) {
    for (int64_t k = 0; k < sizes.k; ++k) {
      question.b[question.BIndex(0, k, column)] = ColumnCode(question, column, k, rng);
    }
  }
}

void FillIntegerZeroPoints(MatMulIntegerQuestion& question) {
  CounterRng& rng = question.rng;
  const auto a_turn = static_cast<uint32_t>(question.index % kSingleZeroPoints);
  const auto b_turn = static_cast<uint32_t>(question.index / kSingleZeroPoints);
  MatMulSizes sizes{{}, {}, 16, 16, 16};
  const bool has_all_codes = (a_turn + b_turn) % 3 == 0;
  if (!has_all_codes) {
    sizes.rows = rng.Between(2, 7);
    sizes.k = rng.Between(1, 9);
    sizes.columns = rng.Between(3, 18);
  }
  question.SetSizes(std::move(sizes));
  question.SetZeroPoints(a_turn, b_turn);
  FillWithAllCodes(question.a, rng);
  FillWithAllCodes(question.b, rng);
  if (has_all_codes) return;
  // Differences that 8 bits do not hold.
  const auto set_ends = [&](const ByteType& type, std::vector<uint8_t>& codes) {
    for (uint8_t& code : codes) {
      if (rng.OneIn(3)) code = type.CodeOf(rng.OneIn(2) ? type.low() : type.high());
    }
  };
  set_ends(question.a_type, question.a);
  set_ends(question.b_type, question.b);
}

void FillIntegerSquares(MatMulIntegerQuestion& question) {
  constexpr int64_t kSides[] = {3, 16, 5, 9, 32, 2, 17, 4, 33, 8, 63, 7};
  constexpr int kKinds = 6;
  const int turn = question.index / kKinds;
  const int64_t side =
      kSides[static_cast<size_t>(question.index + turn) % std::size(kSides)];
  const int64_t small = kSides[static_cast<size_t>(2 + 5 * turn) % 6];
  MatMulSizes sizes{{}, {}, side, side, side};
  switch (question.index % kKinds) {
    case 0:
      break;
    case 1:
      sizes.columns = side + 2;
      break;
    case 2:
      sizes.rows = side + 1;
      break;
    case 3:
      sizes.k = side + 3;
      break;
    case 4:  // as many matrices as rows, terms and columns
      sizes = {{std::min<int64_t>(small, 5)},
               {std::min<int64_t>(small, 5)},
               std::min<int64_t>(small, 5),
               std::min<int64_t>(small, 5),
               std::min<int64_t>(small, 5)};
      break;
    default:  // batches of one operand only, of as many matrices
      sizes = {{}, {}, 3, 3, 3};
      (turn % 2 == 0 ? sizes.a_batch : sizes.b_batch) = {3};
      break;
  }
  question.SetSizes(std::move(sizes));
  question.SetZeroPoints(0, 0);
  question.FillCodes();
}

void FillIntegerShapes(MatMulIntegerQuestion& question) {
  question.SetSizes(ListedMatMulSizes(question.cell, question.variant.forms(),
                                      question.index, question.rng));
  const auto turn = static_cast<uint32_t>(question.index);
  question.SetZeroPoints(turn % 2 == 0 ? 0 : turn, turn % 3 == 0 ? 0 : turn);
  question.FillCodes();
}

void FillIntegerSizes(MatMulIntegerQuestion& question) {
  constexpr int64_t kMostProducts = 20'000;
  question.SetSizes(CoveredMatMulSizes(question.index, kMostProducts));
  question.SetZeroPoints(question.rng.Below(3), question.rng.Below(3));
  question.FillCodes();
}

void FillIntegerTiles(MatMulIntegerQuestion& question) {
  static const MatMulSizes kSizes[kIntegerTiles] = {
      {{}, {}, 65, 130, 63},  {{}, {}, 31, 257, 129}, {{}, {}, 15, 33, 260},
      {{}, {}, 1, 515, 1030}, {{}, {}, 227, 65, 17},  {{}, {}, 18, 1030, 33},
      {{}, {}, 64, 64, 64},   {{3}, {3}, 33, 66, 35}, {{}, {}, 1, 2050, 257},
      {{}, {}, 128, 96, 32},  {{}, {}, 66, 320, 34},  {{2}, {1}, 129, 17, 15}};
  const auto index = static_cast<size_t>(question.index % kIntegerTiles);
  question.SetSizes(kSizes[index]);
  question.SetZeroPoints(question.rng.Below(3), question.rng.Below(3));
  question.FillCodes();
}

void FillIntegerHuge(MatMulIntegerQuestion& question) {
  static const MatMulSizes kSizes[kIntegerHuge] = {
      {{}, {}, 263, 33, 517}, {{}, {}, 5, 5003, 67},  {{}, {}, 1031, 17, 131},
      {{}, {}, 35, 5003, 9},  {{}, {}, 65, 130, 515}, {{}, {}, 1, 4099, 1027},
      {{3}, {}, 257, 65, 66}, {{}, {}, 3, 9001, 33}};
  const auto index = static_cast<size_t>(question.index % kIntegerHuge);
  question.SetSizes(kSizes[index]);
  question.SetZeroPoints(question.rng.Below(3), question.rng.Below(3));
  question.FillCodes();
}

void FillIntegerRandom(MatMulIntegerQuestion& question) {
  CounterRng& rng = question.rng;
  MatMulSizes sizes;
  sizes.rows = rng.Between(1, 20);
  sizes.k = rng.Between(1, 150);
  sizes.columns = rng.Between(1, 40);
  if (rng.OneIn(3)) sizes.a_batch = {2};
  if (rng.OneIn(3)) sizes.b_batch = {rng.Between(1, 3), 2};
  question.SetSizes(std::move(sizes));
  question.SetZeroPoints(rng.Below(kSingleZeroPoints), rng.Below(kSingleZeroPoints));
  question.FillCodes();
}

}  // namespace qconform::generators
