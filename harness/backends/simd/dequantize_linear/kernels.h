// The kernels of one target, for the code that walks over tensors. Private to this
// folder.
//
// Elements of less than 8 bits are unpacked first, to one code in each byte. Then one
// loop converts x to FLOAT, subtracts the zero point, multiplies by the scale, rounds to
// P and stores. That is exact, and rounded only once, because neither the difference nor
// the product needs more bits than a FLOAT has. The few combinations of types that do
// need more go through DOUBLE (MultiplyExact).
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_DEQUANTIZE_LINEAR_KERNELS_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_DEQUANTIZE_LINEAR_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "oracle/tensor/data_type.h"

namespace qconform::simd::dequantize {

// How the codes of x are read: a byte, a word or an INT32 for each element.
enum class Codes : uint8_t {
  kUint8,
  kInt8,
  kUint16,
  kInt16,
  kInt32,
  kFloat,   // of 8 bits
  kFloat6,  // of at most 6 bits, at the top of a byte
  kFour,    // of any type of at most 4 bits; only if there is Kernels::look_up
};
inline constexpr int kCodesCount = 8;

// How scales and zero points lie along a run.
enum class Operands : uint8_t {
  kOne,        // one of each
  kEachScale,  // a scale for each element, one zero point
  kEach,       // a scale and a zero point for each element
};
inline constexpr int kOperandsCount = 3;

// P, and what y's elements are.
enum class Output : uint8_t { kFloat, kFloat16, kBfloat16 };
inline constexpr int kOutputCount = 3;

// A float type of at most 8 bits, whose code lies in the upper bits of a byte: what
// decoding it to FLOAT takes.
struct SmallFloat {
  int shift = 0;        // of the code at the top of 32 bits, without the sign, to FLOAT's
                        // exponent and mantissa
  uint32_t rebias = 0;  // adds the difference of the biases to FLOAT's exponent
  uint32_t care = 0;    // bits at the top of 32 that decide whether it is no number,
  uint32_t special = 1;       // and their values then
  uint32_t special_bits = 0;  // FLOAT's bits that are set then
  // The value of each byte, or of each fourth if there are at most 6 bits: the upper half
  // of a FLOAT, which has all bits of it.
  const uint16_t* values = nullptr;
};

// Precondition: a float type of at most 8 bits.
SmallFloat SmallFloatOf(DataType type);

// Returns the values of all codes of a type of at most 4 bits, of which there are 16 at
// most.
const float* ValuesOfFour(DataType type);

// `runs` runs of `n` elements, one after the other in x and y, each with its own scale
// and zero point (kOne); or one run by vectors of them.
struct Run {
  const std::byte* x = nullptr;  // codes as Codes has them
  std::byte* y = nullptr;
  size_t n = 0;
  size_t runs = 1;
  // Converted, and not NaN with a payload that rounding could carry out of.
  const float* scale = nullptr;
  const float* zero_point = nullptr;
  SmallFloat floats;
  const float* values = nullptr;  // kFour: ValuesOfFour
  // y, which is aligned to a vector, is written past the caches; only if y is
  // FLOAT, in one run of a multiple of two vectors, and not kFour.
  bool stream = false;
  size_t ahead = 0;  // x is fetched so many bytes ahead; 0: it is not
};
using RunFunction = void (*)(const Run&);

// How codes of less than 8 bits are widened to bytes.
enum class Widening : uint8_t { kZeros, kSign, kToTop };

// The runs of one P.
struct RunTable {
  RunFunction run[kOperandsCount][kCodesCount];
  // The same where the difference is rounded to P first. Only integers of 16 bits need
  // it, and P that is not FLOAT; the others are nullptr.
  RunFunction rounded[kOperandsCount][kCodesCount];
};

struct Kernels {
  int64_t target = 0;  // what these were compiled for: a Target::bit

  const RunTable* runs[kOutputCount];

  // Writes (x - zero_point) * scale for each element of a run, rounded to FLOAT if P is
  // that. Else it is rounded to odd, so that `narrow` gives what one rounding gives.
  // `round`: the difference is rounded to P first.
  void (*multiply_exact)(Codes codes, Output output, bool round, const Run& run,
                         float* product);
  // Rounds n products to P and stores them: P is FLOAT16 or BFLOAT16.
  void (*narrow)(Output output, const float* product, size_t n, std::byte* y);

  // Converts n scales to FLOAT. `round`: to P first. `output` is P.
  void (*scales)(DataType type, bool round, Output output, const std::byte* in, size_t n,
                 float* out);
  // Widens n codes of `bits` (6, 4 or 2) that begin with a whole byte, and reads no byte
  // after the last one that has some of them. 6 bits: kToTop. May write up to 64 bytes
  // more.
  void (*unpack)(int bits, Widening widening, const std::byte* in, size_t n,
                 uint8_t* codes);
  // y[i] = words[codes[i]], or words[codes[i] / 4] if `few`; nullptr if the target has no
  // such instruction.
  void (*look_up)(const uint8_t* codes, size_t n, const uint16_t* words, bool few,
                  std::byte* y);
  // Copies n bytes past the caches, except for those at the ends of `to` that are no
  // whole vectors.
  void (*stream)(const std::byte* from, size_t n, std::byte* to);
  // Makes what was streamed visible to other threads.
  void (*flush)();
};

// Returns the kernels of a compiled target, or nullptr.
const Kernels* KernelsOf(int64_t target_bit);

// Their parts; each is compiled in a separate file.
const RunTable* FloatRuns(int64_t target_bit);
const RunTable* Float16Runs(int64_t target_bit);
const RunTable* Bfloat16Runs(int64_t target_bit);
// All but the runs.
const Kernels* Stages(int64_t target_bit);

}  // namespace qconform::simd::dequantize

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_DEQUANTIZE_LINEAR_KERNELS_H_
