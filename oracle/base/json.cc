#include "oracle/base/json.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "oracle/base/text.h"

namespace qconform {
namespace {

// Appends a scalar as the library spells it.
void AppendScalar(const nlohmann::json& scalar, std::string* text) {
  *text += scalar.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Appends the text as the library spells it. What does not print is \uXXXX, so that a
// document can be shown on a terminal.
void AppendEscaped(const std::string& value, std::string* text) {
  std::string spelled;
  AppendScalar(value, &spelled);
  for (std::string_view rest = spelled; !rest.empty();) {
    const auto character = FirstCharacter(rest);
    const std::string_view bytes = rest.substr(0, character ? character->size : 1);
    rest.remove_prefix(bytes.size());
    if (character && IsPrintable(character->point)) {
      *text += bytes;
      continue;
    }
    uint32_t point = character ? character->point : 0xFFFD;
    char escaped[16];
    if (point >= 0x10000) {  // as a pair of surrogates
      point -= 0x10000;
      std::snprintf(escaped, sizeof escaped, "\\u%04x\\u%04x",
                    static_cast<unsigned>(0xD800 + (point >> 10)),
                    static_cast<unsigned>(0xDC00 + (point & 0x3FF)));
    } else {
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(point));
    }
    *text += escaped;
  }
}

void AppendString(const std::string& value, std::string* text) {
  const bool plain = std::all_of(value.begin(), value.end(), [](char c) {
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
  });
  if (plain) {
    text->push_back('"');
    text->append(value);
    text->push_back('"');
  } else {
    AppendEscaped(value, text);
  }
}

void AppendNewLine(int indent, int depth, std::string* text) {
  if (indent >= 0) {
    *text += '\n';
    text->append(static_cast<size_t>(indent) * static_cast<size_t>(depth), ' ');
  }
}

void Append(const Json& value, int indent, int depth, std::string* text) {
  if (value.is_null()) {
    *text += "null";
  } else if (value.is_boolean()) {
    *text += value.get<bool>() ? "true" : "false";
  } else if (value.is_number_unsigned()) {
    *text += std::to_string(value.get<uint64_t>());
  } else if (value.is_number_integer()) {
    *text += std::to_string(value.get<int64_t>());
  } else if (value.is_number()) {
    AppendScalar(value.get<double>(), text);
  } else if (value.is_string()) {
    AppendString(value.text(), text);
  } else if (value.is_array()) {
    *text += '[';
    bool first = true;
    for (const Json& item : value) {
      if (!std::exchange(first, false)) *text += ',';
      AppendNewLine(indent, depth + 1, text);
      Append(item, indent, depth + 1, text);
    }
    if (!value.empty()) AppendNewLine(indent, depth, text);
    *text += ']';
  } else {
    *text += '{';
    bool first = true;
    for (const auto& [key, member] : value.items()) {
      if (!std::exchange(first, false)) *text += ',';
      AppendNewLine(indent, depth + 1, text);
      AppendString(key, text);
      *text += indent >= 0 ? ": " : ":";
      Append(member, indent, depth + 1, text);
    }
    if (!value.empty()) AppendNewLine(indent, depth, text);
    *text += '}';
  }
}

// Makes a value of what the library's parser reports, which does not call itself. Returns
// false, which ends the parse, at the first thing that is refused.
class Builder {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  bool null() { return Add(Json()); }
  bool boolean(bool value) { return Add(value); }
  bool number_integer(number_integer_t value) { return Add(value); }
  bool number_unsigned(number_unsigned_t value) { return Add(value); }
  bool number_float(number_float_t value, const string_t&) { return Add(value); }
  bool string(string_t& value) { return Add(std::move(value)); }
  bool binary(binary_t&) { return false; }  // JSON's text has none

