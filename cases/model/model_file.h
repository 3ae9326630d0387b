// A model file of any size, as plain structs. Its nodes, and the types and shapes of its
// values are read when it is opened; the data of its constants only when they are asked
// for, also if they lie in other files (external data).
#ifndef QCONFORM_CASES_MODEL_MODEL_FILE_H_
#define QCONFORM_CASES_MODEL_MODEL_FILE_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cases/model/model.h"
#include "oracle/base/node.h"
#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// A value of the graph: an input, a constant, or the output of a node.
struct FileValue {
  std::string name;
  // kUndefined: it is unknown, or the project does not have it; type_name tells which.
  DataType type = DataType::kUndefined;
  std::string type_name;  // ONNX's: "FLOAT", "BOOL", "SEQUENCE"; "" if it is unknown
  // -1: the size is not fixed. Nothing: the rank is unknown.
  std::optional<Shape> shape;
  std::vector<std::string> dim_params{};  // as ValueInfo's
};

// A constant: an initializer, or the output of a Constant node.
struct FileConstant {
  std::string name;
  DataType type = DataType::kUndefined;  // as FileValue's
  std::string type_name;
  Shape shape;
  std::string external_file{};  // the file that has the data, as the model names it
};

// A node of the graph. Constant nodes are constants and none of these.
struct FileNode {
  Node node;         // with the attributes that can be read
  std::string name;  // may be empty
  // Why an attribute is not read, such as "attribute 'body': type GRAPH is not read";
  // empty: all are.
  std::string unread;
  // The values that its subgraphs use and do not make, each once.
  std::vector<std::string> captured{};
  // The model has a function of this name, which replaces the operator.
  bool is_function = false;
};

// A node inside of another one, or of a function.
struct NestedNode {
  std::string domain;
  std::string op_type;
  std::string name;
  std::string where;  // "then_branch of If 'x'", "function com.example.Foo"
};

struct FileFunction {
  std::string domain;
  std::string name;
  size_t nodes = 0;
};

// Sizes for the dimensions that a model leaves open.
struct Sizes {
  std::map<std::string, int64_t> named{};  // by dim_param
  int64_t other = 1;                       // of all others

  friend auto operator<=>(const Sizes&, const Sizes&) = default;
};

// What is known of the values of a graph once its inputs have sizes.
struct KnownShapes {
  std::map<std::string, Shape, std::less<>> shapes;  // those that are known completely
  // The elements of integer values that follow from shapes, such as the shape that a
  // Reshape gets. In row-major order.
  std::map<std::string, std::vector<int64_t>, std::less<>> numbers;
};

class ModelFile {
 public:
  // Reads everything but the data of constants of more than kSmallBytes. An Error names
  // the file and what is wrong with it. It is no Error if there are operators, types or
  // attributes that the project does not know.
  static Result<ModelFile> Open(const std::filesystem::path& path);

  // Constants of up to this many bytes are kept.
  static constexpr uint64_t kSmallBytes = 4096;

  ModelFile(ModelFile&&) noexcept;
  ModelFile& operator=(ModelFile&&) noexcept;
  ~ModelFile();

  const std::filesystem::path& path() const;
  int ir_version() const;
  // The version of each domain in opset_import; ONNX's own is "".
  const std::map<std::string, int64_t>& opset_imports() const;
  // That of ONNX's own domain; 0 if it is not imported.
  int opset_version() const;

  const std::vector<FileNode>& nodes() const;  // in the order of the file
  // Graph inputs that are fed: those that are not constants as well.
  const std::vector<std::string>& inputs() const;
  const std::vector<std::string>& outputs() const;
  const std::vector<FileConstant>& constants() const;
  size_t constant_nodes() const;  // how many of the constants are Constant nodes
  const std::vector<FileFunction>& functions() const;
  const std::vector<NestedNode>& nested() const;

  // What ONNX's checker says against the model, constants that are not loaded being taken
  // for inputs; empty: nothing.
  const std::string& checker() const;

  // Each returns null or nothing if the graph has no such value.
  const FileValue* FindValue(std::string_view name) const;
  const FileConstant* FindConstant(std::string_view name) const;
  std::optional<size_t> ProducerOf(std::string_view name) const;  // a node
  // The nodes that read a value, themselves or in their subgraphs, each once.
  std::span<const size_t> ReadersOf(std::string_view name) const;
  bool IsOutput(std::string_view name) const;

  // Reads the data of a constant. An Error if there is no such constant, if type, shape
  // and data do not agree, or if the data lies in a file that is not below the model's
  // folder, is missing, or is too short.
  Result<Tensor> LoadConstant(std::string_view name) const;

  // Returns what ONNX's shape inference finds, kept for the sizes asked last.
  const KnownShapes& ShapesWith(const Sizes& sizes) const;

  // Returns the sizes with which most values have a known shape without a 0: the smallest
  // of a few for all open dimensions that `named` does not have.
  Sizes ChooseSizes(std::map<std::string, int64_t> named) const;

  // Returns the bytes of a ModelProto with just these nodes, as they are in the file, the
  // constants that they use, and all functions. `inputs` and `outputs` become those of
  // its graph. An input has the type and shape given for it, whatever number the type is;
  // if its type is kUndefined, those of the file. External data is put inside. An Error
  // if a value comes from nowhere, if the type of an input is not known, or if the model
  // would have 2 GiB or more.
  Result<std::string> ExtractBytes(std::span<const size_t> nodes,
                                   std::span<const ValueInfo> inputs,
                                   std::span<const std::string> outputs) const;

 private:
  struct State;
  explicit ModelFile(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

// Returns the outputs of a model's nodes that `names` names, with types and shapes, by
// ONNX's shape inference. `model.outputs` is not read. An Error if one is not found.
Result<std::vector<ValueInfo>> InferOutputs(const Model& model,
                                            std::span<const std::string> names);

}  // namespace qconform

#endif  // QCONFORM_CASES_MODEL_MODEL_FILE_H_
