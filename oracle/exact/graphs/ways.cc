#include "oracle/exact/graphs/ways.h"

#include <algorithm>
#include <string>
#include <utility>

#include "oracle/exact/format.h"
#include "oracle/exact/target.h"

namespace qconform::exact {
namespace {

// More ways than these are not followed (GR-17).
constexpr size_t kMostWays = 64;

}  // namespace

bool IsNumberCode(int type, uint64_t code) {
  return ValueOfElement(type, code).IsNumber();
}

bool IsFloatType(int type) {
  return GetFormat(type).set == Format::Set::kFloats && GetFormat(type).bits >= 16;
}

Traced Untraced(const GraphTensor& tensor) {
  Traced traced;
  for (const GraphElement& element : tensor.elements) {
    TracedElement one;
    if (element.HasOneCode() && IsNumberCode(tensor.type, element.code)) {
      if (IsFloatType(tensor.type)) {
        const Format& format = GetFormat(tensor.type);
        one.admissible.reaches = {
            MakeReach(DataTerms(ValueOf(format, element.code).number, format))};
      } else {
        one.admissible.codes = {element.code};
      }
    }
    one.open = one.admissible;
    traced.elements.push_back(std::move(one));
  }
  return traced;
}

std::optional<Combinations> Combine(const std::vector<const Ways*>& operands) {
  Combinations all = {{}};
  for (const Ways* ways : operands) {
    if (ways->reaches.empty()) return std::nullopt;
    Combinations next;
    for (const auto& begun : all) {
      for (const ReachPointer& reach : ways->reaches) {
        next.push_back(begun);
        next.back().push_back(reach);
      }
    }
    if (next.size() > kMostWays) return std::nullopt;
    all = std::move(next);
  }
  return all;
}

ReachPointer Choice(const GraphNode& node, const std::vector<ReachPointer>& x,
                    const std::vector<bool>& is_low) {
  const std::string& name = node.op_type;
  if (name == "Relu") {
    return MakeChoice(Reach::Kind::kLargest, {x[0], MakeReach({})});
  }
  if (name == "Clip") {
    ReachPointer now = x[0];
    for (size_t k = 0; k < is_low.size(); ++k) {
      now = MakeChoice(is_low[k] ? Reach::Kind::kLargest : Reach::Kind::kLeast,
                       {now, x[k + 1]});
    }
    return now;
  }
  const bool largest = name == "MaxPool" || name == "ReduceMax" || name == "Max";
  return MakeChoice(largest ? Reach::Kind::kLargest : Reach::Kind::kLeast, x);
}

Ways IndexWays(const GraphNode& node, const Wire& wire,
               const std::function<const Ways&(const Place&)>& ways_at,
               uint64_t canonical, bool is_open, bool behind_bounded, int type) {
  if (!behind_bounded) return {{}, {canonical}};
  const LastStep last = {&GetFormat(type), std::nullopt};
  const bool largest = node.op_type == "ArgMax";
  std::vector<std::pair<mpq_class, mpq_class>> intervals;
  bool is_rounded = false;
  for (const Place& place : wire.places) {
    const Ways& ways = ways_at(place);
    if (ways.reaches.size() != 1) return {};
    const RealInterval interval =
        is_open ? Reduced(*ways.reaches[0], last) : Bounded(*ways.reaches[0], last);
    if (!interval) return {};
    is_rounded = is_rounded || interval->first != interval->second;
    intervals.push_back(
        largest ? *interval
                : std::pair(mpq_class(-interval->second), mpq_class(-interval->first)));
  }
  if (!is_rounded) return {{}, {canonical}};
  mpq_class greatest = intervals[0].first;
  for (const auto& interval : intervals) greatest = std::max(greatest, interval.first);
  Ways indices;
  indices.codes = {canonical};
  for (size_t i = 0; i < intervals.size(); ++i) {
    if (i != canonical && intervals[i].second >= greatest) indices.codes.push_back(i);
  }
  return indices;
}

Ways CastWays(const Ways& from, int type, int to) {
  Ways result;
  if (IsFloatType(type)) {
    if (IsFloatType(to)) result.reaches = from.reaches;
    return result;
  }
  for (uint64_t code : from.codes) {
    const mpq_class v = ValueOfElement(type, code).number;
    if (IsFloatType(to)) {
      result.reaches.push_back(MakeReach(CastTerms(v, GetFormat(to))));
    } else {
      result.codes.push_back(Round(GetFormat(to), Value::Number(v), Overflow::kSaturate));
    }
  }
  return result;
}

}  // namespace qconform::exact
