// Oracle and judge agree on DequantizeLinear for all codes of every type of x of at most
// 16 bits, by scales at which answers change, without a zero point and with some, in
// every reading. QCONFORM_JUDGE_CASES sets how many scales are asked.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "oracle/exact/operators/dequantize_linear/dequantize_linear.h"
#include "oracle/exact/operators/dequantize_linear/testing/questions.h"
#include "oracle/exact/testing/agreement.h"

namespace qconform {
namespace {

using agreement::DequantizeLinearCell;
using exact::Format;
using exact::Value;

// All codes of x, and zero points at both ends and in the middle; of floats also both
// zeros, the smallest, NaN and Inf.
std::vector<std::optional<uint64_t>> ZeroPoints(const Format& x) {
  std::vector<std::optional<uint64_t>> codes = {
      std::nullopt, 0, exact::CodeOf(x, Value::Number(x.lowest)),
      exact::CodeOf(x, Value::Number(x.highest)), 1};
  const uint64_t sign = uint64_t{1} << (x.bits - 1);
  codes.insert(codes.end(), {sign, sign + 1, sign - 1});
  if (x.set == Format::Set::kFloats) codes.push_back(x.highest_rank + 1);
  for (std::optional<uint64_t>& code : codes) {
    if (code) *code &= (sign << 1) - 1;
  }
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  return codes;
}

TEST(CodesAgreement, AllCodesByBoundaryScales) {
  const int64_t size = agreement::CaseCount(1'000'000);
  struct Work {
    DequantizeLinearCell cell;
    std::optional<uint64_t> zero_point;
    std::vector<uint64_t> scales;
  };
  std::vector<Work> works;
  agreement::Random random(1);
  for (const DequantizeLinearCell& cell : agreement::DequantizeLinearCells()) {
    const Format& x = exact::GetFormat(cell.x);
    if (cell.granularity != agreement::Granularity::kPerTensor || x.bits > 16) continue;
    // Versions in which the clauses differ; of others the types that are new.
    const bool is_new =
        cell.since_version == 28 || cell.since_version == 21 || cell.since_version == 13;
    if (!is_new && size < 10'000'000) continue;
    const bool is_large = x.bits == 16;
    const bool is_whole = size >= 10'000'000;
    const size_t scales = is_large ? 1 : is_whole ? 30 : size >= 1'000'000 ? 3 : 1;
    for (const std::optional<uint64_t>& zero_point : ZeroPoints(x)) {
      if (is_large && !is_whole && works.size() % 11 != 0) {
        works.push_back({cell, zero_point, {}});  // in turn
        continue;
      }
      works.push_back(
          {cell, zero_point,
           agreement::BoundaryScales(cell.x, cell.x_scale, cell.y, scales, random)});
    }
  }
  agreement::Findings findings;
  std::atomic<int64_t> elements = 0;
  std::atomic<int64_t> canonical = 0;
  agreement::InParallel(static_cast<int64_t>(works.size()), [&](int64_t index) {
    const auto& [cell, zero_point, scales] = works[static_cast<size_t>(index)];
    const int64_t codes = int64_t{1} << exact::GetFormat(cell.x).bits;
    for (const uint64_t scale : scales) {
      exact::DequantizeLinearInput input;
      input.since_version = cell.since_version;
      input.x = {cell.x, {codes}, std::vector<uint64_t>(static_cast<size_t>(codes))};
      std::iota(input.x.codes.begin(), input.x.codes.end(), uint64_t{0});
      input.x_scale = {cell.x_scale, {}, {scale}};
      if (zero_point) input.x_zero_point = exact::Codes{cell.x, {}, {*zero_point}};
      if (cell.y != cell.x_scale) input.output_dtype = cell.y;
      const agreement::DequantizeLinearProblem oracle(input);
      const std::vector<ReadingSet> all = oracle.Readings();
      if (all.empty()) findings.Add("the oracle refuses " + agreement::ToString(input));
      for (size_t i = 0; i < all.size(); ++i) {
        const exact::Answer judged =
            exact::DequantizeLinear(input, agreement::JudgeReadings(all[i], cell));
        const std::string difference = oracle.Difference(judged, all[i]);
        if (!difference.empty()) {
          input.x.codes.clear();
          findings.Add(difference + ", " + Spell(all[i]) + ", " +
                       agreement::ToString(input));
          return;
        }
        elements += codes;
        if (i == 0) canonical += codes;
      }
    }
  });
  EXPECT_EQ(findings.count(), 0) << findings.Text();
  std::printf("elements %lld, of which canonical %lld\n",
              static_cast<long long>(elements), static_cast<long long>(canonical));
}

}  // namespace
}  // namespace qconform
