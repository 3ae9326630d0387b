// What of a JSON text its readers cannot bear. They call themselves for each level: a
// document of a few hundred kilobytes can have more levels than a stack has room for. And
// they take the byte 0 for the end, so that anything could stand behind it.
#ifndef QCONFORM_ORACLE_TENSOR_JSON_NESTING_H_
#define QCONFORM_ORACLE_TENSOR_JSON_NESTING_H_

#include <string_view>

namespace qconform {

// No document that qconform writes has a fifth of it.
inline constexpr int kMostJsonNesting = 64;

// Returns whether arrays and objects are nested more deeply than kMostJsonNesting. The
// text need not be JSON; brackets in strings do not count.
bool NestsTooDeeply(std::string_view json);

// Returns whether the text has the byte 0: JSON has it nowhere, strings included.
bool HasZeroByte(std::string_view json);

// Returns whether a reader may be given the text: neither of the two.
bool IsReadableJson(std::string_view json);

// Returns the document, of nlohmann's type Json, or one that is no object and no array
// where the text is not readable or no JSON.
template <typename Json>
Json ParseReadableJson(std::string_view text) {
  if (!IsReadableJson(text)) return Json();
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

}  // namespace qconform

#endif  // QCONFORM_ORACLE_TENSOR_JSON_NESTING_H_
