#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "cases/model/serialize.h"
#include "harness/backends/onnxruntime/onnxruntime_backend.h"
#include "harness/backends/onnxruntime/options.h"
#include "harness/backends/whole_model.h"

namespace qconform {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Options = std::map<std::string, std::string>;

std::string WhyNotParsed(const Options& options) {
  const auto parsed = ParseOnnxRuntimeOptions(options);
  return parsed ? "parsed" : parsed.error().message;
}

TEST(OnnxRuntimeOptions_Test, Known_AreTaken) {
  const auto parsed = ParseOnnxRuntimeOptions({{"provider", "cpu"},
                                               {"opt_level", "0"},
                                               {"threads", "2"},
                                               {"library", "/a/libonnxruntime.so"},
                                               {"session.x", "1"}});
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->provider, "CPUExecutionProvider");
  EXPECT_EQ(parsed->opt_level, "disable");
  EXPECT_EQ(parsed->threads, 2);
  EXPECT_EQ(parsed->library, "/a/libonnxruntime.so");
  EXPECT_EQ(parsed->session_config.at("session.x"), "1");
}

TEST(OnnxRuntimeOptions_Test, Wrong_AreNamed) {
  EXPECT_THAT(WhyNotParsed({{"opt", "1"}}),
              AllOf(HasSubstr("'opt'"), HasSubstr("opt_level=LEVEL")));
  EXPECT_THAT(WhyNotParsed({{"opt_level", "7"}}), HasSubstr("disable, basic"));
  EXPECT_THAT(WhyNotParsed({{"threads", "many"}}), HasSubstr("1 to 1024"));
  EXPECT_THAT(WhyNotParsed({{"library", ""}}), HasSubstr("library: expected a value"));
  EXPECT_THAT(WhyNotParsed({{"ep.device", "0"}}), HasSubstr("ep.device"));
}

TEST(OnnxRuntime_Test, LibraryThatIsNotThere_IsAnError) {
  const auto backend =
      MakeOnnxRuntimeBackend({{"library", "/nowhere/libonnxruntime.so"}});
  ASSERT_FALSE(backend);
  EXPECT_THAT(backend.error().message, HasSubstr("/nowhere/libonnxruntime.so"));
}

TEST(OnnxRuntime_Test, LibraryOfSomethingElse_IsAnError) {
  const auto backend = MakeOnnxRuntimeBackend({{"library", "libm.so.6"}});
  ASSERT_FALSE(backend);
  EXPECT_THAT(backend.error().message, HasSubstr("OrtGetApiBase"));
}

// All tests below need the library. They share one backend, because loading takes a
// while.
class OnnxRuntimeLibrary : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (made_ == nullptr) {
      made_ = new Result<std::unique_ptr<Backend>>(MakeOnnxRuntimeBackend({}));
    }
  }

  void SetUp() override {
    if (!*made_ && made_->error().message.find(", got none") != std::string::npos) {
      GTEST_SKIP() << "not run, because: " << made_->error().message;
    }
    ASSERT_TRUE(*made_) << made_->error().message;
    backend_ = (*made_)->get();
  }

  // Whether the library's release is older than 1.`minor`.
  bool IsOlderThan(int minor) const {
    return std::stoi(backend_->info().version.substr(2)) < minor;
  }

  Backend* backend_ = nullptr;

 private:
  static Result<std::unique_ptr<Backend>>* made_;
};
Result<std::unique_ptr<Backend>>* OnnxRuntimeLibrary::made_ = nullptr;

Tensor Floats(Shape shape, const std::vector<float>& values) {
  Tensor tensor = Tensor::Zeros(DataType::kFloat, std::move(shape));
  if (!values.empty()) {
    std::memcpy(tensor.data.data(), values.data(), tensor.data.size());
  }
  return tensor;
}

using Question = FedModel;

// The first opset_version whose QuantizeLinear has that target.
int OpsetOf(DataType type) {
  switch (type) {
    case DataType::kUint8:
    case DataType::kInt8:
      return 13;
    case DataType::kUint2:
    case DataType::kInt2:
      return 25;
    default:
      return 21;
  }
}

