// Backends that dequantize both operands first: the judge's sets of codes against cases
// worked out by hand, and against simulated backends.
#include "oracle/exact/operators/q_linear_mat_mul/dequantized.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "oracle/exact/operators/q_linear_mat_mul/bounds.h"

namespace qconform::exact {
namespace {

constexpr uint64_t kInf = 0x7f800000;  // FLOAT
constexpr uint64_t kNan = 0x7fc00000;

// The FLOAT code of 2^exponent.
uint64_t Power(int exponent) {
  return CodeOf(GetFormat(kFloat), Value::Number(PowerOfTwo(exponent)));
}

Codes Scalar(int type, uint64_t code) { return {type, {}, {code}}; }

// One element, zero points of 0, FLOAT scales of 1.
QLinearMatMulInput Dot(int type, std::vector<uint64_t> a, std::vector<uint64_t> b,
                       int y_type) {
  const auto k = static_cast<int64_t>(a.size());
  QLinearMatMulInput input;
  input.a = {type, {1, k}, std::move(a)};
  input.b = {type, {k, 1}, std::move(b)};
  input.a_zero_point = input.b_zero_point = Scalar(type, 0);
  input.y_zero_point = Scalar(y_type, 0);
  input.a_scale = input.b_scale = input.y_scale = Scalar(kFloat, Power(0));
  return input;
}

QLinearMatMulInput Scaled(QLinearMatMulInput input, uint64_t a, uint64_t b, uint64_t y,
                          int type = kFloat) {
  input.a_scale = Scalar(type, a);
  input.b_scale = Scalar(type, b);
  input.y_scale = Scalar(type, y);
  return input;
}

DequantizedCodes CodesOf(const QLinearMatMulInput& input,
                         const TargetReadings& readings = {}) {
  return DequantizedMatMul(input, Accumulate(input), readings).at(0);
}

// "all", or the codes in ascending order.
std::string Text(const CodeSet& codes) {
  if (codes.all()) return "all";
  std::string text;
  for (size_t code = 0; code < codes.size(); ++code) {
    if (codes[code]) text += (text.empty() ? "" : " ") + std::to_string(code);
  }
  return text;
}

std::string FloatMatMul(const QLinearMatMulInput& input) {
  return Text(CodesOf(input).float_matmul.derived);
}

std::string ScaleTypeSums(const QLinearMatMulInput& input) {
  return Text(CodesOf(input).scale_type_sums.derived);
}

uint64_t Canonical(const QLinearMatMulInput& input) {
  return QLinearMatMul(input).elements.at(0).code;
}

TEST(ExactDequantizedMatMul, OperandBeyondFloat) {
  // 2 * 2^127 is an infinity, 2 * 2^127 * 2^-127 is 2.
  EXPECT_EQ(FloatMatMul(
                Scaled(Dot(kUint8, {2}, {1}, kUint8), Power(127), Power(-127), Power(0))),
            "2 255");
  // Infinity times 0.
  EXPECT_EQ(FloatMatMul(Scaled(Dot(kUint8, {2, 1}, {0, 1}, kUint8), Power(127),
                               Power(-127), Power(0))),
            "all");
  EXPECT_EQ(FloatMatMul(
                Scaled(Dot(kUint8, {1}, {1}, kUint8), Power(127), Power(-127), Power(0))),
            "1");
}

TEST(ExactDequantizedMatMul, ProductBeyondFloat) {
  EXPECT_EQ(FloatMatMul(
                Scaled(Dot(kUint8, {1}, {2}, kUint8), Power(64), Power(63), Power(127))),
            "2 255");
  EXPECT_EQ(FloatMatMul(
                Scaled(Dot(kUint8, {1}, {2}, kUint8), Power(63), Power(63), Power(126))),
            "2");
  // 255 * 65793 is 2^24 - 1, and 2^104 times that the largest FLOAT; 31 * 1082401 is
  // 2^25 - 1, and 2^103 times that the least that rounds to infinity. y_scale 2^121.
  const auto scaled = [](uint64_t a, long scale, int exponent) {
    const mpq_class a_scale = mpq_class(scale) * PowerOfTwo(exponent);
    return FloatMatMul(Scaled(Dot(kUint8, {a}, {1}, kUint8),
                              CodeOf(GetFormat(kFloat), Value::Number(a_scale)), Power(0),
                              Power(121)));
  };
  EXPECT_EQ(scaled(255, 65793, 104), "128");
  EXPECT_EQ(scaled(31, 1082401, 103), "128 255");
}

TEST(ExactDequantizedMatMul, PartialSumsBeyondFloat) {
  const auto sum = [](std::vector<uint64_t> a) {
    const std::vector<uint64_t> ones(a.size(), 1);
    return FloatMatMul(
        Scaled(Dot(kInt8, std::move(a), ones, kInt8), Power(64), Power(63), Power(127)));
  };
  // Terms of +-2^127 in units of y_scale.
  EXPECT_EQ(sum({1}), "1");
  EXPECT_EQ(sum({1, 0xff}), "0");
  EXPECT_EQ(sum({1, 1}), "2 127");
  EXPECT_EQ(sum({1, 1, 0xff}), "1 127");  // 1 + 1 first, or not
  EXPECT_EQ(sum({1, 0xff, 0xff}), "128 255");
  EXPECT_EQ(sum({1, 1, 0xff, 0xff}), "all");  // +Inf + -Inf, in one of the orders
}

// fma(x, y, Inf) is Inf for numbers x and y: it rounds no product. So the first infinity
// may win, where rounded products would be +Inf and -Inf.
TEST(ExactDequantizedMatMul, InfinitiesOfBothSigns_OfAFusedMultiplyAdd) {
  // Products of 2^128 and -2^128. E4M3FN: 126 is 448, 254 is -448, 127 and 255 are NaN.
  QLinearMatMulInput input = Scaled(Dot(kInt8, {1, 0xff}, {1, 1}, kFloat8E4M3FN),
                                    Power(64), Power(64), Power(121));
  EXPECT_EQ(FloatMatMul(input), "0 126 127 128 254 255");
  // A dequantized operand is -Inf and the other product 2^128: no way leads to +Inf.
  input = Scaled(Dot(kInt8, {0xfe, 1}, {1, 2}, kFloat8E4M3FN), Power(127), Power(0),
                 Power(121));
  EXPECT_EQ(FloatMatMul(input), "0 127 128 254 255");
  // FLOAT16 does it at 65520: 256 * 256, and its opposite.
  input = Scaled(Dot(kInt8, {1, 0xff}, {1, 1}, kFloat8E4M3FN), 0x5c00, 0x5c00, 0x5c00,
                 kFloat16);
  EXPECT_EQ(ScaleTypeSums(input), "0 126 127 128 254 255");
  EXPECT_EQ(QLinearMatMul(input).elements.at(0).tier, Tier::kDegenerateScale);
  input.b = {kInt8, {2, 1}, {4, 4}};
  input.b_scale = Scalar(kFloat16, 0x5400);  // 64
  EXPECT_EQ(QLinearMatMul(input).elements.at(0).tier, Tier::kRegular);
  EXPECT_EQ(ScaleTypeSums(input), "0 126 127 128 254 255");
}

TEST(ExactDequantizedMatMul, InfiniteAndNanScales) {
  const auto codes = [](std::vector<uint64_t> a, std::vector<uint64_t> b,
                        uint64_t a_scale, uint64_t b_scale, uint64_t y_scale) {
    return FloatMatMul(
        Scaled(Dot(kInt8, std::move(a), std::move(b), kInt8), a_scale, b_scale, y_scale));
  };
  const uint64_t one = Power(0);
  EXPECT_EQ(codes({3}, {5}, kInf, one, one), "127");
  EXPECT_EQ(codes({3}, {0xff}, kInf, one, one), "128");
  EXPECT_EQ(codes({3, 0}, {5, 7}, kInf, one, one), "all");     // 0 * Inf
  EXPECT_EQ(codes({3, 1}, {5, 0}, kInf, one, one), "all");     // Inf * 0
  EXPECT_EQ(codes({3, 0xff}, {5, 1}, kInf, one, one), "all");  // Inf - Inf
  EXPECT_EQ(codes({3}, {5}, kInf, 0, one), "all");
  EXPECT_EQ(codes({3}, {5}, kInf, one, kInf), "all");
  EXPECT_EQ(codes({3}, {5}, one, one, kInf), "0");
  EXPECT_EQ(codes({3}, {5}, 0, one, one), "0");
  EXPECT_EQ(codes({3}, {5}, one, one, 0), "127");
  EXPECT_EQ(codes({3}, {5}, one, one, 0x80000000), "128");
  EXPECT_EQ(codes({3, 3}, {5, 0xfb}, one, one, 0), "all");  // 0 / 0
  for (int nan = 0; nan < 3; ++nan) {
    EXPECT_EQ(codes({3}, {5}, nan == 0 ? kNan : one, nan == 1 ? kNan : one,
                    nan == 2 ? kNan : one),
              "all");
  }
  // K = 0: there is nothing to dequantize.
  EXPECT_EQ(codes({}, {}, kNan, kInf, one), "0");
  EXPECT_EQ(codes({}, {}, one, one, 0), "all");
  // Where the canonical answer has no zero to meet: C is 15, and 15 * Inf.
  EXPECT_EQ(Canonical(Scaled(Dot(kInt8, {3, 0}, {5, 7}, kInt8), kInf, one, one)), 127u);
}

TEST(ExactDequantizedMatMul, SpecialsInFloat8) {
  const uint64_t one = Power(0);
  const QLinearMatMulInput nan =
      Scaled(Dot(kFloat8E4M3FN, {0x38, 0}, {0x38, 0x38}, kFloat8E4M3FN), kInf, one, one);
  EXPECT_EQ(FloatMatMul(nan), "127 255");
  const QLinearMatMulInput infinite =
      Scaled(Dot(kFloat8E4M3FN, {0x38}, {0x38}, kFloat8E5M2), kInf, one, one);
  EXPECT_EQ(FloatMatMul(infinite), "123");  // 57344
  EXPECT_EQ(Text(CodesOf(infinite, {.e5m2_infinity_kept = true}).float_matmul.derived),
            "124");
  QLinearMatMulInput fnuz = infinite;
  fnuz.y_zero_point = Scalar(kFloat8E4M3FNUZ, 0);
  EXPECT_EQ(FloatMatMul(fnuz), "128");  // QL-22, since 21: NaN
  EXPECT_EQ(Text(CodesOf(fnuz, {.other_fnuz_infinity = true}).float_matmul.derived),
            "127");
  // The quotient overflows: 2^100 / 2^-100. The exact one is large and finite.
  const QLinearMatMulInput large =
      Scaled(Dot(kUint8, {1}, {1}, kFloat8E5M2), Power(100), one, Power(-100));
  EXPECT_EQ(Text(CodesOf(large, {.e5m2_infinity_kept = true}).float_matmul.derived),
            "123 124");
  // Infinite operands meet an operand that overflows to the other infinity.
  EXPECT_EQ(FloatMatMul(Scaled(Dot(kFloat8E5M2, {0x7c, 0xc0}, {0x3c, 0x3c}, kUint8),
                               Power(127), one, one)),
            "all");
}

TEST(ExactDequantizedMatMul, WhatIsTooSmall) {
  // Products of 1/4 of 2^-149 are 0 each; four together are 1. Two unrounded ones may
  // make 1 of a third.
  const auto quarters = [](size_t k) {
    const std::vector<uint64_t> ones(k, 1);
    return FloatMatMul(
        Scaled(Dot(kUint8, ones, ones, kUint8), Power(-75), Power(-76), Power(-149)));
  };
  EXPECT_EQ(quarters(1), "0");
  EXPECT_EQ(quarters(2), "0 1");
  EXPECT_EQ(quarters(4), "0 1 2");
  // 2^-9 * 2^-142 is 0 as a FLOAT.
  EXPECT_EQ(FloatMatMul(Scaled(Dot(kFloat8E4M3FN, {1}, {0x38}, kUint8), Power(-142),
                               Power(100), Power(-51))),
            "0 1");
  // ... and 0 times infinity is NaN, 0 / 0 too.
  EXPECT_EQ(FloatMatMul(Scaled(Dot(kFloat8E4M3FN, {1}, {0x38}, kUint8), Power(-142), kInf,
                               Power(0))),
            "all");
  EXPECT_EQ(FloatMatMul(Scaled(Dot(kUint8, {1}, {1}, kUint8), Power(-80), Power(-80), 0)),
            "all");
  EXPECT_EQ(Canonical(Scaled(Dot(kUint8, {1}, {1}, kUint8), Power(-80), Power(-80), 0)),
            255u);
}

// MM-02: sums in FLOAT; S and v each in FLOAT16 or not.
TEST(ExactDequantizedMatMul, ScaleTypeMatMul_InItsFourWays) {
  const auto ways = [](std::vector<uint64_t> a, std::vector<uint64_t> b, uint64_t a_scale,
                       uint64_t y_scale) {
    const QLinearMatMulInput input =
        Scaled(Dot(kUint8, std::move(a), std::move(b), kUint8), a_scale, 0x3c00, y_scale,
               kFloat16);
    std::vector<std::string> texts;
    for (const CodeSets& sets : CodesOf(input).scale_type_matmul) {
      texts.push_back(Text(sets.derived));
    }
    return texts;
  };
  using Four = std::vector<std::string>;  // neither, S, v, both
  // 169 (1 + 3 2^-10) = 169.4951 is 169.5 in FLOAT16's steps of 1/8, and a tie.
  EXPECT_EQ(ways({169}, {1}, 0x3c03, 0x3c00), (Four{"170", "170", "170", "170"}));
  // 64 * 64 + 1 = 4097 is 4096 in FLOAT16; over 2341 it is 1.7501.
  EXPECT_EQ(ways({64, 1}, {64, 1}, 0x3c00, 0x6893), (Four{"2", "2", "2", "2"}));
  // 255 * 255 * 2 is beyond FLOAT16, and 127.002 over 1024.
  EXPECT_EQ(ways({255, 255}, {255, 255}, 0x3c00, 0x6400),
            (Four{"127", "255", "127", "255"}));
  // 255 * 8 + 9 = 2049 is 2048 in FLOAT16; over 1366 that is 1.5, a tie, or 1.4993.
  EXPECT_EQ(ways({255, 9}, {8, 1}, 0x3c00, 0x6556), (Four{"2", "1", "2", "1"}));
}

TEST(ExactDequantizedMatMul, ScalesOfFloat16) {
  const auto dot = [](std::vector<uint64_t> a, std::vector<uint64_t> b, uint64_t a_scale,
                      uint64_t b_scale, uint64_t y_scale) {
    return Scaled(Dot(kUint8, std::move(a), std::move(b), kUint8), a_scale, b_scale,
                  y_scale, kFloat16);
  };
  constexpr uint64_t kOne = 0x3c00;
  // 169 (1 + 3 2^-10) = 169.4951 is 169.5 in FLOAT16's steps of 1/8, and a tie.
  const QLinearMatMulInput rounded = dot({169}, {1}, 0x3c03, kOne, kOne);
  EXPECT_EQ(Canonical(rounded), 169u);
  EXPECT_EQ(FloatMatMul(rounded), "169");
  EXPECT_EQ(ScaleTypeSums(rounded), "170");
  // 253.5 + 253.5, halved: the sum is exact, and so is the quotient, a tie.
  EXPECT_EQ(ScaleTypeSums(dot({169, 169}, {1, 1}, 0x3e00, kOne, 0x4000)), "254");
  // 255 * 300 is beyond FLOAT16; over 601 it is 127.29.
  const QLinearMatMulInput beyond = dot({255}, {1}, 0x5cb0, kOne, 0x60b2);
  EXPECT_EQ(Canonical(beyond), 127u);
  EXPECT_EQ(FloatMatMul(beyond), "127");
  EXPECT_EQ(ScaleTypeSums(beyond), "255");
  // Two products of 65025 are beyond it, too, unless they are summed in FLOAT.
  EXPECT_EQ(ScaleTypeSums(dot({255, 255}, {255, 255}, kOne, kOne, 0x6400)), "127 255");
  // BFLOAT16, 8 digits: 129 * 1.0078125 = 130.0078 is 130.
  EXPECT_EQ(ScaleTypeSums(Scaled(Dot(kUint8, {129}, {1}, kUint8), 0x3f81, 0x3f80, 0x3f80,
                                 kBfloat16)),
            "130");
  EXPECT_TRUE(CodesOf(Dot(kUint8, {1}, {1}, kUint8)).scale_type_sums.derived.none());
}

// Where nothing leaves FLOAT's range the set is the interval of MM-02.
TEST(ExactDequantizedMatMul, RegularScales_LeaveTheIntervalAsItIs) {
  for (uint64_t y_scale = 0x42000000; y_scale < 0x42000000 + 400; ++y_scale) {
    QLinearMatMulInput input =
        Scaled(Dot(kUint8, {17, 33, 250}, {254, 3, 77}, kUint8), 0x3f9b0625, 0x3f3852ab,
               y_scale + (y_scale % 7) * 0x12345);
    const std::vector<Accumulator> accumulators = Accumulate(input);
    const CodeInterval bounds = Bounds(input, accumulators, {}).at(0).admissible;
    CodeSet expected;
    for (uint64_t code = bounds.low; code <= bounds.high; ++code) expected.set(code);
    EXPECT_EQ(CodesOf(input).float_matmul.derived, expected);
  }
}

// --- simulated backends -------------------------------------------------------

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Below(uint64_t n) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (state_ >> 33) % n;
  }

