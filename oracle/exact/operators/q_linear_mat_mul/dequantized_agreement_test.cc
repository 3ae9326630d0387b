// Oracle and judge agree on what a backend may answer that dequantizes both operands
// first: `float_matmul` of MM-02 and MM-20, `scale_type_matmul` of MM-02.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

#include "oracle/exact/operators/q_linear_mat_mul/bounds.h"
#include "oracle/exact/operators/q_linear_mat_mul/dequantized.h"
#include "oracle/exact/operators/q_linear_mat_mul/q_linear_mat_mul.h"
#include "oracle/exact/operators/q_linear_mat_mul/testing/questions.h"
#include "oracle/exact/testing/agreement.h"
#include "oracle/operators/q_linear_mat_mul/q_linear_mat_mul.h"

namespace qconform {
namespace {

using agreement::QLinearMatMulCell;
using exact::CodeSet;

struct Question {
  exact::QLinearMatMulInput input;
  std::vector<exact::Accumulator> accumulators;
  exact::Answer canonical;
  QLinearMatMulReadings readings;  // of the target alone
};

Question AnyQuestion(const QLinearMatMulCell& cell, agreement::Random& random) {
  Question question;
  const std::vector<QLinearMatMulReadings> all = ReadingCombinations(
      static_cast<DataType>(cell.scale), static_cast<DataType>(cell.y));
  question.readings = all[random.Below(all.size())];
  question.readings.requantization = {};
  question.readings.order = {};
  question.readings.product_in_double = false;
  question.readings.b_first = false;
  question.input = random.OneIn(4) ? agreement::MakeQuestion(cell, random)
                                   : agreement::MakeExtremeQuestion(cell, random);
  question.accumulators = exact::Accumulate(question.input);
  question.canonical = exact::QLinearMatMul(question.input, question.accumulators,
                                            agreement::JudgeReadings(question.readings));
  return question;
}

std::vector<CodeSet> OracleCodes(const QLinearMatMulCell& cell, const Question& question,
                                 MatMulBounds bounds) {
  const agreement::OracleMatMulProblem oracle(cell.since_version, question.input);
  const Result<Answer> answer =
      EvaluateQLinearMatMul(oracle.problem(), question.readings, bounds);
  std::vector<CodeSet> all;
  if (!answer.ok()) return all;
  const auto type = static_cast<DataType>(cell.y);
  for (const CodeBounds& one : answer->bounds) {
    CodeSet codes;
    for (uint64_t code = 0; code < codes.size(); ++code) {
      codes[code] =
          IsWithin(type, code, one.low, one.high) || one.arising.Hold(type, code);
    }
    // MM-12: either sign of a zero, also of one that an infinity and a zero point make.
    const uint64_t minus_zero = 0x80;
    if (exact::ValueOf(exact::GetFormat(cell.y), minus_zero).IsZero()) {
      codes[0] = codes[minus_zero] = codes[0] || codes[minus_zero];
    }
    all.push_back(codes);
  }
  return all;
}

// Those between `low` and `high` in the order of their values.
CodeSet Between(int y_type, const exact::CodeInterval& interval) {
  CodeSet codes;
  for (uint64_t code = 0; code < codes.size(); ++code) {
    codes[code] =
        IsWithin(static_cast<DataType>(y_type), code, interval.low, interval.high);
  }
  return codes;
}

std::string Text(const CodeSet& codes) {
  if (codes.all()) return "all";
  std::string text;
  for (size_t first = 0; first < codes.size(); ++first) {
    if (!codes[first]) continue;
    size_t last = first;
    while (last + 1 < codes.size() && codes[last + 1]) ++last;
    text += (text.empty() ? "" : " ") + std::to_string(first);
    if (last > first) text += "-" + std::to_string(last);
    first = last;
  }
  return text;
}

struct Counts {
  std::atomic<int64_t> elements = 0;
  std::atomic<int64_t> degenerate = 0;
  std::atomic<int64_t> all_codes = 0;  // NaN in integer y
  std::atomic<int64_t> with_gaps = 0;  // an infinity away from the interval
  std::atomic<int64_t> wider = 0;      // than what the judge derives from alpha and beta
};

// Is there a code that is missing between two others? Only integers are ordered so.
bool HasGap(const CodeSet& codes) {
  int changes = 0;
  for (size_t i = 0; i < codes.size(); ++i) {
    changes += codes[i] != codes[(i + 1) % codes.size()] ? 1 : 0;
  }
  return changes > 2;
}

template <typename Check>
void ForEachElement(int64_t wanted, uint64_t seed, bool half_scales, Counts& counts,
                    const Check& check) {
  const std::vector<QLinearMatMulCell> cells = agreement::QLinearMatMulCells();
  for (int64_t round = 0; counts.elements < wanted; ++round) {
    agreement::InParallel(16, [&](int64_t chunk) {
      agreement::Random random(seed + static_cast<uint64_t>(round * 16 + chunk));
      for (size_t i = static_cast<size_t>(chunk); i < cells.size(); i += 16) {
        if (half_scales && cells[i].scale == exact::kFloat) continue;
        const Question question = AnyQuestion(cells[i], random);
        check(cells[i], question);
        for (const exact::Element& element : question.canonical.elements) {
          ++counts.elements;
          if (element.tier == exact::Tier::kDegenerateScale) ++counts.degenerate;
        }
      }
    });
  }
}

TEST(DequantizedAgreement, FloatMatMul_OverAllCells) {
  const int64_t wanted = agreement::CaseCount(250'000) / 25;
  Counts counts;
  agreement::Findings findings;
  ForEachElement(
      wanted, 2'000'000, false, counts,
      [&](const QLinearMatMulCell& cell, const Question& question) {
        const exact::TargetReadings target =
            agreement::JudgeReadings(question.readings).target;
        const std::vector<exact::DequantizedCodes> judge =
            exact::DequantizedMatMul(question.input, question.accumulators, target);
        const std::vector<exact::CodeBounds> bounds =
            exact::Bounds(question.input, question.accumulators, target);
        const std::vector<CodeSet> oracle =
            OracleCodes(cell, question, MatMulBounds::kAll);
        if (oracle.size() != judge.size()) return findings.Add("counts differ");
        for (size_t i = 0; i < judge.size(); ++i) {
          const exact::Element& canonical = question.canonical.elements[i];
          if (canonical.freedom == exact::Freedom::kAnyCode) continue;
          const CodeSet mm10 = Between(cell.y, bounds[i].admissible);
          const CodeSet least = judge[i].float_matmul.derived | mm10;
          const CodeSet most = judge[i].float_matmul.widest | mm10;
          if (least.all()) ++counts.all_codes;
          if (HasGap(least)) ++counts.with_gaps;
          if (oracle[i] != least) ++counts.wider;
          // Where a way of MM-10 leads to NaN the oracle admits all numbers.
          const bool is_within = (oracle[i] & ~most).none() || bounds[i].may_be_nan;
          if ((least & ~oracle[i]).none() && is_within) continue;
          findings.Add("[" + std::to_string(i) + "]: judge " + Text(least) + " to " +
                       Text(most) + ", oracle " + Text(oracle[i]) + ", tier " +
                       std::to_string(static_cast<int>(canonical.tier)) + "\n  " +
                       ReadingsName(question.readings) +
                       agreement::ToString(question.input));
        }
      });
  EXPECT_EQ(findings.count(), 0) << findings.Text();
  EXPECT_GT(counts.degenerate.load(), counts.elements / 4);
  EXPECT_GT(counts.all_codes.load(), counts.elements / 50);
  EXPECT_GT(counts.with_gaps.load(), counts.elements / 50);
  std::printf(
      "elements %lld, degenerate %lld, any code %lld, with gaps %lld\n",
      static_cast<long long>(counts.elements), static_cast<long long>(counts.degenerate),
      static_cast<long long>(counts.all_codes), static_cast<long long>(counts.with_gaps));
}

// fma(x, y, Inf) rounds no product: +Inf and -Inf are possible where rounded products
// would be both, and NaN.
TEST(DequantizedAgreement, InfinitiesOfBothSigns_OfAFusedMultiplyAdd) {
  const auto scalar = [](int type, uint64_t code) {
    return exact::Codes{type, {}, {code}};
  };
  Question question;
  exact::QLinearMatMulInput& input = question.input;
  input.a = {exact::kInt8, {1, 2}, {1, 0xff}};
  input.b = {exact::kInt8, {2, 1}, {1, 1}};
  input.a_zero_point = input.b_zero_point = scalar(exact::kInt8, 0);
  input.a_scale = input.b_scale = scalar(exact::kFloat, 0x5f800000);
  input.y_scale = scalar(exact::kFloat, 0x7c000000);
  input.y_zero_point = scalar(exact::kFloat8E4M3FN, 0);
  const QLinearMatMulCell cell = {21, exact::kFloat, exact::kInt8, exact::kInt8,
                                  exact::kFloat8E4M3FN};
  const std::vector<CodeSet> oracle = OracleCodes(cell, question, MatMulBounds::kAll);
  ASSERT_EQ(oracle.size(), 1u);
  // 126 is 448, 254 is -448, 127 and 255 are NaN.
  EXPECT_EQ(Text(oracle[0]), "0 126-128 254-255");
}

// In the order of DequantizedCodes::scale_type_matmul.
constexpr MatMulBounds kWays[] = {MatMulBounds::kScaleType, MatMulBounds::kScaleTypeSum,
                                  MatMulBounds::kScaleTypeQuotient,
                                  MatMulBounds::kScaleTypeSumAndQuotient};

// What element `i` may be by oracle and judge, in each of the four ways, in addition to
// its canonical code, which is always allowed; the test fails if the two differ.
std::vector<std::string> ScaleTypeMatMul(const exact::QLinearMatMulInput& input,
                                         const QLinearMatMulReadings& readings,
                                         size_t i) {
  Question question;
  question.input = input;
  question.readings = readings;
  const QLinearMatMulCell cell = {21, input.y_scale.type, input.a.type, input.b.type,
                                  input.y_zero_point.type};
  const std::vector<exact::Accumulator> accumulators = exact::Accumulate(input);
  const auto judge_readings = agreement::JudgeReadings(readings);
  const std::vector<exact::DequantizedCodes> judge =
      exact::DequantizedMatMul(input, accumulators, judge_readings.target);
  const uint64_t code =
      exact::QLinearMatMul(input, accumulators, judge_readings).elements.at(i).code;
  const CodeSet own = Between(cell.y, {code, code});
  std::vector<std::string> texts;
  for (size_t way = 0; way < std::size(kWays); ++way) {
    const CodeSet oracle = OracleCodes(cell, question, kWays[way]).at(i);
    const CodeSet derived = judge.at(i).scale_type_matmul[way].derived;
    EXPECT_EQ(Text(oracle), Text(derived | own)) << way;
    texts.push_back(Text(derived));
  }
  return texts;
}

using Four = std::vector<std::string>;  // nothing, S, v, and both in the scales' type

// Two products of 3.746 * 2^-149 each. Rounded they are 4, so S is 8 at most (7.492 or 7
// if it is formed otherwise) and v is 2^-17 at most: a tie, and 0. Half a unit more for
// each product, 8.492, is beyond the tie, but no sum is that number.
TEST(DequantizedAgreement, ScaleTypeMatMul_ProductsBelowFloat) {
  exact::QLinearMatMulInput input;
  input.a = {exact::kFloat8E4M3FN, {1, 2}, {0x19, 0x00}};
  input.a_zero_point = {exact::kFloat8E4M3FN, {}, {0xe0}};
  input.b = {exact::kInt8, {2, 1}, {0x70, 0x70}};
  input.b_zero_point = {exact::kInt8, {}, {0}};
  input.y_zero_point = {exact::kFloat8E5M2, {}, {0}};
  input.a_scale = {exact::kBfloat16, {}, {0x3089}};
  input.b_scale = {exact::kBfloat16, {}, {0x0010}};
  input.y_scale = {exact::kBfloat16, {}, {0x0010}};
  EXPECT_EQ(ScaleTypeMatMul(input, {}, 0), (Four{"0 128", "0 128", "0 128", "0 128"}));
}

// S is -0.983 or, with zero points subtracted in BFLOAT16, -1.006 times 2^128: -24576
// (246), and -Inf (252) where the latter is rounded to a type that ends before it. What
// lies between these two, 247 to 251, is no answer.
TEST(DequantizedAgreement, ScaleTypeMatMul_OneOfTwoSumsIsBeyondFloat) {
  exact::QLinearMatMulInput input;
  input.a = {exact::kUint8, {1, 6}, {0xeb, 0x41, 0xd4, 0xce, 0xd8, 0xc0}};
  input.a_zero_point = {exact::kUint8, {}, {0xbd}};
  input.b = {exact::kFloat8E5M2FNUZ, {6, 1}, {0x09, 0xa7, 0xd3, 0xb8, 0x92, 0x6d}};
  input.b_zero_point = {exact::kFloat8E5M2FNUZ, {}, {0xef}};
  input.y_zero_point = {exact::kFloat8E5M2, {}, {0}};
  input.a_scale = {exact::kBfloat16, {}, {0x5b80}};
  input.b_scale = {exact::kBfloat16, {}, {0x5c40}};
  input.y_scale = {exact::kBfloat16, {}, {0x7820}};
  QLinearMatMulReadings readings;
  readings.e5m2_infinity = true;
  for (const std::string& codes : ScaleTypeMatMul(input, readings, 0)) {
    EXPECT_EQ(codes, "124-127 246 252-255");
  }
}

// S is 0 or, in a wider type, 2^-180, so S / 0 is NaN or +Inf (448), and never -448.
TEST(DequantizedAgreement, ScaleTypeMatMul_NoSumOfPositiveProductsIsNegative) {
  exact::QLinearMatMulInput input;
  input.a = {exact::kFloat8E4M3FN, {1, 3}, {0xfe, 0x7e, 0x7e}};
  input.a_zero_point = {exact::kFloat8E4M3FN, {}, {0}};
  input.b = {exact::kFloat8E4M3FN, {3, 1}, {0x02, 0x03, 0x4c}};
  input.b_zero_point = {exact::kFloat8E4M3FN, {}, {0}};
  input.y_zero_point = {exact::kFloat8E4M3FN, {}, {0xfe}};
  input.a_scale = {exact::kBfloat16, {}, {0x1fe0}};
  input.b_scale = {exact::kBfloat16, {}, {0x0014}};
  input.y_scale = {exact::kBfloat16, {}, {0}};
  EXPECT_EQ(ScaleTypeMatMul(input, {}, 0),
            (Four{"126-127 255", "127 255", "126-127 255", "127 255"}));
}

// S = 2 * 2^127, over 2^126: whoever sums in a wider type divides a number.
TEST(DequantizedAgreement, ScaleTypeMatMul_SumsBeyondFloatInAWiderType) {
  exact::QLinearMatMulInput input;
  input.a = {exact::kInt8, {1, 2}, {1, 1}};
  input.b = {exact::kInt8, {2, 1}, {1, 1}};
  input.a_zero_point = input.b_zero_point = {exact::kInt8, {}, {0}};
  input.y_zero_point = {exact::kInt8, {}, {0}};
  input.a_scale = {exact::kBfloat16, {}, {0x5f80}};  // 2^64
  input.b_scale = {exact::kBfloat16, {}, {0x5f00}};  // 2^63
  input.y_scale = {exact::kBfloat16, {}, {0x7e80}};  // 2^126
  EXPECT_EQ(ScaleTypeMatMul(input, {}, 0), (Four{"4 127", "127", "4 127", "127"}));
}

// The oracle may count a rounding more than the judge, and no more.
TEST(DequantizedAgreement, ScaleTypeMatMul_OverCellsWithHalfScales) {
  const int64_t wanted = agreement::CaseCount(250'000) / 25;
  Counts counts;
  agreement::Findings findings;
  ForEachElement(
      wanted, 3'000'000, true, counts,
      [&](const QLinearMatMulCell& cell, const Question& question) {
        const std::vector<exact::DequantizedCodes> judge =
            exact::DequantizedMatMul(question.input, question.accumulators,
                                     agreement::JudgeReadings(question.readings).target);
        for (size_t way = 0; way < std::size(kWays); ++way) {
          const std::vector<CodeSet> oracle = OracleCodes(cell, question, kWays[way]);
          if (oracle.size() != judge.size()) return findings.Add("counts differ");
          for (size_t i = 0; i < judge.size(); ++i) {
            const exact::Element& canonical = question.canonical.elements[i];
            if (canonical.freedom == exact::Freedom::kAnyCode) continue;
            const CodeSet own = Between(cell.y, {canonical.code, canonical.code});
            const CodeSet least = judge[i].scale_type_matmul[way].derived | own;
            const CodeSet most = judge[i].scale_type_matmul[way].widest | own;
            if (least.all()) ++counts.all_codes;
            if (HasGap(least)) ++counts.with_gaps;
            if (oracle[i] != least) ++counts.wider;
            if ((least & ~oracle[i]).none() && (oracle[i] & ~most).none()) continue;
            findings.Add(
                "[" + std::to_string(i) + "] way " + std::to_string(way) + ": judge " +
                Text(least) + " to " + Text(most) + ", oracle " + Text(oracle[i]) +
                ", tier " + std::to_string(static_cast<int>(canonical.tier)) + "\n  " +
                ReadingsName(question.readings) + agreement::ToString(question.input));
          }
        }
      });
  EXPECT_EQ(findings.count(), 0) << findings.Text();
  EXPECT_GT(counts.all_codes.load(), counts.elements / 50);
  EXPECT_GT(counts.with_gaps.load(), counts.elements / 50);
  std::printf(
      "elements %lld, any code %lld, with gaps %lld, wider than derived %lld\n",
      static_cast<long long>(counts.elements), static_cast<long long>(counts.all_codes),
      static_cast<long long>(counts.with_gaps), static_cast<long long>(counts.wider));
}

}  // namespace
}  // namespace qconform