// y_zero_point is an initializer of zero. The model is as old as possible, because every
// library from 1.15 on is asked.
Question Quantize(DataType type, const Shape& shape, const std::vector<float>& x,
                  float scale) {
  Question question;
  question.model.opset_version = OpsetOf(type);
  question.model.ir_version =
      std::map<int, int>{{13, 7}, {21, 10}, {25, 12}}.at(question.model.opset_version);
  question.model.node = {
      "QuantizeLinear", "", {"x", "y_scale", "y_zero_point"}, {"y"}, {}};
  question.model.inputs = {{"x", DataType::kFloat, shape},
                           {"y_scale", DataType::kFloat, {}}};
  question.model.outputs = {{"y", type, shape}};
  question.model.initializers = {{"y_zero_point", Tensor::Zeros(type, {})}};
  question.inputs = {Floats(shape, x), Floats({}, {scale})};
  return question;
}

RunResult Ask(Backend& backend, const Question& question) {
  auto prepared = backend.Prepare(question.model);
  if (auto* unsupported = std::get_if<Unsupported>(&prepared)) return *unsupported;
  if (auto* refused = std::get_if<Refused>(&prepared)) return *refused;
  if (auto* error = std::get_if<BackendError>(&prepared)) return *error;
  const std::vector<TensorView> views = ViewsOf(question.inputs);
  return std::get<std::unique_ptr<PreparedModel>>(prepared)->Run(views);
}

// The bytes of y in hexadecimal, or the message if there is no answer.
std::string Told(const RunResult& result) {
  if (const auto* unsupported = std::get_if<Unsupported>(&result)) {
    return "unsupported: " + unsupported->reason;
  }
  if (const auto* refused = std::get_if<Refused>(&result))
    return "refused: " + refused->reason;
  if (const auto* error = std::get_if<BackendError>(&result))
    return "error: " + error->text;
  std::string text;
  for (const std::byte byte : std::get<Outputs>(result).front().data) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(byte));
    text += digits;
  }
  return text;
}

TEST_F(OnnxRuntimeLibrary, Info_SaysWhoItIs) {
  const BackendInfo& info = backend_->info();
  EXPECT_EQ(info.kind, "onnxruntime");
  EXPECT_EQ(info.device, "CPUExecutionProvider");
  EXPECT_THAT(info.version, ::testing::StartsWith("1."));
  EXPECT_EQ(info.details.at("library_sha256").size(), 64u);
  EXPECT_THAT(info.details.at("library"),
              AllOf(HasSubstr("libonnxruntime.so"), ::testing::Not(HasSubstr("/lib"))));
  EXPECT_EQ(info.details.at("opt_level"), "all");
  if (info.version.starts_with("1.30.")) {
    // docs/findings/onnxruntime_1.30.md: the reported number is not the one that is
    // taken.
    EXPECT_THAT(info.details.at("type_numbers"),
                AllOf(HasSubstr("UINT2 "), HasSubstr("INT2 "), HasSubstr("FLOAT8E8M0 ")));
  }
}

// Integers that every target holds, so that each byte is known: 0, 1, 1, 0, 1.
TEST_F(OnnxRuntimeLibrary, EveryTargetType_ComesOutPacked) {
  const std::vector<float> x = {0, 1, 1, 0, 1};
  const std::map<DataType, std::string> expected = {
      {DataType::kUint8, "0001010001"},
      {DataType::kInt8, "0001010001"},
      {DataType::kUint16, "00000100010000000100"},
      {DataType::kInt16, "00000100010000000100"},
      {DataType::kUint4, "100101"},
      {DataType::kInt4, "100101"},
      {DataType::kUint2, "1401"},
      {DataType::kInt2, "1401"},
      {DataType::kFloat8E4M3FN, "0038380038"},
      {DataType::kFloat8E4M3FNUZ, "0040400040"},
      {DataType::kFloat8E5M2, "003c3c003c"},
      {DataType::kFloat8E5M2FNUZ, "0040400040"},
  };
  for (const auto& [type, bytes] : expected) {
    const std::string told = Told(Ask(*backend_, Quantize(type, {5}, x, 1)));
    if (IsOlderThan(30) && OpsetOf(type) > 13 && told.starts_with("unsupported: ")) {
      continue;
    }
    ASSERT_EQ(told.size(), bytes.size()) << DataTypeName(type) << ": " << told;
    // The bits after the fifth element belong to no element (QL-51).
    const size_t whole = BitWidth(type) < 8 ? bytes.size() - 2 : bytes.size();
    EXPECT_EQ(told.substr(0, whole), bytes.substr(0, whole)) << DataTypeName(type);
    if (BitWidth(type) < 8) {
      const int last = std::stoi(told.substr(whole), nullptr, 16);
      EXPECT_EQ(last & ((1 << BitWidth(type)) - 1), 1) << DataTypeName(type);
    }
  }
}

