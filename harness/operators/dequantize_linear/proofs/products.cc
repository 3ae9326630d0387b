#include "harness/operators/dequantize_linear/proofs/products.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "cases/exhaustive/chunks.h"
#include "cases/lattice/lattice.h"
#include "harness/core/allows.h"
#include "oracle/formats/codes.h"
#include "oracle/operators/dequantize_linear/element.h"
#include "oracle/operators/dequantize_linear/parameters.h"

namespace qconform::dequantize_linear {
namespace {

uint64_t CodesOf(DataType type) { return uint64_t{1} << BitWidth(type); }

// All codes of a scale, for one x.
ChunkedRange LineChunks(DataType x_scale) {
  return {{0, CodesOf(x_scale)}, uint64_t{1} << 24};
}

// All codes of a scale of 16 bits, for all x.
ChunkedRange PlaneChunks() { return {{0, 1 << 16}, 1 << 8}; }

// A tensor of equal codes.
Tensor Filled(DataType type, Shape shape, uint64_t code) {
  Tensor tensor = Tensor::Zeros(type, std::move(shape));
  for (int64_t i = 0; i < *ElementCount(tensor.shape); ++i) {
    WriteCode(tensor.mutable_view(), i, code);
  }
  return tensor;
}

// A model of one node; all its inputs are fed. The zero point has the scale's shape.
StoredCase CaseOf(const Products& products, Tensor x, Tensor x_scale,
                  std::optional<uint64_t> zero_point) {
  const Types& types = products.types;
  StoredCase made;
  Model& model = made.model;
  // A since_version is the first opset_version that has it.
  model.opset_version = types.since_version;
  model.ir_version = IrVersionFor(types.since_version);
  model.node.op_type = "DequantizeLinear";
  model.node.outputs = {"y"};
  model.outputs.push_back({"y", types.y, x.shape});
  const Shape scale_shape = x_scale.shape;
  const auto add = [&](const char* name, Tensor tensor) {
    model.node.inputs.push_back(name);
    model.inputs.push_back({name, tensor.type, tensor.shape});
    made.inputs.push_back(std::move(tensor));
  };
  add("x", std::move(x));
  add("x_scale", std::move(x_scale));
  if (zero_point) add("x_zero_point", Filled(types.x, scale_shape, *zero_point));
  if (types.x_scale != types.y) {
    model.node.attributes.push_back({"output_dtype", static_cast<int64_t>(types.y)});
  }
  return made;
}

// Compares the answers to one question after the other with the oracle's.
class Comparison {
 public:
  explicit Comparison(const Products& products)
      : products_(products),
        element_(products.types.x, products.types.x_scale, products.types.y,
                 ParametersOf(products.readings, products.types)) {
    if (products.zero_point) {
      zero_point_ = element_.PrepareZeroPoint(*products.zero_point);
    }
  }

  PreparedScale Prepare(uint64_t scale) const { return element_.PrepareScale(scale); }

  void Add(uint64_t x, uint64_t scale_code, const PreparedScale& scale, uint64_t actual,
           ChunkRecord& record) const {
    ElementAnswer answer;
    element_.Evaluate(x, scale, zero_point_, answer);
    ++record.inputs;
    if (answer.freedom == Freedom::kAnyCode) ++record.free;
    if (actual == answer.code || Allows(products_.types.y, answer, actual)) return;
    ++record.mismatches;
    if (record.first.size() == kMismatchesKept) return;
    record.first.push_back({.x = x,
                            .scale = scale_code,
                            .zero_point = products_.zero_point.value_or(0),
                            .expected = answer.code,
                            .actual = actual});
  }

 private:
  const Products products_;
  const Element element_;
  PreparedZeroPoint zero_point_;
};

// Asks models of one shape again and again.
class ModelSubject {
 public:
  explicit ModelSubject(std::unique_ptr<ModelAsker> asker) : asker_(std::move(asker)) {}

  // Returns the data of y.
  Result<std::vector<std::byte>> Ask(const StoredCase& asked) {
    if (asked.model.outputs.front().shape != shape_) {
      shape_.clear();
      if (Status made = asker_->Prepare(asked.model); !made) return made.error();
      shape_ = asked.model.outputs.front().shape;
    }
    return asker_->Run(ViewsOf(asked.inputs));
  }

