// JSON of records. One function per record lists its fields; from it follow the writer,
// the reader and the list of keys.
//
//   void Describe(Fields& fields, SuiteRecord& suite) {
//     fields.Required("version", suite.version, "seed", suite.seed);
//     fields.Optional("profile", suite.profile);
//   }
//
// Keys are written in the order in which they are listed.
#ifndef QCONFORM_ORACLE_BASE_CODEC_H_
#define QCONFORM_ORACLE_BASE_CODEC_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "oracle/base/json.h"
#include "oracle/base/result.h"

namespace qconform {

// What a reader has to know, and the first mistake that it met.
struct ReadState {
  explicit ReadState(std::string_view the_name) : name(the_name) {}

  std::string name;          // of the document, for errors
  bool later_words = false;  // it may have verdicts that this program does not know
  bool is_1_0 = false;       // a report of version 1.0
  std::optional<Error> error{};
};

// A value of a document that is read or written. After the first mistake a reader leaves
// the fields of the record as they are: check ReadState::error once, at the end.
class JsonPlace {
 public:
  JsonPlace() = default;
  explicit JsonPlace(Json& target) : target_(&target) {}
  JsonPlace(const Json& source, ReadState& state) : source_(&source), state_(&state) {}

  // Places within one that is read. They refer to it and to `key`. Where the member is
  // missing, `source` is null.
  JsonPlace Member(std::string_view key, const Json* source) const;
  JsonPlace Item(size_t index) const;

  bool reads() const { return state_ != nullptr; }
  const Json& source() const { return *source_; }
  ReadState& state() const { return *state_; }
  Json& target() const { return *target_; }

  // Returns whether what is read is `right`; records the error "PLACE: expected EXPECTED,
  // got ..." if not. False after an earlier mistake.
  bool Expect(bool right, std::string_view expected) const;
  void Fail(const std::string& what) const;

 private:
  std::string Path() const;

  const Json* source_ = nullptr;
  ReadState* state_ = nullptr;
  Json* target_ = nullptr;
  const JsonPlace* parent_ = nullptr;
  std::string_view key_{};
  std::optional<size_t> index_{};  // in an array
  bool missing_ = false;
};

// The members of an object.
class Fields {
 public:
  struct Key {
    std::string name;
    bool required = false;
  };

  // Reads from an object; makes the target one.
  explicit Fields(const JsonPlace& place);
  // Reads and writes nothing, and lists the keys.
  explicit Fields(std::vector<Key>& keys) : keys_(&keys) {}

  // Each of these takes a key and a value, and then any number of such pairs. A value
  // that is const is not read.

  // Always written; an error where it is missing.
  template <typename T, typename... More>
  void Required(std::string_view key, T&& value, More&&... more);
  // Left out where it holds nothing: no text, no items, no value, 0 or false.
  template <typename T, typename... More>
  void Optional(std::string_view key, T&& value, More&&... more);
  // Written for readers who do not compute, and not read.
  template <typename T, typename... More>
  void Written(std::string_view key, const T& value, More&&... more);

  // Left out where it is `absent`, which the record must have from its start.
  template <typename T>
  void Defaulted(std::string_view key, T& value, const std::type_identity_t<T>& absent);

  bool reads() const { return place_.reads(); }
  const JsonPlace& place() const { return place_; }
  // Whether the object that is read has the member.
  bool Has(std::string_view key) const {
    return reads() && place_.source().contains(key);
  }

  // Of what is read: records the error "KEY: WHAT" unless `right`.
  void Check(bool right, std::string_view key, const std::string& what) const;
  // Of what is read: refuses members that are not listed. The first call.
  void RefuseOthers() { refuses_others_ = true; }
  // What Convert calls when all fields are read.
  void Finish() const;

 private:
  // The place of a member that is read; nothing where it may be missing and is, and after
  // a mistake.
  std::optional<JsonPlace> Source(std::string_view key, bool required);
  void List(std::string_view key, bool required);

