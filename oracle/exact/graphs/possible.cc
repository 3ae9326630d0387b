#include "oracle/exact/graphs/possible.h"

#include <algorithm>
#include <utility>

namespace qconform::exact {

bool IsFloat(int type) { return GetFormat(type).set == Format::Set::kFloats; }

uint64_t MinusZero(int type) { return uint64_t{1} << (GetFormat(type).bits - 1); }

bool IsZeroCode(int type, uint64_t code) { return ValueOfElement(type, code).IsZero(); }

GraphElement Gathering::Result(int type) && {
  const Format& format = GetFormat(type);
  // All codes, or all of them but NaN beside any NaN, are any code.
  if (format.bits <= 8 && !result_.any_code) {
    uint64_t known = codes_.size();
    if (result_.any_nan) {
      for (uint64_t code = 0; code < uint64_t{1} << format.bits; ++code) {
        if (IsNanCode(format, code) && !codes_.contains(code)) ++known;
      }
    }
    result_.any_code = known == uint64_t{1} << format.bits;
  }
  codes_.erase(result_.code);
  result_.others.assign(codes_.begin(), codes_.end());
  return std::move(result_);
}

// Any code of a narrow type is one of a finite set (GR-02).
bool IsFinite(int type, const GraphElement& element) {
  return !element.any_code || GetFormat(type).bits <= 8;
}

// All codes that stand for what an element may be; one stands for all NaN. Precondition:
// they are finite.
std::vector<uint64_t> Representatives(int type, const GraphElement& element) {
  std::vector<uint64_t> codes = {element.code};
  if (element.any_code) {
    for (uint64_t code = 0; code < uint64_t{1} << GetFormat(type).bits; ++code) {
      if (code != element.code) codes.push_back(code);
    }
    return codes;
  }
  codes.insert(codes.end(), element.others.begin(), element.others.end());
  if (element.any_nan && !IsNanCode(GetFormat(type), element.code)) {
    codes.push_back(CodeOf(GetFormat(type), Value::Nan()));
  }
  return codes;
}

// Adds a rounded result, with the freedom that float nodes leave.
void AddRounded(const Format& format, const Value& exact, bool zero_is_free,
                Gathering& to) {
  const uint64_t code = Round(format, exact, Overflow::kSpecial);
  const Value rounded = ValueOf(format, code);
  if (rounded.IsNan()) {
    to.AddAnyNan(code);
  } else {
    to.Add(code);
    if (rounded.IsZero() && zero_is_free && format.has_negative_zero) {
      to.Add(code ^ MinusZero(format.type));
    }
  }
  if (exact.IsNumber() && rounded.IsInfinity()) to.AddTier(Tier::kDegenerateScale);
  if (IsSubnormal(format, exact)) to.AddTier(Tier::kSubnormal);
}

}  // namespace qconform::exact
