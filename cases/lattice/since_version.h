#ifndef QCONFORM_CASES_LATTICE_SINCE_VERSION_H_
#define QCONFORM_CASES_LATTICE_SINCE_VERSION_H_

#include <vector>

namespace qconform {

// One definition of an operator, and the opset_versions that select it.
struct SinceVersion {
  int since_version = 0;
  std::vector<int> opset_versions;  // ascending; the first is since_version
};

}  // namespace qconform

#endif  // QCONFORM_CASES_LATTICE_SINCE_VERSION_H_
