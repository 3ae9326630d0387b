#include "harness/runner/vary/variation.h"

#include <gtest/gtest.h>

#include <algorithm>
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

// The cell is right only where both names are off.
AskCell RightWithout(const std::string& first, const std::string& second) {
  return [=](Backend& backend) -> Result<std::optional<CellRecord>> {
    const auto& switched = dynamic_cast<Switched&>(backend);
    return std::optional(Row(switched.IsOff(first) && switched.IsOff(second)
                                 ? Verdict::kAdmissible
                                 : Verdict::kNonconformant));
  };
}

TEST(VariationTest, NamesTheOptimizersThatMakeTheDifference) {
  FakeSwitches switches;
  const std::vector<VariedRecord> all{At("opt_level=disable", Verdict::kConformant),
                                      At("opt_level=all", Verdict::kNonconformant)};
  VariedRecord varied = all[1];
  ASSERT_TRUE(FindOptimizers(all, switches, RightWithout("D", "D"), varied));
  EXPECT_EQ(varied.without, Names{"D"});
  EXPECT_EQ(varied.not_found, "");
  varied = all[1];
  ASSERT_TRUE(FindOptimizers(all, switches, RightWithout("B", "E"), varied));
  EXPECT_EQ(varied.without, (Names{"B", "E"}));
}

TEST(VariationTest, TriesTheOptimizerOfAnotherSettingFirst) {
  FakeSwitches switches;
  std::vector<VariedRecord> all{At("opt_level=disable", Verdict::kConformant),
                                At("opt_level=extended", Verdict::kNonconformant),
                                At("opt_level=all", Verdict::kNonconformant)};
  all[1].without = {"D"};
  int asked = 0;
  const AskCell right = RightWithout("D", "D");
  const AskCell counted = [&](Backend& backend) {
    ++asked;
    return right(backend);
  };
  VariedRecord varied = all[2];
  ASSERT_TRUE(FindOptimizers(all, switches, counted, varied));
  EXPECT_EQ(varied.without, Names{"D"});
  EXPECT_EQ(asked, 1);
}

TEST(VariationTest, SaysThatNoOptimizerMakesTheDifference) {
  FakeSwitches switches;
  const std::vector<VariedRecord> all{At("opt_level=disable", Verdict::kConformant),
                                      At("opt_level=all", Verdict::kNonconformant)};
  VariedRecord varied = all[1];
  ASSERT_TRUE(FindOptimizers(all, switches, RightWithout("X", "X"), varied));
  EXPECT_EQ(varied.without, Names());
  EXPECT_EQ(varied.not_found, "deviates with all 5 optimizers switched off by name");
}

TEST(VariationTest, SearchesOnlyWhereAnotherSettingPasses) {
  FakeSwitches switches;
  const std::vector<VariedRecord> all{At("opt_level=disable", Verdict::kNonconformant),
                                      At("opt_level=all", Verdict::kNonconformant)};
  VariedRecord varied = all[1];
  const AskCell never = [](Backend&) -> Result<std::optional<CellRecord>> {
    return Error{"asked"};
  };
  ASSERT_TRUE(FindOptimizers(all, switches, never, varied));
  EXPECT_EQ(varied, all[1]);
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
