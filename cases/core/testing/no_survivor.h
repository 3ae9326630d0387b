// What both kill tests assert: no wrong model lives through the cases of a cell that
// more of the same cases would have told.
#ifndef QCONFORM_CASES_CORE_TESTING_NO_SURVIVOR_H_
#define QCONFORM_CASES_CORE_TESTING_NO_SURVIVOR_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "cases/core/testing/asked.h"
#include "oracle/base/glob.h"

namespace qconform::generators {

// Asks `survivors_of` for one cell in `one_in` of an operator, or for those that
// QCONFORM_KILL_CELLS, a pattern, names, for work on the generators.
inline void ExpectNoSurvivor(
    const std::string& op_type, int64_t one_in,
    const std::function<std::vector<std::string>(const Cell&)>& survivors_of) {
  const char* pattern = std::getenv("QCONFORM_KILL_CELLS");
  std::map<std::string, int> survivors;
  int64_t turn = 0;
  int64_t cells = 0;
  for (const Cell& cell : CellsOf(op_type)) {
    if (pattern != nullptr ? !GlobMatches(pattern, CellId(cell)) : ++turn % one_in != 0) {
      continue;
    }
    ++cells;
    for (const std::string& name : survivors_of(cell)) {
      std::cout << CellId(cell) << " " << name << "\n";
      ++survivors[name];
    }
  }
  for (const auto& [name, count] : survivors) {
    std::cout << "survives: " << name << " in " << count << " of " << cells << "\n";
  }
  EXPECT_GT(cells, 0);
  EXPECT_TRUE(survivors.empty());
}

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_CORE_TESTING_NO_SURVIVOR_H_
