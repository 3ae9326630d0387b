#include "reports/site/backends.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "oracle/base/expected.h"
#include "oracle/base/text.h"
#include "reports/history/history.h"
#include "reports/report/merge.h"

namespace qconform {
namespace {

// The options that the command line gave to the backend: "opt_level=all, threads=2".
std::string OptionsOf(const RunInfo& run) {
  std::set<std::string> options;
  for (size_t i = 0; i + 1 < run.command_line.size(); ++i) {
    const std::string& flag = run.command_line[i];
    if (flag == "--backend-option" || flag == "--vary") {
      options.insert(run.command_line[i + 1]);
    }
  }
  return Joined(options, ", ");
}

bool ShareACell(const Report& a, const Report& b) {
  std::set<std::string_view> cells;
  for (const CellRecord& cell : a.cells) cells.insert(cell.cell);
  return std::ranges::any_of(
      b.cells, [&](const CellRecord& cell) { return cells.contains(cell.cell); });
}

// What tells a column from an earlier one with the same label: "on AMD EPYC without
// VNNI". Kernels with and without these instructions may give other bits.
std::string OtherMachine(const MachineRecord& earlier, const MachineRecord& machine) {
  if (machine.cpu_features == earlier.cpu_features) return "another run";
  const auto has = [](const MachineRecord& one, const std::string& kind) {
    return std::ranges::any_of(one.cpu_features, [&](const std::string& feature) {
      return feature.find(kind) != feature.npos;
    });
  };
  std::string text =
      machine.cpu_model.empty() ? "another CPU" : "on " + machine.cpu_model;
  std::string word = " without ";
  for (const auto& [kind, name] : {std::pair{"vnni", "VNNI"}, std::pair{"amx", "AMX"}}) {
    if (!has(earlier, kind) || has(machine, kind)) continue;
    text += word + name;
    word = " and ";
  }
  return text;
}

// Adds the rows of a report. Its suite may be another: the page says so.
Status AddReport(SiteReport from, SiteBackend* backend) {
  const SuiteRecord suite = from.report.run.suite;
  SuiteRecord& known = backend->report.run.suite;
  if (suite.level != known.level) {
    std::set<std::string> levels = {suite.level};
    for (const std::string& level : Split(known.level, " and ")) levels.insert(level);
    known.level = Joined(levels, " and ");
  }
  const bool listed =
      std::ranges::find(backend->suites, suite.digest) != backend->suites.end();
  if (!listed) backend->suites.push_back(suite.digest);
  // The older format: the newer one may say more than these rows do.
  if (from.report.report_version < backend->report.report_version) {
    backend->report.report_version = from.report.report_version;
  }
  // Suites that differ may ask the same node test or negative model, with other words.
  const auto known_tests = [&](const NodeTestRecord& test) {
    return std::ranges::any_of(
        backend->report.node_tests, [&](const NodeTestRecord& other) {
          return other.name == test.name && other.release == test.release;
        });
  };
  const auto known_models = [&](const NegativeRecord& model) {
    return std::ranges::any_of(
        backend->report.negative,
        [&](const NegativeRecord& other) { return other.id == model.id; });
  };
  std::erase_if(from.report.node_tests, known_tests);
  std::erase_if(from.report.negative, known_models);
  auto joined = JoinParts(std::move(backend->report), std::move(from.report));
  if (!joined) return Expected(from.file, "other cells", joined.error().message);
  backend->report = *std::move(joined);
  backend->files.push_back(from.file);
  return Ok();
}

}  // namespace

std::string FileNamePart(const std::string& text) {
  std::string part;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       (c >= '0' && c <= '9') || c == '_' || c == '.';
    if (plain) {
      part += c;
    } else if (!part.empty() && part.back() != '-') {
      part += '-';
    }
  }
  while (part.ends_with('-') || part.ends_with('.')) part.pop_back();
  if (part.empty()) return "x";
  return part.substr(0, 80);
}

std::string SiteBackend::Label() const {
  return name + (version.empty() ? "" : " " + version) +
         (options.empty() ? "" : ", " + options);
}

Result<std::vector<SiteBackend>> BackendsOf(std::vector<SiteReport> reports) {
  std::vector<SiteBackend> backends;
  for (SiteReport& one : reports) {
    const RunInfo& run = one.report.run;
    if (run.selection.model) {
      return Expected(one.file, "a report on cells", "one on the parts of a model");
    }
    const std::string name = DisplayName(run.backend);
    const std::string options = OptionsOf(run);
    const std::string version = run.backend.version;
    const auto whole = std::ranges::find_if(backends, [&](const SiteBackend& backend) {
      return backend.name == name && backend.version == version &&
             backend.options == options && !ShareACell(backend.report, one.report);
    });
    if (whole != backends.end()) {
      if (const Status added = AddReport(std::move(one), &*whole); !added) {
        return added.error();
      }
      continue;
    }
    SiteBackend& backend = backends.emplace_back();
    backend.name = name;
    backend.version = version;
    backend.options = options;
    backend.files = {one.file};
    backend.suites = {run.suite.digest};
    backend.report = std::move(one.report);
  }
  std::ranges::stable_sort(backends, [](const SiteBackend& a, const SiteBackend& b) {
    if (a.name != b.name) return a.name < b.name;
    if (IsEarlierVersion(a.version, b.version)) return true;
    if (IsEarlierVersion(b.version, a.version)) return false;
    return a.options < b.options;
  });
  std::map<std::string, std::vector<const RunInfo*>> labels;
  std::set<std::string> ids;
  for (SiteBackend& backend : backends) {
    const RunInfo& run = backend.report.run;
    std::vector<const RunInfo*>& alike = labels[backend.Label()];
    alike.push_back(&run);
    if (const size_t count = alike.size(); count > 1) {
      const std::string another = OtherMachine(alike.front()->machine, run.machine) +
                                  (count > 2 ? " " + std::to_string(count) : "");
      backend.options += (backend.options.empty() ? "" : ", ") + another;
    }
    const std::string id = FileNamePart(backend.Label());
    backend.id = id;
    for (int i = 2; !ids.insert(backend.id).second; ++i) {
      backend.id = id + "-" + std::to_string(i);
    }
  }
  return backends;
}

}  // namespace qconform
