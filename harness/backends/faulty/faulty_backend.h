// A planted fault as a backend, so that everything that works with backends works with
// faults.
#ifndef QCONFORM_HARNESS_BACKENDS_FAULTY_FAULTY_BACKEND_H_
#define QCONFORM_HARNESS_BACKENDS_FAULTY_FAULTY_BACKEND_H_

#include <memory>
#include <string_view>

#include "harness/backends/backend.h"
#include "harness/core/fault.h"
#include "oracle/base/result.h"

namespace qconform {

// An Error if there is no fault of that name.
Result<std::unique_ptr<Backend>> MakeFaultyBackend(std::string_view name);

// The same for a fault that need not be in the catalogue. It must outlive the backend.
std::unique_ptr<Backend> MakeFaultyBackend(const Fault& fault);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_FAULTY_FAULTY_BACKEND_H_
