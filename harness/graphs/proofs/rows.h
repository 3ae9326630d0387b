// The proofs of the rows of the ledger (harness/core/proofs/rewrite.h).
#ifndef QCONFORM_HARNESS_GRAPHS_PROOFS_ROWS_H_
#define QCONFORM_HARNESS_GRAPHS_PROOFS_ROWS_H_

#include "harness/core/proofs/rewrite.h"

namespace qconform::graphs {

// pairs.cc
Result<RewriteProof> ProveDropPair(ProofSize size);
Result<RewriteProof> ProveDropPairAroundMover(ProofSize size);
Result<RewriteProof> ProveDropPairAroundPad(ProofSize size);
Result<RewriteProof> ProveDropPairAroundChooser(ProofSize size);
Result<RewriteProof> ProveDropPairAroundArgMax(ProofSize size);
Result<RewriteProof> ProveDropQuantizeDequantize(ProofSize size);
Result<RewriteProof> ProveMergePairs(ProofSize size);
Result<RewriteProof> ProveRequantizeByMultiplier(ProofSize size);

// activations.cc
Result<RewriteProof> ProveReluIntoQuantize(ProofSize size);
Result<RewriteProof> ProveReluAsBound(ProofSize size);
Result<RewriteProof> ProveClipIntoQuantize(ProofSize size);
Result<RewriteProof> ProveClipAsBounds(ProofSize size);

// dequantize.cc
Result<RewriteProof> ProveDequantizePastMover(ProofSize size);
Result<RewriteProof> ProveDequantizePastChooser(ProofSize size);
Result<RewriteProof> ProveUnsignedBySigned(ProofSize size);
Result<RewriteProof> ProveQuantizeUnsignedBySigned(ProofSize size);

// integer_forms.cc
Result<RewriteProof> ProveBiasToInt32(ProofSize size);
Result<RewriteProof> ProveMatMulToInteger(ProofSize size);
Result<RewriteProof> ProveConvToInteger(ProofSize size);
Result<RewriteProof> ProveMatMulOfPowersOfTwo(ProofSize size);
Result<RewriteProof> ProveAddToInteger(ProofSize size);
Result<RewriteProof> ProveAddOfEqualScales(ProofSize size);
Result<RewriteProof> ProveMulToInteger(ProofSize size);

}  // namespace qconform::graphs

#endif  // QCONFORM_HARNESS_GRAPHS_PROOFS_ROWS_H_
