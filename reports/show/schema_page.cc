#include "reports/show/schema_page.h"

#include <algorithm>
#include <vector>

#include "oracle/base/codec.h"
#include "oracle/base/text.h"
#include "reports/diff/diff.h"
#include "reports/diff/known_differences.h"
#include "reports/history/compact.h"
#include "reports/history/history.h"
#include "reports/report/report.h"

namespace qconform {
namespace {

std::string TextOf(const Json& schema, const char* key) {
  return schema.contains(key) && schema[key].is_string() ? schema[key].get<std::string>()
                                                         : "";
}

// In a table `|` would end the column.
std::string Column(std::string text) {
  for (size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
    text.replace(at, 1, "\\|");
  }
  return text;
}

class Page {
 public:
  Page(const Json& schema, int depth, std::string_view prefix)
      : schema_(schema), heading_(static_cast<size_t>(depth), '#'), prefix_(prefix) {}

  std::string Text() {
    text_ = heading_ + " " + TextOf(schema_, "title") + "\n\n";
    AppendPart(schema_);
    if (schema_.contains("definitions")) {
      for (const auto& [name, part] : schema_["definitions"].items()) {
        text_ += heading_ + "# " + prefix_ + name + "\n\n";
        AppendPart(part);
      }
    }
    while (text_.ends_with("\n\n")) text_.pop_back();
    return std::move(text_);
  }

 private:
  // "#/definitions/cell" as a link to that part of the page.
  std::string Link(const std::string& reference) const {
    static constexpr std::string_view kRoot = "#/definitions/";
    const std::string name = reference.substr(kRoot.size());
    return "[" + name + "](#" + prefix_ + name + ")";
  }

  // The part of the schema that a reference such as "#/definitions/cell" names.
  const Json& At(std::string_view reference) const {
    const Json* part = &schema_;
    for (size_t slash = reference.find('/'); slash != reference.npos;) {
      const size_t next = reference.find('/', slash + 1);
      part = &(*part)[reference.substr(slash + 1, next - slash - 1)];
      slash = next;
    }
    return *part;
  }

  // What a reference means; one into the middle of a part is followed.
  const Json& Resolve(const Json& schema) const {
    const std::string reference = TextOf(schema, "$ref");
    if (std::count(reference.begin(), reference.end(), '/') <= 2) return schema;
    return At(reference);
  }

  std::string TypeOf(const Json& given) const {
    const Json& schema = Resolve(given);
    if (schema.contains("$ref")) return Link(TextOf(schema, "$ref"));
    if (schema.contains("allOf")) return TypeOf(schema["allOf"].front());
    if (schema.contains("enum")) {
      return "one of " + Joined(schema["enum"], ", ", [](const Json& word) {
               return word.is_null() ? "null" : "`" + word.text() + "`";
             });
    }
    if (schema.contains("const")) return "`" + Dump(schema["const"]) + "`";
    if (schema.contains("type") && schema["type"].is_array()) {
      return Joined(schema["type"], " or ", &Json::text);
    }
    const std::string type = TextOf(schema, "type");
    if (type == "array" && schema.contains("items")) {
      return "array of " + TypeOf(schema["items"]);
    }
    if (type == "object" && schema.contains("additionalProperties") &&
        schema["additionalProperties"].is_object()) {
      return "object of " + TypeOf(schema["additionalProperties"]);
    }
    return type;
  }

  // Fields that are those of another part share one row.
  std::string PartTakenOver(const Json& field) const {
    const std::string reference = TextOf(field, "$ref");
    const size_t end = reference.find("/properties/");
    return end == std::string::npos ? "" : reference.substr(0, end);
  }

  void AppendFields(const Json& schema, const std::string& path) {
    if (!schema.contains("properties")) return;
    std::vector<std::string> required;
    if (schema.contains("required"))
      required = schema["required"].get<std::vector<std::string>>();
    std::string taken_over;
    for (const auto& [name, field] : schema["properties"].items()) {
      const std::string part = PartTakenOver(field);
      if (!part.empty()) {
        if (part != taken_over) {
          text_ += "| `" + path + "`... | as in " + Link(part) + " | Its fields. |\n";
        }
        taken_over = part;
        continue;
      }
      const bool needed =
          std::find(required.begin(), required.end(), name) != required.end();
      std::string meaning = TextOf(field, "description");
      if (meaning.empty() && field.contains("$ref")) {
        meaning = TextOf(At(TextOf(field, "$ref")), "description");
      }
      text_ += "| `" + path + name + "` | " + Column(TypeOf(field)) +
               (needed ? "" : ", optional") + " | " + Column(meaning) + " |\n";
      // Objects without a definition of their own follow here.
      AppendFields(field, path + name + ".");
      if (field.contains("items")) AppendFields(field["items"], path + name + "[].");
      if (field.contains("additionalProperties") &&
          field["additionalProperties"].is_object()) {
        AppendFields(field["additionalProperties"], path + name + ".*.");
      }
    }
  }

