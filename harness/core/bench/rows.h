// Rows of benchmarks that have names and sizes: which are chosen, and what is printed.
#ifndef QCONFORM_HARNESS_CORE_BENCH_ROWS_H_
#define QCONFORM_HARNESS_CORE_BENCH_ROWS_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/core/bench/scaled_operands.h"
#include "harness/core/bench/text.h"
#include "oracle/base/expected.h"
#include "oracle/base/glob.h"
#include "oracle/base/result.h"
#include "reports/record/bench_record.h"

namespace qconform {

// Whether the sizes that `flag` gives are whole rows of kBenchColumns.
inline Status CheckBenchElements(const std::string& flag,
                                 std::span<const int64_t> elements) {
  for (const int64_t size : elements) {
    if (size % kBenchColumns == 0) continue;
    return Expected(flag, "a multiple of " + std::to_string(kBenchColumns),
                    std::to_string(size));
  }
  return Ok();
}

// Returns the rows whose Name() some pattern matches; all if there is no pattern. An
// Error if a pattern matches none, with another example of a pattern and what to do.
// Precondition: there are rows.
template <typename Row>
Result<std::vector<Row>> MatchingRows(std::vector<Row> rows, const std::string& flag,
                                      std::span<const std::string> globs,
                                      const std::string& example,
                                      const std::string& what_to_do = "") {
  for (const std::string& glob : globs) {
    const auto matches = [&](const Row& row) { return GlobMatches(glob, row.Name()); };
    if (std::ranges::any_of(rows, matches)) continue;
    return Expected(flag,
                    "a pattern of row names such as '" + rows.front().Name() + "' or '" +
                        example + "'",
                    "'" + glob + "', which matches none", what_to_do);
  }
  std::erase_if(rows, [&](const Row& row) {
    return !globs.empty() && std::ranges::none_of(globs, [&](const std::string& glob) {
      return GlobMatches(glob, row.Name());
    });
  });
  return rows;
}

// Returns the columns of the peer and the end of a row.
inline std::string PeerText(const BenchRowRecord& row) {
  if (row.ratio > 0) {
    return TextOf(" %9.4f %8.2f %8lld\n", row.peer_ns_per_element, row.ratio,
                  static_cast<long long>(row.differing_bytes));
  }
  return row.note.empty() ? "\n" : TextOf("  no ratio: %.60s\n", row.note.c_str());
}

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_BENCH_ROWS_H_
