// What pages in HTML are made of. Private to reports.
#ifndef QCONFORM_REPORTS_SHOW_PAGE_PARTS_H_
#define QCONFORM_REPORTS_SHOW_PAGE_PARTS_H_

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "oracle/base/json.h"

namespace qconform {

// Generated from the files of reports/html/ (CMakeLists.txt).
std::string_view HtmlSymbols();  // of verdicts and changes
std::string_view HtmlStyle();

// Packs a value that has many parts in common, such as the rows of a report, for `unpack`
// in html/unpack.js. A number from 0 up stands for itself; any other value is kept once,
// in `values`, and its place i is written as -1 - i. There an array begins with -1, and
// an object with the number of its keys in `shapes`; the last value is the whole.
class Packer {
 public:
  // Returns what stands for the value.
  std::string Pack(const Json& value) {
    if (value.is_number() && value.get<double>() >= 0) return Dump(value);
    std::string text;
    if (value.is_array()) {
      text = "[-1";
      for (const Json& item : value) text += "," + Pack(item);
      text += "]";
    } else if (value.is_object()) {
      std::string keys;
      for (const auto& [key, member] : value.items()) {
        keys += (keys.empty() ? "[" : ",") + Dump(Json(key));
      }
      text = "[" + std::to_string(shapes_.PlaceOf(keys.empty() ? "[]" : keys + "]"));
      for (const auto& [key, member] : value.items()) text += "," + Pack(member);
      text += "]";
    } else {
      text = Dump(value);
    }
    return std::to_string(-1 - values_.PlaceOf(std::move(text)));
  }

  std::string Text() const {
    return "{\"shapes\":" + shapes_.Text() + ",\"values\":" + values_.Text() + "}";
  }

 private:
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
        text += text.empty() ? "[" : ",";
        text += one;
      }
      return text.empty() ? "[]" : text + "]";
    }

   private:
    std::unordered_map<std::string, int64_t> places_;
    std::vector<std::string_view> texts_;  // keys of `places_`
  };

  Texts shapes_, values_;
};

// Returns JSON as the text of a <script>: no `<` may begin a tag there.
std::string ScriptSafe(const std::string& json);

// Returns the page with each {{name}} replaced by its value.
std::string Filled(std::string_view page,
                   const std::map<std::string_view, std::string>& values);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_SHOW_PAGE_PARTS_H_
