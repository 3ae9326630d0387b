// The data of constants, in the model file or in others.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "cases/model/inference.h"
#include "cases/model/model_file_state.h"
#include "cases/model/read_proto.h"
#include "cases/model/tensor_proto.h"
#include "cases/model/text.h"
#include "oracle/base/expected.h"
#include "oracle/base/text.h"

namespace qconform {
namespace {

// The most bytes of one constant that is loaded.
constexpr uint64_t kMostConstantBytes = uint64_t{4} << 30;

struct ExternalData {
  std::string location;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
};

Result<ExternalData> ReadExternalData(const onnx::TensorProto& proto,
                                      const std::string& what) {
  ExternalData data;
  for (const onnx::StringStringEntryProto& entry : proto.external_data()) {
    if (entry.key() == "location") data.location = entry.value();
    if (entry.key() != "offset" && entry.key() != "length") continue;
    const auto number = ParseNumber<uint64_t>(entry.value());
    if (!number) {
      return Expected(what + ": external_data " + entry.key(), "a number of bytes",
                      Quoted(entry.value()));
    }
    if (entry.key() == "offset") data.offset = *number;
    if (entry.key() == "length") data.length = *number;
  }
  if (data.location.empty()) {
    return Expected(what + ": external_data", "a location", "none");
  }
  return data;
}

// Returns the file that a location names. An Error if it does not lie below `folder`.
Result<std::filesystem::path> ExternalFile(const std::filesystem::path& folder,
                                           const std::string& location,
                                           const std::string& what) {
  const Error outside =
      Expected(what + ": external_data location", "a file below the folder of the model",
               Quoted(location));
  const std::filesystem::path relative(location);
  if (relative.is_absolute() || location.find('\0') != std::string::npos ||
      std::ranges::find(relative, std::filesystem::path("..")) != relative.end()) {
    return outside;
  }
  // Links may lead elsewhere.
  std::error_code code;
  const auto base = std::filesystem::canonical(folder.empty() ? "." : folder, code);
  if (code) return Error{folder.string() + ": " + code.message()};
  auto file = std::filesystem::canonical(base / relative, code);
  if (code) {
    return Error{what + ": " + (base / relative).string() + ": " + code.message()};
  }
  const auto [end, rest] =
      std::mismatch(base.begin(), base.end(), file.begin(), file.end());
  if (end != base.end()) return outside;
  return file;
}

}  // namespace

Result<onnx::TensorProto> ModelFile::State::TensorOf(size_t constant) const {
  const Source& source = sources[constant];
  const std::string what = "constant " + Quoted(constants[constant].name);
  if (source.kind == Source::kSparse) {
    return Expected(what, "a dense tensor", "a sparse one");
  }
  if (source.kind == Source::kInitializer) {
    const onnx::TensorProto& small =
        proto.graph().initializer(static_cast<int>(source.index));
    if (!IsWithoutData(small) || small.data_location() == onnx::TensorProto::EXTERNAL) {
      return small;
    }
    const auto bytes = BytesOf(skeleton.initializers[source.index]);
    if (!bytes) return bytes.error();
    onnx::TensorProto tensor;
    if (!ParseQuietly(*bytes, tensor)) {
      return Expected(what, "a TensorProto of less than 2 GiB", "bytes that are none");
    }
    return tensor;
  }
  const auto bytes = BytesOf(skeleton.nodes[source.index]);
  if (!bytes) return bytes.error();
  onnx::NodeProto node;
  if (!ParseQuietly(*bytes, node)) {
    return Expected(what, "a NodeProto of less than 2 GiB", "bytes that are none");
  }
  return TensorOfConstant(node);
}

Result<Tensor> ModelFile::LoadConstant(std::string_view name) const {
  const auto found = state_->constant_by_name.find(name);
  const std::string what = "constant " + Quoted(name);
  if (found == state_->constant_by_name.end()) {
    return Expected(what, "a constant of the model", "no constant");
  }
  auto proto = state_->TensorOf(found->second);
  if (!proto) return proto.error();
  if (proto->data_location() != onnx::TensorProto::EXTERNAL) {
    return ReadTensorProto(*proto, what);
  }
  const auto data = ReadExternalData(*proto, what);
  if (!data) return data.error();
  const auto type = ReadDataType(proto->data_type(), what);
  if (!type) return type.error();
  Tensor tensor{*type, Shape(proto->dims().begin(), proto->dims().end()), {}};
  const auto count = ReadElementCount(tensor.shape, what);
  if (!count) return count.error();
  const uint64_t size = PackedByteSize(*type, *count);
  if (size > kMostConstantBytes) {
    return Expected(what, "at most 4 GiB", std::to_string(size) + " bytes");
  }
  if (data->length && *data->length != size) {
    return Expected(what + ": external_data length", std::to_string(size) + " bytes",
                    std::to_string(*data->length));
  }
  const auto path = ExternalFile(this->path().parent_path(), data->location, what);
  if (!path) return path.error();
  const auto file = SeekableFile::Open(*path);
  if (!file) return file.error();
  const auto bytes = file->Read(data->offset, size);
  if (!bytes) return Error{what + ": " + bytes.error().message};
  const auto view = std::as_bytes(std::span(*bytes));
  tensor.data.assign(view.begin(), view.end());
  if (!tensor.data.empty()) tensor.data.back() &= LastByteMask(*type, *count);
  return tensor;
}

}  // namespace qconform
