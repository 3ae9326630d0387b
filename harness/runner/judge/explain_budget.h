// What the explanations of a run may cost together.
#ifndef QCONFORM_HARNESS_RUNNER_JUDGE_EXPLAIN_BUDGET_H_
#define QCONFORM_HARNESS_RUNNER_JUDGE_EXPLAIN_BUDGET_H_

#include <mutex>
#include <optional>
#include <string>

namespace qconform {

// The budget of all cells of a run, shared by its threads. It decides only whether the
// deviation of a cell is explained, never its verdict. Costs are those of ExplainLimit.
class ExplainBudget {
 public:
  // Explanations take at most this share of the run: of what it asks and explains.
  static constexpr double kDefaultShare = 0.2;
  // A short run may explain for this many seconds, whatever share that is.
  static constexpr double kLeastSeconds = 20;
  // One explanation takes at most this many seconds if the budget is a share.
  static constexpr double kMostForOne = 20;

  // `seconds` for all explanations, and for each of them; nothing: kDefaultShare of the
  // run; 0: none is explained; infinite: all are.
  explicit ExplainBudget(std::optional<double> seconds = std::nullopt)
      : seconds_(seconds) {}

  // Counts time of the run that was not spent on explaining.
  void AddAsked(double seconds);
  void AddExplained(double seconds);
  // The most that the next explanation may cost; 0: the budget is used.
  double Left() const;
  // Why a cell is not explained: "the budget of 5 s was used". `was_begun`: its
  // explanation was cut. Names no measured time, so that it is the same in every run.
  std::string WhyNot(bool was_begun) const;

 private:
  const std::optional<double> seconds_;
  mutable std::mutex mutex_;  // guards what follows
  double asked_ = 0;
  double explained_ = 0;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_JUDGE_EXPLAIN_BUDGET_H_
