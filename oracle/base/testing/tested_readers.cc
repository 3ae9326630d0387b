// The readers of JSON, of patterns and of readings.
#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/glob.h"
#include "oracle/base/json.h"
#include "oracle/base/reading.h"
#include "oracle/base/testing/tested_reader.h"

namespace qconform {
namespace {

ReadAs ReadJson(std::string_view text) {
  const Result<Json> json = ParseJson(text, "input");
  if (!json) return Outcome(json);
  for (const int indent : {-1, 1}) {
    const std::string written = Dump(*json, indent);
    const Result<Json> again = ParseJson(written, "written");
    Require(again.ok() && Dump(*again, indent) == written, "JSON is read as written");
  }
  return ReadAs::kWhole;
}

// A pattern, and after a newline a text.
ReadAs ReadGlob(std::string_view text) {
  const size_t line = text.find('\n');
  const std::string_view pattern = text.substr(0, line);
  const std::string_view name = line == text.npos ? "" : text.substr(line + 1);
  CellGlobMatches(pattern, name);
  if (name.find_first_of("*?[") == name.npos) {
    Require(GlobMatches(name, name), "a text matches itself");
    Require(GlobMatches("*", name), "a star matches any text");
  }
  if (GlobMatches(pattern, name)) {
    const std::string star = std::string(pattern) + "*";
    // A bracket that nothing closes is itself.
    if (pattern.find('[') == pattern.npos) {
      Require(GlobMatches(star, name), "a star at the end matches no text, too");
    }
  }
  return ReadAs::kWhole;
}

ReadAs ReadReadings(std::string_view text) {
  Outcome(ReadingsOfTiers(text));
  const auto readings = ParseReadings(text);
  if (!readings) return Outcome(readings);
  const auto again = ParseReadings(Spell(*readings));
  Require(again.ok() && *again == *readings, "readings are read as written");
  return ReadAs::kWhole;
}

}  // namespace

std::vector<TestedReader> TestedReaders() {
  using Documents = std::vector<std::string>;
  return {{"json", ReadJson,
           [] {
             return Documents{"{\"a\": [1, -2.5e-3, true, null], \"b\": \"\\u00e9\\n\"}",
                              "[[], {}, 18446744073709551615, \"x\"]"};
           }},
          {"glob", ReadGlob,
           [] {
             return Documents{
                 "Quantize*/21/[A-F]*-??T8/*\nQuantizeLinear/21/FLOAT-INT8/x",
                 "*a*a*a*a*b\naaaaaaaaaaaaaaaa", "[!a-c_]*[\nd["};
           },
           true},
          {"readings", ReadReadings,
           [] {
             return Documents{"QL-04:f32_quotient", "QL-04:a,QL-05:b"};
           },
           true}};
}

}  // namespace qconform
