// The first Error of several: for work that goes on where one part of it fails, and whose
// result then counts for nothing.
#ifndef QCONFORM_ORACLE_BASE_FIRST_ERROR_H_
#define QCONFORM_ORACLE_BASE_FIRST_ERROR_H_

#include <optional>
#include <utility>

#include "oracle/base/result.h"

namespace qconform {

class FirstError {
 public:
  // Returns the value; keeps the Error and returns nothing if there is none.
  template <typename T>
  std::optional<T> Keep(Result<T> result) {
    if (result) return *std::move(result);
    if (!error_) error_ = result.error();
    return std::nullopt;
  }

  const std::optional<Error>& error() const { return error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace qconform

#endif  // QCONFORM_ORACLE_BASE_FIRST_ERROR_H_
