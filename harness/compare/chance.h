// How likely it is that wrong things have something in common by chance.
#ifndef QCONFORM_HARNESS_COMPARE_CHANCE_H_
#define QCONFORM_HARNESS_COMPARE_CHANCE_H_

#include <cmath>
#include <cstdint>

namespace qconform {

// Returns the logarithm of n over k. Precondition: 0 <= k <= n.
inline double LogChoose(int64_t n, int64_t k) {
  return std::lgamma(static_cast<double>(n + 1)) -
         std::lgamma(static_cast<double>(k + 1)) -
         std::lgamma(static_cast<double>(n - k + 1));
}

// Returns the logarithm of the probability that all of `drawn` of `all` things are among
// the `like` ones. Precondition: drawn <= like <= all.
inline double LogAllAmong(int64_t drawn, int64_t like, int64_t all) {
  return LogChoose(like, drawn) - LogChoose(all, drawn);
}

}  // namespace qconform

#endif  // QCONFORM_HARNESS_COMPARE_CHANCE_H_
