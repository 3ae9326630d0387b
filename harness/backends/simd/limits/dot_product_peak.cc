#include "harness/backends/simd/limits/dot_product_peak.h"

#include <cstdint>

#include "harness/backends/simd/limits/clock.h"

namespace qconform::simd {
namespace {

#if defined(__x86_64__) && defined(__GNUC__)

#define QCONFORM_VNNI __attribute__((target("avx512f,avx512vnni"), noinline))

bool HasDotProduct() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vnni");
}

// 24 independent chains, each `turns` long: more than latency times throughput.
QCONFORM_VNNI void RunChains(int64_t turns) {
#define QCONFORM_DOT(n) "vpdpbusd %%zmm31, %%zmm30, %%zmm" #n "\n\t"
  asm volatile(
      "vpxord %%zmm30, %%zmm30, %%zmm30\n\t"
      "vpxord %%zmm31, %%zmm31, %%zmm31\n"
      "1:\n\t" QCONFORM_DOT(0) QCONFORM_DOT(1) QCONFORM_DOT(2) QCONFORM_DOT(3)
          QCONFORM_DOT(4) QCONFORM_DOT(5) QCONFORM_DOT(6) QCONFORM_DOT(7)
              QCONFORM_DOT(8) QCONFORM_DOT(9) QCONFORM_DOT(10) QCONFORM_DOT(11)
                  QCONFORM_DOT(12) QCONFORM_DOT(13) QCONFORM_DOT(14) QCONFORM_DOT(15)
                      QCONFORM_DOT(16) QCONFORM_DOT(17) QCONFORM_DOT(18) QCONFORM_DOT(19)
                          QCONFORM_DOT(20) QCONFORM_DOT(21) QCONFORM_DOT(22)
                              QCONFORM_DOT(23)
      "dec %0\n\t"
      "jnz 1b\n\t"
      "vzeroupper"
      : "+r"(turns)
      :
      : "cc", "zmm0", "zmm1", "zmm2", "zmm3", "zmm4", "zmm5", "zmm6", "zmm7", "zmm8",
        "zmm9", "zmm10", "zmm11", "zmm12", "zmm13", "zmm14", "zmm15", "zmm16", "zmm17",
        "zmm18", "zmm19", "zmm20", "zmm21", "zmm22", "zmm23", "zmm30", "zmm31");
#undef QCONFORM_DOT
}

#else

bool HasDotProduct() { return false; }
void RunChains(int64_t) {}

#endif

}  // namespace

double MeasureDotProductPeak() {
  if (!HasDotProduct()) return 0;
  constexpr int64_t kTurns = 100'000;
  const double start = ThreadSeconds();
  RunChains(kTurns);
  return 24.0 * 128 * kTurns / (ThreadSeconds() - start);
}

}  // namespace qconform::simd
