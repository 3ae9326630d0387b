#include "cases/model/carried_tensor.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "cases/model/carried_type.h"
#include "cases/model/serialize.h"
#include "cases/model/tensor_proto.h"
#include "onnx/onnx_pb.h"
#include "oracle/base/expected.h"

namespace qconform {

Result<Tensor> ParseCarriedTensor(std::string_view bytes) {
  onnx::TensorProto proto;
  const DataType type = ParseQuietly(bytes, proto)
                            ? CarriedTypeFromNumber(proto.data_type())
                            : DataType::kUndefined;
  const size_t width = CarriedBytes(type);
  if (width == 0) return ParseTensor(bytes);
  const auto count = ReadElementCount(
      {proto.dims().data(), proto.dims().data() + proto.dims_size()}, "tensor");
  if (!count) return count.error();
  // Little-endian bytes of each element, as in raw_data.
  std::string raw = proto.raw_data();
  const auto append = [&](uint64_t value) {
    for (size_t byte = 0; byte < width; ++byte) {
      raw.push_back(static_cast<char>(value >> (8 * byte)));
    }
  };
  for (const int32_t value : proto.int32_data()) append(static_cast<uint32_t>(value));
  for (const uint64_t value : proto.uint64_data()) append(value);
  const std::string name = CarriedTypeName(type);
  if (raw.size() / width != static_cast<uint64_t>(*count) || raw.size() % width != 0) {
    return Expected("tensor",
                    std::to_string(*count) + " elements of " + name +
                        " in raw_data or in the field of that type",
                    std::to_string(raw.size()) + " bytes");
  }
  if (type == kCarriedBool &&
      std::ranges::any_of(raw, [](char byte) { return byte != 0 && byte != 1; })) {
    return Expected("tensor", "0 or 1 in each element of BOOL", "another value");
  }
  const auto data = std::as_bytes(std::span(raw));
  return Tensor{
      type, Shape(proto.dims().begin(), proto.dims().end()), {data.begin(), data.end()}};
}

}  // namespace qconform
