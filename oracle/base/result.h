// Result<T>: a value, or one Error that says what went wrong. Libraries of
// qconform return it; only harness/cli prints or exits.
#ifndef QCONFORM_ORACLE_BASE_RESULT_H_
#define QCONFORM_ORACLE_BASE_RESULT_H_

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace qconform {

// What went wrong, in one sentence that names the thing, what is wrong with it
// and what would be right.
struct Error {
  std::string message;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT: implicit
  Result(Error error) : state_(std::move(error)) {}  // NOLINT: implicit

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // Precondition: ok().
  T& value() & {
    assert(ok());
    return std::get<0>(state_);
  }
  const T& value() const& {
    assert(ok());
    return std::get<0>(state_);
  }
  T&& value() && {
    assert(ok());
    return std::get<0>(std::move(state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // Precondition: !ok().
  const Error& error() const {
    assert(!ok());
    return std::get<1>(state_);
  }

 private:
  std::variant<T, Error> state_;
};

// Result of an action that has no value.
using Status = Result<std::monostate>;
inline Status Ok() { return std::monostate{}; }

}  // namespace qconform

#endif  // QCONFORM_ORACLE_BASE_RESULT_H_
