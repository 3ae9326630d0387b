// The ledger of rewrites: whether what compilers make of a quantized graph gives the bits
// of the graph. `qconform prove rewrite` proves its rows; docs/rewrites.md shows them.
#ifndef QCONFORM_HARNESS_CORE_PROOFS_REWRITE_H_
#define QCONFORM_HARNESS_CORE_PROOFS_REWRITE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/result.h"

namespace qconform {

enum class Exactness : uint8_t {
  kExact,    // for all operands and parameters
  kExactIf,  // exactly where the condition holds
  kNever,    // under no condition that leaves the rewrite of use
};

// "exact", "exact if", "never".
std::string_view ExactnessName(Exactness exactness);

// How much of a row is evaluated.
enum class ProofSize : uint8_t { kSmall, kWhole };

// What was evaluated for a row.
struct RewriteProof {
  uint64_t evaluations = 0;  // elements of which both sides were compared
  // Where the two sides differ: outside of the condition, or of a row that is never
  // exact. Empty if the row is exact.
  std::string counterexample;
};

struct Rewrite {
  std::string_view name;  // "drop_pair"
  std::string_view before;
  std::string_view after;
  Exactness exactness = Exactness::kExact;
  std::string_view condition;  // kExactIf: necessary and sufficient
  std::string_view types;      // and parameters that are evaluated
  std::string_view argument;   // why the row holds also where nothing was evaluated
  // Evaluates both sides. An Error if one does not agree with the row, or cannot be
  // evaluated.
  Result<RewriteProof> (*prove)(ProofSize size) = nullptr;
};

// In the order of docs/rewrites.md.
std::span<const Rewrite> Rewrites();

struct ProvedRewrite {
  const Rewrite* rewrite = nullptr;
  RewriteProof proof;
};

// Returns docs/rewrites.md.
std::string RewritesPage(const std::vector<ProvedRewrite>& rows);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_PROOFS_REWRITE_H_
