// A JSON value: null, a boolean, a number, a string, an array, or an object whose keys
// keep the order in which they were set. The library that reads and writes the text is
// seen by json.cc only, because its header costs more to compile than most sources that
// use it.
#ifndef QCONFORM_ORACLE_BASE_JSON_H_
#define QCONFORM_ORACLE_BASE_JSON_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "oracle/base/result.h"

namespace qconform {

// Arrays and objects may be nested this deeply; what qconform writes has a fifth of it.
inline constexpr int kMostJsonNesting = 64;

// A document may have this many values: what qconform writes has one for each 20 bytes,
// and "[[],[],[]" would cost 13 times its length.
inline constexpr int64_t kMostJsonValues = 8'000'000;

class Json {
 public:
  struct Member;  // {key, value}

  Json();  // null
  Json(std::nullptr_t);
  Json(std::same_as<bool> auto value) : Json(Boolean{value}) {}
  Json(double value);
  template <std::signed_integral T>
  Json(T value) : Json(Signed{value}) {}
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) Json(T value) : Json(Unsigned{value}) {}
  Json(const char* text);
  Json(std::string text);
  Json(std::string_view text);
  template <typename T>
  Json(const std::vector<T>& values) : Json(array()) {
    for (const T& value : values) push_back(value);
  }
  template <typename T>
  Json(const std::set<T>& values) : Json(array()) {
    for (const T& value : values) push_back(value);
  }
  template <typename T>
  Json(const std::map<std::string, T>& values) : Json(object()) {
    for (const auto& [key, value] : values) (*this)[key] = value;
  }
  // An object if every item is an array of a string and a value, else an array.
  Json(std::initializer_list<Json> items);

  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(const Json& other);
  Json& operator=(Json&& other) noexcept;
  ~Json();

  static Json array();
  static Json array(std::initializer_list<Json> items);
  static Json object();

  bool is_null() const;
  bool is_boolean() const;
  bool is_number() const;
  bool is_number_integer() const;   // of either sign
  bool is_number_unsigned() const;  // an integer that is not negative
  bool is_string() const;
  bool is_array() const;
  bool is_object() const;

  // The value as T: bool, an integer or floating type, std::string, or a vector of one of
  // them. Precondition: the value is of that kind, and an integer fits into T. A value of
  // another kind throws std::bad_variant_access.
  template <typename T>
  T get() const {
    if constexpr (std::same_as<T, bool>) {
      return ToBool();
    } else if constexpr (std::floating_point<T>) {
      return static_cast<T>(ToDouble());
    } else if constexpr (std::unsigned_integral<T>) {
      return static_cast<T>(ToUnsigned());
    } else if constexpr (std::signed_integral<T>) {
      return static_cast<T>(ToSigned());
    } else if constexpr (std::same_as<T, std::string>) {
      return text();
    } else {
      T values;
      for (const Json& item : *this) {
        values.push_back(item.get<typename T::value_type>());
      }
      return values;
    }
  }
  // Precondition: is_string().
  const std::string& text() const;

  // How many items or members; 0 of what is no array and no object.
  size_t size() const;
  bool empty() const { return size() == 0; }

  // The items of an array; none of any other value.
  const Json* begin() const;
  const Json* end() const;
  // Precondition: an array with that item.
  template <std::integral T>
  const Json& operator[](T index) const {
    return Item(static_cast<size_t>(index));
  }
  const Json& front() const { return (*this)[0]; }
  // Null becomes an array. Precondition: null or an array.
  void push_back(Json item);

  // The members of an object, in their order; none of any other value.
  const std::vector<Member>& items() const;
  bool contains(std::string_view key) const { return Find(key) != nullptr; }
  // The member, or nullptr if there is none, or if this is no object.
  const Json* Find(std::string_view key) const;
  // The member, or null if there is none.
  const Json& operator[](std::string_view key) const;
  const Json& operator[](const char* key) const { return (*this)[std::string_view(key)]; }
  // Adds the member if there is none. Null becomes an object. Precondition: null or an
  // object.
  Json& operator[](std::string_view key);
  Json& operator[](const char* key) { return (*this)[std::string_view(key)]; }
  // Adds a member to an object that has none of that key, and returns its value.
  Json& Append(std::string key, Json value);
  void erase(std::string_view key);

  // Integers are equal by value.
  friend bool operator==(const Json& a, const Json& b);

 private:
  struct Boolean {
    bool value;
  };
  struct Signed {
    int64_t value;
  };
  struct Unsigned {
    uint64_t value;
  };
  explicit Json(Boolean value);
  explicit Json(Signed value);
  explicit Json(Unsigned value);

  const Json& Item(size_t index) const;
  bool ToBool() const;
  int64_t ToSigned() const;
  uint64_t ToUnsigned() const;
  double ToDouble() const;

  std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string,
               std::vector<Json>, std::vector<Member>>
      value_;
};

struct Json::Member {
  std::string key;
  Json value;

  friend bool operator==(const Member&, const Member&) = default;
};

// Returns the text: in one line, or with a line for each value if `indent` (spaces a
// level) is not negative. Bytes that are not UTF-8 become U+FFFD.
std::string Dump(const Json& value, int indent = -1);

// Parses one document. Refuses keys that come twice in an object (two readers could take
// them differently), the byte 0 (some readers take it for the end), what is nested more
// than kMostJsonNesting deep, and more than kMostJsonValues values. `name` is what an
// error calls the text.
Result<Json> ParseJson(std::string_view text, std::string_view name);

// Returns the document, or null if ParseJson refuses the text.
Json ParseJsonOrNull(std::string_view text);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_BASE_JSON_H_