  bool start_object(size_t) { return Open(Json::object()); }
  bool start_array(size_t) { return Open(Json::array()); }
  bool key(string_t& key) {
    if (!open_.back().keys.insert(key).second) {
      problem_ = ": expected each key of an object once, got \"" + key + "\" twice";
      return false;
    }
    open_.back().key = std::move(key);
    return true;
  }
  bool end_object() { return Close(); }
  bool end_array() { return Close(); }

  bool parse_error(size_t, const std::string&, const nlohmann::json::exception& error) {
    const std::string what =
        error.what();  // "[json.exception.parse_error.101] parse ..."
    const size_t bracket = what.find("] ");
    problem_ = ": expected a JSON document, got other text: " +
               (bracket == std::string::npos ? what : what.substr(bracket + 2));
    return false;
  }

  const std::string& problem() const { return problem_; }
  Json Take() { return std::move(root_); }

 private:
  struct Container {
    Json value;
    std::string key;                       // of an object's member that is being read
    std::unordered_set<std::string> keys;  // of an object
  };

  bool Add(Json value) {
    if (++values_ > kMostJsonValues) {
      problem_ =
          ": expected at most " + std::to_string(kMostJsonValues) + " values, got more";
      return false;
    }
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (open_.back().value.is_array()) {
      open_.back().value.push_back(std::move(value));
    } else {
      open_.back().value.Append(std::move(open_.back().key), std::move(value));
    }
    return true;
  }

  bool Open(Json empty) {
    if (open_.size() == kMostJsonNesting) {
      problem_ = ": expected at most " + std::to_string(kMostJsonNesting) +
                 " levels of nesting, got more";
      return false;
    }
    open_.push_back({std::move(empty), {}, {}});
    return true;
  }

  bool Close() {
    Json value = std::move(open_.back().value);
    open_.pop_back();
    return Add(std::move(value));
  }

