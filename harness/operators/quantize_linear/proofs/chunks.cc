#include "harness/operators/quantize_linear/proofs/chunks.h"

namespace qconform::quantize_linear {
namespace {

uint64_t ScalesPerChunk(DataType y) {
  return uint64_t{1} << (BitWidth(y) == 16 ? 9 : 16);
}

}  // namespace

ChunkedRange LineChunks(DataType x) {
  return {{0, uint64_t{1} << BitWidth(x)}, uint64_t{1} << 24};
}

ChunkedRange PlaneChunks() { return {{0, 1 << 16}, 1 << 8}; }

ChunkedRange AllScalesChunks(DataType y) { return {{1, 0x7F7FFFFF}, ScalesPerChunk(y)}; }

ChunkedRange BinadeChunks(DataType y, int exponent) {
  const auto biased = static_cast<uint64_t>(exponent + 127);
  return {{biased << 23, 1 << 23}, ScalesPerChunk(y)};
}

}  // namespace qconform::quantize_linear
