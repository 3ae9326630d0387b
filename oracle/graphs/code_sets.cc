#include "oracle/graphs/code_sets.h"

#include <algorithm>
#include <utility>

#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

// A free element of a type of at most this many bits may have each of its codes.
constexpr int kMostFreeBits = 8;

}  // namespace

bool IsSet(const ElementAnswer& element) {
  return element.freedom != Freedom::kNone && element.freedom != Freedom::kAnyNan;
}

bool HasSets(const ComposedValue& value) {
  return std::ranges::any_of(value.elements, IsSet);
}

Tier TierOf(const ComposedValue& value, int64_t index) {
  return value.elements.empty() ? Tier::kRegular
                                : value.elements[static_cast<size_t>(index)].tier;
}

Tier LastTier(const ComposedValue& value) {
  Tier last = Tier::kRegular;
  for (const ElementAnswer& element : value.elements) last = std::max(last, element.tier);
  return last;
}

std::optional<CodeSet> PossibleCodes(const ComposedValue& value, int64_t index) {
  const uint64_t code = ReadCode(value.view, index);
  if (value.elements.empty()) return CodeSet{code};
  const ElementAnswer& element = value.elements[static_cast<size_t>(index)];
  switch (element.freedom) {
    case Freedom::kNone:
    case Freedom::kAnyNan:
      return CodeSet{code};
    case Freedom::kOneOf:
      return value.one_of.at(index);
    case Freedom::kAnyCode:
    case Freedom::kSameCode:
      break;
  }
  const int bits = BitWidth(value.view.type);
  if (bits > kMostFreeBits) return std::nullopt;
  CodeSet all;
  for (uint64_t any = 0; any < uint64_t{1} << bits; ++any) all.push_back(any);
  return all;
}

void CodeUnion::Put(int64_t index, ComposedValue& value) const {
  ElementAnswer& element = value.elements[static_cast<size_t>(index)];
  if (any_) {
    element.freedom = Freedom::kAnyCode;
    return;
  }
  CodeSet codes(codes_.begin(), codes_.end());
  if (zero_sign_is_free_) {
    const uint64_t minus = uint64_t{1} << (BitWidth(type_) - 1);
    if (codes_.contains(0) || codes_.contains(minus)) {
      for (const uint64_t zero : {uint64_t{0}, minus}) {
        if (!codes_.contains(zero)) codes.push_back(zero);
      }
      std::ranges::sort(codes);
    }
  }
  if (codes.size() <= 1) return;
  const NumberFormat& format = FormatOf(type_);
  if (codes.size() == 2 && format.has_negative_zero && IsZero(format, codes[0]) &&
      IsZero(format, codes[1])) {
    element.zero_sign_is_free = true;
    return;
  }
  element.freedom = Freedom::kOneOf;
  value.one_of[index] = std::move(codes);
}

}  // namespace qconform
