#include "reports/record/evidence.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "oracle/base/text.h"

namespace qconform {

std::string Plural(int64_t count, const std::string& noun) {
  return GroupedDigits(count) + " " + noun + (count == 1 ? "" : "s");
}

namespace {

// Returns a value of a report, which has hexadecimal floats, in decimal. The digits are
// those of worked steps; the code next to it is exact.
std::string Decimal(const std::string& value) {
  if (!value.starts_with("0x") && !value.starts_with("-0x")) return value;
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (*end != '\0') return value;
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", number);
  return text;
}

}  // namespace

std::string ShownValue(const ValueRecord& value) {
  return value.value.empty() ? value.bits
                             : value.bits + " (" + Decimal(value.value) + ")";
}

std::string DecimalValue(const ValueRecord& value) {
  return value.value.empty() ? value.bits : Decimal(value.value);
}

std::string VerdictSentence(const CellRecord& cell) {
  std::string text(VerdictName(cell.verdict));
  if (!cell.reading.empty()) text += ", reading " + cell.reading;
  if (!cell.diagnosis.empty()) text += ", diagnosis " + cell.diagnosis;
  if (cell.mismatches() > 0) {
    text += ", " + GroupedDigits(cell.mismatches()) + " of " +
            Plural(cell.elements(), "element") + " wrong";
  }
  if (cell.declined > 0) {
    text += ", " + GroupedDigits(cell.declined) + " of " + Plural(cell.cases, "case") +
            " declined";
  }
  if (cell.refused_legal > 0) {
    text += ", " + GroupedDigits(cell.refused_legal) + " of " +
            Plural(cell.cases, "case") + " refused as invalid";
  }
  if (cell.judged_at_opset_version != 0) {
    text += ", judged at opset " + std::to_string(cell.judged_at_opset_version);
  }
  // Of elements that deviate, the diagnosis or the pattern says what they have in common,
  // and only where chance is ruled out.
  const std::string variants = cell.deviation ? "" : VariantsText(cell);
  if (!variants.empty()) text += ", " + variants;
  return text;
}

namespace {

// The settings that a variant is made of: "saturate=1", "precision=FLOAT".
std::set<std::string> SettingsOf(const VariantRecord& variant) {
  const std::vector<std::string> settings = Split(variant.variant, ",");
  return {settings.begin(), settings.end()};
}

std::string KeyOf(const std::string& setting) {
  return setting.substr(0, setting.find('='));
}

// The settings, or with `keys` their names, of some variants.
std::set<std::string> Union(const std::vector<const VariantRecord*>& variants,
                            bool keys) {
  std::set<std::string> all;
  for (const VariantRecord* variant : variants) {
    for (const std::string& setting : SettingsOf(*variant)) {
      all.insert(keys ? KeyOf(setting) : setting);
    }
  }
  return all;
}

// The first setting, or name of one, that all of these variants have and none of the
// others; empty if there is none.
std::string Sign(const std::vector<const VariantRecord*>& these,
                 const std::vector<const VariantRecord*>& others, bool keys) {
  const std::set<std::string> elsewhere = Union(others, keys);
  std::set<std::string> shared = Union(these, keys);
  for (const VariantRecord* variant : these) {
    const std::set<std::string> own = Union({variant}, keys);
    std::erase_if(shared, [&](const std::string& one) { return !own.contains(one); });
  }
  std::erase_if(shared, [&](const std::string& one) { return elsewhere.contains(one); });
  return shared.empty() ? "" : *shared.begin();
}

}  // namespace

bool VariantSign::IsOf(const std::string& variant) const {
  return std::ranges::any_of(Split(variant, ","), [&](const std::string& setting) {
    return (is_setting ? setting : KeyOf(setting)) == text;
  });
}

namespace {

struct SortedVariants {
  std::vector<const VariantRecord*> right;
  std::vector<const VariantRecord*> wrong;
};

SortedVariants SortVariants(const CellRecord& cell) {
  SortedVariants sorted;
  for (const VariantRecord& variant : cell.variants) {
    (IsPass(variant.verdict) ? sorted.right : sorted.wrong).push_back(&variant);
  }
  return sorted;
}

}  // namespace

VariantSign SignOfVariants(const CellRecord& cell) {
  const auto& [right, wrong] = SortVariants(cell);
  if (right.empty() || wrong.empty()) return {};
  if (std::string setting = Sign(wrong, right, false); !setting.empty()) {
    return {.text = std::move(setting), .is_setting = true};
  }
  // Some values of an attribute may be right by chance: those that are the default.
  std::set<std::string> keys = Union(wrong, true);
  for (const VariantRecord* variant : wrong) {
    const std::set<std::string> own = Union({variant}, true);
    std::erase_if(keys, [&](const std::string& key) { return !own.contains(key); });
  }
  for (const std::string& key : keys) {
    const bool plain = std::ranges::any_of(right, [&](const VariantRecord* variant) {
      return !Union({variant}, true).contains(key);
    });
    if (plain) return {.text = key};
  }
  return {};
}

std::string VariantsText(const CellRecord& cell) {
  if (cell.variants_by_chance) return "";
  const VariantSign sign = SignOfVariants(cell);
  if (sign.text.empty()) return "";
  bool deviates = false;
  bool refused = false;
  for (const VariantRecord& variant : cell.variants) {
    deviates = deviates || IsDeviation(variant.verdict);
    refused = refused || variant.verdict == Verdict::kRefusedLegal;
  }
  const std::string not_right = deviates ? "wrong" : refused ? "refused" : "declined";
  if (sign.is_setting) return not_right + " only with " + sign.text;
  std::set<std::string> values;
  for (const std::string& setting : Union(SortVariants(cell).wrong, false)) {
    if (KeyOf(setting) == sign.text) values.insert(setting);
  }
  return "right without " + sign.text + ", " + not_right + " with " +
         Joined(values, ", ");
}

namespace {

// The value of a setting of one option; all of a setting of several.
std::string SettingText(const std::string& setting) {
  const size_t equals = setting.find('=');
  return equals == std::string::npos || setting.find(',') != std::string::npos
             ? setting
             : setting.substr(equals + 1);
}

std::string WithoutText(const VariedRecord& varied) {
  if (!varied.without.empty()) {
    return "conformant without " + Joined(varied.without, " and ");
  }
  return varied.not_found;
}

}  // namespace

std::string VariedText(const CellRecord& cell) {
  std::map<Verdict, std::vector<std::string>> settings;  // worst first
  // What is said about optimizers -> the settings that it is said about.
  std::map<std::string, std::vector<std::string>> without;
  int64_t deviating = 0;
  for (const VariedRecord& varied : cell.varied) {
    const std::string setting = SettingText(varied.setting);
    settings[varied.verdict].push_back(setting);
    deviating += IsDeviation(varied.verdict) ? 1 : 0;
    if (std::string text = WithoutText(varied); !text.empty()) {
      without[std::move(text)].push_back(setting);
    }
  }
  std::vector<std::string> parts;
  for (const auto& [verdict, at] : settings) {
    const std::string word = verdict == Verdict::kNonconformant
                                 ? "deviates"
                                 : std::string(VerdictName(verdict));
    parts.push_back(word + " at " + Joined(at, ", "));
  }
  for (const auto& [text, at] : without) {
    const bool everywhere = static_cast<int64_t>(at.size()) == deviating;
    parts.push_back(everywhere ? text : text + " at " + Joined(at, ", "));
  }
  return Joined(parts, "; ");
}

std::vector<std::string> VariedTexts(const std::vector<CellRecord>& cells) {
  std::map<std::string, int64_t> counts;
  for (const CellRecord& cell : cells) {
    const bool deviates = std::ranges::any_of(
        cell.varied,
        [](const VariedRecord& varied) { return IsDeviation(varied.verdict); });
    if (deviates) ++counts[VariedText(cell)];
  }
  std::vector<std::pair<int64_t, std::string>> sorted;
  for (const auto& [text, count] : counts) sorted.emplace_back(-count, text);
  std::ranges::sort(sorted);
  std::vector<std::string> texts;
  for (const auto& [count, text] : sorted) {
    texts.push_back(Plural(-count, "cell") + ": " + text);
  }
  return texts;
}

std::string JudgedAtText(const std::vector<CellRecord>& cells) {
  std::map<int, int64_t> counts;
  for (const CellRecord& cell : cells) {
    if (cell.judged_at_opset_version != 0) ++counts[cell.judged_at_opset_version];
  }
  if (counts.empty()) return "";
  return Joined(counts, ", ",
                [](const auto& item) {
                  return "opset " + std::to_string(item.first) + " in " +
                         Plural(item.second, "cell");
                }) +
         "; newer ones are declined";
}

std::string BoundOnlyText(const std::vector<CellRecord>& cells) {
  int64_t count = 0;
  std::string example;
  for (const CellRecord& cell : cells) {
    if (cell.bound_only.empty()) continue;
    if (++count == 1) example = cell.cell + " (" + cell.bound_only.front().Text() + ")";
  }
  return count == 0 ? "" : Plural(count, "cell") + ", such as " + example;
}

std::string WiderBoundText(const std::vector<CellRecord>& cells) {
  int64_t count = 0;
  int64_t elements = 0;
  for (const CellRecord& cell : cells) {
    if (!cell.by_wider_bound.empty()) ++count;
    for (const auto& [tier, others] : cell.by_wider_bound) elements += others;
  }
  if (count == 0) return "";
  return Plural(elements, "element") + " of " + Plural(count, "cell") +
         " with another code than the oracle's";
}

namespace {

std::string Listed(const std::vector<std::string>& names, const char* last = " and ") {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? last : ", ") + names[i];
  }
  return text;
}

