// Small models for tests of the reference path, as files.
#ifndef QCONFORM_HARNESS_REFERENCE_PATH_TESTING_SMALL_MODELS_H_
#define QCONFORM_HARNESS_REFERENCE_PATH_TESTING_SMALL_MODELS_H_

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cases/model/model.h"
#include "cases/model/model_file.h"
#include "harness/backends/backend.h"
#include "harness/backends/whole_model.h"
#include "harness/reference_path/reference_path.h"
#include "oracle/base/result.h"

namespace qconform {

Tensor Floats(Shape shape, const std::vector<float>& values);
Tensor Bytes(DataType type, Shape shape, const std::vector<int>& values);
Node MakeNode(const char* op_type, std::vector<std::string> inputs, const char* output,
              std::vector<Attribute> attributes = {});

// A graph without nodes of opset_version 13.
Model EmptyGraph();

// x [4] is quantized by 0.5 with the zero point 10, dequantized to d, goes through Relu,
// and is quantized by 1 to y, and dequantized to z. q, d, r, y and z are the values'
// names.
Model TwoStages();

// A folder that is removed with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Writes a model to NAME.onnx in the folder and opens it; ends the program if that fails.
ModelFile WrittenModel(const TemporaryFolder& folder, const std::string& name,
                       const Model& model);

// Runs whole models node by node on another backend, which computes the judged nodes; the
// oracle's definitions compute the others. `change` may change the outputs.
class NodeByNode : public Backend, public RunsWholeModels {
 public:
  using Change = void (*)(Outputs&);
  explicit NodeByNode(std::unique_ptr<Backend> inner, Change change = nullptr)
      : inner_(std::move(inner)), change_(change) {}

  const BackendInfo& info() const override { return inner_->info(); }
  PrepareResult Prepare(const Model& model) override { return inner_->Prepare(model); }
  PrepareResult PrepareWhole(const WholeModel& model) override;

 private:
  TemporaryFolder folder_;
  std::unique_ptr<Backend> inner_;
  Change change_;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_REFERENCE_PATH_TESTING_SMALL_MODELS_H_
