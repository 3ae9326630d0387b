// Lengths, ranks, and where the ends of the range lie.
#include <cstdint>
#include <iterator>

#include "cases/operators/dynamic_quantize_linear/cases.h"

namespace qconform::generators {
namespace {

constexpr int kShort = 64;
constexpr int kRounds = 3;
constexpr int64_t kLong[] = {
    65,   66,   79,   80,   81,   95,   96,   97,   111,  127,  128,    129,   159,
    191,  193,  255,  256,  257,  319,  321,  383,  385,  511,  512,    513,   767,
    1023, 1024, 1025, 2047, 2049, 4095, 4096, 4097, 8191, 8193, 16'385, 33'001};

const Shape& ShapeAt(int index) {
  static const Shape kShapes[] = {{},
                                  {1},
                                  {2},
                                  {3, 5},
                                  {2, 5, 3},
                                  {1, 1},
                                  {2, 3, 4},
                                  {5, 3, 1, 7},
                                  {1, 3, 1, 5, 1, 3, 1, 7},
                                  {2, 3, 2, 1, 3},
                                  {2, 1, 2, 3, 1, 5},
                                  {2, 1, 2, 1, 2, 3, 2},
                                  {1, 1, 1, 1, 1, 1, 1, 1},
                                  {2, 2},
                                  {1, 64},
                                  {64, 1},
                                  {7, 9, 2},
                                  {8, 8, 8},
                                  {1, 3, 16, 14},
                                  {130, 2},
                                  {33, 31},
                                  {3, 1, 2, 1},
                                  {2, 3, 2, 2, 2, 3},
                                  {2, 2, 2, 2, 2, 2, 2, 2}};
  return kShapes[static_cast<size_t>(index) % std::size(kShapes)];
}
constexpr int kShapes = 24;

// Sets a range whose scale has few bits, so that every multiple and a half of it is a
// FLOAT, and returns a boundary of y at which x / scale, rounded away from zero or by a
// reciprocal, comes to another integer.
int SetRangeWithTies(DynamicQuantizeQuestion& question) {
  CounterRng& rng = question.rng;
  constexpr int kMostTries = 400;
  int boundary = 0;
  for (int i = 0; i < kMostTries; ++i) {
    const int64_t scale = 2 * rng.Below(1 << 11) + 1;
    const auto exponent = static_cast<int>(rng.Between(-20, 4));
    const int zero_point = static_cast<int>(rng.Between(100, 156));
    question.SetRange(FloatCode(-scale * zero_point, exponent),
                      FloatCode(scale * (255 - zero_point), exponent));
    // k + 1/2 with an even k: to the even one and away from zero differ.
    const auto k = static_cast<int>(2 * rng.Below(18));
    boundary = zero_point + k + 1;
    if (DiffersByReciprocal(FloatValue(question.BesideBoundary(boundary, 0)),
                            question.scale())) {
      break;
    }
  }
  return boundary;
}

void FillLong(DynamicQuantizeQuestion& question) {
  question.SetAnyRange(RangeKind::kBothSigns,
                       static_cast<int>(question.rng.Between(-8, 8)));
  question.FillInside();
  for (uint32_t& code : question.x) {
    if (!question.rng.OneIn(4)) continue;
    const auto boundary = static_cast<int>(question.rng.Between(64, 192));
    code =
        question.BesideBoundary(boundary, static_cast<int>(question.rng.Between(-1, 1)));
  }
}

}  // namespace

int DynamicLengthCount() { return kRounds * kShort + static_cast<int>(std::size(kLong)); }

void FillDynamicLengths(DynamicQuantizeQuestion& question) {
  const int index = question.index % DynamicLengthCount();
  const bool is_short = index < kRounds * kShort;
  const int64_t length = is_short ? index % kShort + 1
                                  : kLong[static_cast<size_t>(index - kRounds * kShort)];
  question.SetLength(length);
  const int tie = SetRangeWithTies(question);
  for (uint32_t& code : question.x) {
    if (question.rng.OneIn(2)) {
      code = question.BesideBoundary(static_cast<int>(question.rng.Between(64, 192)), 0);
    } else {
      code = question.AnyWithin(/*inner=*/true);
    }
  }
  // Both ends of the range at those of x, then one of them, then a tie.
  const int64_t last = length - 1;
  switch (is_short ? index / kShort : index % kRounds) {
    case 0:
      return question.PutEnds(0, last);
    case 1:
      return question.PutEnds(last, length / 3);
    default:
      question.x[static_cast<size_t>(last)] = question.BesideBoundary(tie, 0);
      // One or two elements have no room for both.
      return question.PutEnds(0, length / 2 == last ? 0 : length / 2);
  }
}

void FillEndPlaces(DynamicQuantizeQuestion& question) {
  const int64_t place = question.index % kEndPlaces;
  question.SetLength(2 * kEndPlaces + place % 64 + 1);
  // In the first or in the second of two rounds.
  const int64_t lowest = (place * 37 + 11) % kEndPlaces;
  const int64_t round = question.index / 2 % 2;
  question.SetAnyRange(RangeKind::kBothSigns,
                       static_cast<int>(question.rng.Between(-8, 8)));
  question.FillInside();
  question.PutEnds(lowest + (1 - round) * kEndPlaces, place + round * kEndPlaces);
}

int DynamicShapeCount() { return kShapes; }

void FillDynamicShapes(DynamicQuantizeQuestion& question) {
  question.SetShape(ShapeAt(question.index));
  question.SetAnyRange(question.KindByTurn(question.index),
                       static_cast<int>(question.rng.Between(-8, 8)));
  question.Fill();
  question.PutEnds();
}

void FillDynamicSizes(DynamicQuantizeQuestion& question) {
  const int64_t length = question.index % kMostCoveredLength + 1;
  const int rank = question.index / kMostCoveredLength % kCoveredRanks + 1;
  Shape shape(static_cast<size_t>(rank), 1);
  shape[static_cast<size_t>(length) % shape.size()] = length;
  question.SetShape(shape);
  question.SetAnyRange(question.KindByTurn(static_cast<int>(question.rng.Below(64))),
                       static_cast<int>(question.rng.Between(-8, 8)));
  question.Fill();
  question.PutEnds();
}

void FillDynamicLarge(DynamicQuantizeQuestion& question) {
  static const Shape kLarge[kDynamicLarge] = {
      {65'537}, {3, 20'001}, {100'003}, {7, 129, 33}};
  question.SetShape(kLarge[question.index % kDynamicLarge]);
  FillLong(question);
  question.PutEnds();
}

void FillDynamicHuge(DynamicQuantizeQuestion& question) {
  static const Shape kHuge[] = {{3, 70'001}, {1'048'583}};
  question.SetShape(kHuge[question.index % 2]);
  FillLong(question);
  // At both ends of x: each lies in another part of a kernel with threads.
  const int64_t last = question.size() - 1;
  question.PutEnds(question.index % 2 == 0 ? last : 1,
                   question.index % 2 == 0 ? 1 : last);
}

}  // namespace qconform::generators
