// The bound of one explanation.
#ifndef QCONFORM_HARNESS_COMPARE_EXPLAIN_LIMIT_H_
#define QCONFORM_HARNESS_COMPARE_EXPLAIN_LIMIT_H_

#include <atomic>

#include "oracle/base/result.h"

namespace qconform {

// While this lives, it bounds what the thread that made it spends on explaining:
// processor time, and the time that it waits for the backend. Time on the clock would cut
// explanations on a machine that is busy with other things. A limit that is made while
// another one lives is bounded by both.
//
// Each evaluation by a reading and each decoding of a case for wrong models ends in an
// Error once the limit has passed (StatusOfLimit), so that no loop over these goes on.
// Loops over cases that are decoded already ask HasPassed between two of them.
class ExplainLimit {
 public:
  // `stop` may be null; once it is true, the limit has passed. Infinite `seconds`: the
  // limit passes only by `stop`.
  explicit ExplainLimit(double seconds, const std::atomic<bool>* stop = nullptr);
  ~ExplainLimit();
  ExplainLimit(const ExplainLimit&) = delete;
  ExplainLimit& operator=(const ExplainLimit&) = delete;

  // Seconds until now.
  double used() const;

  // Whether a limit of this thread has passed; false if it has none. It stays true until
  // that limit is gone.
  static bool HasPassed();
  // Returns the seconds that are left by the limits of this thread; infinite if it has
  // none.
  static double Left();
  // An Error if HasPassed.
  static Status StatusOfLimit();
  // Counts time that this thread waited for the backend.
  static void AddWaited(double seconds);

 private:
  double seconds_;
  const std::atomic<bool>* stop_;
  double start_;
  double waited_ = 0;
  ExplainLimit* outer_;  // the limit of the thread before this one; may be null
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_COMPARE_EXPLAIN_LIMIT_H_
