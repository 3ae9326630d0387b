// Runs of one scale, not past the caches: a loop for each kind of integers or type of x
// where branches on these would cost too much.
#if defined(QCONFORM_SIMD_QUANTIZE_UNIFORM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QCONFORM_SIMD_QUANTIZE_UNIFORM_INL_H_
#undef QCONFORM_SIMD_QUANTIZE_UNIFORM_INL_H_
#else
#define QCONFORM_SIMD_QUANTIZE_UNIFORM_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "harness/backends/simd/quantize_linear/kernels.h"
#include "harness/backends/simd/quantize_linear/loops/quantize_linear-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace qconform::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whether many scales are divided by in this way. Where there are reciprocals others
// have fewer loops, to save object code.
template <Division kDivision, Sink kSink>
constexpr bool kIsUsual = IsReciprocal(kDivision) || kDivision == Division::kDone ||
                          (kDivision == Division::kFloat && kSink == Sink::kInteger16) ||
                          !HWY_NATIVE_FMA;

// Which integers a loop is for: those of all bits, with a zero point of 0 or any; or all.
enum class Kind : uint8_t { kAny, kUnsigned, kUnsignedZero, kSigned, kSignedZero };
constexpr bool IsSigned(Kind kind) {
  return kind == Kind::kSigned || kind == Kind::kSignedZero;
}
constexpr bool HasZero(Kind kind) {
  return kind == Kind::kUnsignedZero || kind == Kind::kSignedZero;
}

constexpr Packs PacksOf(Sink sink, Kind kind) {
  const bool may_pack =
      sink == Sink::kFloat8 || (sink == Sink::kInteger8 && kind == Kind::kAny);
  return may_pack ? Packs::kAsRunSays : Packs::kNever;
}

// Returns that of a run, whose zero point is one for all.
template <typename Code>
HWY_INLINE Kind KindOf(const Run& run) {
  constexpr int32_t kRange = (1 << (8 * sizeof(Code))) - 1;
  if (run.integers.range != kRange) return Kind::kAny;
  const bool is_zero = *run.offset + run.integers.min == 0;
  if (run.integers.min == 0) return is_zero ? Kind::kUnsignedZero : Kind::kUnsigned;
  return is_zero ? Kind::kSignedZero : Kind::kSigned;
}

// Makes constants of what the kind says; `offset` is the run's.
template <typename Code, Kind kKind>
HWY_INLINE void SetKind(Run& run, int32_t& offset) {
  constexpr int32_t kRange = (1 << (8 * sizeof(Code))) - 1;
  constexpr int32_t kMin = IsSigned(kKind) ? -(kRange / 2 + 1) : 0;
  if constexpr (kKind != Kind::kAny) run.integers = {kMin, kRange};
  if constexpr (HasZero(kKind)) offset = -kMin;
}

// Whether loops are for one type of x, and pack or do not: by reciprocals, where all else
// is so short that branches cost as much, above all where another thread shares the core.
// Older CPUs go without, to save object code.
template <Division kDivision, Sink kSink, Offsets kOffsets, Nearness kNearness>
constexpr bool kTellsX =
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
    IsReciprocal(kDivision) && TakesAnyX(kDivision) && kNearness == Nearness::kSameSide &&
    (IsFloatSink(kSink) || kOffsets == Offsets::kOne);
#else
    false;
#endif

// Calls `function` with a constant, the type of x; or with kUndefined, where that is any
// other: of four bytes, which take longer to be read, and P is no FLOAT.
template <Division kDivision, class Function>
HWY_INLINE void TellX(const Run& run, const Function& function) {
  constexpr bool kIsFloat = PrecisionOf(kDivision) == DataType::kFloat;
  constexpr DataType kOther = kIsFloat ? DataType::kInt32 : DataType::kUndefined;
  switch (run.x_type) {
    case DataType::kFloat16:
      return function(std::integral_constant<DataType, DataType::kFloat16>());
    case DataType::kBfloat16:
      return function(std::integral_constant<DataType, DataType::kBfloat16>());
    default:
      HWY_DASSERT(!kIsFloat || run.x_type == DataType::kInt32);
      return function(std::integral_constant<DataType, kOther>());
  }
}

// Quantizes a run of one scale, and fetches nothing; its x is of type kX, unless that is
// kUndefined. The second block begins `step` elements after the first.
template <Division kDivision, Sink kSink, Nearness kNearness, Kind kKind, DataType kX,
          Packs kPacks>
