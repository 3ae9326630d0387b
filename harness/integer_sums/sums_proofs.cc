#include "harness/integer_sums/sums_proofs.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "cases/lattice/lattice.h"
#include "harness/core/allows.h"
#include "harness/core/operand_text.h"
#include "harness/core/oracle_model.h"
#include "oracle/base/expected.h"
#include "oracle/formats/codes.h"

namespace qconform::integer_sums {
namespace {

constexpr int64_t kChunks = 256;

StoredCase CaseOf(const SumsOperator& op, Kind kind, const Sums& sums,
                  const Lines& lines) {
  AskedLines asked = op.ask(kind, sums, lines);
  if (kind == Kind::kPairs) {
    WriteCode(asked.a_zero_point.mutable_view(), 0, sums.a_zero_point);
    WriteCode(asked.b_zero_point.mutable_view(), 0, sums.b_zero_point);
  }
  StoredCase made;
  Model& model = made.model;
  model.opset_version = 10;
  model.ir_version = IrVersionFor(10);
  model.node.op_type = op.op_type;
  model.node.outputs = {std::string(op.y)};
  model.node.attributes = std::move(asked.attributes);
  model.outputs.push_back({std::string(op.y), DataType::kInt32, asked.y_shape});
  for (const auto& [name, tensor] : {std::pair(op.a, &asked.a), std::pair(op.b, &asked.b),
                                     std::pair(op.a_zero_point, &asked.a_zero_point),
                                     std::pair(op.b_zero_point, &asked.b_zero_point)}) {
    model.node.inputs.emplace_back(name);
    model.inputs.push_back({std::string(name), tensor->type, tensor->shape});
    made.inputs.push_back(std::move(*tensor));
  }
  return made;
}

class Worker : public ChunkWorker {
 public:
  Worker(const SumsOperator& op, Kind kind, const Sums& sums,
         std::unique_ptr<ModelAsker> asker)
      : op_(op), kind_(kind), sums_(sums), asker_(std::move(asker)) {}

  Status Run(int64_t chunk, ChunkRecord& record) override {
    for (int64_t model = 0; model < op_.models_per_chunk(kind_); ++model) {
      const Lines lines = op_.lines(kind_, chunk, model);
      const StoredCase asked = CaseOf(op_, kind_, sums_, lines);
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
    const auto oracle = OracleModel::Create(asked.model);
    if (!oracle) return oracle.error();
    const auto expected = oracle->Evaluate(ViewsOf(asked.inputs));
    if (!expected) return expected.error();
    const std::vector<ElementAnswer>& elements = expected->elements;
    const uint64_t inner = op_.is_b_outer ? lines.a.count : lines.b.count;
    for (size_t i = 0; i < elements.size(); ++i) {
      uint32_t actual = 0;
      std::memcpy(&actual, y.data() + sizeof(actual) * i, sizeof(actual));
      ++record.inputs;
      if (Allows(DataType::kInt32, elements[i], actual)) continue;
      ++record.mismatches;
      if (record.first.size() == kMismatchesKept) continue;
      const uint64_t a = op_.is_b_outer ? i % inner : i / inner;
      const uint64_t b = op_.is_b_outer ? i / inner : i % inner;
      record.first.push_back({.x = lines.a.first + a,
                              .scale = lines.b.first + b,
                              .zero_point = sums_.a_zero_point,
                              .expected = elements[i].code,
                              .actual = actual});
    }
    return Ok();
  }

  const SumsOperator op_;
  const Kind kind_;
  const Sums sums_;
  const std::unique_ptr<ModelAsker> asker_;
  bool is_prepared_ = false;
};

class Task : public ProofTask {
 public:
  Task(const SumsOperator& op, Kind kind, const Sums& sums, MakeModelAsker make_asker)
      : op_(op), kind_(kind), sums_(sums), make_asker_(std::move(make_asker)) {}

  Result<Proof> Prove() const override {
    return integer_sums::Prove(op_, kind_, sums_, make_asker_);
  }
  // Two codes of A.
  DataType x() const override { return DataType::kUint16; }
  DataType y() const override { return DataType::kInt32; }
  std::string reading() const override { return ""; }
  std::vector<std::unique_ptr<ProofTask>> OtherReadings() const override { return {}; }
  bool Explains(const SweepMismatch&) const override { return false; }
  StoredCase CaseOf(const SweepMismatch& mismatch) const override {
    return MismatchCase(op_, kind_, sums_, mismatch);
  }

