// Oracle and judge have the same formats: every code of at most 16 bits, its place
// in a tensor's bytes, and the rounding of every value of P that lies at, or next to, a
// boundary.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "oracle/exact/format.h"
#include "oracle/exact/packing.h"
#include "oracle/exact/testing/agreement.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

using agreement::JudgeFormat;
using agreement::Members;
using exact::Value;

constexpr DataType kTargets[] = {
    DataType::kUint8,          DataType::kInt8,       DataType::kUint16,
    DataType::kInt16,          DataType::kUint4,      DataType::kInt4,
    DataType::kUint2,          DataType::kInt2,       DataType::kFloat8E4M3FN,
    DataType::kFloat8E4M3FNUZ, DataType::kFloat8E5M2, DataType::kFloat8E5M2FNUZ,
    DataType::kFloat4E2M1,     DataType::kFloat6E2M3, DataType::kFloat6E3M2};
constexpr DataType kPrecisions[] = {DataType::kFloat, DataType::kFloat16,
                                    DataType::kBfloat16, DataType::kDouble};

// Empty if the oracle's value is the judge's.
std::string ValueDifference(const ExactValue& oracle, const Value& judge) {
  switch (oracle.value_class) {
    case ValueClass::kNan:
      return judge.IsNan() ? "" : "only the oracle has NaN";
    case ValueClass::kInfinity:
      return judge.IsInfinity() && judge.negative == oracle.negative ? ""
                                                                     : "no such infinity";
    case ValueClass::kZero:
      return judge.IsZero() && judge.negative == oracle.negative ? "" : "no such zero";
    case ValueClass::kFinite:
      break;
  }
  mpq_class value = mpz_class(static_cast<unsigned long>(oracle.significand)) *
                    exact::PowerOfTwo(oracle.exponent);
  if (oracle.negative) value = -value;
  if (!judge.IsNumber() || judge.number != value) return "another number";
  return judge.negative == oracle.negative ? "" : "another sign";
}

uint64_t OracleRound(DataType type, const Unrounded& value, OverflowPolicy policy) {
  return Round(FormatOf(type), value, RoundingMode::kNearestEven, policy);
}

TEST(FormatsAgreement, AllCodesOfAtMost16Bits_DecodeAndReturn) {
  uint64_t visited = 0;
  for (DataType type : AllDataTypes()) {
    const NumberFormat& format = FormatOf(type);
    const exact::Format& judge = JudgeFormat(type);
    ASSERT_EQ(format.bits, judge.bits);
    if (format.bits > 16) continue;
    for (uint64_t code = 0; code < uint64_t{1} << format.bits; ++code, ++visited) {
      const ExactValue value = Decode(format, code);
      const Value expected = exact::ValueOf(judge, code);
      ASSERT_EQ(ValueDifference(value, expected), "")
          << DataTypeName(type) << " " << code;
      ASSERT_EQ(IsNan(format, code), expected.IsNan());
      if (judge.set != exact::Format::Set::kIntegers) {
        ASSERT_EQ(IsSubnormal(format, code), exact::IsSubnormal(judge, expected));
      } else {
        ASSERT_EQ(ToInteger(format, code), expected.number);
      }
      if (type == DataType::kFloat8E8M0) {  // nothing is ever rounded to it (QL-07)
        ASSERT_EQ(exact::CodeOf(judge, expected), code);
        continue;
      }
      for (OverflowPolicy policy :
           {OverflowPolicy::kSaturate, OverflowPolicy::kNonSaturating}) {
        const bool saturates = policy == OverflowPolicy::kSaturate;
        if (!saturates && (!judge.has_nan || value.value_class == ValueClass::kNan))
          continue;
        const uint64_t again = OracleRound(type, ToUnrounded(value), policy);
        const uint64_t judged = exact::Round(
            judge, expected,
            saturates ? exact::Overflow::kSaturate : exact::Overflow::kSpecial);
        if (expected.IsNan()) {
          ASSERT_TRUE(IsNan(format, again) && exact::IsNanCode(judge, judged));
          continue;
        }
        ASSERT_EQ(again, judged) << DataTypeName(type) << " " << code;
        if (!saturates || expected.IsNumber()) {
          ASSERT_EQ(again, code) << DataTypeName(type);
        }
      }
    }
  }
  EXPECT_EQ(visited, 4u * 65536 + 7 * 256 + 2 * 64 + 3 * 16 + 2 * 4);
}

