#include "reports/record/verdict.h"

#include <gtest/gtest.h>

#include "reports/record/record.h"

namespace qconform {
namespace {

TEST(Verdict, NamesAndOrder_AreThoseOfTheDesign) {
  const std::vector<std::string> worst_first = {
      "crashed",       "timed_out",  "failed",    "invalid_output", "nonconformant",
      "refused_legal", "mistrusted", "error",     "partial",        "unsupported",
      "untested",      "admissible", "conformant"};
  std::vector<std::string> names;
  for (const Verdict verdict : AllVerdicts()) {
    names.emplace_back(VerdictName(verdict));
    EXPECT_EQ(ParseVerdict(VerdictName(verdict)), verdict);
  }
  EXPECT_EQ(names, worst_first);
  EXPECT_EQ(ParseVerdict("Conformant"), std::nullopt);
  EXPECT_EQ(ParseVerdict(""), std::nullopt);
}

TEST(Verdict, Worst_IsSymmetricAndFollowsTheOrder) {
  for (const Verdict a : AllVerdicts()) {
    for (const Verdict b : AllVerdicts()) {
      EXPECT_EQ(Worst(a, b), a < b ? a : b);
      EXPECT_EQ(Worst(a, b), Worst(b, a));
    }
  }
}

TEST(Verdict, OnlyTheLastTwoPass_OnlyTheFirstFiveDeviate) {
  int passes = 0;
  int deviations = 0;
  for (const Verdict verdict : AllVerdicts()) {
    passes += IsPass(verdict);
    deviations += IsDeviation(verdict);
    EXPECT_FALSE(IsPass(verdict) && IsDeviation(verdict));
  }
  EXPECT_EQ(passes, 2);
  EXPECT_EQ(deviations, 5);
  EXPECT_TRUE(IsPass(Verdict::kAdmissible));
  EXPECT_FALSE(IsPass(Verdict::kPartial));
  EXPECT_FALSE(IsPass(Verdict::kUntested));
}

// A report of a later version says what this program does not know.
TEST(Verdict, OfALaterVersion_KeepsItsNameAndIsNeitherPassNorDeviation) {
  EXPECT_EQ(VerdictOfLaterVersion("failed"), Verdict::kFailed);
  const auto later = VerdictOfLaterVersion("refused_somehow");
  ASSERT_TRUE(later);
  EXPECT_EQ(VerdictName(*later), "refused_somehow");
  EXPECT_EQ(VerdictOfLaterVersion("refused_somehow"), later);
  EXPECT_NE(VerdictOfLaterVersion("another_word"), later);
  EXPECT_FALSE(IsKnown(*later));
  EXPECT_FALSE(IsPass(*later));
  EXPECT_FALSE(IsDeviation(*later));
  EXPECT_EQ(Worst(*later, Verdict::kPartial), *later);
  EXPECT_EQ(Worst(*later, Verdict::kNonconformant), Verdict::kNonconformant);
  for (const Verdict verdict : AllVerdicts()) EXPECT_TRUE(IsKnown(verdict));
  for (const std::string& word :
       std::vector<std::string>{"", "Refused", "no word", "<b>", std::string(41, 'a')}) {
    EXPECT_FALSE(VerdictOfLaterVersion(word)) << word;
  }
}

TEST(VerdictCounts, OfALaterVersion_IsCountedAndIncomplete) {
  VerdictCounts counts;
  counts.Add(Verdict::kConformant, 3);
  counts.Add(Verdict::kCrashed, 0);
  counts.Add(*VerdictOfLaterVersion("refused_somehow"), 2);
  EXPECT_EQ(counts.total(), 5);
  EXPECT_EQ(counts.passes(), 3);
  EXPECT_EQ(counts.deviations(), 0);
  EXPECT_EQ(counts.unknown(), 2);
  EXPECT_EQ(counts.occurring().size(), 2u);
  EXPECT_EQ(VerdictName(*counts.worst()), "refused_somehow");
  EXPECT_EQ(ExitCodeFor(counts, {}, {.allow_unsupported = true, .complete = true}),
            ExitCode::kIncomplete);
}

TEST(NodeVerdict, Names_ParseBack) {
  for (const NodeVerdict verdict : AllNodeVerdicts()) {
    EXPECT_EQ(ParseNodeVerdict(NodeVerdictName(verdict)), verdict);
  }
  EXPECT_EQ(ParseNodeVerdict("passed"), std::nullopt);
}

struct ExitRow {
  std::vector<Verdict> cells;
  std::vector<NodeVerdict> node_tests;
  bool allow_unsupported;
  bool complete;
  ExitCode expected;
  bool shard = false;
};

TEST(ExitCode, Table) {
  using enum Verdict;
  const std::vector<ExitRow> rows = {
      // all pass
      {{kConformant}, {}, false, true, ExitCode::kPass},
      {{kConformant, kAdmissible}, {NodeVerdict::kPass}, false, true, ExitCode::kPass},
      // each kind of deviation, beside passes and whatever is allowed
      {{kConformant, kCrashed}, {}, true, true, ExitCode::kDeviation},
      {{kConformant, kTimedOut}, {}, true, true, ExitCode::kDeviation},
      {{kConformant, kFailed}, {}, true, true, ExitCode::kDeviation},
      {{kConformant, kInvalidOutput}, {}, true, true, ExitCode::kDeviation},
      {{kConformant, kNonconformant}, {}, true, true, ExitCode::kDeviation},
      {{kUntested, kNonconformant}, {}, false, false, ExitCode::kDeviation},
      {{kConformant}, {NodeVerdict::kDeviates}, true, true, ExitCode::kDeviation},
      // one that cannot be read accuses nobody
      {{kConformant}, {NodeVerdict::kError}, true, true, ExitCode::kIncomplete},
      // not comparable, whatever is allowed
      {{kConformant, kMistrusted}, {}, true, true, ExitCode::kIncomplete},
      {{kConformant, kUntested}, {}, true, true, ExitCode::kIncomplete},
      {{kUnsupported, kUntested}, {}, true, true, ExitCode::kIncomplete},
      {{kConformant}, {}, true, false, ExitCode::kIncomplete},
      {{}, {}, false, false, ExitCode::kIncomplete},
      // a legal model was refused, whatever is allowed
      {{kConformant, kRefusedLegal}, {}, false, true, ExitCode::kIncomplete},
      {{kConformant, kRefusedLegal}, {}, true, true, ExitCode::kIncomplete},
      {{kRefusedLegal}, {}, true, true, ExitCode::kIncomplete},
      {{kRefusedLegal, kUnsupported}, {}, true, true, ExitCode::kIncomplete},
      {{kRefusedLegal, kNonconformant}, {}, true, true, ExitCode::kDeviation},
      {{kConformant}, {NodeVerdict::kRefusedLegal}, true, true, ExitCode::kIncomplete},
      // declined
      {{kConformant, kPartial}, {}, false, true, ExitCode::kIncomplete},
      {{kConformant, kPartial}, {}, true, true, ExitCode::kPass},
      {{kConformant, kUnsupported}, {}, false, true, ExitCode::kIncomplete},
      {{kConformant, kUnsupported}, {}, true, true, ExitCode::kPass},
      {{kConformant}, {NodeVerdict::kUnsupported}, false, true, ExitCode::kIncomplete},
      {{kConformant}, {NodeVerdict::kUnsupported}, true, true, ExitCode::kPass},
      {{kPartial}, {}, false, true, ExitCode::kIncomplete},
      // a disputed node test counts neither way
      {{kConformant}, {NodeVerdict::kDisputed}, false, true, ExitCode::kPass},
      // nothing supported
      {{kUnsupported}, {}, false, true, ExitCode::kNothingSupported},
      {{kUnsupported}, {}, true, true, ExitCode::kNothingSupported},
      {{kUnsupported},
       {NodeVerdict::kUnsupported},
       true,
       true,
       ExitCode::kNothingSupported},
      {{}, {}, false, true, ExitCode::kNothingSupported},
      // nothing fell to a shard; what did is judged as anywhere
      {{}, {}, false, true, ExitCode::kPass, true},
      {{}, {}, false, false, ExitCode::kIncomplete, true},
      {{kUnsupported}, {}, false, true, ExitCode::kNothingSupported, true},
      {{}, {NodeVerdict::kUnsupported}, true, true, ExitCode::kNothingSupported, true},
      {{kConformant}, {}, false, true, ExitCode::kPass, true},
      {{kCrashed}, {}, false, true, ExitCode::kDeviation, true},
      {{}, {NodeVerdict::kPass}, false, true, ExitCode::kPass},
      {{}, {NodeVerdict::kDisputed}, false, true, ExitCode::kPass},
  };
  for (size_t i = 0; i < rows.size(); ++i) {
    VerdictCounts cells;
    for (const Verdict verdict : rows[i].cells) cells.Add(verdict);
    NodeVerdictCounts node_tests;
    for (const NodeVerdict verdict : rows[i].node_tests) node_tests.Add(verdict);
    EXPECT_EQ(ExitCodeFor(cells, node_tests,
                          {.allow_unsupported = rows[i].allow_unsupported,
                           .complete = rows[i].complete,
                           .shard = rows[i].shard}),
              rows[i].expected)
        << "row " << i;
  }
}

// A negative model that is legal and was refused has the same effect as such a cell.
TEST(ExitCode, UnusualModelThatIsRefused_IsNotAllowed) {
  VerdictCounts cells;
  cells.Add(Verdict::kConformant);
  EXPECT_EQ(ExitCodeFor(cells, {}, {.allow_unsupported = true, .refused_legal = true}),
            ExitCode::kIncomplete);
  EXPECT_EQ(ExitCodeFor(cells, {}, {.allow_unsupported = true}), ExitCode::kPass);
}

TEST(NodeVerdictCounts, Deviations_AreNoErrors) {
  NodeVerdictCounts counts;
  int64_t many = 1;
  for (const NodeVerdict verdict : AllNodeVerdicts()) {
    counts.Add(verdict, many);
    many *= 10;
  }
  EXPECT_EQ(counts[NodeVerdict::kError], 1);
  EXPECT_EQ(counts[NodeVerdict::kDeviates], 10);
  EXPECT_EQ(counts.deviations(), 10);
  EXPECT_EQ(counts.total(), 111111);
}

TEST(ExitCode, Numbers_AreThoseOfTheDesign) {
  EXPECT_EQ(static_cast<int>(ExitCode::kPass), 0);
  EXPECT_EQ(static_cast<int>(ExitCode::kDeviation), 1);
  EXPECT_EQ(static_cast<int>(ExitCode::kBadInput), 2);
  EXPECT_EQ(static_cast<int>(ExitCode::kIncomplete), 3);
  EXPECT_EQ(static_cast<int>(ExitCode::kNothingSupported), 4);
  EXPECT_EQ(static_cast<int>(ExitCode::kInterrupted), 130);
}

TEST(CellVerdict, UnsupportedFormBesideAnother_DoesNotCount) {
  const FormRecord declined{
      "inputs",
      {{"regular", Verdict::kUnsupported}, {"subnormal", Verdict::kUnsupported}}};
  const FormRecord answered{
      "initializers",
      {{"regular", Verdict::kConformant}, {"subnormal", Verdict::kAdmissible}}};
  const FormRecord mixed{
      "initializers",
      {{"regular", Verdict::kConformant}, {"subnormal", Verdict::kUnsupported}}};
  EXPECT_EQ(CellVerdict({declined, answered}), Verdict::kAdmissible);
  EXPECT_EQ(CellVerdict({declined, mixed}), Verdict::kUnsupported);
  EXPECT_EQ(CellVerdict({declined}), Verdict::kUnsupported);
  EXPECT_EQ(CellVerdict({}), Verdict::kUntested);

  CellRecord cell;
  cell.forms = {declined, answered};
  EXPECT_EQ(TierVerdict(cell, "regular"), Verdict::kConformant);
  EXPECT_EQ(TierVerdict(cell, "subnormal"), Verdict::kAdmissible);
  EXPECT_EQ(TierVerdict(cell, "conversion_range"), std::nullopt);
}

}  // namespace
}  // namespace qconform