 private:
  const std::unique_ptr<ModelAsker> asker_;
  Shape shape_;  // of the model; none is a scalar
};

uint64_t CodeAt(const std::vector<std::byte>& y, size_t size, size_t index) {
  uint64_t code = 0;
  std::memcpy(&code, y.data() + index * size, size);
  return code;
}

void WriteScales(uint64_t first, Tensor& x_scale) {
  const auto size = static_cast<size_t>(BitWidth(x_scale.type)) / 8;
  for (size_t at = 0; at < x_scale.data.size(); at += size) {
    std::memcpy(x_scale.data.data() + at, &first, size);
    ++first;
  }
}

class LinesWorker : public ChunkWorker {
 public:
  LinesWorker(const Products& products, std::unique_ptr<ModelAsker> asker)
      : products_(products), comparison_(products), subject_(std::move(asker)) {}

  Status Run(int64_t chunk, ChunkRecord& record) override {
    const ChunkedRange line = LineChunks(products_.types.x_scale);
    const uint64_t x = products_.x.value_or(static_cast<uint64_t>(chunk / line.chunks()));
    const CodeRange scales = line.At(chunk % line.chunks());
    const DataType y = products_.types.y;
    const auto size = static_cast<size_t>(BitWidth(y)) / 8;
    // Of a power of two scales each: all models of the chunk have one shape.
    const uint64_t batch = std::min<uint64_t>(scales.count, kBatch);
    const auto n = static_cast<int64_t>(batch);
    StoredCase asked =
        CaseOf(products_, Filled(products_.types.x, {1, n}, x),
               Tensor::Zeros(products_.types.x_scale, {n}), products_.zero_point);
    for (uint64_t done = 0; done < scales.count; done += batch) {
      const uint64_t first = scales.first + done;
      WriteScales(first, asked.inputs[1]);
      const auto answer = subject_.Ask(asked);
      if (!answer) return answer.error();
      for (uint64_t i = 0; i < batch; ++i) {
        comparison_.Add(x, first + i, comparison_.Prepare(first + i),
                        CodeAt(*answer, size, i), record);
      }
    }
    record.evaluations = record.oracle_evaluations = record.inputs;
    return Ok();
  }

 private:
  static constexpr uint64_t kBatch = 1 << 16;

  const Products products_;
  const Comparison comparison_;
  ModelSubject subject_;
};

class PlaneWorker : public ChunkWorker {
 public:
  PlaneWorker(const Products& products, std::unique_ptr<ModelAsker> asker)
      : types_(products.types), comparison_(products), subject_(std::move(asker)) {
    Tensor x = Tensor::Zeros(types_.x, {static_cast<int64_t>(CodesOf(types_.x))});
    for (uint64_t code = 0; code < CodesOf(types_.x); ++code) {
      WriteCode(x.mutable_view(), static_cast<int64_t>(code), code);
    }
    asked_ = CaseOf(products, std::move(x), Tensor::Zeros(types_.x_scale, {}),
                    products.zero_point);
  }

  Status Run(int64_t chunk, ChunkRecord& record) override {
    const CodeRange scales = PlaneChunks().At(chunk);
    const auto size = static_cast<size_t>(BitWidth(types_.y)) / 8;
    for (uint64_t i = 0; i < scales.count; ++i) {
      const uint64_t code = scales.first + i;
      WriteScales(code, asked_.inputs[1]);
      const auto answer = subject_.Ask(asked_);
      if (!answer) return answer.error();
      const PreparedScale scale = comparison_.Prepare(code);
      for (uint64_t x = 0; x < CodesOf(types_.x); ++x) {
        comparison_.Add(x, code, scale, CodeAt(*answer, size, x), record);
      }
    }
    record.evaluations = record.oracle_evaluations = record.inputs;
    return Ok();
  }

