#include "harness/operators/quantize_linear/fault_packing.h"

#include <algorithm>
#include <cstddef>

#include "oracle/formats/prepared.h"

namespace qconform {
namespace {

using Storage = QuantizeLinearSwitches::Storage;
using Granularity = QuantizeLinearLayout::Granularity;

// The bytes of y, of elements that cross bytes. Bits beyond the end are lost.
class BitBytes {
 public:
  BitBytes(size_t count, size_t bits) : bits_(bits), bytes_((count * bits + 7) / 8) {}

  size_t size() const { return bytes_.size(); }
  void Set(size_t byte, uint32_t value) {
    if (byte < size()) bytes_[byte] = static_cast<uint8_t>(value);
  }
  // Sets the bits of `value` in addition, its lowest at `bit` of the stream.
  void Or(size_t bit, uint32_t value) {
    for (; value != 0; value >>= 1, ++bit) OrBit(bit, value);
  }
  // The same, with its highest of all bits at `bit` of a stream that begins at the
  // highest bit of each byte.
  void OrFromTheTop(size_t bit, uint32_t value) {
    for (size_t i = 0; i < bits_; ++i, ++bit) {
      OrBit(bit / 8 * 8 + (7 - bit % 8), value >> (bits_ - 1 - i));
    }
  }
  // The same as Or, where each group of this many bytes is in reverse order.
  void OrInBigEndian(size_t bit, uint32_t value, size_t group) {
    for (; value != 0; value >>= 1, ++bit) {
      const size_t byte = bit / 8;
      OrBit((byte / group * group + group - 1 - byte % group) * 8 + bit % 8, value);
    }
  }
  uint32_t Read(size_t index) const {
    uint32_t code = 0;
    for (size_t i = 0; i < bits_; ++i) {
      const size_t bit = index * bits_ + i;
      code |= static_cast<uint32_t>(bytes_[bit / 8] >> (bit % 8) & 1) << i;
    }
    return code;
  }
  // The low bits of a byte, as an element; 0 beyond the end.
  uint32_t Low(size_t byte) const {
    return byte < size() ? bytes_[byte] & ((uint32_t{1} << bits_) - 1) : 0;
  }
  // Writes this from a byte on, over what lies there.
  void CopyTo(BitBytes& to, size_t byte) const {
    for (size_t i = 0; i < size(); ++i) to.Set(byte + i, bytes_[i]);
  }

 private:
  void OrBit(size_t bit, uint32_t value) {
    if (bit / 8 < size()) {
      bytes_[bit / 8] = static_cast<uint8_t>(bytes_[bit / 8] | (value & 1) << (bit % 8));
    }
  }

