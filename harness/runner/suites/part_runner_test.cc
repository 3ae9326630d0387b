// A part of a model is asked inputs for its own constants, and judged as a cell is.
#include "harness/runner/suites/part_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <memory>
#include <string>
#include <utility>

#include "harness/backends/faulty/faulty_backend.h"
#include "harness/backends/oracle/oracle_backend.h"
#include "harness/runner/suites/part_inputs.h"
#include "harness/runner/testing/changed_backend.h"
#include "oracle/formats/codes.h"

namespace qconform {
namespace {

using testing::HasSubstr;

Tensor Codes(DataType type, Shape shape, const std::vector<uint64_t>& codes) {
  Tensor tensor = Tensor::Zeros(type, std::move(shape));
  for (size_t i = 0; i < codes.size(); ++i) {
    WriteCode(tensor.mutable_view(), static_cast<int64_t>(i), codes[i]);
  }
  return tensor;
}

Tensor Floats(Shape shape, const std::vector<float>& values) {
  std::vector<uint64_t> codes;
  for (const float value : values) codes.push_back(std::bit_cast<uint32_t>(value));
  return Codes(DataType::kFloat, std::move(shape), codes);
}

Node MakeNode(const char* op_type, std::vector<std::string> inputs, const char* output) {
  Node node;
  node.op_type = op_type;
  node.inputs = std::move(inputs);
  node.outputs = {output};
  return node;
}

// x[2,3,7] is quantized along axis 1 with scales that no suite has.
PartQuestion Quantizer() {
  PartQuestion question;
  question.part.name = "/conv1/in quant";
  Model& model = question.models.emplace_back();
  model.opset_version = 21;
  model.ir_version = 10;
  model.node = MakeNode("QuantizeLinear", {"x", "s", "z"}, "y");
  model.inputs = {{"x", DataType::kFloat, {2, 3, 7}}};
  model.outputs = {{"y", DataType::kUint8, {2, 3, 7}}};
  model.initializers = {{"s", Floats({3}, {0.0123F, 0.5F, 3.7F})},
                        {"z", Codes(DataType::kUint8, {3}, {9, 128, 3})}};
  question.cell = {.op_type = "QuantizeLinear",
                   .since_version = 21,
                   .types = {DataType::kFloat, DataType::kFloat, DataType::kUint8},
                   .granularity = "per_axis"};
  return question;
}

// y = Q(Relu(MatMul(DQ(a), DQ(b)))), K = 20.
PartQuestion Product() {
  PartQuestion question;
  question.part.name = "fc";
  question.part.graph = "DQ,DQ-MatMul-Relu-Q";
  Model model;
  model.opset_version = 21;
  model.ir_version = 10;
  model.node.op_type = kGraphOpType;
  model.node.inputs = {"a", "as", "az", "b", "bs", "ys", "yz"};
  model.node.outputs = {"y"};
  model.node.body = {MakeNode("DequantizeLinear", {"a", "as", "az"}, "af"),
                     MakeNode("DequantizeLinear", {"b", "bs"}, "bf"),
                     MakeNode("MatMul", {"af", "bf"}, "m"), MakeNode("Relu", {"m"}, "r"),
                     MakeNode("QuantizeLinear", {"r", "ys", "yz"}, "y")};
  model.inputs = {{"a", DataType::kUint8, {3, 20}}};
  model.outputs = {{"y", DataType::kUint8, {3, 5}}};
  std::vector<uint64_t> weights;
  for (uint64_t i = 0; i < 100; ++i) weights.push_back((i * 37 + 5) % 256);
  model.initializers = {{"as", Floats({}, {0.02F})},
                        {"az", Codes(DataType::kUint8, {}, {7})},
                        {"b", Codes(DataType::kInt8, {20, 5}, weights)},
                        {"bs", Floats({}, {0.0071F})},
                        {"ys", Floats({}, {0.05F})},
                        {"yz", Codes(DataType::kUint8, {}, {3})}};
  const auto made = MakePartQuestion(question.part, std::nullopt, "per_tensor", model);
  EXPECT_TRUE(made) << made.error().message;
  return *made;
}

CellRecord Judge(Backend& backend, const PartQuestion& question,
                 std::vector<StoredCase>* smallest = nullptr) {
  PartRequest request;
  request.parts = {&question};
  request.file = "my model.onnx";
  request.replay.backend = "mine";
  if (smallest != nullptr) {
    request.keep_smallest = [&](const PartQuestion&, const StoredCase& stored) {
      smallest->push_back(stored);
    };
  }
  std::vector<CellRecord> records;
  const std::atomic<bool> stop = false;
  EXPECT_TRUE(RunParts(
      backend, request, [&](CellRecord record) { records.push_back(std::move(record)); },
      stop));
  EXPECT_EQ(records.size(), 1u);
  return records.empty() ? CellRecord() : records.front();
}

TEST(Parts, ARightBackend_IsConformant) {
  const auto backend = MakeOracleBackend();
  for (const PartQuestion& question : {Quantizer(), Product()}) {
    const CellRecord record = Judge(*backend, question);
    EXPECT_EQ(record.verdict, Verdict::kConformant)
        << question.part.name << ": " << record.reason;
    EXPECT_EQ(record.cell, CellId(question.cell) + "#" + question.part.name);
    EXPECT_EQ(record.part, question.part);
    EXPECT_GE(record.cases, 16) << question.part.name;
    EXPECT_GT(record.coverage.at("saturated_high"), 0) << question.part.name;
  }
}

// Ties of 0.5 are exact, those of the other scales are not.
TEST(Parts, AWrongKernel_IsNamed) {
  for (const char* fault : {"ties_away", "first_scale_for_all", "zero_point_ignored",
                            "truncates", "last_element_unwritten"}) {
    const auto backend = MakeFaultyBackend(fault);
    ASSERT_TRUE(backend);
    const CellRecord record = Judge(**backend, Quantizer());
    EXPECT_EQ(record.verdict, Verdict::kNonconformant) << fault;
    EXPECT_THAT(record.diagnosis, HasSubstr(fault));
    ASSERT_FALSE(record.counterexamples.empty()) << fault;
    const Counterexample& example = record.counterexamples.front();
    EXPECT_THAT(example.case_id,
                HasSubstr("QuantizeLinear/21@21/FLOAT-FLOAT-UINT8/per_axis#/conv1/in "
                          "quant/initializers/model/"));
    EXPECT_EQ(example.replay,
              "qconform model 'my model.onnx' --part '/conv1/in quant' --backend mine "
              "--seed 1");
  }
}

TEST(Parts, AWrongGraph_IsNamed) {
  const PartQuestion question = Product();
  EXPECT_EQ(question.cell.op_type, "graphs.sums");
  // As VPMADDUBSW does.
  const auto backend = MakeFaultyBackend("pairs_of_products_in_16_bits");
  ASSERT_TRUE(backend);
  const CellRecord record = Judge(**backend, question);
  EXPECT_EQ(record.verdict, Verdict::kNonconformant);
  EXPECT_THAT(record.diagnosis, HasSubstr("pairs_of_products_in_16_bits"));
}

// y = Q(MatMul(DQ(a), DQ(w))) of a[1,1536], of whose weights four pairs exceed 16 bits.
// `joined`: `a` is quantized and `y` dequantized.
PartQuestion LongProduct(DataType codes, bool joined) {
  constexpr int64_t kTerms = 1536;
  constexpr int64_t kColumns = 8;
  std::vector<uint64_t> weights;
  for (uint64_t i = 0; i < kTerms * kColumns; ++i) weights.push_back((i % 31 - 15) % 256);
  for (const size_t at : {16u, 4099u, 8198u, 12269u}) {
    weights[at] = 100;
    weights[at + kColumns] = 90;
  }
  Model model;
  model.opset_version = 21;
  model.ir_version = 10;
  model.node.op_type = kGraphOpType;
  model.node.inputs = {"a", "as", "az", "w", "ws", "ys", "yz"};
  model.node.outputs = {"y"};
  model.node.body = {MakeNode("DequantizeLinear", {"a", "as", "az"}, "af"),
                     MakeNode("DequantizeLinear", {"w", "ws"}, "wf"),
                     MakeNode("MatMul", {"af", "wf"}, "m"),
                     MakeNode("QuantizeLinear", {"m", "ys", "yz"}, "y")};
  model.inputs = {{"a", codes, {1, kTerms}}};
  model.outputs = {{"y", codes, {1, kColumns}}};
  if (joined) {
    model.node.inputs.front() = "x";
    model.node.body.front().inputs.front() = "xq";
    model.node.body.back().outputs = {"yq"};
    model.node.body.insert(model.node.body.begin(),
                           MakeNode("QuantizeLinear", {"x", "as", "az"}, "xq"));
    model.node.body.push_back(MakeNode("DequantizeLinear", {"yq", "ys", "yz"}, "y"));
    model.inputs = {{"x", DataType::kFloat, {1, kTerms}}};
    model.outputs = {{"y", DataType::kFloat, {1, kColumns}}};
  }
  model.initializers = {{"as", Floats({}, {0.02F})},
                        {"az", Codes(codes, {}, {4})},
                        {"w", Codes(DataType::kInt8, {kTerms, kColumns}, weights)},
                        {"ws", Floats({}, {0.0071F})},
                        {"ys", Floats({}, {0.05F})},
                        {"yz", Codes(codes, {}, {3})}};
  const auto made = MakePartQuestion({.name = "long", .graph = "DQ,DQ-MatMul-Q"},
                                     std::nullopt, "per_tensor", model);
  EXPECT_TRUE(made) << made.error().message;
  return *made;
}

// Directed and random inputs have so many terms that the bound of reduced precision holds
// what is lost, or none of the few pairs.
TEST(Parts, AFewWrongPairsOfALongSum_AreFound) {
  const auto backend = MakeFaultyBackend("pairs_of_products_in_16_bits");
  ASSERT_TRUE(backend);
  const PartQuestion question = LongProduct(DataType::kUint8, false);
  const CellRecord record = Judge(**backend, question);
  EXPECT_EQ(record.verdict, Verdict::kNonconformant);
  EXPECT_THAT(record.diagnosis, HasSubstr("pairs_of_products_in_16_bits"));
  const CellRecord right = Judge(*MakeOracleBackend(), question);
  EXPECT_EQ(right.verdict, Verdict::kConformant) << right.reason;
  EXPECT_EQ(right.cases, record.cases);
}

// The cell that stands for a part with the nodes next to it has the types of these.
TEST(Parts, AWrongGraphWithTheNodesNextToIt_IsNamed) {
  const char* fault = "shifted_pairs_of_products_in_16_bits";
  const auto backend = MakeFaultyBackend(fault);
  ASSERT_TRUE(backend);
  const PartQuestion question = LongProduct(DataType::kInt8, true);
  EXPECT_EQ(question.cell.types.front(), DataType::kFloat);
  const CellRecord record = Judge(**backend, question);
  EXPECT_EQ(record.verdict, Verdict::kNonconformant);
  EXPECT_EQ(record.diagnosis, fault);
}

// y = Q(sum), where `sum` is a node of DQ(x), "xf", and DQ(w), "wf".
Model QuantizedSum(Node sum, ValueInfo x, Tensor w, Tensor w_scale, Shape y,
                   float y_scale) {
  Model model;
  model.opset_version = 21;
  model.ir_version = 10;
  model.node.op_type = kGraphOpType;
  model.node.inputs = {"x", "xs", "w", "ws", "ys", "yz"};
  model.node.outputs = {"y"};
  const std::string unquantized = sum.outputs.front();
  model.node.body = {MakeNode("DequantizeLinear", {"x", "xs"}, "xf"),
                     MakeNode("DequantizeLinear", {"w", "ws"}, "wf"), std::move(sum),
                     MakeNode("QuantizeLinear", {unquantized, "ys", "yz"}, "y")};
  model.inputs = {std::move(x)};
  model.outputs = {{"y", DataType::kUint8, std::move(y)}};
  model.initializers = {{"xs", Floats({}, {0.02F})},
                        {"w", std::move(w)},
                        {"ws", std::move(w_scale)},
                        {"ys", Floats({}, {y_scale})},
                        {"yz", Codes(DataType::kUint8, {}, {3})}};
  return model;
}

// y = Q(Conv(DQ(x), DQ(w))).
Model QuantizedConvolution(ValueInfo x, Tensor w, std::vector<Attribute> attributes,
                           Shape y, float y_scale) {
  Node conv = MakeNode("Conv", {"xf", "wf"}, "c");
  conv.attributes = std::move(attributes);
  return QuantizedSum(std::move(conv), std::move(x), std::move(w), Floats({}, {0.0071F}),
                      std::move(y), y_scale);
}

// Of [1,8,14,14] by [16,8,5,5], as in a small image classifier.
PartQuestion Convolution(DataType activations) {
  std::vector<uint64_t> weights;
  for (uint64_t i = 0; i < 3200; ++i) weights.push_back((i * 37 + 5) % 256);
  const Model model = QuantizedConvolution(
      {"x", activations, {1, 8, 14, 14}}, Codes(DataType::kInt8, {16, 8, 5, 5}, weights),
      {{"pads", std::vector<int64_t>{2, 2, 2, 2}}}, {1, 16, 14, 14}, 0.9F);
  const auto made = MakePartQuestion({.name = "conv", .graph = "DQ,DQ-Conv-Q"},
                                     std::nullopt, "per_tensor", model);
  EXPECT_TRUE(made) << made.error().message;
  return *made;
}

// Of 627 200 products, all of which each reading would evaluate again, a part is left.
TEST(Parts, AWrongConvolution_IsNamedWithASmallCase) {
  const PartQuestion question = Convolution(DataType::kUint8);
  for (const Model& model : question.models) {
    EXPECT_GT(*WorkOf(model), 10000);
    EXPECT_LE(*WorkOf(model), MostWorkOf(model));
  }
  const auto backend = MakeFaultyBackend("pairs_of_products_in_16_bits");
  ASSERT_TRUE(backend);
  std::vector<StoredCase> smallest;
  const CellRecord record = Judge(**backend, question, &smallest);
  EXPECT_EQ(record.verdict, Verdict::kNonconformant);
  EXPECT_THAT(record.diagnosis, HasSubstr("pairs_of_products_in_16_bits"));
  ASSERT_FALSE(record.counterexamples.empty());
  ASSERT_EQ(smallest.size(), 1u);
  EXPECT_LE(*ElementCount(smallest.front().inputs.front().shape), 16);
}

// Of 512 channels four slices have 64 each. Another one has the only pair beyond 16 bits.
TEST(Parts, AWrongPairInOneOfManyChannels_IsFound) {
  const auto backend = MakeFaultyBackend("pairs_of_products_in_16_bits");
  ASSERT_TRUE(backend);
  for (const auto& [channel, slices] : {std::pair(5u, 4u), std::pair(100u, 5u)}) {
    std::vector<uint64_t> weights;
    for (uint64_t i = 0; i < 512 * 72; ++i) weights.push_back((i % 31 - 15) % 256);
    weights[channel * 72 + 34] = 100;
    weights[channel * 72 + 35] = 90;
    const Model model = QuantizedConvolution(
        {"x", DataType::kUint8, {1, 8, 6, 6}},
        Codes(DataType::kInt8, {512, 8, 3, 3}, weights), {}, {1, 512, 4, 4}, 0.09F);
    const auto question = MakePartQuestion({.name = "conv", .graph = "DQ,DQ-Conv-Q"},
                                           std::nullopt, "per_tensor", model);
    ASSERT_TRUE(question) << question.error().message;
    EXPECT_EQ(question->models.front().outputs.front().shape[1], 64);
    EXPECT_EQ(question->models.size(), slices);
    EXPECT_EQ(Judge(**backend, *question).verdict, Verdict::kNonconformant) << channel;
  }
}

// The smallest case keeps the part's own constants, and deviates.
TEST(Parts, TheSmallestCase_IsKept) {
  const auto backend = MakeFaultyBackend("ties_away");
  ASSERT_TRUE(backend);
  std::vector<StoredCase> smallest;
  Judge(**backend, Quantizer(), &smallest);
  ASSERT_EQ(smallest.size(), 1u);
  EXPECT_THAT(smallest.front().why, HasSubstr("part /conv1/in quant of my model.onnx"));
  EXPECT_EQ(smallest.front().inputs.front().shape, Shape{1});
}

TEST(Parts, ABackendThatCrashes_CostsThePart) {
  ChangedBackend backend([](const Model&, auto, RunResult) -> RunResult {
    return BackendError{BackendError::Kind::kCrashed, "signal 11"};
  });
  const CellRecord record = Judge(backend, Quantizer());
  EXPECT_EQ(record.verdict, Verdict::kCrashed);
  EXPECT_THAT(record.reason, HasSubstr("signal 11"));
}

TEST(Parts, ABackendThatRefuses_IsSaidSo) {
  ChangedBackend declines([](const Model&, auto, RunResult) -> RunResult {
    return Unsupported{"no per-axis kernel", ""};
  });
  EXPECT_EQ(Judge(declines, Quantizer()).verdict, Verdict::kUnsupported);
  ChangedBackend refuses(
      [](const Model&, auto, RunResult) -> RunResult { return Refused{"bad scale"}; });
  EXPECT_EQ(Judge(refuses, Quantizer()).verdict, Verdict::kRefusedLegal);
}

// Quantizers write scales of shape [1] beside zero points of shape []: the specification
// leaves open whether that is valid, and what the values are is clear.
TEST(Parts, AModelThatIsOpen_IsJudgedIfItIsAnswered) {
  PartQuestion question;
  question.part.name = "open";
  Model& model = question.models.emplace_back();
  model.opset_version = 21;
  model.ir_version = 10;
  model.node = MakeNode("DequantizeLinear", {"x", "s", "z"}, "y");
  model.inputs = {{"x", DataType::kUint8, {1, 300}}};
  model.outputs = {{"y", DataType::kFloat, {1, 300}}};
  model.initializers = {{"s", Floats({1}, {0.0123F})},
                        {"z", Codes(DataType::kUint8, {}, {9})}};
  question.cell = {.op_type = "DequantizeLinear",
                   .since_version = 21,
                   .types = {DataType::kUint8, DataType::kFloat, DataType::kFloat},
                   .granularity = "per_tensor"};
  EXPECT_EQ(Judge(*MakeOracleBackend(), question).verdict, Verdict::kConformant);
  ChangedBackend refuses([](const Model&, auto, RunResult) -> RunResult {
    return Refused{"shapes differ"};
  });
  EXPECT_EQ(Judge(refuses, question).verdict, Verdict::kUnsupported);
  ChangedBackend wrong([](const Model&, auto, RunResult result) {
    Tensor& y = FirstOutput(result);
    WriteCode(y.mutable_view(), 0, ReadCode(y.view(), 0) ^ 1);
    return result;
  });
  std::vector<StoredCase> smallest;
  EXPECT_EQ(Judge(wrong, question, &smallest).verdict, Verdict::kNonconformant);
  ASSERT_EQ(smallest.size(), 1u);
  EXPECT_LE(*ElementCount(smallest.front().inputs.front().shape), 1);
}

// Constants that are read again when the part is asked.
TEST(Parts, WhatWasUnloaded_IsLoaded) {
  const PartQuestion whole = Product();
  PartQuestion question = whole;
  EXPECT_GT(BytesOfConstants(question), 100u);
  int loaded = 0;
  Unload(question, [&]() -> Result<std::vector<Model>> {
    ++loaded;
    return whole.models;
  });
  EXPECT_EQ(BytesOfConstants(question), 0u);
  EXPECT_EQ(Judge(*MakeOracleBackend(), question).verdict, Verdict::kConformant);
  EXPECT_EQ(loaded, 1);
}

// The activations of a run of the whole model are asked first.
TEST(Parts, Activations_AreAsked) {
  PartQuestion question = Quantizer();
  Tensor x = Tensor::Zeros(DataType::kFloat, {2, 3, 7});
  WriteCode(x.mutable_view(), 5, std::bit_cast<uint32_t>(12345.0F));
  question.activations = {{x}};
  ChangedBackend backend([](const Model&, auto inputs, RunResult result) {
    if (ReadCode(inputs.front(), 5) == std::bit_cast<uint32_t>(12345.0F)) {
      Tensor& y = FirstOutput(result);
      WriteCode(y.mutable_view(), 5, ReadCode(y.view(), 5) ^ 1);
    }
    return result;
  });
  const CellRecord record = Judge(backend, question);
  EXPECT_EQ(record.verdict, Verdict::kNonconformant);
  EXPECT_THAT(record.counterexamples.front().case_id, HasSubstr("/activations/0"));
}

// A convolution of [1,64,200,200] by [32,64,3,3]: the image becomes smaller, and the
// channels stay what the weights need.
TEST(MakePartQuestion, AConvolutionThatIsTooLarge_HasASmallerImage) {
  const Model model = QuantizedConvolution({"x", DataType::kUint8, {1, 64, 200, 200}},
                                           Tensor::Zeros(DataType::kInt8, {32, 64, 3, 3}),
                                           {}, {1, 32, 198, 198}, 0.05F);
  const auto question = MakePartQuestion({.name = "conv", .graph = "DQ,DQ-Conv-Q"},
                                         std::nullopt, "per_tensor", model);
  ASSERT_TRUE(question) << question.error().message;
  const Model& asked = question->models.front();
  EXPECT_EQ(asked.inputs.front().shape[1], 64);
  EXPECT_LT(asked.inputs.front().shape[2], 64);
  EXPECT_THAT(question->part.asked_as, HasSubstr("instead of [1,64,200,200]"));
}

TEST(FactsOfInputs, AreThoseOfTheNodes) {
  const auto quantizer = FactsOfInputs(Quantizer().models.front());
  ASSERT_TRUE(quantizer) << quantizer.error().message;
  const InputFacts& x = quantizer->front();
  EXPECT_EQ(x.kind, InputFacts::Kind::kNumbers);
  EXPECT_EQ(x.grid, DataType::kUint8);
  EXPECT_EQ(x.scales.size(), 3u);
  EXPECT_EQ(x.zero_points, (std::vector<uint64_t>{9, 128, 3}));
  ASSERT_EQ(x.channel.size(), 42u);
  EXPECT_EQ(x.channel[6], 0u);
  EXPECT_EQ(x.channel[7], 1u);
  EXPECT_EQ(x.channel[41], 2u);
  const auto product = FactsOfInputs(Product().models.front());
  ASSERT_TRUE(product) << product.error().message;
  EXPECT_EQ(product->front().kind, InputFacts::Kind::kCodes);
  EXPECT_EQ(product->front().zero_points, std::vector<uint64_t>{7});
  EXPECT_EQ(product->front().summed, std::vector<size_t>{1});
}

// Scales of blocks of four columns, the last of which is short.
TEST(FactsOfInputs, OfBlocks) {
  Model model;
  model.opset_version = 21;
  model.ir_version = 10;
  model.node = MakeNode("QuantizeLinear", {"x", "s"}, "y");
  model.node.attributes = {{"axis", int64_t{1}}, {"block_size", int64_t{4}}};
  model.inputs = {{"x", DataType::kFloat, {2, 6}}};
  model.outputs = {{"y", DataType::kUint8, {2, 6}}};
  model.initializers = {{"s", Floats({2, 2}, {1, 2, 3, 4})}};
  const auto facts = FactsOfInputs(model);
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(facts->front().channel,
            (std::vector<uint32_t>{0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3}));
}

TEST(MakePartQuestion, HalvesWhatConstantsDoNotHave) {
  const PartQuestion quantizer = Quantizer();
  Model model = quantizer.models.front();
  model.inputs.front().shape = model.outputs.front().shape = {64, 3, 100, 100};
  const auto large = MakePartQuestion(quantizer.part, quantizer.cell, "", model);
  ASSERT_TRUE(large) << large.error().message;
  EXPECT_THAT(large->part.asked_as, HasSubstr("instead of [64,3,100,100]"));
  const Shape& shape = large->models.front().inputs.front().shape;
  EXPECT_EQ(shape[1], 3);
  EXPECT_LE(*ElementCount(shape), int64_t{1} << 14);
  const auto small =
      MakePartQuestion(quantizer.part, quantizer.cell, "", quantizer.models.front());
  ASSERT_TRUE(small) << small.error().message;
  EXPECT_EQ(small->part.asked_as, "");
  EXPECT_EQ(small->models, quantizer.models);
}

// Weights of [2^15, 512] have more products in one row than the oracle takes: a few
// columns of them are asked, with their scales.
TEST(MakePartQuestion, WeightsThatAreTooLarge_AreAskedInSlices) {
  constexpr int64_t kTerms = 1 << 15;
  constexpr int64_t kColumns = 512;
  Tensor w = Tensor::Zeros(DataType::kInt8, {kTerms, kColumns});
  w.data.front() = std::byte{11};
  w.data.back() = std::byte{22};
  std::vector<float> scales(kColumns);
  for (size_t i = 0; i < scales.size(); ++i) {
    scales[i] = 0.001F * static_cast<float>(i + 1);
  }
  const Model model = QuantizedSum(MakeNode("MatMul", {"xf", "wf"}, "m"),
                                   {"x", DataType::kUint8, {32, kTerms}}, std::move(w),
                                   Floats({kColumns}, scales), {32, kColumns}, 3.0F);
  const auto large = MakePartQuestion({.name = "mm", .graph = "DQ,DQ-MatMul-Q"},
                                      std::nullopt, "per_axis", model);
  ASSERT_TRUE(large) << large.error().message;
  ASSERT_EQ(large->models.size(), 4u);
  EXPECT_THAT(large->part.asked_as,
              HasSubstr("w [32768,4] instead of [32768,512], ws [4] "
                        "instead of [512]; cases take turns with 4"));
  const Model& first = large->models.front();
  EXPECT_EQ(first.initializers[1].tensor.data.front(), std::byte{11});
  EXPECT_EQ(first.initializers[2].tensor, Floats({4}, {0.001F, 0.002F, 0.003F, 0.004F}));
  const Model& last = large->models.back();
  EXPECT_EQ(last.initializers[1].tensor.data.back(), std::byte{22});
  EXPECT_EQ(last.outputs.front().shape, (Shape{first.inputs.front().shape[0], 4}));
}

}  // namespace
}  // namespace qconform
