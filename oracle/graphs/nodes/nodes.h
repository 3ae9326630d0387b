// The wiring of each float node (wiring.h). Inputs, attributes and types are checked
// already.
#ifndef QCONFORM_ORACLE_GRAPHS_NODES_NODES_H_
#define QCONFORM_ORACLE_GRAPHS_NODES_NODES_H_

#include "oracle/graphs/nodes/definition.h"

namespace qconform::graphs {

// movers.cc: all elements of the operand, in another order or shape, or several times.
Result<Wiring> WireIdentity(const NodeReader& node);
Result<Wiring> WireTranspose(const NodeReader& node);
Result<Wiring> WireReshape(const NodeReader& node);
Result<Wiring> WireFlatten(const NodeReader& node);
Result<Wiring> WireSqueeze(const NodeReader& node);
Result<Wiring> WireUnsqueeze(const NodeReader& node);
Result<Wiring> WireExpand(const NodeReader& node);
Result<Wiring> WireTile(const NodeReader& node);
Result<Wiring> WireDepthToSpace(const NodeReader& node);
Result<Wiring> WireSpaceToDepth(const NodeReader& node);

// parts.cc: parts of operands, or more than an operand.
Result<Wiring> WireSlice(const NodeReader& node);
Result<Wiring> WireSplit(const NodeReader& node);
Result<Wiring> WireConcat(const NodeReader& node);
Result<Wiring> WireGather(const NodeReader& node);
Result<Wiring> WireGatherElements(const NodeReader& node);
Result<Wiring> WirePad(const NodeReader& node);
Result<Wiring> WirePadWithWrap(const NodeReader& node);  // with the mode "wrap"

// reductions.cc
Result<Wiring> WireReduceMax(const NodeReader& node);
Result<Wiring> WireReduceMin(const NodeReader& node);
Result<Wiring> WireReduceMean(const NodeReader& node);
Result<Wiring> WireArgMax(const NodeReader& node);
Result<Wiring> WireArgMin(const NodeReader& node);

// elementwise.cc
Result<Wiring> WireMax(const NodeReader& node);
Result<Wiring> WireMin(const NodeReader& node);
Result<Wiring> WireRelu(const NodeReader& node);
Result<Wiring> WireClip(const NodeReader& node);
Result<Wiring> WireAdd(const NodeReader& node);
Result<Wiring> WireSub(const NodeReader& node);
Result<Wiring> WireMul(const NodeReader& node);
Result<Wiring> WireDiv(const NodeReader& node);
Result<Wiring> WirePRelu(const NodeReader& node);
Result<Wiring> WireLeakyRelu(const NodeReader& node);
Result<Wiring> WireHardSigmoid(const NodeReader& node);
Result<Wiring> WireHardSwish(const NodeReader& node);
Result<Wiring> WireNeg(const NodeReader& node);
Result<Wiring> WireAbs(const NodeReader& node);
Result<Wiring> WireCast(const NodeReader& node);

// products.cc
Result<Wiring> WireMatMul(const NodeReader& node);
Result<Wiring> WireGemm(const NodeReader& node);
Result<Wiring> WireConv(const NodeReader& node);

// pools.cc
Result<Wiring> WireMaxPool(const NodeReader& node);
Result<Wiring> WireAveragePool(const NodeReader& node);
Result<Wiring> WireGlobalAveragePool(const NodeReader& node);

}  // namespace qconform::graphs

#endif  // QCONFORM_ORACLE_GRAPHS_NODES_NODES_H_