  size_t bits_;
  std::vector<uint8_t> bytes_;
};

// The runs of elements that a kernel stores one after the other.
std::vector<size_t> RunsOf(const DecodedQuantizeLinear& decoded, Storage storage) {
  const size_t count = decoded.x_values.size();
  std::vector<size_t> runs;
  if (storage != Storage::kScalesAtBytes) {
    const size_t row = decoded.places.shape.empty()
                           ? count
                           : static_cast<size_t>(decoded.places.shape.back());
    if (row != 0) runs.assign(count / row, row);
    return runs;
  }
  const QuantizeLinearLayout& layout = decoded.layout;
  if (layout.granularity == Granularity::kPerTensor) return {count};
  const bool is_blocked = layout.granularity == Granularity::kBlocked;
  const int64_t block = is_blocked ? std::max<int64_t>(layout.block, 1) : 1;
  for (int64_t o = 0; o < layout.outer; ++o) {
    for (int64_t i = 0; i < layout.axis; i += block) {
      runs.push_back(
          static_cast<size_t>(std::min(block, layout.axis - i) * layout.inner));
    }
  }
  return runs;
}

bool StoresRuns(Storage storage) {
  using enum QuantizeLinearSwitches::Storage;
  return storage == kRowsAtBytes || storage == kScalesAtBytes || storage == kRowsPadded ||
         storage == kRowsClearByte || storage == kNibbleRowsPadded;
}

// Stores each run from a byte on: the one in which its first bit lies, or the next one
// that is free.
void StoreRuns(const std::vector<size_t>& runs, Storage storage, size_t bits,
               const std::vector<uint32_t>& codes, BitBytes& bytes) {
  size_t first = 0;
  size_t free_byte = 0;
  for (const size_t length : runs) {
    const size_t bit = first * bits;
    const size_t lead = storage == Storage::kRowsClearByte ? bit % 8 : 0;
    BitBytes run(lead + length * bits, 1);
    for (size_t i = 0; i < length; ++i) run.Or(lead + i * bits, codes[first + i]);
    const bool pads =
        storage == Storage::kRowsPadded || storage == Storage::kNibbleRowsPadded;
    run.CopyTo(bytes, pads ? free_byte : bit / 8);
    free_byte += run.size();
    first += length;
  }
}

// Returns the bit of an element, where words of so many bits hold whole elements only.
size_t InWord(size_t index, size_t bits, size_t word) {
  const size_t per_word = word / bits;
  return index / per_word * word + index % per_word * bits;
}

uint32_t WithSignAtBit7(uint32_t code, uint32_t sign) {
  return (code & (sign - 1)) | ((code & sign) != 0 ? 0x80 : 0);
}

// Returns how many elements are left after whole groups where they are lost.
size_t LostOf(Storage storage) {
  switch (storage) {
    case Storage::kLastOneLost:
      return 1;
    case Storage::kLastTwoLost:
      return 2;
    default:
      return 3;
  }
}

// Stores elements that cross bytes by mistake.
void Store(const DecodedQuantizeLinear& decoded, Storage storage,
           const std::vector<uint32_t>& codes, BitBytes& bytes) {
  const auto bits = static_cast<size_t>(decoded.y->bits);
  const size_t group = ElementsOfWholeBytes(decoded.y->bits);
  const uint32_t sign = uint32_t{1} << (bits - 1);
  const size_t left = codes.size() % group;
  const size_t whole = codes.size() - left;
  if (StoresRuns(storage)) {
    StoreRuns(RunsOf(decoded, storage), storage, bits, codes, bytes);
    return;
  }
  for (size_t i = 0; i < codes.size(); ++i) {
    const size_t bit = i * bits;
    const size_t in_first_byte = 8 - bit % 8;
    const uint32_t cut = codes[i] & ((uint32_t{1} << in_first_byte) - 1);
    switch (storage) {
      case Storage::kOneInByte:
        bytes.Set(i, codes[i]);
        break;
      case Storage::kTwoInByte:
        bytes.Or(i / 2 * 8, codes[i] << (i % 2 * 4) & 0xFF);
        break;
      case Storage::kHighestBitFirst:
        bytes.OrFromTheTop(bit, codes[i]);
        break;
      case Storage::kTwoInByteCut:
        bytes.Or(i * 4, codes[i] & 0xF);
        break;
      case Storage::kInWords:
        bytes.Or(InWord(i, bits, 32), codes[i]);
        break;
      case Storage::kInLongWords:
        bytes.Or(InWord(i, bits, 64), codes[i]);
        break;
      case Storage::kReversedInGroup:
        bytes.Or((i / group * group + group - 1 - i % group) * bits, codes[i]);
        break;
      case Storage::kBigEndianGroup:
        bytes.OrInBigEndian(bit, codes[i], group * bits / 8);
        break;
      case Storage::kSecondCut:
        bytes.Or(bit, i % group == 1 ? cut : codes[i]);
        break;
      case Storage::kThirdCut:
        bytes.Or(bit, i % group == 2 ? cut : codes[i]);
        break;
      case Storage::kLastGroupLost:
        if (i < whole) bytes.Or(bit, codes[i]);
        break;
      case Storage::kLastOneLost:
      case Storage::kLastTwoLost:
      case Storage::kLastThreeLost:
        if (i < whole || left != LostOf(storage)) bytes.Or(bit, codes[i]);
        break;
      case Storage::kLastGroupAtTop:
        bytes.Or(i < whole ? bit : bit + bytes.size() * 8 - codes.size() * bits,
                 codes[i]);
        break;
      case Storage::kSignAtBit7:
        bytes.Or(bit, WithSignAtBit7(codes[i], sign));
        break;
      case Storage::kByteSignAtBit7:
        bytes.Set(i, WithSignAtBit7(codes[i], sign));
        break;
      case Storage::kByteSignExtended:
        bytes.Set(i, (codes[i] ^ sign) - sign);
        break;
      default:
        bytes.Or(bit, codes[i]);
        break;
    }
  }
  if (storage == Storage::kLastByteLost && codes.size() * bits % 8 != 0) {
    bytes.Set(bytes.size() - 1, 0);
  }
}

// Returns the codes of values that the format holds.
std::vector<uint32_t> StoredCodes(const std::vector<ExactValue>& values,
                                  const NumberFormat& format) {
  const Rounder code_of(format, RoundingMode::kNearestEven, OverflowPolicy::kSaturate);
  std::vector<uint32_t> codes;
  for (const ExactValue& value : values) {
    codes.push_back(static_cast<uint32_t>(code_of(ToUnrounded(value)).code));
  }
  return codes;
}

}  // namespace

std::vector<ExactValue> MisreadZeroPoints(const DecodedQuantizeLinear& decoded,
                                          QuantizeLinearSwitches::ZeroPointRead read) {
  using enum QuantizeLinearSwitches::ZeroPointRead;
  const NumberFormat& y = *decoded.y;
  const bool crosses = CrossesBytes(y.bits);
  const bool is_integer = y.kind == NumberKind::kInteger;
  const bool acts = read == kOtherSign        ? is_integer
                    : read == kNibblesInBytes ? y.bits < 8 && !crosses
                                              : crosses;
  if (read == kRight || !acts) return decoded.zero_points;
  const std::vector<uint32_t> codes = StoredCodes(decoded.zero_points, y);
  const auto bits = static_cast<size_t>(y.bits);
  NumberFormat other_sign = y;
  other_sign.is_signed = !y.is_signed;
  const size_t group = ElementsOfWholeBytes(y.bits);
  const size_t whole = codes.size() / group * group;
  const uint32_t sign = uint32_t{1} << (bits - 1);
  BitBytes bytes(codes.size(), bits);
  for (size_t i = 0; i < codes.size(); ++i) bytes.Or(i * bits, codes[i]);
  std::vector<ExactValue> values;
  for (size_t i = 0; i < codes.size(); ++i) {
    const bool is_lost = read == kLastGroupLost && codes.size() > 1 && i >= whole;
    const uint32_t code = is_lost                                         ? 0
                          : read == kOneInByte || read == kNibblesInBytes ? bytes.Low(i)
                                                                          : codes[i];
    if (read == kLargestIsNan && (code & (sign - 1)) == LargestFinite(y)) {
      values.push_back({.value_class = ValueClass::kNan});
    } else if (read == kOtherSign) {
      values.push_back(Decode(other_sign, code));
    } else {
      values.push_back(Decode(read == kOtherFormat ? OtherFloat6(y) : y, code));
    }
  }
  return values;
}

void Misplace(const DecodedQuantizeLinear& decoded, Storage storage,
              std::vector<uint32_t>& codes) {
  using enum QuantizeLinearSwitches::Storage;
  const int bits = decoded.y->bits;
  const size_t group =
      bits < 8 ? static_cast<size_t>(ElementsOfWholeBytes(bits)) : size_t{1};
  const uint32_t mask = (uint32_t{1} << bits) - 1;
  switch (storage) {
    case kRight:
      return;
    case kSwapped:
      for (size_t i = 0; i + group <= codes.size(); i += group) {
        const auto first = codes.begin() + static_cast<std::ptrdiff_t>(i);
        std::reverse(first, first + static_cast<std::ptrdiff_t>(group));
      }
      // In a last byte that is not full, the elements lie behind the places that are read
      // first, and these are zero.
      if (!CrossesBytes(bits)) {
        const size_t first = codes.size() / group * group;
        const std::vector<uint32_t> last(
            codes.begin() + static_cast<std::ptrdiff_t>(first), codes.end());
        for (size_t i = 0; i < last.size(); ++i) {
          const size_t from = group - 1 - i;
          codes[first + i] = from < last.size() ? last[from] : 0;
        }
      }
      return;
    case kNanSpoilsNeighbour: {
      const size_t width = std::max<size_t>(group, 2);
      for (size_t i = 0; i + 1 < codes.size(); ++i) {
        if (i / width == (i + 1) / width &&
            decoded.x_values[i].value_class == ValueClass::kNan) {
          codes[i + 1] = 0;
        }
      }
      return;
    }
    case kLastUnwritten:
      if (!codes.empty()) codes.back() = 0x5A5A5A5Au & mask;
      return;
    case kLastByteLost:
      if (CrossesBytes(bits)) break;
      for (size_t i = codes.size() / group * group; i < codes.size(); ++i) codes[i] = 0;
      return;
    case kNibbleRowsPadded:
      if (bits >= 8 || CrossesBytes(bits)) return;
      break;
    default:
      if (!CrossesBytes(bits)) return;
      break;
  }
  BitBytes bytes(codes.size(), static_cast<size_t>(bits));
  Store(decoded, storage, codes, bytes);
  for (size_t i = 0; i < codes.size(); ++i) codes[i] = bytes.Read(i);
}

}  // namespace qconform
