#include "reports/base/packed.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "oracle/base/expected.h"
#include "oracle/base/file.h"

namespace qconform {
namespace {

constexpr int kArray = -1;
constexpr int kText = -2;
// A shorter text is not taken apart: its parts would cost more.
constexpr size_t kShortText = 20;

// Different texts, in the order in which they came.
class Texts {
 public:
  int64_t PlaceOf(std::string text) {
    const auto [found, inserted] =
        places_.try_emplace(std::move(text), static_cast<int64_t>(texts_.size()));
    if (inserted) texts_.push_back(found->first);
    return found->second;
  }
  std::string Text() const {
    std::string text;
    for (const std::string_view one : texts_) {
      text += text.empty() ? "[" : ",\n";
      text += one;
    }
    return text.empty() ? "[]" : text + "]";
  }

 private:
  std::unordered_map<std::string, int64_t> places_;
  std::vector<std::string_view> texts_;  // keys of `places_`
};

class Packer {
 public:
  // Returns what stands for the value.
  std::string Pack(const Json& value) {
    if (value.is_number() && value.get<double>() >= 0) return Dump(value);
    std::string text;
    if (value.is_array()) {
      text = "[" + std::to_string(kArray);
      for (const Json& item : value) text += "," + Pack(item);
      text += "]";
    } else if (value.is_object()) {
      std::string keys;
      for (const auto& [key, member] : value.items()) {
        keys += (keys.empty() ? "[" : ",") + Pack(Json(key));
      }
      text = "[" + std::to_string(shapes_.PlaceOf(keys.empty() ? "[]" : keys + "]"));
      for (const auto& [key, member] : value.items()) text += "," + Pack(member);
      text += "]";
    } else if (value.is_string() && value.text().size() > kShortText) {
      text = TextInParts(value.text());
    } else {
      text = Dump(value);
    }
    return Reference(std::move(text));
  }

  std::string Members() const {
    return "\"shapes\":" + shapes_.Text() + ",\n\"values\":" + values_.Text();
  }

 private:
  std::string Reference(std::string text) {
    return std::to_string(-1 - values_.PlaceOf(std::move(text)));
  }

  // Ids have parts in common, each of which ends with '/'.
  std::string TextInParts(std::string_view text) {
    std::string parts;
    size_t count = 0;
    for (size_t begin = 0; begin < text.size(); ++count) {
      const size_t slash = text.find('/', begin);
      const size_t end = slash == text.npos ? text.size() : slash + 1;
      parts += "," + Reference(Dump(Json(text.substr(begin, end - begin))));
      begin = end;
    }
    return count > 1 ? "[" + std::to_string(kText) + parts + "]" : Dump(Json(text));
  }

  Texts shapes_, values_;
};

// How much a value costs, and how deeply it is nested.
struct Extent {
  size_t bytes = 0;
  int depth = 0;
};

// Reads the members in two steps: first every value is checked, and measured by what was
// measured before it; then the last one is built.
class Unpacker {
 public:
  Unpacker(const Json& shapes, const Json& values, std::string_view name)
      : shapes_(shapes), values_(values), name_(name) {}

  Result<Json> Whole() {
    if (!shapes_.is_array() || !values_.is_array() || values_.empty()) {
      return Expected(name_, "arrays \"shapes\" and \"values\"", "something else");
    }
    for (size_t i = 0; i < values_.size(); ++i) {
      if (const Status measured = Measure(i); !measured) return measured.error();
    }
    return Build(values_.size() - 1);
  }

 private:
  // The place of a value that a number names, if it is before `end`.
  static bool Names(const Json& number, size_t end, size_t* place) {
    if (!number.is_number_integer() || number.is_number_unsigned()) return false;
    const int64_t code = number.get<int64_t>();
    if (code >= 0) return false;
    *place = static_cast<size_t>(-1 - code);
    return *place < end;
  }

  Error Wrong(size_t i, std::string_view expected) const {
    return Expected(std::string(name_) + ": value " + std::to_string(i), expected,
                    "another");
  }

