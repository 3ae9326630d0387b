// A backend whose sums saturate in 16 bits, for the tests of proofs.
#ifndef QCONFORM_HARNESS_INTEGER_SUMS_TESTING_IN_16_BITS_H_
#define QCONFORM_HARNESS_INTEGER_SUMS_TESTING_IN_16_BITS_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "harness/core/proofs/model_asker.h"

namespace qconform::integer_sums {

// Another asker's INT32 answers, saturated to 16 bits.
class In16Bits : public ModelAsker {
 public:
  explicit In16Bits(std::unique_ptr<ModelAsker> asker) : asker_(std::move(asker)) {}

  Status Prepare(const Model& model) override { return asker_->Prepare(model); }
  std::span<std::byte> FirstInput(size_t bytes) override {
    return asker_->FirstInput(bytes);
  }
  Result<std::vector<std::byte>> Run(std::span<const TensorView> inputs) override {
    auto y = asker_->Run(inputs);
    if (!y) return y;
    for (size_t at = 0; at < y->size(); at += 4) {
      int32_t value = 0;
      std::memcpy(&value, y->data() + at, 4);
      value = std::clamp(value, -32768, 32767);
      std::memcpy(y->data() + at, &value, 4);
    }
    return y;
  }

 private:
  const std::unique_ptr<ModelAsker> asker_;
};

}  // namespace qconform::integer_sums

#endif  // QCONFORM_HARNESS_INTEGER_SUMS_TESTING_IN_16_BITS_H_
