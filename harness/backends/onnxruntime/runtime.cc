#include <algorithm>
#include <set>
#include <utility>

#include "cases/model/serialize.h"
#include "harness/backends/onnxruntime/optimizers.h"
#include "harness/backends/onnxruntime/session.h"
#include "oracle/base/expected.h"
#include "oracle/base/text.h"

namespace qconform::ort {
namespace {

GraphOptimizationLevel LevelOf(const std::string& name) {
  if (name == "disable") return ORT_DISABLE_ALL;
  if (name == "basic") return ORT_ENABLE_BASIC;
  if (name == "extended") return ORT_ENABLE_EXTENDED;
  if (name == "layout") return ORT_ENABLE_LAYOUT;
  return ORT_ENABLE_ALL;
}

std::string Join(const std::vector<std::string>& names) {
  return names.empty() ? "none" : Joined(names, ", ");
}

// An upper bound of the API's element types.
constexpr int kElementTypes = 64;

struct KeysAndValues {
  explicit KeysAndValues(const std::map<std::string, std::string>& options) {
    for (const auto& [key, value] : options) {
      keys.push_back(key.c_str());
      values.push_back(value.c_str());
    }
  }
  std::vector<const char*> keys, values;
};

// A model that every library can run, with one more input of that type that no node
// reads.
Model ProbeModel(DataType type) {
  Model model;
  model.opset_version = 13;
  model.ir_version = 7;
  model.node = {"Abs", "", {"x"}, {"y"}, {}};
  model.inputs = {{"x", DataType::kFloat, {1}}, {"probe", type, {5}}};
  model.outputs = {{"y", DataType::kFloat, {1}}};
  return model;
}

// The library has one environment for the whole process, which may outlive a Runtime and
// writes to the log that the first of them gave it.
TransformerLog& LogOfProcess() {
  static auto* const log = new TransformerLog;
  return *log;
}

void ORT_API_CALL AddToLog(void* log, OrtLoggingLevel, const char* /*category*/,
                           const char* /*logid*/, const char* /*location*/,
                           const char* message) {
  static_cast<TransformerLog*>(log)->Add(message);
}

// Checks that the library is new enough for another provider than the CPU's.
Status CheckApi(const Library& library, const OnnxRuntimeOptions& options) {
  const bool comes_by_library = !options.ep_library.empty();
  if (!comes_by_library && options.provider == "CPUExecutionProvider") return Ok();
  // An older library would ignore that its CPU is disabled, and answer with it.
  const uint32_t needed =
      comes_by_library ? kApiOfProviderLibraries : kApiOfNoCpuFallback;
  if (library.api_version() >= needed) return Ok();
  return Error{"backend option " +
               (comes_by_library ? "ep_library=" + options.ep_library
                                 : "provider=" + options.provider) +
               ": expected ONNX Runtime 1." + std::to_string(needed) + " or newer, got " +
               library.version()};
}

}  // namespace

Runtime::Runtime(std::shared_ptr<const Library> library)
    : library_(std::move(library)),
      env_(nullptr, library_->api().ReleaseEnv),
      session_options_(nullptr, library_->api().ReleaseSessionOptions),
      memory_(nullptr, library_->api().ReleaseMemoryInfo) {}

Result<std::shared_ptr<const Runtime>> Runtime::Create(
    const OnnxRuntimeOptions& options) {
  auto loaded = Library::Load(options.library);
  if (!loaded) return loaded.error();
  if (const Status enough = CheckApi(**loaded, options); !enough) return enough.error();
  std::shared_ptr<Runtime> runtime(new Runtime(*std::move(loaded)));
  const Library& library = runtime->library();
  const OrtApi& api = library.api();
  std::optional<Failure> failure;
  const auto done = [&](OrtStatus* status) { return !(failure = library.Take(status)); };

  OrtEnv* env = nullptr;
  OrtMemoryInfo* memory = nullptr;
  OrtSessionOptions* made = nullptr;
  const auto create_env = [&] {
    return options.list_optimizers
               ? api.CreateEnvWithCustomLogger(AddToLog, &LogOfProcess(),
                                               ORT_LOGGING_LEVEL_INFO, "qconform", &env)
               : api.CreateEnv(ORT_LOGGING_LEVEL_FATAL, "qconform", &env);
  };
  if (!done(create_env()) ||
      !done(api.CreateCpuMemoryInfo(OrtDeviceAllocator, OrtMemTypeDefault, &memory)) ||
      !done(api.CreateSessionOptions(&made))) {
    return Error{"ONNX Runtime cannot be started: " + failure->text};
  }
  runtime->env_.reset(env);
  runtime->memory_.reset(memory);
  runtime->session_options_.reset(made);
  // Errors are returned as statuses, so what it prints is noise.
  if (!done(api.SetSessionLogSeverityLevel(made, ORT_LOGGING_LEVEL_FATAL)) ||
      !done(api.SetSessionGraphOptimizationLevel(made, LevelOf(options.opt_level))) ||
      !done(api.SetIntraOpNumThreads(made, options.threads)) ||
      !done(api.SetInterOpNumThreads(made, 1))) {
    return Error{"ONNX Runtime rejects the options of a session: " + failure->text};
  }
  for (const auto& [key, value] : options.session_config) {
    if (!done(api.AddSessionConfigEntry(made, key.c_str(), value.c_str()))) {
      return Error{"ONNX Runtime rejects backend option " + key + "=" + value + ": " +
                   failure->text};
    }
  }
  const Status chosen = runtime->ChooseProvider(options);
  if (!chosen) return chosen.error();
  if (options.list_optimizers) {
    const Status listed = runtime->ListOptimizers();
    if (!listed) return listed.error();
  }
  runtime->FindElementTypes();
  return std::shared_ptr<const Runtime>(std::move(runtime));
}

Status Runtime::ChooseProvider(const OnnxRuntimeOptions& options) {
  if (options.ep_library.empty() && options.provider == "CPUExecutionProvider") {
    provider_ = options.provider;
    return Ok();
  }
  OrtSessionOptions* session = session_options_.get();
  if (!options.session_config.contains("session.disable_cpu_ep_fallback")) {
    const auto failure = library_->Take(library_->api().AddSessionConfigEntry(
        session, "session.disable_cpu_ep_fallback", "1"));
    if (failure)
      return Error{"ONNX Runtime cannot disable its fallback to the CPU: " +
                   failure->text};
  }
  if (!options.ep_library.empty()) return ChooseDevices(options);
  const KeysAndValues given(options.provider_options);
  const auto failure =
      library_->Take(library_->api().SessionOptionsAppendExecutionProvider(
          session, options.provider.c_str(), given.keys.data(), given.values.data(),
          given.keys.size()));
  if (failure) {
    return Expected(
        "backend option provider", "one of " + Join(library_->Providers()),
        "'" + options.provider + "' (" + failure->text + ")",
        "--backend-option ep_library=PATH registers the library of another provider");
  }
  provider_ = options.provider;
  return Ok();
}

// Registers the provider library and takes all devices of the wanted provider, or of the
// library's only one.
Status Runtime::ChooseDevices(const OnnxRuntimeOptions& options) {
  const OrtApi& api = library_->api();
  const auto devices = [&]() -> std::vector<const OrtEpDevice*> {
    const OrtEpDevice* const* all = nullptr;
    size_t count = 0;
    if (library_->Take(api.GetEpDevices(env_.get(), &all, &count))) return {};
    return {all, all + count};
  };
  const std::vector<const OrtEpDevice*> before = devices();
  auto failure = library_->Take(api.RegisterExecutionProviderLibrary(
      env_.get(), "qconform_ep_library", options.ep_library.c_str()));
  if (failure) {
    return Error{"ONNX Runtime cannot register the execution provider library " +
                 options.ep_library + ": " + failure->text};
  }
  std::vector<const OrtEpDevice*> chosen;
  std::set<std::string> names;
  for (const OrtEpDevice* device : devices()) {
    if (std::find(before.begin(), before.end(), device) != before.end()) continue;
    const std::string name = api.EpDevice_EpName(device);
    names.insert(name);
    if (options.provider.empty() || options.provider == name) chosen.push_back(device);
  }
  const std::string has = Join({names.begin(), names.end()});
  if (chosen.empty()) {
    return Expected(options.ep_library, "a device of provider '" + options.provider + "'",
                    "none on this machine; its providers with devices: " + has);
  }
  if (options.provider.empty() && names.size() > 1) {
    return Expected(options.ep_library,
                    "--backend-option provider=NAME too, one of " + has, "no provider");
  }
  provider_ = api.EpDevice_EpName(chosen.front());
  const KeysAndValues given(options.provider_options);
  failure = library_->Take(api.SessionOptionsAppendExecutionProvider_V2(
      session_options_.get(), env_.get(), chosen.data(), chosen.size(), given.keys.data(),
      given.values.data(), given.keys.size()));
  if (failure) {
    return Error{"ONNX Runtime cannot use provider '" + provider_ + "' of " +
                 options.ep_library + ": " + failure->text};
  }
  return Ok();
}

Status Runtime::ListOptimizers() {
  const OrtApi& api = library_->api();
  OrtSessionOptions* verbose = nullptr;
  auto failure =
      library_->Take(api.CloneSessionOptions(session_options_.get(), &verbose));
  const Owned<OrtSessionOptions> owned(verbose, api.ReleaseSessionOptions);
  if (!failure) {
    failure =
        library_->Take(api.SetSessionLogSeverityLevel(verbose, ORT_LOGGING_LEVEL_INFO));
  }
  // A transformer is logged whether it changes the model or not.
  const std::string bytes = SerializeModel(ProbeModel(DataType::kFloat));
  OrtSession* session = nullptr;
  if (!failure) {
    failure = library_->Take(api.CreateSessionFromArray(env_.get(), bytes.data(),
                                                        bytes.size(), verbose, &session));
  }
  if (failure) {
    return Error{"ONNX Runtime cannot list its optimizers: " + failure->text};
  }
  api.ReleaseSession(session);
  optimizers_ = OptimizerNames(LogOfProcess().names());
  return Ok();
}

void Runtime::FindElementTypes() {
  // Uses the CPU's kernels, because another provider need not have that operator.
  const OrtApi& api = library_->api();
  OrtSessionOptions* made = nullptr;
  if (library_->Take(api.CreateSessionOptions(&made))) return;
  const Owned<OrtSessionOptions> plain(made, api.ReleaseSessionOptions);
  static_cast<void>(
      library_->Take(api.SetSessionLogSeverityLevel(made, ORT_LOGGING_LEVEL_FATAL)));
  static_cast<void>(library_->Take(api.SetIntraOpNumThreads(made, 1)));
  for (const DataType type : AllDataTypes()) {
    std::string why = ProbeElementType(type, *made);
    if (!why.empty()) missing_types_[type] = std::move(why);
  }
}

std::string Runtime::ProbeElementType(DataType type, const OrtSessionOptions& plain) {
  const OrtApi& api = library_->api();
  const Model model = ProbeModel(type);
  const std::string bytes = SerializeModel(model);
  OrtSession* session = nullptr;
  const auto refused = library_->Take(api.CreateSessionFromArray(
      env_.get(), bytes.data(), bytes.size(), &plain, &session));
  if (refused) return refused->text;
  const Owned<OrtSession> owned(session, api.ReleaseSession);
  for (int number = 1; number < kElementTypes; ++number) {
    if (number == ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING) continue;
    if (IsTaken(*session, model, static_cast<ONNXTensorElementDataType>(number))) {
      element_types_[type] = static_cast<ONNXTensorElementDataType>(number);
      types_of_tensors_.emplace(ReportedForTensor(element_types_[type]), type);
      const int reported = ReportedNumber(*session, model.inputs.size() - 1);
      if (reported != number) {
        type_numbers_ += (type_numbers_.empty() ? "" : ", ") +
                         std::string(DataTypeName(type)) + " " +
                         std::to_string(reported) + " not " + std::to_string(number);
      }
      return "";
    }
  }
  return "the C API has no such element type";
}

ONNXTensorElementDataType Runtime::ReportedNumber(const OrtSession& session,
                                                  size_t input) const {
  const OrtApi& api = library_->api();
  ONNXTensorElementDataType number = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  OrtTypeInfo* made = nullptr;
  if (library_->Take(api.SessionGetInputTypeInfo(&session, input, &made))) return number;
  const Owned<OrtTypeInfo> info(made, api.ReleaseTypeInfo);
  const OrtTensorTypeAndShapeInfo* tensor = nullptr;
  if (library_->Take(api.CastTypeInfoToTensorInfo(made, &tensor)) || tensor == nullptr ||
      library_->Take(api.GetTensorElementType(tensor, &number))) {
    return ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  }
  return number;
}

ONNXTensorElementDataType Runtime::ReportedForTensor(
    ONNXTensorElementDataType number) const {
  const OrtApi& api = library_->api();
  std::byte data[8] = {};
  const int64_t shape[] = {0};
  OrtValue* made = nullptr;
  if (library_->Take(api.CreateTensorWithDataAsOrtValue(memory_.get(), data, 0, shape, 1,
                                                        number, &made))) {
    return number;
  }
  const Owned<OrtValue> value(made, api.ReleaseValue);
  OrtTensorTypeAndShapeInfo* described = nullptr;
  if (library_->Take(api.GetTensorTypeAndShape(made, &described))) return number;
  const Owned<OrtTensorTypeAndShapeInfo> info(described,
                                              api.ReleaseTensorTypeAndShapeInfo);
  ONNXTensorElementDataType reported = number;
  return library_->Take(api.GetTensorElementType(described, &reported)) ? number
                                                                        : reported;
}

DataType Runtime::TypeOfTensors(ONNXTensorElementDataType number) const {
  const auto found = types_of_tensors_.find(number);
  return found == types_of_tensors_.end() ? DataType::kUndefined : found->second;
}

bool Runtime::IsTaken(OrtSession& session, const Model& model,
                      ONNXTensorElementDataType number) const {
  const OrtApi& api = library_->api();
  std::vector<Tensor> tensors;
  std::vector<Owned<OrtValue>> values;
  std::vector<const OrtValue*> inputs;
  for (const ValueInfo& input : model.inputs) {
    tensors.push_back(Tensor::Zeros(input.type, input.shape));
    Tensor& tensor = tensors.back();
    const bool is_probe = tensors.size() == model.inputs.size();
    OrtValue* value = nullptr;
    if (library_->Take(api.CreateTensorWithDataAsOrtValue(
            memory_.get(), tensor.data.data(), tensor.data.size(), tensor.shape.data(),
            tensor.shape.size(), is_probe ? number : ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT,
            &value))) {
      return false;
    }
    values.emplace_back(value, api.ReleaseValue);
    inputs.push_back(value);
  }
  const char* const input_names[] = {"x", "probe"};
  const char* const output_names[] = {"y"};
  OrtValue* output = nullptr;
  const bool taken =
      !library_->Take(api.Run(&session, nullptr, input_names, inputs.data(),
                              inputs.size(), output_names, 1, &output));
  if (output != nullptr) api.ReleaseValue(output);
  return taken;
}

}  // namespace qconform::ort