  // Adds what an item of value i costs.
  Status Add(const Json& item, size_t i, Extent* extent) const {
    size_t place = 0;
    if (Names(item, i, &place)) {
      extent->bytes += extents_[place].bytes;
      extent->depth = std::max(extent->depth, extents_[place].depth + 1);
    } else if (item.is_number() && item.get<double>() >= 0) {
      extent->bytes += sizeof(Json);
    } else {
      return Wrong(i, "numbers from 0 up, and of values before it");
    }
    if (extent->bytes > kMostUnpackedBytes) {
      return Expected(name_,
                      "at most " + std::to_string(kMostUnpackedBytes) + " bytes unpacked",
                      "more");
    }
    if (extent->depth > kMostJsonNesting) {
      return Expected(name_, "at most " + std::to_string(kMostJsonNesting) + " levels",
                      "more");
    }
    return Ok();
  }

  Status Measure(size_t i) {
    const Json& value = values_[i];
    Extent extent{.bytes = sizeof(Json)};
    if (value.is_object() || (value.is_array() && value.empty())) {
      return Wrong(i, "a packed value");
    }
    if (value.is_string()) extent.bytes += value.text().size();
    const Json* items = value.begin();
    size_t place = 0;
    if (value.is_array()) {
      const bool integer = items->is_number_integer();
      const bool text = integer && *items == Json(kText);
      const bool array = integer && *items == Json(kArray);
      if (!text && !array) {
        const Status keys = MeasureKeys(*items, value.size() - 1, i, &extent);
        if (!keys) return keys;
      }
      for (const Json* item = items + 1; item != value.end(); ++item) {
        if (text && (!Names(*item, i, &place) || !IsText(place))) {
          return Wrong(i, "a text of texts");
        }
        if (const Status added = Add(*item, i, &extent); !added) return added;
      }
    }
    extents_.push_back(extent);
    return Ok();
  }

  // Adds what the keys of value i cost, after they were checked.
  Status MeasureKeys(const Json& shape, size_t members, size_t i, Extent* extent) {
    if (!shape.is_number_unsigned() || shape.get<uint64_t>() >= shapes_.size()) {
      return Wrong(i, "the number of a shape");
    }
    const size_t number = static_cast<size_t>(shape.get<uint64_t>());
    const Json& keys = shapes_[number];
    if (!keys.is_array() || keys.size() != members) {
      return Wrong(i, "a value for each key of its shape");
    }
    const auto known = bytes_of_keys_.find(number);
    if (known != bytes_of_keys_.end()) {
      extent->bytes += known->second;
      return Ok();
    }
    const size_t before = extent->bytes;
    for (const Json& key : keys) {
      size_t place = 0;
      if (!Names(key, i, &place) || !IsText(place)) return Wrong(i, "keys before it");
      if (const Status added = Add(key, i, extent); !added) return added;
    }
    bytes_of_keys_[number] = extent->bytes - before;
    std::set<std::string> different;
    for (const Json& key : keys) {
      if (!different.insert(Item(key).text()).second) return Wrong(i, "each key once");
    }
    return Ok();
  }

  bool IsText(size_t place) const {
    const Json& value = values_[place];
    return value.is_string() ||
           (value.is_array() && !value.empty() && value[0] == Json(kText));
  }

  Json Item(const Json& item) const {
    size_t place = 0;
    return Names(item, values_.size(), &place) ? Build(place) : item;
  }

  // Precondition: the value was measured.
  Json Build(size_t place) const {
    const Json& value = values_[place];
    if (!value.is_array()) return value;
    if (IsText(place)) {
      std::string text;
      for (size_t i = 1; i < value.size(); ++i) text += Item(value[i]).text();
      return Json(std::move(text));
    }
    if (value[0] == Json(kArray)) {
      Json array = Json::array();
      for (size_t i = 1; i < value.size(); ++i) array.push_back(Item(value[i]));
      return array;
    }
    const Json& keys = shapes_[static_cast<size_t>(value[0].get<uint64_t>())];
    Json object = Json::object();
    for (size_t i = 1; i < value.size(); ++i) {
      object.Append(Item(keys[i - 1]).text(), Item(value[i]));
    }
    return object;
  }

  // In memory, where a value takes more than its text.
  static constexpr size_t kMostUnpackedBytes = 4 * kMostDocumentBytes;

  const Json& shapes_;
  const Json& values_;
  std::string_view name_;
  std::vector<Extent> extents_;                       // of the values that were measured
  std::unordered_map<size_t, size_t> bytes_of_keys_;  // by the number of a shape
};

}  // namespace

std::string PackedMembers(const Json& value) {
  Packer packer;
  packer.Pack(value);
  return packer.Members();
}

Result<Json> Unpacked(const Json& packed, std::string_view name) {
  return Unpacker(packed["shapes"], packed["values"], name).Whole();
}

}  // namespace qconform
