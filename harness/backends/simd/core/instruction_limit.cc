#include "harness/backends/simd/core/instruction_limit.h"

#include <array>
#include <cstdint>
#include <type_traits>

#include "harness/backends/simd/core/highway_targets.h"

// clang-format off: the order matters.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/backends/simd/core/instruction_limit.cc"
#include "hwy/foreach_target.h"
// clang-format on

#include "harness/backends/simd/core/encode-inl.h"
#include "harness/backends/simd/core/load-inl.h"
#include "harness/backends/simd/core/pack_codes-inl.h"
#include "hwy/highway.h"

#ifndef QCONFORM_SIMD_INSTRUCTION_LIMIT_TABLE_
#define QCONFORM_SIMD_INSTRUCTION_LIMIT_TABLE_
namespace qconform::simd {
// By FLOAT, FLOAT16, BFLOAT16, INT32; then by 16, 8, 6, 4, 2 bits of y.
struct InstructionLimitTable {
  InstructionLimitFunction by[4][5];
};
}  // namespace qconform::simd
#endif

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using D8 = hn::Repartition<uint8_t, D>;
using D16 = hn::Repartition<int16_t, D>;
using D32 = hn::Repartition<int32_t, D>;
using V = hn::VFromD<D>;
using V8 = hn::VFromD<D8>;
using V16 = hn::VFromD<D16>;

HWY_INLINE hn::VFromD<D32> Integers(V x, V factor) {
  const V product = hn::Mul(x, factor);
#if HWY_ARCH_X86
  return RoundToInt32<Above::kInRange>(D(), product);
#else
  return hn::NearestInt(product);
#endif
}

#if HWY_HAVE_SCALABLE
constexpr bool kUnpacks = false;
#else
constexpr bool kUnpacks = true;
#endif

// Whether the elements of both vectors that PackPair joins are neighbours in each block:
// the pack then leaves them in order.
template <class Loader>
constexpr bool kInterleaved = kUnpacks&& std::is_same_v<Loader, LoadBfloat16>;

template <class Loader>
HWY_INLINE V16 Words(const typename Loader::Raw* HWY_RESTRICT x, V factor) {
  const D d;
  V a, b;
  if constexpr (kInterleaved<Loader>) {
    // BFLOAT16 is FLOAT's upper half: one instruction for each vector.
    const hn::Repartition<uint16_t, D> du16;
    const auto codes = hn::LoadU(du16, x);
    const auto zero = hn::Zero(du16);
    a = hn::BitCast(d, hn::InterleaveLower(du16, zero, codes));
    b = hn::BitCast(d, hn::InterleaveUpper(du16, zero, codes));
  } else {
    a = Loader::Load(d, x);
    b = Loader::Load(d, x + hn::Lanes(d));
  }
  return PackPair(D16(), Integers(a, factor), Integers(b, factor));
}

template <class Loader>
HWY_INLINE V8 Bytes(const typename Loader::Raw* HWY_RESTRICT x, V factor) {
  return PackPair(D8(), Words<Loader>(x, factor),
                  Words<Loader>(x + 2 * hn::Lanes(D()), factor));
}

// Twice as many elements, two in a byte. Codes are at most 15.
template <class Loader>
HWY_INLINE V8 Nibbles(const typename Loader::Raw* HWY_RESTRICT x, V factor) {
  const V8 first = Bytes<Loader>(x, factor);
  const V8 second = Bytes<Loader>(x + 4 * hn::Lanes(D()), factor);
#if HWY_ARCH_X86
  const auto join = [](V8 codes) HWY_ATTR {
    const auto weights = hn::BitCast(hn::RebindToSigned<D8>(), hn::Set(D16(), 0x1001));
    return hn::SatWidenMulPairwiseAdd(D16(), codes, weights);
  };
  return PackPair(D8(), join(first), join(second));
#else
  const auto join = [](V8 codes) HWY_ATTR {
    const auto pair = hn::BitCast(hn::RebindToUnsigned<D16>(), codes);
    return hn::Or(pair, hn::ShiftRight<4>(pair));
  };
  return hn::OrderedTruncate2To(D8(), join(first), join(second));
#endif
}

