#include "cases/model/tensor_proto.h"

#include <google/protobuf/message_lite.h>
#include <google/protobuf/stubs/common.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#if GOOGLE_PROTOBUF_VERSION < 4022000
#include <google/protobuf/stubs/logging.h>
#endif

#include "onnx/onnx_pb.h"

namespace qconform {
namespace {

constexpr size_t kMostDimensions = 64;

// What a type's elements look like in int32_data (onnx.proto, int32_data). Of packed
// elements the lowest byte counts: helpers of ONNX 1.16 stored it as a signed one.
struct Int32Storage {
  int bytes;       // that one entry gives
  int64_t lowest;  // the values that an entry may have
  int64_t highest;
  std::string_view means;  // what an entry holds, for errors
};

std::optional<Int32Storage> Int32StorageOf(DataType type) {
  const NumberFormat& format = FormatOf(type);
  const int bytes = std::max(format.bits / 8, 1);
  if (format.bits < 8) {
    return Int32Storage{
        bytes, INT32_MIN, INT32_MAX,
        format.bits == 4 ? "two packed elements" : "four packed elements"};
  }
  if (format.kind == NumberKind::kInteger) {
    const int64_t codes = int64_t{1} << format.bits;
    return format.is_signed ? Int32Storage{bytes, -codes / 2, codes / 2 - 1, "a value"}
                            : Int32Storage{bytes, 0, codes - 1, "a value"};
  }
  if (format.bits <= 16) {
    return Int32Storage{bytes, 0, (int64_t{1} << format.bits) - 1, "an element's bits"};
  }
  return std::nullopt;  // FLOAT and DOUBLE have fields of their own
}

// Appends the `bytes` lowest bytes of `bits`, the lowest first.
void AppendLittleEndian(uint64_t bits, int bytes, std::vector<std::byte>& data) {
  for (int i = 0; i < bytes; ++i) data.push_back(static_cast<std::byte>(bits >> (8 * i)));
}

// One of TensorProto's fields for data.
struct DataField {
  std::string_view name;
  int64_t entries;
};

std::array<DataField, 7> DataFieldsOf(const onnx::TensorProto& proto) {
  return {{{"raw_data", static_cast<int64_t>(proto.raw_data().size())},
           {"int32_data", proto.int32_data_size()},
           {"float_data", proto.float_data_size()},
           {"double_data", proto.double_data_size()},
           {"int64_data", proto.int64_data_size()},
           {"uint64_data", proto.uint64_data_size()},
           {"string_data", proto.string_data_size()}}};
}

// Returns the field other than raw_data that a type's elements lie in.
std::string_view TypedFieldOf(DataType type) {
  if (type == DataType::kFloat) return "float_data";
  if (type == DataType::kDouble) return "double_data";
  return "int32_data";
}

Result<std::vector<std::byte>> ReadInt32Data(const onnx::TensorProto& proto,
                                             DataType type, const std::string& what) {
  const Int32Storage storage = *Int32StorageOf(type);
  std::vector<std::byte> data;
  data.reserve(static_cast<size_t>(proto.int32_data_size()) * storage.bytes);
  for (int i = 0; i < proto.int32_data_size(); ++i) {
    const int64_t entry = proto.int32_data(i);
    if (entry < storage.lowest || entry > storage.highest) {
      return Error{what + ": int32_data[" + std::to_string(i) + "] is " +
                   std::to_string(entry) + ", but an entry holds " +
                   std::string(storage.means) + " of " + std::string(DataTypeName(type)) +
                   " and lies in [" + std::to_string(storage.lowest) + ", " +
                   std::to_string(storage.highest) + "]"};
    }
    AppendLittleEndian(static_cast<uint64_t>(entry), storage.bytes, data);
  }
  return data;
}

}  // namespace

bool ParseQuietly(std::string_view bytes, google::protobuf::MessageLite& message) {
#if GOOGLE_PROTOBUF_VERSION < 4022000
  // Protobuf would complain of names that are not UTF-8 on stderr.
  const google::protobuf::LogSilencer silencer;
#endif
  if (bytes.size() > static_cast<size_t>(std::numeric_limits<int>::max())) return false;
  return message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

void WriteTensorProto(const Tensor& tensor, std::string_view name,
                      onnx::TensorProto& proto) {
  assert(tensor.data.size() ==
         PackedByteSize(tensor.type, ElementCount(tensor.shape).value()));
  for (const int64_t dimension : tensor.shape) proto.add_dims(dimension);
  proto.set_data_type(static_cast<int32_t>(tensor.type));
  if (!name.empty()) proto.set_name(std::string(name));
  proto.set_raw_data(tensor.data.data(), tensor.data.size());
}

Result<DataType> ReadDataType(int64_t number, const std::string& what) {
  if (const auto type = DataTypeFromNumber(number)) return *type;
  std::string name = std::to_string(number);
  if (number >= 0 && number <= std::numeric_limits<int>::max() &&
      onnx::TensorProto::DataType_IsValid(static_cast<int>(number))) {
    name += " (" + onnx::TensorProto::DataType_Name(static_cast<int>(number)) + ")";
  }
  return Error{what + ": data type " + name +
               " is not one that the quantization operators of this project use"};
}

Result<int64_t> ReadElementCount(std::span<const int64_t> shape,
                                 const std::string& what) {
  if (shape.size() > kMostDimensions) {
    return Error{what + ": rank " + std::to_string(shape.size()) + " is above " +
                 std::to_string(kMostDimensions)};
  }
  for (const int64_t dimension : shape) {
    if (dimension < 0) {
      return Error{what + ": shape " + ShapeToString(shape) +
                   " has a negative dimension; sizes are 0 or more"};
    }
  }
  const std::optional<int64_t> count = ElementCount(shape);
  if (!count) {
    return Error{what + ": shape " + ShapeToString(shape) +
                 " has more than 2^58 elements"};
  }
  return *count;
}

Result<Tensor> ReadTensorProto(const onnx::TensorProto& proto, const std::string& what) {
  if (proto.data_location() == onnx::TensorProto::EXTERNAL ||
      proto.external_data_size() != 0) {
    return Error{what +
                 ": its data lies in another file (external_data); only data inside "
                 "the message is read"};
  }
  if (proto.has_segment()) {
    return Error{what + ": it is a segment of a tensor; only whole tensors are read"};
  }
  if (!proto.has_data_type()) return Error{what + ": data_type is missing"};
  const Result<DataType> type = ReadDataType(proto.data_type(), what);
  if (!type) return type.error();
  const Shape shape(proto.dims().begin(), proto.dims().end());
  const Result<int64_t> count = ReadElementCount(shape, what);
  if (!count) return count.error();

  DataField field{TypedFieldOf(*type), 0};
  for (const DataField& candidate : DataFieldsOf(proto)) {
    if (candidate.entries == 0) continue;
    if (field.entries != 0) {
      return Error{what + ": has both " + std::string(field.name) + " and " +
                   std::string(candidate.name) + "; data lies in exactly one field"};
    }
    field = candidate;
  }
  const bool raw = field.name == "raw_data";
  if (!raw && field.name != TypedFieldOf(*type)) {
    return Error{what + ": data of type " + std::string(DataTypeName(*type)) +
                 " lies in " + std::string(field.name) + "; it belongs in raw_data or " +
                 std::string(TypedFieldOf(*type))};
  }
  const auto bytes = static_cast<int64_t>(PackedByteSize(*type, *count));
  // FLOAT and DOUBLE have one entry an element, as wide as the element.
  const auto storage = Int32StorageOf(*type);
  const int64_t entry_bytes = raw ? 1 : storage ? storage->bytes : BitWidth(*type) / 8;
  const int64_t entries = bytes / entry_bytes;
  if (field.entries != entries) {
    return Error{what + ": " + std::string(field.name) + " has " +
                 std::to_string(field.entries) + (raw ? " bytes" : " entries") +
                 ", but " + std::string(DataTypeName(*type)) + " " +
                 ShapeToString(shape) + " takes " + std::to_string(entries)};
  }

  Tensor tensor{*type, shape, {}};
  if (raw) {
    const auto view = std::as_bytes(std::span(proto.raw_data()));
    tensor.data.assign(view.begin(), view.end());
  } else if (field.name == "int32_data") {
    Result<std::vector<std::byte>> data = ReadInt32Data(proto, *type, what);
    if (!data) return data.error();
    tensor.data = std::move(*data);
  } else {
    for (const float value : proto.float_data()) {
      AppendLittleEndian(std::bit_cast<uint32_t>(value), 4, tensor.data);
    }
    for (const double value : proto.double_data()) {
      AppendLittleEndian(std::bit_cast<uint64_t>(value), 8, tensor.data);
    }
  }
  return tensor;
}

}  // namespace qconform
