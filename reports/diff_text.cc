// The outputs of a diff: terminal, Markdown, JSON (reports/diff.h).
#include <algorithm>

#include "reports/diff.h"
#include "reports/evidence.h"
#include "reports/markdown.h"
#include "reports/record_json.h"
#include "reports/terminal_text.h"

namespace qconform {
namespace {

// Of cells; node tests and negative models come on top, with a few words each.
constexpr size_t kMostMarkdownBytes = 45000;
constexpr size_t kMostRows = 20;
constexpr size_t kMostWords = 120;

std::string Shown(const std::optional<Verdict>& verdict) {
  return verdict ? std::string(VerdictName(*verdict)) : "no row";
}

std::string Shown(const std::optional<NodeVerdict>& verdict) {
  return verdict ? std::string(NodeVerdictName(*verdict)) : "no row";
}

std::string Shown(const std::optional<NegativeResult>& result) {
  return result ? std::string(NegativeResultName(*result)) : "no row";
}

template <typename Change>
std::string Step(const Change& change) {
  if (change.before == change.after) return Shown(change.after);
  return Shown(change.before) + " -> " + Shown(change.after);
}

std::string Counts(const ReportDiff& diff) {
  std::string text;
  for (const ChangeKind kind : kChangeKinds) {
    const int64_t count = diff.Count(kind);
    if (count == 0) continue;
    const bool noun = kind == ChangeKind::kRegression || kind == ChangeKind::kImprovement;
    text += noun ? Plural(count, std::string(ChangeKindName(kind)))
                 : GroupedDigits(count) + " " + std::string(ChangeKindName(kind));
    text += ", ";
  }
  text += GroupedDigits(diff.unchanged) + " unchanged";
  if (diff.waived == 0) return text;
  return text + "; " + GroupedDigits(diff.waived) +
         " of the changed are known to be worse";
}

// The first that has something to say of: regressions, comparability, nothing.
std::string Sign(const ReportDiff& diff) {
  switch (ExitCodeFor(diff)) {
    case ExitCode::kDeviation:
      return "\u274c";
    case ExitCode::kIncomplete:
      return "\u26aa";
    default:
      return "\u2705";
  }
}

std::vector<std::string> WhatChanged(const ReportDiff& diff) {
  std::vector<std::string> lines = diff.suite_changes;
  lines.insert(lines.end(), diff.selection_changes.begin(), diff.selection_changes.end());
  lines.insert(lines.end(), diff.backend_changes.begin(), diff.backend_changes.end());
  lines.insert(lines.end(), diff.tool_changes.begin(), diff.tool_changes.end());
  if (!diff.before_complete) lines.emplace_back("the old report is incomplete");
  if (!diff.after_complete) lines.emplace_back("the new report is incomplete");
  return lines;
}

// What the new report says of a negative model.
std::string Words(const NegativeChange& change) {
  if (change.text.size() <= kMostWords) {
    return change.text.empty() ? "" : "; " + OneLine(change.text);
  }
  size_t end = kMostWords;  // between characters
  while (end > 0 && (static_cast<unsigned char>(change.text[end]) & 0xC0) == 0x80) --end;
  return "; " + OneLine(change.text.substr(0, end)) + "...";
}

// In changed cells all that differs; in others the verdicts say it.
std::vector<std::string> Details(const CellChange& change) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < change.what.size() && i < 4; ++i)
    lines.push_back(change.what[i]);
  if (change.what.size() > 4) {
    lines.push_back("and " + std::to_string(change.what.size() - 4) +
                    " differences more");
  }
  return lines;
}

}  // namespace