std::string Percent(int64_t part, int64_t whole) {
  if (whole == 0) return "0 %";
  const auto percent =
      static_cast<int>(100.0 * static_cast<double>(part) / static_cast<double>(whole));
  return (percent == 0 && part > 0 ? "less than 1" : std::to_string(percent)) + " %";
}

}  // namespace

std::string GdbLine(const CellRecord& cell) {
  if (cell.verdict != Verdict::kCrashed) return "";
  for (const Counterexample& example : cell.counterexamples) {
    // Those of other backends are programs of their own.
    const bool may_be_in_process =
        example.replay.find(" --backend plugin:") != std::string::npos ||
        example.replay.find(" --backend onnxruntime") != std::string::npos;
    const bool is_isolated = example.replay.find(" --isolate") != std::string::npos;
    if (example.index || !may_be_in_process || is_isolated) continue;
    return "gdb -ex run --args " + example.replay + " --in-process";
  }
  return "";
}

std::string ExplainLine(const CellRecord& cell) {
  for (const Counterexample& example : cell.counterexamples) {
    const size_t flags = example.replay.find(" --backend ");
    if (flags == std::string::npos) continue;
    // The line of a part asks the whole part.
    if (cell.part) return example.replay + " --explain 3600";
    return "qconform explain " + cell.cell + example.replay.substr(flags);
  }
  return "";
}

