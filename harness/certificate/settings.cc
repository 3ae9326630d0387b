#include "harness/certificate/settings.h"

#include <algorithm>

#include "oracle/base/text.h"
#include "reports/record/verdict.h"

namespace qconform {
namespace {

std::vector<std::string> NamesOf(const std::vector<VariedRecord>& varied) {
  std::vector<std::string> names;
  for (const VariedRecord& at : varied) names.push_back(at.setting);
  return names;
}

// The options that a setting has values for: "opt_level" of "opt_level=basic".
std::vector<std::string> Keys(const std::string& setting) {
  std::vector<std::string> keys;
  for (const std::string& option : Split(setting, ",")) {
    keys.push_back(option.substr(0, option.find('=')));
  }
  return keys;
}

std::string ValuesOf(const Report& report, const std::string& key) {
  const auto& details = report.run.backend.details;
  const auto found = details.find(key);
  return found == details.end() ? std::string() : found->second;
}

// The settings that the values of the report's backend make, if they are not more than
// `most`; the first key changes slowest.
std::vector<std::string> Combined(const Report& report,
                                  const std::vector<std::string>& keys, size_t most) {
  std::vector<std::string> settings{""};
  for (const std::string& key : keys) {
    std::vector<std::string> longer;
    for (const std::string& setting : settings) {
      for (const std::string& value : Split(ValuesOf(report, key), ",")) {
        if (longer.size() == most) return {};
        longer.push_back(setting + (setting.empty() ? "" : ",") + key + "=" + value);
      }
    }
    settings = std::move(longer);
  }
  return settings;
}

}  // namespace

Backend* AskedBackend::At(const std::string& setting) const {
  if (settings.empty()) return setting.empty() ? backend : nullptr;
  const auto found = std::ranges::find(settings, setting, &Setting::name);
  return found == settings.end() ? nullptr : found->backend;
}

std::vector<std::string> SettingsOf(const Report& report) {
  for (const CellRecord& row : report.cells) {
    if (!row.varied.empty()) return NamesOf(row.varied);
  }
  return {};
}

std::vector<std::string> VariedKeys(const Report& report) {
  const std::vector<std::string> settings = SettingsOf(report);
  std::vector<std::string> keys =
      settings.empty() ? std::vector<std::string>() : Keys(settings.front());
  std::erase_if(keys, [&](const std::string& key) {
    return !report.run.backend.details.contains(key);
  });
  return keys;
}

std::string SettingsText(const Report& report) {
  return Joined(VariedKeys(report), " ", [&](const std::string& key) {
    return key + "=" + ValuesOf(report, key);
  });
}

std::string SettingOf(const CellRecord& row) {
  const VariedRecord* judged = row.judged_setting();
  return judged == nullptr ? "" : judged->setting;
}

Findings CheckSettings(const Report& report) {
  Findings findings;
  const std::vector<std::string> settings = SettingsOf(report);
  for (const CellRecord& row : report.cells) {
    if (NamesOf(row.varied) == settings) continue;
    if (row.varied.empty() && !IsOfBackend(row.verdict)) continue;  // it was not asked
    findings.push_back(
        {"setting", row.cell + ": has verdicts at '" + Joined(NamesOf(row.varied), " ") +
                        "', but other rows at '" + Joined(settings, " ") + "'"});
  }
  if (settings.empty()) return findings;
  if (Combined(report, Keys(settings.front()), settings.size()) == settings) {
    return findings;
  }
  findings.push_back({"setting", "the rows were judged at '" + Joined(settings, " ") +
                                     "', but the report's backend has '" +
                                     SettingsText(report) + "'"});
  return findings;
}

}  // namespace qconform