 private:
  uint64_t state_;
};

// One of the ways to sum products: what is added to what, what is rounded, and to what.
Value RandomSum(const std::vector<std::pair<Value, Value>>& factors,
                const std::vector<const Format*>& types, Random& random) {
  const auto maybe_rounded = [&](const Value& v) {
    const uint64_t i = random.Below(types.size() + 1);
    return i < types.size() ? RoundToPrecision(*types[i], v) : v;
  };
  std::vector<Value> parts;
  for (const auto& [alpha, beta] : factors) {
    parts.push_back(maybe_rounded(Multiply(alpha, beta)));
  }
  if (parts.empty()) return Value::Zero(false);
  while (parts.size() > 1) {
    const size_t from = random.Below(parts.size());
    const Value one = parts[from];
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(from));
    Value& other = parts[random.Below(parts.size())];
    other = maybe_rounded(Add(one, other));
  }
  return maybe_rounded(parts.front());
}

uint64_t RandomScale(const Format& format, Random& random) {
  const uint64_t mask = (uint64_t{1} << format.bits) - 1;
  switch (random.Below(6)) {
    case 0:
      return random.Below(mask) ^ random.Below(uint64_t{1} << (format.bits - 1)) << 1;
    case 1:  // 0, Inf, NaN, the ends of the range
      return std::vector<uint64_t>{0,
                                   1,
                                   format.highest_rank,
                                   format.highest_rank + 1,
                                   format.highest_rank + 2,
                                   (mask >> 1) + 1}[random.Below(6)];
    default: {
      const int widest = format.min_exponent == -126 ? 127 : 15;
      const int exponent =
          static_cast<int>(random.Below(static_cast<uint64_t>(2 * widest))) - widest;
      const mpq_class v = PowerOfTwo(exponent) *
                          (1 + mpq_class(static_cast<long>(random.Below(1024)), 1024));
      return Round(format, Value::Number(v), Overflow::kSaturate);
    }
  }
}

