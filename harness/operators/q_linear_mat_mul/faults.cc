#include "harness/operators/q_linear_mat_mul/faults.h"

#include <utility>

#include "harness/core/value_text.h"
#include "harness/operators/q_linear_mat_mul/fault_facts.h"
#include "oracle/formats/number_format.h"

namespace qconform {

MatMulFacts::MatMulFacts(const Cell& cell)
    : scale(cell.types[0]),
      a(cell.types[1]),
      b(cell.types[2]),
      y(cell.types[3]),
      per_row(cell.granularity.starts_with("per_row-")),
      per_column(cell.granularity.ends_with("-per_column")),
      integer_operands(IsInteger(a) && IsInteger(b)),
      integer(IsInteger(y)) {}

namespace q_linear_mat_mul {

using Switches = QLinearMatMulSwitches;

const OperatorFaults& GetFaults() {
  static const Faults faults;
  return faults;
}

Result<std::shared_ptr<const DecodedCase>> Faults::Decode(
    const Node&, int since_version, const Operands& operands, Codes canonical,
    const ReadingSet& readings) const {
  return CaseOf<Case>(DecodeMatMul(since_version, operands,
                                   DecodeQLinearMatMulReadings(readings.code).readings),
                      std::move(canonical));
}

std::optional<FaultSet> Faults::Merge(const FaultSet& a, const FaultSet& b) const {
  using S = Switches;
  Switches both = a.As<Switches>();
  const auto& other = b.As<Switches>();
  if (both.tail_lanes != 0 || other.tail_lanes != 0) return std::nullopt;
  Overlay<&S::sum, &S::lost_tail, &S::uncorrected_tail, &S::no_a_zero_point,
          &S::no_b_zero_point, &S::no_cross_term, &S::first_batch, &S::empty_is_zero,
          &S::empty_unwritten, &S::a_scale, &S::b_scale, &S::a_zero_point,
          &S::b_zero_point, &S::scales_as, &S::multiplier, &S::no_a_scale, &S::no_b_scale,
          &S::no_y_scale, &S::cross_term_subtracted, &S::b_minimum_is_minus_127,
          &S::swapped_scales, &S::absolute_scales, &S::y_zero_point_of_other_sign,
          &S::sign_lost, &S::integer_first, &S::rounding, &S::order, &S::overflow,
          &S::flush_result, &S::never_saturates, &S::last_unwritten>(both, other);
  return both;
}

bool Faults::ChangesAnotherStep(const FaultSet& set, const ReadingSet& follows) const {
  if (follows.is_bounded()) return false;
  if (set.As<Switches>().multiplier != Switches::Multiplier::kExact) return false;
  const QLinearMatMulReadings plain;
  QLinearMatMulReadings rest = DecodeQLinearMatMulReadings(follows.code).readings;
  rest.requantization = plain.requantization;
  rest.order = plain.order;
  rest.product_in_double = false;
  rest.b_first = false;
  return rest == plain;
}

std::string_view Faults::BrokenClause(const Cell& cell, const Node&,
                                      const FaultSet& set) const {
  using Place = Switches::Place;
  const auto& s = set.As<Switches>();
  const bool zero_point = s.no_a_zero_point || s.no_b_zero_point || s.no_cross_term ||
                          s.cross_term_subtracted || s.uncorrected_tail != 0;
  const bool integers = MatMulFacts(cell).integer_operands;
  if (zero_point || s.lost_tail != 0 || s.sum != Switches::Sum::kExact) {
    return integers ? "MM-01" : "MM-10";
  }
  if (s.b_minimum_is_minus_127) return "MM-01";
  if (s.swapped_scales != Switches::Swap::kNone) return "MM-02";
  if (s.first_batch || s.empty_is_zero || s.empty_unwritten) return "MM-01";
  for (const Place place : {s.a_scale, s.b_scale, s.a_zero_point, s.b_zero_point}) {
    if (place != Place::kRight) return "MM-04";
  }
  if (s.scales_as != DataType::kUndefined ||
      s.multiplier != Switches::Multiplier::kExact) {
    return "MM-02";
  }
  if (s.no_a_scale || s.no_b_scale || s.no_y_scale) return "MM-02";
  if (s.absolute_scales) return "MM-20";
  Switches rest = s;
  rest.last_unwritten = false;
  rest.tail_lanes = 0;
  return rest == Switches{} ? "" : "MM-03";
}

Codes Case::CodesOf(const FaultSet& set, FaultState&) const {
  return EvaluateWithSwitches(decoded(), canonical(), set.As<Switches>());
}

std::vector<WorkedStep> Case::StepsOf(int64_t index, const DecodedCase* by,
                                      const FaultSet* set) const {
  std::vector<WorkedStep> steps;
  const auto right = TraceElement(decoded(), {}, index);
  if (!right) return steps;
  std::optional<MatMulTrace> other;
  // What a reading makes of the product is not shown.
  if (by != nullptr && set != nullptr) {
    other = TraceElement(Of(*by), set->As<Switches>(), index);
  }
  steps.push_back({"C = sum of " + std::to_string(decoded().terms) + " products",
                   ValueText(right->sum), other ? ValueText(other->sum) : ""});
  steps.push_back({"v = C * a_scale * b_scale / y_scale", ValueText(right->product),
                   other ? ValueText(other->product) : ""});
  const IntegerSteps& mine = right->of_integer;
  if (mine.rounded) {
    const auto row = [&](const char* step, std::optional<int64_t> IntegerSteps::*of) {
      steps.push_back({step, RoundedText(mine.*of, right->product),
                       other ? RoundedText(other->of_integer.*of, other->product) : ""});
    };
    row("rounded, ties to even", &IntegerSteps::rounded);
    const bool has_zero_point =
        mine.with_zero_point != mine.rounded ||
        (other && other->of_integer.with_zero_point != other->of_integer.rounded);
    if (has_zero_point) row("plus y_zero_point", &IntegerSteps::with_zero_point);
  }
  return steps;
}

}  // namespace q_linear_mat_mul
}  // namespace qconform
