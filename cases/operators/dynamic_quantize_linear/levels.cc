// The frozen lists: what the one cell is asked at each level.
#include <string_view>
#include <utility>

#include "cases/operators/dynamic_quantize_linear/cases.h"

namespace qconform::generators {
namespace {

class List {
 public:
  // Adds `count` indices of a generator, `step` apart.
  void Add(std::string_view generator, int count, int first = 0, int step = 1) {
    for (int i = 0; i < count; ++i) {
      contents_.push_back({"plain", generator, first + step * i});
    }
  }
  // Adds each length four times: there are more opset_versions than elsewhere.
  void AddSizes() {
    constexpr int kRounds = 4;
    constexpr int kRemainders = 8;
    for (int i = 0; i < kRounds * kMostCoveredLength; ++i) {
      const int place = i % kMostCoveredLength;  // one less than the length
      const int rank = (place + i / kMostCoveredLength) % kCoveredRanks;
      contents_.push_back({"plain",
                           "sizes",
                           kMostCoveredLength * rank + place,
                           {(place + 1) % kRemainders, rank}});
    }
  }
  std::vector<ContentName> Take() { return std::move(contents_); }

 private:
  std::vector<ContentName> contents_;
};

// A few contents, which find most wrong implementations.
std::vector<ContentName> Smoke() {
  List list;
  list.Add("scales", 2 * kWrongScales);
  list.Add("zero_points", kWrongZeroPoints);
  list.Add("zero_point_ties", 8);
  list.Add("one_sided", 6);
  list.Add("ties", 5);
  list.Add("quotients", 3);
  list.Add("lengths", 9, 0, 9);
  list.Add("end_places", 6, 5, 23);
  list.Add("shapes", 9);
  list.Add("constant", 4);
  list.Add("subnormal", 8);
  list.Add("range_ends", 5);
  list.Add("specials", 4);
  list.Add("random", 3);
  return list.Take();
}

std::vector<ContentName> Standard() {
  List list;
  list.Add("scales", 20 * kWrongScales);
  list.Add("zero_points", 12 * kWrongZeroPoints);
  list.Add("zero_point_ties", 64);
  list.Add("one_sided", kOneSided);
  list.Add("ties", 48);
  list.Add("quotients", 24);
  list.Add("lengths", DynamicLengthCount());
  list.Add("end_places", kEndPlaces);
  list.Add("shapes", DynamicShapeCount());
  list.Add("constant", kDynamicConstant);
  list.Add("subnormal", kDynamicSubnormal);
  list.Add("range_ends", kDynamicRangeEnds);
  list.Add("specials", kDynamicSpecials);
  list.Add("random", 24);
  list.Add("large", kDynamicLarge);
  list.AddSizes();
  return list.Take();
}

}  // namespace

std::vector<ContentName> DynamicQuantizeContents(const Cell&, Level level) {
  if (level == Level::kSmoke) return Smoke();
  std::vector<ContentName> contents = Standard();
  if (level == Level::kExhaustive) {
    for (const int index : {0, 1}) contents.push_back({"plain", "huge", index});
  }
  return contents;
}

}  // namespace qconform::generators
