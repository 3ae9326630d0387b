// How a part is cut out of its model. Private to this folder.
#ifndef QCONFORM_HARNESS_PARTS_CUT_H_
#define QCONFORM_HARNESS_PARTS_CUT_H_

#include "harness/parts/part.h"

namespace qconform {

enum class LargeConstants : uint8_t {
  kLoaded,
  kFed,  // they are inputs of the model, which need not be loaded
};

// CutOut, which loads all constants.
Result<Model> Cut(const ModelFile& file, const Part& part, const Sizes& sizes,
                  LargeConstants large);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_PARTS_CUT_H_
