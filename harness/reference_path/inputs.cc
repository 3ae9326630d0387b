#include "harness/reference_path/inputs.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "cases/arrays/npy.h"
#include "cases/model/carried_tensor.h"
#include "cases/model/carried_type.h"
#include "cases/model/text.h"
#include "oracle/base/expected.h"
#include "oracle/base/file.h"

namespace qconform {
namespace {

constexpr size_t kMostTensorBytes = size_t{2} << 30;

// Returns the type that a value is declared with; kUndefined if none is known.
DataType DeclaredType(const FileValue& value) {
  if (value.type != DataType::kUndefined) return value.type;
  for (const DataType type : {kCarriedBool, kCarriedUint32, kCarriedUint64}) {
    if (value.type_name == CarriedTypeName(type)) return type;
  }
  return DataType::kUndefined;
}

// Returns what the model says of a value.
FileValue ValueOf(const ModelFile& file, const std::string& name) {
  const FileValue* found = file.FindValue(name);
  if (found != nullptr) return *found;
  FileValue unknown;
  unknown.name = name;
  return unknown;
}

// Returns "FLOAT [N,3,224,224]", with ? for a size without a name.
std::string Declared(const FileValue& value) {
  std::string text = value.type_name.empty() ? "a tensor" : value.type_name;
  if (!value.shape) return text;
  text += " [";
  for (size_t axis = 0; axis < value.shape->size(); ++axis) {
    if (axis > 0) text += ",";
    const int64_t size = (*value.shape)[axis];
    const bool named = axis < value.dim_params.size() && !value.dim_params[axis].empty();
    text += size >= 0 ? std::to_string(size)
                      : (named ? Printable(value.dim_params[axis]) : "?");
  }
  return text + "]";
}

std::string Described(const Tensor& tensor) {
  return CarriedTypeName(tensor.type) + " " + ShapeToString(tensor.shape);
}

// Whether the tensor has the type and the known sizes of the value. `sizes`: whether
// sizes count, or only the rank.
bool Fits(const FileValue& value, const Tensor& tensor, bool sizes) {
  if (value.type != DataType::kUndefined || !value.type_name.empty()) {
    if (DeclaredType(value) != tensor.type) return false;
  }
  if (!value.shape) return true;
  if (value.shape->size() != tensor.shape.size()) return false;
  for (size_t axis = 0; axis < tensor.shape.size(); ++axis) {
    const int64_t declared = (*value.shape)[axis];
    if (sizes && declared >= 0 && declared != tensor.shape[axis]) return false;
  }
  return true;
}

Result<Tensor> ReadTensor(const std::filesystem::path& path, DataType expected) {
  const auto bytes = ReadFile(path, kMostTensorBytes);
  if (!bytes) return bytes.error();
  auto tensor = path.extension() == ".npy" ? ParseNpy(*bytes, expected)
                                           : ParseCarriedTensor(*bytes);
  if (!tensor) return Error{path.string() + ": " + tensor.error().message};
  return tensor;
}

// Returns the first of these files that there is.
std::optional<std::filesystem::path> FirstFile(const std::filesystem::path& folder,
                                               const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    std::error_code none;
    const std::filesystem::path path = folder / name;
    if (std::filesystem::exists(path, none)) return path;
  }
  return std::nullopt;
}

// The files that were read, each for one value.
class ReadFiles {
 public:
  // An Error if another value, with the same name of its file, has read this one.
  Status Take(const std::filesystem::path& path, const std::string& name) {
    const auto [taken, added] = values_.emplace(path.string(), name);
    if (added) return Ok();
    return Expected(path.string(), "the tensor of one value",
                    "a file for " + Quoted(taken->second) + " and for " + Quoted(name));
  }

 private:
  std::map<std::string, std::string> values_;
};

Status CheckFolder(const std::filesystem::path& folder) {
  std::error_code none;
  if (std::filesystem::is_directory(folder, none)) return Ok();
  return Expected(folder.string(), "a folder",
                  std::filesystem::exists(folder, none) ? "a file" : "nothing there");
}

}  // namespace

std::string FileNameOf(std::string_view value) {
  std::string name(value);
  for (char& c : name) {
    const bool fine = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' ||
                      c == '-' || c == '_';
    if (!fine) c = '_';
  }
  return name;
}