std::string NotExplainedText(const std::vector<CellRecord>& cells) {
  int64_t count = 0;
  const CellRecord* first = nullptr;
  for (const CellRecord& cell : cells) {
    if (cell.not_explained.empty()) continue;
    ++count;
    if (first == nullptr) first = &cell;
  }
  if (first == nullptr) return "";
  return Plural(count, "cell") + ": " + first->not_explained +
         "; -v shows how to explain one";
}

namespace {

// "It does not give y[3] of CASE, where x=0x40 (2): expected 0x35 (53), actual 0x36 (54);
// ties_away gives 0x35 (53)."
std::string NotReproducedText(const NotReproduced& element, const std::string& model) {
  constexpr size_t kMostOperands = 6;
  std::string text =
      "It does not give " + (element.output.empty() ? "y" : element.output) +
      (element.index && !element.index->empty() ? ShapeToString(*element.index) : "");
  for (size_t i = 0; i < std::min(kMostOperands, element.operands.size()); ++i) {
    const OperandRecord& operand = element.operands[i];
    text += (i == 0 ? ", where " : ", ") + operand.name + "=" + ShownValue(operand.value);
  }
  return text + ": expected " + ShownValue(element.expected) + ", actual " +
         ShownValue(element.actual) + ", and " + model + " gives " +
         ShownValue(element.model) + ". Its case is " + element.case_id + ".";
}

// What all deviating elements have in common, and the nearest model.
void AddHints(const Deviation& deviation, std::vector<std::string>& text) {
  if (!deviation.pattern.empty()) {
    text.push_back("What deviates: " + Listed(deviation.pattern) + ".");
  }
  if (deviation.nearest.empty()) return;
  const bool all = deviation.elements_explained == deviation.elements_deviating;
  text.push_back("The nearest named model, " + deviation.nearest + ", reproduces " +
                 Percent(deviation.elements_explained, deviation.elements_deviating) +
                 " of them" + (all ? ", but not the other outputs" : "") +
                 ": by itself it does not explain the cell.");
  if (deviation.not_reproduced) {
    text.push_back(NotReproducedText(*deviation.not_reproduced, deviation.nearest));
  }
}

std::vector<std::string> SentencesOfDeviation(const CellRecord& cell) {
  if (!cell.not_explained.empty()) {
    const std::string line = ExplainLine(cell);
    std::vector<std::string> text{"not explained: " + cell.not_explained +
                                  (line.empty() ? "" : "; to explain it: " + line)};
    if (cell.deviation) AddHints(*cell.deviation, text);
    return text;
  }
  if (!cell.deviation) {
    // Version 1.0 had it as a note.
    for (const std::string& note : cell.notes) {
      if (note.starts_with("explained_by: ") || note.starts_with("no named model")) {
        return {note};
      }
    }
    // Models are of single answers, and these are right.
    const auto changed = std::ranges::find_if(
        cell.counterexamples,
        [](const Counterexample& example) { return example.second_answer.has_value(); });
    if (cell.verdict == Verdict::kNonconformant && cell.mismatches() == 0 &&
        changed != cell.counterexamples.end()) {
      return {
          "No model is named: the cases of the cell are answered right, and only the "
          "answer to one that was asked again differs (changed: " +
          changed->second_answer->changed + ")."};
    }
    return {};
  }
  const Deviation& deviation = *cell.deviation;
  std::vector<std::string> text;
  if (!cell.diagnosis.empty()) {
    text.push_back("Explained by " + cell.diagnosis +
                   (deviation.follows.empty() ? "" : ", over " + deviation.follows) +
                   ".");
    if (!deviation.model.empty()) text.push_back(deviation.model);
    std::string all = "This reproduces every output of the cell, all " +
                      Plural(deviation.elements_deviating, "deviating element") +
                      " included";
    if (deviation.elements_confirmed > 0) {
      all += ", and predicted " + Plural(deviation.elements_confirmed, "further output");
    }
    text.push_back(all + ".");
    if (!deviation.indistinguishable_from.empty()) {
      text.push_back("No input of this cell distinguishes it from " +
                     Listed(deviation.indistinguishable_from, " or ") + ".");
    }
    if (!deviation.also_explained_by.empty()) {
      // Reports of before named one of them, and listed the others.
      const bool is_or = cell.diagnosis.find(kOtherModel) != std::string::npos;
      text.push_back(is_or ? "No case that was asked distinguishes these."
                           : "The cases do not distinguish it from " +
                                 Listed(deviation.also_explained_by, " or ") + ".");
    }
    return text;
  }
  if (!deviation.rerun.empty()) {
    text.push_back(
        "This depends on what ran before: a deviating case gave other bits alone in a "
        "fresh process. Rerun the cell in one job: " +
        deviation.rerun);
  }
  if (!deviation.mixed_readings.empty()) {
    text.push_back("readings are mixed: some elements follow " +
                   Listed(deviation.mixed_readings, ", others ") +
                   "; each is admissible, but only one throughout a cell.");
  }
  // Those of tiers that a reading explains are no mismatches.
  int64_t by_reading = cell.reading.empty() ? 0 : deviation.elements_deviating;
  for (const TierCounts& tier : cell.tiers) by_reading -= tier.mismatches;
  text.push_back(
      "no named model explains this: " + Plural(deviation.elements_deviating, "element") +
      " of the cell " + (deviation.elements_deviating == 1 ? "deviates" : "deviate") +
      (by_reading > 0 ? ", " + GroupedDigits(by_reading) + " of them follow a reading."
                      : "."));
  if (!deviation.follows.empty()) {
    text.push_back("All others follow " + deviation.follows + ", which is admissible.");
  }
  AddHints(deviation, text);
  return text;
}

}  // namespace

