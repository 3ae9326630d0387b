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
        const bool divides_by_zero = exact::ValueOf(exact::GetFormat(cell.scale),
                                                    question.input.y_scale.codes.front())
                                         .IsZero();
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
            // Where y_scale is 0 the oracle admits all between two infinities.
            const bool is_within = (oracle[i] & ~most).none() || divides_by_zero;
            if ((least & ~oracle[i]).none() && is_within) continue;
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
