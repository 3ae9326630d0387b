// What the libc++ of Emscripten 3.1 (LLVM 14) lacks of C++20 and the project uses: most
// algorithms of std::ranges, <=> of strings and vectors, and bit_cast. Every source of the preset wasm includes this first; with a
// newer libc++ it is empty.
#ifndef QCONFORM_CMAKE_WASM_CXX20_H_
#define QCONFORM_CMAKE_WASM_CXX20_H_
#ifdef __cplusplus
#pragma clang system_header

#include <algorithm>
#include <bit>
#include <compare>
#include <functional>
#include <iterator>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 15000
namespace std::ranges {

template <typename Range, typename Test, typename Projection = identity>
constexpr auto find_if(Range&& range, Test test, Projection projection = {}) {
  auto at = ranges::begin(range);
  const auto end = ranges::end(range);
  while (at != end && !std::invoke(test, std::invoke(projection, *at))) ++at;
  return at;
}
template <typename Range, typename T, typename Projection = identity>
constexpr auto find(Range&& range, const T& value, Projection projection = {}) {
  return ranges::find_if(
      range, [&](const auto& item) { return item == value; }, projection);
}
template <typename Range, typename Test, typename Projection = identity>
constexpr bool any_of(Range&& range, Test test, Projection projection = {}) {
  return ranges::find_if(range, test, projection) != ranges::end(range);
}
template <typename Range, typename Test, typename Projection = identity>
constexpr bool none_of(Range&& range, Test test, Projection projection = {}) {
  return !ranges::any_of(range, test, projection);
}
template <typename Range, typename Test, typename Projection = identity>
constexpr bool all_of(Range&& range, Test test, Projection projection = {}) {
  return !ranges::any_of(
      range, [&](const auto& item) { return !std::invoke(test, item); }, projection);
}
template <typename Range, typename Test, typename Projection = identity>
constexpr ptrdiff_t count_if(Range&& range, Test test, Projection projection = {}) {
  ptrdiff_t count = 0;
  for (auto&& item : range) {
    if (std::invoke(test, std::invoke(projection, item))) ++count;
  }
  return count;
}
template <typename Range, typename T, typename Projection = identity>
constexpr ptrdiff_t count(Range&& range, const T& value, Projection projection = {}) {
  return ranges::count_if(
      range, [&](const auto& item) { return item == value; }, projection);
}
template <typename A, typename B>
constexpr bool equal(A&& a, B&& b) {
  return std::equal(ranges::begin(a), ranges::end(a), ranges::begin(b), ranges::end(b));
}
template <typename Compare, typename Projection>
constexpr auto by(Compare compare, Projection projection) {
  return [compare, projection](const auto& a, const auto& b) {
    return std::invoke(compare, std::invoke(projection, a), std::invoke(projection, b));
  };
}
template <typename Range, typename Compare = ranges::less, typename Projection = identity>
constexpr void sort(Range&& range, Compare compare = {}, Projection projection = {}) {
  std::sort(ranges::begin(range), ranges::end(range), ranges::by(compare, projection));
}
template <typename Range, typename Compare = ranges::less, typename Projection = identity>
void stable_sort(Range&& range, Compare compare = {}, Projection projection = {}) {
  std::stable_sort(ranges::begin(range), ranges::end(range),
                   ranges::by(compare, projection));
}
template <typename Range, typename T, typename Compare = ranges::less,
          typename Projection = identity>
constexpr auto lower_bound(Range&& range, const T& value, Compare compare = {},
                           Projection projection = {}) {
  return std::lower_bound(ranges::begin(range), ranges::end(range), value,
                          [&](const auto& item, const T& wanted) {
                            return std::invoke(compare, std::invoke(projection, item),
                                               wanted);
                          });
}
template <typename Range, typename T, typename Compare = ranges::less>
constexpr bool binary_search(Range&& range, const T& value, Compare compare = {}) {
  const auto at = ranges::lower_bound(range, value, compare);
  return at != ranges::end(range) && !std::invoke(compare, value, *at);
}
template <typename Range, typename Compare = ranges::less, typename Projection = identity>
constexpr auto min_element(Range&& range, Compare compare = {},
                           Projection projection = {}) {
  return std::min_element(ranges::begin(range), ranges::end(range),
                          ranges::by(compare, projection));
}
template <typename Range, typename Compare = ranges::less, typename Projection = identity>
constexpr auto max_element(Range&& range, Compare compare = {},
                           Projection projection = {}) {
  return std::max_element(ranges::begin(range), ranges::end(range),
                          ranges::by(compare, projection));
}
template <typename Range, typename Compare = ranges::less>
constexpr auto max(Range&& range, Compare compare = {}) {
  return *ranges::max_element(range, compare);
}
template <typename Range, typename T>
constexpr void fill(Range&& range, const T& value) {
  std::fill(ranges::begin(range), ranges::end(range), value);
}
template <typename Range, typename T>
constexpr void replace(Range&& range, const T& from, const T& to) {
  std::replace(ranges::begin(range), ranges::end(range), from, to);
}
template <typename Range, typename Out>
constexpr Out copy(Range&& range, Out out) {
  return std::copy(ranges::begin(range), ranges::end(range), out);
}
template <typename Range, typename Out, typename Test>
constexpr Out copy_if(Range&& range, Out out, Test test) {
  return std::copy_if(ranges::begin(range), ranges::end(range), out, test);
}
template <typename Range, typename Out>
constexpr Out move(Range&& range, Out out) {
  return std::move(ranges::begin(range), ranges::end(range), out);
}
template <typename Range, typename Out, typename Function>
constexpr Out transform(Range&& range, Out out, Function function) {
  return std::transform(ranges::begin(range), ranges::end(range), out,
                        [&](auto&& item) { return std::invoke(function, item); });
}

}  // namespace std::ranges

// Else the elements of a string_view are not const.
_LIBCPP_BEGIN_NAMESPACE_STD
span(string_view)->span<const char>;
_LIBCPP_END_NAMESPACE_STD

// For defaulted comparisons of what has such members.
namespace std {
inline strong_ordering operator<=>(const string& a, const string& b) {
  return a.compare(b) <=> 0;
}
template <typename T>
constexpr auto operator<=>(const vector<T>& a, const vector<T>& b) {
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (const auto order = a[i] <=> b[i]; order != 0) return order;
  }
  return static_cast<decltype(declval<const T&>() <=> declval<const T&>())>(a.size() <=> b.size());
}
}  // namespace std
#endif

#ifndef __cpp_lib_bit_cast
namespace std {
template <typename To, typename From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}
}  // namespace std
#endif

#endif  // __cplusplus
#endif  // QCONFORM_CMAKE_WASM_CXX20_H_
