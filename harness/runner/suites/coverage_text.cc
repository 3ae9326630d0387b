#include "harness/runner/suites/coverage_text.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "oracle/base/json.h"

namespace qconform {
namespace {

// One line of a table: neighbouring numbers with the same count of cells.
struct Line {
  std::string fact;
  std::string values;
  int64_t cells = 0;  // that are asked each of the values, or the most of them
  int64_t of_cells = 0;
  int64_t cases = 0;
};

// Larger numbers, and K that is not next to a multiple of 16, stand together in a line.
constexpr int64_t kMostExact = 64;
constexpr int64_t kMostExactProducts = 257;

// Returns the line that a value shares with others; empty: it has one of its own, or one
// with its neighbours.
std::string SharedLineOf(const FactCount& count) {
  const int64_t number = count.value.number;
  if (!count.value.words.empty() || number <= kMostExact) return "";
  const bool is_products = count.fact == "products in a sum";
  if (is_products && number <= kMostExactProducts) {
    return (number + 1) % 16 < 3 ? "" : "others to 257";
  }
  if (number < 1024) return is_products ? "258 to 1023" : "65 to 1023";
  return number < 65'536 ? "1024 to 65535" : "65536 and more";
}

std::vector<Line> LinesOf(const OperatorCoverage& coverage) {
  std::vector<Line> lines;
  std::vector<Line> shared;  // of the present fact
  const auto flush = [&] {
    lines.insert(lines.end(), shared.begin(), shared.end());
    shared.clear();
  };
  const FactCount* first = nullptr;  // of the last line
  const FactCount* last = nullptr;
  for (const FactCount& count : coverage.facts) {
    const bool same_fact = last != nullptr && last->fact == count.fact;
    if (!same_fact) flush();
    if (const std::string text = SharedLineOf(count); !text.empty()) {
      // In how many cells any of them is asked is not known: the most is a bound.
      const auto line = std::ranges::find(shared, text, &Line::values);
      if (line == shared.end()) {
        shared.push_back({count.fact, text, count.cells, count.of_cells, count.cases});
      } else {
        line->cells = std::max(line->cells, count.cells);
        line->cases += count.cases;
      }
      last = &count;
      first = nullptr;
      continue;
    }
    const bool joins = same_fact && first != nullptr && count.value.words.empty() &&
                       last->value.words.empty() &&
                       count.value.number == last->value.number + 1 &&
                       count.cells == last->cells && count.of_cells == last->of_cells;
    if (joins) {
      lines.back().values = FactText(first->value) + " to " + FactText(count.value);
      lines.back().cases += count.cases;
    } else {
      lines.push_back(
          {count.fact, FactText(count.value), count.cells, count.of_cells, count.cases});
      first = &count;
    }
    last = &count;
  }
  flush();
  return lines;
}

std::string HeadOf(const OperatorCoverage& coverage, Level level) {
  return coverage.op_type + ", level " + std::string(LevelName(level)) + ": " +
         std::to_string(coverage.cells) + " cells, " + std::to_string(coverage.cases) +
         " cases";
}

std::string CellsText(const Line& line) {
  if (line.cells == line.of_cells) return "all " + std::to_string(line.cells);
  return std::to_string(line.cells) + " of " + std::to_string(line.of_cells);
}

}  // namespace

std::string CoverageText(std::span<const OperatorCoverage> all, Level level) {
  std::string text;
  for (const OperatorCoverage& coverage : all) {
    text += (text.empty() ? "" : "\n") + HeadOf(coverage, level) + "\n";
    const std::vector<Line> lines = LinesOf(coverage);
    size_t fact_width = 4;
    size_t value_width = 6;
    for (const Line& line : lines) {
      fact_width = std::max(fact_width, line.fact.size());
      value_width = std::max(value_width, line.values.size());
    }
    const auto add = [&](const std::string& fact, const std::string& value,
                         const std::string& cells, const std::string& cases) {
      char row[512];
      std::snprintf(row, sizeof row, "  %-*s %-*s %14s %9s\n",
                    static_cast<int>(fact_width), fact.c_str(),
                    static_cast<int>(value_width), value.c_str(), cells.c_str(),
                    cases.c_str());
      text += row;
    };
    add("fact", "value", "cells", "cases");
    std::string before;
    for (const Line& line : lines) {
      add(line.fact == before ? "" : line.fact, line.values, CellsText(line),
          std::to_string(line.cases));
      before = line.fact;
    }
  }
  return text;
}

std::string CoverageMarkdown(std::span<const OperatorCoverage> all, Level level) {
  std::string text;
  for (const OperatorCoverage& coverage : all) {
    text += (text.empty() ? "## " : "\n## ") + HeadOf(coverage, level) +
            "\n\n| fact | value | cells | cases |\n|---|---|---|---|\n";
    for (const Line& line : LinesOf(coverage)) {
      text += "| " + line.fact + " | " + line.values + " | " + CellsText(line) + " | " +
              std::to_string(line.cases) + " |\n";
    }
  }
  return text;
}

std::string CoverageJson(std::span<const OperatorCoverage> all, Level level) {
  Json operators = Json::array();
  for (const OperatorCoverage& coverage : all) {
    Json facts = Json::array();
    for (const FactCount& count : coverage.facts) {
      const Json value =
          count.value.words.empty() ? Json(count.value.number) : Json(count.value.words);
      facts.push_back(Json{{"fact", count.fact},
                           {"value", value},
                           {"cells", count.cells},
                           {"of_cells", count.of_cells},
                           {"cases", count.cases}});
    }
    operators.push_back(Json{{"op_type", coverage.op_type},
                             {"cells", coverage.cells},
                             {"cases", coverage.cases},
                             {"facts", std::move(facts)}});
  }
  const Json document{{"level", std::string(LevelName(level))},
                      {"operators", std::move(operators)}};
  return Dump(document, 2) + "\n";
}

}  // namespace qconform
