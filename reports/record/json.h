// A reader of JSON values that names the place of the first mistake. Private to the
// sources of reports.
#ifndef QCONFORM_REPORTS_RECORD_JSON_H_
#define QCONFORM_REPORTS_RECORD_JSON_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/base/json.h"
#include "oracle/base/result.h"
#include "oracle/tensor/data_type.h"

namespace qconform {

// What was wrong first, if anything.
struct ReadState {
  std::string name;  // of the file
  std::optional<Error> error;
};

// A JSON value that is read by fields. After the first mistake every read gives
// a default, and the state holds the error: check it once, at the end.
class Fields {
 public:
  Fields(const Json& value, ReadState& state, std::string path = "")
      : value_(&value), state_(&state), path_(std::move(path)) {}

  // Reads of a member; the ones with `fallback` allow it to be absent.
  std::string String(std::string_view key) const;
  std::string String(std::string_view key, std::string fallback) const;
  int64_t Count(std::string_view key) const;  // an integer from 0 up
  int64_t Count(std::string_view key, int64_t fallback) const;
  uint64_t Unsigned(std::string_view key) const;
  int Int(std::string_view key) const;
  double Duration(std::string_view key) const;  // a number from 0 up
  bool Bool(std::string_view key) const;
  DataType Type(std::string_view key) const;
  std::vector<std::string> Strings(std::string_view key) const;
  std::vector<int64_t> Counts(std::string_view key) const;
  std::map<std::string, std::string> StringMap(std::string_view key) const;
  std::map<std::string, int64_t> CountMap(std::string_view key) const;
  std::vector<DataType> Types(std::string_view key) const;

  // Reads a word of a closed list by its Parse and Name functions.
  template <typename Parse, typename All, typename Name>
  auto Word(std::string_view key, Parse parse, All all, Name name) const {
    const std::string word = String(key);
    const auto parsed = parse(word);
    if (!parsed && !state_->error) {
      std::string right;
      for (const auto item : all()) {
        right += (right.empty() ? "" : ", ") + std::string(name(item));
      }
      Fail(key, "is \"" + word + "\"; one of " + right + " is right");
    }
    return parsed.value_or(all()[0]);
  }

  bool Has(std::string_view key) const;
  Fields Object(std::string_view key) const;                // that must be there
  std::vector<Fields> Objects(std::string_view key) const;  // an array of objects
  // The members of this object, in their order.
  std::vector<std::pair<std::string, Fields>> Members() const;

  const Json& value() const { return *value_; }
  void Fail(std::string_view key, const std::string& what) const;

 private:
  // Returns the member where it is there and `is_right` holds.
  const Json* Find(std::string_view key, bool required, std::string_view right,
                   bool (*is_right)(const Json&)) const;
  std::string Path(std::string_view key) const;

  const Json* value_;
  ReadState* state_;
  std::string path_;
};

}  // namespace qconform

#endif  // QCONFORM_REPORTS_RECORD_JSON_H_
