#include "harness/operators/dequantize_linear/fault_read.h"

#include <algorithm>

#include "oracle/formats/prepared.h"

namespace qconform {
namespace {

using Packing = DequantizeLinearSwitches::Packing;
using Decoding = DequantizeLinearSwitches::Decoding;
using PowerOfTwo = DequantizeLinearSwitches::PowerOfTwo;

bool CrossesBytes(int bits) { return bits < 8 && 8 % bits != 0; }

// How many elements fill whole bytes: 4 of 2 or 6 bits, 2 of 4.
size_t GroupOf(int bits) { return bits == 4 ? 2 : 4; }

// Bits of a stream that begins at the lowest bit of each byte; 0 beyond the end.
class Bits {
 public:
  explicit Bits(std::span<const std::byte> bytes) : bytes_(bytes) {}

  uint32_t At(size_t bit) const {
    if (bit / 8 >= bytes_.size()) return 0;
    return static_cast<uint32_t>(bytes_[bit / 8]) >> (bit % 8) & 1;
  }
  uint32_t Read(size_t bit, size_t count) const {
    uint32_t value = 0;
    for (size_t i = 0; i < count; ++i) value |= At(bit + i) << i;
    return value;
  }
  // The stream begins at the highest bit of each byte.
  uint32_t ReadFromTheTop(size_t bit, size_t count) const {
    uint32_t value = 0;
    for (size_t i = 0; i < count; ++i, ++bit) {
      value = value << 1 | At(bit / 8 * 8 + (7 - bit % 8));
    }
    return value;
  }
  // Each group of three bytes is in reverse order.
  uint32_t ReadBigEndian(size_t bit, size_t count) const {
    uint32_t value = 0;
    for (size_t i = 0; i < count; ++i, ++bit) {
      const size_t byte = bit / 8;
      value |= At((byte / 3 * 3 + 2 - byte % 3) * 8 + bit % 8) << i;
    }
    return value;
  }

 private:
  std::span<const std::byte> bytes_;
};

// The value that a format of these fields has at a code if no code is special.
ExactValue AsNumber(const NumberFormat& format, uint64_t code) {
  const uint64_t sign = uint64_t{1} << (format.bits - 1);
  const uint64_t hidden = uint64_t{1} << format.mantissa_bits;
  const uint64_t mantissa = code & (hidden - 1);
  const auto field = static_cast<int>((code & (sign - 1)) >> format.mantissa_bits);
  ExactValue value{
      .value_class = ValueClass::kFinite,
      .negative = (code & sign) != 0,
      .significand = field == 0 ? mantissa : mantissa | hidden,
      .exponent = std::max(field, 1) - format.exponent_bias - format.mantissa_bits};
  if (value.significand == 0) value = {.negative = value.negative};
  return value;
}

const NumberFormat* OtherNegativeZero(DataType type) {
  switch (type) {
    case DataType::kFloat8E4M3FN:
      return &FormatOf(DataType::kFloat8E4M3FNUZ);
    case DataType::kFloat8E4M3FNUZ:
      return &FormatOf(DataType::kFloat8E4M3FN);
    case DataType::kFloat8E5M2:
      return &FormatOf(DataType::kFloat8E5M2FNUZ);
    case DataType::kFloat8E5M2FNUZ:
      return &FormatOf(DataType::kFloat8E5M2);
    default:
      return nullptr;
  }
}

const NumberFormat* OtherFields(DataType type) {
  switch (type) {
    case DataType::kFloat8E4M3FN:
      return &FormatOf(DataType::kFloat8E5M2);
    case DataType::kFloat8E4M3FNUZ:
      return &FormatOf(DataType::kFloat8E5M2FNUZ);
    case DataType::kFloat8E5M2:
      return &FormatOf(DataType::kFloat8E4M3FN);
    case DataType::kFloat8E5M2FNUZ:
      return &FormatOf(DataType::kFloat8E4M3FNUZ);
    case DataType::kFloat6E2M3:
      return &FormatOf(DataType::kFloat6E3M2);
    case DataType::kFloat6E3M2:
      return &FormatOf(DataType::kFloat6E2M3);
    default:
      return nullptr;
  }
}

NumberFormat Integers(int bits, bool is_signed) {
  return {.kind = NumberKind::kInteger, .bits = bits, .is_signed = is_signed};
}

}  // namespace

bool PackingActs(Packing packing, int bits) {
  switch (packing) {
    case Packing::kRight:
      return false;
    case Packing::kSwapped:
    case Packing::kLastByteNotRead:
    case Packing::kOneInByte:
    case Packing::kRowsPadded:
      return bits < 8;
    default:
      return CrossesBytes(bits);
  }
}

std::vector<uint32_t> MisreadCodes(std::span<const std::byte> bytes, int bits,
                                   size_t count, size_t row, Packing packing) {
  const Bits stream(bytes);
  const auto width = static_cast<size_t>(bits);
  const size_t group = GroupOf(bits);
  const size_t whole = count / group * group;
  const size_t row_bits = (row * width + 7) / 8 * 8;
  std::vector<uint32_t> codes;
  codes.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    const size_t bit = i * width;
    uint32_t code = stream.Read(bit, width);
    switch (packing) {
      case Packing::kRight:
        break;
      case Packing::kSwapped:
        code = stream.Read((i / group * group + group - 1 - i % group) * width, width);
        break;
      case Packing::kLastByteNotRead:
        if (count * width % 8 != 0 && (bit + width - 1) / 8 == bytes.size() - 1) code = 0;
        break;
      case Packing::kOneInByte:
        code = stream.Read(i * 8, width);
        break;
      case Packing::kRowsPadded:
        code = stream.Read(i / row * row_bits + i % row * width, width);
        break;
      case Packing::kTwoInByte:
        code = stream.Read(i * 4, 4);
        break;
      case Packing::kHighestBitFirst:
        code = stream.ReadFromTheTop(bit, width);
        break;
      case Packing::kInWords:
        code = stream.Read(i / 5 * 32 + i % 5 * width, width);
        break;
      case Packing::kBigEndianGroup:
        code = stream.ReadBigEndian(bit, width);
        break;
      case Packing::kSecondCut:
      case Packing::kThirdCut:
        if (i % group == (packing == Packing::kSecondCut ? 1 : 2)) {
          code = stream.Read(bit, 8 - bit % 8);
        }
        break;
      case Packing::kFirstByteOnly:
        code = stream.Read(bit / 8 * 8, width);
        break;
      case Packing::kLastGroupNotRead:
        if (i >= whole) code = 0;
        break;
    }
    codes.push_back(code);
  }
  return codes;
}

