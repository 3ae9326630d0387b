// What deviating elements of QLinearMatMul may have in common.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "harness/operators/q_linear_mat_mul/faults.h"

namespace qconform::q_linear_mat_mul {
namespace {

const DecodedMatMul& Of(const EvidenceCase& one) { return Case::Of(*one.decoded); }

struct MatMulPlace {
  int64_t matrix = 0;  // of the batch
  int64_t row = 0;
  int64_t column = 0;
};

MatMulPlace PlaceOf(const EvidenceCase& one, int64_t i) {
  const MatMulStack& y = Of(one).layout.y;
  return {i / y.columns / y.rows, i / y.columns % y.rows, i % y.columns};
}

int64_t TermsOf(const EvidenceCase& one) { return Of(one).terms; }

// v = C * a_scale * b_scale / y_scale; nothing for special values.
std::optional<Unrounded> ProductOf(const EvidenceCase& one, int64_t i) {
  const auto trace = TraceElement(Of(one), {}, i);
  if (!trace) return std::nullopt;
  return trace->product;
}

bool ProductBeyondInt32(const EvidenceCase& one, int64_t i) {
  const auto v = ProductOf(one, i);
  return v && v->value_class == ValueClass::kFinite && v->significand != 0 &&
         TopBit(v->significand) + v->exponent >= 31;
}

// Adds what the K of the deviating elements may have in common.
void AddTermPatterns(std::span<const EvidenceCase> cases, Patterns& patterns) {
  int64_t least = INT64_MAX;
  int64_t most = 0;
  for (const EvidenceCase& one : cases) {
    if (one.deviating.empty()) continue;
    least = std::min(least, TermsOf(one));
    most = std::max(most, TermsOf(one));
  }
  const auto add = [&](std::string words, std::function<bool(int64_t)> holds) {
    patterns.push_back({"only K " + std::move(words),
                        [holds = std::move(holds)](const EvidenceCase& one, int64_t) {
                          return holds(TermsOf(one));
                        },
                        true});
  };
  if (least == most) {
    add("= " + std::to_string(most), [most](int64_t k) { return k == most; });
  }
  for (const int64_t of : {64, 32, 16, 8, 4, 2}) {
    const std::string number = std::to_string(of);
    add("that is a multiple of " + number, [of](int64_t k) { return k % of == 0; });
  }
  for (const int64_t of : {2, 4, 8, 16, 32, 64}) {
    const std::string number = std::to_string(of);
    add("that is no multiple of " + number, [of](int64_t k) { return k % of != 0; });
  }
  add("of at most " + std::to_string(most), [most](int64_t k) { return k <= most; });
  add("of at least " + std::to_string(least), [least](int64_t k) { return k >= least; });
}

// Adds patterns by the place in y of the first element that deviates: they hold if the
// others share it.
void AddPlacePatterns(std::span<const EvidenceCase> cases, Patterns& patterns) {
  const auto first = std::ranges::find_if(
      cases, [](const EvidenceCase& one) { return !one.deviating.empty(); });
  if (first == cases.end()) return;
  const MatMulPlace at = PlaceOf(*first, first->deviating.front());
  const auto add =
      [&](std::string words,
          std::function<bool(const MatMulPlace&, const MatMulStack&)> holds) {
        patterns.push_back(
            {"only " + std::move(words),
             [holds = std::move(holds)](const EvidenceCase& one, int64_t i) {
               return holds(PlaceOf(one, i), Of(one).layout.y);
             },
             true});
      };
  add("row " + std::to_string(at.row) + " of a",
      [row = at.row](const auto& place, const auto&) { return place.row == row; });
  add("column " + std::to_string(at.column) + " of b",
      [column = at.column](const auto& place, const auto&) {
        return place.column == column;
      });
  add("the last row of a",
      [](const auto& place, const auto& y) { return place.row + 1 == y.rows; });
  add("the last column of b",
      [](const auto& place, const auto& y) { return place.column + 1 == y.columns; });
  add("matrix " + std::to_string(at.matrix) + " of a batch",
      [matrix = at.matrix](const auto& place, const auto&) {
        return place.matrix == matrix;
      });
  add("matrices behind the first of a batch",
      [](const auto& place, const auto&) { return place.matrix > 0; });
  for (const int64_t lanes : {2, 4, 8, 16, 32, 64}) {
    add("columns behind the last multiple of " + std::to_string(lanes),
        [lanes](const auto& place, const auto& y) {
          return place.column >= y.columns / lanes * lanes;
        });
  }
}

}  // namespace

Patterns Faults::PatternsOf(std::span<const EvidenceCase> cases) const {
  Patterns patterns = SpecialValuePatterns();
  Append(patterns, ResultPatterns());
  patterns.push_back({"only where |v| >= 2^31", ProductBeyondInt32});
  AddTermPatterns(cases, patterns);
  AddPlacePatterns(cases, patterns);
  const auto has_sign = [](bool negative) {
    return [negative](const EvidenceCase& one, int64_t i) {
      const auto v = ProductOf(one, i);
      return v && v->value_class != ValueClass::kZero && v->negative == negative;
    };
  };
  patterns.push_back({"only negative results", has_sign(true), true});
  patterns.push_back({"only positive results", has_sign(false), true});
  Append(patterns, TailPatterns());
  Append(patterns, LanePatterns());
  Append(patterns, TierPatterns());
  return patterns;
}

}  // namespace qconform::q_linear_mat_mul
