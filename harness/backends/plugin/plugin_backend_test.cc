#include "harness/backends/plugin/plugin_backend.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <utility>

#include "cases/lattice/lattice.h"
#include "harness/backends/in_place.h"
#include "harness/backends/plugin/qconform_backend.h"
#include "harness/backends/run_model.h"
#include "harness/compare/compare.h"
#include "harness/core/named_dimensions.h"
#include "harness/core/oracle_model.h"
#include "harness/runner/testing/run_on.h"

namespace qconform {
namespace {

std::string Path(const std::string& name) {
  return std::string(QCONFORM_PLUGINS) + "/" + name + ".so";
}

std::unique_ptr<Backend> Bad(const std::string& fault) {
  auto made = MakePluginBackend(Path("qconform_bad_plugin"), {{"fault", fault}});
  EXPECT_TRUE(made.ok()) << made.error().message;
  return *std::move(made);
}

// FLOAT x of two elements, scale 0.5 as a constant, zero point 3; all but x constant.
using Small = FedModel;

Tensor Floats(Shape shape, const std::vector<float>& values) {
  Tensor tensor = Tensor::Zeros(DataType::kFloat, std::move(shape));
  std::memcpy(tensor.data.data(), values.data(), tensor.data.size());
  return tensor;
}

Small SmallCase(size_t elements = 2) {
  Small small;
  const Shape shape{static_cast<int64_t>(elements)};
  small.model.opset_version = 13;
  small.model.ir_version = 8;
  small.model.node = {"QuantizeLinear", "", {"x", "y_scale", "y_zero_point"}, {"y"}, {}};
  small.model.inputs = {{"x", DataType::kFloat, shape}};
  small.model.outputs = {{"y", DataType::kUint8, shape}};
  small.model.initializers = {{"y_scale", Floats({}, {0.5f})},
                              {"y_zero_point", {DataType::kUint8, {}, {std::byte{3}}}}};
  small.inputs = {Floats(shape, std::vector<float>(elements, 2.0f))};
  return small;
}

TEST(PluginBackend, Honest_ComputesY) {
  const auto backend = Bad("none");
  const Small small = SmallCase();
  const RunResult result = RunModel(*backend, small).value();
  ASSERT_TRUE(std::holds_alternative<Outputs>(result));
  const Tensor& y = std::get<Outputs>(result).front();
  EXPECT_EQ(y.type, DataType::kUint8);
  EXPECT_EQ(y.shape, Shape{2});
  EXPECT_EQ(y.data, (std::vector<std::byte>{std::byte{7}, std::byte{7}}));
}

struct Row {
  const char* fault;
  BackendError::Kind kind;
  const char* words;
};

TEST(PluginBackend, EachFault_IsFoundAndNamed) {
  constexpr auto kInvalid = BackendError::Kind::kInvalidOutput;
  constexpr auto kUnsteady = BackendError::Kind::kNondeterministic;
  const Row kRows[] = {
      {"write_constant", kInvalid, "create wrote to a constant"},
      {"write_constant_in_run", kInvalid, "wrote to a constant"},
      {"write_input", kInvalid, "input 'x'"},
      {"write_before", kInvalid, "outside of output 0"},
      {"unwritten", kInvalid, "byte 1 of output 0 unwritten"},
      {"like_poison", kUnsteady, "elsewhere in memory"},
      {"by_address", kUnsteady, "elsewhere in memory"},
      {"by_offset", kUnsteady, "elsewhere in memory"},
      {"by_run", kUnsteady, "run a second time"},
      {"type_by_run", kUnsteady, "a different type or shape when run again"},
      {"decline_by_run", kUnsteady, "declined the same inputs when run again"},
      {"wrong_rank", kInvalid, "33"},
      {"endless_rank", kInvalid, "rank 18446744073709551615"},
      {"write_dims", kInvalid, "wrote to the dims of its input 'x'"},
      {"endless_reason", BackendError::Kind::kFailed, "AAAAAAAA"},
      {"strange_status", BackendError::Kind::kFailed, "qconform_status, got 9"},
  };
  for (const Row& row : kRows) {
    const auto backend = Bad(row.fault);
    const Small small = SmallCase();
    const RunResult result = RunModel(*backend, small).value();
    const auto* error = std::get_if<BackendError>(&result);
    ASSERT_NE(error, nullptr) << row.fault;
    EXPECT_EQ(error->kind, row.kind) << row.fault << ": " << error->text;
    EXPECT_NE(error->text.find(row.words), std::string::npos) << error->text;
  }
}

// What a plugin throws is its own error, in whatever function, and even if the system has
// no memory or threads for it.
TEST(PluginBackend, AnExceptionOfAnyFunction_IsThePlugins) {
  const std::pair<const char*, const char*> kThrown[] = {
      {"bad_alloc", " threw an exception: std::bad_alloc"},
      {"system_error", " threw an exception: thread: Resource temporarily unavailable"},
      {"int", " threw an exception"}};
  const auto make = [] {
    return MakePluginBackend(Path("qconform_throwing_plugin"), {{"key", "value"}});
  };
  for (const auto& [what, words] : kThrown) {
    for (const std::string function : {"qconform_get_backend", "set_option"}) {
      setenv("QCONFORM_THROWS", (function + ":" + what).c_str(), 1);
      const auto made = make();
      ASSERT_FALSE(made.ok()) << function;
      EXPECT_NE(made.error().message.find(": " + function + words), std::string::npos)
          << made.error().message;
    }
    for (const std::string function : {"create", "run", "set_threads", "destroy"}) {
      setenv("QCONFORM_THROWS", (function + ":" + what).c_str(), 1);
      const auto made = make();
      ASSERT_TRUE(made.ok()) << made.error().message;
      const Small small = SmallCase(100000);
      RunResult result = RunModel(**made, small).value();
      if (function == "destroy") {
        EXPECT_TRUE(std::holds_alternative<Outputs>(result));
        result = RunModel(**made, small).value();
      }
      const auto* error = std::get_if<BackendError>(&result);
      ASSERT_NE(error, nullptr) << function;
      EXPECT_EQ(error->kind, BackendError::Kind::kFailed);
      EXPECT_EQ(error->text.find(function + words), 0u) << error->text;
    }
  }
  unsetenv("QCONFORM_THROWS");
}

// The judgement depends on the model: for a legal model it is a wrong answer, for an
// invalid one there is no answer to judge.
TEST(PluginBackend, AnyTypeAndShape_IsAnAnswer) {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const struct {
    const char* fault;
    DataType type;
    Shape shape;
    size_t bytes;
  } kRows[] = {{"unknown_type", static_cast<DataType>(77), {2}, 0},
               {"wrong_type", DataType::kInt8, {2}, 2},
               {"wrong_shape", DataType::kUint8, {3}, 2},
               {"negative_dim", DataType::kUint8, {-1}, 0},
               {"least_dim", DataType::kUint8, {kLeast}, 0},
               {"dims_overflow", DataType::kUint8, {kMost, kMost, kMost, kMost}, 0},
               {"dims_overflow_to_0", DataType::kUint8, {kMost, kMost, kMost, 0}, 0}};
  for (const auto& row : kRows) {
    const auto backend = Bad(row.fault);
    const Small small = SmallCase();
    const RunResult result = RunModel(*backend, small).value();
    const auto* outputs = std::get_if<Outputs>(&result);
    ASSERT_NE(outputs, nullptr) << row.fault;
    EXPECT_EQ(outputs->front().type, row.type) << row.fault;
    EXPECT_EQ(outputs->front().shape, row.shape) << row.fault;
    EXPECT_EQ(outputs->front().data.size(), row.bytes) << row.fault;
    for (const CellRecord& record :
         RunOn(*backend, {"QuantizeLinear/10/FLOAT-*-UINT8/*"})) {
      EXPECT_EQ(record.verdict, Verdict::kInvalidOutput) << row.fault << record.reason;
    }
  }
}

// What a plugin writes over the harness's structures changes nothing but its own view.
TEST(PluginBackend, ChangedStructures_ChangeNothing) {
  for (const char* fault : {"write_node", "other_data", "no_data", "other_capacity"}) {
    const auto backend = Bad(fault);
    const Small small = SmallCase();
    const RunResult result = RunModel(*backend, small).value();
    const auto* outputs = std::get_if<Outputs>(&result);
    ASSERT_NE(outputs, nullptr) << fault;
    EXPECT_EQ(outputs->front().shape, Shape{2}) << fault;
    EXPECT_EQ(outputs->front().data, (std::vector<std::byte>{std::byte{7}, std::byte{7}}))
        << fault;
  }
}

// QL-51: unwritten bits there belong to no element.
TEST(PluginBackend, UnusedBitsOfTheLastByte_MayBeAnything) {
  const auto backend = Bad("dirty_padding");
  for (const auto& [type, used] : {std::pair{DataType::kUint4, std::byte{0x0F}},
                                   std::pair{DataType::kFloat6E2M3, std::byte{0x3F}}}) {
    Small small = SmallCase(1);
    small.model.outputs[0].type = type;
    small.model.initializers[1].tensor = {type, {}, {std::byte{3}}};
    const RunResult result = RunModel(*backend, small).value();
    const auto* outputs = std::get_if<Outputs>(&result);
    ASSERT_NE(outputs, nullptr) << std::get<BackendError>(result).text;
    EXPECT_EQ(outputs->front().data[0] & used, std::byte{7}) << DataTypeName(type);
  }
}

// QL-12: NaN's codes may depend on where a loop finds y aligned.
TEST(PluginBackend, OtherCodesOfNanEachTime_AreNoDeviation) {
  const auto backend = Bad("nan_by_run");
  Small small = SmallCase();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  small.inputs = {Floats({2}, {2.0f, nan})};
  const RunResult result = RunModel(*backend, small).value();
  const auto* error = std::get_if<BackendError>(&result);
  ASSERT_NE(error, nullptr);
  ASSERT_NE(error->unsteady, nullptr) << error->text;
  ASSERT_EQ(error->unsteady->others.size(), 1u);
  EXPECT_EQ(error->unsteady->others.front().changed, "repetition");
  const auto oracle = OracleModel::Create(small.model);
  ASSERT_TRUE(oracle.ok());
  const auto answer = oracle->Evaluate(std::vector<TensorView>{small.inputs[0].view()});
  ASSERT_TRUE(answer.ok());
  EXPECT_TRUE(std::holds_alternative<Outputs>(Settled(*answer, result)));
}

TEST(PluginBackend, AnswerByThreadCount_IsFound) {
  const auto backend = Bad("by_threads");
  const Small small = SmallCase(4096);
  const RunResult result = RunModel(*backend, small).value();
  const auto* error = std::get_if<BackendError>(&result);
  ASSERT_NE(error, nullptr);
  EXPECT_NE(error->text.find("number of threads"), std::string::npos) << error->text;
}

// A plugin that is wrong with only one number of threads is found by some sizes.
TEST(PluginBackend, EachOfTwoToFourThreads_IsAsked) {
  for (const char* fault : {"by_two_threads", "by_three_threads", "by_four_threads"}) {
    const auto backend = Bad(fault);
    int found = 0;
    for (size_t elements = 1000; elements < 1040; ++elements) {
      const Small small = SmallCase(elements);
      const RunResult result = RunModel(*backend, small).value();
      found += std::holds_alternative<BackendError>(result) ? 1 : 0;
    }
    EXPECT_GE(found, 10) << fault;
    EXPECT_LE(found, 20) << fault;
  }
}

// So it is with more of them, of which there are more numbers.
TEST(PluginBackend, EachOfFiveToEightThreads_IsAsked) {
  for (const char* fault : {"by_five_threads", "by_eight_threads"}) {
    const auto backend = Bad(fault);
    int found = 0;
    for (size_t elements = 1000; elements < 1048; ++elements) {
      const Small small = SmallCase(elements);
      const RunResult result = RunModel(*backend, small).value();
      found += std::holds_alternative<BackendError>(result) ? 1 : 0;
    }
    EXPECT_GE(found, 8) << fault;
    EXPECT_LE(found, 20) << fault;
  }
}

// A kernel may use threads only for more elements than most cases have.
TEST(PluginBackend, SplitOfManyElements_IsAskedWithThreadsInPlace) {
  const auto backend = Bad("long_split");
  const Small large = SmallCase(66'013);
  auto prepared = backend->Prepare(large.model);
  auto* model = std::get_if<std::unique_ptr<PreparedModel>>(&prepared);
  ASSERT_NE(model, nullptr);
  const std::vector<TensorView> inputs{large.inputs[0].view()};
  std::vector<std::byte> room(large.inputs[0].data.size());
  const auto in_place = dynamic_cast<RunsInPlace&>(**model).RunInPlace(inputs, room);
  ASSERT_TRUE(in_place.has_value());
  const auto* error = std::get_if<BackendError>(&*in_place);
  ASSERT_NE(error, nullptr);
  EXPECT_NE(error->text.find("number of threads"), std::string::npos) << error->text;
  ASSERT_NE(error->unsteady, nullptr);
  EXPECT_EQ(error->unsteady->others.front().changed, "threads");
  const RunResult result = (*model)->Run(inputs);
  EXPECT_TRUE(std::holds_alternative<BackendError>(result));
}

TEST(PluginBackend, WriteThatIsPutBack_EndsTheProcess) {
  const auto backend = Bad("write_and_restore");
  const Small small = SmallCase();
  EXPECT_DEATH((void)RunModel(*backend, small), "");
}

// Other contents come at the same addresses: of the next model's constants, and of the
// next run's inputs.
TEST(PluginBackend, WhatIsKeptByAddress_IsFound) {
  const auto backend = Bad("scale_by_address");
  Small small = SmallCase();
  for (int i = 0; i < 3; ++i) {  // until all buffers are there
    ASSERT_TRUE(std::holds_alternative<Outputs>(RunModel(*backend, small).value()));
  }
  small.model.initializers[0].tensor = Floats({}, {0.25f});
  EXPECT_TRUE(std::holds_alternative<BackendError>(RunModel(*backend, small).value()));

  small.model.inputs.push_back({"y_scale", DataType::kFloat, {}});
  small.model.initializers.erase(small.model.initializers.begin());
  auto prepared = backend->Prepare(small.model);
  auto* model = std::get_if<std::unique_ptr<PreparedModel>>(&prepared);
  ASSERT_NE(model, nullptr);
  for (const float scale : {0.5f, 0.25f}) {
    const std::vector<Tensor> inputs{small.inputs[0], Floats({}, {scale})};
    const RunResult result = (*model)->Run(ViewsOf(inputs));
    EXPECT_EQ(std::holds_alternative<Outputs>(result), scale == 0.5f);
  }
}

// Models after one with many elements run with the number of threads that was asked for.
TEST(PluginBackend, ThreadCount_IsRestored) {
  const auto backend = Bad("by_threads");
  const Small large = SmallCase(4096);
  ASSERT_TRUE(std::holds_alternative<BackendError>(RunModel(*backend, large).value()));
  const Small small = SmallCase();
  const RunResult result = RunModel(*backend, small).value();
  const auto* outputs = std::get_if<Outputs>(&result);
  ASSERT_NE(outputs, nullptr);
  EXPECT_EQ(outputs->front().data, (std::vector<std::byte>{std::byte{7}, std::byte{7}}));
}

// Tensors of more than 128 KiB are run in place, once.
TEST(PluginBackend, FaultsOfLargeTensors_AreFoundInPlaceToo) {
  const size_t elements = size_t{1} << 16;
  const struct {
    const char* fault;
    const char* words;  // none: it is right
  } kRows[] = {{"none", ""},
               {"write_constant_in_run", "wrote to a constant"},
               {"write_before", "outside of output 0"}};
  for (const auto& row : kRows) {
    const auto backend = Bad(row.fault);
    const Small large = SmallCase(elements);
    auto prepared = backend->Prepare(large.model);
    auto* model = std::get_if<std::unique_ptr<PreparedModel>>(&prepared);
    ASSERT_NE(model, nullptr) << row.fault;
    auto* in_place = dynamic_cast<RunsInPlace*>(model->get());
    ASSERT_NE(in_place, nullptr);
    std::vector<std::byte> room(elements + 4096);
    const auto answer =
        in_place->RunInPlace(std::vector<TensorView>{large.inputs[0].view()}, room);
    ASSERT_TRUE(answer.has_value()) << row.fault;
    if (const auto* output = std::get_if<RunsInPlace::Output>(&*answer)) {
      EXPECT_STREQ(row.words, "") << row.fault;
      EXPECT_EQ(output->data.size(), elements);
      EXPECT_EQ(output->data.back(), std::byte{7});
      continue;
    }
    const auto* error = std::get_if<BackendError>(&*answer);
    ASSERT_NE(error, nullptr) << row.fault;
    EXPECT_STRNE(row.words, "") << error->text;
    EXPECT_EQ(error->kind, BackendError::Kind::kInvalidOutput) << row.fault;
    EXPECT_NE(error->text.find(row.words), std::string::npos) << error->text;
  }
}

TEST(PluginBackend, AccessOutside_EndsTheProcess) {
  for (const char* fault : {"write_behind", "read_behind", "free_input", "free_output"}) {
    const auto backend = Bad(fault);
    const Small small = SmallCase();
    EXPECT_DEATH((void)RunModel(*backend, small), "") << fault;
  }
}

TEST(PluginBackend, Refused_ComesWithoutAReason) {
  const auto backend = Bad("refuse");
  const Small small = SmallCase();
  const RunResult result = RunModel(*backend, small).value();
  ASSERT_TRUE(std::holds_alternative<Refused>(result));
  EXPECT_EQ(std::get<Refused>(result).reason, "no reason given");
}

TEST(PluginBackend, WhatCannotBeLoaded_IsNamed) {
  const std::string text = std::string(QCONFORM_SOURCE_DIR) + "/README.md";
  for (const auto& [path, words] : std::map<std::string, std::string>{
           {"/nonexistent.so", "expected a shared library, got no file"},
           {text, "README.md"},
           {Path("qconform_no_plugin"), "qconform_get_backend"}}) {
    const auto made = MakePluginBackend(path, {});
    ASSERT_FALSE(made.ok()) << path;
    EXPECT_NE(made.error().message.find(words), std::string::npos)
        << made.error().message;
  }
  const auto made = MakePluginBackend(Path("qconform_example_plugin"), {{"speed", "9"}});
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.error().message.find("speed=9"), std::string::npos);
}

// The same library behaves as the environment says.
Result<std::unique_ptr<Backend>> Old(const char* what,
                                     const std::map<std::string, std::string>& options) {
  setenv("QCONFORM_OLD_PLUGIN", what, 1);
  auto made = MakePluginBackend(Path("qconform_old_plugin"), options);
  unsetenv("QCONFORM_OLD_PLUGIN");
  return made;
}

// Reading a field that its structure does not have would read beyond its end.
TEST(PluginBackend, OfAnotherVersionOrIncomplete_IsRefused) {
  const std::pair<const char*, const char*> rows[] = {
      {"none", "expected version 1 of the plugin interface"},
      {"small", "a qconform_backend of at least "},
      {"older_version", " bytes and version 0"},
      {"newer_version", " bytes and version 2"},
      {"no_create", "expected the functions create, run and destroy"},
      {"no_run", "expected the functions create, run and destroy"},
      {"no_destroy", "expected the functions create, run and destroy"}};
  static_assert(QCONFORM_ABI_VERSION == 1);
  for (const auto& [what, words] : rows) {
    const auto made = Old(what, {});
    ASSERT_FALSE(made.ok()) << what;
    EXPECT_NE(made.error().message.find(words), std::string::npos)
        << made.error().message;
  }
}

// Functions that were added to the interface later are not called.
TEST(PluginBackend, OfTheFirstStructure_TakesNoOptions) {
  EXPECT_TRUE(Old("first", {}).ok());
  for (const char* key : {"threads", "speed"}) {
    const auto made = Old("first", {{key, "2"}});
    ASSERT_FALSE(made.ok()) << key;
    EXPECT_NE(made.error().message.find("does not take the option"), std::string::npos)
        << made.error().message;
  }
  EXPECT_TRUE(Old("without_threads", {{"threads", "2"}, {"speed", "2"}}).ok());
}

// The question of SmallCase, for x of any size.
Small NamedCase(size_t elements) {
  Small small = SmallCase(elements);
  small.model = **WithNamedDimensions(small.model);
  return small;
}

TEST(PluginBackend, NamedDimensions_TakeTheirSizesAtEachRun) {
  const auto backend = Bad("none");
  auto prepared = backend->Prepare(NamedCase(2).model);
  auto* model = std::get_if<std::unique_ptr<PreparedModel>>(&prepared);
  ASSERT_NE(model, nullptr);
  for (const size_t elements : {2, 70000, 0, 5}) {  // the largest runs in place
    const Small small = NamedCase(elements);
    const RunResult result = (*model)->Run(ViewsOf(small.inputs));
    const auto* outputs = std::get_if<Outputs>(&result);
    ASSERT_NE(outputs, nullptr) << elements;
    EXPECT_EQ(outputs->front().shape, (Shape{static_cast<int64_t>(elements)}));
    EXPECT_EQ(outputs->front().data, std::vector<std::byte>(elements, std::byte{7}));
  }
}

TEST(PluginBackend, NamedDimensions_AreMinusOneAtCreate) {
  const auto prepared = Bad("fixed_dims")->Prepare(NamedCase(2).model);
  const auto* unsupported = std::get_if<Unsupported>(&prepared);
  ASSERT_NE(unsupported, nullptr);
  EXPECT_EQ(unsupported->reason, "-1 elements of 0 bytes");
}

TEST(PluginBackend, KernelForTheSizesOfTheFirstRun_IsFound) {
  const std::vector<std::string> cells = {
      "QuantizeLinear/21/FLOAT-FLOAT-UINT8/per_tensor"};
  const std::pair<const char*, Verdict> kFaults[] = {
      {"none", Verdict::kPartial},  // it declines cases without a zero point
      {"first_size", Verdict::kNonconformant}};
  for (const auto& [fault, verdict] : kFaults) {
    const auto backend = Bad(fault);
    const CellRecord record = RunOn(*backend, cells, Level::kStandard).front();
    EXPECT_EQ(record.verdict, verdict) << fault << ": " << record.reason;
    EXPECT_EQ(record.dynamic_shapes, kDynamicShapesAnswered);
  }
}

// A plugin that was made before the field existed.
TEST(PluginBackend, OlderPlugin_DeclinesNamedDimensions) {
  const auto made = Old("without_threads", {});
  ASSERT_TRUE(made.ok()) << made.error().message;
  const auto prepared = (*made)->Prepare(NamedCase(2).model);
  const auto* unsupported = std::get_if<Unsupported>(&prepared);
  ASSERT_NE(unsupported, nullptr);
  EXPECT_NE(unsupported->reason.find("dynamic_shapes"), std::string::npos);
}

TEST(PluginBackend, ThreadCount_IsFrom1To1024) {
  const auto made = [](const std::string& threads) {
    return MakePluginBackend(Path("qconform_bad_plugin"), {{"threads", threads}}).ok();
  };
  EXPECT_TRUE(made("1"));
  EXPECT_TRUE(made("1024"));
  for (const char* threads : {"0", "-1", "1025", "99999999999", "2x", ""}) {
    EXPECT_FALSE(made(threads)) << threads;
  }
}

TEST(PluginBackend, Example_ConformsInItsCellsAndDeclinesTheOthers) {
  const auto made = MakePluginBackend(Path("qconform_example_plugin"), {});
  ASSERT_TRUE(made.ok()) << made.error().message;
  int conformant = 0;
  int declined = 0;
  for (const char* cells :
       {"QuantizeLinear/10/*", "QuantizeLinear/2?/FLOAT-FLOAT-*INT8/*"}) {
    for (const CellRecord& record : RunOn(**made, {cells})) {
      const bool implemented =
          record.granularity == "per_tensor" && record.types.front() == DataType::kFloat;
      EXPECT_EQ(record.verdict, implemented ? (record.declined == 0 ? Verdict::kConformant
                                                                    : Verdict::kPartial)
                                            : Verdict::kUnsupported)
          << record.cell << ": " << record.reason;
      ++(implemented ? conformant : declined);
    }
  }
  const int since_versions = NewestOpsetVersion() >= 28 ? 6 : 5;
  EXPECT_EQ(conformant, 2 * since_versions);  // two output types
  EXPECT_GT(declined, 0);
}

TEST(PluginBackend, Simd_ConformsAsAPlugin) {
  const auto made = MakePluginBackend(Path("qconform_simd_plugin"), {{"threads", "2"}});
  ASSERT_TRUE(made.ok()) << made.error().message;
  int64_t cells = 0;
  std::vector<std::string> patterns{"QuantizeLinear/1*",
                                    "QuantizeLinear/25/FLOAT*-INT4/*"};
  if (NewestOpsetVersion() >= 28)
    patterns.push_back("QuantizeLinear/28/FLOAT*-FLOAT6*/*");
  for (const std::string& pattern : patterns) {
    for (const CellRecord& record : RunOn(**made, {pattern})) {
      EXPECT_EQ(record.verdict, Verdict::kConformant) << record.cell << record.reason;
      ++cells;
    }
  }
  EXPECT_GT(cells, 60);
}

}  // namespace
}  // namespace qconform
