#include "harness/cli/shard/shard.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

namespace qconform {
namespace {

Environment Of(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
}

TEST(ChooseShard, Nothing_IsNoShard) {
  const auto shard = ChooseShard("", Of({}));
  ASSERT_TRUE(shard.ok());
  EXPECT_FALSE(shard->has_value());
}

TEST(ChooseShard, Flag_WinsOverTheEnvironment) {
  const auto shard =
      ChooseShard("2/5", Of({{"TEST_SHARD_INDEX", "0"}, {"TEST_TOTAL_SHARDS", "3"}}));
  ASSERT_TRUE(shard.ok());
  EXPECT_EQ((*shard)->index, 2);
  EXPECT_EQ((*shard)->count, 5);
}

// Bazel fails a test that leaves the file untouched, where it looks.
TEST(TouchStatusFile, FileOfTheSystemThatStartsTheShards_IsMade) {
  const std::string path = testing::TempDir() + "/status_of_shards";
  std::filesystem::remove(path);
  for (const char* system : {"TEST", "GTEST"}) {
    const std::string name(system);
    const Environment environment = Of({{name + "_SHARD_INDEX", "0"},
                                        {name + "_TOTAL_SHARDS", "2"},
                                        {name + "_SHARD_STATUS_FILE", path}});
    const auto shard = ChooseShard("", environment);
    ASSERT_TRUE(shard.ok() && shard->has_value());
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_TRUE(TouchStatusFile(**shard).ok());
    EXPECT_TRUE(std::filesystem::remove(path)) << system;
    // Not where --shard is what counts.
    EXPECT_TRUE(TouchStatusFile(*ChooseShard("0/2", environment).value()).ok());
    EXPECT_FALSE(std::filesystem::exists(path)) << system;
  }
  Shard nowhere;
  nowhere.status_file = path + "/none/file";
  EXPECT_NE(TouchStatusFile(nowhere).error().message.find("/none/file"),
            std::string::npos);
}

TEST(ChooseShard, Slurm_CountsFromItsFirstTask) {
  const auto shard = ChooseShard("", Of({{"SLURM_ARRAY_TASK_ID", "4"},
                                         {"SLURM_ARRAY_TASK_COUNT", "4"},
                                         {"SLURM_ARRAY_TASK_MIN", "1"}}));
  ASSERT_TRUE(shard.ok());
  EXPECT_EQ((*shard)->index, 3);
  EXPECT_EQ((*shard)->count, 4);
}

TEST(ChooseShard, SlurmArrayWithSteps_CountsItsTasks) {
  // --array=1-7:2 has the tasks 1, 3, 5 and 7.
  for (int task = 0; task < 4; ++task) {
    const auto shard =
        ChooseShard("", Of({{"SLURM_ARRAY_TASK_ID", std::to_string(1 + 2 * task)},
                            {"SLURM_ARRAY_TASK_COUNT", "4"},
                            {"SLURM_ARRAY_TASK_MIN", "1"},
                            {"SLURM_ARRAY_TASK_STEP", "2"}}));
    ASSERT_TRUE(shard.ok());
    EXPECT_EQ((*shard)->index, task);
    EXPECT_EQ((*shard)->count, 4);
  }
}

TEST(ChooseShard, TooManyShards_AreToldOf) {
  EXPECT_TRUE(ChooseShard("99999/100000", Of({})).ok());
  const auto shard = ChooseShard("0/100001", Of({}));
  ASSERT_FALSE(shard.ok());
  EXPECT_NE(shard.error().message.find("N from 1 to 100000"), std::string::npos);
}

TEST(ChooseShard, Bad_IsAnError) {
  for (const char* flag : {"3", "3/3", "-1/3", "0/0", "a/b", "1/", "/2", "1/999999999"}) {
    EXPECT_FALSE(ChooseShard(flag, Of({})).ok()) << flag;
  }
  EXPECT_FALSE(
      ChooseShard("", Of({{"GTEST_SHARD_INDEX", "x"}, {"GTEST_TOTAL_SHARDS", "2"}}))
          .ok());
}

}  // namespace
}  // namespace qconform
