// Oracle and judge agree on QuantizeLinear at every rounding boundary of every
// target, for every P: quotients at the boundary and next to it, zero points
// at both ends and in the middle.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "oracle/exact/operators/quantize_linear/quantize_linear.h"
#include "oracle/exact/operators/quantize_linear/testing/questions.h"
#include "oracle/exact/testing/agreement.h"
#include "oracle/operators/quantize_linear/quantize_linear.h"

namespace qconform {
namespace {

using exact::Format;
using exact::Value;

// A way to come by quotients of one P.
struct Division {
  int x;
  int y_scale;
  int precision;
  long scale;
};

constexpr Division kDivisions[] = {
    {exact::kFloat, exact::kFloat, 0, 1},
    {exact::kFloat16, exact::kFloat16, 0, 1},
    {exact::kBfloat16, exact::kBfloat16, 0, 1},
    // FLOAT quotients of other operands, and rounded ones.
    {exact::kFloat, exact::kFloat, 0, 3},
    {exact::kFloat16, exact::kFloat, 0, 5},
    {exact::kInt32, exact::kFloat8E8M0, 0, 1},
    // DOUBLE is no type of x: a division by 3 rounds, one by 1 does not.
    {exact::kFloat, exact::kFloat, exact::kDouble, 3},
    {exact::kFloat, exact::kFloat, exact::kDouble, 1},
    // No P: the exact quotient (QL-06).
    {exact::kInt32, exact::kInt32, 0, 2},
    {exact::kInt32, exact::kInt32, 0, 6},
};

// How many boundaries a target has: one between neighbours, one beyond either
// end.
struct Target {
  int type;
  int64_t boundaries;
  int since_version = 25;
};

constexpr Target kTargets[] = {
    {exact::kUint8, 257},
    {exact::kInt8, 257},
    {exact::kUint16, 65537},
    {exact::kInt16, 65537},
    {exact::kUint4, 17},
    {exact::kInt4, 17},
    {exact::kUint2, 5},
    {exact::kInt2, 5},
    {exact::kFloat8E4M3FN, 254},    // 2 NaNs, 2 zeros
    {exact::kFloat8E4M3FNUZ, 256},  // 1 NaN
    {exact::kFloat8E5M2, 248},      // 6 NaNs, 2 infinities, 2 zeros
    {exact::kFloat8E5M2FNUZ, 256},  // 1 NaN
    {exact::kFloat4E2M1, 16},       // 2 zeros
    {exact::kFloat6E2M3, 64, 28},   // 2 zeros
    {exact::kFloat6E3M2, 64, 28}};  // 2 zeros

std::vector<Value> ZeroPoints(const Format& target) {
  const mpq_class middle = (target.lowest + target.highest) / 2;
  std::set<mpq_class> numbers = {0, target.lowest, target.highest};
  if (target.set == Format::Set::kFloats) {
    numbers.insert({mpq_class(1), exact::ValueOf(target, 1).number});
  } else {
    numbers.insert(mpq_class(exact::RoundHalfEven(middle)));
  }
  std::vector<Value> values;
  for (const mpq_class& number : numbers) values.push_back(Value::Number(number));
  return values;
}

TEST(BoundariesAgreement, EveryPrecisionAndTarget) {
  struct Work {
    const Division* division;
    Target target;
    Value zero_point;
    int saturate;
  };
  const int64_t size = agreement::CaseCount(1'000'000);
  const bool is_whole = size >= 10'000'000;
  const bool is_short = size < 1'000'000;  // under sanitizers
  int64_t expected = 0;
  std::vector<Work> works;
  for (const Division& division : kDivisions) {
    for (const Target& target : kTargets) {
      const Format& format = exact::GetFormat(target.type);
      const std::vector<Value> zero_points = ZeroPoints(format);
      const size_t turn = works.size() % zero_points.size();
      for (size_t i = 0; i < zero_points.size(); ++i) {
        for (int saturate : {1, 0}) {
          // 16-bit integers ignore it (QL-14) and have many boundaries: in
          // turn, and zero points too where time is short.
          const bool is_large = format.bits == 16;
          if (is_large && saturate != static_cast<int>(i % 2)) continue;
          if (is_large && !is_whole && i != turn) continue;
          if (is_large && is_short && &division != &kDivisions[0]) continue;
          works.push_back({&division, target, zero_points[i], saturate});
          expected += target.boundaries;
        }
      }
    }
  }
  agreement::Findings findings;
  std::atomic<int64_t> elements = 0;
  std::atomic<int64_t> boundaries = 0;
  agreement::InParallel(static_cast<int64_t>(works.size()), [&](int64_t index) {
    const Work& work = works[static_cast<size_t>(index)];
    const Format& target = exact::GetFormat(work.target.type);
    const Format& x_format = exact::GetFormat(work.division->x);
    std::set<uint64_t> codes;
    for (const mpq_class& boundary : agreement::Boundaries(target)) {
      const mpq_class x = (boundary - work.zero_point.number) * work.division->scale;
      const std::vector<uint64_t> around = agreement::CodesAround(x_format, x);
      codes.insert(around.begin(), around.end());
      ++boundaries;
    }
    exact::QuantizeLinearInput input;
    input.since_version = work.target.since_version;
    input.x = {work.division->x,
               {static_cast<int64_t>(codes.size())},
               std::vector<uint64_t>(codes.begin(), codes.end())};
    const int scale_type = work.division->y_scale;
    input.y_scale = {scale_type,
                     {},
                     {exact::CodeOf(exact::GetFormat(scale_type),
                                    Value::Number(work.division->scale))}};
    input.y_zero_point =
        exact::Codes{work.target.type, {}, {exact::CodeOf(target, work.zero_point)}};
    input.precision = work.division->precision;
    input.saturate = work.saturate;
    const agreement::OracleProblem oracle(input);
    const std::vector<QuantizeLinearReadings> readings =
        ReadingCombinations(input.since_version, static_cast<DataType>(input.x.type),
                            static_cast<DataType>(scale_type),
                            static_cast<DataType>(work.target.type), input.precision);
    for (const QuantizeLinearReadings& reading : readings) {
      const exact::Answer judged =
          exact::QuantizeLinear(input, agreement::JudgeReadings(reading));
      const Result<Answer> answered = EvaluateQuantizeLinear(oracle.problem(), reading);
      const std::string difference = answered.ok()
                                         ? agreement::Difference(judged, *answered)
                                         : answered.error().message;
      if (!difference.empty()) {
        findings.Add(difference + ", x type " + std::to_string(input.x.type) +
                     ", y_scale " + agreement::ToString(input.y_scale) +
                     ", y_zero_point " + agreement::ToString(*input.y_zero_point));
      }
      elements += static_cast<int64_t>(codes.size());
      if (target.bits == 16) break;  // its readings differ in the quotient alone
    }
  });
  EXPECT_EQ(findings.count(), 0) << findings.Text();
  EXPECT_EQ(boundaries.load(), expected);
  std::printf("boundaries %lld, elements %lld\n", static_cast<long long>(boundaries),
              static_cast<long long>(elements));
}

// All x of 16 bits at the scale 1, without a zero point and with one of 0: infinities,
// NaN and both zeros are among them.
TEST(BoundariesAgreement, AllFloat16AndBfloat16X_ToFloat6) {
  int64_t elements = 0;
  for (const int x : {exact::kFloat16, exact::kBfloat16}) {
    for (const int y : {exact::kFloat6E2M3, exact::kFloat6E3M2}) {
      exact::QuantizeLinearInput input;
      input.since_version = 28;
      input.x = {x, {256, 256}, std::vector<uint64_t>(65536)};
      std::iota(input.x.codes.begin(), input.x.codes.end(), uint64_t{0});
      input.y_scale = {
          x, {}, {exact::CodeOf(exact::GetFormat(x), Value::Number(mpq_class(1)))}};
      input.output_dtype = y;
      for (const bool has_zero_point : {false, true}) {
        if (has_zero_point) input.y_zero_point = exact::Codes{y, {}, {0}};
        const agreement::OracleProblem oracle(input);
        for (const QuantizeLinearReadings& reading :
             ReadingCombinations(28, static_cast<DataType>(x), static_cast<DataType>(x),
                                 static_cast<DataType>(y), 0)) {
          // Those of QL-24 differ by zero points that are not 0.
          if (reading.float_zero_point != FloatZeroPoint::kCanonical) continue;
          const exact::Answer judged =
              exact::QuantizeLinear(input, agreement::JudgeReadings(reading));
          const Result<Answer> answered =
              EvaluateQuantizeLinear(oracle.problem(), reading);
          ASSERT_TRUE(answered) << answered.error().message;
          ASSERT_EQ(agreement::Difference(judged, *answered), "") << x << " to " << y;
          elements += static_cast<int64_t>(judged.elements.size());
        }
      }
    }
  }
  EXPECT_GE(elements, 2 * 2 * 2 * 2 * 65536);  // at least two readings
  std::printf("elements %lld\n", static_cast<long long>(elements));
}

}  // namespace
}  // namespace qconform