std::string DiffText(const ReportDiff& diff, size_t most_cells) {
  std::string text = "before    " + OneLine(diff.before_backend) +
                     ", results sha256:" + OneLine(diff.before_digest.substr(0, 16)) +
                     "\nafter     " + OneLine(diff.after_backend) +
                     ", results sha256:" + OneLine(diff.after_digest.substr(0, 16)) +
                     "\ncells     " + Counts(diff) + "\n" + OneLine(diff.Cause()) + "\n";
  for (const std::string& line : WhatChanged(diff)) text += "  " + OneLine(line) + "\n";
  ChangeKind kind = ChangeKind::kRegression;
  size_t shown = 0;
  for (const CellChange& change : diff.cells) {
    if (shown == 0 || change.kind != kind) {
      kind = change.kind;
      shown = 0;
      text += "\n" + std::string(ChangeKindName(kind)) + ": " +
              Plural(diff.Count(kind), "cell") + "\n";
    }
    // Rows of one report alone have nothing to compare: a few show which.
    const bool one_sided = kind == ChangeKind::kAdded || kind == ChangeKind::kRemoved;
    const size_t most = one_sided ? std::min<size_t>(most_cells, 5) : most_cells;
    if (++shown > most) {
      if (shown == most + 1) {
        text += "  and " + GroupedDigits(diff.Count(kind) - static_cast<int64_t>(most)) +
                " more\n";
      }
      continue;
    }
    if (one_sided) {
      text += "  " + OneLine(change.cell) + " (" +
              Shown(change.before ? change.before : change.after) + ")\n";
      continue;
    }
    text += "  " + OneLine(change.cell) + "\n    " + Step(change) + "\n";
    for (const std::string& line : Details(change)) text += "    " + OneLine(line) + "\n";
    if (change.kind == ChangeKind::kRegression && change.evidence) {
      text += "    " + OneLine(CounterexampleSentence(*change.evidence)) +
              "\n    rerun: " + OneLine(change.evidence->replay) + "\n";
    }
  }
  if (!diff.node_tests.empty()) text += "\nnode tests\n";
  for (const NodeTestChange& change : diff.node_tests) {
    text += "  " + std::string(ChangeKindName(change.kind)) + ": " +
            OneLine(change.name) + " (" + OneLine(change.release) + "): " + Step(change) +
            "\n";
  }
  if (!diff.negative_models.empty()) text += "\nnegative models\n";
  for (size_t i = 0; i < diff.negative_models.size(); ++i) {
    const NegativeChange& change = diff.negative_models[i];
    if (i >= most_cells && change.kind != ChangeKind::kRegression) {
      text += "  and " +
              GroupedDigits(static_cast<int64_t>(diff.negative_models.size() - i)) +
              " more\n";
      break;
    }
    text += "  " + std::string(ChangeKindName(change.kind)) + ": " + OneLine(change.id) +
            ": " + Step(change) + Words(change) + "\n";
  }
  return text;
}

std::string DiffMarkdown(const ReportDiff& diff, size_t most_cells) {
  std::string text = "### " + Sign(diff) + " " + MarkdownEscaped(diff.after_backend) +
                     ": " + Counts(diff) + "\n\n" + diff.Cause() + "\n\n";
  const std::vector<std::string> lines = WhatChanged(diff);
  if (!lines.empty()) {
    text += "<details><summary>What else changed</summary>\n\n";
    for (const std::string& line : lines) text += "- " + MarkdownEscaped(line) + "\n";
    text += "\n</details>\n\n";
  }
  const std::string footer =
      "<sub>results <code>sha256:" + diff.before_digest.substr(0, 16) +
      "</code> before, <code>sha256:" + diff.after_digest.substr(0, 16) +
      "</code> after</sub>\n";
  size_t shown = 0;
  bool cut = false;
  for (const ChangeKind kind : kChangeKinds) {
    if (diff.Count(kind) == 0 || cut) continue;
    const bool open = kind == ChangeKind::kRegression;
    text += "<details" + std::string(open ? " open" : "") + "><summary><b>" +
            std::string(ChangeKindName(kind)) +
            "</b>: " + Plural(diff.Count(kind), "cell") + "</summary>\n\n";
    for (const CellChange& change : diff.cells) {
      if (change.kind != kind) continue;
      std::string item =
          "- " + MarkdownCode(change.cell) + " " + MarkdownEscaped(Step(change)) + "\n";
      for (const std::string& line : Details(change)) {
        item += "  - " + MarkdownEscaped(line) + "\n";
      }
      if (open && change.evidence) {
        item += "  - " + MarkdownEscaped(CounterexampleSentence(*change.evidence)) +
                "\n  - " + MarkdownCode(change.evidence->replay) + "\n";
      }
      cut = shown >= most_cells ||
            text.size() + item.size() + footer.size() + 500 > kMostMarkdownBytes;
      if (cut) {
        text += "- ...\n";
        break;
      }
      ++shown;
      text += item;
    }
    text += "\n</details>\n\n";
  }
  for (size_t i = 0; i < diff.node_tests.size() && i < kMostRows; ++i) {
    const NodeTestChange& change = diff.node_tests[i];
    text += "- node test " + MarkdownCode(change.name) + " (" +
            MarkdownEscaped(change.release) +
            "): " + std::string(ChangeKindName(change.kind)) + ", " +
            MarkdownEscaped(Step(change)) + "\n";
  }
  for (size_t i = 0; i < diff.negative_models.size() && i < kMostRows; ++i) {
    const NegativeChange& change = diff.negative_models[i];
    text += "- negative model " + MarkdownCode(change.id) + ": " +
            std::string(ChangeKindName(change.kind)) + ", " +
            MarkdownEscaped(Step(change)) + MarkdownEscaped(Words(change)) + "\n";
  }
  const size_t rows = std::min(diff.node_tests.size(), kMostRows) +
                      std::min(diff.negative_models.size(), kMostRows);
  const size_t all = diff.node_tests.size() + diff.negative_models.size();
  if (all > rows) {
    text += "- and " + GroupedDigits(static_cast<int64_t>(all - rows)) + " more\n";
  }
  if (all > 0) text += "\n";
  return text + footer;
}

