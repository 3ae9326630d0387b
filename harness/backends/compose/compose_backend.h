// Graphs on a backend that knows single operators: each node that quantizes or
// dequantizes is a model of one node for the backend, and the oracle's definitions
// compute the float nodes between them.
#ifndef QCONFORM_HARNESS_BACKENDS_COMPOSE_COMPOSE_BACKEND_H_
#define QCONFORM_HARNESS_BACKENDS_COMPOSE_COMPOSE_BACKEND_H_

#include <memory>
#include <string>

#include "harness/backends/backend.h"

namespace qconform {

// What is appended to the name of a backend that is composed.
inline constexpr const char* kComposedSuffix = ", composed node by node";

// Returns a backend that runs graphs node by node on `inner`. Operands that are constants
// of the graph are constants of the node's model. A node's model is prepared when the
// graph first reaches it, since the sizes of its operands are known then, and is kept for
// further runs with equal sizes. Unsupported, Refused and BackendError of a node are
// those of the graph, and name the node by its number, from 1. Models of one operator go
// to `inner` as they are.
std::unique_ptr<Backend> MakeComposeBackend(std::unique_ptr<Backend> inner);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_COMPOSE_COMPOSE_BACKEND_H_
