// The interface of an operator to code that does not know it: operands with roles,
// outputs, clauses, readings and answers. A folder of oracle/operators implements it; the
// registry of all operators is generated from QCONFORM_OPERATORS.
#ifndef QCONFORM_ORACLE_CORE_OPERATOR_H_
#define QCONFORM_ORACLE_CORE_OPERATOR_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/attribute.h"
#include "oracle/base/result.h"
#include "oracle/core/answer.h"
#include "oracle/core/clauses.h"
#include "oracle/core/dimensions.h"
#include "oracle/core/reading_set.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

enum class OperandRole : uint8_t { kData, kWeight, kBias, kScale, kZeroPoint };

struct OperandInfo {
  std::string_view name;  // the schema's: "y_zero_point"
  OperandRole role = OperandRole::kData;
  bool is_optional = false;
  // For a scale or zero point: the position of the operand that it belongs to; nothing:
  // it belongs to the output.
  std::optional<size_t> of{};
};

struct OutputInfo {
  std::string_view name;
  // The clause that leaves unused bits of the last byte free; empty: there is none.
  std::string_view unused_bits_clause{};
};

// One operand of one element of an output, as evidence shows it.
struct ElementOperand {
  std::string name;  // "x", "a[0 of 3]", "C"
  DataType type = DataType::kUndefined;
  uint64_t code = 0;
};

// The reason why a clause leaves an element free. Reports group free answers by it.
struct FreeInput {
  std::string clause;
  std::string input;  // "NaN x to an integer"
  // Answers are named by the KnownAnswers that they equal, not by their codes.
  bool has_known_answers = false;

  friend auto operator<=>(const FreeInput&, const FreeInput&) = default;
};

// The result of a way to compute that a clause leaves free, such as an accumulator that
// saturates.
struct KnownAnswer {
  std::string name;
  std::vector<Answer> answers;  // by output
};

// Whether the specification defines a model.
struct ModelValidity {
  enum class Kind : uint8_t { kValid, kOpen, kInvalid };
  Kind kind = Kind::kValid;
  std::string clause;
  std::string reason;
};

// One definition of an operator with the attributes of a node. Every function returns an
// Error if an operand that the operator needs is missing. Those that return answers also
// do so if the model is invalid, and cite the clause.
class BoundOperator {
 public:
  virtual ~BoundOperator() = default;

  virtual Result<ModelValidity> Validate(const Operands& operands) const = 0;

  // Returns one answer for each output.
  virtual Result<std::vector<Answer>> Evaluate(const Operands& operands,
                                               const ReadingSet& readings) const = 0;

  // Returns every admissible combination of readings, the canonical one first.
  virtual Result<std::vector<ReadingSet>> Readings(const Operands& operands) const = 0;

  // Whether elements of the tier `regular` can be rounded. If so in one of its models, a
  // cell passes only if one of its elements was rounded at or next to a tie. It reads
  // only the types of the operands.
  virtual bool rounds(const Operands& /*operands*/) const { return true; }

  // Models of a cell with equal keys have the same Readings().
  virtual int64_t ReadingsKey() const { return 0; }

  // Returns readings of clauses that Readings() leaves out because, for these types, they
  // give the bits of another reading or of the canonical one.
  virtual Result<std::vector<ReadingLeftOut>> ReadingsLeftOut(const Operands&) const {
    return std::vector<ReadingLeftOut>();
  }

  // Returns the reading by which a backend may refuse this legal model, if there is one.
  virtual Result<std::optional<Reading>> ReadingOfRefusal(const Operands&) const {
    return std::optional<Reading>();
  }

  // Returns the operands from which element `index` (row-major) of an output is computed.
  virtual Result<std::vector<ElementOperand>> OperandsOfElement(const Operands& operands,
                                                                size_t output,
                                                                int64_t index) const = 0;

  // Returns why an element is free. Precondition: its answer has a freedom, or a free
  // sign of zero. Returns nothing if that is not reported.
  virtual Result<std::optional<FreeInput>> FreeInputOf(const Operands&, size_t /*output*/,
                                                       int64_t /*index*/,
                                                       const ElementAnswer&) const {
    return std::optional<FreeInput>();
  }

  // Returns the ways to compute elements that are free for this reason. The first one
  // that explains all of them names the behaviour of a backend.
  virtual Result<std::vector<KnownAnswer>> KnownAnswers(const Operands&,
                                                        const FreeInput&) const {
    return std::vector<KnownAnswer>();
  }

  // Returns the operands of a smaller problem with scales per tensor, in which that
  // output has only the element `index` of this problem. They are in the order of the
  // schema; an operand that is left out has no type.
  virtual Result<std::vector<Tensor>> IsolateElement(const Operands& operands,
                                                     size_t output,
                                                     int64_t index) const = 0;

  // Returns the attributes of that smaller problem that it has in place of
  // Operator::layout_attributes().
  virtual Result<std::vector<Attribute>> IsolatedAttributes(const Operands&,
                                                            size_t /*output*/,
                                                            int64_t /*index*/) const {
    return std::vector<Attribute>();
  }

  // Returns the dimensions of a valid problem. It reads only the types and shapes of the
  // operands; their data may be empty.
  virtual Result<Dimensions> DimensionsOf(const Operands& operands) const = 0;
};

class Operator {
 public:
  virtual ~Operator() = default;

  virtual std::string_view op_type() const = 0;
  virtual std::span<const OperandInfo> operands() const = 0;
  virtual std::span<const OutputInfo> outputs() const = 0;
  virtual std::vector<Clause> clauses() const = 0;
  // The attributes that only say which elements of the operands make an element of an
  // output, such as the axis along which scales lie.
  virtual std::span<const std::string_view> layout_attributes() const { return {}; }

  // Returns the clause that a wrong code of an element violates most clearly; empty: none
  // is known. `output` is the output's position, `type` its type, `element` the oracle's
  // answer, `actual` the code.
  virtual std::string_view ClauseOffendedAt(size_t /*output*/, DataType /*type*/,
                                            const ElementAnswer& /*element*/,
                                            uint64_t /*actual*/) const {
    return "";
  }
  // Whether the bits of an element may depend on the order in which its terms are
  // combined, as those of a rounded sum do. If not, an element must have the same bits
  // wherever it lies.
  virtual bool depends_on_order() const { return true; }
  // Returns an Error if an attribute is of the wrong kind.
  virtual Result<std::unique_ptr<const BoundOperator>> Bind(
      std::span<const Attribute> attributes, int since_version) const = 0;
};

// All operators of the build, in the order of QCONFORM_OPERATORS.
std::span<const Operator* const> Operators();

// Returns null if the project does not judge the operator.
const Operator* FindOperator(std::string_view op_type);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_CORE_OPERATOR_H_