// Feeding a tensor: each type of at most 8 bits as the zero point that is fed.
TEST_F(OnnxRuntimeLibrary, ZeroPoint_IsFedAsARealTensor) {
  for (const auto& [type, code, bytes] : {std::tuple{DataType::kUint8, 3, "03"},
                                          {DataType::kUint4, 3, "3"},
                                          {DataType::kInt4, 13, "d"}}) {
    Question question = Quantize(type, {1}, {0}, 1);
    question.model.initializers.clear();
    question.model.inputs.push_back({"y_zero_point", type, {}});
    Tensor zero_point = Tensor::Zeros(type, {});
    zero_point.data[0] = static_cast<std::byte>(code);
    question.inputs.push_back(zero_point);
    const std::string told = Told(Ask(*backend_, question));
    if (IsOlderThan(30) && OpsetOf(type) > 13 && told.starts_with("unsupported: ")) {
      continue;
    }
    EXPECT_THAT(told, ::testing::EndsWith(bytes)) << DataTypeName(type);
  }
}

TEST_F(OnnxRuntimeLibrary, EmptyAndScalarTensors_PassThrough) {
  EXPECT_EQ(Told(Ask(*backend_, Quantize(DataType::kUint8, {}, {7}, 1))), "07");
  EXPECT_EQ(Told(Ask(*backend_, Quantize(DataType::kUint8, {2, 0}, {}, 1))), "");
}

TEST_F(OnnxRuntimeLibrary, UnalignedInputs_GiveTheSameAnswer) {
  const Question question = Quantize(DataType::kUint8, {3}, {1, 2, 3}, 1);
  auto prepared = backend_->Prepare(question.model);
  auto* model = std::get_if<std::unique_ptr<PreparedModel>>(&prepared);
  ASSERT_NE(model, nullptr);
  for (size_t offset = 0; offset < 17; ++offset) {
    std::vector<std::byte> moved(question.inputs[0].data.size() + offset);
    std::copy(question.inputs[0].data.begin(), question.inputs[0].data.end(),
              moved.begin() + static_cast<ptrdiff_t>(offset));
    const std::vector<TensorView> views = {
        {DataType::kFloat, question.inputs[0].shape, std::span(moved).subspan(offset)},
        question.inputs[1].view()};
    EXPECT_EQ(Told((*model)->Run(views)), "010203") << offset;
  }
}

TEST_F(OnnxRuntimeLibrary, NoKernel_IsUnsupported) {
  Question question = Quantize(DataType::kUint8, {1}, {0}, 1);
  question.model.inputs[0].type = DataType::kInt32;
  question.inputs[0].type = DataType::kInt32;
  EXPECT_THAT(Told(Ask(*backend_, question)),
              AllOf(HasSubstr("unsupported: "), HasSubstr("QuantizeLinear")));
}

