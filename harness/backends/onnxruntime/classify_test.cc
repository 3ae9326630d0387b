#include "harness/backends/onnxruntime/classify.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>

namespace qconform::ort {
namespace {

// The words of releases 1.15 to 1.22 about models that are newer than they are.
constexpr const char* kIrVersion =
    "Failed to load model with error: /onnxruntime_src/core/graph/model.cc:149 "
    "onnxruntime::Model::Model(onnx::ModelProto&&, const PathString&) "
    "Unsupported model IR version: 11, max supported IR version: 9\n";
constexpr const char* kOpset =
    "Failed to load model with error: /onnxruntime_src/model_load_utils.h:46 void "
    "onnxruntime::ValidateOpsetForDomain(bool, int) ONNX Runtime only *guarantees* "
    "support for models stamped with official released onnx opset versions. Opset 20 is "
    "under development and support for this is limited.";

std::string WhyUnsupported(const Verdict& verdict) {
  const auto* unsupported = std::get_if<Unsupported>(&verdict);
  return unsupported == nullptr ? "another verdict" : unsupported->reason;
}

TEST(ClassifyCreationTest, NewerModelThanTheLibrary_IsUnsupportedInItsOwnWords) {
  EXPECT_EQ(WhyUnsupported(ClassifyCreation({ORT_FAIL, kIrVersion})),
            "Unsupported model IR version: 11, max supported IR version: 9");
  EXPECT_TRUE(WhyUnsupported(ClassifyCreation({ORT_FAIL, kOpset}))
                  .starts_with("ONNX Runtime only *guarantees* support"));
}

TEST(ClassifyCreationTest, NoKernel_IsUnsupportedWithAllWords) {
  const std::string text = "Could not find an implementation for QuantizeLinear(21)";
  EXPECT_EQ(WhyUnsupported(ClassifyCreation({ORT_NOT_IMPLEMENTED, text})), text);
  EXPECT_EQ(WhyUnsupported(ClassifyCreation({ORT_FAIL, text})), text);
}

TEST(ClassifyCreationTest, InvalidModel_IsRefused) {
  EXPECT_TRUE(std::holds_alternative<Refused>(
      ClassifyCreation({ORT_INVALID_GRAPH, "This is an invalid model."})));
}

TEST(ClassifyCreationTest, AnythingElse_IsAnError) {
  EXPECT_TRUE(std::holds_alternative<BackendError>(
      ClassifyCreation({ORT_RUNTIME_EXCEPTION, "bad allocation"})));
}

}  // namespace
}  // namespace qconform::ort
