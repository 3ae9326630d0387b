// How the zero points of MatMulInteger are written. A variant is "a=FORM,b=FORM":
//
//   short   [], or a vector [M] or [N]
//   full    [1], or a vector [..., M, 1] or [..., 1, N]
//   empty   left out by an empty name
//   absent  not there at all: the node's inputs end before it
//
// A zero point that is left out is 0 (MI-06), so it is per tensor. Inputs end before
// a_zero_point only if they have no b_zero_point either.
#ifndef QCONFORM_CASES_OPERATORS_MAT_MUL_INTEGER_VARIANT_H_
#define QCONFORM_CASES_OPERATORS_MAT_MUL_INTEGER_VARIANT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "cases/lattice/cell.h"
#include "cases/matmul/layout.h"
#include "oracle/base/result.h"

namespace qconform::generators {

struct MatMulIntegerVariant {
  enum class Form : uint8_t { kShort, kFull, kEmpty, kAbsent };

  Form a = Form::kShort;
  Form b = Form::kShort;

  bool has_a() const { return IsPresent(a); }
  bool has_b() const { return IsPresent(b); }
  MatMulForms forms() const { return {VectorFormOf(a), VectorFormOf(b)}; }

 private:
  static bool IsPresent(Form form) { return form == Form::kShort || form == Form::kFull; }
  static VectorForm VectorFormOf(Form form) {
    return form == Form::kFull ? VectorForm::kFull : VectorForm::kShort;
  }
};

// Returns an Error unless the text is a variant of the cell, spelled as VariantText does.
Result<MatMulIntegerVariant> ParseMatMulIntegerVariant(const Cell& cell,
                                                       std::string_view text);
std::string VariantText(const MatMulIntegerVariant& variant);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_OPERATORS_MAT_MUL_INTEGER_VARIANT_H_