std::vector<std::string> DiagnosisSentences(const CellRecord& cell) {
  std::vector<std::string> sentences = SentencesOfDeviation(cell);
  if (const std::string gdb = GdbLine(cell); !gdb.empty()) {
    sentences.push_back("To debug the crash: " + gdb);
  }
  return sentences;
}

std::string DiagnosisText(const CellRecord& cell) {
  return Joined(DiagnosisSentences(cell), " ");
}

std::string WorkedModelName(const CellRecord& cell) {
  return cell.diagnosis.empty() ? "backend" : cell.diagnosis;
}

std::vector<std::string> WorkedLines(const Counterexample& example,
                                     const std::string& model) {
  std::vector<std::string> lines;
  if (!example.reading.empty())
    lines.push_back("this element follows " + example.reading);
  if (example.steps.empty()) return lines;
  size_t first = 0;
  size_t second = std::string("specification").size();
  for (const WorkedStep& step : example.steps) {
    first = std::max(first, step.step.size());
    second = std::max(second, step.expected.size());
  }
  const auto line = [&](const std::string& a, const std::string& b,
                        const std::string& c) {
    std::string text = a + std::string(first - a.size() + 2, ' ') + b;
    if (!c.empty()) text += std::string(second - b.size() + 2, ' ') + c;
    lines.push_back(std::move(text));
  };
  line("", "specification", example.reading.empty() ? model : example.reading);
  for (const WorkedStep& step : example.steps)
    line(step.step, step.expected, step.actual);
  return lines;
}

std::string CounterexampleSentence(const Counterexample& example) {
  if (!example.index) return example.message;
  // An element that follows a reading is shown next to the canonical answer; it accuses
  // nobody.
  const bool follows = !example.reading.empty();
  const std::string output = example.output.empty() ? "y" : example.output;
  std::string text =
      output + (example.index->empty() ? "" : ShapeToString(*example.index)) +
      (follows ? ": canonical " : ": expected ") + ShownValue(example.expected) +
      ", actual " + ShownValue(example.actual);
  if (!example.clause.empty()) text += ", clause " + example.clause;
  if (!example.message.empty()) text += "; " + example.message;
  return text;
}

std::string OperandsSentence(const Counterexample& example) {
  return Joined(example.operands, ", ", [](const OperandRecord& operand) {
    return operand.name + "=" + ShownValue(operand.value);
  });
}

}  // namespace qconform
