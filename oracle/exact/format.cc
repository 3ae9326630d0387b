#include "oracle/exact/format.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <limits>
#include <utility>

namespace qconform::exact {
namespace {

uint64_t SignBit(const Format& format) { return uint64_t{1} << (format.bits - 1); }

Format Integers(int type, int bits, long lowest, long highest) {
  Format format;
  format.type = type;
  format.bits = bits;
  format.lowest = lowest;
  format.highest = highest;
  return format;
}

struct FloatTraits {
  bool infinity = false;
  bool nan = false;
  bool negative_zero = false;
};
constexpr FloatTraits kIeee{.infinity = true, .nan = true, .negative_zero = true};
constexpr FloatTraits kFiniteWithNan{
    .infinity = false, .nan = true, .negative_zero = true};
constexpr FloatTraits kUnsignedZero{
    .infinity = false, .nan = true, .negative_zero = false};
constexpr FloatTraits kNumbersAlone{
    .infinity = false, .nan = false, .negative_zero = true};

// Walks up from 0: the step doubles at each power of two from the second
// normal one on.
std::vector<mpq_class> Ladder(const Format& format) {
  std::vector<mpq_class> ladder;
  mpq_class step = PowerOfTwo(format.min_exponent - format.precision + 1);
  mpq_class next_power = PowerOfTwo(format.min_exponent + 1);
  mpq_class member = 0;
  while (member <= format.highest) {
    ladder.push_back(member);
    member += step;
    if (member == next_power) {
      step *= 2;
      next_power *= 2;
    }
  }
  ladder.push_back(member);
  return ladder;
}

// The rank of v among the members >= 0 of a float format: below
// 2^precision ranks count multiples of the smallest step; each
// 2^(precision-1) ranks further the step doubles.
// Precondition: v is a member, v >= 0.
uint64_t RankOfMember(const Format& format, const mpq_class& v) {
  if (sgn(v) == 0) return 0;
  const int doublings = std::max(FloorLog2(v) - format.min_exponent, 0);
  const mpq_class multiple =
      Scaled(v, -(format.min_exponent - format.precision + 1 + doublings));
  assert(multiple.get_den() == 1);
  return multiple.get_num().get_ui() +
         (static_cast<uint64_t>(doublings) << (format.precision - 1));
}

// Its inverse.
mpq_class MemberOfRank(const Format& format, uint64_t rank) {
  const uint64_t per_binade = uint64_t{1} << (format.precision - 1);
  const uint64_t doublings = rank < 2 * per_binade ? 0 : rank / per_binade - 1;
  const mpz_class multiple(static_cast<unsigned long>(rank - doublings * per_binade));
  return Scaled(multiple,
                format.min_exponent - format.precision + 1 + static_cast<int>(doublings));
}

Format Floats(int type, int bits, int precision, int min_exponent, mpq_class highest,
              FloatTraits traits) {
  Format format;
  format.type = type;
  format.bits = bits;
  format.set = Format::Set::kFloats;
  format.lowest = -highest;
  format.highest = std::move(highest);
  format.precision = precision;
  format.min_exponent = min_exponent;
  format.smallest_normal = PowerOfTwo(min_exponent);
  format.has_infinity = traits.infinity;
  format.has_nan = traits.nan;
  format.has_negative_zero = traits.negative_zero;
  format.highest_rank = RankOfMember(format, format.highest);
  if (bits <= 8) format.ladder = Ladder(format);
  return format;
}

Format PowersOfTwo() {
  Format format;
  format.type = kFloat8E8M0;
  format.bits = 8;
  format.set = Format::Set::kPowersOfTwo;
  format.lowest = PowerOfTwo(-127);
  format.highest = PowerOfTwo(127);
  format.has_nan = true;
  return format;
}

std::vector<Format> MakeFormats() {
  const auto n_times_power = [](long n, int exponent) {
    return mpq_class(n * PowerOfTwo(exponent));
  };
  std::vector<Format> all;
  all.push_back(Floats(kFloat, 32, 24, -126, n_times_power((1L << 24) - 1, 104), kIeee));
  all.push_back(Integers(kUint8, 8, 0, 255));
  all.push_back(Integers(kInt8, 8, -128, 127));
  all.push_back(Integers(kUint16, 16, 0, 65535));
  all.push_back(Integers(kInt16, 16, -32768, 32767));
  all.push_back(Integers(kInt32, 32, -2147483648L, 2147483647L));
  all.push_back(Integers(kInt64, 64, std::numeric_limits<int64_t>::min(),
                         std::numeric_limits<int64_t>::max()));
  all.push_back(Floats(kFloat16, 16, 11, -14, 65504, kIeee));
  all.push_back(
      Floats(kDouble, 64, 53, -1022, n_times_power((1L << 53) - 1, 971), kIeee));
  all.push_back(Floats(kBfloat16, 16, 8, -126, n_times_power(255, 120), kIeee));
  all.push_back(Floats(kFloat8E4M3FN, 8, 4, -6, 448, kFiniteWithNan));
  all.push_back(Floats(kFloat8E4M3FNUZ, 8, 4, -7, 240, kUnsignedZero));
  all.push_back(Floats(kFloat8E5M2, 8, 3, -14, 57344, kIeee));
  all.push_back(Floats(kFloat8E5M2FNUZ, 8, 3, -15, 57344, kUnsignedZero));
  all.push_back(Integers(kUint4, 4, 0, 15));
  all.push_back(Integers(kInt4, 4, -8, 7));
  all.push_back(Floats(kFloat4E2M1, 4, 2, 0, 6, kNumbersAlone));
  all.push_back(PowersOfTwo());
  all.push_back(Integers(kUint2, 2, 0, 3));
  all.push_back(Integers(kInt2, 2, -2, 1));
  all.push_back(Floats(kFloat6E2M3, 6, 4, 0, mpq_class(15, 2), kNumbersAlone));
  all.push_back(Floats(kFloat6E3M2, 6, 3, -2, 28, kNumbersAlone));
  return all;
}

// The multiple of the format's step nearest to v > 0, ties to the even
// multiple, as if the exponent had no upper end. The grid's step around v is
// that of v's own power of two, so that v's neighbours on the grid are the
// floor and the ceiling of v / step.
mpq_class NearestOnGrid(const Format& format, const mpq_class& v) {
  const int exponent = std::max(FloorLog2(v), format.min_exponent);
  const int step = exponent - format.precision + 1;  // its binary logarithm
  return Scaled(RoundHalfEven(Scaled(v, -step)), step);
}

// The same by a search through all members.
mpq_class NearestOnLadder(const std::vector<mpq_class>& ladder, const mpq_class& v) {
  if (v >= ladder.back()) return ladder.back();
  const auto above = std::upper_bound(ladder.begin(), ladder.end(), v);
  const auto below = above - 1;
  const int side = cmp(v - *below, *above - v);
  const bool below_is_even = (below - ladder.begin()) % 2 == 0;
  return side < 0 || (side == 0 && below_is_even) ? *below : *above;
}

uint64_t NanCode(const Format& format, bool negative) {
  if (format.set == Format::Set::kPowersOfTwo) return 0xFF;
  assert(format.has_nan);
  if (!format.has_negative_zero) return SignBit(format);
  return SignBit(format) - 1 + (negative ? SignBit(format) : 0);
}

Value ValueOfFloat(const Format& format, uint64_t code) {
  const bool negative = code >= SignBit(format);
  const uint64_t rank = negative ? code - SignBit(format) : code;
  if (rank == 0) {
    if (negative && !format.has_negative_zero) return Value::Nan();
    return Value::Zero(negative);
  }
  if (rank > format.highest_rank) {
    return format.has_infinity && rank == format.highest_rank + 1
               ? Value::Infinity(negative)
               : Value::Nan();
  }
  mpq_class magnitude =
      format.ladder.empty() ? MemberOfRank(format, rank) : format.ladder[rank];
  return Value::Number(negative ? mpq_class(-magnitude) : std::move(magnitude));
}

}  // namespace

const std::vector<Format>& AllFormats() {
  static const std::vector<Format> formats = MakeFormats();
  return formats;
}

const Format& GetFormat(int type) {
  const std::vector<Format>& all = AllFormats();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [type](const Format& f) { return f.type == type; });
  assert(found != all.end());
  return *found;
}

