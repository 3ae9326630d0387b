// How a proof asks the backend under test, which may be any.
#ifndef QCONFORM_HARNESS_CORE_PROOFS_MODEL_ASKER_H_
#define QCONFORM_HARNESS_CORE_PROOFS_MODEL_ASKER_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "cases/model/model.h"
#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// Has one model at a time. Used by one thread. Errors have the backend's
// words if it declines, refuses or fails.
class ModelAsker {
 public:
  virtual ~ModelAsker() = default;

  // Replaces the model that was there before.
  virtual Status Prepare(const Model& model) = 0;
  // Where the first input of `bytes` bytes may be written, so that Run need not copy it;
  // empty if there is no such place.
  virtual std::span<std::byte> FirstInput(size_t bytes) = 0;
  // Returns the data of all outputs, one after the other, which have the types, shapes and
  // sizes that the model says.
  virtual Result<std::vector<std::byte>> Run(std::span<const TensorView> inputs) = 0;
};

using MakeModelAsker = std::function<std::unique_ptr<ModelAsker>()>;

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_PROOFS_MODEL_ASKER_H_