TEST(FormatsAgreement, RandomCodesOfMoreThan16Bits_DecodeAndReturn) {
  agreement::Random random(1);
  for (DataType type : {DataType::kFloat, DataType::kDouble, DataType::kInt32}) {
    const NumberFormat& format = FormatOf(type);
    const exact::Format& judge = JudgeFormat(type);
    for (int i = 0; i < 200000; ++i) {
      const uint64_t code = agreement::RandomCode(judge, random);
      const Value expected = exact::ValueOf(judge, code);
      ASSERT_EQ(ValueDifference(Decode(format, code), expected), "")
          << DataTypeName(type) << " " << code;
      ASSERT_EQ(IsNan(format, code), expected.IsNan());
      if (!expected.IsNumber()) continue;
      ASSERT_EQ(
          OracleRound(type, ToUnrounded(Decode(format, code)), OverflowPolicy::kSaturate),
          code);
      ASSERT_EQ(exact::CodeOf(judge, expected), code);
    }
  }
}

// QL-50, QL-52: the oracle finds each element in the judge's bytes, and writes the same
// bytes, whatever the neighbouring elements are.
TEST(FormatsAgreement, PackedBytes_OfEveryTypeAndSmallCounts) {
  agreement::Random random(1);
  uint64_t visited = 0;
  for (DataType type : AllDataTypes()) {
    const exact::Format& judge = JudgeFormat(type);
    for (int64_t count = 0; count <= 17; ++count) {
      for (int repeat = 0; repeat < 50; ++repeat) {
        std::vector<uint64_t> codes(static_cast<size_t>(count));
        for (uint64_t& code : codes) {
          code = random.OneIn(4)
                     ? random.Pick({uint64_t{0}, ~uint64_t{0} >> (64 - judge.bits)})
                     : random.Next() >> (64 - judge.bits);
        }
        const std::vector<std::byte> bytes = exact::PackedBytes(codes, judge.bits);
        ASSERT_EQ(bytes.size(), PackedByteSize(type, count));
        const Shape shape = {count};
        std::vector<std::byte> written(bytes.size());
        for (int64_t i = count; i-- > 0;) {  // from the end, over what was written before
          const uint64_t code = codes[static_cast<size_t>(i)];
          ASSERT_EQ(ReadCode({type, shape, bytes}, i), code)
              << DataTypeName(type) << " [" << i << "] of " << count;
          WriteCode({type, shape, written}, i,
                    ~code & (~uint64_t{0} >> (64 - judge.bits)));
          WriteCode({type, shape, written}, i, code);
          ++visited;
        }
        ASSERT_EQ(written, bytes) << DataTypeName(type) << ", " << count << " elements";
        ASSERT_EQ(exact::UnpackedCodes(written, judge.bits, codes.size()), codes);
      }
    }
  }
  EXPECT_EQ(visited, AllDataTypes().size() * 50 * (17 * 18 / 2));
}

TEST(FormatsAgreement, DerivedFacts) {
  for (DataType type : AllDataTypes()) {
    const NumberFormat& format = FormatOf(type);
    const exact::Format& judge = JudgeFormat(type);
    EXPECT_EQ(exact::ValueOf(judge, LargestFinite(format)).number, judge.highest);
    if (judge.set == exact::Format::Set::kIntegers) {
      EXPECT_EQ(IntegerMin(format), judge.lowest);
      EXPECT_EQ(IntegerMax(format), judge.highest);
      continue;
    }
    if (judge.has_nan) {
      EXPECT_TRUE(exact::IsNanCode(judge, CanonicalNan(format)));
    }
    if (judge.set != exact::Format::Set::kFloats) continue;
    const mpq_class normal = exact::PowerOfTwo(judge.min_exponent);
    EXPECT_EQ(exact::ValueOf(judge, SmallestNormal(format)).number, normal);
    EXPECT_EQ(SmallestNormalExponent(format), judge.min_exponent);
    EXPECT_EQ(exact::ValueOf(judge, SmallestPositive(format)).number,
              normal / exact::PowerOfTwo(judge.precision - 1));
    EXPECT_EQ(format.has_infinity, judge.has_infinity);
    if (judge.has_infinity) {
      EXPECT_TRUE(exact::ValueOf(judge, Infinity(format, true)).IsInfinity());
      EXPECT_TRUE(exact::ValueOf(judge, Infinity(format, true)).negative);
    }
    for (DataType other : AllDataTypes()) {
      EXPECT_EQ(HoldsAllOf(format, FormatOf(other)),
                exact::Contains(judge, JudgeFormat(other)))
          << DataTypeName(type) << " " << DataTypeName(other);
    }
  }
}

