// A small model file of two parts, and `qconform model` on it.
#ifndef QCONFORM_HARNESS_CLI_MODEL_TESTING_JUDGED_MODEL_H_
#define QCONFORM_HARNESS_CLI_MODEL_TESTING_JUDGED_MODEL_H_

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "../../testing/cli_folder.h"
#include "../../testing/run_tool.h"
#include "cases/model/serialize.h"
#include "oracle/base/file.h"
#include "oracle/formats/codes.h"

namespace qconform {

inline Tensor Codes(DataType type, Shape shape, const std::vector<uint64_t>& codes) {
  Tensor tensor = Tensor::Zeros(type, std::move(shape));
  for (size_t i = 0; i < codes.size(); ++i) {
    WriteCode(tensor.mutable_view(), static_cast<int64_t>(i), codes[i]);
  }
  return tensor;
}

inline Tensor Float(float value) {
  return Codes(DataType::kFloat, {}, {std::bit_cast<uint32_t>(value)});
}

inline Node MakeNode(const char* op_type, std::vector<std::string> inputs,
                     const char* output) {
  Node node;
  node.op_type = op_type;
  node.inputs = std::move(inputs);
  node.outputs = {output};
  return node;
}

// Writes a model of two parts: codes = Q(x), product = Q(MatMul(DQ(codes), DQ(b))).
class JudgedModel : public CliFolder {
 protected:
  void SetUp() override {
    CliFolder::SetUp();
    Model model;
    model.opset_version = 21;
    model.ir_version = 10;
    model.node.op_type = kGraphOpType;
    model.node.inputs = {"x", "s", "z", "b", "bs", "ys", "yz"};
    model.node.outputs = {"y"};
    model.node.body = {MakeNode("QuantizeLinear", {"x", "s", "z"}, "codes"),
                       MakeNode("DequantizeLinear", {"codes", "s", "z"}, "af"),
                       MakeNode("DequantizeLinear", {"b", "bs"}, "bf"),
                       MakeNode("MatMul", {"af", "bf"}, "product"),
                       MakeNode("QuantizeLinear", {"product", "ys", "yz"}, "y")};
    model.inputs = {{"x", DataType::kFloat, {3, 20}}};
    model.outputs = {{"y", DataType::kUint8, {3, 5}}};
    std::vector<uint64_t> weights;
    for (uint64_t i = 0; i < 100; ++i) weights.push_back((i * 37 + 5) % 256);
    model.initializers = {{"s", Float(0.5F)},
                          {"z", Codes(DataType::kUint8, {}, {7})},
                          {"b", Codes(DataType::kInt8, {20, 5}, weights)},
                          {"bs", Float(0.0071F)},
                          {"ys", Float(0.31F)},
                          {"yz", Codes(DataType::kUint8, {}, {3})}};
    ASSERT_TRUE(WriteFileAtomically(Path("net.onnx"), SerializeModel(model)));
  }

  // Runs `qconform model net.onnx` with these flags, and a report "r.json".
  Ran Judge(const std::string& flags) const {
    return RunTool("model " + Path("net.onnx") + " --no-progress -o " + Path("r.json") +
                   " " + flags);
  }
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_MODEL_TESTING_JUDGED_MODEL_H_
