// A peer: another implementation whose speed is measured next to that of the built-in
// kernels, in the same process.
#ifndef QCONFORM_HARNESS_CORE_BENCH_PEER_H_
#define QCONFORM_HARNESS_CORE_BENCH_PEER_H_

#include <memory>
#include <span>
#include <string>

#include "cases/model/model.h"
#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// One node with its operands bound: all that can be done before the clock runs is
// done. Used from one thread.
class PeerNode {
 public:
  virtual ~PeerNode() = default;
  // Computes y once, from the operands that Prepare was given into the y that it
  // was given.
  virtual Status Run() = 0;
};

class Peer {
 public:
  virtual ~Peer() = default;
  // Name and version, such as "onnxruntime 1.30.0".
  virtual std::string name() const = 0;
  // Returns the node made ready, for at most `threads` threads. `inputs` are the
  // model's graph inputs in their order; they and `y` stay valid and in place as
  // long as the node lives. An Error, in the peer's words, if it has no kernel
  // for the node: such rows have no ratio.
  virtual Result<std::unique_ptr<PeerNode>> Prepare(const Model& model,
                                                    std::span<const TensorView> inputs,
                                                    const MutableTensorView& y,
                                                    int threads) = 0;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_BENCH_PEER_H_
