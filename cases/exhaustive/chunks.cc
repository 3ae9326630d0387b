#include "cases/exhaustive/chunks.h"

#include <algorithm>

namespace qconform {

CodeRange ChunkedRange::At(int64_t index) const {
  const uint64_t begin = static_cast<uint64_t>(index) * chunk;
  return {range.first + begin, std::min(chunk, range.count - begin)};
}

}  // namespace qconform