Value ValueOf(const Format& format, uint64_t code) {
  assert(format.bits == 64 || code >> format.bits == 0);
  switch (format.set) {
    case Format::Set::kIntegers: {
      mpq_class value(mpz_class(static_cast<unsigned long>(code)));
      // Two's complement: codes beyond the highest mean numbers below 0.
      if (value > format.highest) value -= PowerOfTwo(format.bits);
      return Value::Number(std::move(value));
    }
    case Format::Set::kPowersOfTwo:
      return code == 0xFF ? Value::Nan()
                          : Value::Number(PowerOfTwo(static_cast<int>(code) - 127));
    case Format::Set::kFloats:
      break;
  }
  return ValueOfFloat(format, code);
}

uint64_t CodeOf(const Format& format, const Value& value) {
  if (value.IsNan()) return NanCode(format, value.negative);
  if (format.set == Format::Set::kPowersOfTwo) {
    return static_cast<uint64_t>(FloorLog2(value.number) + 127);
  }
  if (format.set == Format::Set::kIntegers) {
    mpz_class integer = value.number.get_num();
    if (sgn(integer) < 0) integer += PowerOfTwo(format.bits).get_num();
    return integer.get_ui();
  }
  const bool has_sign = !value.IsZero() || format.has_negative_zero;
  const uint64_t sign = value.negative && has_sign ? SignBit(format) : 0;
  const uint64_t rank = value.IsInfinity() ? format.highest_rank + 1
                                           : RankOfMember(format, abs(value.number));
  return sign + rank;
}

