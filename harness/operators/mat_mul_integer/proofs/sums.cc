#include "harness/operators/mat_mul_integer/proofs/sums.h"

#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "cases/exhaustive/chunks.h"
#include "cases/lattice/lattice.h"
#include "harness/core/allows.h"
#include "oracle/formats/codes.h"
#include "oracle/operators/mat_mul_integer/mat_mul_integer.h"

namespace qconform::mat_mul_integer {
namespace {

// A line is a number of 16 bits: its two bytes are the codes that it stands for.
constexpr uint64_t kLines = 1 << 16;
constexpr uint64_t kRowsPerModel = 16;

std::byte High(uint64_t line) { return static_cast<std::byte>(line >> 8); }
std::byte Low(uint64_t line) { return static_cast<std::byte>(line & 0xff); }

// A chunk has the rows with one high byte.
ChunkedRange Chunks() { return {{0, kLines}, 256}; }

// Of the lines from `first` on. Products have the high byte as zero point and the low
// byte as element; pairs have both as elements.
struct Lines {
  CodeRange rows;
  CodeRange columns;
};

// What an element of a proof is made of.
enum class Kind : uint8_t { kProducts, kPairs };

StoredCase CaseOf(Kind kind, const Sums& sums, const Lines& lines) {
  const auto m = static_cast<int64_t>(lines.rows.count);
  const auto n = static_cast<int64_t>(lines.columns.count);
  const int64_t k = kind == Kind::kProducts ? 1 : 2;
  Tensor a = Tensor::Zeros(sums.a, {m, k});
  Tensor b = Tensor::Zeros(sums.b, {k, n});
  Tensor a_zero_point =
      Tensor::Zeros(sums.a, kind == Kind::kProducts ? Shape{m} : Shape{});
  Tensor b_zero_point =
      Tensor::Zeros(sums.b, kind == Kind::kProducts ? Shape{n} : Shape{});
  for (size_t i = 0; i < lines.rows.count; ++i) {
    const uint64_t row = lines.rows.first + i;
    if (kind == Kind::kProducts) {
      a.data[i] = Low(row);
      a_zero_point.data[i] = High(row);
    } else {
      a.data[2 * i] = High(row);
      a.data[2 * i + 1] = Low(row);
    }
  }
  for (size_t i = 0; i < lines.columns.count; ++i) {
    const uint64_t column = lines.columns.first + i;
    if (kind == Kind::kProducts) {
      b.data[i] = Low(column);
      b_zero_point.data[i] = High(column);
    } else {
      b.data[i] = High(column);
      b.data[lines.columns.count + i] = Low(column);
    }
  }
  if (kind == Kind::kPairs) {
    WriteCode(a_zero_point.mutable_view(), 0, sums.a_zero_point);
    WriteCode(b_zero_point.mutable_view(), 0, sums.b_zero_point);
  }

  StoredCase made;
  Model& model = made.model;
  model.opset_version = 10;
  model.ir_version = IrVersionFor(10);
  model.node.op_type = "MatMulInteger";
  model.node.outputs = {"Y"};
  model.outputs.push_back({"Y", DataType::kInt32, {m, n}});
  const auto add = [&](const char* name, Tensor tensor) {
    model.node.inputs.push_back(name);
    model.inputs.push_back({name, tensor.type, tensor.shape});
    made.inputs.push_back(std::move(tensor));
  };
  add("A", std::move(a));
  add("B", std::move(b));
  add("a_zero_point", std::move(a_zero_point));
  add("b_zero_point", std::move(b_zero_point));
  return made;
}

class Worker : public ChunkWorker {
 public:
  Worker(Kind kind, const Sums& sums, std::unique_ptr<ModelAsker> asker)
      : kind_(kind), sums_(sums), asker_(std::move(asker)) {}

  Status Run(int64_t chunk, ChunkRecord& record) override {
    const CodeRange rows = Chunks().At(chunk);
    for (uint64_t done = 0; done < rows.count; done += kRowsPerModel) {
      const Lines lines{{rows.first + done, kRowsPerModel}, {0, kLines}};
      const StoredCase asked = CaseOf(kind_, sums_, lines);
      if (!is_prepared_) {  // all models have one shape
        if (Status made = asker_->Prepare(asked.model); !made) return made;
        is_prepared_ = true;
      }
      const auto y = asker_->Run(ViewsOf(asked.inputs));
      if (!y) return y.error();
      if (Status compared = Compare(asked, lines, *y, record); !compared) return compared;
    }
    record.evaluations = record.oracle_evaluations = record.inputs;
    return Ok();
  }

