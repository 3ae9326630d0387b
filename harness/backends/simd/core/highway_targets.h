// Which targets Highway compiles; include before any Highway header.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CORE_HIGHWAY_TARGETS_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CORE_HIGHWAY_TARGETS_H_

// AVX3_DL is opt-in in Highway 1.2.
#ifndef HWY_WANT_AVX3_DL
#define HWY_WANT_AVX3_DL
#endif

// Never compiled: SSSE3 is no faster than SSE2, and the other two are AVX3_DL once more.
// By default the others for x86 are AVX3_DL and AVX2 only. Highway always compiles its
// baseline, so that is AVX2 then; hwy::SupportedTargets does not take a CPU for one that
// has it.
#if QCONFORM_ALL_SIMD_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_ZEN4 | HWY_AVX3_SPR)
#else
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3_ZEN4 | HWY_AVX3_SPR | HWY_AVX3 | HWY_SSE4)
#ifdef __x86_64__
#define HWY_BASELINE_TARGETS HWY_AVX2
#endif
#endif

// QCONFORM_SIMD_ALL_TARGETS(X) expands to X(NAME) for each target that may be compiled,
// best first within its platform. NAME is that of HWY_NAME and HWY_CHOOSE_NAME.
#define QCONFORM_SIMD_ALL_TARGETS(X) \
  X(AVX3_DL)                         \
  X(AVX3)                            \
  X(AVX2)                            \
  X(SSE4)                            \
  X(SSE2) X(SVE2_128) X(SVE_256) X(SVE2) X(SVE) X(NEON_BF16) X(NEON) X(NEON_WITHOUT_AES)

// The body of a function: returns the address of the constant `table`, which the
// namespace of each compiled target has, for a target's bit, or nullptr.
#define QCONFORM_SIMD_RETURN_TABLE(target_bit, table)                                  \
  if ((target_bit) == HWY_AVX3_DL) return HWY_CHOOSE_AVX3_DL(table);                   \
  if ((target_bit) == HWY_AVX3) return HWY_CHOOSE_AVX3(table);                         \
  if ((target_bit) == HWY_AVX2) return HWY_CHOOSE_AVX2(table);                         \
  if ((target_bit) == HWY_SSE4) return HWY_CHOOSE_SSE4(table);                         \
  if ((target_bit) == HWY_SSE2) return HWY_CHOOSE_SSE2(table);                         \
  if ((target_bit) == HWY_SVE2_128) return HWY_CHOOSE_SVE2_128(table);                 \
  if ((target_bit) == HWY_SVE_256) return HWY_CHOOSE_SVE_256(table);                   \
  if ((target_bit) == HWY_SVE2) return HWY_CHOOSE_SVE2(table);                         \
  if ((target_bit) == HWY_SVE) return HWY_CHOOSE_SVE(table);                           \
  if ((target_bit) == HWY_NEON_BF16) return HWY_CHOOSE_NEON_BF16(table);               \
  if ((target_bit) == HWY_NEON) return HWY_CHOOSE_NEON(table);                         \
  if ((target_bit) == HWY_NEON_WITHOUT_AES) return HWY_CHOOSE_NEON_WITHOUT_AES(table); \
  return nullptr

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CORE_HIGHWAY_TARGETS_H_
