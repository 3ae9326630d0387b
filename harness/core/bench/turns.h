// Kernels and a peer that take turns.
#ifndef QCONFORM_HARNESS_CORE_BENCH_TURNS_H_
#define QCONFORM_HARNESS_CORE_BENCH_TURNS_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/core/bench/timing.h"
#include "oracle/base/result.h"

namespace qconform {

// Medians of all turns, in seconds of one call.
struct TurnsResult {
  double ours = 0;
  double peer = 0;        // 0 without a peer
  double ratio = 0;       // median of the peer's time / ours, taken turn by turn
  std::string note = {};  // why there is no ratio; may be empty
};

// Measures `ours`, which gives a Status, and the peer in turns, for about `seconds` in
// all. Each side gets its share of the time: one may be a hundred times slower.
// `each_turn(seconds of one of our calls)` follows each turn.
template <typename Ours, typename EachTurn>
Result<TurnsResult> TakeTurns(const Ours& ours, PeerTurns& peer, Clock now,
                              double seconds, const EachTurn& each_turn) {
  constexpr int kTurns = 21;  // odd: the median is one of them
  TurnsResult result;
  result.note = peer.note();
  const auto calls_for = [&](double one) {
    return static_cast<int64_t>(std::max(1.0, seconds / kTurns / 2 / one));
  };
  const auto first = Time(3, now, ours);  // warms up, too
  if (!first) return first.error();
  const int64_t calls = calls_for(*first);
  int64_t their_calls = 0;  // 0: it does not compute the node
  if (peer.has_peer()) {
    if (const auto warm = peer.Turn(3)) {
      their_calls = calls_for(*warm);
    } else {
      result.note = warm.error().message;
    }
  }
  std::vector<double> times, their_times, ratios;
  for (int turn = 0; turn < kTurns; ++turn) {
    const auto time = Time(calls, now, ours);
    if (!time) return time.error();
    times.push_back(*time);
    if (their_calls != 0) {
      const auto their_time = peer.Turn(their_calls);
      if (!their_time) return their_time.error();
      their_times.push_back(*their_time);
      ratios.push_back(*their_time / *time);
    }
    each_turn(*time);
  }
  result.ours = Median(times);
  result.peer = Median(their_times);
  result.ratio = Median(ratios);
  return result;
}

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_BENCH_TURNS_H_
