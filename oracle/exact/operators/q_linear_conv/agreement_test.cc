// Oracle and judge agree on QLinearConv: random questions over all cells, canonical, in
// every reading and in every bound. QCONFORM_JUDGE_CASES sets the number of elements.
#include "oracle/exact/testing/agreement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "oracle/exact/operators/q_linear_conv/q_linear_conv.h"
#include "oracle/exact/operators/q_linear_conv/testing/questions.h"

namespace qconform {
namespace {

using agreement::QLinearConvCell;
using agreement::QLinearConvQuestion;
using agreement::Random;

struct Counts {
  std::atomic<int64_t> elements = 0;
  std::atomic<int64_t> other_readings = 0;
  std::atomic<int64_t> differences = 0;  // elements that are not canonical in these
  std::array<std::atomic<int64_t>, kTierCount> tiers = {};
  std::atomic<int64_t> free = 0;
};

// Asks both the canonical answer, and two other readings.
void AskBoth(const QLinearConvQuestion& question, Random& random, Counts& counts,
             agreement::Findings& findings) {
  const agreement::OracleQuestion oracle = agreement::Ask(question);
  std::vector<ReadingSet> functions;
  for (const ReadingSet& readings : oracle.Readings()) {
    if (!readings.is_bounded()) functions.push_back(readings);
  }
  if (functions.empty()) {
    findings.Add("the oracle refuses" + agreement::ToString(question.input));
    return;
  }
  exact::Answer canonical;
  for (int i = 0; i < 3; ++i) {
    const ReadingSet readings = functions[i == 0 ? 0 : random.Below(functions.size())];
    const auto known = agreement::JudgeReadings(readings);
    if (!known) {
      findings.Add("the judge does not know " + Spell(readings));
      return;
    }
    const exact::Answer judged = exact::QLinearConv(question.input, *known);
    const Result<Answer> answered = oracle.Evaluate(readings);
    const std::string difference = answered.ok()
                                       ? agreement::Difference(judged, *answered)
                                       : answered.error().message;
    if (!difference.empty()) {
      findings.Add(difference + "\n  " + Spell(readings) +
                   agreement::ToString(question.input));
    }
    const auto elements = static_cast<int64_t>(judged.elements.size());
    if (i > 0) {
      counts.other_readings += elements;
      for (size_t e = 0; e < judged.elements.size(); ++e) {
        if (judged.elements[e].code != canonical.elements[e].code) ++counts.differences;
      }
      continue;
    }
    canonical = judged;
    counts.elements += elements;
    for (const exact::Element& element : judged.elements) {
      ++counts.tiers[static_cast<size_t>(element.tier)];
      if (element.freedom == exact::Freedom::kAnyCode) ++counts.free;
    }
  }
}

// Calls `ask` for questions of all cells until `wanted` elements are counted.
void ForEachCell(
    int64_t wanted, uint64_t seed, const std::atomic<int64_t>& elements,
    const std::function<void(const QLinearConvCell& cell, Random& random)>& ask) {
  const std::vector<QLinearConvCell> cells = agreement::QLinearConvCells();
  for (uint64_t round = 0; elements < wanted; ++round) {
    agreement::InParallel(static_cast<int64_t>(cells.size()), [&](int64_t index) {
      Random random(seed + round * cells.size() + static_cast<uint64_t>(index));
      for (int i = 0; i < 8; ++i) ask(cells[static_cast<size_t>(index)], random);
    });
  }
}

TEST(QLinearConvAgreement, Cells_AreAsManyAsTheSchemaAllows) {
  EXPECT_EQ(agreement::QLinearConvCells().size(), 16u);
}

// Both derive from the clauses which readings there are. Those that the oracle leaves out
// give the bits of others.
TEST(QLinearConvAgreement, Readings_AreAmongThoseOfTheClauses) {
  Random random(1);
  std::vector<exact::QLinearConvReadings> judge = exact::AllowedConvReadings();
  const QLinearConvQuestion question =
      agreement::MakeQuestion(agreement::QLinearConvCells().front(), random);
  const std::vector<ReadingSet> all = agreement::Ask(question).Readings();
  ASSERT_FALSE(all.empty());
  EXPECT_TRUE(all.front().is_canonical());
  for (const ReadingSet& readings : all) {
    const auto known = agreement::JudgeReadings(readings);
    ASSERT_TRUE(known.has_value()) << Spell(readings);
    if (readings.is_bounded()) continue;
    const auto found = std::find(judge.begin(), judge.end(), *known);
    ASSERT_NE(found, judge.end()) << Spell(readings);
    judge.erase(found);
  }
  EXPECT_TRUE(judge.empty()) << "the oracle leaves out " << judge.size();
}

TEST(QLinearConvAgreement, RandomQuestions_OverAllCells) {
  const int64_t wanted = agreement::CaseCount(200'000);
  Counts counts;
  agreement::Findings findings;
  ForEachCell(wanted, 0, counts.elements, [&](const auto& cell, Random& random) {
    const QLinearConvQuestion question =
        random.OneIn(4) ? agreement::MakeExtremeQuestion(cell, random)
                        : agreement::MakeQuestion(cell, random);
    AskBoth(question, random, counts, findings);
  });
  EXPECT_EQ(findings.count(), 0) << findings.Text();
  EXPECT_GT(counts.tiers[static_cast<size_t>(Tier::kDegenerateScale)].load(),
            wanted / 50);
  EXPECT_GT(counts.tiers[static_cast<size_t>(Tier::kAccumulatorOverflow)].load(),
            wanted / 200);
  EXPECT_GT(counts.free.load(), wanted / 200);
  EXPECT_GT(counts.differences.load(), wanted / 1000);
  std::printf("elements %lld, in other readings %lld, of these not canonical %lld\n",
              static_cast<long long>(counts.elements),
              static_cast<long long>(counts.other_readings),
              static_cast<long long>(counts.differences));
  for (int tier = 0; tier < kTierCount; ++tier) {
    std::printf("  %s %lld\n", std::string(TierName(static_cast<Tier>(tier))).c_str(),
                static_cast<long long>(counts.tiers[static_cast<size_t>(tier)]));
  }
}

TEST(QLinearConvAgreement, LongSums) {
  Counts counts;
  agreement::Findings findings;
  ForEachCell(16 * 8, 1'000, counts.elements, [&](const auto& cell, Random& random) {
    AskBoth(agreement::MakeLongSum(cell, random), random, counts, findings);
  });
  EXPECT_EQ(findings.count(), 0) << findings.Text();
  EXPECT_GT(counts.tiers[static_cast<size_t>(Tier::kAccumulatorOverflow)].load(), 20);
  EXPECT_GT(counts.tiers[static_cast<size_t>(Tier::kRegular)].load(), 20);
}

exact::ConvCodes CodesBetween(int y_type, int64_t low, int64_t high) {
  exact::ConvCodes codes;
  const exact::Format& format = exact::GetFormat(y_type);
  for (int64_t value = low; value <= high; ++value) {
    codes.set(static_cast<size_t>(exact::CodeOf(
        format, exact::Value::Number(mpq_class(static_cast<long>(value))))));
  }
  return codes;
}

std::string Text(const exact::ConvCodes& codes) {
  std::string text;
  for (size_t i = 0; i < codes.size(); ++i) {
    if (!codes[i]) continue;
    size_t last = i;
    while (last + 1 < codes.size() && codes[last + 1]) ++last;
    text += " " + std::to_string(i) + (last > i ? "-" + std::to_string(last) : "");
    i = last;
  }
  return text;
}

// QC-04: the codes of `float_conv`, of `unspecified_requantization`, and those that
// arise where FLOAT is left.
TEST(QLinearConvAgreement, Bounds_OverAllCells) {
  const int64_t wanted = agreement::CaseCount(200'000) / 4;
  agreement::Findings findings;
  std::atomic<int64_t> elements = 0, wide = 0, one_code = 0;
  std::atomic<int64_t> arising = 0, wider_than_derived = 0;
  ForEachCell(wanted, 1'000'000, elements, [&](const auto& cell, Random& random) {
    const QLinearConvQuestion question =
        random.OneIn(3) ? agreement::MakeExtremeQuestion(cell, random)
                        : agreement::MakeQuestion(cell, random);
    const agreement::OracleQuestion oracle = agreement::Ask(question);
    const exact::Answer canonical = exact::QLinearConv(question.input);
    for (const ReadingSet& readings : oracle.Readings()) {
      if (!readings.is_bounded()) continue;
      const auto known = agreement::JudgeReadings(readings);
      const Result<Answer> answered = oracle.Evaluate(readings);
      if (!known || !answered.ok()) {
        findings.Add(Spell(readings) + agreement::ToString(question.input));
        return;
      }
      const std::vector<exact::ConvBounds> judged =
          exact::Bounds(question.input, known->rounding);
      if (judged.size() != answered->bounds.size()) {
        findings.Add("counts of bounds differ");
        return;
      }
      for (size_t i = 0; i < judged.size(); ++i) {
        if (canonical.elements[i].freedom == exact::Freedom::kAnyCode) continue;
        const CodeBounds& bounds = answered->bounds[i];
        const bool is_wider = readings.kind == ReadingSet::Kind::kWider;
        exact::ConvCodes codes;
        for (uint64_t code = 0; code < codes.size(); ++code) {
          const auto type = static_cast<DataType>(cell.y);
          codes[code] = is_wider
                            ? IsWithin(type, code, bounds.wider_low, bounds.wider_high)
                            : IsWithin(type, code, bounds.low, bounds.high) ||
                                  bounds.arising.Hold(type, code);
        }
        const exact::ConvBounds& mine = judged[i];
        exact::ConvCodes least =
            CodesBetween(cell.y, mine.float_conv.low, mine.float_conv.high);
        exact::ConvCodes most = least;
        if (is_wider) {
          least = CodesBetween(cell.y, mine.unspecified.low, mine.unspecified.high);
          most |= least;
          if (least.count() == 1) ++one_code;
        } else if (canonical.elements[i].tier == exact::Tier::kDegenerateScale) {
          least |= mine.derived;
          most |= mine.widest;
          if (codes != least) ++wider_than_derived;
          if (least.count() > 1) ++arising;
        } else if (least.count() > 1) {
          ++wide;
        }
        if ((least & ~codes).any() || (codes & ~most).any()) {
          findings.Add("[" + std::to_string(i) + "] judge:" + Text(least) + " to" +
                       Text(most) + ", oracle:" + Text(codes) + "\n  " + Spell(readings) +
                       agreement::ToString(question.input));
        }
      }
      elements += static_cast<int64_t>(judged.size());
    }
    if (oracle.Readings().size() < 2) elements += 1;
  });
  EXPECT_EQ(findings.count(), 0) << findings.Text();
  EXPECT_GT(wide.load(), 0);
  EXPECT_GT(arising.load(), 0);
  EXPECT_GT(one_code.load(), 0);
  std::printf(
      "bounds of %lld elements, float_conv of several codes %lld, where FLOAT is "
      "left %lld, of these wider than derived %lld, unspecified of one %lld\n",
      static_cast<long long>(elements), static_cast<long long>(wide),
      static_cast<long long>(arising), static_cast<long long>(wider_than_derived),
      static_cast<long long>(one_code));
}

}  // namespace
}  // namespace qconform
