// Inputs of a model whose constants are given, as of a node of somebody's model: those at
// which wrong kernels show with just these scales and zero points, and random ones.
//
// Equal arguments give equal tensors on every machine.
#ifndef QCONFORM_CASES_INPUTS_DIRECTED_INPUTS_H_
#define QCONFORM_CASES_INPUTS_DIRECTED_INPUTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/tensor/tensor.h"

namespace qconform {

// What the nodes that read an input of a model say about it.
struct InputFacts {
  enum class Kind : uint8_t {
    kCodes,    // it is dequantized, or multiplied as codes
    kNumbers,  // it is quantized, or an operand of a float node
    kScale,
    kZeroPoint,
    kBias,   // codes that are added to a sum
    kPlain,  // anything else, such as indices: always 0
  };

  DataType type = DataType::kUndefined;
  Shape shape;
  Kind kind = Kind::kPlain;
  // kNumbers: the type of the codes to which it is quantized; kUndefined: it is not.
  DataType grid = DataType::kUndefined;
  // kNumbers with a grid: the codes of the scales, one for each channel.
  DataType scale_type = DataType::kUndefined;
  std::vector<uint64_t> scales;
  // The codes of the zero points, of `grid` or of kCodes' own type: one for each channel,
  // or one for all; none: they are 0.
  std::vector<uint64_t> zero_points;
  // The channel of each element, row-major; empty: all belong to the first.
  std::vector<uint32_t> channel;
  // The axes along which its elements are multiplied and summed.
  std::vector<size_t> summed;
};

// How many kinds of directed inputs there are: `index` of DirectedInput goes through
// them, and then through others of the same kinds.
inline constexpr size_t kDirectedInputs = 8;

// Returns an input at which kernels differ.
//   kCodes: all codes, both ends, the largest sums, one element or 16 neighbours other
//   than the zero point along a sum, codes next to the zero point.
//   kNumbers with a grid: ties of each channel and their neighbours, the ends of the
//   range and beyond, zeros and values below the first code, special values of the type.
// `key` is that of the random choices, as of ContentKey.
Tensor DirectedInput(const InputFacts& facts, size_t index, uint64_t key);

// Returns codes of any value, or numbers over the whole range and a little beyond.
Tensor RandomInput(const InputFacts& facts, uint64_t key);

}  // namespace qconform

#endif  // QCONFORM_CASES_INPUTS_DIRECTED_INPUTS_H_
