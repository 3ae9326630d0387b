// The answers of several backends to the same cases of a model's parts: where their bits
// differ, whatever the verdicts are.
#ifndef QCONFORM_HARNESS_CLI_MODEL_ANSWERS_H_
#define QCONFORM_HARNESS_CLI_MODEL_ANSWERS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "cases/core/case.h"
#include "harness/backends/backend.h"
#include "harness/runner/suites/part_runner.h"

namespace qconform {

// The answers of the backend that others are compared with.
class Answers {
 public:
  void Keep(const PartQuestion& part, const OpCase& op_case, const RunResult& result);
  // Returns the outputs; null if it gave none, or if they were too many to keep.
  const Outputs* Find(const PartQuestion& part, const OpCase& op_case) const;

 private:
  std::map<std::string, Outputs> outputs_;
  size_t bytes_ = 0;
};

// Compares the answers of a backend with those of the first.
class AnswerComparison {
 public:
  // `name`, `first_name`: of the backends, for people. `first` must outlive it.
  AnswerComparison(const Answers& first, std::string first_name, std::string name);

  void Add(const PartQuestion& part, const OpCase& op_case, const RunResult& result);

  // Returns by the ids of parts in how many cases the bits differ, and where first; ""
  // where they are the same in all cases. A part of which not all answers can be compared
  // is missing, unless they differ.
  std::map<std::string, std::string> Words() const;

 private:
  struct Compared {
    int64_t cases = 0;
    int64_t differing = 0;
    bool is_whole = true;
    std::string first;
  };

  const Answers* first_;
  std::string first_name_;
  std::string name_;
  std::map<std::string, Compared> parts_;  // by the ids of their rows
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CLI_MODEL_ANSWERS_H_
