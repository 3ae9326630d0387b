// Collects what an operator finds out about a model until it knows its ModelValidity.
#ifndef QCONFORM_ORACLE_CORE_VALIDATION_H_
#define QCONFORM_ORACLE_CORE_VALIDATION_H_

#include <span>
#include <string>
#include <string_view>

#include "oracle/core/operator.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

class Validation {
 public:
  // `invalid_clause`: the operator's clause of invalid models. `has_data`: whether the
  // operands have their data, or only types and shapes.
  Validation(std::string_view invalid_clause, int since_version, bool has_data)
      : invalid_clause_(invalid_clause),
        since_version_(since_version),
        has_data_(has_data) {}

  // The model is invalid. Returns false, for the caller to return it.
  bool Invalid(std::string reason);
  // The same by another clause.
  bool InvalidBy(std::string_view clause, std::string reason);

  // The text leaves open what the model means. The first such clause names the model; an
  // invalid model outranks it. Returns true.
  bool Open(std::string_view clause, std::string reason);

  // Invalid if the since_version is none of the operator's definitions, which ascend.
  bool CheckDefinition(std::string_view op_type, std::span<const int> definitions);

  // Invalid if an attribute that came with `first_version` is used before.
  bool CheckAttribute(std::string_view name, int first_version, bool is_used);

  // Invalid if the operand has no type, or by CheckSize.
  bool CheckOperand(std::string_view name, const TensorView& tensor);

  // Invalid if the shape has no count of elements, or the data have another size than
  // that.
  bool CheckSize(std::string_view name, const TensorView& tensor);

  // Returns "since_version 13".
  std::string since() const { return "since_version " + std::to_string(since_version_); }

  const ModelValidity& validity() const { return validity_; }

 private:
  std::string_view invalid_clause_;
  int since_version_;
  bool has_data_;
  ModelValidity validity_;
};

}  // namespace qconform

#endif  // QCONFORM_ORACLE_CORE_VALIDATION_H_
