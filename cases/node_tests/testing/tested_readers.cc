// The reader of node tests: one file of a folder is any bytes, the others are right.
#include <fstream>

#include "cases/node_tests/node_tests.h"
#include "oracle/base/file.h"
#include "oracle/base/testing/temporary_directory.h"
#include "oracle/base/testing/tested_reader.h"

namespace qconform {
namespace {

constexpr const char* kOpTypes[] = {"QuantizeLinear"};

class ExampleFolder {
 public:
  ExampleFolder() {
    Model model;
    model.opset_version = 21;
    model.ir_version = 10;
    model.node = {"QuantizeLinear", "", {"x", "y_scale"}, {"y"}, {}};
    model.inputs = {{"x", DataType::kFloat, {2}}, {"y_scale", DataType::kFloat, {}}};
    model.outputs = {{"y", DataType::kUint8, {2}}};
    const std::vector<Tensor> inputs = {Tensor::Zeros(DataType::kFloat, {2}),
                                        Tensor::Zeros(DataType::kFloat, {})};
    const std::vector<Tensor> outputs = {Tensor::Zeros(DataType::kUint8, {2})};
    Require(WriteNodeTest(folder_.path().string(), "test_example", model, inputs, outputs)
                .ok(),
            "a node test can be written");
  }

  std::string Contents(const std::string& file) const {
    return ReadFile(folder_ / ("test_example/" + file)).value();
  }

  // Reads the folder with these bytes in the file.
  ReadAs Read(const std::string& file, std::string_view bytes) const {
    const auto path = folder_ / ("test_example/" + file);
    const std::string right = Contents(file);
    const auto write = [&](std::string_view text) {
      std::ofstream stream(path, std::ios::binary);
      stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    };
    write(bytes);
    const std::vector<std::string> op_types(std::begin(kOpTypes), std::end(kOpTypes));
    const auto read = ReadNodeTests(folder_.path().string(), op_types);
    write(right);
    if (!read) return Outcome(read);
    for (const BrokenNodeTest& broken : read->broken) {
      Require(!broken.message.empty(), "a broken node test has its reason");
    }
    return read->tests.size() == 1 ? ReadAs::kWhole : ReadAs::kError;
  }

 private:
  TemporaryDirectory folder_;
};

TestedReader FileReader(const std::string& name, const std::string& file) {
  static const ExampleFolder folder;
  return {name, [file](std::string_view bytes) { return folder.Read(file, bytes); },
          [file] { return std::vector{folder.Contents(file)}; }};
}

}  // namespace

std::vector<TestedReader> TestedReaders() {
  return {FileReader("node_test_model", "model.onnx"),
          FileReader("node_test_input", "test_data_set_0/input_0.pb"),
          FileReader("node_test_output", "test_data_set_0/output_0.pb")};
}

}  // namespace qconform
