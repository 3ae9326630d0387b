// Lengths, ranks, and where the ends of the range lie.
#include <cstdint>
#include <iterator>

#include "cases/operators/dynamic_quantize_linear/cases.h"

namespace qconform::generators {
namespace {

constexpr int kShort = 64;
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

int DynamicLengthCount() { return 2 * kShort + static_cast<int>(std::size(kLong)); }

void FillDynamicLengths(DynamicQuantizeQuestion& question) {
  const int index = question.index % DynamicLengthCount();
  const int64_t length = index < 2 * kShort
                             ? index % kShort + 1
                             : kLong[static_cast<size_t>(index - 2 * kShort)];
  question.SetLength(length);
  const int64_t last = length - 1;
  question.SetAnyRange(RangeKind::kBothSigns,
                       static_cast<int>(question.rng.Between(-8, 8)));
  question.FillInside();
  // Both ends of x, then the last element and one in the middle.
  const bool is_first_round = index < kShort || index % 2 == 0;
  question.PutEnds(is_first_round ? 0 : last, is_first_round ? last : length / 3);
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