  void AppendPart(const Json& part) {
    const std::string description = TextOf(part, "description");
    if (!description.empty()) text_ += description + "\n\n";
    if (!part.contains("properties")) {
      text_ += "Type: " + TypeOf(part) + "\n\n";
      return;
    }
    text_ += "| field | type | meaning |\n|---|---|---|\n";
    AppendFields(part, "");
    text_ += "\n";
  }

  const Json& schema_;
  const std::string heading_;
  const std::string prefix_;
  std::string text_;
};

constexpr std::string_view kHead =
    R"(# The formats of reports

This page is for people who write programs that read qconform's files. It lists every field of
the report, of the journal that a run leaves as it goes, of the file of known differences, of the
diff of two reports, of packed and compact reports, and of a history. `script/docs` makes it from the JSON Schemas in `reports/schema/`.

`qconform list schema NAME` prints the schemas themselves, for validators, and those of `faults
--report`, of profiles and of a certificate's statement. Stored cases, proofs (`prove --report`),
`bench --report` and the manifest of `export` have no schema. In the manifest each case names its
`clauses`: the clauses that decide some element of it, and those open clauses by which another
reading, or the bound, gives another code there.

Each format has a version of three numbers. A program reads every document with the first number
that it writes itself, and reports of version 1 too. It rejects others. A later second number may
add fields, and removes none ([what versions promise](versioning.md)). A report or a journal with
a row that contradicts itself is rejected like one that was changed: for example, if a headline
does not follow from its parts, if there are more mismatches than elements, or if an id does not
fit the types.

)";

constexpr std::string_view kJournal =
    R"(
## Journal 1.1.0

JSON lines, written and flushed record by record while a run goes, in `FILE.journal` next to
the report `FILE`. A run that is killed loses the cells in flight and nothing else.

| line | holds |
|---|---|
| first | `{"journal_version":"1.1.0","run":{...}}`: suite, selection, backend, tool, machine, command and start time, each as in the report |
| a cell | `{"cell":{...},"time_ms":N}`: a [cell](#cell), and the milliseconds that it took |
| a node test | `{"node_test":{...}}`: a [node_test](#node_test) |
| a negative model | `{"negative":{...}}`: a [negative_model](#negative_model) |
| last | `{"footer":{"cells":N,"node_tests":N,"negative":N,"duration_s":N,"digest":"..."}}`: how many lines of each kind stand above, and the SHA-256 of all bytes above |

Each line between the first and the last ends with `"check"`: the first 16 digits of a SHA-256, which is
that of the one of the line before (64 digits; the first line's is its own) followed by the line up to
there. A line that was edited, moved, left out or repeated, or that another run wrote, is an error. It is no
signature: who edits a journal on purpose can make the checks again. Journals of version 1.0, such as that of
an evidence package, have none, and no run goes on with one. The journals of `qconform prove` have checks, too.

Cells come in the order in which they ended. A journal without its last line is incomplete:
`qconform report FILE.journal` makes a report of it that says so, and
`qconform run --resume` with the same arguments goes on where it ends. A last line that was
cut off is left out; any other line that cannot be read is an error.

A run without `--resume` writes over a journal that has its last line. One that is incomplete
it renames to `FILE.journal.old` (`.old.1` where that stands), and says so; a file that is no journal is an error. While a
run writes its journal the file is locked (`flock`): a second run on it is refused. Where the
report goes to a device, such as `/dev/null`, there is no journal.

)";

}  // namespace

std::string SchemaMarkdown(std::string_view text, int depth, std::string_view prefix) {
  const Json schema = ParseJsonOrNull(text);
  return Page(schema, depth, prefix).Text();
}

std::string ReportFormatMarkdown() {
  return std::string(kHead) + SchemaMarkdown(ReportSchema(), 2, "") +
         std::string(kJournal) + SchemaMarkdown(KnownDifferencesSchema(), 2, "known-") +
         "\n" + SchemaMarkdown(DiffSchema(), 2, "diff-") + "\n" +
         SchemaMarkdown(PackedReportSchema(), 2, "packed-") + "\n" +
         SchemaMarkdown(CompactReportSchema(), 2, "compact-") + "\n" +
         SchemaMarkdown(HistorySchema(), 2, "history-");
}

}  // namespace qconform
