// Which targets Highway compiles; include before any Highway header.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_HIGHWAY_TARGETS_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_HIGHWAY_TARGETS_H_

// AVX3_DL is opt-in in Highway 1.2.
#ifndef HWY_WANT_AVX3_DL
#define HWY_WANT_AVX3_DL
#endif

// QCONFORM_SIMD_ALL_TARGETS(X) expands to X(NAME) for each target that may be compiled,
// best first within its platform. NAME is that of HWY_NAME and HWY_CHOOSE_NAME.
#define QCONFORM_SIMD_ALL_TARGETS(X)                                                  \
  X(AVX3_SPR)                                                                         \
  X(AVX3_ZEN4)                                                                        \
  X(AVX3_DL)                                                                          \
  X(AVX3)                                                                             \
  X(AVX2) X(SSE4) X(SSSE3) X(SSE2) X(SVE2_128) X(SVE_256) X(SVE2) X(SVE) X(NEON_BF16) \
      X(NEON) X(NEON_WITHOUT_AES)

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_HIGHWAY_TARGETS_H_
