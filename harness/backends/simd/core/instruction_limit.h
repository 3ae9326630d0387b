// The compute limit of a quantizer, next to copy_limit.h's: the instructions that no
// implementation with a target's vectors can leave out, on operands in the first cache.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CORE_INSTRUCTION_LIMIT_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CORE_INSTRUCTION_LIMIT_H_

#include <cstddef>
#include <cstdint>

#include "oracle/tensor/data_type.h"

namespace qconform::simd {

// Elements of x and y of each call: x and y of any types fit into 24 KiB.
inline constexpr size_t kInstructionLimitElements = 4096;

// Writes y, packed, of x: 4096 elements of each, aligned to 64 bytes.
using InstructionLimitFunction = void (*)(const std::byte* x, float factor, std::byte* y);

// Returns the loop for types of x and y and a target's bit, or nullptr for a target that
// is not compiled and for types that x or y cannot have. It depends only on x's type and
// on the width of y.
//
// What counts, for each vector of FLOAT lanes: x loaded, and converted if it is not
// FLOAT; one multiplication by `factor`; one rounding to INT32, which stands for that to
// the grid of a smaller float too. Then, for each vector of y: the packs that join
// its vectors, first saturating to INT16 (all for 16 bits), then to UINT8; for 6, 4 and 2
// bits the multiplications (or shifts) that join the codes of three bytes or of one; one
// permutation, if packs leave 128-bit blocks out of order or 6 bits leave a fourth byte
// (more if the target cannot permute such small lanes); the store.
//
// What does not count: any range except that of the packs (codes of 6, 4 and 2 bits are
// right from 0 to 63, 15 and 3), NaN, the zero point, what makes quotients exact or
// rounds them to another precision, the other operand of a reciprocal, loading scales,
// and tails. FLOAT16 is converted as the kernels do it if the target has no instruction
// for that (x86 before AVX2), and of several ways to do the same the one that is shortest
// on x86 is taken.
InstructionLimitFunction InstructionLimit(int64_t target_bit, DataType x, DataType y);

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CORE_INSTRUCTION_LIMIT_H_
