// Parts whose constants alone are too large for the oracle, such as a product with
// weights of many millions: cut along an axis of the constants.
#ifndef QCONFORM_HARNESS_RUNNER_SUITES_CONSTANT_SLICER_H_
#define QCONFORM_HARNESS_RUNNER_SUITES_CONSTANT_SLICER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "cases/model/model.h"

namespace qconform {

// Makes slices of a model along one axis of its constants.
class ConstantSlicer {
 public:
  // Returns nothing if the oracle takes no slice of the model. `whole` must outlive it.
  static std::optional<ConstantSlicer> Create(const Model& whole);

  // Returns slice `index` of `count`: the first ends at the beginning of the axis, the
  // last at its end, and the others lie between them. All have the same shapes.
  Model Slice(size_t index, size_t count) const;

 private:
  // An axis of a constant.
  struct Place {
    size_t constant = 0;  // its index in Model::initializers
    size_t axis = 0;
  };
  struct Cut {
    std::vector<Place> places{};  // all have `size` elements
    int64_t size = 0;
  };

  // The cuts to try, the longest axes first.
  static std::vector<Cut> CutsOf(const Model& model);

  // Returns the model with `size` elements from `first` on along the cut.
  static std::optional<Model> Take(const Model& whole, const Cut& cut, int64_t first,
                                   int64_t size);

  ConstantSlicer(const Model& whole, Cut cut, int64_t size)
      : whole_(&whole), cut_(std::move(cut)), size_(size) {}

  const Model* whole_;
  Cut cut_;
  int64_t size_;  // of each slice
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_RUNNER_SUITES_CONSTANT_SLICER_H_
