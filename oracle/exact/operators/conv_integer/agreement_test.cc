// Oracle and judge agree on ConvInteger: random questions over all cells.
// QCONFORM_JUDGE_CASES sets the number of elements.
#include "oracle/exact/testing/agreement.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "oracle/exact/operators/conv_integer/testing/questions.h"

namespace qconform {
namespace {

using agreement::ConvIntegerCell;
using agreement::ConvIntegerQuestion;
using agreement::Random;

// Returns the number of elements.
int64_t AskBoth(const ConvIntegerQuestion& question, agreement::Findings& findings,
                std::atomic<int64_t>* beyond = nullptr) {
  const exact::ConvIntegerInput& input = question.input;
  const agreement::OracleQuestion oracle = agreement::Ask(question);
  const exact::Answer judged = exact::ConvInteger(input);
  const Result<Answer> answered = oracle.Evaluate({});
  const std::string difference =
      answered.ok() ? agreement::Difference(judged, *answered) : answered.error().message;
  if (!difference.empty()) findings.Add(difference + agreement::ToString(input));
  if (oracle.Readings().size() != 1)
    findings.Add("there are readings" + agreement::ToString(input));
  for (const exact::Element& element : judged.elements) {
    if (beyond != nullptr && element.freedom == exact::Freedom::kAnyCode) ++*beyond;
  }
  return static_cast<int64_t>(judged.elements.size());
}

TEST(ConvIntegerAgreement, RandomQuestions_OverAllCells) {
  const int64_t wanted = agreement::CaseCount(300'000);
  const std::vector<ConvIntegerCell> cells = agreement::ConvIntegerCells();
  agreement::Findings findings;
  std::atomic<int64_t> elements = 0;
  for (int64_t round = 0; elements < wanted; ++round) {
    agreement::InParallel(static_cast<int64_t>(cells.size()), [&](int64_t index) {
      const ConvIntegerCell& cell = cells[static_cast<size_t>(index)];
      Random random(static_cast<uint64_t>(round * 8 + index));
      for (int i = 0; i < 16; ++i) {
        elements += AskBoth(agreement::MakeQuestion(cell, random), findings);
      }
    });
  }
  EXPECT_EQ(findings.count(), 0) << findings.Text();
  std::printf("elements %lld\n", static_cast<long long>(elements));
}

// CI-01: sums of the largest products around both ends of INT32.
TEST(ConvIntegerAgreement, LongSums_WrapAlike) {
  const std::vector<ConvIntegerCell> cells = agreement::ConvIntegerCells();
  agreement::Findings findings;
  std::atomic<int64_t> beyond = 0;
  std::atomic<int64_t> all = 0;
  agreement::InParallel(static_cast<int64_t>(cells.size()), [&](int64_t index) {
    const ConvIntegerCell& cell = cells[static_cast<size_t>(index)];
    Random random(static_cast<uint64_t>(index));
    const auto end = [](int type, bool low) {
      const exact::Format& format = exact::GetFormat(type);
      return exact::CodeOf(format,
                           exact::Value::Number(low ? format.lowest : format.highest));
    };
    for (int i = 0; i < 6; ++i) {
      const int64_t k = 33026 + random.Between(-2, 2);  // 2^31 / 255^2 is 33025.5
      const bool x_low = random.OneIn(2), w_low = random.OneIn(2);
      ConvIntegerQuestion question;
      exact::ConvIntegerInput& input = question.input;
      input.x = {cell.x, {1, k, 1}, {}};
      input.w = {cell.w, {1, k, 1}, {}};
      input.x.codes.assign(static_cast<size_t>(k), end(cell.x, x_low));
      input.w.codes.assign(static_cast<size_t>(k), end(cell.w, w_low));
      input.x_zero_point = exact::Codes{cell.x, {}, {end(cell.x, !x_low)}};
      input.w_zero_point = exact::Codes{cell.w, {}, {end(cell.w, !w_low)}};
      if (cell.per_channel) input.w_zero_point->shape = {1};
      all += AskBoth(question, findings, &beyond);
    }
  });
  EXPECT_EQ(findings.count(), 0) << findings.Text();
  EXPECT_GT(beyond.load(), 0);
  EXPECT_LT(beyond.load(), all.load());
}

}  // namespace
}  // namespace qconform