// The outputs of a whole model have types and shapes that only the library knows.
TEST_F(OnnxRuntimeLibrary, WholeModel_GivesOutputsOfUnknownForms) {
  Model model;
  model.opset_version = 13;
  model.ir_version = 7;
  model.node = {"", "", {"x", "scale"}, {"codes", "y"}, {}};
  model.node.body = {{"QuantizeLinear", "", {"x", "scale", "zero"}, {"codes"}, {}},
                     {"DequantizeLinear", "", {"codes", "scale", "zero"}, {"y"}, {}}};
  model.inputs = {{"x", DataType::kFloat, {2, 2}}, {"scale", DataType::kFloat, {}}};
  model.outputs = {{"codes", DataType::kInt8, {2, 2}}, {"y", DataType::kFloat, {2, 2}}};
  model.initializers = {{"zero", Tensor::Zeros(DataType::kInt8, {})}};
  const std::vector<Tensor> inputs = {Floats({2, 2}, {1, -2, 3, 500}), Floats({}, {1})};
  auto prepared = PrepareWholeModel(
      *backend_, {SerializeModel(model), {"x", "scale"}, {"codes", "y"}});
  auto* whole = std::get_if<std::unique_ptr<PreparedModel>>(&prepared);
  ASSERT_NE(whole, nullptr);
  const RunResult result = (*whole)->Run(ViewsOf(inputs));
  const auto* outputs = std::get_if<Outputs>(&result);
  ASSERT_NE(outputs, nullptr) << Told(result);
  ASSERT_EQ(outputs->size(), 2u);
  EXPECT_EQ((*outputs)[0].type, DataType::kInt8);
  EXPECT_EQ((*outputs)[0].shape, (Shape{2, 2}));
  EXPECT_EQ(Told(result), "01fe037f");
  EXPECT_EQ((*outputs)[1], Floats({2, 2}, {1, -2, 3, 127}));
}

TEST_F(OnnxRuntimeLibrary, WholeModel_ThatIsNone_IsRefused) {
  const auto prepared = PrepareWholeModel(*backend_, {"no model", {"x"}, {"y"}});
  EXPECT_TRUE(std::holds_alternative<Refused>(prepared));
}

// Models with an opset_version, or an IR version, that no library knows yet.
TEST_F(OnnxRuntimeLibrary, NewerModelThanTheLibrary_IsUnsupported) {
  Question question = Quantize(DataType::kUint8, {1}, {0}, 1);
  question.model.opset_version = 1000;
  EXPECT_THAT(Told(Ask(*backend_, question)), HasSubstr("unsupported: "));
  question = Quantize(DataType::kUint8, {1}, {0}, 1);
  question.model.ir_version = 1000;
  EXPECT_THAT(Told(Ask(*backend_, question)), HasSubstr("unsupported: "));
}

TEST_F(OnnxRuntimeLibrary, InvalidModel_IsRefused) {
  Question question = Quantize(DataType::kUint8, {1}, {0}, 1);
  question.model.outputs[0].type = DataType::kInt8;  // but the zero point is UINT8
  EXPECT_THAT(Told(Ask(*backend_, question)), HasSubstr("refused: "));
}

TEST_F(OnnxRuntimeLibrary, TwoSessions_AnswerAsOne) {
  const Question question = Quantize(DataType::kUint8, {2}, {5, 6}, 1);
  auto first = backend_->Prepare(question.model);
  auto second = backend_->Prepare(question.model);
  for (auto* prepared : {&first, &second}) {
    auto* model = std::get_if<std::unique_ptr<PreparedModel>>(prepared);
    ASSERT_NE(model, nullptr);
    const std::vector<TensorView> views = {question.inputs[0].view(),
                                           question.inputs[1].view()};
    EXPECT_EQ(Told((*model)->Run(views)), "0506");
  }
}

TEST_F(OnnxRuntimeLibrary, UnknownProvider_IsAnErrorThatListsThem) {
  if (IsOlderThan(16)) GTEST_SKIP() << "not run, because it takes only its CPU provider";
  const auto backend = MakeOnnxRuntimeBackend({{"provider", "NoSuchProvider"}});
  ASSERT_FALSE(backend);
  EXPECT_THAT(backend.error().message,
              AllOf(HasSubstr("'NoSuchProvider'"), HasSubstr("CPUExecutionProvider")));
}

