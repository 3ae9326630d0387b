// The bound of one explanation.
#ifndef QCONFORM_HARNESS_DIAGNOSIS_EXPLAIN_LIMIT_H_
#define QCONFORM_HARNESS_DIAGNOSIS_EXPLAIN_LIMIT_H_

namespace qconform {

// While this lives, it bounds what the thread that made it spends on explaining:
// processor time, and the time that it waits for the backend. Time on the clock would cut
// explanations on a machine that is busy with other things. The search for wrong models
// asks HasPassed between two steps, and finds no further model once it has.
class ExplainLimit {
 public:
  explicit ExplainLimit(double seconds);
  ~ExplainLimit();
  ExplainLimit(const ExplainLimit&) = delete;
  ExplainLimit& operator=(const ExplainLimit&) = delete;

  // Seconds until now.
  double used() const;

  // Whether the limit of this thread has passed; false if it has none.
  static bool HasPassed();
  // Counts time that this thread waited for the backend.
  static void AddWaited(double seconds);

 private:
  double seconds_;
  double start_;
  double waited_ = 0;
  ExplainLimit* outer_;  // the limit of the thread before this one; may be null
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_DIAGNOSIS_EXPLAIN_LIMIT_H_
