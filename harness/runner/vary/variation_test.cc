#include "harness/runner/vary/variation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace qconform {
namespace {

// A backend that only knows which optimizers are off.
class Switched : public Backend {
 public:
  explicit Switched(Names off) : off_(std::move(off)) {}
  const BackendInfo& info() const override { return info_; }
  PrepareResult Prepare(const Model&) override { return Unsupported{"fake", ""}; }
  bool IsOff(const std::string& name) const {
    return std::ranges::find(off_, name) != off_.end();
  }

 private:
  Names off_;
  BackendInfo info_{};
};

class FakeSwitches : public OptimizerSwitches {
 public:
  Result<Names> AllNames() override { return Names{"A", "B", "C", "D", "E"}; }
  size_t alone() const override { return 1; }
  Result<std::shared_ptr<Backend>> Without(const Names& names) override {
    return std::shared_ptr<Backend>(std::make_shared<Switched>(names));
  }
};

CellRecord Row(Verdict verdict) {
  CellRecord row;
  row.verdict = verdict;
  return row;
}

VariedRecord At(const std::string& setting, Verdict verdict) {
  VariedRecord varied;
  varied.setting = setting;
  varied.verdict = verdict;
  return varied;
}

// A cell of which each case is right only where its optimizers are off, and that counts
// how often it is asked.
struct FakeCell {
  std::map<std::string, Names> off;  // by case

  bool IsRight(Backend& backend, const std::string& case_id) const {
    const auto& switched = dynamic_cast<Switched&>(backend);
    return std::ranges::all_of(
        off.at(case_id), [&](const std::string& name) { return switched.IsOff(name); });
  }

  // The record names the first case that deviates.
  CellRecord Record(Backend& backend) const {
    CellRecord row;
    row.verdict = Verdict::kAdmissible;
    for (const auto& [case_id, names] : off) {
      if (IsRight(backend, case_id)) continue;
      row.verdict = Verdict::kNonconformant;
      row.counterexamples.emplace_back().case_id = case_id;
      break;
    }
    return row;
  }

  CellQuestions Questions() {
    return {
        [this](Backend& backend) -> Result<std::optional<CellRecord>> {
          ++cells_asked;
          return std::optional(Record(backend));
        },
        [this](Backend& backend, const std::vector<std::string>& cases) -> Result<bool> {
          ++cases_asked;
          return std::ranges::all_of(cases, [&](const std::string& case_id) {
            return alone_all_are_right || IsRight(backend, case_id);
          });
        }};
  }

  bool alone_all_are_right = false;  // what deviates is seen in the whole cell only
  int cells_asked = 0;
  int cases_asked = 0;
};

// Searches at the last of the settings.
VariedRecord Searched(FakeCell& cell, const std::vector<VariedRecord>& all) {
  FakeSwitches switches;
  Switched backend({});
  Variation at;
  at.setting = all.back().setting;
  at.backend = &backend;
  at.optimizers = &switches;
  VariedRecord varied = all.back();
  EXPECT_TRUE(FindOptimizers(all, at, cell.Questions(), cell.Record(backend), varied));
  return varied;
}

std::vector<VariedRecord> OnlyTheLastDeviates() {
  return {At("opt_level=disable", Verdict::kConformant),
          At("opt_level=all", Verdict::kNonconformant)};
}

TEST(VariationTest, NamesTheOptimizersThatMakeTheDifference) {
  FakeCell one{{{"a", {"D"}}}};
  VariedRecord varied = Searched(one, OnlyTheLastDeviates());
  EXPECT_EQ(varied.without, Names{"D"});
  EXPECT_EQ(varied.not_found, "");
  EXPECT_EQ(one.cells_asked, 1) << "only to confirm";
  FakeCell two{{{"a", {"B", "E"}}}};
  varied = Searched(two, OnlyTheLastDeviates());
  EXPECT_EQ(varied.without, (Names{"B", "E"}));
  EXPECT_EQ(two.cells_asked, 1);
}

TEST(VariationTest, AddsTheCasesThatDeviateWithoutTheFirstSet) {
  FakeCell cell{{{"a", {"D"}}, {"b", {"B", "D"}}, {"c", {"E"}}}};
  const VariedRecord varied = Searched(cell, OnlyTheLastDeviates());
  EXPECT_EQ(varied.without, (Names{"B", "D", "E"}));
  EXPECT_EQ(cell.cells_asked, 3);
}

TEST(VariationTest, AsksTheWholeCellWhereCasesAloneAreRight) {
  FakeCell cell{{{"a", {"D"}}}};
  cell.alone_all_are_right = true;
  const VariedRecord varied = Searched(cell, OnlyTheLastDeviates());
  EXPECT_EQ(varied.without, Names{"D"});
  EXPECT_EQ(cell.cases_asked, 1);
  EXPECT_GT(cell.cells_asked, 1);
}

TEST(VariationTest, TriesTheOptimizerOfAnotherSettingFirst) {
  std::vector<VariedRecord> all{At("opt_level=disable", Verdict::kConformant),
                                At("opt_level=extended", Verdict::kNonconformant),
                                At("opt_level=all", Verdict::kNonconformant)};
  all[1].without = {"D"};
  FakeCell cell{{{"a", {"D"}}}};
  EXPECT_EQ(Searched(cell, all).without, Names{"D"});
  EXPECT_EQ(cell.cells_asked, 1);
  EXPECT_EQ(cell.cases_asked, 3) << "as it is, without D, and before the whole cell";
  all[1].without = {"B", "D"};
  FakeCell two{{{"a", {"B", "D"}}}};
  EXPECT_EQ(Searched(two, all).without, (Names{"B", "D"}));
  EXPECT_EQ(two.cells_asked, 1);
  FakeCell less{{{"a", {"B"}}}};
  EXPECT_EQ(Searched(less, all).without, Names{"B"}) << "and no more than it takes";
  FakeCell other{{{"a", {"E"}}}};
  EXPECT_EQ(Searched(other, all).without, Names{"E"});
}

TEST(VariationTest, SaysThatNoOptimizerMakesTheDifference) {
  FakeCell cell{{{"a", {"X"}}}};
  const VariedRecord varied = Searched(cell, OnlyTheLastDeviates());
  EXPECT_EQ(varied.without, Names());
  EXPECT_EQ(varied.not_found, "deviates with all 5 optimizers switched off by name");
  EXPECT_EQ(cell.cells_asked, 0);
}

TEST(VariationTest, SearchesOnlyWhereAnotherSettingPasses) {
  const std::vector<VariedRecord> all{At("opt_level=disable", Verdict::kNonconformant),
                                      At("opt_level=all", Verdict::kNonconformant)};
  FakeCell cell{{{"a", {"D"}}}};
  EXPECT_EQ(Searched(cell, all), all[1]);
  EXPECT_EQ(cell.cells_asked + cell.cases_asked, 0);
}

TEST(VariationTest, CountsTheWorstSetting) {
  std::vector<CellRecord> records{Row(Verdict::kConformant), Row(Verdict::kNonconformant),
                                  Row(Verdict::kNonconformant),
                                  Row(Verdict::kUnsupported)};
  records[1].diagnosis = "first";
  records[2].diagnosis = "last";
  for (CellRecord& record : records) record.time_ms = 2;
  const CellRecord row =
      Combine(records, {At("opt_level=disable", Verdict::kConformant)});
  EXPECT_EQ(row.verdict, Verdict::kNonconformant);
  EXPECT_EQ(row.diagnosis, "last");
  EXPECT_EQ(row.time_ms, 8);
  EXPECT_EQ(row.varied.size(), 1);
}

}  // namespace
}  // namespace qconform