// Four codes in the lowest bits of each lane. Codes have nothing above.
template <int kBits>
HWY_INLINE hn::VFromD<D32> JoinFour(V8 codes) {
#if HWY_ARCH_X86
  const hn::RebindToSigned<D8> di8;
#if HWY_TARGET <= HWY_AVX3_DL
  if constexpr (kBits == 2) {  // by bytes, which 2^12 and 2^18 are not
    const auto weights = hn::BitCast(di8, hn::Set(D32(), 0x40100401));
    return hn::SumOfMulQuadAccumulate(D32(), codes, weights, hn::Zero(D32()));
  }
#endif
  const auto of_pair = hn::Set(D16(), (1 << (8 + kBits)) + 1);
  const auto of_four = hn::Set(D32(), (1 << (16 + 2 * kBits)) + 1);
  const auto pairs = hn::SatWidenMulPairwiseAdd(D16(), codes, hn::BitCast(di8, of_pair));
  return hn::WidenMulPairwiseAdd(D32(), pairs, hn::BitCast(D16(), of_four));
#else
  return hn::BitCast(D32(), JoinFours<kBits>(D8(), codes));
#endif
}

// Two vectors of such lanes as words.
template <class Loader>
HWY_INLINE auto JoinedWords(const typename Loader::Raw* HWY_RESTRICT x, V factor) {
  const auto first = JoinFour<2>(Bytes<Loader>(x, factor));
  const auto second = JoinFour<2>(Bytes<Loader>(x + 4 * hn::Lanes(D()), factor));
#if HWY_ARCH_X86
  return PackPair(D16(), first, second);
#else
  const hn::RebindToUnsigned<D32> du32;
  return hn::OrderedTruncate2To(hn::RebindToUnsigned<D16>(), hn::BitCast(du32, first),
                                hn::BitCast(du32, second));
#endif
}

// Four times as many elements as Bytes, four in a byte.
template <class Loader>
HWY_INLINE V8 Pairs(const typename Loader::Raw* HWY_RESTRICT x, V factor) {
  const auto first = JoinedWords<Loader>(x, factor);
  const auto second = JoinedWords<Loader>(x + 8 * hn::Lanes(D()), factor);
#if HWY_ARCH_X86
  return PackPair(D8(), first, second);
#else
  return hn::OrderedTruncate2To(D8(), first, second);
#endif
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
constexpr size_t kBlocks = hn::MaxLanes(D8()) / 16;

// Where lane i of block k goes, of blocks of `kLanes`.
template <class Lane, size_t kLanes>
constexpr std::array<Lane, kBlocks * kLanes> LanesInOrder() {
  std::array<Lane, kBlocks* kLanes> order = {};
  for (size_t to = 0; to < order.size(); ++to) {
    order[to] = static_cast<Lane>(to % kBlocks * kLanes + to / kBlocks);
  }
  return order;
}

// The same of groups of kGroup bytes once lanes of 4 bytes are in order, in each block.
template <size_t kGroup>
constexpr std::array<uint8_t, 64> GroupsInOrder() {
  std::array<uint8_t, 64> order = {};
  for (size_t from = 0; from < order.size(); ++from) {
    const size_t lane = from % 16 / 4;
    const size_t group = from % 4 / kGroup;
    const size_t to = (lane / kBlocks * (4 / kGroup) + group) * kBlocks + lane % kBlocks;
    order[from / 16 * 16 + to * kGroup + from % kGroup] = static_cast<uint8_t>(from % 16);
  }
  return order;
}

// The smallest lanes that one instruction permutes in a whole vector.
constexpr size_t kSmallestLane = HWY_TARGET <= HWY_AVX3_DL ? 1
                                 : HWY_TARGET <= HWY_AVX3  ? 2
                                                           : 4;
#endif

// Of 16 / kGroup vectors packed in blocks, each group of bytes being of one of them.
template <size_t kGroup>
HWY_INLINE V8 BlocksInOrder(V8 v) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  if constexpr (kGroup < 16) {
    constexpr bool kOnce = kGroup >= kSmallestLane;
    constexpr size_t kLane = kOnce ? kGroup : 4;
    using Lane = hwy::UnsignedFromSize<kLane>;
    const hn::Repartition<Lane, D8> d;
    alignas(64) static constexpr auto kLanes = LanesInOrder<Lane, 16 / kLane>();
    v = hn::BitCast(D8(), hn::TableLookupLanes(hn::BitCast(d, v),
                                               hn::SetTableIndices(d, kLanes.data())));
    if constexpr (!kOnce) {
      alignas(64) static constexpr auto kGroups = GroupsInOrder<kGroup>();
      v = hn::TableLookupBytes(v, hn::Load(D8(), kGroups.data()));
    }
  }
#endif
  return v;
}

