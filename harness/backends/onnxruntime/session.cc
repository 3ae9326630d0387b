#include "harness/backends/onnxruntime/session.h"

#include <cstdint>
#include <set>
#include <utility>

#include "cases/model/carried_type.h"

namespace qconform::ort {

ModelNames NamesOf(const Model& model) {
  ModelNames names;
  for (const ValueInfo& input : model.inputs) names.inputs.push_back(input.name);
  for (const ValueInfo& output : model.outputs) names.outputs.push_back(output.name);
  return names;
}

std::string LackingTypes(const Runtime& runtime, const Model& model) {
  std::set<DataType> lacking;
  for (const auto* values : {&model.inputs, &model.outputs}) {
    for (const ValueInfo& value : *values) {
      if (!runtime.element_types().contains(value.type)) lacking.insert(value.type);
    }
  }
  std::string text;
  for (const DataType type : lacking) {
    const auto why = runtime.missing_types().find(type);
    text += (text.empty() ? "there are no tensors of type " : "; nor of type ") +
            std::string(DataTypeName(type));
    if (why != runtime.missing_types().end()) text += ": " + why->second;
  }
  return text;
}

std::variant<Owned<OrtValue>, Failure> WrapTensor(const Runtime& runtime, DataType type,
                                                  std::span<const int64_t> shape,
                                                  std::span<const std::byte> data) {
  const Library& library = runtime.library();
  const auto known = runtime.element_types().find(type);
  // The API has the numbers of TensorProto.DataType for carried types.
  const auto number =
      CarriedBytes(type) > 0 ? static_cast<ONNXTensorElementDataType>(type)
      : known != runtime.element_types().end() ? known->second
                                               : ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  if (number == ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED) {
    return Failure{ORT_NOT_IMPLEMENTED,
                   "there are no tensors of type " + std::string(DataTypeName(type))};
  }
  // Even a tensor without elements needs an address. The API takes inputs by non-const
  // pointers, but does not change them.
  static std::byte nothing[8];
  void* address = data.empty() ? nothing : const_cast<std::byte*>(data.data());
  OrtValue* value = nullptr;
  auto failure = library.Take(library.api().CreateTensorWithDataAsOrtValue(
      runtime.memory(), address, data.size(), shape.data(), shape.size(), number,
      &value));
  if (failure) return *std::move(failure);
  return Owned<OrtValue>(value, library.api().ReleaseValue);
}

std::variant<Tensor, Failure> CopyTensor(const Runtime& runtime, OrtValue& value) {
  const Library& library = runtime.library();
  const OrtApi& api = library.api();
  int is_tensor = 0;
  if (auto failure = library.Take(api.IsTensor(&value, &is_tensor))) return *failure;
  if (is_tensor == 0)
    return Failure{ORT_NOT_IMPLEMENTED, "it is not supported: no tensor"};
  OrtTensorTypeAndShapeInfo* made = nullptr;
  if (auto failure = library.Take(api.GetTensorTypeAndShape(&value, &made))) {
    return *failure;
  }
  const Owned<OrtTensorTypeAndShapeInfo> info(made, api.ReleaseTensorTypeAndShapeInfo);
  ONNXTensorElementDataType number = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  size_t rank = 0;
  auto failure = library.Take(api.GetTensorElementType(made, &number));
  if (!failure) failure = library.Take(api.GetDimensionsCount(made, &rank));
  if (failure) return *failure;
  Tensor tensor{runtime.TypeOfTensors(number), Shape(rank), {}};
  if (CarriedBytes(static_cast<DataType>(number)) > 0) {
    tensor.type = static_cast<DataType>(number);
  }
  if (tensor.type == DataType::kUndefined) {
    return Failure{ORT_NOT_IMPLEMENTED, "its element type (number " +
                                            std::to_string(number) +
                                            " of the C API) is not supported"};
  }
  failure = library.Take(api.GetDimensions(made, tensor.shape.data(), rank));
  if (failure) return *failure;
  const auto size = CarriedByteSize(tensor.type, tensor.shape);
  if (!size) return Failure{ORT_FAIL, "it has a negative size"};
  void* data = nullptr;
  failure = library.Take(api.GetTensorMutableData(&value, &data));
  if (failure) return *failure;
  const auto* bytes = static_cast<const std::byte*>(data);
  if (*size > 0) tensor.data.assign(bytes, bytes + *size);
  return tensor;
}

Session::Session(std::shared_ptr<const Runtime> runtime, ModelNames names,
                 OrtSession* session)
    : runtime_(std::move(runtime)),
      session_(session, runtime_->library().api().ReleaseSession),
      names_(std::move(names)) {
  for (const std::string& name : names_.inputs) input_names_.push_back(name.c_str());
  for (const std::string& name : names_.outputs) output_names_.push_back(name.c_str());
}

std::variant<std::shared_ptr<const Session>, Failure> Session::Create(
    std::shared_ptr<const Runtime> runtime, ModelNames names,
    const std::string& model_bytes) {
  const Library& library = runtime->library();
  OrtSession* session = nullptr;
  ClearUpperHalves();
  auto failure = library.Take(library.api().CreateSessionFromArray(
      runtime->env(), model_bytes.data(), model_bytes.size(), runtime->session_options(),
      &session));
  ClearUpperHalves();
  if (failure) return *std::move(failure);
  return std::shared_ptr<const Session>(
      new Session(std::move(runtime), std::move(names), session));
}

std::optional<Failure> Session::Run(std::span<const OrtValue* const> inputs,
                                    std::span<OrtValue*> outputs) const {
  const Library& library = runtime_->library();
  ClearUpperHalves();
  auto failure = library.Take(library.api().Run(
      session_.get(), nullptr, input_names_.data(), inputs.data(), inputs.size(),
      output_names_.data(), outputs.size(), outputs.data()));
  ClearUpperHalves();
  return failure;
}

}  // namespace qconform::ort