  std::vector<Container> open_;
  Json root_;
  int64_t values_ = 0;
  std::string problem_;
};

// Whether the items of a list in braces are the members of an object.
bool AreMembers(std::initializer_list<Json> items) {
  return std::all_of(items.begin(), items.end(), [](const Json& item) {
    return item.is_array() && item.size() == 2 && item[0].is_string();
  });
}

}  // namespace

Json::Json() = default;
Json::Json(std::nullptr_t) {}
Json::Json(double value) : value_(value) {}
Json::Json(Boolean value) : value_(value.value) {}
Json::Json(Signed value) : value_(value.value) {}
Json::Json(Unsigned value) : value_(value.value) {}
Json::Json(const char* text) : value_(std::string(text)) {}
Json::Json(std::string text) : value_(std::move(text)) {}
Json::Json(std::string_view text) : value_(std::string(text)) {}

Json::Json(std::initializer_list<Json> items) {
  if (!AreMembers(items)) {
    value_ = std::vector<Json>(items);
    return;
  }
  value_ = std::vector<Member>();
  for (const Json& item : items) (*this)[item[0].text()] = item[1];
}

Json::Json(const Json& other) = default;
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(const Json& other) = default;
Json& Json::operator=(Json&& other) noexcept = default;
Json::~Json() = default;

Json Json::array() { return array({}); }

Json Json::array(std::initializer_list<Json> items) {
  Json json;
  json.value_ = std::vector<Json>(items);
  return json;
}

Json Json::object() {
  Json json;
  json.value_ = std::vector<Member>();
  return json;
}

bool Json::is_null() const { return std::holds_alternative<std::monostate>(value_); }
bool Json::is_boolean() const { return std::holds_alternative<bool>(value_); }
bool Json::is_number() const {
  return is_number_integer() || std::holds_alternative<double>(value_);
}
bool Json::is_number_integer() const {
  return std::holds_alternative<int64_t>(value_) ||
         std::holds_alternative<uint64_t>(value_);
}
bool Json::is_number_unsigned() const {
  const int64_t* value = std::get_if<int64_t>(&value_);
  return value ? *value >= 0 : std::holds_alternative<uint64_t>(value_);
}
bool Json::is_string() const { return std::holds_alternative<std::string>(value_); }
bool Json::is_array() const { return std::holds_alternative<std::vector<Json>>(value_); }
bool Json::is_object() const {
  return std::holds_alternative<std::vector<Member>>(value_);
}

bool Json::ToBool() const { return std::get<bool>(value_); }

int64_t Json::ToSigned() const {
  const uint64_t* value = std::get_if<uint64_t>(&value_);
  return value ? static_cast<int64_t>(*value) : std::get<int64_t>(value_);
}

uint64_t Json::ToUnsigned() const {
  const int64_t* value = std::get_if<int64_t>(&value_);
  return value ? static_cast<uint64_t>(*value) : std::get<uint64_t>(value_);
}

double Json::ToDouble() const {
  if (const int64_t* value = std::get_if<int64_t>(&value_)) {
    return static_cast<double>(*value);
  }
  if (const uint64_t* value = std::get_if<uint64_t>(&value_)) {
    return static_cast<double>(*value);
  }
  return std::get<double>(value_);
}

const std::string& Json::text() const { return std::get<std::string>(value_); }

size_t Json::size() const {
  return is_object() ? items().size() : static_cast<size_t>(end() - begin());
}

const Json* Json::begin() const {
  const auto* array = std::get_if<std::vector<Json>>(&value_);
  return array ? array->data() : nullptr;
}

const Json* Json::end() const {
  const auto* array = std::get_if<std::vector<Json>>(&value_);
  return array ? array->data() + array->size() : nullptr;
}

const Json& Json::Item(size_t index) const {
  assert(index < std::get<std::vector<Json>>(value_).size());
  return std::get<std::vector<Json>>(value_)[index];
}

void Json::push_back(Json item) {
  if (is_null()) value_ = std::vector<Json>();
  std::get<std::vector<Json>>(value_).push_back(std::move(item));
}

const std::vector<Json::Member>& Json::items() const {
  static const std::vector<Member> kNone;
  const auto* members = std::get_if<std::vector<Member>>(&value_);
  return members ? *members : kNone;
}

const Json* Json::Find(std::string_view key) const {
  for (const Member& member : items()) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

const Json& Json::operator[](std::string_view key) const {
  static const Json kNull;
  const Json* found = Find(key);
  return found ? *found : kNull;
}

Json& Json::operator[](std::string_view key) {
  if (is_null()) value_ = std::vector<Member>();
  auto& members = std::get<std::vector<Member>>(value_);
  for (Member& member : members) {
    if (member.key == key) return member.value;
  }
  return Append(std::string(key), Json());
}

Json& Json::Append(std::string key, Json value) {
  auto& members = std::get<std::vector<Member>>(value_);
  members.push_back({std::move(key), std::move(value)});
  return members.back().value;
}

void Json::erase(std::string_view key) {
  std::erase_if(std::get<std::vector<Member>>(value_),
                [&](const Member& member) { return member.key == key; });
}

bool operator==(const Json& a, const Json& b) {
  if (a.is_number_unsigned() && b.is_number_unsigned()) {
    return a.ToUnsigned() == b.ToUnsigned();
  }
  return a.value_ == b.value_;
}

std::string Dump(const Json& value, int indent) {
  std::string text;
  Append(value, indent, 0, &text);
  return text;
}

Result<Json> ParseJson(std::string_view text, std::string_view name) {
  const auto error = [&](const std::string& problem) {
    return Error{std::string(name) + problem};
  };
  if (text.empty()) return error(": expected a JSON document, got nothing");
  if (const size_t zero = text.find('\0'); zero != std::string_view::npos) {
    return error(": expected text without the byte 0, got one as byte " +
                 std::to_string(zero));
  }
  Builder builder;
  if (!nlohmann::json::sax_parse(text, &builder)) return error(builder.problem());
  return builder.Take();
}

Json ParseJsonOrNull(std::string_view text) {
  auto parsed = ParseJson(text, "");
  return parsed ? *std::move(parsed) : Json();
}

}  // namespace qconform
