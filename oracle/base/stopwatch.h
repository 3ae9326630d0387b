// How long something took.
#ifndef QCONFORM_ORACLE_BASE_STOPWATCH_H_
#define QCONFORM_ORACLE_BASE_STOPWATCH_H_

#include <chrono>

namespace qconform {

// Runs from its making.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_)
        .count();
  }
  double milliseconds() const { return seconds() * 1000; }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace qconform

#endif  // QCONFORM_ORACLE_BASE_STOPWATCH_H_