 private:
  Status Compare(const StoredCase& asked, const Lines& lines,
                 const std::vector<std::byte>& y, ChunkRecord& record) const {
    const auto expected = EvaluateMatMulInteger({.since_version = 10,
                                                 .a = asked.inputs[0].view(),
                                                 .b = asked.inputs[1].view(),
                                                 .a_zero_point = asked.inputs[2].view(),
                                                 .b_zero_point = asked.inputs[3].view()});
    if (!expected) return expected.error();
    for (size_t i = 0; i < expected->elements.size(); ++i) {
      const ElementAnswer& element = expected->elements[i];
      uint32_t actual = 0;
      std::memcpy(&actual, y.data() + 4 * i, sizeof(actual));
      ++record.inputs;
      if (Allows(DataType::kInt32, element, actual)) continue;
      ++record.mismatches;
      if (record.first.size() == kMismatchesKept) continue;
      record.first.push_back({.x = lines.rows.first + i / kLines,
                              .scale = i % kLines,
                              .zero_point = sums_.a_zero_point,
                              .expected = element.code,
                              .actual = actual});
    }
    return Ok();
  }

  const Kind kind_;
  const Sums sums_;
  const std::unique_ptr<ModelAsker> asker_;
  bool is_prepared_ = false;
};

Proof Describe(Kind kind, const Sums& sums, MakeModelAsker make_asker) {
  Proof proof;
  proof.question = {{"operator", "MatMulInteger"},
                    {"A", std::string(DataTypeName(sums.a))},
                    {"B", std::string(DataTypeName(sums.b))}};
  if (kind == Kind::kProducts) {
    proof.kind = "integer-products";
    proof.inputs =
        "all 2^16 codes of A and a_zero_point by all 2^16 codes of B and b_zero_point";
  } else {
    proof.kind = "integer-pairs";
    proof.inputs = "all 2^16 pairs of codes of A by all 2^16 pairs of codes of B";
    proof.question.push_back({"a_zero_point", CodeToString(sums.a, sums.a_zero_point)});
    proof.question.push_back({"b_zero_point", CodeToString(sums.b, sums.b_zero_point)});
  }
  proof.ran = "models of one node, with all inputs fed as tensors";
  proof.assumed = {"the oracle is asked every input; nothing is assumed of its answers"};
  proof.expected_inputs = kLines * kLines;
  proof.plan.identity = IdentityOf(proof);
  proof.plan.chunks = Chunks().chunks();
  proof.plan.make_worker = [kind, sums,
                            make_asker]() -> Result<std::unique_ptr<ChunkWorker>> {
    return std::unique_ptr<ChunkWorker>(
        std::make_unique<Worker>(kind, sums, make_asker()));
  };
  return proof;
}

StoredCase MismatchCase(Kind kind, const Sums& sums, const SweepMismatch& mismatch) {
  StoredCase made = CaseOf(kind, sums, {{mismatch.x, 1}, {mismatch.scale, 1}});
  made.why = "found by a sweep: expected " +
             CodeToString(DataType::kInt32, mismatch.expected) + ", answered " +
             CodeToString(DataType::kInt32, mismatch.actual);
  return made;
}

}  // namespace

Result<Proof> ProveProducts(const Sums& sums, MakeModelAsker make_asker) {
  return Describe(Kind::kProducts, sums, std::move(make_asker));
}

Result<Proof> ProvePairs(const Sums& sums, MakeModelAsker make_asker) {
  return Describe(Kind::kPairs, sums, std::move(make_asker));
}

StoredCase ProductsCase(const Sums& sums, const SweepMismatch& mismatch) {
  return MismatchCase(Kind::kProducts, sums, mismatch);
}

StoredCase PairsCase(const Sums& sums, const SweepMismatch& mismatch) {
  return MismatchCase(Kind::kPairs, sums, mismatch);
}

}  // namespace qconform::mat_mul_integer
