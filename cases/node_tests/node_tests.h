// ONNX's backend node tests: folders test_NAME with model.onnx and
// test_data_set_N/{input,output}_I.pb. Their outputs are a second opinion, not
// the truth: they are compared with the oracle before they judge a backend.
#ifndef QCONFORM_CASES_NODE_TESTS_NODE_TESTS_H_
#define QCONFORM_CASES_NODE_TESTS_NODE_TESTS_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cases/model/model.h"
#include "cases/model/serialize.h"
#include "oracle/base/result.h"

namespace qconform {

struct DataSet {
  std::string name;  // "test_data_set_0"
  std::vector<Tensor>
      inputs;  // one for each of the model's inputs, of its type and shape
  std::vector<Tensor> outputs;  // one for each of the model's outputs, likewise
  std::vector<std::string> output_sha256;  // of the files
  // Why these outputs are known to be wrong (disputed.h), or empty.
  std::string disputed;
};

struct NodeTest {
  std::string name;       // "test_quantizelinear_axis"
  std::string directory;  // its place
  Model model;
  std::string model_sha256;  // of model.onnx
  // The result of ONNX's checker. A test of one release may break a rule that the
  // checker of another enforces, so it is run in spite of an Error.
  Status checked = Ok();
  std::vector<DataSet> data_sets;
};

// A folder that is not a valid node test; the message names file and reason.
struct BrokenNodeTest {
  std::string name;
  std::string message;
};

// A folder whose model is valid but not judged: another operator, or a graph that is not
// read.
struct SkippedNodeTest {
  std::string name;
  std::vector<std::string> operators;
  std::string reason;  // "has 9 nodes; graphs of 2 to 8 are read"
};

// All folders of a directory, sorted by name within each kind.
struct NodeTests {
  std::string directory;  // the directory that has the folders
  std::vector<NodeTest> tests;
  std::vector<BrokenNodeTest> broken;
  std::vector<SkippedNodeTest> skipped;
};

// Whether a graph may have nodes of the operator (OperatorsOf).
using IsGraphNodeOf = bool (*)(const std::string& op_type);

// Reads the node tests of the operators `op_types` (ONNX's own domain), and if
// `is_graph_node` is not null of graphs of 2 to kMostGraphNodes nodes, all of which it
// allows and one of which is of `op_types`. They are
// in `directory` itself, or where releases and packages keep them below it (node,
// data/node, backend/test/data/node, onnx/backend/test/data/node). `directory` may
// also be the folder of one test. A broken folder does not hide the others. Returns
// an Error if there is no directory, or if it has neither a node test of these
// operators nor a broken one; it says why the first folders are not read.
Result<NodeTests> ReadNodeTests(std::string_view directory,
                                std::span<const std::string> op_types,
                                IsGraphNodeOf is_graph_node = nullptr);

// A file that was written.
struct WrittenFile {
  std::string path;  // relative to the given directory
  std::string sha256;
};

// Writes DIRECTORY/NAME with model.onnx and one test_data_set_0, whose tensors have their
// data in `field`. Equal arguments give equal bytes on every machine. The folder appears
// completely or not at all. Returns an Error if it already exists, if `name` is not test_
// followed by letters, digits and any of _.,=-, or if the tensors are not those that
// the model asks for.
Result<std::vector<WrittenFile>> WriteNodeTest(std::string_view directory,
                                               std::string_view name, const Model& model,
                                               std::span<const Tensor> inputs,
                                               std::span<const Tensor> outputs,
                                               TensorField field = TensorField::kRawData);

}  // namespace qconform

#endif  // QCONFORM_CASES_NODE_TESTS_NODE_TESTS_H_
