// ONNX's backend node tests: folders test_NAME with model.onnx and
// test_data_set_N/{input,output}_I.pb. Their outputs are a second opinion, not
// the truth: they are checked against the oracle before they judge a backend.
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
  // Why these outputs are known to be wrong (disputed.h); else empty.
  std::string disputed;
};

struct NodeTest {
  std::string name;       // "test_quantizelinear_axis"
  std::string directory;  // where it lies
  Model model;
  std::string model_sha256;  // of model.onnx
  // The result of ONNX's checker. A test of one release may break a rule that the
  // checker of another enforces, so an error here is no reason not to run it.
  Status checked = Ok();
  std::vector<DataSet> data_sets;
};

// A folder that is no sound node test; the message names file and reason.
struct BrokenNodeTest {
  std::string name;
  std::string message;
};

// A folder whose model is sound but none of ours: another operator, or several.
struct SkippedNodeTest {
  std::string name;
  std::vector<std::string> operators;
};

// All folders of a directory, each kind in the order of names.
struct NodeTests {
  std::string directory;  // the one that holds the folders
  std::vector<NodeTest> tests;
  std::vector<BrokenNodeTest> broken;
  std::vector<SkippedNodeTest> skipped;
};

// Reads the node tests of the operators `op_types` (ONNX's own domain). They lie
// in `directory` itself, or where releases and packages keep them below it
// (node, data/node, backend/test/data/node, onnx/backend/test/data/node);
// `directory` may also be one test's folder. A folder that is broken does not
// hide the others. An error where there is no directory, or where neither a node
// test of these operators nor a broken one is found.
Result<NodeTests> ReadNodeTests(std::string_view directory,
                                std::span<const std::string> op_types);

// A file that was written.
struct WrittenFile {
  std::string path;  // below the directory that was given
  std::string sha256;
};

// Writes DIRECTORY/NAME with model.onnx and one test_data_set_0, whose tensors have
// their data in `field`: equal arguments give equal bytes on every machine. The folder
// appears whole or not at all. An error where it is there already, where `name` is not
// test_ and letters, digits and any of _.,=-, or where the tensors are not those that the
// model asks for.
Result<std::vector<WrittenFile>> WriteNodeTest(std::string_view directory,
                                               std::string_view name, const Model& model,
                                               std::span<const Tensor> inputs,
                                               std::span<const Tensor> outputs,
                                               TensorField field = TensorField::kRawData);

}  // namespace qconform

#endif  // QCONFORM_CASES_NODE_TESTS_NODE_TESTS_H_