 private:
  const Types types_;
  const Comparison comparison_;
  ModelSubject subject_;
  StoredCase asked_;
};

Proof Describe(const Products& products, std::string kind) {
  const Types& types = products.types;
  Proof proof;
  proof.kind = std::move(kind);
  proof.question = {{"operator", "DequantizeLinear"},
                    {"since_version", std::to_string(types.since_version)},
                    {"x", std::string(DataTypeName(types.x))},
                    {"x_scale", std::string(DataTypeName(types.x_scale))},
                    {"y", std::string(DataTypeName(types.y))}};
  if (products.zero_point) {
    proof.question.push_back(
        {"x_zero_point", CodeToString(types.x, *products.zero_point)});
  }
  if (products.x) proof.question.push_back({"code", CodeToString(types.x, *products.x)});
  if (const std::string reading = ReadingOf(products); !reading.empty()) {
    proof.question.push_back({"reading", reading});
  }
  proof.ran = products.zero_point
                  ? "models of one node, with x, x_scale and x_zero_point fed as tensors"
                  : "models of one node, with x and x_scale fed as tensors";
  proof.assumed = {"the oracle is asked every input; nothing is assumed of its answers"};
  return proof;
}

template <typename Worker>
void SetPlan(const Products& products, int64_t chunks, MakeModelAsker make_asker,
             Proof& proof) {
  proof.plan.identity = IdentityOf(proof);
  proof.plan.chunks = chunks;
  proof.plan.make_worker = [products,
                            make_asker]() -> Result<std::unique_ptr<ChunkWorker>> {
    return std::unique_ptr<ChunkWorker>(std::make_unique<Worker>(products, make_asker()));
  };
}

}  // namespace

Result<Proof> ProveLines(const Products& products, MakeModelAsker make_asker) {
  const Types& types = products.types;
  if (!products.x && BitWidth(types.x) > 8) {
    return Error{"products-line: x has type " + std::string(DataTypeName(types.x)) +
                 ": expected --x, or a type of at most 8 bits"};
  }
  Proof proof = Describe(products, "products-line");
  const std::string scales = "all 2^" + std::to_string(BitWidth(types.x_scale)) +
                             " codes of x_scale, of type " +
                             std::string(DataTypeName(types.x_scale));
  const uint64_t lines = products.x ? 1 : CodesOf(types.x);
  proof.inputs = products.x ? "the code of x by " + scales
                            : "all " + std::to_string(lines) + " codes of x by " + scales;
  proof.expected_inputs = lines * CodesOf(types.x_scale);
  SetPlan<LinesWorker>(products,
                       static_cast<int64_t>(lines) * LineChunks(types.x_scale).chunks(),
                       std::move(make_asker), proof);
  return proof;
}

Result<Proof> ProvePlane(const Products& products, MakeModelAsker make_asker) {
  const Types& types = products.types;
  if (BitWidth(types.x) > 16 || BitWidth(types.x_scale) != 16) {
    return Error{"products-plane: x has type " + std::string(DataTypeName(types.x)) +
                 " and x_scale " + std::string(DataTypeName(types.x_scale)) +
                 ": expected x of at most 16 bits and FLOAT16 or BFLOAT16"};
  }
  Proof proof = Describe(products, "products-plane");
  proof.inputs = "all 2^" + std::to_string(BitWidth(types.x)) +
                 " codes of x by all 2^16 codes of x_scale";
  proof.expected_inputs = CodesOf(types.x) << 16;
  SetPlan<PlaneWorker>(products, PlaneChunks().chunks(), std::move(make_asker), proof);
  return proof;
}

std::vector<Products> OtherReadings(const Products& products) {
  std::vector<Products> others;
  for (const Readings& readings : ReadingCombinations(products.types)) {
    if (readings == Readings()) continue;
    others.push_back(products);
    others.back().readings = readings;
  }
  return others;
}

bool Explains(const Products& products, const SweepMismatch& mismatch) {
  const Types& types = products.types;
  const Element element(types.x, types.x_scale, types.y,
                        ParametersOf(products.readings, types));
  PreparedZeroPoint zero_point;
  if (products.zero_point) zero_point = element.PrepareZeroPoint(*products.zero_point);
  ElementAnswer answer;
  element.Evaluate(mismatch.x, element.PrepareScale(mismatch.scale), zero_point, answer);
  return Allows(types.y, answer, mismatch.actual);
}

std::string ReadingOf(const Products& products) {
  if (products.readings == Readings()) return "";
  return Spell(NamesOf(products.readings, products.types));
}

StoredCase MismatchCase(const Products& products, const SweepMismatch& mismatch) {
  const Types& types = products.types;
  StoredCase made =
      CaseOf(products, Filled(types.x, {1}, mismatch.x),
             Filled(types.x_scale, {}, mismatch.scale), products.zero_point);
  made.why = "found by a sweep: expected " + CodeToString(types.y, mismatch.expected) +
             ", answered " + CodeToString(types.y, mismatch.actual);
  return made;
}

}  // namespace qconform::dequantize_linear