TEST_F(OnnxRuntimeLibrary, ProviderLibraryThatIsNotThere_IsAnError) {
  const auto backend = MakeOnnxRuntimeBackend({{"ep_library", "/nowhere/libep.so"}});
  ASSERT_FALSE(backend);
  EXPECT_THAT(backend.error().message, HasSubstr("/nowhere/libep.so"));
}

// Each runs in its own process, because a library is registered once for an environment,
// and a process has only one environment.
class OnnxRuntimeProvider : public OnnxRuntimeLibrary {
 protected:
  void SetUp() override {
    OnnxRuntimeLibrary::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    if (IsOlderThan(24)) {
      GTEST_SKIP() << "not run, because ONNX Runtime " << backend_->info().version
                   << " has another interface of providers (1.22), or needs a second "
                      "library to load one (1.23)";
    }
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
};

// Says on stderr what the provider answers to 3 / 1.
void AskProvider(const Options& options) {
  const auto backend = MakeOnnxRuntimeBackend(options);
  if (!backend) {
    std::fprintf(stderr, "error: %s\n", backend.error().message.c_str());
  } else {
    std::fprintf(stderr, "%s gives %s\n", (*backend)->info().device.c_str(),
                 Told(Ask(**backend, Quantize(DataType::kUint8, {1}, {3}, 1))).c_str());
  }
  std::_Exit(0);
}

TEST_F(OnnxRuntimeProvider, OfALibrary_Answers) {
  EXPECT_EXIT(
      AskProvider({{"provider", "FortyTwo"}, {"ep_library", QCONFORM_TEST_PROVIDER}}),
      ::testing::ExitedWithCode(0), "FortyTwo gives 2a");
}

// As a vendor names it who works in its folder.
TEST_F(OnnxRuntimeProvider, OfALibraryInThisFolder_Answers) {
  const std::filesystem::path library = QCONFORM_TEST_PROVIDER;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(library.parent_path());
  EXPECT_EXIT(AskProvider({{"provider", "FortyTwo"},
                           {"ep_library", library.filename().string()}}),
              ::testing::ExitedWithCode(0), "FortyTwo gives 2a");
  std::filesystem::current_path(before);
}

// Nodes that it leaves to the CPU are not its own.
TEST_F(OnnxRuntimeProvider, ThatTakesNothing_IsUnsupported) {
  EXPECT_EXIT(AskProvider({{"provider", "Idle"}, {"ep_library", QCONFORM_TEST_PROVIDER}}),
              ::testing::ExitedWithCode(0), "Idle gives unsupported: ");
}

TEST_F(OnnxRuntimeProvider, OneOfSeveral_MustBeNamed) {
  EXPECT_EXIT(AskProvider({{"ep_library", QCONFORM_TEST_PROVIDER}}),
              ::testing::ExitedWithCode(0), "provider=NAME too, one of FortyTwo, Idle");
}

TEST_F(OnnxRuntimeProvider, ThatTheLibraryLacks_IsAnError) {
  EXPECT_EXIT(
      AskProvider({{"provider", "Other"}, {"ep_library", QCONFORM_TEST_PROVIDER}}),
      ::testing::ExitedWithCode(0), "expected a device of provider 'Other'");
}

TEST_F(OnnxRuntimeLibrary, Peer_WritesIntoTheTensorItWasGiven) {
  const auto peer = MakeOnnxRuntimePeer({});
  ASSERT_TRUE(peer) << peer.error().message;
  EXPECT_THAT((*peer)->name(), HasSubstr("onnxruntime 1."));
  const Question question = Quantize(DataType::kUint8, {3}, {1, 2, 3}, 1);
  const std::vector<TensorView> views = {question.inputs[0].view(),
                                         question.inputs[1].view()};
  Tensor y = Tensor::Zeros(DataType::kUint8, {3});
  const auto node = (*peer)->Prepare(question.model, views, y.mutable_view(), 1);
  ASSERT_TRUE(node) << node.error().message;
  ASSERT_TRUE((*node)->Run());
  EXPECT_EQ(static_cast<int>(y.data[2]), 3);
}

}  // namespace
}  // namespace qconform
