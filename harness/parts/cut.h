// How a part is cut out of its model. Private to this folder.
#ifndef QCONFORM_HARNESS_PARTS_CUT_H_
#define QCONFORM_HARNESS_PARTS_CUT_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "harness/parts/part.h"

namespace qconform {

enum class LargeConstants : uint8_t {
  kLoaded,
  kFed,  // they are inputs of the model, which need not be loaded
};

// CutOut, which loads all constants. If the shapes with these sizes do not fit together,
// and the model leaves some of them open, they are made to fit.
Result<Model> Cut(const ModelFile& file, const Part& part, const Sizes& sizes,
                  LargeConstants large);

// Why a model that was cut out is not judged.
struct CutProblem {
  std::string text;         // empty: there is none
  bool is_invalid = false;  // it breaks a clause, by its types and shapes
  size_t node = 0;          // the node that does, by its position in the part
};
CutProblem ProblemOf(const Model& model);

// Whether a shape of the part depends on sizes that the model leaves open.
bool HasOpenShape(const ModelFile& file, const Part& part);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_PARTS_CUT_H_