TEST(FormatsAgreement, NeighboursOfAtMost16Bits) {
  uint64_t visited = 0;
  for (DataType type : AllDataTypes()) {
    const NumberFormat& format = FormatOf(type);
    const exact::Format& judge = JudgeFormat(type);
    if (format.bits > 16 || type == DataType::kFloat8E8M0) continue;
    const std::vector<mpq_class> members = Members(judge);
    for (size_t i = 0; i + 1 < members.size(); ++i, ++visited) {
      const uint64_t low = exact::CodeOf(judge, Value::Number(members[i]));
      const uint64_t high = exact::CodeOf(judge, Value::Number(members[i + 1]));
      // Either zero is as good as the other.
      ASSERT_EQ(exact::ValueOf(judge, NextUp(format, low)).number, members[i + 1]);
      ASSERT_EQ(exact::ValueOf(judge, NextDown(format, high)).number, members[i]);
    }
  }
  EXPECT_GT(visited, 4u * 60000);
}

TEST(FormatsAgreement, EveryPrecisionAndTarget_AllBoundariesAndTheirNeighbours) {
  uint64_t visited = 0;
  uint64_t boundaries = 0;
  for (DataType target : kTargets) {
    const exact::Format& judge = JudgeFormat(target);
    const bool is_float = judge.set == exact::Format::Set::kFloats;
    const std::vector<mpq_class> all = agreement::Boundaries(judge);
    boundaries += all.size();
    std::vector<Value> zero_points = {Value::Zero(false)};
    if (is_float) {  // the exact sum of QL-24, and its one rounding
      for (const mpq_class& v :
           {judge.highest, judge.lowest, mpq_class(1), exact::ValueOf(judge, 1).number}) {
        zero_points.push_back(Value::Number(v));
      }
    }
    for (DataType precision : kPrecisions) {
      for (const Value& zero_point : zero_points) {
        const ExactValue zp = Decode(FormatOf(target), exact::CodeOf(judge, zero_point));
        for (const mpq_class& boundary : all) {
          for (uint64_t code : agreement::CodesAround(JudgeFormat(precision),
                                                      boundary - zero_point.number)) {
            const Unrounded q = Add(ToUnrounded(Decode(FormatOf(precision), code)), zp);
            const Value v =
                exact::Add(exact::ValueOf(JudgeFormat(precision), code), zero_point);
            for (bool saturates : {true, false}) {
              if (!saturates && !judge.has_nan) continue;
              ASSERT_EQ(OracleRound(target, q,
                                    saturates ? OverflowPolicy::kSaturate
                                              : OverflowPolicy::kNonSaturating),
                        exact::Round(judge, v,
                                     saturates ? exact::Overflow::kSaturate
                                               : exact::Overflow::kSpecial))
                  << DataTypeName(target) << " " << DataTypeName(precision) << " "
                  << CodeToString(precision, code) << " + " << zero_point.number;
              ++visited;
            }
          }
        }
      }
    }
  }
  // One boundary per pair of neighbours and one beyond either end.
  EXPECT_EQ(boundaries,
            2u * 65537 + 2 * 257 + 2 * 17 + 2 * 5 + 254 + 256 + 248 + 256 + 16 + 2 * 64);
  RecordProperty("visited", static_cast<int>(visited));
  EXPECT_GT(visited, 4u * 3 * boundaries / 2);
  std::printf("boundaries %llu, roundings compared %llu\n",
              static_cast<unsigned long long>(boundaries),
              static_cast<unsigned long long>(visited));
}

}  // namespace
}  // namespace qconform