 private:
  SumsOperator op_;
  Kind kind_;
  Sums sums_;
  MakeModelAsker make_asker_;
};

// "--a-zero-point" for "a_zero_point".
std::string FlagOf(std::string_view name) {
  std::string flag = "--" + std::string(name);
  std::ranges::replace(flag, '_', '-');
  return flag;
}

Result<Sums> ParseTypes(const SumsOperator& op, const std::string& text) {
  const size_t dash = text.find('-');
  const auto type = [&](const std::string& name) {
    const auto parsed = ParseDataType(name);
    const bool is_right =
        parsed && (*parsed == DataType::kInt8 || *parsed == DataType::kUint8);
    return is_right ? *parsed : DataType::kUndefined;
  };
  Sums sums;
  if (dash != std::string::npos) {
    sums.a = type(text.substr(0, dash));
    sums.b = type(text.substr(dash + 1));
  }
  if (sums.a == DataType::kUndefined || sums.b == DataType::kUndefined) {
    return Expected("types",
                    std::string(op.a) + "-" + std::string(op.b) +
                        " of INT8 and UINT8, such as UINT8-INT8",
                    "'" + text + "'");
  }
  return sums;
}

}  // namespace

void WriteLines(Kind kind, const CodeRange& lines, bool is_line_innermost, Tensor& tensor,
                Tensor& zero_point) {
  for (size_t i = 0; i < lines.count; ++i) {
    const uint64_t line = lines.first + i;
    const auto high = static_cast<std::byte>(line >> 8);
    const auto low = static_cast<std::byte>(line & 0xff);
    if (kind == Kind::kProducts) {
      tensor.data[i] = low;
      zero_point.data[i % zero_point.data.size()] = high;  // by line, or of all
    } else {
      tensor.data[is_line_innermost ? i : 2 * i] = high;
      tensor.data[is_line_innermost ? lines.count + i : 2 * i + 1] = low;
    }
  }
}

Result<Proof> Prove(const SumsOperator& op, Kind kind, const Sums& sums,
                    MakeModelAsker make_asker) {
  const std::string a(op.a), b(op.b), a_zero_point(op.a_zero_point),
      b_zero_point(op.b_zero_point);
  Proof proof;
  proof.question = {{"operator", std::string(op.op_type)},
                    {a, std::string(DataTypeName(sums.a))},
                    {b, std::string(DataTypeName(sums.b))}};
  if (kind == Kind::kProducts) {
    proof.kind = op.products_kind;
    proof.inputs = "all 2^16 codes of " + a + " and " + a_zero_point +
                   " by all 2^16 codes of " + b + " and " + b_zero_point;
  } else {
    proof.kind = op.pairs_kind;
    proof.inputs =
        "all 2^16 pairs of codes of " + a + " by all 2^16 pairs of codes of " + b;
    proof.question.push_back({a_zero_point, CodeToString(sums.a, sums.a_zero_point)});
    proof.question.push_back({b_zero_point, CodeToString(sums.b, sums.b_zero_point)});
  }
  proof.ran = "models of one node, with all inputs fed as tensors";
  proof.assumed = {"the oracle is asked every input; nothing is assumed of its answers"};
  proof.expected_inputs = kLines * kLines;
  proof.plan.identity = IdentityOf(proof);
  proof.plan.chunks = kChunks;
  proof.plan.make_worker = [op, kind, sums,
                            make_asker]() -> Result<std::unique_ptr<ChunkWorker>> {
    return std::unique_ptr<ChunkWorker>(
        std::make_unique<Worker>(op, kind, sums, make_asker()));
  };
  return proof;
}

StoredCase MismatchCase(const SumsOperator& op, Kind kind, const Sums& sums,
                        const SweepMismatch& mismatch) {
  StoredCase made = CaseOf(op, kind, sums, {{mismatch.x, 1}, {mismatch.scale, 1}});
  made.why = "found by a sweep: expected " +
             CodeToString(DataType::kInt32, mismatch.expected) + ", answered " +
             CodeToString(DataType::kInt32, mismatch.actual);
  return made;
}

SumsKind::SumsKind(const SumsOperator& op, Kind kind)
    : op_(op),
      kind_(kind),
      help_(std::string(op.op_type) + (kind == Kind::kProducts
                                           ? ": all products of differences, 2^32"
                                           : ": all sums of two products, 2^32")),
      a_flag_(FlagOf(op.a_zero_point)),
      b_flag_(FlagOf(op.b_zero_point)) {}

std::string_view SumsKind::name() const {
  return kind_ == Kind::kProducts ? op_.products_kind : op_.pairs_kind;
}

std::vector<FlagInfo> SumsKind::flags() const {
  const std::string a(op_.a), b(op_.b);
  std::vector<FlagInfo> flags = {{.name = "types",
                                  .help = "Types of " + a + " and " + b,
                                  .type = a + "-" + b,
                                  .is_required = true}};
  if (kind_ == Kind::kPairs) {
    flags.push_back({.name = a_flag_, .help = "Of " + a + "; 0 if it is not given"});
    flags.push_back({.name = b_flag_, .help = "Of " + b + "; 0 if it is not given"});
  }
  return flags;
}

Result<std::unique_ptr<ProofTask>> SumsKind::Make(const FlagValues& values,
                                                  const ProofSubject& subject) const {
  auto sums = ParseTypes(op_, values.at("types").text);
  if (!sums) return sums.error();
  for (const auto& [flag, type, code] :
       {std::tuple(&a_flag_, sums->a, &sums->a_zero_point),
        std::tuple(&b_flag_, sums->b, &sums->b_zero_point)}) {
    const auto given = values.find(*flag);
    if (given == values.end() || given->second.text.empty()) continue;
    const auto parsed = ParseOperand(type, given->second.text, *flag);
    if (!parsed) return parsed.error();
    *code = *parsed;
  }
  return std::unique_ptr<ProofTask>(
      std::make_unique<Task>(op_, kind_, *sums, subject.make_asker));
}

}  // namespace qconform::integer_sums
