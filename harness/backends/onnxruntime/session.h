// Sessions of ONNX Runtime over the project's models and tensors.
#ifndef QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_SESSION_H_
#define QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_SESSION_H_

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "cases/model/model.h"
#include "harness/backends/onnxruntime/library.h"
#include "harness/backends/onnxruntime/options.h"
#include "oracle/tensor/tensor.h"

namespace qconform::ort {

// The API's numbers of our types as the library uses them; see Runtime::element_types.
using ElementTypes = std::map<DataType, ONNXTensorElementDataType>;

// The names of a model's inputs and outputs, in their order.
struct ModelNames {
  std::vector<std::string> inputs, outputs;
};
ModelNames NamesOf(const Model& model);

// A library with an environment and the options of all sessions. Must outlive everything
// that it made.
class Runtime {
 public:
  static Result<std::shared_ptr<const Runtime>> Create(const OnnxRuntimeOptions& options);

  const Library& library() const { return *library_; }
  OrtEnv* env() const { return env_.get(); }
  const OrtSessionOptions* session_options() const { return session_options_.get(); }
  const OrtMemoryInfo* memory() const { return memory_.get(); }
  // The names of the providers that sessions use, such as "CPUExecutionProvider".
  const std::string& provider() const { return provider_; }
  // Found by feeding tensors of all numbers to an input of each type. The numbers in the
  // headers of another release may differ from the library's, and those that it reports
  // for a model's inputs may differ from those that it takes (1.30: 2-bit types and
  // FLOAT8E8M0). Types that the API lacks are missing.
  const ElementTypes& element_types() const { return element_types_; }
  // The types that element_types() lacks, and why.
  const std::map<DataType, std::string>& missing_types() const { return missing_types_; }
  // Returns the type of tensors for which the library reports this number; kUndefined if
  // it is none of element_types().
  DataType TypeOfTensors(ONNXTensorElementDataType number) const;
  // The optimizers of the level (optimizers.h); empty unless they were to be listed.
  const std::string& optimizers() const { return optimizers_; }
  // Types whose reported number differs from the one that is taken: "UINT2 25 not 23".
  const std::string& type_numbers() const { return type_numbers_; }

 private:
  explicit Runtime(std::shared_ptr<const Library> library);
  Status ChooseProvider(const OnnxRuntimeOptions& options);
  Status ChooseDevices(const OnnxRuntimeOptions& options);
  Status ListOptimizers();
  void FindElementTypes();
  // Adds the type to element_types_; returns what went wrong, or "".
  std::string ProbeElementType(DataType type, const OrtSessionOptions& plain);
  // Returns the number that the library reports for an input of the session.
  ONNXTensorElementDataType ReportedNumber(const OrtSession& session, size_t input) const;
  // Returns the number that the library reports for a tensor that was made with `number`.
  ONNXTensorElementDataType ReportedForTensor(ONNXTensorElementDataType number) const;
  // Returns whether the last input of the model takes a tensor of that number.
  bool IsTaken(OrtSession& session, const Model& model,
               ONNXTensorElementDataType number) const;

  std::shared_ptr<const Library> library_;
  Owned<OrtEnv> env_;
  Owned<OrtSessionOptions> session_options_;
  Owned<OrtMemoryInfo> memory_;
  std::string provider_;
  ElementTypes element_types_;
  std::map<DataType, std::string> missing_types_;
  std::map<ONNXTensorElementDataType, DataType> types_of_tensors_;
  std::string type_numbers_;
  std::string optimizers_;
};

// Returns the types of the model's inputs and outputs for which the runtime has no
// tensors, as text; "" if there are none.
std::string LackingTypes(const Runtime& runtime, const Model& model);

// Returns a tensor of ONNX Runtime over `data`, which it neither copies nor owns. Returns
// a Failure if the runtime has no such type.
std::variant<Owned<OrtValue>, Failure> WrapTensor(const Runtime& runtime, DataType type,
                                                  std::span<const int64_t> shape,
                                                  std::span<const std::byte> data);

// Returns a copy of a tensor that ONNX Runtime has made. Returns a Failure if it is no
// tensor, or has a type that the project does not know.
std::variant<Tensor, Failure> CopyTensor(const Runtime& runtime, OrtValue& value);

// A compiled model. Run may be called from several threads.
class Session {
 public:
  // `names` are those of the model in `model_bytes`.
  static std::variant<std::shared_ptr<const Session>, Failure> Create(
      std::shared_ptr<const Runtime> runtime, ModelNames names,
      const std::string& model_bytes);

  const Runtime& runtime() const { return *runtime_; }
  // Takes a value for each input of the model. For each output it takes one to be
  // written, or null: then the library makes one, which the caller has to release.
  std::optional<Failure> Run(std::span<const OrtValue* const> inputs,
                             std::span<OrtValue*> outputs) const;

 private:
  Session(std::shared_ptr<const Runtime> runtime, ModelNames names, OrtSession* session);
  std::shared_ptr<const Runtime> runtime_;
  Owned<OrtSession> session_;
  ModelNames names_;
  std::vector<const char*> input_names_, output_names_;
};

}  // namespace qconform::ort

#endif  // QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_SESSION_H_
