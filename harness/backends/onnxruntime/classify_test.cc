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

std::string KindOf(const Verdict& verdict) {
  return std::holds_alternative<Unsupported>(verdict) ? "unsupported"
         : std::holds_alternative<Refused>(verdict)   ? "refused"
                                                      : "error";
}

struct Message {
  OrtErrorCode code;
  const char* text;
};

constexpr const char* kPerTensorOnly =
    "Non-zero status code returned while running QLinearMatMul node. Name:'' Status "
    "Message: /onnxruntime_src/onnxruntime/core/providers/cpu/quantization/"
    "quantize_linear_matmul.cc:78 virtual onnxruntime::common::Status "
    "onnxruntime::QLinearMatMul::Compute(onnxruntime::OpKernelContext*) const "
    "IsScalarOr1ElementVector(a_offset) was false. QLinearMatmul : input zero point must "
    "be a scalar or 1D tensor of size 1\n";
constexpr const char* kPerTensorOnlyOfW =
    "Non-zero status code returned while running ConvInteger node. Name:'' Status "
    "Message: /onnxruntime_src/onnxruntime/core/providers/cpu/quantization/"
    "conv_integer.cc:52 virtual onnxruntime::common::Status "
    "onnxruntime::ConvInteger::Compute(onnxruntime::OpKernelContext*) const "
    "IsScalarOr1ElementVector(W_Zero_Point) was false. Non per-tensor quantization is "
    "not supported now.\n";
constexpr const char* kDilation =
    "Non-zero status code returned while running ConvInteger node. Name:'' Status "
    "Message: Dilation not supported for AutoPadType::SAME_UPPER or "
    "AutoPadType::SAME_LOWER.";
constexpr const char* kZeroPointsOf0 =
    "Non-zero status code returned while running DequantizeLinear node. Name:'' Status "
    "Message: /onnxruntime_src/onnxruntime/core/providers/cpu/quantization/"
    "quantize_linear.cc:541 onnxruntime::common::Status "
    "onnxruntime::DequantizeLinear<T>::"
    "Compute(onnxruntime::OpKernelContext*) const [with T = onnxruntime::Float8E4M3FN] "
    "zero_point == nullptr || std::all_of(zero_point, zero_point + "
    "x_zero_point->Shape().Size(), [](T zp) { return zp == T{0}; }) was false. "
    "DequantizeLinear with type int32 or float8 should have no zero point or all zero "
    "points should be 0\n";

// The messages of releases 1.15.1 to 1.32.0 for legal models.
TEST(ClassifyTest, NoKernelForATypeOrShape_IsUnsupportedMessageByMessage) {
  for (const Message& message : {
           Message{ORT_FAIL, kIrVersion},
           {ORT_FAIL, kOpset},
           {ORT_NOT_IMPLEMENTED,
            "Could not find an implementation for QuantizeLinear(21) node with name ''"},
           {ORT_FAIL,
            "Could not find an implementation for QuantizeLinear(21) node with name ''"},
           {ORT_FAIL,
            "Failed to find kernel for QuantizeLinear(23) (node:'' "
            "ep:'CPUExecutionProvider'). Op with name () domain () and type "
            "(QuantizeLinear) kernel is not supported in CPUExecutionProvider. "
            "Encountered following errors: (Found kernel for Op with name () type "
            "QuantizeLinear but the types do not match)"},
           {ORT_FAIL,
            "Exception during loading: MLDataType for: tensor(float6e2m3) is not "
            "currently registered or supported"},
           {ORT_FAIL, "Fatal error: QLinearMatMul(21) is not a registered function/op"},
           {ORT_FAIL, "No Op registered for DequantizeLinear with domain_version of 28"},
       }) {
    EXPECT_EQ(KindOf(ClassifyCreation({message.code, message.text})), "unsupported")
        << message.text;
  }
  for (const Message& message : {
           Message{ORT_INVALID_ARGUMENT, kPerTensorOnly},
           {ORT_FAIL, kPerTensorOnly},
           {ORT_INVALID_ARGUMENT, kPerTensorOnlyOfW},
           {ORT_INVALID_ARGUMENT, kDilation},
           {ORT_FAIL, "Tensor type mismatch. float != MLFloat16"},
           {ORT_NOT_IMPLEMENTED, "anything"},
       }) {
    EXPECT_EQ(KindOf(ClassifyRun({message.code, message.text})), "unsupported")
        << message.text;
  }
}

// These take the model and then hold it, an attribute or an operand to be invalid.
TEST(ClassifyTest, ModelsAndOperandsThatAreHeldToBeInvalid_AreRefused) {
  for (const Message& message : {
           Message{ORT_FAIL,
                   "Node () Op (QuantizeLinear) [ShapeInferenceError] Inferred shape and "
                   "existing shape differ in dimension 0: (3) vs (4)"},
           {ORT_FAIL,
            "[TypeInferenceError] Output type does not match type of "
            "zero_point"},
           {ORT_FAIL,
            "Type Error: Type (tensor(float)) of output arg "
            "(InsertedPrecisionFreeCast_y) "
            "of node () does not match expected type (tensor(float16))."},
           {ORT_INVALID_GRAPH,
            "This is an invalid model. Error: Unrecognized attribute: "
            "block_size for operator QuantizeLinear"},
           {ORT_INVALID_ARGUMENT, "block_size must be positive"},
       }) {
    EXPECT_EQ(KindOf(ClassifyCreation({message.code, message.text})), "refused")
        << message.text;
  }
  for (const Message& message : {
           Message{ORT_FAIL, kZeroPointsOf0},
           {ORT_INVALID_ARGUMENT, "Got invalid dimensions for input: x"},
           {ORT_FAIL, "axis >= 0 was false. "},
       }) {
    EXPECT_EQ(KindOf(ClassifyRun({message.code, message.text})), "refused")
        << message.text;
  }
}

TEST(ClassifyTest, RunsThatFailOtherwise_AreErrors) {
  EXPECT_EQ(KindOf(ClassifyRun({ORT_RUNTIME_EXCEPTION, "bad allocation"})), "error");
}

}  // namespace
}  // namespace qconform::ort
