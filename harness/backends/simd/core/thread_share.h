// Share: how much of a call's work a thread does. Private to this folder.
#ifndef QCONFORM_HARNESS_BACKENDS_SIMD_CORE_THREAD_SHARE_H_
#define QCONFORM_HARNESS_BACKENDS_SIMD_CORE_THREAD_SHARE_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace qconform::simd {

// How much of some work a thread does while the caller does kEven of it, so that both end
// at the same time. It changes seldom, because each change makes one core fetch data from
// the other.
class Share {
 public:
  static constexpr int32_t kEven = 1 << 14;

  int32_t weight() const { return weight_; }

  // Returns whether to learn from the call that begins.
  bool IsDue() {
    if (--calls_ > 0) return false;
    calls_ = is_settled_ ? kSettled : 1;
    return true;
  }

  struct Call {
    int64_t ticks = 0;   // that the caller took for its grains
    int64_t grains = 0;  // the caller's
    int64_t others = 0;  // the thread's
    int64_t late = 0;    // ticks from the caller's end to the thread's, below 0 if that
                         // came first
  };
  void Learn(const Call& call) {
    if (call.grains == 0) {  // too few to learn from
      weight_ = kEven;
      return;
    }
    if (call.ticks <= 0) return;
    const auto grains = static_cast<float>(call.grains);
    const auto ticks = static_cast<float>(call.ticks);
    const auto late = static_cast<float>(call.late + kMargin);
    // A grain that changes sides brings the ends together by its time on both.
    const float of_others = std::max(ticks + late, 0.0F) /
                            static_cast<float>(std::max<int64_t>(call.others, 1));
    const float move = late / (ticks / grains + of_others);
    moves_[count_++] = std::clamp(move, -grains / 4, grains / 4);
    if (count_ < kTimes) return;
    count_ = 0;
    std::nth_element(moves_.begin(), moves_.begin() + kTimes / 2, moves_.end());
    const float usual = moves_[kTimes / 2];
    is_settled_ = std::abs(usual) < std::max(0.75F, grains / 64);
    if (is_settled_) return;
    const float weight =
        kEven * (static_cast<float>(call.others) - usual) / (grains + usual);
    weight_ = static_cast<int32_t>(std::clamp(weight, kEven / 8.0F, kEven * 8.0F));
  }

 private:
  // Threads are held up now and then: the median of this many calls is the usual time.
  static constexpr size_t kTimes = 5;
  static constexpr int kSettled = 8;  // then one of this many calls is measured
  // A caller that looks for the end too early takes the line from the thread that is
  // about to write it.
  static constexpr int64_t kMargin = 128;

  int32_t weight_ = kEven;
  int calls_ = 0;
  bool is_settled_ = false;
  size_t count_ = 0;
  std::array<float, kTimes> moves_{};
};

}  // namespace qconform::simd

#endif  // QCONFORM_HARNESS_BACKENDS_SIMD_CORE_THREAD_SHARE_H_
