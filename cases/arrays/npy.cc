#include "cases/arrays/npy.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

#include "cases/model/carried_type.h"
#include "cases/model/text.h"
#include "oracle/base/expected.h"

namespace qconform {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
// Headers are short; one that is longer than this is none.
constexpr size_t kLongestHeader = size_t{1} << 16;

struct NumpyType {
  std::string_view name;  // without the byte order
  DataType type;
};
constexpr std::array kTypes = {
    NumpyType{"f2", DataType::kFloat16}, NumpyType{"f4", DataType::kFloat},
    NumpyType{"f8", DataType::kDouble},  NumpyType{"i1", DataType::kInt8},
    NumpyType{"i2", DataType::kInt16},   NumpyType{"i4", DataType::kInt32},
    NumpyType{"i8", DataType::kInt64},   NumpyType{"u1", DataType::kUint8},
    NumpyType{"u2", DataType::kUint16},  NumpyType{"u4", kCarriedUint32},
    NumpyType{"u8", kCarriedUint64},     NumpyType{"b1", kCarriedBool}};

// The header is a dictionary in Python's syntax, as numpy writes it:
// {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
class Header {
 public:
  explicit Header(std::string_view text) : text_(text) {}

  // Returns the text between the quotes of a value.
  std::optional<std::string_view> Quoted(std::string_view key) const {
    std::string_view value = After(key);
    if (value.empty() || value.front() != '\'') return std::nullopt;
    value.remove_prefix(1);
    const size_t end = value.find('\'');
    if (end == std::string_view::npos) return std::nullopt;
    return value.substr(0, end);
  }

  std::optional<bool> Flag(std::string_view key) const {
    const std::string_view value = After(key);
    if (value.starts_with("True")) return true;
    if (value.starts_with("False")) return false;
    return std::nullopt;
  }

  std::optional<Shape> Dimensions(std::string_view key) const {
    std::string_view value = After(key);
    const size_t end = value.find(')');
    if (value.empty() || value.front() != '(' || end == std::string_view::npos) {
      return std::nullopt;
    }
    value = value.substr(1, end - 1);
    Shape shape;
    while (true) {
      while (!value.empty() && (value.front() == ' ' || value.front() == ',')) {
        value.remove_prefix(1);
      }
      if (value.empty()) return shape;
      int64_t size = 0;
      const auto read = std::from_chars(value.data(), value.data() + value.size(), size);
      if (read.ec != std::errc() || size < 0) return std::nullopt;
      shape.push_back(size);
      value.remove_prefix(static_cast<size_t>(read.ptr - value.data()));
      if (!value.empty() && value.front() == 'L') value.remove_prefix(1);  // Python 2
    }
  }

 private:
  // Returns what follows the key's colon; empty if there is no such key.
  std::string_view After(std::string_view key) const {
    const std::string quoted = "'" + std::string(key) + "'";
    const size_t at = text_.find(quoted);
    if (at == std::string_view::npos) return {};
    std::string_view value = text_.substr(at + quoted.size());
    const size_t begin = value.find_first_not_of(" :");
    return begin == std::string_view::npos ? std::string_view() : value.substr(begin);
  }

  std::string_view text_;
};

// Returns the little-endian number in the bytes.
size_t Number(std::string_view bytes) {
  size_t number = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    number |= size_t{static_cast<uint8_t>(bytes[i])} << (8 * i);
  }
  return number;
}

// Packs elements that have a byte each.
std::vector<std::byte> Pack(std::string_view bytes, int bits) {
  std::vector<std::byte> packed((bytes.size() * static_cast<size_t>(bits) + 7) / 8);
  for (size_t i = 0; i < bytes.size(); ++i) {
    const auto code = static_cast<uint32_t>(static_cast<uint8_t>(bytes[i])) &
                      ((uint32_t{1} << bits) - 1);
    const size_t bit = i * static_cast<size_t>(bits);
    packed[bit / 8] |= static_cast<std::byte>(code << (bit % 8));
    if (bit % 8 + static_cast<size_t>(bits) > 8) {
      packed[bit / 8 + 1] |= static_cast<std::byte>(code >> (8 - bit % 8));
    }
  }
  return packed;
}

// Returns the first byte that is no element of `type`: a bool is 0 or 1; a narrower
// element has zeros, or if it is signed copies of its sign, above its own bits.
std::optional<uint8_t> WrongByte(std::string_view bytes, DataType type) {
  const bool is_bool = type == kCarriedBool;
  const int bits = is_bool ? 1 : BitWidth(type);
  if (bits <= 0 || bits >= 8) return std::nullopt;
  const bool has_sign =
      !is_bool && FormatOf(type).kind == NumberKind::kInteger && FormatOf(type).is_signed;
  for (const char c : bytes) {
    const auto byte = static_cast<uint8_t>(c);
    const int above = byte >> bits;
    const bool is_negative = has_sign && byte >> (bits - 1) == 0xFF >> (bits - 1);
    if (above != 0 && !is_negative) return byte;
  }
  return std::nullopt;
}

