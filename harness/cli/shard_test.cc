#include "harness/cli/shard.h"

#include <gtest/gtest.h>

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
  EXPECT_NE(shard.error().message.find("a count from 1 to 100000"), std::string::npos);
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
