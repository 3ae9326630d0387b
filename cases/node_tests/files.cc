#include "cases/node_tests/files.h"

#include <cstdint>
#include <fstream>
#include <system_error>

namespace qconform {
namespace {

constexpr uintmax_t kMostBytes = uintmax_t{1} << 31;  // protobuf's limit

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
  const uintmax_t size = std::filesystem::file_size(path, code);
  if (code) return Error{path.string() + ": " + code.message()};
  if (size >= kMostBytes) return Error{path.string() + ": has 2 GiB or more"};
  std::ifstream stream(path, std::ios::binary);
  std::string bytes(static_cast<size_t>(size), '\0');
  if (!stream.read(bytes.data(), static_cast<std::streamsize>(size))) {
    return Error{path.string() + ": cannot be read"};
  }
  return bytes;
}

Status WriteFile(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  if (!stream) return Error{path.string() + ": cannot be written"};
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
