// Packages of runs whose backend was asked at several settings of its options (run
// --vary): which settings those are, and which of them a row describes.
#ifndef QCONFORM_HARNESS_CERTIFICATE_SETTINGS_H_
#define QCONFORM_HARNESS_CERTIFICATE_SETTINGS_H_

#include <string>
#include <vector>

#include "harness/backends/backend.h"
#include "harness/certificate/row_check.h"
#include "reports/record/record.h"
#include "reports/report/report.h"

namespace qconform {

// The backend of a package. Implicit: most have no settings.
struct AskedBackend {
  AskedBackend(Backend& only) : backend(&only) {}  // NOLINT(google-explicit-constructor)

  // Returns the backend at that setting, or null if it is none of `settings`. The backend
  // itself if no option is varied and `setting` is empty.
  Backend* At(const std::string& setting) const;

  struct Setting {
    std::string name;  // "opt_level=basic"
    Backend* backend = nullptr;
    Backend* other_threads = nullptr;  // as RunRequest::other_threads
  };
  Backend* backend;                  // describes them all
  Backend* other_threads = nullptr;  // of `backend`
  std::vector<Setting> settings{};   // empty: no option is varied
};

// Returns the settings at which the cells of the report were judged; none if no option
// was varied.
std::vector<std::string> SettingsOf(const Report& report);

// Returns the options that were varied, as the report's backend names them.
std::vector<std::string> VariedKeys(const Report& report);

// Returns the varied options as one text, "opt_level=disable,all threads=1,2"; empty if
// there are none.
std::string SettingsText(const Report& report);

// Returns the setting that the row describes, as the samples name it: "" if no option was
// varied.
std::string SettingOf(const CellRecord& row);

// Checks that each row has a verdict at each setting, and that the settings are all
// combinations of the values that the report's backend names.
Findings CheckSettings(const Report& report);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CERTIFICATE_SETTINGS_H_
