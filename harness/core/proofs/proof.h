// An exhaustive proof: what is proved, and the numbered chunks that prove it.
// docs/proofs.md says what each kind proves, and why.
#ifndef QCONFORM_HARNESS_CORE_PROOFS_PROOF_H_
#define QCONFORM_HARNESS_CORE_PROOFS_PROOF_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "oracle/base/result.h"
#include "reports/record/sweep_record.h"

namespace qconform {

// Does chunks, on one thread.
class ChunkWorker {
 public:
  virtual ~ChunkWorker() = default;
  // Fills all of `record` except its number. An Error is a fault of the harness, or a
  // backend that does not answer.
  virtual Status Run(int64_t chunk, ChunkRecord& record) = 0;
};

struct SweepPlan {
  // Everything that decides the contents of the chunks, and who answers; in one line.
  std::string identity;
  int64_t chunks = 0;
  std::function<Result<std::unique_ptr<ChunkWorker>>()> make_worker;
};

struct Proof {
  std::string kind;
  std::string ran;     // which code answers
  std::string inputs;  // "all 2^32 codes of x": what a complete sweep visits
  std::vector<std::pair<std::string, std::string>> question;
  std::vector<std::string> assumed;
  uint64_t expected_inputs = 0;  // of all chunks
  SweepPlan plan;
};

// Returns the kind of a proof and its question in one line, for SweepPlan::identity.
inline std::string IdentityOf(const Proof& proof) {
  std::string identity = proof.kind;
  for (const auto& [name, value] : proof.question) identity += " " + name + " " + value;
  return identity;
}

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_PROOFS_PROOF_H_
