// Asks oracle and judge the same about a graph, and counts where they differ. For the
// agreement tests only.
#ifndef QCONFORM_ORACLE_EXACT_GRAPHS_TESTING_GRAPH_COMPARISON_H_
#define QCONFORM_ORACLE_EXACT_GRAPHS_TESTING_GRAPH_COMPARISON_H_

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "oracle/exact/graphs/testing/graph_questions.h"

namespace qconform::agreement {

// Counts of a family, and the first differences of each kind.
class Tally {
 public:
  void Add(const std::string& kind, const std::string& text) {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto& [count, first] = differences_[kind];
    if (++count <= kShown) first.push_back(text);
  }
  void AddRefusal(const std::string& reason) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++refusals_[reason.substr(0, 110)];
  }
  // Differences of answers, and those of what is admitted around them.
  int64_t Wrong() const { return DifferencesLeft() - AtBounds(); }
  int64_t AtBounds() const {
    int64_t all = 0;
    for (const auto& [kind, one] : differences_) {
      const bool is_at_bounds = kind.starts_with("bounds") || kind.starts_with("open") ||
                                kind.starts_with("set");
      if (is_at_bounds) all += one.first;
    }
    return all;
  }
  int64_t DifferencesLeft() const {
    int64_t all = 0;
    for (const auto& [kind, one] : differences_) all += one.first;
    return all;
  }
  void Print(const char* name) const {
    std::printf(
        "%s: elements %lld, in readings %lld, bounds %lld (moved %lld), differences "
        "%lld\n",
        name, static_cast<long long>(elements), static_cast<long long>(readings),
        static_cast<long long>(bounds), static_cast<long long>(wide),
        static_cast<long long>(DifferencesLeft()));
    for (const auto& [reason, count] : refusals_) {
      std::printf("  refused %lld: %s\n", static_cast<long long>(count), reason.c_str());
    }
    for (const auto& [kind, one] : differences_) {
      std::printf("  %s: %lld\n", kind.c_str(), static_cast<long long>(one.first));
      for (const std::string& text : one.second) std::printf("    %s\n", text.c_str());
    }
    std::fflush(stdout);
  }

  std::atomic<int64_t> elements = 0;
  std::atomic<int64_t> readings = 0;
  std::atomic<int64_t> bounds = 0;
  std::atomic<int64_t> wide = 0;  // bounds of more than one code

 private:
  static constexpr int64_t kShown = 3;
  std::mutex mutex_;
  std::map<std::string, std::pair<int64_t, std::vector<std::string>>> differences_;
  std::map<std::string, int64_t> refusals_;
};

// Compares the canonical answers, what is admitted around them, and two of the readings
// of the nodes' own clauses.
void AskBoth(const GraphQuestion& question, Random& random, Tally& tally);

}  // namespace qconform::agreement

#endif  // QCONFORM_ORACLE_EXACT_GRAPHS_TESTING_GRAPH_COMPARISON_H_
