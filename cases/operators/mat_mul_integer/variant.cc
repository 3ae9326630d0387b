#include "cases/operators/mat_mul_integer/variant.h"

#include <array>

#include "oracle/base/expected.h"

namespace qconform::generators {
namespace {

using Form = MatMulIntegerVariant::Form;

constexpr std::array kForms{Form::kShort, Form::kFull, Form::kEmpty, Form::kAbsent};

std::string_view FormName(Form form) {
  constexpr std::string_view kNames[] = {"short", "full", "empty", "absent"};
  return kNames[static_cast<size_t>(form)];
}

bool Fits(const Cell& cell, const MatMulIntegerVariant& variant) {
  if (IsPerRow(cell) && !variant.has_a()) return false;
  if (IsPerColumn(cell) && !variant.has_b()) return false;
  return variant.a != Form::kAbsent || variant.b == Form::kAbsent;
}

}  // namespace

std::string VariantText(const MatMulIntegerVariant& variant) {
  return "a=" + std::string(FormName(variant.a)) +
         ",b=" + std::string(FormName(variant.b));
}

Result<MatMulIntegerVariant> ParseMatMulIntegerVariant(const Cell& cell,
                                                       std::string_view text) {
  for (const Form a : kForms) {
    for (const Form b : kForms) {
      const MatMulIntegerVariant variant{a, b};
      if (text == VariantText(variant) && Fits(cell, variant)) return variant;
    }
  }
  return Expected("variant of " + CellId(cell),
                  "a=FORM,b=FORM, with short, full, empty or absent as FORM; vectors of "
                  "zero points are short or full, and b is absent if a is",
                  "'" + std::string(text) + "'");
}

}  // namespace qconform::generators
