// What an operator's wrong model does wrong: a value that only the operator understands.
#ifndef QCONFORM_HARNESS_CORE_FAULT_SET_H_
#define QCONFORM_HARNESS_CORE_FAULT_SET_H_

#include <any>
#include <concepts>
#include <cstdint>
#include <utility>

namespace qconform {

// One or more mistakes that are made together. The operator wraps its own type, which has
// copies and ==; everybody else copies and compares.
class FaultSet {
 public:
  template <std::equality_comparable T>
  requires(!std::same_as<T, FaultSet>)
      FaultSet(T value)  // implicit: a catalogue lists values of T
      : value_(std::move(value)), equal_([](const std::any& a, const std::any& b) {
          const T* one = std::any_cast<T>(&a);
          const T* other = std::any_cast<T>(&b);
          return one != nullptr && other != nullptr && *one == *other;
        }) {}

  // Throws std::bad_any_cast if the set is another operator's.
  template <typename T>
  const T& As() const {
    return std::any_cast<const T&>(value_);
  }

  friend bool operator==(const FaultSet& a, const FaultSet& b) {
    return a.equal_(a.value_, b.value_);
  }

 private:
  std::any value_;
  bool (*equal_)(const std::any&, const std::any&);
};

// For Merge of an operator: sets those of the members of `into` for which `other` differs
// from a default-constructed T.
template <auto... kMembers, typename T>
void Overlay(T& into, const T& other) {
  const T plain;
  const auto overlay = [&](auto member) {
    if (other.*member != plain.*member) into.*member = other.*member;
  };
  (overlay(kMembers), ...);
}

// What a wrong implementation with a state remembers from call to call.
struct FaultState {
  int64_t calls = 0;
  std::any memory{};  // the operator's own
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_FAULT_SET_H_
