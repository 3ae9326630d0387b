// Products of bytes by the dot-product instruction of AVX512_VNNI, which Highway
// does not count to the target AVX3. Private to the kernels.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_VNNI_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_VNNI_H_

#include "harness/backends/simd/matmul/kernels.h"

namespace qconform::simd {

// Panels of quads are this wide, the last one a multiple of kVnniGranule.
inline constexpr size_t kVnniColumns = 64;
inline constexpr size_t kVnniGranule = 16;
inline constexpr size_t kVnniRows = 6;

// Whether CPU and system can run MultiplyVnni.
bool HasVnni();

// Up to kVnniRows rows by one panel of quads. Precondition: HasVnni().
void MultiplyVnni(const ProductArgs& args);
// The same for `tiles` tiles of args.rows rows each, one below the other, and what
// RequantizeTile does for Correction::kSums, without a way through memory: args.c and
// tile.c are not used. args.init goes on with the rows.
void MultiplyVnniToCodes(const ProductArgs& args, const TileArgs& tile,
                         Multiplier multiplier, size_t tiles);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_MATMUL_VNNI_H_