// Returns how many bytes each element of `type` has in a file.
size_t FileBytes(DataType type) {
  const size_t carried = CarriedBytes(type);
  return carried > 0 ? carried : (static_cast<size_t>(BitWidth(type)) + 7) / 8;
}

// Returns the type of the elements, by NumPy's name for it.
Result<DataType> TypeOf(std::string_view descr, DataType expected) {
  const bool has_order =
      !descr.empty() && std::string_view("<>|=").find(descr[0]) != std::string_view::npos;
  const std::string_view name = has_order ? descr.substr(1) : descr;
  if (has_order && descr[0] == '>' && !name.ends_with('1')) {
    return Expected("descr", "little-endian elements", Quoted(descr));
  }
  // A byte for each element that is narrower.
  const bool narrow = BitWidth(expected) > 0 && BitWidth(expected) < 8;
  if (narrow && (name == "i1" || name == "u1" || name == "V1")) return expected;
  if (name.starts_with('V')) {
    if (expected != DataType::kUndefined &&
        name.substr(1) == std::to_string(FileBytes(expected))) {
      return expected;
    }
    return Expected(
        "descr",
        "a type of NumPy or the bytes of " + CarriedTypeName(expected) + " elements",
        Quoted(descr));
  }
  for (const NumpyType& known : kTypes) {
    if (known.name == name) return known.type;
  }
  return Expected("descr", "a type that ONNX has, such as '<f4' or '|i1'", Quoted(descr));
}

}  // namespace

Result<Tensor> ParseNpy(std::string_view bytes, DataType expected) {
  if (!bytes.starts_with(kMagic) || bytes.size() < kMagic.size() + 4) {
    return Expected("array", "a file that numpy.save wrote", "other bytes");
  }
  const auto version = static_cast<uint8_t>(bytes[kMagic.size()]);
  if (version < 1 || version > 3) {
    return Expected("array", "a file of version 1, 2 or 3",
                    "version " + std::to_string(version));
  }
  const size_t length_bytes = version == 1 ? 2 : 4;
  const size_t begin = kMagic.size() + 2 + length_bytes;
  if (bytes.size() < begin) return Expected("array", "a header", "the end of the file");
  const size_t length = Number(bytes.substr(begin - length_bytes, length_bytes));
  const size_t longest = std::min(kLongestHeader, bytes.size() - begin);
  if (length > longest) {
    return Expected("header", "at most " + std::to_string(longest) + " bytes",
                    std::to_string(length));
  }
  const Header header(bytes.substr(begin, length));
  const std::string_view data = bytes.substr(begin + length);
  const auto descr = header.Quoted("descr");
  const auto fortran = header.Flag("fortran_order");
  auto shape = header.Dimensions("shape");
  if (!descr || !fortran || !shape) {
    return Expected("header", "descr, fortran_order and shape",
                    Quoted(bytes.substr(begin, length)));
  }
  if (*fortran && shape->size() > 1) {
    return Expected("fortran_order", "False (numpy.ascontiguousarray changes it)",
                    "True");
  }
  const auto type = TypeOf(*descr, expected);
  if (!type) return type.error();
  const auto count = ElementCount(*shape);
  const size_t each = FileBytes(*type);
  if (!count || static_cast<size_t>(*count) > data.size() / each ||
      data.size() != static_cast<size_t>(*count) * each) {
    return Expected("data", "the elements of shape " + ShapeToString(*shape),
                    std::to_string(data.size()) + " bytes");
  }
  if (const auto wrong = WrongByte(data, *type)) {
    return Expected("data", "an element of " + CarriedTypeName(*type) + " in each byte",
                    std::to_string(*wrong));
  }
  Tensor tensor{*type, *std::move(shape), {}};
  if (const int bits = BitWidth(*type); bits > 0 && bits < 8) {
    tensor.data = Pack(data, bits);
  } else {
    const auto begin_of = std::as_bytes(std::span(data));
    tensor.data.assign(begin_of.begin(), begin_of.end());
  }
  return tensor;
}

std::string SerializeNpy(const Tensor& tensor) {
  std::string_view name;
  for (const NumpyType& known : kTypes) {
    if (known.type == tensor.type) name = known.name;
  }
  std::string header = "{'descr': '";
  header += name.ends_with('1') ? '|' : '<';
  header += std::string(name) + "', 'fortran_order': False, 'shape': (";
  for (const int64_t size : tensor.shape) header += std::to_string(size) + ", ";
  header += "), }";
  constexpr size_t kAlignment = 64;
  const size_t before = kMagic.size() + 4;
  while ((before + header.size() + 1) % kAlignment != 0) header += ' ';
  header += '\n';
  std::string file(kMagic);
  file += '\1';
  file += '\0';
  file += static_cast<char>(header.size() & 0xFF);
  file += static_cast<char>(header.size() >> 8);
  file += header;
  file.append(reinterpret_cast<const char*>(tensor.data.data()), tensor.data.size());
  return file;
}

}  // namespace qconform
