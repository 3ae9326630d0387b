// Model files are other people's: any bytes may be one. What is read can be listed, cut
// out and extracted, and what is cut out is a model that can be read.
#include <sys/mman.h>

#include <numeric>
#include <string>
#include <vector>

#include "cases/model/model_file.h"
#include "cases/model/serialize.h"
#include "harness/parts/part.h"
#include "oracle/base/file.h"
#include "oracle/base/testing/tested_reader.h"

namespace qconform {
namespace {

// One graph with a node of each kind, as seeds to change.
std::string Seed(std::string op_type, std::vector<std::string> inputs, DataType x,
                 DataType y) {
  Model model;
  model.opset_version = 21;
  model.ir_version = 10;
  model.node = {std::move(op_type), "", std::move(inputs), {"y"}, {}};
  model.inputs = {{"x", x, {2, 3}}};
  model.outputs = {{"y", y, {2, 3}}};
  model.initializers = {{"scale", Tensor::Zeros(DataType::kFloat, {})}};
  return SerializeModel(model);
}

std::string GraphSeed() {
  Model model;
  model.opset_version = 13;
  model.ir_version = 8;
  model.node = {kGraphOpType,
                "",
                {"x", "scale", "w"},
                {"y"},
                {},
                {{"DequantizeLinear", "", {"x", "scale"}, {"a"}, {}},
                 {"DequantizeLinear", "", {"w", "scale"}, {"b"}, {{"axis", int64_t{0}}}},
                 {"MatMul", "", {"a", "b"}, {"c"}, {}},
                 {"Relu", "", {"c"}, {"d"}, {}},
                 {"QuantizeLinear", "", {"d", "scale"}, {"y"}, {}}}};
  model.inputs = {{"x", DataType::kUint8, {2, 3}}};
  model.outputs = {{"y", DataType::kUint8, {2, 4}}};
  model.initializers = {{"scale", Tensor::Zeros(DataType::kFloat, {})},
                        {"w", Tensor::Zeros(DataType::kInt8, {3, 4})}};
  return SerializeModel(model);
}

ReadAs ReadParts(std::string_view bytes) {
  const Descriptor memory(memfd_create("model", MFD_CLOEXEC));
  if (memory.get() < 0 || !WriteWhole(memory.get(), bytes)) {
    return ReadAs::kError;
  }
  const auto file = ModelFile::Open("/proc/self/fd/" + std::to_string(memory.get()));
  if (!file) return Outcome(file);
  for (const FileConstant& constant : file->constants()) {
    const auto tensor = file->LoadConstant(constant.name);
    Require(!tensor || tensor->shape == constant.shape, "a constant has its shape");
  }
  const Sizes sizes = file->ChooseSizes({});
  const PartsOfModel found = FindParts(*file, sizes);
  std::vector<bool> is_in_part(file->nodes().size());
  for (const Part& part : found.parts) {
    for (const size_t node : part.nodes) is_in_part[node] = true;
    const auto model = CutOut(*file, part, sizes);
    Require(!model || !part.nodes.empty(), "what is cut out has nodes");
    if (!model || !part.not_judged.empty()) continue;
    const auto again = ParseModel(SerializeModel(*model));
    Require(again.ok(), "a part that is cut out can be read");
  }
  for (size_t i = 0; i < is_in_part.size(); ++i) {
    Require(is_in_part[i] || !IsQuantized(file->nodes()[i]),
            "each quantized node is in a part");
  }
  std::vector<size_t> all(file->nodes().size());
  std::iota(all.begin(), all.end(), size_t{0});
  std::vector<ValueInfo> inputs;
  for (const std::string& name : file->inputs()) inputs.push_back({name, DataType::kUndefined, {}});
  (void)file->ExtractBytes(all, inputs, file->outputs());
  return ReadAs::kWhole;
}

}  // namespace

std::vector<TestedReader> TestedReaders() {
  const auto models = [] {
    return std::vector{
        Seed("QuantizeLinear", {"x", "scale"}, DataType::kFloat, DataType::kUint8),
        Seed("DequantizeLinear", {"x", "scale"}, DataType::kInt8, DataType::kFloat),
        Seed("DynamicQuantizeLinear", {"x"}, DataType::kFloat, DataType::kUint8),
        GraphSeed()};
  };
  return {{.name = "parts",
           .read = ReadParts,
           .documents = models,
           .beginnings_are_whole = true,
           .cuts = 300}};
}

}  // namespace qconform
