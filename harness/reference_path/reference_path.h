// The reference path: what a model's values are if each node that qconform judges is
// computed by the built-in kernels or the oracle, and all others by an implementation
// that is trusted with them. Parts of the model are asked about with these values, and
// whole runs of a backend are compared with them.
#ifndef QCONFORM_HARNESS_REFERENCE_PATH_REFERENCE_PATH_H_
#define QCONFORM_HARNESS_REFERENCE_PATH_REFERENCE_PATH_H_

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cases/model/model_file.h"
#include "harness/backends/backend.h"
#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

using NamedTensors = std::map<std::string, Tensor, std::less<>>;
using ValueNames = std::set<std::string, std::less<>>;

// Who computes the nodes.
struct ReferencePath {
  // Asked for each node that qconform judges, in this order, until one has an answer: the
  // built-in kernels, then the oracle.
  std::vector<Backend*> judged{};
  // Runs all other nodes, as whole models. Null: the oracle's definitions of float nodes
  // compute them as far as it has any.
  Backend* others = nullptr;
};

// A node that could not be computed. What depends on it is not known.
struct StoppedNode {
  size_t node = 0;      // its index in ModelFile::nodes()
  std::string name;     // the node's name, or its first output
  std::string op_type;  // with its domain in front unless it is ONNX's own
  std::string reason;

  // Returns the node and the reason as a sentence.
  std::string Words() const;
};

struct ReferenceValues {
  NamedTensors values;  // those asked for that are known
  std::vector<StoppedNode> stopped;
};

// Computes the values `wanted` from the graph's inputs, which have the types and shapes
// that the model declares. Nodes that are not judged run together, as many as possible at
// once, and nothing runs that `wanted` does not need. An Error if the file cannot be
// read.
Result<ReferenceValues> EvaluateModel(const ModelFile& file, const ReferencePath& path,
                                      const NamedTensors& inputs,
                                      const ValueNames& wanted);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_REFERENCE_PATH_REFERENCE_PATH_H_