// The same of lanes with four codes of 6 bits, the three bytes of each then one after the
// other: three quarters of a vector.
template <size_t kGroup>
HWY_INLINE V8 ThreesInOrder(V8 fours) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
  alignas(64) static constexpr auto kOrder = [] {
    constexpr auto kGroups = LanesInOrder<uint8_t, 16 / kGroup>();
    std::array<uint8_t, 64> order = {};
    for (size_t to = 0; to < 48; ++to) {
      const size_t at = to / 3 * 4;  // before the gaps are closed
      order[to] =
          static_cast<uint8_t>(kGroups[at / kGroup] * kGroup + at % kGroup + to % 3);
    }
    return order;
  }();
  return hn::TableLookupLanes(fours, hn::SetTableIndices(D8(), kOrder.data()));
#else
  return LowestBytesOfFours<3>(D8(), BlocksInOrder<kGroup>(fours));
#endif
}

template <class Loader>
void LimitOfSixBits(const std::byte* x_bytes, float factor_of_all, std::byte* y_bytes) {
  const auto* HWY_RESTRICT x = reinterpret_cast<const typename Loader::Raw*>(x_bytes);
  auto* HWY_RESTRICT y = reinterpret_cast<uint8_t*>(y_bytes);
  const V factor = hn::Set(D(), factor_of_all);
  const size_t step = hn::Lanes(D8());
  constexpr size_t kGroup = kInterleaved<Loader> ? 8 : 4;
  const auto codes = [&]() HWY_ATTR {
    const V8 bytes = Bytes<Loader>(x, factor);
    return ThreesInOrder<kGroup>(hn::BitCast(D8(), JoinFour<6>(bytes)));
  };
  // Whole vectors are stored, each over the last quarter of the one before it.
  for (size_t i = step; i < kInstructionLimitElements; i += step) {
    hn::StoreU(codes(), D8(), y);
    x += step;
    y += step / 4 * 3;
  }
  hn::StoreN(codes(), D8(), y, step / 4 * 3);
}

template <class Loader, size_t kBits>
void Limit(const std::byte* x_bytes, float factor_of_all, std::byte* y_bytes) {
  const auto* HWY_RESTRICT x = reinterpret_cast<const typename Loader::Raw*>(x_bytes);
  auto* HWY_RESTRICT y = reinterpret_cast<uint8_t*>(y_bytes);
  const V factor = hn::Set(D(), factor_of_all);
  const size_t bytes = hn::Lanes(D8());
  const size_t step = bytes * 8 / kBits;
  constexpr size_t kGroup = kInterleaved<Loader> ? kBits : kBits / 2;
  for (size_t i = 0; i < kInstructionLimitElements; i += step, x += step, y += bytes) {
    V8 codes;
    if constexpr (kBits == 16) {
      codes = hn::BitCast(D8(), Words<Loader>(x, factor));
    } else if constexpr (kBits == 8) {
      codes = Bytes<Loader>(x, factor);
    } else if constexpr (kBits == 4) {
      codes = Nibbles<Loader>(x, factor);
    } else {
      codes = Pairs<Loader>(x, factor);
    }
    hn::Store(BlocksInOrder<kGroup>(codes), D8(), y);
  }
}

#define QCONFORM_SIMD_LIMITS(loader)                                               \
  {                                                                                \
    Limit<loader, 16>, Limit<loader, 8>, LimitOfSixBits<loader>, Limit<loader, 4>, \
        Limit<loader, 2>                                                           \
  }
constexpr InstructionLimitTable kLimits = {
    {QCONFORM_SIMD_LIMITS(LoadFloat), QCONFORM_SIMD_LIMITS(LoadFloat16),
     QCONFORM_SIMD_LIMITS(LoadBfloat16), QCONFORM_SIMD_LIMITS(LoadInt32)}};
#undef QCONFORM_SIMD_LIMITS

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace qconform::simd {
namespace {

const InstructionLimitTable* Limits(int64_t target_bit) {
  QCONFORM_SIMD_RETURN_TABLE(target_bit, kLimits);
}

}  // namespace

InstructionLimitFunction InstructionLimit(int64_t target_bit, DataType x, DataType y) {
  const InstructionLimitTable* limits = Limits(target_bit);
  if (limits == nullptr) return nullptr;
  constexpr DataType kTypes[] = {DataType::kFloat, DataType::kFloat16,
                                 DataType::kBfloat16, DataType::kInt32};
  constexpr int kWidths[] = {16, 8, 6, 4, 2};
  for (size_t type = 0; type < 4; ++type) {
    for (size_t width = 0; width < std::size(kWidths); ++width) {
      if (x == kTypes[type] && BitWidth(y) == kWidths[width]) {
        return limits->by[type][width];
      }
    }
  }
  return nullptr;
}

}  // namespace qconform::simd
#endif  // HWY_ONCE
