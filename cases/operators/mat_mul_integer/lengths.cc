// K of every length that kernels end a loop at.
#include <array>
#include <cstdint>
#include <iterator>

#include "cases/operators/mat_mul_integer/cases.h"

namespace qconform::generators {
namespace {

constexpr int64_t kVeryLong[kVeryLongLengths] = {
    255,  256,  257,  511,  512,  513,  639,  767,  768,  769,  1023, 1024,
    1025, 1535, 2047, 2048, 2049, 3073, 4095, 4096, 4097, 8191, 8193};
// Rows and columns around the tiles of kernels: 4 to 6 rows, 16 and 32 of both, 48 and 64
// columns.
constexpr int64_t kRows[] = {5, 1, 17, 4, 33, 2, 7, 16, 3, 12, 32, 6, 9, 15, 8, 13, 31};
constexpr int64_t kColumns[] = {17, 33, 1,  16, 7,  65, 32, 9,  3, 48,
                                15, 64, 31, 8,  49, 4,  24, 63, 2};
constexpr int64_t kMostProducts = 40'000;

// Takes from the longer side until the product is small enough.
void Shorten(int64_t& rows, int64_t& columns, int64_t k) {
  while (rows * columns * k > kMostProducts && rows * columns > 6) {
    int64_t& side = rows > columns ? rows : columns;
    side = (side + 1) / 2;
  }
}

}  // namespace

int64_t LengthAt(int index) {
  if (index >= kSecondRoundOfLengths) index -= kSecondRoundOfLengths;
  if (index < kFirstLongLength) return index;
  if (index < kFirstVeryLongLength) {
    const int remainder = index - kFirstLongLength;
    return 128 + 64 * (remainder * 5 % 8) + remainder;
  }
  return kVeryLong[static_cast<size_t>(index - kFirstVeryLongLength) %
                   std::size(kVeryLong)];
}

void FillIntegerLengths(MatMulIntegerQuestion& question) {
  const auto place = static_cast<size_t>(question.index);
  const uint64_t turn = HashOfTypes(question.cell).hash() % 64 + place;
  const int64_t k = LengthAt(question.index);
  int64_t rows = kRows[turn % std::size(kRows)];
  int64_t columns = kColumns[turn % std::size(kColumns)];
  Shorten(rows, columns, k);
  question.SetSizes({{}, {}, rows, k, columns});
  // Zero points that are 0 hide a correction for a wrong K. In the first round none is,
  // in the second one some are.
  const auto kind = static_cast<uint32_t>(turn);
  if (question.index < kSecondRoundOfLengths) {
    question.SetZeroPoints(0, 0);
  } else {
    question.SetZeroPoints(kind, kind / 2);
  }
  question.FillCodes();
}

}  // namespace qconform::generators
