#include "harness/operators/mat_mul_integer/faults.h"

#include <string>
#include <utility>

namespace qconform::mat_mul_integer {
namespace {

using Switches = MatMulIntegerSwitches;
using Side = MatMulIntegerSideSwitches;

void OverlaySide(Side& into, const Side& other) {
  Overlay<&Side::other_sign, &Side::moved_by_128, &Side::zero_point, &Side::place,
          &Side::difference, &Side::transposed, &Side::transposed_if_square,
          &Side::minimum_is_minus_127>(into, other);
}

void OverlaySum(FaultySum& into, const FaultySum& other) {
  Overlay<&FaultySum::kind, &FaultySum::lost_tail, &FaultySum::uncorrected_tail,
          &FaultySum::lost_last, &FaultySum::no_cross_term,
          &FaultySum::cross_term_subtracted, &FaultySum::padded_cross_term>(into, other);
}

bool IsOfTail(const Switches& s) { return s.tail_rows != 0 || s.tail_columns != 0; }

}  // namespace

const OperatorFaults& GetFaults() {
  static const Faults faults;
  return faults;
}

Result<std::shared_ptr<const DecodedCase>> Faults::Decode(const Node&, int,
                                                          const Operands& operands,
                                                          Codes canonical,
                                                          const ReadingSet&) const {
  return CaseOf<Case>(DecodeMatMulInteger(operands), std::move(canonical));
}

std::optional<FaultSet> Faults::Merge(const FaultSet& a, const FaultSet& b) const {
  Switches both = a.As<Switches>();
  const auto& other = b.As<Switches>();
  if (IsOfTail(both) || IsOfTail(other)) return std::nullopt;
  OverlaySide(both.a, other.a);
  OverlaySide(both.b, other.b);
  OverlaySum(both.sum, other.sum);
  Overlay<&Switches::batch, &Switches::empty_unwritten, &Switches::last_unwritten,
          &Switches::last_row_unwritten>(both, other);
  return both;
}

std::string_view Faults::BrokenClause(const Cell&, const Node&,
                                      const FaultSet& set) const {
  using Place = Side::Place;
  using SumKind = FaultySum::Kind;
  const auto& s = set.As<Switches>();
  for (const Side* side : {&s.a, &s.b}) {
    if (side->zero_point == Side::ZeroPoint::kAbsentIs128) return "MI-06";
    if (side->place == Place::kOfFirstMatrix || side->place == Place::kByBatch) {
      return "MI-08";
    }
    if (side->place != Place::kRight) return "MI-04";
    if (*side != Side{}) return "MI-01";
  }
  if (s.sum.kind == SumKind::kPairsSaturate16 || s.sum.kind == SumKind::kWrap16 ||
      s.sum.kind == SumKind::kSaturate16) {
    return "MI-03";
  }
  if (s.empty_unwritten) return "MI-06";
  return s.sum != FaultySum{} || s.batch != Switches::Batch::kRight ? "MI-01" : "";
}

Codes Case::CodesOf(const FaultSet& set, FaultState& state) const {
  return EvaluateWithSwitches(decoded(), canonical(), set.As<Switches>(), state);
}

std::vector<WorkedStep> Case::StepsOf(int64_t index, const DecodedCase* by,
                                      const FaultSet* set) const {
  const MatMulIntegerTrace right = TraceElement(decoded(), {}, index);
  std::optional<MatMulIntegerTrace> other;
  if (by != nullptr && set != nullptr) {
    other = TraceElement(Of(*by), set->As<Switches>(), index);
  }
  std::vector<WorkedStep> steps;
  const auto add = [&](std::string step, int64_t MatMulIntegerTrace::*of) {
    steps.push_back({std::move(step), std::to_string(right.*of),
                     other ? std::to_string((*other).*of) : ""});
  };
  add("a_zero_point", &MatMulIntegerTrace::a_zero_point);
  add("b_zero_point", &MatMulIntegerTrace::b_zero_point);
  add("Y = sum of " + std::to_string(decoded().layout.terms()) + " products",
      &MatMulIntegerTrace::sum);
  return steps;
}

}  // namespace qconform::mat_mul_integer
