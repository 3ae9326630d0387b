// Codes in the order of their values, and the ends of intervals as codes, by the judge.
#ifndef QCONFORM_ORACLE_EXACT_GRAPHS_CODE_ORDER_H_
#define QCONFORM_ORACLE_EXACT_GRAPHS_CODE_ORDER_H_

#include <algorithm>
#include <cstdint>

#include "oracle/exact/format.h"

namespace qconform::exact {

// The codes of a type in the order of their values, for hulls.
class Order {
 public:
  explicit Order(int type) : type_(type) {}

  bool IsLess(uint64_t one, uint64_t other) const {
    const Value a = ValueOf(GetFormat(type_), one), b = ValueOf(GetFormat(type_), other);
    const auto rank = [](const Value& v) {
      return v.IsInfinity() ? (v.negative ? -1 : 1) : 0;
    };
    if (a.IsInfinity() || b.IsInfinity()) return rank(a) < rank(b);
    return a.number < b.number;
  }

  // The next code in the direction of `sign`, or the same at the end.
  uint64_t Next(uint64_t code, int sign) const {
    const Format& format = GetFormat(type_);
    const Value v = ValueOf(format, code);
    if (!v.IsNumber()) return code;
    if (format.set == Format::Set::kIntegers) {
      return CodeOf(format, Value::Number(std::clamp<mpq_class>(
                                v.number + sign, format.lowest, format.highest)));
    }
    const uint64_t sign_bit = uint64_t{1} << (format.bits - 1);
    const uint64_t rank = code % sign_bit;
    const bool grows = v.IsZero() || (sgn(v.number) > 0) == (sign > 0);
    if (grows) {
      if (rank >= format.highest_rank) return code;
      return (sign < 0 ? sign_bit : 0) + rank + 1;
    }
    const uint64_t next = (sgn(v.number) < 0 ? sign_bit : 0) + rank - 1;
    // Formats without a negative zero have NaN there.
    return ValueOf(format, next).IsNumber() ? next : 0;
  }

 private:
  int type_;
};

struct Ends {
  uint64_t low = 0;
  uint64_t high = 0;

  void Add(const Order& order, uint64_t code) {
    if (order.IsLess(code, low)) low = code;
    if (order.IsLess(high, code)) high = code;
  }
};

// The least float that is not below v, or the greatest not above it.
inline uint64_t Directed(const Format& format, const mpq_class& v, int sign) {
  const Order order(format.type);
  uint64_t code = Round(format, Value::Number(v), Overflow::kSpecial);
  const Value rounded = ValueOf(format, code);
  if (!rounded.IsNumber()) {
    const bool is_toward = rounded.negative == (sign < 0);
    if (!is_toward) {
      return CodeOf(format,
                    Value::Number(rounded.negative ? format.lowest : format.highest));
    }
    return code;
  }
  // `sign` > 0: the end is the high one, and may not be above v.
  if (sign > 0 && rounded.number > v) code = order.Next(code, -1);
  if (sign < 0 && rounded.number < v) code = order.Next(code, 1);
  return code;
}

}  // namespace qconform::exact

#endif  // QCONFORM_ORACLE_EXACT_GRAPHS_CODE_ORDER_H_