uint64_t Round(const Format& format, const Value& v, Overflow overflow) {
  if (v.IsNan()) return CodeOf(format, v);
  if (format.set == Format::Set::kIntegers) {
    mpq_class result = v.IsInfinity() ? (v.negative ? format.lowest : format.highest)
                                      : mpq_class(RoundHalfEven(v.number));
    result = std::clamp(result, format.lowest, format.highest);
    return CodeOf(format, Value::Number(std::move(result)));
  }
  assert(format.set == Format::Set::kFloats);
  if (v.IsZero()) return CodeOf(format, v);
  Value result;
  result.negative = v.negative;
  bool is_beyond = v.IsInfinity();
  if (!is_beyond) {
    const mpq_class magnitude = abs(v.number);
    result.number = format.ladder.empty() ? NearestOnGrid(format, magnitude)
                                          : NearestOnLadder(format.ladder, magnitude);
    is_beyond = result.number > format.highest;
  }
  if (is_beyond) {
    result.number = 0;
    if (overflow == Overflow::kSaturate) {
      result.number = format.highest;
    } else {
      result.kind = format.has_infinity ? Value::Kind::kInfinity : Value::Kind::kNan;
    }
  }
  if (result.negative) result.number = -result.number;
  return CodeOf(format, result);
}

Value RoundToPrecision(const Format& format, const Value& v) {
  assert(format.has_infinity);
  if (!v.IsNumber() || v.IsZero()) return v;
  mpq_class magnitude = NearestOnGrid(format, abs(v.number));
  if (magnitude > format.highest) return Value::Infinity(v.negative);
  if (sgn(magnitude) == 0) return Value::Zero(v.negative);
  return Value::Number(v.negative ? mpq_class(-magnitude) : std::move(magnitude));
}

bool IsNanCode(const Format& format, uint64_t code) {
  return format.has_nan && ValueOf(format, code).IsNan();
}

bool HasNumbersOnly(const Format& format) {
  return format.set == Format::Set::kFloats && !format.has_infinity && !format.has_nan;
}

bool Contains(const Format& format, const Format& part) {
  assert(format.set == Format::Set::kFloats);
  if (part.lowest < format.lowest || part.highest > format.highest) return false;
  const mpq_class step = PowerOfTwo(format.min_exponent - format.precision + 1);
  switch (part.set) {
    case Format::Set::kIntegers:
      return step <= 1 && part.highest <= PowerOfTwo(format.precision);
    case Format::Set::kPowersOfTwo:
      return step <= part.lowest;
    case Format::Set::kFloats:
      break;
  }
  return part.precision <= format.precision &&
         step <= PowerOfTwo(part.min_exponent - part.precision + 1);
}

bool IsSubnormal(const Format& format, const Value& v) {
  return format.set == Format::Set::kFloats && v.IsNumber() && !v.IsZero() &&
         abs(v.number) < format.smallest_normal;
}

}  // namespace qconform::exact
