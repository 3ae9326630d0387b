// Code that the agreement tests of oracle and judge share: cells, random questions,
// translation between the two, comparison, and two threads.
#ifndef QCONFORM_ORACLE_EXACT_TESTING_AGREEMENT_H_
#define QCONFORM_ORACLE_EXACT_TESTING_AGREEMENT_H_

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "oracle/core/answer.h"
#include "oracle/core/target.h"
#include "oracle/exact/answer.h"
#include "oracle/exact/format.h"
#include "oracle/exact/target.h"
#include "oracle/tensor/tensor.h"

namespace qconform::agreement {

// splitmix64: equal seeds give equal questions on every machine.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next();
  // Returns a number in [0, n). Precondition: n > 0.
  uint64_t Below(uint64_t n) { return Next() % n; }
  // Returns a number in [low, high].
  int64_t Between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(Below(static_cast<uint64_t>(high - low) + 1));
  }
  bool OneIn(uint64_t n) { return Below(n) == 0; }
  template <typename T>
  T Pick(std::initializer_list<T> values) {
    return *(values.begin() + Below(values.size()));
  }

 private:
  uint64_t state_;
};

// Returns QCONFORM_JUDGE_CASES, or `otherwise` if it is not set.
int64_t CaseCount(int64_t otherwise);

// Returns the oracle's packed tensor, packed by the judge (QL-50, QL-52).
Tensor Pack(const exact::Codes& codes);

// Returns the format of an oracle's type: both use ONNX's numbers.
const exact::Format& JudgeFormat(DataType type);

// Returns the judge's name for the oracle's reading of QL-24.
exact::FloatZeroPoint JudgeFloatZeroPoint(FloatZeroPoint reading);

// Returns the first difference of type, shape, codes (subject to freedom),
// freedoms and tiers, as "[7]: judge 0x12 (none, regular), oracle ..."; empty
// if they agree. If any code is allowed, the canonical ones must still agree,
// unless `free_codes_may_differ`.
std::string Difference(const exact::Answer& judge, const Answer& oracle,
                       bool free_codes_may_differ = false);

// Returns "type [shape] {code, ...}", for a finding that can be typed in again.
std::string ToString(const exact::Codes& codes);

// Collects differences from several threads and keeps the first few.
class Findings {
 public:
  void Add(const std::string& text);
  int64_t count() const { return count_; }
  std::string Text() const;

 private:
  mutable std::mutex mutex_;
  int64_t count_ = 0;
  std::vector<std::string> first_;
};

// Calls `work(0)`, ... `work(chunks - 1)`, two at a time if the machine has two
// cores.
void InParallel(int64_t chunks, const std::function<void(int64_t)>& work);

// Returns a code of the format, from one of many kinds: any bits, special
// values, powers of two, small numbers, limits.
uint64_t RandomCode(const exact::Format& format, Random& random);

// Returns the code of the format's member nearest to v, or one up to `distance`
// codes away.
uint64_t CodeNear(const exact::Format& format, const mpq_class& v, int distance,
                  Random& random);

// Returns a point where rounding to the format changes: the middle between two
// neighbouring codes, or beyond the last one.
mpq_class RandomBoundary(const exact::Format& format, Random& random);

// Returns the codes of the format's member nearest to v and of those next to
// it, without specials: two or three.
std::vector<uint64_t> CodesAround(const exact::Format& format, const mpq_class& v);

// Returns the values where rounding to the format changes: the middles between
// neighbouring members, and where the step after the last ends at either end.
std::vector<mpq_class> Boundaries(const exact::Format& format);

// Returns all members of a format of at most 16 bits in ascending order, without
// -0 and specials.
std::vector<mpq_class> Members(const exact::Format& format);

}  // namespace qconform::agreement

#endif  // QCONFORM_ORACLE_EXACT_TESTING_AGREEMENT_H_
