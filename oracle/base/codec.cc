#include "oracle/base/codec.h"

#include <algorithm>
#include <limits>

namespace qconform {
namespace {

constexpr std::string_view kCount = "an integer from 0 up";

// A value as an error shows it.
std::string Shown(const Json& value) {
  const std::string text = Dump(value);
  return text.size() <= 60 ? text : text.substr(0, 60) + "...";
}

bool IsCount(const Json& value, uint64_t most) {
  return value.is_number_unsigned() && value.get<uint64_t>() <= most;
}

template <typename T>
void ConvertCount(const JsonPlace& place, T& value, std::string_view expected) {
  if (!place.reads()) {
    place.target() = Json(value);
  } else if (place.Expect(
                 IsCount(place.source(), uint64_t{std::numeric_limits<T>::max()}),
                 expected)) {
    value = place.source().get<T>();
  }
}

}  // namespace

JsonPlace JsonPlace::Member(std::string_view key, const Json* source) const {
  static const Json kNull;
  JsonPlace place(source ? *source : kNull, *state_);
  place.parent_ = this;
  place.key_ = key;
  place.missing_ = source == nullptr;
  return place;
}

JsonPlace JsonPlace::Item(size_t index) const {
  JsonPlace place(source()[index], *state_);
  place.parent_ = this;
  place.index_ = index;
  return place;
}

std::string JsonPlace::Path() const {
  const std::string before = parent_ ? parent_->Path() : "";
  if (index_) return before + "[" + std::to_string(*index_) + "]";
  return before + (before.empty() ? "" : ".") + std::string(key_);
}

bool JsonPlace::Expect(bool right, std::string_view expected) const {
  if (!right) {
    Fail("expected " + std::string(expected) + ", got " +
         (missing_ ? "nothing" : Shown(source())));
  }
  return !state_->error;
}

void JsonPlace::Fail(const std::string& what) const {
  if (state_->error) return;
  const std::string path = Path();
  state_->error = Error{state_->name + ": " + path + (path.empty() ? "" : ": ") + what};
}

Fields::Fields(const JsonPlace& place) : place_(place) {
  if (reads()) {
    place_.Expect(place_.source().is_object(), "an object");
  } else {
    place_.target() = Json::object();
  }
}

std::optional<JsonPlace> Fields::Source(std::string_view key, bool required) {
  if (place_.state().error) return std::nullopt;
  if (refuses_others_) listed_.push_back(key);
  const Json* found = place_.source().Find(key);
  if (found == nullptr && !required) return std::nullopt;
  return place_.Member(key, found);
}

void Fields::List(std::string_view key, bool required) {
  keys_->push_back({std::string(key), required});
}

void Fields::Check(bool right, std::string_view key, const std::string& what) const {
  if (reads() && !right) place_.Member(key, place_.source().Find(key)).Fail(what);
}

void Fields::Finish() const {
  if (!reads() || !refuses_others_ || place_.state().error) return;
  for (const auto& [key, value] : place_.source().items()) {
    if (std::find(listed_.begin(), listed_.end(), key) != listed_.end()) continue;
    std::string keys;
    for (const std::string_view listed : listed_) {
      keys += (keys.empty() ? "" : ", ") + std::string(listed);
    }
    place_.Fail("expected the fields " + keys + ", got " + key);
  }
}

void Convert(const JsonPlace& place, std::string& value) {
  if (!place.reads()) {
    place.target() = Json(value);
  } else if (place.Expect(place.source().is_string(), "a string")) {
    value = place.source().text();
  }
}

void Convert(const JsonPlace& place, bool& value) {
  if (!place.reads()) {
    place.target() = Json(value);
  } else if (place.Expect(place.source().is_boolean(), "true or false")) {
    value = place.source().get<bool>();
  }
}

void Convert(const JsonPlace& place, int& value) {
  ConvertCount(place, value, "an integer from 0 to 2147483647");
}

void Convert(const JsonPlace& place, int64_t& value) {
  ConvertCount(place, value, kCount);
}

void Convert(const JsonPlace& place, uint64_t& value) {
  ConvertCount(place, value, kCount);
}

void Convert(const JsonPlace& place, double& value) {
  if (!place.reads()) {
    place.target() = Json(value);
    return;
  }
  const Json& source = place.source();
  const bool right = source.is_number() && source.get<double>() >= 0;
  if (place.Expect(right, "a number from 0 up")) value = source.get<double>();
}

std::string KeyText(const std::string& key) { return key; }
std::string KeyText(int key) { return std::to_string(key); }

void ReadKey(const JsonPlace&, std::string_view text, std::string& key) { key = text; }

void ReadKey(const JsonPlace& place, std::string_view text, int& key) {
  const bool is_number = !text.empty() && text.size() <= 9 &&
                         text.find_first_not_of("0123456789") == std::string::npos;
  if (is_number) {
    key = std::stoi(std::string(text));
  } else {
    place.Fail("expected a number as its name, got \"" + std::string(text) + "\"");
  }
}

std::string BlockText(const Json& object, std::string_view nested) {
  std::string text = "{";
  for (const auto& [key, value] : object.items()) {
    text += (text == "{" ? "\n" : ",\n") + Dump(Json(key)) + ":";
    if (key == nested) {
      text += BlockText(value, nested);
    } else if (value.is_array() && !value.empty() && value.front().is_object()) {
      text += "[";
      for (size_t i = 0; i < value.size(); ++i) {
        text += (i == 0 ? "\n" : ",\n") + Dump(value[i]);
      }
      text += "\n]";
    } else {
      text += Dump(value);
    }
  }
  return text + "\n}";
}

}  // namespace qconform
