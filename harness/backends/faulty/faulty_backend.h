// A planted fault as a backend, so that all that is done with backends can be
// done with faults.
#ifndef QCONFORM_HARNESS_BACKENDS_FAULTY_FAULTY_BACKEND_H_
#define QCONFORM_HARNESS_BACKENDS_FAULTY_FAULTY_BACKEND_H_

#include <memory>
#include <string_view>

#include "harness/backends/backend.h"
#include "harness/core/fault.h"
#include "oracle/base/result.h"

namespace qconform {

// An Error where there is no fault of that name.
Result<std::unique_ptr<Backend>> MakeFaultyBackend(std::string_view name);

// The same for a fault that is in no list. `fault` must outlive the backend.
std::unique_ptr<Backend> MakeFaultyBackend(const Fault& fault);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_FAULTY_FAULTY_BACKEND_H_
