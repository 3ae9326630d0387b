// Oracle and judge agree on what a fuzzer makes of their questions: a cell and a
// seed choose one, and the bytes that follow stand for codes of its operands.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "oracle/exact/operators/q_linear_mat_mul/q_linear_mat_mul.h"
#include "oracle/exact/operators/q_linear_mat_mul/testing/questions.h"
#include "oracle/exact/operators/quantize_linear/quantize_linear.h"
#include "oracle/exact/operators/quantize_linear/testing/questions.h"
#include "oracle/exact/testing/agreement.h"
#include "oracle/operators/q_linear_mat_mul/q_linear_mat_mul.h"
#include "oracle/operators/quantize_linear/quantize_linear.h"

namespace {

using namespace qconform;

// Takes numbers from the front; zeros where nothing is left.
class Bytes {
 public:
  Bytes(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  bool empty() const { return size_ == 0; }
  uint64_t Take(int bits) {
    uint64_t value = 0;
    for (int i = 0; i < bits; i += 8) {
      if (size_ == 0) break;
      value |= uint64_t{*data_++} << i;
      --size_;
    }
    return bits < 64 ? value & ((uint64_t{1} << bits) - 1) : value;
  }

 private:
  const uint8_t* data_;
  size_t size_;
};

void Overwrite(exact::Codes& codes, Bytes& bytes) {
  const int bits = exact::GetFormat(codes.type).bits;
  for (uint64_t& code : codes.codes) {
    if (bytes.empty()) return;
    code = bytes.Take(bits);
  }
}

void Check(const exact::Answer& judge, const Result<Answer>& oracle,
           const std::string& question) {
  const std::string difference = oracle.ok()
                                     ? agreement::Difference(judge, *oracle)
                                     : "the oracle refuses: " + oracle.error().message;
  if (difference.empty()) return;
  std::fprintf(stderr, "%s\n  %s\n", difference.c_str(), question.c_str());
  std::abort();
}

void AskQuantizeLinear(Bytes& bytes) {
  static const std::vector<agreement::QuantizeLinearCell> cells =
      agreement::QuantizeLinearCells();
  const agreement::QuantizeLinearCell& cell = cells[bytes.Take(16) % cells.size()];
  agreement::Random random(bytes.Take(16));
  const uint64_t reading = bytes.Take(8);
  exact::QuantizeLinearInput input = agreement::MakeQuestion(cell, random);
  Overwrite(input.y_scale, bytes);
  if (input.y_zero_point) Overwrite(*input.y_zero_point, bytes);
  Overwrite(input.x, bytes);
  const std::vector<QuantizeLinearReadings> all =
      ReadingCombinations(cell.since_version, static_cast<DataType>(cell.x),
                          static_cast<DataType>(cell.y_scale),
                          static_cast<DataType>(cell.y), input.precision);
  const QuantizeLinearReadings readings = all[reading % all.size()];
  const agreement::OracleProblem oracle(input);
  Check(exact::QuantizeLinear(input, agreement::JudgeReadings(readings)),
        EvaluateQuantizeLinear(oracle.problem(), readings), agreement::ToString(input));
}

void AskQLinearMatMul(Bytes& bytes) {
  static const std::vector<agreement::QLinearMatMulCell> cells =
      agreement::QLinearMatMulCells();
  const agreement::QLinearMatMulCell& cell = cells[bytes.Take(16) % cells.size()];
  agreement::Random random(bytes.Take(16));
  const uint64_t reading = bytes.Take(8);
  exact::QLinearMatMulInput input = agreement::MakeQuestion(cell, random);
  for (exact::Codes* operand :
       {&input.a_scale, &input.b_scale, &input.y_scale, &input.y_zero_point,
        &input.a_zero_point, &input.b_zero_point, &input.a, &input.b}) {
    Overwrite(*operand, bytes);
  }
  const std::vector<QLinearMatMulReadings> all = ReadingCombinations(
      static_cast<DataType>(cell.scale), static_cast<DataType>(cell.y));
  const QLinearMatMulReadings readings = all[reading % all.size()];
  const agreement::OracleMatMulProblem oracle(cell.since_version, input);
  Check(exact::QLinearMatMul(input, exact::Accumulate(input),
                             agreement::JudgeReadings(readings)),
        EvaluateQLinearMatMul(oracle.problem(), readings), agreement::ToString(input));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes bytes(data, size);
  if (bytes.Take(8) % 2 == 0) {
    AskQuantizeLinear(bytes);
  } else {
    AskQLinearMatMul(bytes);
  }
  return 0;
}
