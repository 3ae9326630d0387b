#include "reports/record/json.h"

#include <cmath>
#include <limits>

namespace qconform {
namespace {

constexpr std::string_view kCount = "an integer from 0 up";

bool IsString(const Json& value) { return value.is_string(); }
bool IsObject(const Json& value) { return value.is_object(); }
bool IsArray(const Json& value) { return value.is_array(); }
bool IsBool(const Json& value) { return value.is_boolean(); }
bool IsDuration(const Json& value) {
  return value.is_number() && value.get<double>() >= 0;
}
bool IsUnsigned(const Json& value) { return value.is_number_unsigned(); }
bool IsCount(const Json& value) {
  return IsUnsigned(value) &&
         value.get<uint64_t>() <= uint64_t{std::numeric_limits<int64_t>::max()};
}
bool IsInt(const Json& value) {
  return IsCount(value) && value.get<int64_t>() <= std::numeric_limits<int>::max();
}

// A value as an error shows it.
std::string Shown(const Json& value) {
  const std::string text = Dump(value);
  return text.size() <= 60 ? text : text.substr(0, 60) + "...";
}

}  // namespace

std::string Fields::Path(std::string_view key) const {
  return path_.empty() ? std::string(key)
         : key.empty() ? path_
                       : path_ + "." + std::string(key);
}

void Fields::Fail(std::string_view key, const std::string& what) const {
  if (state_->error) return;
  const std::string path = Path(key);
  state_->error =
      Error{state_->name + ": " + (path.empty() ? "the document" : path) + " " + what};
}

const Json* Fields::Find(std::string_view key, bool required, std::string_view right,
                         bool (*is_right)(const Json&)) const {
  if (state_->error) return nullptr;
  if (!value_->is_object()) {
    Fail("", "is " + Shown(*value_) + "; an object is right");
    return nullptr;
  }
  const Json* found = value_->Find(key);
  if (found == nullptr) {
    if (required) Fail(key, "is missing; " + std::string(right) + " is right");
    return nullptr;
  }
  if (!is_right(*found)) {
    Fail(key, "is " + Shown(*found) + "; " + std::string(right) + " is right");
    return nullptr;
  }
  return found;
}

std::string Fields::String(std::string_view key) const {
  const Json* found = Find(key, true, "a string", IsString);
  return found ? found->get<std::string>() : std::string();
}

std::string Fields::String(std::string_view key, std::string fallback) const {
  const Json* found = Find(key, false, "a string", IsString);
  return found ? found->get<std::string>() : fallback;
}

int64_t Fields::Count(std::string_view key) const {
  const Json* found = Find(key, true, kCount, IsCount);
  return found ? found->get<int64_t>() : 0;
}

int64_t Fields::Count(std::string_view key, int64_t fallback) const {
  const Json* found = Find(key, false, kCount, IsCount);
  return found ? found->get<int64_t>() : fallback;
}

uint64_t Fields::Unsigned(std::string_view key) const {
  const Json* found = Find(key, true, kCount, IsUnsigned);
  return found ? found->get<uint64_t>() : 0;
}

int Fields::Int(std::string_view key) const {
  const Json* found = Find(key, true, "an integer from 0 to 2147483647", IsInt);
  return found ? found->get<int>() : 0;
}

double Fields::Duration(std::string_view key) const {
  const Json* found = Find(key, true, "a number from 0 up", IsDuration);
  return found ? found->get<double>() : 0;
}

bool Fields::Bool(std::string_view key) const {
  const Json* found = Find(key, true, "true or false", IsBool);
  return found && found->get<bool>();
}

DataType Fields::Type(std::string_view key) const {
  const std::string name = String(key);
  const std::optional<DataType> type = ParseDataType(name);
  if (!type)
    Fail(key, "is \"" + name + "\"; a name of ONNX's TensorProto.DataType is right");
  return type.value_or(DataType::kUndefined);
}

std::vector<DataType> Fields::Types(std::string_view key) const {
  std::vector<DataType> types;
  for (const std::string& name : Strings(key)) {
    const std::optional<DataType> type = ParseDataType(name);
    if (!type)
      Fail(key, "has \"" + name + "\"; a name of ONNX's TensorProto.DataType is right");
    types.push_back(type.value_or(DataType::kUndefined));
  }
  return types;
}

std::vector<std::string> Fields::Strings(std::string_view key) const {
  std::vector<std::string> strings;
  const Json* found = Find(key, true, "an array of strings", IsArray);
  if (!found) return strings;
  for (const Json& item : *found) {
    if (!item.is_string()) {
      Fail(key, "has " + Shown(item) + "; strings are right");
      return strings;
    }
    strings.push_back(item.get<std::string>());
  }
  return strings;
}

std::vector<int64_t> Fields::Counts(std::string_view key) const {
  std::vector<int64_t> counts;
  const Json* found = Find(key, true, "an array of counts", IsArray);
  if (!found) return counts;
  for (const Json& item : *found) {
    if (!IsCount(item)) {
      Fail(key, "has " + Shown(item) + "; " + std::string(kCount) + " is right");
      return counts;
    }
    counts.push_back(item.get<int64_t>());
  }
  return counts;
}

std::map<std::string, std::string> Fields::StringMap(std::string_view key) const {
  std::map<std::string, std::string> map;
  const Json* found = Find(key, true, "an object of strings", IsObject);
  if (!found) return map;
  for (const auto& [name, item] : found->items()) {
    if (!item.is_string()) {
      Fail(key, "has " + Shown(item) + "; strings are right");
      return map;
    }
    map[name] = item.get<std::string>();
  }
  return map;
}

std::map<std::string, int64_t> Fields::CountMap(std::string_view key) const {
  std::map<std::string, int64_t> map;
  const Json* found = Find(key, true, "an object of counts", IsObject);
  if (!found) return map;
  for (const auto& [name, item] : found->items()) {
    if (!IsCount(item)) {
      Fail(key, "has " + Shown(item) + "; " + std::string(kCount) + " is right");
      return map;
    }
    map[name] = item.get<int64_t>();
  }
  return map;
}

bool Fields::Has(std::string_view key) const { return value_->contains(key); }

Fields Fields::Object(std::string_view key) const {
  static const Json* const kEmpty = new Json(Json::object());
  const Json* found = Find(key, true, "an object", IsObject);
  return Fields(found ? *found : *kEmpty, *state_, Path(key));
}

std::vector<Fields> Fields::Objects(std::string_view key) const {
  std::vector<Fields> objects;
  const Json* found = Find(key, true, "an array of objects", IsArray);
  if (!found) return objects;
  objects.reserve(found->size());
  for (const Json& item : *found) {
    objects.emplace_back(item, *state_,
                         Path(key) + "[" + std::to_string(objects.size()) + "]");
  }
  return objects;
}

std::vector<std::pair<std::string, Fields>> Fields::Members() const {
  std::vector<std::pair<std::string, Fields>> members;
  if (!value_->is_object()) {
    Fail("", "is " + Shown(*value_) + "; an object is right");
    return members;
  }
  for (const auto& [name, item] : value_->items()) {
    members.emplace_back(name, Fields(item, *state_, Path(name)));
  }
  return members;
}

}  // namespace qconform
