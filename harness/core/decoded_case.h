// A case as faults see it: operands decoded once, and the oracle's codes for everything
// that a fault does not change.
#ifndef QCONFORM_HARNESS_CORE_DECODED_CASE_H_
#define QCONFORM_HARNESS_CORE_DECODED_CASE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/core/fault.h"
#include "reports/record/record.h"

namespace qconform {

// Of all elements of the outputs, one output after the other, each in row-major order.
using Codes = std::vector<uint32_t>;

// By itself, the case of an operator without faults.
class DecodedCase {
 public:
  // `canonical` holds the oracle's codes.
  DecodedCase(std::string_view op_type, Codes canonical)
      : op_type_(op_type), canonical_(std::move(canonical)) {}
  virtual ~DecodedCase() = default;

  // Returns the codes by a wrong model of the operator. `state` is what
  // the calls before left.
  virtual Codes CodesOf(const FaultSet&, FaultState&) const { return canonical_; }
  // The same by a fault; canonical() if it does not touch the operator.
  Codes CodesOf(const Fault& fault, FaultState& state) const;

  // Whether a wrong model computes element `index` from a NaN that it makes itself, such
  // as 0 * (1 / y_scale) of a tiny y_scale. What becomes of a NaN in an integer is not
  // known, so that every code is one that a backend with the mistake may give.
  virtual bool IsUndefined(const FaultSet&, int64_t /*index*/) const { return false; }

  // Returns how element `index` comes about, up to its code: by the
  // specification and, if `by` is not null, by that. It is the same case by the same
  // readings or others, with the mistakes of `set` if that is not null. No steps for
  // elements that the operator does not work through.
  virtual std::vector<WorkedStep> StepsOf(int64_t /*index*/, const DecodedCase* /*by*/,
                                          const FaultSet* /*set*/) const {
    return {};
  }

  // Returns what a wrong model does in this case, in a sentence, where that says more
  // than the catalogue: which nodes of a graph it changes. "": it does not.
  virtual std::string SentenceOf(const FaultSet&) const { return ""; }

  // Whether element `index` of a wrong model with code `model` may come out as `observed`
  // of a backend that computes between the quantizing steps in its own floats.
  virtual bool IsNear(int64_t /*index*/, uint32_t model, uint32_t observed) const {
    return model == observed;
  }
  // Whether there are such steps.
  virtual bool computes_in_floats() const { return false; }

  std::string_view op_type() const { return op_type_; }
  const Codes& canonical() const { return canonical_; }

 private:
  std::string_view op_type_;
  Codes canonical_;
};

// The case of an operator that has its operands as `Decoded`.
template <typename Decoded>
class DecodedCaseOf : public DecodedCase {
 public:
  DecodedCaseOf(std::string_view op_type, Decoded decoded, Codes canonical)
      : DecodedCase(op_type, std::move(canonical)), decoded_(std::move(decoded)) {}

  const Decoded& decoded() const { return decoded_; }
  // Precondition: it is a case of the operator.
  static const Decoded& Of(const DecodedCase& one) {
    return dynamic_cast<const DecodedCaseOf&>(one).decoded_;
  }

 private:
  Decoded decoded_;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_DECODED_CASE_H_
