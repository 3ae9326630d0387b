// A question that the harness itself got wrong is its Error, whichever backend is asked
// and wherever it runs: no answer of the backend.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "cases/core/case.h"
#include "harness/backends/registry/hosted_backend.h"
#include "harness/backends/registry/simd_backend.h"
#include "harness/backends/run_model.h"

namespace qconform {
namespace {

using testing::HasSubstr;

std::vector<std::string> Specs() {
  std::vector<std::string> specs{
      "oracle", "faulty:ties_away",
      "plugin:" + std::string(QCONFORM_PLUGINS) + "/qconform_example_plugin.so"};
  if (!SupportedSimdTargets().empty()) specs.emplace_back("simd");
  return specs;
}

FedModel Question() {
  const auto key = ParseCaseId(
      "QuantizeLinear/13@13/FLOAT-FLOAT-UINT8/per_tensor/inputs/saturate=1/ties/0");
  return MakeCase(key.value(), 1).value();
}

TEST(HarnessFailures, OfAQuestion_AreErrorsInEveryBackend) {
  FedModel misnamed = Question();
  misnamed.model.node.inputs.back() = "nobody_feeds_this";
  FedModel unfed = Question();
  unfed.inputs.pop_back();
  using Where = HostOptions::Where;
  for (const std::string& spec : Specs()) {
    for (const Where where : {Where::kInProcess, Where::kChild}) {
      const auto backend =
          MakeHostedBackend(spec, {}, {.where = where, .program = QCONFORM_TOOL});
      ASSERT_TRUE(backend.ok()) << spec << ": " << backend.error().message;
      const auto right = RunModel(**backend, Question());
      ASSERT_TRUE(right.ok()) << spec << ": " << right.error().message;
      EXPECT_TRUE(std::holds_alternative<Outputs>(*right)) << spec;
      const auto without_name = RunModel(**backend, misnamed);
      ASSERT_FALSE(without_name.ok()) << spec;
      EXPECT_THAT(without_name.error().message, HasSubstr("'nobody_feeds_this'"));
      const auto without_tensor = RunModel(**backend, unfed);
      ASSERT_FALSE(without_tensor.ok()) << spec;
      EXPECT_THAT(without_tensor.error().message, HasSubstr("2 tensors were fed"));
    }
  }
}

}  // namespace
}  // namespace qconform
