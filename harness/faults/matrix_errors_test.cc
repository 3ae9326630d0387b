// An Error of the oracle ends the kill matrix: it is no caught fault.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "cases/core/case.h"
#include "harness/core/oracle_model.h"
#include "harness/faults/fault_node_tests.h"
#include "harness/faults/matrix.h"
#include "harness/runner/testing/failing_operators.h"

namespace qconform {
namespace {

TEST(MatrixErrors, AnErrorAtAnyCall_EndsTheRun) {
  MatrixRequest request;
  request.level = Level::kSmoke;
  request.cells =
      SelectCells({"QuantizeLinear/21/FLOAT-FLOAT-FLOAT8E4M3FN/per_tensor",
                   "QLinearMatMul/21/FLOAT-UINT8-INT8-INT8/per_tensor-per_tensor"})
          .value();
  for (const char* name : {"ties_away", "zero_point_ignored", "truncates"}) {
    request.faults.push_back(FindFault(name));
  }
  const std::atomic<bool> never{false};
  std::optional<Error> error;
  const auto run = [&] {
    error.reset();
    const auto all = RunMatrix(
        request, [](const MatrixRow&) {}, never);
    if (!all) error = all.error();
  };
  const auto places = CallsOf(run);
  EXPECT_FALSE(error.has_value()) << error->message;
  EXPECT_GE(places.size(), 4u);
  for (const CallChain& place : places) {
    ASSERT_TRUE(RunFailingAt(place, run)) << PlaceText(place);
    ASSERT_TRUE(error.has_value()) << PlaceText(place);
    EXPECT_THAT(error->message, ::testing::HasSubstr(kPlantedError));
  }
}

// A data set is left out for what is wrong with it, never for an Error.
TEST(MatrixErrors, OfNodeTests_EndTheRun) {
  const SelectedCell cell =
      SelectCells({"QuantizeLinear/21/FLOAT-FLOAT-INT8/per_tensor"}).value().front();
  const OpCase asked =
      MakeCase(CasesOf(cell.cell, cell.versions, Level::kSmoke).front(), 1).value();
  NodeTest test;
  test.name = "test_quantizelinear";
  test.model = asked.model;
  const auto answer =
      OracleModel::Create(asked.model).value().Evaluate(ViewsOf(asked.inputs));
  test.data_sets.push_back({.name = "right",
                            .inputs = asked.inputs,
                            .outputs = PackAnswer(answer.value()),
                            .output_sha256 = {},
                            .disputed = {}});
  test.data_sets.push_back({.name = "disputed",
                            .inputs = asked.inputs,
                            .outputs = {},
                            .output_sha256 = {},
                            .disputed = "it wraps around"});
  const std::vector<FoundNodeTest> found{{"1.23", test, test.name}};
  std::optional<Result<AnsweredNodeTests>> answered;
  const auto run = [&] { answered = AnswerNodeTests(found); };
  const auto places = CallsOf(run);
  ASSERT_TRUE(answered->ok());
  EXPECT_EQ((*answered)->tests.size(), 1u);
  EXPECT_THAT((*answered)->left_out,
              testing::ElementsAre("test_quantizelinear: it wraps around"));
  EXPECT_GE(places.size(), 3u);
  for (const CallChain& place : places) {
    ASSERT_TRUE(RunFailingAt(place, run)) << PlaceText(place);
    ASSERT_FALSE(answered->ok()) << PlaceText(place);
    EXPECT_THAT(answered->error().message, testing::HasSubstr(kPlantedError));
  }
}

}  // namespace
}  // namespace qconform
