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
// Rows and columns of all sizes to beyond the tiles of kernels: 4 to 6 rows, 16 and 32 of
// both, 48 and 64 columns.
constexpr int64_t kRows = 34;
constexpr int64_t kColumns = 66;
constexpr int64_t kMostProducts = 100'000;

// Takes from the longer side until the product is small enough.
void Shorten(int64_t& rows, int64_t& columns, int64_t k) {
  while (rows * columns * k > kMostProducts && rows * columns > 6) {
    int64_t& side = rows > columns ? rows : columns;
    side = (side + 1) / 2;
  }
}

}  // namespace

int64_t LengthAt(int index) {
  if (index >= kThirdRoundOfLengths) index -= kThirdRoundOfLengths;
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
  const auto turn = static_cast<int64_t>(HashOfTypes(question.cell).hash() % 64);
  const int64_t place = question.index;
  const int64_t k = LengthAt(question.index);
  int64_t rows = 1 + (place * 13 + turn) % kRows;
  int64_t columns = 1 + (place * 29 + turn) % kColumns;
  if (question.index >= kThirdRoundOfLengths) {
    // A matrix and a vector, which many kernels have a path of its own for.
    ((place + turn) % 2 == 0 ? rows : columns) = 1;
  }
  Shorten(rows, columns, k);
  question.SetSizes({{}, {}, rows, k, columns});
  // Zero points that are 0 hide a correction for a wrong K. In the first round none is,
  // in the others some are.
  const auto kind = static_cast<uint32_t>(place + turn);
  if (question.index < kSecondRoundOfLengths) {
    question.SetZeroPoints(0, 0);
  } else {
    question.SetZeroPoints(kind, kind / 2);
  }
  question.FillCodes();
}

}  // namespace qconform::generators
