#include "harness/operators/quantize_linear/proofs/boundary_inputs.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "harness/operators/quantize_linear/proofs/boundaries.h"

namespace qconform::quantize_linear {
namespace {

constexpr uint32_t kOne = 0x3F800000;  // the scale 1
constexpr uint32_t kSign = 0x80000000;
constexpr uint32_t kInfinity = 0x7F800000;
constexpr size_t kMostInGroup = 1024;  // boundaries; their x stay in L1

// Lays out the x and the expected codes.
void Finish(DataType y, const std::vector<std::pair<uint32_t, ElementAnswer>>& specials,
            BoundaryGroup& group) {
  const size_t n = group.count;
  group.width = (n + (specials.size() + 1) / 2 + 31) / 32 * 32;
  group.midpoints.resize(group.width);
  group.answers.resize(2 * group.width);
  for (size_t i = 0; i < group.width; ++i) {
    const Boundary& boundary = (*group.side)[group.begin + std::min(i, n - 1)];
    group.midpoints[i] = boundary.midpoint;
    group.answers[i] = boundary.inner;
    group.answers[group.width + i] = boundary.outer;
  }
  for (size_t i = 0; i < specials.size(); ++i) {
    const size_t at = i % 2 * group.width + n + i / 2;
    group.specials.push_back({at, specials[i].first});
    group.answers[at] = specials[i].second;
  }
  group.codes.resize(2 * group.width * (BitWidth(y) == 16 ? 2 : 1));
  for (size_t i = 0; i < group.answers.size(); ++i) {
    StoreCode(y, group.answers[i].code, i, group.codes);
  }
  group.inputs = 2 * n + specials.size();
}

ElementAnswer AnswerAt(const Thresholds& thresholds, uint32_t x) {
  const int64_t place = LineOrder(DataType::kFloat, x);
  for (const ThresholdInterval& interval : thresholds.intervals) {
    if (place <= LineOrder(DataType::kFloat, interval.last)) {
      return {.code = interval.y, .freedom = interval.freedom};
    }
  }
  return *thresholds.nan;
}

}  // namespace

int64_t ChunkCount(const BoundaryInputs& inputs) {
  int64_t chunks = 0;
  for (const ChunkedRange& range : inputs.scales) chunks += range.chunks();
  return chunks;
}

uint64_t ScaleCount(const BoundaryInputs& inputs) {
  uint64_t count = 0;
  for (const ChunkedRange& range : inputs.scales) count += range.range.count;
  return count;
}

CodeRange ScalesOf(const BoundaryInputs& inputs, int64_t chunk) {
  auto range = inputs.scales.begin();
  while (chunk >= range->chunks()) chunk -= (range++)->chunks();
  return range->At(chunk);
}

void StoreCode(DataType y, uint32_t code, size_t at, std::vector<uint8_t>& codes) {
  if (BitWidth(y) == 16) {
    std::memcpy(codes.data() + 2 * at, &code, 2);
  } else {
    codes[at] = static_cast<uint8_t>(code);
  }
}

// Boundaries come from x = q, at the scale 1.
Status AddGroups(const QuantizeLinearLine& line, BoundaryInputs& inputs) {
  QuantizeLinearLine one = line;
  one.scale = kOne;
  const auto thresholds = FindThresholds(one);
  if (!thresholds) return thresholds.error();
  std::vector<Boundary> sides[2];
  const auto& intervals = thresholds->intervals;
  for (size_t i = 0; i + 1 < intervals.size(); ++i) {
    const ThresholdInterval& a = intervals[i];
    const ThresholdInterval& b = intervals[i + 1];
    const auto below = static_cast<uint32_t>(a.last);
    const auto above = static_cast<uint32_t>(b.first);
    const ElementAnswer before{.code = a.y, .freedom = a.freedom};
    const ElementAnswer behind{.code = b.y, .freedom = b.freedom};
    if (below == kSign || above == 0) continue;  // at zero: a special value
    if ((below & ~kSign) == kInfinity || (above & ~kSign) == kInfinity) {
      return Error{"all-scales: infinity has a code of its own, which is no boundary"};
    }
    if ((below & kSign) != 0) {
      sides[1].push_back({-MidpointOf(below, above), behind, before});
    } else {
      sides[0].push_back({MidpointOf(below, above), before, behind});
    }
  }
  std::reverse(sides[1].begin(), sides[1].end());  // by magnitude, both
  const bool is_float = !IsInteger(line.y);
  for (const bool negative : {false, true}) {
    const auto shared =
        std::make_shared<const std::vector<Boundary>>(std::move(sides[negative]));
    const std::vector<Boundary>& side = *shared;
    const uint32_t sign = negative ? kSign : 0;
    for (size_t begin = 0; begin < side.size(); begin += kMostInGroup) {
      const size_t end = std::min(begin + kMostInGroup, side.size());
      BoundaryGroup group;
      group.list = inputs.lists.size();
      group.negative = negative;
      group.side = shared;
      group.begin = begin;
      group.count = end - begin;
      group.infinity = AnswerAt(*thresholds, sign | kInfinity);
      std::vector<std::pair<uint32_t, ElementAnswer>> specials;
      const auto add = [&](uint32_t x) {
        specials.push_back({x, AnswerAt(*thresholds, x)});
      };
      if (end == side.size()) {
        add(sign | kInfinity);
        // Of an integer target all is said by one side; a zero's sign by none.
        add(is_float ? sign : ~sign & (kSign | kInfinity));
        if (is_float) specials.push_back({0x7FC00000, *thresholds->nan});
      }
      Finish(line.y, specials, group);
      inputs.inputs_per_scale += group.inputs;
      inputs.groups.push_back(std::move(group));
    }
  }
  inputs.lists.push_back(line);
  return Ok();
}

}  // namespace qconform::quantize_linear