Result<NamedTensors> ReadInputs(const ModelFile& file,
                                const std::filesystem::path& folder) {
  if (const Status there = CheckFolder(folder); !there) return there.error();
  NamedTensors inputs;
  ReadFiles files;
  for (size_t i = 0; i < file.inputs().size(); ++i) {
    const std::string& name = file.inputs()[i];
    const FileValue value = ValueOf(file, name);
    const std::string by_name = FileNameOf(name);
    const std::string by_number = "input_" + std::to_string(i);
    const auto path = FirstFile(folder, {by_name + ".npy", by_name + ".pb",
                                         by_number + ".pb", by_number + ".npy"});
    const std::string what = "input " + Quoted(name);
    if (!path) {
      return Expected(what, Declared(value), "no file",
                      (folder / by_name).string() + ".npy would be it");
    }
    if (const Status own = files.Take(*path, name); !own) {
      return Error{own.error().message +
                   "; input_0.npy, input_1.npy and so on, with the " +
                   "number of the input, tell them apart"};
    }
    auto tensor = ReadTensor(*path, DeclaredType(value));
    if (!tensor) return tensor.error();
    if (!Fits(value, *tensor, true)) {
      return Expected(what + " (" + path->string() + ")", Declared(value),
                      Described(*tensor));
    }
    inputs.emplace(name, *std::move(tensor));
  }
  return inputs;
}

Result<NamedTensors> ReadActivations(const ModelFile& file, const ValueNames& names,
                                     const std::filesystem::path& folder) {
  if (const Status there = CheckFolder(folder); !there) return there.error();
  NamedTensors values;
  ReadFiles files;
  for (const std::string& name : names) {
    const std::string stem = FileNameOf(name);
    const auto path = FirstFile(folder, {stem + ".npy", stem + ".pb"});
    if (!path) continue;
    if (const Status own = files.Take(*path, name); !own) return own.error();
    const FileValue value = ValueOf(file, name);
    auto tensor = ReadTensor(*path, DeclaredType(value));
    if (!tensor) return tensor.error();
    if (!Fits(value, *tensor, false)) {
      return Expected("value " + Quoted(name) + " (" + path->string() + ")",
                      Declared(value), Described(*tensor));
    }
    values.emplace(name, *std::move(tensor));
  }
  if (!values.empty() || names.empty()) return values;
  return Expected(folder.string(),
                  "a file for a value that a part reads, such as " +
                      FileNameOf(*names.begin()) + ".npy",
                  "none");
}

Result<Sizes> SizesOf(const ModelFile& file, const NamedTensors& inputs) {
  constexpr int64_t kMost = int64_t{1} << 31;  // as --size
  Sizes sizes;
  for (const auto& [name, tensor] : inputs) {
    const FileValue* value = file.FindValue(name);
    if (value == nullptr || !value->shape) continue;
    for (size_t axis = 0; axis < tensor.shape.size(); ++axis) {
      if (axis >= value->dim_params.size() || value->dim_params[axis].empty()) continue;
      const std::string& dim_param = value->dim_params[axis];
      if (tensor.shape[axis] > kMost) {  // beside an axis of size 0
        return Expected("dimension " + Quoted(dim_param),
                        "at most " + std::to_string(kMost),
                        std::to_string(tensor.shape[axis]));
      }
      const auto [known, added] = sizes.named.emplace(dim_param, tensor.shape[axis]);
      if (!added && known->second != tensor.shape[axis]) {
        return Expected(
            "dimension " + Quoted(dim_param), "one size in all inputs",
            std::to_string(known->second) + " and " + std::to_string(tensor.shape[axis]));
      }
    }
  }
  return sizes;
}

Tensor CroppedTo(const Tensor& tensor, const Shape& shape) {
  if (tensor.shape == shape) return tensor;
  Tensor cropped = Tensor::Zeros(tensor.type, shape);
  const auto bits = static_cast<size_t>(BitWidth(tensor.type));
  const auto count = static_cast<size_t>(ElementCount(shape).value_or(0));
  std::vector<int64_t> place(shape.size(), 0);
  for (size_t to = 0; to < count; ++to) {
    size_t from = 0;
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      from = from * static_cast<size_t>(tensor.shape[axis]) +
             static_cast<size_t>(place[axis]);
    }
    for (size_t bit = 0; bit < bits;) {
      // Whole bytes at once where the elements have some.
      const size_t source = from * bits + bit;
      const size_t target = to * bits + bit;
      if (bits % 8 == 0) {
        cropped.data[target / 8] = tensor.data[source / 8];
        bit += 8;
        continue;
      }
      const auto one = (tensor.data[source / 8] >> (source % 8)) & std::byte{1};
      cropped.data[target / 8] |= one << (target % 8);
      ++bit;
    }
    for (size_t axis = shape.size(); axis-- > 0;) {
      if (++place[axis] < shape[axis]) break;
      place[axis] = 0;
    }
  }
  return cropped;
}

}  // namespace qconform