HWY_INLINE void QuantizeUniformBy(const Run& caller_run, size_t step) {
  using Code = CodeOf<kSink>;
  Run run = caller_run;
  float uniform[4] = {};
  KeepScale<kDivision, IsFloatSink(kSink)>(run, uniform);
  int32_t offset = 0;
  if constexpr (IsIntegerSink(kSink)) {
    offset = *run.offset;
    SetKind<Code, kKind>(run, offset);
    run.offset = &offset;
  }
  const auto x = SourceAt<kDivision, kX>(run, run.x);
  Code* HWY_RESTRICT out = static_cast<Code*>(run.out);
  const size_t block = 4 * hn::Lanes(hn::ScalableTag<float>());
  const size_t last = run.n < block ? 0 : run.n - block;  // else it overlaps the next run
  const BlockOperands<kDivision, Operands::kUniform, kSink> operands(run, 0);
  for (size_t i = 0;;) {
    QuantizeBlockBy<kDivision, Operands::kUniform, kSink, kNearness, kPacks>(
        run, operands, x + i, out + PlacesOf<kPacks>(run, i));
    if (i == last) return;
    i = HWY_MIN(i + step, last);
    step = block;
  }
}

// The same by a loop for each of some kinds of integers, and for packed codes. If loops
// are for one type of x, only the kinds with a zero point of 0 have their own.
template <Division kDivision, Sink kSink, Nearness kNearness, DataType kX>
HWY_INLINE void QuantizeUniformOfX(const Run& run, size_t step) {
  constexpr bool kTells = kTellsX<kDivision, kSink, Offsets::kOne, kNearness>;
  constexpr Packs kMayPack = PacksOf(kSink, Kind::kAny);
  constexpr Packs kNever = Packs::kNever;
  constexpr bool kAllKinds = !kTells && IsIntegerSink(kSink) &&
                             kIsUsual<kDivision, kSink> && kNearness != Nearness::kExact;
  constexpr bool kZeroKinds = kAllKinds || (kTells && kSink == Sink::kInteger8);
  if constexpr (kZeroKinds) {
    switch (KindOf<CodeOf<kSink>>(run)) {
      case Kind::kUnsignedZero:
        return QuantizeUniformBy<kDivision, kSink, kNearness, Kind::kUnsignedZero, kX,
                                 kNever>(run, step);
      case Kind::kSignedZero:
        return QuantizeUniformBy<kDivision, kSink, kNearness, Kind::kSignedZero, kX,
                                 kNever>(run, step);
      case Kind::kUnsigned:
        if constexpr (kAllKinds) {
          return QuantizeUniformBy<kDivision, kSink, kNearness, Kind::kUnsigned, kX,
                                   kNever>(run, step);
        }
        break;
      case Kind::kSigned:
        if constexpr (kAllKinds) {
          return QuantizeUniformBy<kDivision, kSink, kNearness, Kind::kSigned, kX,
                                   kNever>(run, step);
        }
        break;
      case Kind::kAny:
        break;
    }
  }
  if constexpr (kTells && kMayPack != kNever) {
    if (run.pack_shift != 0) {
      return QuantizeUniformBy<kDivision, kSink, kNearness, Kind::kAny, kX,
                               Packs::kAlways>(run, step);
    }
  }
  QuantizeUniformBy<kDivision, kSink, kNearness, Kind::kAny, kX,
                    kTells ? kNever : kMayPack>(run, step);
}

// The same by a loop for each type of x, where kTellsX.
template <Division kDivision, Sink kSink, Nearness kNearness>
HWY_INLINE void QuantizeUniform(const Run& run, size_t step) {
  if constexpr (kTellsX<kDivision, kSink, Offsets::kOne, kNearness>) {
    TellX<kDivision>(run, [&](auto x_type) HWY_ATTR {
      QuantizeUniformOfX<kDivision, kSink, kNearness, decltype(x_type)::value>(run, step);
    });
  } else {
    QuantizeUniformOfX<kDivision, kSink, kNearness, DataType::kUndefined>(run, step);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace qconform::simd
HWY_AFTER_NAMESPACE();

#endif  // QCONFORM_SIMD_QUANTIZE_UNIFORM_INL_H_
