#include "cases/node_tests/files.h"

#include <fcntl.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <system_error>

#include "oracle/base/file.h"

namespace qconform {
namespace {

constexpr size_t kMostBytes = size_t{1} << 31;  // protobuf's limit

std::string Described(DataType type, const Shape& shape) {
  return std::string(DataTypeName(type)) + " " + ShapeToString(shape);
}

}  // namespace

Result<std::string> ReadSmallFile(const std::filesystem::path& path) {
  std::error_code code;
  const std::filesystem::file_status status = std::filesystem::status(path, code);
  if (!std::filesystem::exists(status)) return Error{path.string() + ": is missing"};
  // A pipe or a device might never end.
  if (!std::filesystem::is_regular_file(status)) {
    return Error{path.string() + ": is not a regular file"};
  }
  return ReadFile(path, kMostBytes);
}

Status WriteFile(const std::filesystem::path& path, std::string_view bytes) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.get() < 0 || !WriteWhole(file.get(), bytes) || !file.Close()) {
    return Error{path.string() + ": cannot be written: " + std::strerror(errno)};
  }
  return Ok();
}

Status CheckAgainst(const ValueInfo& info, const Tensor& tensor,
                    const std::string& file) {
  if (tensor.type == info.type && tensor.shape == info.shape) return Ok();
  return Error{file + ": is " + Described(tensor.type, tensor.shape) +
               ", but the model's '" + info.name + "' is " +
               Described(info.type, info.shape)};
}

}  // namespace qconform
