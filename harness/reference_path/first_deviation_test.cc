// Whole runs, and the part that is blamed for their differences.
#include "harness/reference_path/first_deviation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/backends/oracle/oracle_backend.h"
#include "harness/parts/part.h"
#include "harness/reference_path/joined_parts.h"
#include "harness/reference_path/tensor_difference.h"
#include "harness/reference_path/testing/small_models.h"
#include "harness/runner/testing/changed_backend.h"

namespace qconform {
namespace {

using testing::HasSubstr;
using testing::Not;
using Outcome = WholeRun::Outcome;

const NamedTensors& FedX() {
  static const NamedTensors inputs = {{"x", Floats({4}, {-1, 0.6F, 3, 1000})}};
  return inputs;
}

std::vector<PartQuestion> QuestionsOf(const ModelFile& file) {
  std::vector<PartQuestion> questions;
  int64_t position = 0;
  for (const Part& part : FindParts(file, Sizes()).parts) {
    if (!part.not_judged.empty()) continue;
    PartRecord record{.name = part.name,
                      .position = position++,
                      .graph = part.nodes.size() > 1 ? part.graph : ""};
    auto model = CutOut(file, part, Sizes());
    EXPECT_TRUE(model) << model.error().message;
    auto question = MakePartQuestion(std::move(record), part.cell, part.granularity,
                                     *std::move(model));
    EXPECT_TRUE(question) << question.error().message;
    questions.push_back(*std::move(question));
  }
  return questions;
}

struct Asked {
  WholeRun run;
  std::optional<PathWalk> walk;
  std::optional<PathWalk> joined;
  std::string words;
};

// Returns the parts with their neighbours.
std::vector<PartQuestion> JoinedQuestionsOf(const ModelFile& file) {
  std::vector<PartQuestion> questions;
  int64_t position = 0;
  for (const Part& part : FindParts(file, Sizes()).parts) {
    const auto joined = JoinedWithNeighbours(file, part);
    if (!joined) continue;
    auto model = CutOut(file, *joined, Sizes());
    EXPECT_TRUE(model) << model.error().message;
    PartRecord record{
        .name = part.name + " joined", .position = position++, .graph = joined->graph};
    auto question = MakePartQuestion(std::move(record), std::nullopt, joined->granularity,
                                     *std::move(model));
    EXPECT_TRUE(question) << question.error().message;
    questions.push_back(*std::move(question));
  }
  return questions;
}

// Runs the model on the backend and walks its parts, and if none deviates alone walks
// them with their neighbours.
Asked Ask(const Model& model, Backend& backend) {
  const TemporaryFolder folder;
  const ModelFile file = WrittenModel(folder, "model", model);
  const auto oracle = MakeOracleBackend();
  std::vector<PartQuestion> parts = QuestionsOf(file);
  std::vector<PartQuestion> joined = JoinedQuestionsOf(file);
  PartRequest request;
  request.parts = All(parts);
  PartRequest wider;
  wider.parts = All(joined);
  ValueNames wanted = ValuesThatAreRead(parts);
  wanted.merge(ValuesThatAreRead(joined));
  for (const std::string& output : file.outputs()) wanted.insert(output);
  const auto values = EvaluateModel(file, {{oracle.get()}, nullptr}, FedX(), wanted);
  EXPECT_TRUE(values) << values.error().message;
  NamedTensors known = FedX();
  known.insert(values->values.begin(), values->values.end());
  for (PartQuestion& part : parts) AddActivations(known, part);
  for (PartQuestion& part : joined) AddActivations(known, part);
  auto run = CompareWholeRun(backend, file, FedX(), *values);
  EXPECT_TRUE(run) << run.error().message;
  Asked asked{*std::move(run), std::nullopt, std::nullopt, ""};
  if (asked.run.outcome == Outcome::kDiffers) {
    const std::atomic<bool> stop = false;
    asked.walk = WalkParts(backend, request, stop);
    if (!asked.walk->first) asked.joined = WalkParts(backend, wider, stop);
  }
  asked.words = Explain(asked.run, asked.walk, asked.joined, *values, "mine");
  return asked;
}

// Flips a bit of the first code if the model quantizes by the scale 0.5 (`first`), or by
// 1.
std::unique_ptr<Backend> WrongAt(bool first) {
  return std::make_unique<ChangedBackend>(
      [first](const Model& model, auto, RunResult result) -> RunResult {
        const bool is_first = model.node.outputs.front() == "q";
        const bool is_second = model.node.outputs.front() == "y";
        if (first ? is_first : is_second) FirstOutput(result).data[0] ^= std::byte{64};
        return result;
      });
}

TEST(WholeRun_Test, RightBackend_HasTheBitsOfTheComposition) {
  NodeByNode backend(MakeOracleBackend());
  const Asked asked = Ask(TwoStages(), backend);
  EXPECT_EQ(asked.run.outcome, Outcome::kSame);
  EXPECT_EQ(asked.words,
            "The whole model on mine: its outputs have the bits of the composition.");
}

TEST(WholeRun_Test, EarlyDifference_IsNotBlamedOnALaterPart) {
  NodeByNode backend(WrongAt(true));
  const Asked asked = Ask(TwoStages(), backend);
  ASSERT_EQ(asked.run.outcome, Outcome::kDiffers);
  ASSERT_TRUE(asked.walk && asked.walk->first);
  EXPECT_EQ(asked.walk->asked, 3u);
  EXPECT_EQ(asked.walk->first->part->name, "q");
  EXPECT_THAT(asked.words, HasSubstr("output 'z': 1 of 4 elements differ, first element "
                                     "0: expected 0x00000000 (0), got "));
  EXPECT_THAT(asked.words, HasSubstr("that deviates on its right inputs is 'q'"));
}

TEST(WholeRun_Test, WrongKernelBehindARightOne_IsNamed) {
  NodeByNode backend(WrongAt(false));
  const Asked asked = Ask(TwoStages(), backend);
  ASSERT_EQ(asked.run.outcome, Outcome::kDiffers);
  ASSERT_TRUE(asked.walk && asked.walk->first);
  EXPECT_EQ(asked.walk->first->part->name, "r");
}

TEST(WholeRun_Test, WhereNoPartDeviatesAlone_ItIsSaid) {
  NodeByNode backend(MakeOracleBackend(),
                     [](Outputs& outputs) { outputs.front().data[0] ^= std::byte{1}; });
  const Asked asked = Ask(TwoStages(), backend);
  ASSERT_EQ(asked.run.outcome, Outcome::kDiffers);
  ASSERT_TRUE(asked.walk);
  EXPECT_FALSE(asked.walk->first);
  EXPECT_THAT(asked.words,
              HasSubstr("No part deviates alone on its right inputs (3 parts asked)"));
}

TEST(WholeRun_Test, PartThatDeviatesOnlyWithItsNeighbours_IsNamed) {
  const auto flip = [](Outputs& outputs) { outputs.front().data[2] ^= std::byte{1}; };
  // Right wherever the node that quantizes x is not in front of another one.
  NodeByNode backend(std::make_unique<ChangedBackend>(
                         [](const Model& model, auto, RunResult result) -> RunResult {
                           const std::vector<Node>& body = model.node.body;
                           if (body.size() > 4 && body.front().inputs.front() == "x") {
                             FirstOutput(result).data[2] ^= std::byte{32};
                           }
                           return result;
                         }),
                     flip);
  const Asked asked = Ask(TwoStages(), backend);
  ASSERT_EQ(asked.run.outcome, Outcome::kDiffers);
  ASSERT_TRUE(asked.walk && asked.joined && asked.joined->first);
  EXPECT_FALSE(asked.walk->first);
  EXPECT_EQ(asked.joined->first->part->name, "r joined");
  EXPECT_THAT(asked.words,
              HasSubstr("The first that deviates together with the nodes next "
                        "to it, which quantize its inputs or dequantize its "
                        "outputs, is 'r joined' (nonconformant"));
}

TEST(JoinedWithNeighbours_Test, PartGetsTheNodesThatQuantizeAndDequantizeForIt) {
  const TemporaryFolder folder;
  const ModelFile file = WrittenModel(folder, "model", TwoStages());
  const PartsOfModel parts = FindParts(file, Sizes());
  ASSERT_EQ(parts.parts.size(), 3u);
  const auto joined = JoinedWithNeighbours(file, parts.parts[1]);
  ASSERT_TRUE(joined);
  EXPECT_EQ(joined->nodes, (std::vector<size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(joined->outputs, (std::vector<std::string>{"z"}));
}

TEST(WholeRun_Test, NothingToCompare_IsSaid) {
  Model model = TwoStages();
  model.node.body.back().domain = "com.example";
  NodeByNode backend(MakeOracleBackend());
  const Asked asked = Ask(model, backend);
  EXPECT_EQ(asked.run.outcome, Outcome::kNothing);
  EXPECT_THAT(asked.words,
              HasSubstr("nothing is left to compare, because the composition has none of "
                        "the model's outputs: node 'z' (com.example.DequantizeLinear)"));
}

TEST(WholeRun_Test, BackendThatRunsNoWholeModels_IsNotCompared) {
  const auto oracle = MakeOracleBackend();
  const Asked asked = Ask(TwoStages(), *oracle);
  EXPECT_EQ(asked.run.outcome, Outcome::kNotRun);
  EXPECT_EQ(asked.words,
            "The whole model was not run on mine: it does not run whole models");
}

// In FLOAT8E8M0, which has no sign, 0x7f is 1 and 0xff is NaN.
TEST(DifferenceOf_Test, NanIsThatOfTheType) {
  const auto code = [](uint8_t byte) {
    return Bytes(DataType::kFloat8E8M0, {1}, {byte});
  };
  EXPECT_TRUE(DifferenceOf(code(0x7f), code(0xff)));
  EXPECT_FALSE(DifferenceOf(code(0xff), code(0xff)));
  const auto nan = [](uint8_t byte) {
    return Bytes(DataType::kFloat8E4M3FN, {1}, {byte});
  };
  EXPECT_FALSE(DifferenceOf(nan(0x7f), nan(0xff)));
}

// A part of weights alone is asked its own weights, and one that reads a value is not.
TEST(AddOwnConstants_Test, PartOfConstants_GetsThem) {
  const TemporaryFolder folder;
  Model model = EmptyGraph();
  model.node.body = {MakeNode("DequantizeLinear", {"w", "s"}, "d"),
                     MakeNode("Add", {"d", "x"}, "y")};
  model.node.inputs = {"w", "s", "x"};
  model.node.outputs = {"y"};
  model.inputs = {{"x", DataType::kFloat, {2}}};
  model.outputs = {{"y", DataType::kFloat, {2}}};
  const Tensor weights = Bytes(DataType::kUint8, {2}, {17, 200});
  model.initializers = {{"w", weights}, {"s", Floats({}, {0.5F})}};
  const ModelFile file = WrittenModel(folder, "weights", model);
  PartQuestion part;
  part.models.emplace_back().inputs = {{"w", DataType::kUint8, {2}}};
  const auto added = AddOwnConstants(file, part);
  ASSERT_TRUE(added);
  EXPECT_TRUE(*added);
  ASSERT_EQ(part.activations.size(), 1u);
  EXPECT_EQ(part.activations.front(), std::vector<Tensor>{weights});
  PartQuestion other;
  other.models.emplace_back().inputs = {{"x", DataType::kFloat, {2}}};
  EXPECT_FALSE(*AddOwnConstants(file, other));
  EXPECT_TRUE(other.activations.empty());
}

}  // namespace
}  // namespace qconform
