// The parameters that the rows of the ledger are evaluated with.
#ifndef QCONFORM_HARNESS_GRAPHS_PROOFS_PARAMETERS_H_
#define QCONFORM_HARNESS_GRAPHS_PROOFS_PARAMETERS_H_

#include <cstdint>
#include <vector>

#include "harness/core/proofs/rewrite.h"
#include "oracle/tensor/data_type.h"

namespace qconform::graphs {

// The integer types that QuantizeLinear gives at the newest opset_version.
const std::vector<DataType>& IntegerTypes();

// Least and greatest integer of a type.
int64_t Least(DataType type);
int64_t Greatest(DataType type);

// All integers of a type; of 16 bits every seventh (of the small
// size: every 251st) and those at the ends.
std::vector<int64_t> AllIntegers(DataType type, ProofSize size);

// Zero points: all of a type of at most 8 bits (of the small size: and of 16 bits, five
// of them: the ends, those beside them, and the middle).
std::vector<int64_t> ZeroPoints(DataType type, ProofSize size);

// Finite scales other than 0, of both signs: powers of two and others, the greatest and
// least numbers, those at which products of differences with them overflow, and their
// neighbours.
std::vector<float> Scales(ProofSize size);

// Scales between 2^-20 and 2^20, the simplest first.
std::vector<float> PlainScales(ProofSize size);

// FLOATs around every place where QuantizeLinear's code changes, the ends of the range
// and the infinities.
std::vector<float> ThresholdInputs(float scale, DataType type);

// Whether d * scale becomes infinite by rounding to FLOAT.
bool Overflows(int64_t d, float scale);

}  // namespace qconform::graphs

#endif  // QCONFORM_HARNESS_GRAPHS_PROOFS_PARAMETERS_H_
