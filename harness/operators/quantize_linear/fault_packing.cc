#include "harness/operators/quantize_linear/fault_packing.h"

#include <algorithm>
#include <cstddef>

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
  uint32_t Read(size_t index) const {
    uint32_t code = 0;
    for (size_t i = 0; i < bits_; ++i) {
      const size_t bit = index * bits_ + i;
      code |= static_cast<uint32_t>(bytes_[bit / 8] >> (bit % 8) & 1) << i;
    }
    return code;
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
  if (storage == Storage::kRowsAtBytes) {
    const size_t row =
        decoded.shape.empty() ? count : static_cast<size_t>(decoded.shape.back());
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

// Stores each run from the byte on in which its first bit lies.
void StoreRuns(const std::vector<size_t>& runs, size_t bits,
               const std::vector<uint32_t>& codes, BitBytes& bytes) {
  size_t first = 0;
  for (const size_t length : runs) {
    BitBytes run(length, bits);
    for (size_t i = 0; i < length; ++i) run.Or(i * bits, codes[first + i]);
    run.CopyTo(bytes, first * bits / 8);
    first += length;
  }
}

// Stores elements that cross bytes by mistake.
void Store(const DecodedQuantizeLinear& decoded, Storage storage,
           const std::vector<uint32_t>& codes, BitBytes& bytes) {
  const auto bits = static_cast<size_t>(decoded.y->bits);
  const size_t group = ElementsOfWholeBytes(decoded.y->bits);
  const uint32_t sign = uint32_t{1} << (bits - 1);
  if (storage == Storage::kRowsAtBytes || storage == Storage::kScalesAtBytes) {
    StoreRuns(RunsOf(decoded, storage), bits, codes, bytes);
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
      case Storage::kInWords:
        bytes.Or(i / (32 / bits) * 32 + i % (32 / bits) * bits, codes[i]);
        break;
      case Storage::kSecondCut:
        bytes.Or(bit, i % group == 1 ? cut : codes[i]);
        break;
      case Storage::kThirdCut:
        bytes.Or(bit, i % group == 2 ? cut : codes[i]);
        break;
      case Storage::kLastGroupLost:
        if (i < codes.size() / group * group) bytes.Or(bit, codes[i]);
        break;
      case Storage::kSignAtBit7:
        bytes.Or(bit, (codes[i] & (sign - 1)) | ((codes[i] & sign) != 0 ? 0x80 : 0));
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

}  // namespace

void Misplace(const DecodedQuantizeLinear& decoded, Storage storage,
              std::vector<uint32_t>& codes) {
  using enum Storage;
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
    default:
      if (!CrossesBytes(bits)) return;
      break;
  }
  BitBytes bytes(codes.size(), static_cast<size_t>(bits));
  Store(decoded, storage, codes, bytes);
  for (size_t i = 0; i < codes.size(); ++i) codes[i] = bytes.Read(i);
}

}  // namespace qconform