  JsonPlace place_;
  std::vector<Key>* keys_ = nullptr;
  bool refuses_others_ = false;
  std::vector<std::string_view> listed_;  // where others are refused
};

// --- Values of each type
// ----------------------------------------------------------------

void Convert(const JsonPlace& place, std::string& value);
void Convert(const JsonPlace& place, bool& value);
void Convert(const JsonPlace& place, int& value);  // from 0 up, as all numbers
void Convert(const JsonPlace& place, int64_t& value);
void Convert(const JsonPlace& place, uint64_t& value);
void Convert(const JsonPlace& place, double& value);

// Names of members.
std::string KeyText(const std::string& key);
std::string KeyText(int key);
void ReadKey(const JsonPlace& place, std::string_view text, std::string& key);
void ReadKey(const JsonPlace& place, std::string_view text, int& key);

// A word of a closed list.
template <typename Word, typename All, typename Name, typename Parse>
void ConvertWord(const JsonPlace& place, Word& value, const All& all, Name name,
                 Parse parse) {
  if (!place.reads()) {
    place.target() = Json(name(value));
    return;
  }
  const bool is_text = place.source().is_string();
  if (const auto word = is_text ? parse(place.source().text()) : std::nullopt) {
    value = *word;
    return;
  }
  std::string words;
  for (const auto item : all)
    words += (words.empty() ? "" : ", ") + std::string(name(item));
  place.Expect(false, "one of " + words);
}

template <typename T>
Json ToJson(const T& value);

// A vector of items for which there is Entry(item), a tuple of a name and a value, is an
// object in the order of the items.
template <typename Name, typename Value>
auto Entry(std::pair<Name, Value>& pair) {
  return std::tie(pair.first, pair.second);
}

template <typename T>
concept Record = requires(Fields& fields, T& record) {
  Describe(fields, record);
};

template <Record T>
void Convert(const JsonPlace& place, T& record) {
  Fields fields(place);
  Describe(fields, record);
  fields.Finish();
}

template <typename T>
void Convert(const JsonPlace& place, std::optional<T>& value) {
  if (place.reads()) value.emplace();
  Convert(place, *value);
}

template <typename Items>
void WriteItems(const JsonPlace& place, const Items& items) {
  place.target() = Json::array();
  for (const auto& item : items) place.target().push_back(ToJson(item));
}

template <typename T>
void Convert(const JsonPlace& place, std::set<T>& values) {
  if (!place.reads()) return WriteItems(place, values);
  std::vector<T> items;
  Convert(place, items);
  values = std::set<T>(items.begin(), items.end());
}

template <typename T>
void Convert(const JsonPlace& place, std::map<std::string, T>& values) {
  if (!place.reads()) {
    place.target() = Json::object();
    for (const auto& [key, value] : values) place.target().Append(key, ToJson(value));
  } else if (place.Expect(place.source().is_object(), "an object")) {
    for (const auto& [key, source] : place.source().items()) {
      Convert(place.Member(key, &source), values[key]);
    }
  }
}

template <typename T>
void ConvertEntries(const JsonPlace& place, std::vector<T>& values) {
  if (!place.reads()) {
    place.target() = Json::object();
    for (T& item : values) {
      auto [key, value] = Entry(item);
      place.target().Append(KeyText(key), ToJson(value));
    }
  } else if (place.Expect(place.source().is_object(), "an object")) {
    for (const auto& [text, source] : place.source().items()) {
      const JsonPlace member = place.Member(text, &source);
      auto [key, value] = Entry(values.emplace_back());
      ReadKey(member, text, key);
      Convert(member, value);
    }
  }
}

template <typename T>
void Convert(const JsonPlace& place, std::vector<T>& values) {
  if constexpr (requires(T & item) { Entry(item); }) {
    ConvertEntries(place, values);
  } else if (!place.reads()) {
    WriteItems(place, values);
  } else if (place.Expect(place.source().is_array(), "an array")) {
    values.reserve(place.source().size());
    for (size_t i = 0; i < place.source().size() && !place.state().error; ++i) {
      Convert(place.Item(i), values.emplace_back());
    }
  }
}

// --- Documents
// --------------------------------------------------------------------------

template <typename T>
Json ToJson(const T& value) {
  Json json;
  if constexpr (requires(JsonPlace place, T & target) { Convert(place, target); }) {
    Convert(JsonPlace(json), const_cast<T&>(value));  // writing changes nothing
  } else {
    json = Json(value);
  }
  return json;
}

template <Record T>
T FromJson(const Json& source, ReadState& state) {
  T record;
  Convert(JsonPlace(source, state), record);
  return record;
}

// Reads a document; `name` is what an Error calls it.
template <Record T>
Result<T> ParseRecord(std::string_view text, std::string_view name) {
  const auto json = ParseJson(text, name);
  if (!json) return json.error();
  ReadState state(name);
  auto record = FromJson<T>(*json, state);
  if (state.error) return *state.error;
  return record;
}

// Returns the text of an object with one member per line, and one item per line where a
// member is an array of objects. The object `nested` in it is written likewise.
std::string BlockText(const Json& object, std::string_view nested = "");

template <Record T>
std::vector<Fields::Key> KeysOf() {
  std::vector<Fields::Key> keys;
  Fields fields(keys);
  T record;
  Describe(fields, record);
  return keys;
}

// --- Fields
// -----------------------------------------------------------------------------

template <typename T>
bool HoldsNothing(const T& value) {
  if constexpr (requires { value.has_value(); }) {
    return !value.has_value();
  } else if constexpr (requires { value.empty(); }) {
    return value.empty();
  } else {
    return value == T{};
  }
}

template <typename T, typename... More>
void Fields::Required(std::string_view key, T&& value, More&&... more) {
  if (keys_ != nullptr) {
    List(key, true);
  } else if (!reads()) {
    place_.target().Append(std::string(key), ToJson(value));
  } else if constexpr (!std::is_const_v<std::remove_reference_t<T>>) {
    if (const auto source = Source(key, true)) Convert(*source, value);
  }
  if constexpr (sizeof...(more) > 0) Required(std::forward<More>(more)...);
}

template <typename T, typename... More>
void Fields::Optional(std::string_view key, T&& value, More&&... more) {
  if (keys_ != nullptr) {
    List(key, false);
  } else if (!reads()) {
    if (!HoldsNothing(value)) place_.target().Append(std::string(key), ToJson(value));
  } else if constexpr (!std::is_const_v<std::remove_reference_t<T>>) {
    if (const auto source = Source(key, false)) Convert(*source, value);
  }
  if constexpr (sizeof...(more) > 0) Optional(std::forward<More>(more)...);
}

template <typename T, typename... More>
void Fields::Written(std::string_view key, const T& value, More&&... more) {
  if (keys_ != nullptr) {
    List(key, true);
  } else if (!reads()) {
    place_.target().Append(std::string(key), ToJson(value));
  }
  if constexpr (sizeof...(more) > 0) Written(std::forward<More>(more)...);
}

template <typename T>
void Fields::Defaulted(std::string_view key, T& value,
                       const std::type_identity_t<T>& absent) {
  if (keys_ != nullptr || reads()) {
    Optional(key, value);
  } else if (value != absent) {
    Required(key, value);
  }
}

}  // namespace qconform

#endif  // QCONFORM_ORACLE_BASE_CODEC_H_
