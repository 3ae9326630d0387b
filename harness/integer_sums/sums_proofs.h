// Proofs of exact sums of products of 8-bit integers, for every operator that has them.
// All are asked as models of one node. docs/proofs.md says what each proves.
#ifndef QCONFORM_HARNESS_INTEGER_SUMS_SUMS_PROOFS_H_
#define QCONFORM_HARNESS_INTEGER_SUMS_SUMS_PROOFS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cases/corpus/stored_case.h"
#include "cases/exhaustive/chunks.h"
#include "harness/core/proofs/model_asker.h"
#include "harness/core/proofs/proof.h"
#include "harness/core/proofs/proof_kind.h"
#include "oracle/base/attribute.h"
#include "oracle/base/result.h"
#include "oracle/tensor/data_type.h"
#include "oracle/tensor/tensor.h"

namespace qconform::integer_sums {

// What an element of y is: one product of differences, with the high byte of a line as
// the zero point and the low byte as the element; or the sum of two products, with both
// bytes of a line as elements.
enum class Kind : uint8_t { kProducts, kPairs };

// The types of the two operands, and the zero points of all sums of pairs.
struct Sums {
  DataType a = DataType::kUndefined;
  DataType b = DataType::kUndefined;
  uint64_t a_zero_point = 0;  // codes
  uint64_t b_zero_point = 0;
};

// A line is a number of 16 bits: its two bytes are the codes that it stands for.
inline constexpr uint64_t kLines = 1 << 16;

// What a model asks: every line of A with every line of B.
struct Lines {
  CodeRange a;
  CodeRange b;
};

// Writes the codes of lines into an operand and its zero point. The two elements of a
// line of pairs lie side by side, or, if `is_line_innermost`, as far apart as there are
// lines.
void WriteLines(Kind kind, const CodeRange& lines, bool is_line_innermost, Tensor& tensor,
                Tensor& zero_point);

// The operands that ask them, as the operator's first four inputs, and the attributes.
// The zero points of pairs are filled in later.
struct AskedLines {
  Tensor a, b, a_zero_point, b_zero_point;
  std::vector<Attribute> attributes{};
  Shape y_shape{};
};

// What the proofs have to know of an operator.
struct SumsOperator {
  std::string_view op_type;
  std::string_view a, b, a_zero_point, b_zero_point, y;  // names of inputs and output
  std::string_view products_kind;                        // "integer-products"
  std::string_view pairs_kind;
  // Whether lines of B are the outer dimension of y, and those of A the inner one.
  bool is_b_outer = false;

  // How many models ask a chunk, and the lines of one of them. The models of a proof have
  // one shape, and all 256 chunks together ask every line of A with every line of B.
  int64_t (*models_per_chunk)(Kind kind) = nullptr;
  Lines (*lines)(Kind kind, int64_t chunk, int64_t model) = nullptr;
  AskedLines (*ask)(Kind kind, const Sums& sums, const Lines& lines) = nullptr;
};

// All products, or all sums of two products. With kProducts the zero points of `sums`
// have no meaning.
Result<Proof> Prove(const SumsOperator& op, Kind kind, const Sums& sums,
                    MakeModelAsker make_asker);

// The case of one element that shows a mismatch.
StoredCase MismatchCase(const SumsOperator& op, Kind kind, const Sums& sums,
                        const SweepMismatch& mismatch);

// The kind of proof that asks one of them.
class SumsKind : public ProofKind {
 public:
  SumsKind(const SumsOperator& op, Kind kind);

  std::string_view name() const override;
  std::string_view help() const override { return help_; }
  std::string_view example_reading() const override { return ""; }
  std::vector<FlagInfo> flags() const override;
  Result<std::unique_ptr<ProofTask>> Make(const FlagValues& values,
                                          const ProofSubject& subject) const override;

 private:
  SumsOperator op_;
  Kind kind_;
  std::string help_, a_flag_, b_flag_;  // "--a-zero-point"
};

}  // namespace qconform::integer_sums

#endif  // QCONFORM_HARNESS_INTEGER_SUMS_SUMS_PROOFS_H_