struct Simulated {
  int64_t answers = 0;
  int64_t specials = 0;  // S or v an infinity or NaN
  int64_t outside = 0;
  std::string first;
};

Simulated Simulate(int scale_type, bool in_scale_type) {
  Simulated result;
  Random random(static_cast<uint64_t>(scale_type));
  const Format& ts = GetFormat(scale_type);
  const Format& f32 = GetFormat(kFloat);
  const Format& d = in_scale_type ? ts : f32;
  const std::vector<const Format*> types =
      in_scale_type ? std::vector{&ts, &f32} : std::vector{&f32};
  for (int i = 0; i < 2000; ++i) {
    const int type =
        std::vector<int>{kUint8, kInt8, kFloat8E4M3FN, kFloat8E5M2}[random.Below(4)];
    const int y_type = std::vector<int>{kUint8, kInt8, kFloat8E4M3FN, kFloat8E5M2,
                                        kFloat8E4M3FNUZ}[random.Below(5)];
    std::vector<uint64_t> a, b;
    const uint64_t range = random.Below(2) == 0 ? 256 : 3;
    for (uint64_t k = random.Below(6); k > 0; --k) {
      a.push_back(random.Below(range));
      b.push_back(random.Below(256));
    }
    QLinearMatMulInput input =
        Scaled(Dot(type, a, b, y_type), RandomScale(ts, random), RandomScale(ts, random),
               RandomScale(ts, random), scale_type);
    if (random.Below(4) == 0) {  // products around the smallest member
      const int smallest = ts.min_exponent - (in_scale_type ? ts.precision : 24) + 1;
      const auto near = [&](int exponent) {
        const auto steps = static_cast<long>(random.Below(1024) + 512);
        return Round(ts, Value::Number(PowerOfTwo(exponent - 10) * steps),
                     Overflow::kSaturate);
      };
      input.a_scale.codes = {near(smallest / 2)};
      input.b_scale.codes = {
          near(smallest - smallest / 2 - static_cast<int>(random.Below(6)))};
      input.y_scale.codes = {near(smallest)};
    }
    if (type != kUint8 || random.Below(2) == 0) {
      input.a_zero_point = Scalar(type, random.Below(120));
    }
    if (random.Below(2) == 0 && !a.empty()) {
      // y_scale of the size of the sum, so that its codes tell values apart.
      const Accumulator c = Accumulate(input).at(0);
      const Value scale =
          Divide(Multiply(Multiply(c.c, ValueOf(ts, input.a_scale.codes[0])),
                          ValueOf(ts, input.b_scale.codes[0])),
                 Value::Number(mpq_class(static_cast<long>(random.Below(250)) + 1, 2)));
      if (scale.IsNumber()) {
        input.y_scale.codes = {Round(ts, scale, Overflow::kSaturate)};
      }
    }
    const TargetReadings readings = {.float_zero_point = FloatZeroPoint::kCanonical,
                                     .other_fnuz_infinity = random.Below(2) == 0,
                                     .e5m2_infinity_kept = random.Below(2) == 0};
    const Accumulator element = Accumulate(input).at(0);
    const DequantizedCodes sets = DequantizedMatMul(input, {element}, readings).at(0);
    const CodeSet& codes =
        in_scale_type ? sets.scale_type_sums.derived : sets.float_matmul.derived;
    const Format& target = GetFormat(y_type);
    const auto value = [&](const Codes& scale) { return ValueOf(ts, scale.codes[0]); };
    std::vector<std::pair<Value, Value>> factors;
    for (size_t k = 0; k < element.a.size(); ++k) {
      // A difference may be rounded to FLOAT first.
      const Value one = !in_scale_type && random.Below(2) == 0
                            ? RoundToPrecision(f32, element.a[k])
                            : element.a[k];
      factors.emplace_back(
          RoundToPrecision(d, Multiply(one, value(input.a_scale))),
          RoundToPrecision(d, Multiply(element.b[k], value(input.b_scale))));
    }
    for (int way = 0; way < 6; ++way) {
      const Value sum = RandomSum(factors, types, random);
      Value v = Divide(sum, value(input.y_scale));
      const uint64_t rounding = random.Below(types.size() + 1);
      if (rounding < types.size()) v = RoundToPrecision(*types[rounding], v);
      const Element y = QuantizeToTarget(kCastGivesNan, target, v, ValueOf(target, 0),
                                         &f32, true, readings);
      ++result.answers;
      if (!sum.IsNumber() || !v.IsNumber()) ++result.specials;
      const bool inside = y.freedom == Freedom::kAnyCode ? codes.all() : codes[y.code];
      if (inside) continue;
      if (result.outside++ == 0) {
        result.first = "type " + std::to_string(type) + ", y type " +
                       std::to_string(y_type) + ", scales " +
                       std::to_string(input.a_scale.codes[0]) + " " +
                       std::to_string(input.b_scale.codes[0]) + " " +
                       std::to_string(input.y_scale.codes[0]) + ", y " +
                       std::to_string(y.code) + ", set " + Text(codes);
      }
    }
  }
  return result;
}

