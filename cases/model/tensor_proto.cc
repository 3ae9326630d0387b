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

// How a type's elements are stored in int32_data (onnx.proto, int32_data). For elements
// narrower than a byte only the lowest bits of an entry count, whatever the others are:
// helpers of ONNX 1.16 stored a byte of 4-bit elements as a signed one, and those of
// 1.23 read only bits 0 to 5 of a 6-bit element.
struct Int32Storage {
  int bits;        // that one entry has
  int64_t lowest;  // the values that an entry may have
  int64_t highest;
  std::string_view means;  // the contents of an entry, for errors
};

std::optional<Int32Storage> Int32StorageOf(DataType type) {
  const NumberFormat& format = FormatOf(type);
  const int bits = format.bits;
  if (bits < 8) {
    // Elements that fill a byte share an entry, others (6 bits) have one each (QL-52).
    return Int32Storage{8 % bits == 0 ? 8 : bits, INT32_MIN, INT32_MAX,
                        "packed elements"};
  }
  if (bits > 32) return std::nullopt;
  const int64_t codes = int64_t{1} << bits;
  if (format.kind == NumberKind::kInteger) {
    return format.is_signed ? Int32Storage{bits, -codes / 2, codes / 2 - 1, "a value"}
                            : Int32Storage{bits, 0, codes - 1, "a value"};
  }
  if (bits <= 16) return Int32Storage{bits, 0, codes - 1, "an element's bits"};
  return std::nullopt;  // FLOAT, like DOUBLE and INT64, has a field of its own
}

// Appends bytes, or bits to bytes, the lowest first.
class BitWriter {
 public:
  explicit BitWriter(std::vector<std::byte>& data) : data_(data) {}

  // Appends the `bits` lowest bits of `value`.
  void Append(uint64_t value, int bits) {
    for (int done = 0; done < bits;) {
      if (used_ == 8) {
        data_.push_back(std::byte{0});
        used_ = 0;
      }
      const int taken = std::min(bits - done, 8 - used_);
      const uint64_t part = (value >> done) & ((uint64_t{1} << taken) - 1);
      data_.back() |= static_cast<std::byte>(part << used_);
      used_ += taken;
      done += taken;
    }
  }

 private:
  std::vector<std::byte>& data_;
  int used_ = 8;  // bits of the last byte
};

// Returns entry `index` of a stream of entries of `bits` bits, the lowest bit first.
uint64_t BitsAt(std::span<const std::byte> data, int64_t index, int bits) {
  uint64_t value = 0;
  for (int i = 0; i < bits; ++i) {
    const auto at = static_cast<size_t>(index) * bits + i;
    value |= uint64_t{std::to_integer<unsigned>(data[at / 8]) >> (at % 8) & 1} << i;
  }
  return value;
}

// Returns the entries of a field. Each has the bits of one element, or of all elements
// that a byte holds.
int64_t EntriesOf(DataType type, int64_t count, int entry_bits) {
  return entry_bits == BitWidth(type) ? count
                                      : static_cast<int64_t>(PackedByteSize(type, count));
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

// Returns the field other than raw_data that can hold a type's elements.
std::string_view TypedFieldOf(DataType type) {
  if (type == DataType::kFloat) return "float_data";
  if (type == DataType::kDouble) return "double_data";
  if (type == DataType::kInt64) return "int64_data";
  return "int32_data";
}

Result<std::vector<std::byte>> ReadInt32Data(const onnx::TensorProto& proto,
                                             DataType type, const std::string& what) {
  const Int32Storage storage = *Int32StorageOf(type);
  std::vector<std::byte> data;
  data.reserve((static_cast<size_t>(proto.int32_data_size()) * storage.bits + 7) / 8);
  BitWriter writer(data);
  for (int i = 0; i < proto.int32_data_size(); ++i) {
    const int64_t entry = proto.int32_data(i);
    if (entry < storage.lowest || entry > storage.highest) {
      return Error{what + ": int32_data[" + std::to_string(i) + "] is " +
                   std::to_string(entry) + ", but an entry holds " +
                   std::string(storage.means) + " of " + std::string(DataTypeName(type)) +
                   " and lies in [" + std::to_string(storage.lowest) + ", " +
                   std::to_string(storage.highest) + "]"};
    }
    writer.Append(static_cast<uint64_t>(entry), storage.bits);
  }
  return data;
}

}  // namespace

bool ParseQuietly(std::string_view bytes, google::protobuf::MessageLite& message) {
#if GOOGLE_PROTOBUF_VERSION < 4022000
  // Protobuf would print warnings about names that are not UTF-8.
  const google::protobuf::LogSilencer silencer;
#endif
  if (bytes.size() > static_cast<size_t>(std::numeric_limits<int>::max())) return false;
  return message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

void WriteTensorProto(const Tensor& tensor, std::string_view name, TensorField field,
                      onnx::TensorProto& proto) {
  const int64_t count = ElementCount(tensor.shape).value();
  assert(tensor.data.size() == PackedByteSize(tensor.type, count));
  for (const int64_t dimension : tensor.shape) proto.add_dims(dimension);
  proto.set_data_type(static_cast<int32_t>(tensor.type));
  if (!name.empty()) proto.set_name(std::string(name));
  const auto storage = Int32StorageOf(tensor.type);
  if (field == TensorField::kRawData || !storage) {
    proto.set_raw_data(tensor.data.data(), tensor.data.size());
    return;
  }
  const int64_t entries = EntriesOf(tensor.type, count, storage->bits);
  for (int64_t i = 0; i < entries; ++i) {
    const auto bits = static_cast<int64_t>(BitsAt(tensor.data, i, storage->bits));
    const bool negative = bits > storage->highest;  // a signed integer
    proto.add_int32_data(
        static_cast<int32_t>(negative ? bits - (int64_t{1} << storage->bits) : bits));
  }
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
  // raw_data has one entry per byte; FLOAT, DOUBLE and INT64 have one per element.
  const auto storage = Int32StorageOf(*type);
  const int64_t entries = EntriesOf(*type, *count,
                                    raw       ? 8
                                    : storage ? storage->bits
                                              : BitWidth(*type));
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
    BitWriter writer(tensor.data);
    for (const float value : proto.float_data()) {
      writer.Append(std::bit_cast<uint32_t>(value), 32);
    }
    for (const double value : proto.double_data()) {
      writer.Append(std::bit_cast<uint64_t>(value), 64);
    }
    for (const int64_t value : proto.int64_data()) {
      writer.Append(static_cast<uint64_t>(value), 64);
    }
  }
  // Backends are promised that unused bits are 0; a file may have others there.
  if (!tensor.data.empty()) tensor.data.back() &= LastByteMask(*type, *count);
  return tensor;
}

}  // namespace qconform
