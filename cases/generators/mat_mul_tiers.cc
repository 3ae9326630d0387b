// Degenerate scales, and special values of float8 operands.
#include <algorithm>
#include <vector>

#include "cases/generators/mat_mul_cases.h"

namespace qconform::generators {
namespace {

// The codes of a float8 type that are no finite numbers, with zeros and ends.
std::vector<uint8_t> SpecialCodesOf(DataType type) {
  const NumberFormat& format = FormatOf(type);
  std::vector<uint64_t> codes{0, LargestFinite(format), SmallestPositive(format)};
  if (format.has_negative_zero) codes.push_back(Negated(format, 0));
  codes.push_back(Negated(format, LargestFinite(format)));
  if (format.nan != NanEncoding::kNone) codes.push_back(CanonicalNan(format));
  if (format.nan == NanEncoding::kIeee) codes.push_back(Infinity(format, true) | 1);
  if (format.has_infinity) {
    codes.push_back(Infinity(format, false));
    codes.push_back(Infinity(format, true));
  }
  return {codes.begin(), codes.end()};
}

// A degenerate scale (MM-20), by turns.
uint64_t Degenerate(MatMulQuestion& question, uint32_t turn) {
  const NumberFormat& scale = question.scale;
  const uint64_t ordinary = question.ScaleCode(MatMulScaleFamily::kFull, -2);
  switch (turn % 9) {
    case 0:
      return Negated(scale, ordinary);
    case 1:
      return 0;
    case 2:
      return SmallestNormal(scale) - 1 - question.rng.Below(9);
    case 3:
      return Infinity(scale, false);
    case 4:
      return LargestFinite(scale) - question.rng.Below(9);
    case 5:
      return CanonicalNan(scale);
    case 6:
      return SmallestPositive(scale);
    case 7:
      return Negated(scale, 0);
    default:
      return SmallestNormal(scale);
  }
}

}  // namespace

void FillMatMulDegenerate(MatMulQuestion& question) {
  FillMatMulRandom(question);
  // By turns a scale of a, of b, of y; every other channel stays ordinary.
  const auto turn = static_cast<uint32_t>(question.index);
  const auto spoil = [&](std::vector<uint64_t>& codes) {
    uint32_t each = turn;
    for (size_t i = 0; i<codes.size(); i += codes.size()> 1 ? 2 : 1) {
      codes[i] = Degenerate(question, each++);
    }
  };
  switch (question.index % 3) {
    case 0:
      spoil(question.a_scales);
      break;
    case 1:
      spoil(question.b_scales);
      break;
    default:
      question.y_scale = Degenerate(question, turn);
      break;
  }
}

void FillMatMulSpecials(MatMulQuestion& question) {
  FillMatMulRandom(question);
  CounterRng& rng = question.rng;
  const auto spoil = [&](DataType type, std::vector<uint8_t>& codes, uint32_t one_in) {
    if (IsInteger(type)) return;
    const std::vector<uint8_t> specials = SpecialCodesOf(type);
    for (uint8_t& code : codes) {
      if (rng.OneIn(one_in)) code = rng.Pick(specials);
    }
  };
  const auto k = static_cast<uint32_t>(std::max<int64_t>(question.layout.sizes.k, 1));
  // About one special value in the operands of every second sum.
  spoil(question.cell.types[1], question.a, 2 * k);
  spoil(question.cell.types[2], question.b, 2 * k);
  if (question.index % 2 == 1) {
    spoil(question.cell.types[1], question.a_zero_points, 3);
    spoil(question.cell.types[2], question.b_zero_points, 3);
  }
  if (!question.integer_y() && question.index % 3 == 2) {
    question.y_zero_point = rng.Pick(SpecialCodesOf(question.cell.types[3]));
  }
}

}  // namespace qconform::generators
