#include "harness/cli/vary/vary.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace qconform {
namespace {

std::vector<std::string> SettingsOf(const std::vector<std::string>& vary) {
  const auto varied = MakeVariedBackend(BackendFlags(), vary, 1, nullptr);
  if (!varied) return {varied.error().message};
  std::vector<std::string> settings;
  for (const Variation& variation : varied->variations) {
    settings.push_back(variation.setting);
  }
  return settings;
}

TEST(VaryTest, MakesABackendForEachCombination) {
  EXPECT_EQ(SettingsOf({}), std::vector<std::string>{""});
  EXPECT_EQ(SettingsOf({"threads=1,2"}),
            (std::vector<std::string>{"threads=1", "threads=2"}));
}

TEST(VaryTest, ReplaysWithTheOptionsOfTheSetting) {
  const auto varied = MakeVariedBackend(BackendFlags(), {"threads=1,2"}, 1, nullptr);
  ASSERT_TRUE(varied);
  EXPECT_EQ(varied->variations[1].replay.backend_options,
            std::vector<std::string>{"threads=2"});
  EXPECT_EQ(varied->variations[1].backend->info().details.at("threads"), "2");
}

TEST(VaryTest, RefusesOtherForms) {
  for (const auto& [vary, error] :
       std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"threads"}, "--vary: expected KEY=VALUE,VALUE,..., got 'threads'"},
           {{"=1,2"}, "--vary: expected KEY=VALUE,VALUE,..., got '=1,2'"},
           {{"threads=1,1"},
            "--vary threads: expected values that differ, none of them empty, got '1,1'"},
           {{"threads=1,"},
            "--vary threads: expected values that differ, none of them empty, got '1,'"},
           {{"threads=1,2", "threads=3"},
            "--vary: expected each key once, got 'threads' twice"},
           {{"a=1,2", "b=1,2", "c=1,2", "d=1,2", "e=1,2", "f=1,2", "g=1,2", "h=1,2",
             "i=1,2"},
            "--vary: expected at most 256 combinations, got more of them"}}) {
    EXPECT_EQ(SettingsOf(vary), std::vector<std::string>{error});
  }
  BackendFlags flags;
  flags.options = {"threads=1"};
  const auto varied = MakeVariedBackend(flags, {"threads=1,2"}, 1, nullptr);
  ASSERT_FALSE(varied);
  EXPECT_EQ(varied.error().message,
            "--vary threads: expected a key that --backend-option does not set, got a "
            "value of it there");
}

TEST(VaryTest, ChoosesTheLevelsOfOnnxRuntimeForGraphs) {
  BackendFlags flags;
  EXPECT_TRUE(DefaultAxes(flags, true).empty());
  flags.spec = "onnxruntime";
  EXPECT_TRUE(DefaultAxes(flags, false).empty());
  EXPECT_EQ(DefaultAxes(flags, true),
            std::vector<std::string>{"opt_level=disable,basic,extended,all"});
  flags.options = {"opt_level=all"};
  EXPECT_TRUE(DefaultAxes(flags, true).empty());
}

}  // namespace
}  // namespace qconform
