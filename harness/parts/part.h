// The parts of a model: what qconform cuts out of it and judges as one question. A part
// is a quantized node, or a small graph of a float node with the DequantizeLinear nodes
// on its inputs and the QuantizeLinear nodes on its output.
#ifndef QCONFORM_HARNESS_PARTS_PART_H_
#define QCONFORM_HARNESS_PARTS_PART_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cases/lattice/cell.h"
#include "cases/model/model.h"
#include "cases/model/model_file.h"
#include "oracle/base/result.h"

namespace qconform {

struct Part {
  // The node's name; if it has none, its first output. Of a graph: the name of the float
  // node. Unique among the parts of a model ("conv", "conv #2").
  std::string name;
  // Indexes into ModelFile::nodes(), each after those that give its inputs. A node that
  // several graphs need belongs to each of them.
  std::vector<size_t> nodes;
  // The values that other nodes or the model's outputs use.
  std::vector<std::string> outputs;
  // "DQ,DQ-Conv-Q", as families spell it; the op_type of one node, with its domain in
  // front unless it is ONNX's own.
  std::string graph{};
  std::vector<std::string> types{};  // of its data, from the first input to the output
  std::string granularity{};         // of scales: "per_axis"; "" if it is unknown
  // Of a graph: the family that has graphs of this name; "": none has.
  std::string family{};
  // The cell of the lattice that it belongs to. Nothing: none, so that the part is asked
  // about, but no cell stands for it.
  std::optional<Cell> cell{};
  // Why it is not judged: "domain com.microsoft", "inside of then_branch of If 'x'".
  // Empty: it is judged.
  std::string not_judged{};
  // It breaks the specification; not_judged has the clause and the reason.
  bool is_invalid = false;
};

struct PartsOfModel {
  // In the order of the file, by the node that names each; those inside of subgraphs and
  // functions last.
  std::vector<Part> parts;
  // Nodes of ONNX's domain that quantize nothing and belong to no part, by op_type.
  std::map<std::string, int64_t> others{};
  // Of a model without quantized nodes: constants of at most 8 bits an element, by the
  // op_type of the node that reads them first.
  std::map<std::string, int64_t> unclaimed_constants{};
};

// Whether a node is one of ONNX's own operators, which no function replaces.
bool IsOwn(const FileNode& node);

// Whether it is one of the operators that are judged by themselves.
bool IsQuantized(const FileNode& node);

// Finds all parts. Each quantized node belongs to at least one of them. `sizes`, such as
// ModelFile::ChooseSizes gives, are those that the shapes of the parts are checked with.
PartsOfModel FindParts(const ModelFile& file, const Sizes& sizes);

// Returns the part as a model. Values that come from outside are its inputs, in the order
// in which its nodes first use them; constants are its initializers; shapes are the
// model's with these sizes. An Error if a shape is not known, a constant cannot be
// loaded, or ONNX's shape inference rejects the part.
Result<Model> CutOut(const ModelFile& file, const Part& part, const Sizes& sizes);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_PARTS_PART_H_