std::string DiffJson(const ReportDiff& diff) {
  Json json = Json::object();
  json["diff_version"] = "1.1.0";
  json["comparable"] = diff.comparable();
  json["cause"] = diff.Cause();
  const auto side = [](const std::string& backend, const std::string& digest,
                       bool complete) {
    Json object = Json::object();
    object["backend"] = backend;
    object["results_digest"] = digest;
    object["complete"] = complete;
    return object;
  };
  json["before"] = side(diff.before_backend, diff.before_digest, diff.before_complete);
  json["after"] = side(diff.after_backend, diff.after_digest, diff.after_complete);
  json["suite_changes"] = diff.suite_changes;
  json["selection_changes"] = diff.selection_changes;
  json["backend_changes"] = diff.backend_changes;
  json["tool_changes"] = diff.tool_changes;
  Json& counts = json["counts"] = Json::object();
  for (const ChangeKind kind : kChangeKinds) {
    counts[std::string(ChangeKindName(kind))] = diff.Count(kind);
  }
  counts["unchanged"] = diff.unchanged;
  Json& cells = json["cells"] = Json::array();
  for (const CellChange& change : diff.cells) {
    Json item = Json::object();
    item["cell"] = change.cell;
    item["kind"] = ChangeKindName(change.kind);
    if (change.before) item["before"] = VerdictName(*change.before);
    if (change.after) item["after"] = VerdictName(*change.after);
    item["what"] = change.what;
    if (change.evidence) {
      item["evidence"] = CounterexampleSentence(*change.evidence);
      item["replay"] = change.evidence->replay;
    }
    cells.push_back(std::move(item));
  }
  Json& node_tests = json["node_tests"] = Json::array();
  for (const NodeTestChange& change : diff.node_tests) {
    Json item = Json::object();
    item["name"] = change.name;
    item["release"] = change.release;
    item["kind"] = ChangeKindName(change.kind);
    if (change.before) item["before"] = NodeVerdictName(*change.before);
    if (change.after) item["after"] = NodeVerdictName(*change.after);
    node_tests.push_back(std::move(item));
  }
  Json& negative_models = json["negative_models"] = Json::array();
  for (const NegativeChange& change : diff.negative_models) {
    Json item = Json::object();
    item["id"] = change.id;
    item["kind"] = ChangeKindName(change.kind);
    if (change.before) item["before"] = NegativeResultName(*change.before);
    if (change.after) item["after"] = NegativeResultName(*change.after);
    if (!change.text.empty()) item["text"] = change.text;
    negative_models.push_back(std::move(item));
  }
  return Dump(json, 1) + "\n";
}

}  // namespace qconform
