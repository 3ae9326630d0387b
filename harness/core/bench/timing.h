// Medians of turns, and a peer that takes turns with the kernels.
#ifndef QCONFORM_HARNESS_CORE_BENCH_TIMING_H_
#define QCONFORM_HARNESS_CORE_BENCH_TIMING_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cases/model/model.h"
#include "harness/core/peer.h"
#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// The upper of the two in the middle if there are two; 0 of nothing.
inline double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Returns the time in seconds.
using Clock = double (*)();

// Returns the seconds of one call, as the mean of `calls`; the first Error ends it.
template <typename Call>
Result<double> Time(int64_t calls, Clock now, const Call& call) {
  const double start = now();
  for (int64_t i = 0; i < calls; ++i) {
    if (const Status done = call(); !done) return done.error();
  }
  return (now() - start) / static_cast<double>(calls);
}

// The peer's side of a benchmark. The threads of a peer may spin for a long time after a
// call, on the cores that the kernels need: with several threads its node lives only in
// its own turns.
class PeerTurns {
 public:
  // `peer` may be null. `inputs` and `y` are as Peer::Prepare has them.
  PeerTurns(Peer* peer, Model model, std::vector<TensorView> inputs,
            const MutableTensorView& y, int threads, Clock now)
      : peer_(peer),
        model_(std::move(model)),
        inputs_(std::move(inputs)),
        y_(y),
        threads_(threads),
        now_(now) {
    if (peer_ == nullptr) return;
    const Status prepared = Prepare();
    if (!prepared) note_ = prepared.error().message;
    has_peer_ = prepared.ok();
  }

  // Whether the peer computes the node.
  bool has_peer() const { return has_peer_; }
  // The peer's words if it does not; may be empty.
  const std::string& note() const { return note_; }

  // Returns the seconds of one call, as the mean of `calls`. Precondition: has_peer().
  Result<double> Turn(int64_t calls) {
    const auto run = [this] { return node_->Run(); };
    if (node_ == nullptr) {
      if (const Status prepared = Prepare(); !prepared) return prepared.error();
      if (const auto warm = Time(3, now_, run); !warm) return warm.error();
    }
    const auto seconds = Time(calls, now_, run);
    if (threads_ > 1) node_.reset();
    return seconds;
  }

 private:
  Status Prepare() {
    auto prepared = peer_->Prepare(model_, inputs_, y_, threads_);
    if (!prepared) return prepared.error();
    node_ = *std::move(prepared);
    return Ok();
  }

  Peer* peer_;
  Model model_;
  std::vector<TensorView> inputs_;
  MutableTensorView y_;
  int threads_;
  Clock now_;
  bool has_peer_ = false;
  std::string note_;
  std::unique_ptr<PeerNode> node_;
};

// Returns how many bytes differ. Precondition: both have the same size.
inline int64_t DifferingBytes(const Tensor& a, const Tensor& b) {
  int64_t differing = 0;
  for (size_t i = 0; i < a.data.size(); ++i) differing += a.data[i] != b.data[i];
  return differing;
}

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_BENCH_TIMING_H_