bool DecodingActs(Decoding decoding, const NumberFormat& format) {
  const bool is_integer = format.kind == NumberKind::kInteger;
  switch (decoding) {
    case Decoding::kRight:
      return false;
    case Decoding::kUnsigned:
      return is_integer && format.is_signed;
    case Decoding::kSigned:
      return is_integer && !format.is_signed;
    case Decoding::kOtherNegativeZero:
      return OtherNegativeZero(format.type) != nullptr;
    case Decoding::kOtherFields:
      return OtherFields(format.type) != nullptr;
    case Decoding::kInfinityIsFinite:
      return !is_integer && format.has_infinity;
    case Decoding::kNanIsNumber:
      return !is_integer && format.nan != NanEncoding::kNone;
    case Decoding::kTopExponentSpecial:
      return !is_integer && !format.has_infinity;
    default:
      return !is_integer;
  }
}

ExactValue MisreadValue(const NumberFormat& format, uint64_t code, Decoding decoding) {
  const ExactValue right = Decode(format, code);
  if (!DecodingActs(decoding, format)) return right;
  switch (decoding) {
    case Decoding::kRight:
      break;
    case Decoding::kUnsigned:
    case Decoding::kSigned:
      return Decode(Integers(format.bits, decoding == Decoding::kSigned), code);
    case Decoding::kOtherNegativeZero:
      return Decode(*OtherNegativeZero(format.type), code);
    case Decoding::kOtherFields:
      return Decode(*OtherFields(format.type), code);
    case Decoding::kBiasOneMore: {
      ExactValue value = right;
      if (value.value_class == ValueClass::kFinite) --value.exponent;
      return value;
    }
    case Decoding::kInfinityIsFinite:
      return right.value_class == ValueClass::kInfinity ? AsNumber(format, code) : right;
    case Decoding::kNanIsNumber:
      return right.value_class == ValueClass::kNan ? AsNumber(format, code) : right;
    case Decoding::kSubnormalIsZero:
      if (IsSubnormal(format, code)) return {.negative = right.negative};
      break;
    case Decoding::kSubnormalIsNormal: {
      if (!IsSubnormal(format, code)) break;
      ExactValue value = right;
      value.significand |= uint64_t{1} << format.mantissa_bits;
      --value.exponent;
      return value;
    }
    case Decoding::kAsInteger:
      return Decode(Integers(format.bits, true), code);
    case Decoding::kTopExponentSpecial: {
      const uint64_t fields = code & ((uint64_t{1} << (format.bits - 1)) - 1);
      const uint64_t top = (uint64_t{1} << format.exponent_bits) - 1;
      if (fields >> format.mantissa_bits != top) break;
      const bool is_infinity =
          (fields & ((uint64_t{1} << format.mantissa_bits) - 1)) == 0;
      return {.value_class = is_infinity ? ValueClass::kInfinity : ValueClass::kNan,
              .negative = right.negative};
    }
  }
  return right;
}

ExactValue MisreadPowerOfTwo(const ExactValue& scale, PowerOfTwo mistake) {
  constexpr int kBias = 127;
  const bool is_nan = scale.value_class == ValueClass::kNan;
  const int exponent = is_nan ? 128 : TopOf(scale);
  ExactValue value = scale;
  switch (mistake) {
    case PowerOfTwo::kRight:
      break;
    case PowerOfTwo::kOneBinadeMore:
      if (!is_nan) ++value.exponent;
      break;
    case PowerOfTwo::kOneBinadeLess:
      if (!is_nan) --value.exponent;
      break;
    case PowerOfTwo::kNanIsNumber:
      if (is_nan) {
        value = {.value_class = ValueClass::kFinite, .significand = 1, .exponent = 128};
      }
      break;
    case PowerOfTwo::kCode0IsZero:
      if (exponent == -kBias) value = {};
      break;
    case PowerOfTwo::kSigned: {
      const int code = exponent + kBias;
      return {.value_class = ValueClass::kFinite,
              .significand = 1,
              .exponent = code < 128 ? code : code - 256};
    }
    case PowerOfTwo::kAsInteger:
      return Decode(Integers(8, false), static_cast<uint64_t>(exponent + kBias));
  }
  return value;
}

}  // namespace qconform
