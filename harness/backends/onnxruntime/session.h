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

// The API's numbers of our types, as the library itself uses them: see
// Runtime::element_types.
using ElementTypes = std::map<DataType, ONNXTensorElementDataType>;

// A library with an environment, and the options of all sessions. Outlived by
// nothing that it made.
class Runtime {
 public:
  static Result<std::shared_ptr<const Runtime>> Create(const OnnxRuntimeOptions& options);

  const Library& library() const { return *library_; }
  OrtEnv* env() const { return env_.get(); }
  const OrtSessionOptions* session_options() const { return session_options_.get(); }
  const OrtMemoryInfo* memory() const { return memory_.get(); }
  // The names of the providers that sessions use, such as "CPUExecutionProvider".
  const std::string& provider() const { return provider_; }
  // Found by feeding tensors of all numbers to an input of each type: the numbers in
  // headers of other releases need not be the library's, and those that it reports of
  // a model's inputs (1.30: of its 2-bit types and FLOAT8E8M0) need not be those that
  // it takes. Types that the API lacks are missing.
  const ElementTypes& element_types() const { return element_types_; }
  // The types that element_types() lacks, and why.
  const std::map<DataType, std::string>& missing_types() const { return missing_types_; }
  // Types of which the library reports another number than it takes, "UINT2 25 not 23".
  const std::string& type_numbers() const { return type_numbers_; }

 private:
  explicit Runtime(std::shared_ptr<const Library> library);
  Status ChooseProvider(const OnnxRuntimeOptions& options);
  Status ChooseDevices(const OnnxRuntimeOptions& options);
  void FindElementTypes();
  // Enters the type into element_types_; returns what went wrong, or "".
  std::string ProbeElementType(DataType type, const OrtSessionOptions& plain);
  // What the library says of the session's last input.
  ONNXTensorElementDataType ReportedNumber(const OrtSession& session, size_t input) const;
  // Whether the last input of the model takes a tensor of that number.
  bool IsTaken(OrtSession& session, const Model& model,
               ONNXTensorElementDataType number) const;

  std::shared_ptr<const Library> library_;
  Owned<OrtEnv> env_;
  Owned<OrtSessionOptions> session_options_;
  Owned<OrtMemoryInfo> memory_;
  std::string provider_;
  ElementTypes element_types_;
  std::map<DataType, std::string> missing_types_;
  std::string type_numbers_;
};

// Returns the types of the model's inputs and outputs that the runtime has no tensors
// for, in words; "" where there are none.
std::string LackingTypes(const Runtime& runtime, const Model& model);

// Returns a tensor of ONNX Runtime over `data`, which it does not own. Nothing is
// copied. A failure where the runtime has no such type.
std::variant<Owned<OrtValue>, Failure> WrapTensor(const Runtime& runtime, DataType type,
                                                  std::span<const int64_t> shape,
                                                  std::span<const std::byte> data);

// A compiled model. Run may be called from several threads.
class Session {
 public:
  static std::variant<std::shared_ptr<const Session>, Failure> Create(
      std::shared_ptr<const Runtime> runtime, const std::string& model_bytes);

  const Runtime& runtime() const { return *runtime_; }
  // Names of the graph; `outputs` holds values to be written, or nullptr where the
  // library is to make one.
  std::optional<Failure> Run(std::span<const char* const> input_names,
                             std::span<const OrtValue* const> inputs,
                             std::span<const char* const> output_names,
                             std::span<OrtValue*> outputs) const;

 private:
  Session(std::shared_ptr<const Runtime> runtime, OrtSession* session);
  std::shared_ptr<const Runtime> runtime_;
  Owned<OrtSession> session_;
};

}  // namespace qconform::ort

#endif  // QCONFORM_HARNESS_BACKENDS_ONNXRUNTIME_SESSION_H_
