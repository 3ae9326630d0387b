// Readers of model.onnx and *.pb take any bytes. A model that they read stays the
// same when it is written and read again.
#include <fstream>

#include "cases/model/model_file.h"
#include "cases/model/serialize.h"
#include "oracle/base/testing/temporary_directory.h"
#include "oracle/base/testing/tested_reader.h"

namespace qconform {
namespace {

Model ExampleModel() {
  Model model;
  model.opset_version = 25;
  model.ir_version = 11;
  model.node = {
      "QuantizeLinear", "", {"x", "y_scale", ""}, {"y"}, {{"axis", int64_t{0}}}};
  model.inputs = {{"x", DataType::kFloat, {2, 3}}};
  model.outputs = {{"y", DataType::kUint8, {2, 3}}};
  model.initializers = {{"y_scale", Tensor::Zeros(DataType::kFloat, {})}};
  return model;
}

Model ExampleGraph() {
  Model graph = ExampleModel();
  graph.node = {
      kGraphOpType,
      "",
      {"x", "y_scale"},
      {"y"},
      {},
      {{"LeakyRelu", "", {"x"}, {"h"}, {{"alpha", 0.5f}}},
       {"QuantizeLinear", "", {"h", "y_scale"}, {"y"}, {{"axis", int64_t{0}}}}}};
  return graph;
}

ReadAs ReadModelBytes(std::string_view bytes) {
  const auto operators = OperatorsOf(bytes);
  if (!operators) Outcome(operators);
  const Result<Model> model = ParseModel(bytes);
  if (!model) return Outcome(model);
  const std::string written = SerializeModel(*model);
  const Result<Model> again = ParseModel(written);
  Require(again.ok(), "a written model can be read");
  Require(SerializeModel(*again) == written, "a model is written as it was read");
  return ReadAs::kWhole;
}

// What ONNX's checker and its shape inference are given: bytes that nobody has read yet.
ReadAs CheckModelBytes(std::string_view bytes) { return Outcome(CheckModel(bytes)); }

ReadAs ReadTensorBytes(std::string_view bytes) {
  const Result<Tensor> tensor = ParseTensor(bytes);
  if (!tensor) return Outcome(tensor);
  const std::string written = SerializeTensor(*tensor, "t");
  const Result<Tensor> again = ParseTensor(written);
  Require(again.ok() && *again == *tensor, "a tensor is read as it was written");
  return ReadAs::kWhole;
}

// Fields of a protobuf message: bytes of fewer than 128, and small numbers.
std::string Field(int number, const std::string& bytes) {
  return std::string(1, static_cast<char>(number << 3 | 2)) +
         static_cast<char>(bytes.size()) + bytes;
}
std::string Field(int number, char value) {
  return std::string(1, static_cast<char>(number << 3)) + value;
}

// A ModelProto of y = Mul(x, w), with the data of w in the file w.bin.
std::string ModelWithExternalData() {
  const auto vector_of_two = [](const std::string& name) {
    const std::string shape = Field(1, Field(1, char{2}));
    return Field(1, name) + Field(2, Field(1, Field(1, char{1}) + Field(2, shape)));
  };
  const std::string place = Field(1, "location") + Field(2, "w.bin");
  const std::string w = Field(1, char{2}) + Field(2, char{1}) + Field(8, "w") +
                        Field(13, place) + Field(14, char{1});
  const std::string node =
      Field(1, "x") + Field(1, "w") + Field(2, "y") + Field(4, "Mul");
  const std::string graph = Field(1, node) + Field(2, "g") + Field(5, w) +
                            Field(11, vector_of_two("x")) + Field(12, vector_of_two("y"));
  return Field(1, char{8}) + Field(7, graph) + Field(8, Field(2, char{13}));
}

// A folder with a model and its external data; one of the two is any bytes.
class ModelFolder {
 public:
  ReadAs Read(std::string_view model, std::string_view data) const {
    Write("model.onnx", model);
    Write("w.bin", data);
    const Result<ModelFile> file = ModelFile::Open(folder_ / "model.onnx");
    if (!file) return Outcome(file);
    ReadAs read = file->checker().empty() ? ReadAs::kWhole : ReadAs::kPart;
    for (const FileConstant& constant : file->constants()) {
      const auto loaded = file->LoadConstant(constant.name);
      if (!loaded) read = Outcome(loaded);
    }
    file->ShapesWith(file->ChooseSizes({}));
    const std::vector<size_t> first(file->nodes().empty() ? 0 : 1);
    Outcome(file->ExtractBytes(first, {}, file->outputs()));
    return read;
  }

 private:
  void Write(const std::string& name, std::string_view bytes) const {
    std::ofstream stream(folder_ / name, std::ios::binary);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

  TemporaryDirectory folder_;
};

ReadAs ReadModelFile(std::string_view bytes) {
  static const ModelFolder folder;
  return folder.Read(bytes, "12345678");
}

ReadAs ReadExternalData(std::string_view bytes) {
  static const ModelFolder folder;
  static const std::string model = ModelWithExternalData();
  return folder.Read(model, bytes);
}

}  // namespace

std::vector<TestedReader> TestedReaders() {
  const auto models = [] {
    return std::vector{SerializeModel(ExampleModel()), SerializeModel(ExampleGraph())};
  };
  const auto tensors = [] {
    const Tensor nibbles = Tensor::Zeros(DataType::kInt4, {5});
    return std::vector{SerializeTensor(Tensor::Zeros(DataType::kFloat, {2}), "y_scale"),
                       SerializeTensor(nibbles, "x")};
  };
  return {{"model", ReadModelBytes, models},
          {"checker", CheckModelBytes, models},
          {"tensor", ReadTensorBytes, tensors},
          {"model_file", ReadModelFile,
           [] {
             return std::vector{ModelWithExternalData(), SerializeModel(ExampleModel()),
                                SerializeModel(ExampleGraph())};
           }},
          {"external_data", ReadExternalData,
           [] { return std::vector<std::string>{"12345678"}; }}};
}

}  // namespace qconform
