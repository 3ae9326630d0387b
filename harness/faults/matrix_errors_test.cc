// An Error of the oracle ends the kill matrix: it is no caught fault.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <string>

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

}  // namespace
}  // namespace qconform
