#include "harness/core/proofs/segments.h"

#include <algorithm>
#include <cstring>

#include "harness/core/allows.h"

namespace qconform {
namespace {

// Returns whether all n codes, of at least one, are `code`: the first one is, and each is
// what the one before it is.
template <typename Code>
bool AllAre(const Code* codes, size_t n, Code code) {
  return codes[0] == code && std::memcmp(codes, codes + 1, (n - 1) * sizeof(Code)) == 0;
}

template <typename Code>
void CompareCodes(DataType y, const SweepMismatch& where,
                  const std::vector<Segment>& segments, uint64_t first, size_t n,
                  const Code* codes, ChunkRecord& record) {
  const Segment* segment = &SegmentOf(segments, first);
  for (size_t at = 0; at < n; ++segment) {
    const uint64_t left = segment->last - (first + at) + 1;
    const size_t count = static_cast<size_t>(std::min<uint64_t>(left, n - at));
    if (segment->freedom == Freedom::kAnyCode) {
      record.free += count;
    } else if (!AllAre(codes + at, count, static_cast<Code>(segment->y))) {
      const ElementAnswer expected{.code = segment->y,
                                   .freedom = segment->freedom,
                                   .zero_sign_is_free = segment->zero_sign_is_free};
      for (size_t i = at; i < at + count; ++i) {
        if (Allows(y, expected, codes[i])) continue;
        ++record.mismatches;
        if (record.first.size() == kMismatchesKept) continue;
        record.first.push_back({.x = first + i,
                                .scale = where.scale,
                                .zero_point = where.zero_point,
                                .expected = segment->y,
                                .actual = codes[i]});
      }
    }
    at += count;
  }
  record.inputs += n;
}

}  // namespace

void CompareWithSegments(DataType y, const SweepMismatch& where,
                         const std::vector<Segment>& segments, uint64_t first, size_t n,
                         const void* codes, ChunkRecord& record) {
  if (BitWidth(y) == 16) {
    CompareCodes(y, where, segments, first, n, static_cast<const uint16_t*>(codes),
                 record);
  } else {
    CompareCodes(y, where, segments, first, n, static_cast<const uint8_t*>(codes),
                 record);
  }
}

const Segment& SegmentOf(const std::vector<Segment>& segments, uint64_t code) {
  return *std::lower_bound(segments.begin(), segments.end(), code,
                           [](const Segment& s, uint64_t c) { return s.last < c; });
}

}  // namespace qconform