TEST(ExactDequantizedMatMul, SimulatedScaleTypeMatMulsInItsFourWays_StayInside) {
  const Format& f32 = GetFormat(kFloat);
  const std::vector<const Format*> types = {&f32};
  for (const int scale_type : {kFloat16, kBfloat16}) {
    const Format& ts = GetFormat(scale_type);
    Random random(static_cast<uint64_t>(scale_type));
    for (int i = 0; i < 4000; ++i) {
      std::vector<uint64_t> a, b;
      for (uint64_t k = random.Below(4) + 1; k > 0; --k) {
        a.push_back(random.Below(256));
        b.push_back(random.Below(256));
      }
      QLinearMatMulInput input =
          Scaled(Dot(kInt8, a, b, kInt8), RandomScale(ts, random),
                 RandomScale(ts, random), RandomScale(ts, random), scale_type);
      // Often products of the size of FLOAT's smallest or largest number, and a y_scale
      // of that size.
      const int at =
          random.Below(2) == 0 ? 114 : -149 - static_cast<int>(random.Below(8));
      if (scale_type == kBfloat16 && random.Below(4) != 0) {
        const auto near = [&](int exponent) {
          const auto steps = static_cast<long>(random.Below(128) + 64);
          return Round(ts, Value::Number(PowerOfTwo(exponent - 6) * steps),
                       Overflow::kSaturate);
        };
        input.a_scale.codes = {near(at / 2)};
        input.b_scale.codes = {near(at - at / 2)};
        input.y_scale.codes = {near(at > 0 ? 125 : at + 8)};
      }
      const Accumulator element = Accumulate(input).at(0);
      const auto value = [&](const Codes& scale) { return ValueOf(ts, scale.codes[0]); };
      std::vector<std::pair<Value, Value>> factors;
      for (size_t k = 0; k < element.a.size(); ++k) {
        factors.emplace_back(
            RoundToPrecision(ts, Multiply(element.a[k], value(input.a_scale))),
            RoundToPrecision(ts, Multiply(element.b[k], value(input.b_scale))));
      }
      const DequantizedCodes sets = CodesOf(input);
      for (size_t way = 0; way < 4; ++way) {
        const CodeSet& codes = sets.scale_type_matmul[way].derived;
        for (int time = 0; time < 4; ++time) {
          Value sum = RandomSum(factors, types, random);
          if (way % 2 == 1) sum = RoundToPrecision(ts, sum);
          Value v = Divide(sum, value(input.y_scale));
          if (way >= 2) v = RoundToPrecision(ts, v);
          const Element y =
              QuantizeToTarget(kCastGivesNan, GetFormat(kInt8), v,
                               ValueOf(GetFormat(kInt8), 0), &f32, true, {});
          EXPECT_TRUE(y.freedom == Freedom::kAnyCode ? codes.all() : codes[y.code])
              << "way " << way << ", scales " << input.a_scale.codes[0] << " "
              << input.b_scale.codes[0] << " " << input.y_scale.codes[0] << ", y "
              << y.code << ", set " << Text(codes);
        }
      }
    }
  }
}

TEST(ExactDequantizedMatMul, SimulatedFloatMatMuls_StayInside) {
  for (int scale_type : {kFloat, kFloat16, kBfloat16}) {
    const Simulated result = Simulate(scale_type, false);
    EXPECT_EQ(result.outside, 0) << result.first;
    EXPECT_EQ(result.answers, 12000);
    EXPECT_GT(result.specials, 1000);
  }
}

TEST(ExactDequantizedMatMul, SimulatedScaleTypeMatMuls_StayInside) {
  for (int scale_type : {kFloat16, kBfloat16}) {
    const Simulated result = Simulate(scale_type, true);
    EXPECT_EQ(result.outside, 0) << result.first;
    EXPECT_EQ(result.answers, 12000);
    EXPECT_GT(result.specials, 1000);
  }
}

}  // namespace
}  // namespace qconform::exact
