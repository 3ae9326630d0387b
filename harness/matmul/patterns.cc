#include "harness/matmul/patterns.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace qconform {
namespace {

struct MatMulPlace {
  int64_t matrix = 0;  // of the batch
  int64_t row = 0;
  int64_t column = 0;
};

MatMulPlace PlaceOf(const MatMulStack& y, int64_t i) {
  return {i / y.columns / y.rows, i / y.columns % y.rows, i % y.columns};
}

}  // namespace

Patterns TermPatterns(std::span<const EvidenceCase> cases,
                      const MatMulLayoutOf& layout_of) {
  Patterns patterns;
  int64_t least = INT64_MAX;
  int64_t most = 0;
  for (const EvidenceCase& one : cases) {
    if (one.deviating.empty()) continue;
    least = std::min(least, layout_of(one).terms());
    most = std::max(most, layout_of(one).terms());
  }
  const auto add = [&](std::string words, int64_t alternatives,
                       std::function<bool(int64_t)> holds) {
    patterns.push_back(
        {"only K " + std::move(words),
         [holds = std::move(holds), layout_of](const EvidenceCase& one, int64_t) {
           return holds(layout_of(one).terms());
         },
         alternatives});
  };
  constexpr int64_t kSizes = 64;  // of K in a cell
  constexpr int64_t kMultiples = 12;
  if (least == most) {
    add("= " + std::to_string(most), kSizes, [most](int64_t k) { return k == most; });
  }
  for (const int64_t of : {64, 32, 16, 8, 4, 2}) {
    const std::string number = std::to_string(of);
    add("that is a multiple of " + number, kMultiples,
        [of](int64_t k) { return k % of == 0; });
  }
  for (const int64_t of : {2, 4, 8, 16, 32, 64}) {
    const std::string number = std::to_string(of);
    add("that is no multiple of " + number, kMultiples,
        [of](int64_t k) { return k % of != 0; });
  }
  for (const int64_t of : {32, 16, 8, 4}) {
    const int64_t rest = least % of;
    if (rest == 0) continue;
    add("that is " + std::to_string(rest) + " modulo " + std::to_string(of), kSizes,
        [of, rest](int64_t k) { return k % of == rest; });
  }
  add("of at most " + std::to_string(most), kSizes,
      [most](int64_t k) { return k <= most; });
  patterns.back().is_derived = true;
  add("of at least " + std::to_string(least), kSizes,
      [least](int64_t k) { return k >= least; });
  patterns.back().is_derived = true;
  return patterns;
}

Patterns MatMulPlacePatterns(std::span<const EvidenceCase> cases,
                             const MatMulLayoutOf& layout_of) {
  Patterns patterns;
  const auto first = std::ranges::find_if(
      cases, [](const EvidenceCase& one) { return !one.deviating.empty(); });
  if (first == cases.end()) return patterns;
  const MatMulPlace at = PlaceOf(layout_of(*first).y, first->deviating.front());
  constexpr int64_t kPlaces = 64;  // rows, columns or matrices of a case
  const auto add =
      [&](std::string words,
          std::function<bool(const MatMulPlace&, const MatMulStack&)> holds) {
        patterns.push_back(
            {"only " + std::move(words),
             [holds = std::move(holds), layout_of](const EvidenceCase& one, int64_t i) {
               const MatMulStack& y = layout_of(one).y;
               return holds(PlaceOf(y, i), y);
             },
             kPlaces});
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
  const auto add_quantity = [&](std::string name, int64_t MatMulPlace::*of) {
    Append(patterns,
           PatternsOf({.name = std::move(name),
                       .of = [layout_of, of](const EvidenceCase& one,
                                             int64_t i) -> std::optional<double> {
                         const MatMulPlace place = PlaceOf(layout_of(one).y, i);
                         return static_cast<double>(place.*of);
                       },
                       .has_remainders = true},
                      cases));
  };
  const auto add_size = [&](std::string name, int64_t MatMulStack::*of) {
    Append(patterns, PatternsOf({.name = std::move(name),
                                 .of = [layout_of, of](const EvidenceCase& one,
                                                       int64_t) -> std::optional<double> {
                                   return static_cast<double>(layout_of(one).y.*of);
                                 },
                                 .has_remainders = true},
                                cases));
  };
  add_size("M, the number of rows of a,", &MatMulStack::rows);
  add_size("N, the number of columns of b,", &MatMulStack::columns);
  add_size("the number of matrices of the batch", &MatMulStack::matrices);
  patterns.push_back({"only where M = N", [layout_of](const EvidenceCase& one, int64_t) {
                        const MatMulStack& y = layout_of(one).y;
                        return y.rows == y.columns;
                      }});
  patterns.back().is_derived = true;
  add_quantity("the row of a", &MatMulPlace::row);
  add_quantity("the column of b", &MatMulPlace::column);
  add_quantity("the matrix of a batch", &MatMulPlace::matrix);
  return patterns;
}

}  // namespace qconform
