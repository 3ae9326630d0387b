#include "harness/cli/vary/vary.h"

#include <algorithm>
#include <list>
#include <mutex>
#include <set>
#include <utility>

#include "harness/runner/judge/cell_evidence.h"
#include "oracle/base/expected.h"
#include "oracle/base/text.h"

namespace qconform {
namespace {

constexpr const char* kOnnxRuntime = "onnxruntime";
// Each of them is a backend of its own.
constexpr size_t kMostSettings = 256;
constexpr const char* kLevels = "opt_level=disable,basic,extended,all";

struct Axis {
  std::string key;
  std::vector<std::string> values;
};

bool HasOption(const BackendFlags& flags, const std::string& key) {
  return std::ranges::any_of(flags.options, [&](const std::string& option) {
    return option.starts_with(key + "=");
  });
}

Result<std::vector<Axis>> ParseAxes(const BackendFlags& flags,
                                    const std::vector<std::string>& vary) {
  std::vector<Axis> axes;
  size_t settings = 1;
  for (const std::string& text : vary) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      return Expected("--vary", "KEY=VALUE,VALUE,...", "'" + text + "'");
    }
    Axis axis{text.substr(0, equals), Split(text.substr(equals + 1), ",")};
    const std::set<std::string> different(axis.values.begin(), axis.values.end());
    if (different.size() != axis.values.size() || different.contains("")) {
      return Expected("--vary " + axis.key, "values that differ, none of them empty",
                      "'" + text.substr(equals + 1) + "'");
    }
    if (HasOption(flags, axis.key)) {
      return Expected("--vary " + axis.key, "a key that --backend-option does not set",
                      "a value of it there");
    }
    const auto same = [&](const Axis& other) { return other.key == axis.key; };
    if (std::ranges::any_of(axes, same)) {
      return Expected("--vary", "each key once", "'" + axis.key + "' twice");
    }
    settings *= axis.values.size();
    if (settings > kMostSettings) {
      return Expected("--vary",
                      "at most " + std::to_string(kMostSettings) + " combinations",
                      "more of them");
    }
    axes.push_back(std::move(axis));
  }
  return axes;
}

// The options of each combination of values.
std::vector<std::vector<std::string>> Combinations(const std::vector<Axis>& axes) {
  std::vector<std::vector<std::string>> settings{{}};
  for (const Axis& axis : axes) {
    std::vector<std::vector<std::string>> longer;
    for (const auto& setting : settings) {
      for (const std::string& value : axis.values) {
        longer.push_back(setting);
        longer.back().push_back(axis.key + "=" + value);
      }
    }
    settings = std::move(longer);
  }
  return settings;
}

// ONNX Runtime's graph optimizers at one setting.
class OnnxRuntimeOptimizers : public OptimizerSwitches {
 public:
  OnnxRuntimeOptimizers(BackendFlags flags, const std::atomic<bool>* stop)
      : flags_(std::move(flags)), stop_(stop) {}

  Result<Names> AllNames() override {
    const std::lock_guard lock(mutex_);
    if (!names_.empty()) return names_;
    BackendFlags listing = flags_;
    listing.options.emplace_back("list_optimizers=yes");
    // The library writes one log for a whole process, from its first environment on.
    listing.in_process = false;
    listing.isolate = true;
    const auto backend = MakeBackend(listing, stop_);
    if (!backend) return backend.error();
    const auto& details = (*backend)->info().details;
    const auto listed = details.find("optimizers");
    if (listed == details.end()) return Error{"the library lists no optimizers"};
    names_ = Split(listed->second, ";");
    // Most of the others never see a graph that quantizes.
    const auto others =
        std::stable_partition(names_.begin(), names_.end(), [](const std::string& name) {
          return name.find("DQ") != std::string::npos ||
                 name.find("Quant") != std::string::npos;
        });
    alone_ = static_cast<size_t>(others - names_.begin());
    return names_;
  }

  size_t alone() const override {
    const std::lock_guard lock(mutex_);
    return alone_;
  }

  Result<std::shared_ptr<Backend>> Without(const Names& names) override {
    const std::string off = Joined(names, ";");
    const std::lock_guard lock(mutex_);
    for (auto kept = kept_.begin(); kept != kept_.end(); ++kept) {
      if (kept->first != off) continue;
      kept_.splice(kept_.begin(), kept_, kept);
      return kept_.front().second;
    }
    BackendFlags without = flags_;
    std::string option = std::string(kDisable) + "=" + off;
    std::erase_if(without.options, [&](const std::string& given) {
      if (!given.starts_with(std::string(kDisable) + "=")) return false;
      option = given + ";" + off;
      return true;
    });
    without.options.push_back(option);
    auto made = MakeBackend(without, stop_);
    if (!made) return made.error();
    kept_.emplace_front(off, *std::move(made));
    if (kept_.size() > kMostKept) kept_.pop_back();
    return kept_.front().second;
  }

 private:
  static constexpr const char* kDisable = "optimization.disable_specified_optimizers";
  // Each is a process. Cells of one kind ask for the same sets of names.
  static constexpr size_t kMostKept = 16;

  BackendFlags flags_;
  const std::atomic<bool>* stop_;
  mutable std::mutex mutex_;
  Names names_;
  size_t alone_ = 0;
  std::list<std::pair<std::string, std::shared_ptr<Backend>>> kept_;
};

}  // namespace

Flag AddVaryFlag(Command& command, std::vector<std::string>& vary,
                 const std::string& what) {
  return command
      .Add("--vary", vary,
           what + " (repeatable; all combinations). Default: for graphs on onnxruntime " +
               kLevels + "; otherwise none")
      .Type("KEY=VALUE,VALUE,...");
}

Result<std::vector<BackendSetting>> BackendSettings(
    const BackendFlags& flags, const std::vector<std::string>& vary) {
  const auto axes = ParseAxes(flags, vary);
  if (!axes) return axes.error();
  std::vector<BackendSetting> settings;
  for (const std::vector<std::string>& options : Combinations(*axes)) {
    BackendSetting& setting = settings.emplace_back();
    setting.name = Joined(options, ",");
    setting.flags = flags;
    setting.flags.options.insert(setting.flags.options.end(), options.begin(),
                                 options.end());
  }
  return settings;
}

Result<VariedBackend> MakeVariedBackend(const BackendFlags& flags,
                                        const std::vector<std::string>& vary,
                                        uint64_t seed, const std::atomic<bool>* stop) {
  const auto settings = BackendSettings(flags, vary);
  if (!settings) return settings.error();
  VariedBackend varied;
  for (const BackendSetting& setting : *settings) {
    auto made = MakeJudgedBackend(setting.flags, stop);
    if (!made) return made.error();
    Variation& variation = varied.variations.emplace_back();
    variation.setting = setting.name;
    variation.backend = made->backend.get();
    variation.other_threads = made->other_threads.get();
    variation.replay = ReplayContextOf(setting.flags, seed);
    varied.backends.push_back(*std::move(made));
    if (flags.spec != kOnnxRuntime) continue;
    varied.optimizers.push_back(
        std::make_unique<OnnxRuntimeOptimizers>(setting.flags, stop));
    variation.optimizers = varied.optimizers.back().get();
  }
  return varied;
}

void DescribeVaried(const std::vector<std::string>& vary, BackendRecord& backend) {
  for (const std::string& axis : vary) {
    const size_t equals = axis.find('=');
    backend.details[axis.substr(0, equals)] = axis.substr(equals + 1);
  }
}

std::vector<std::string> DefaultAxes(const BackendFlags& flags, bool graphs) {
  if (!graphs || flags.spec != kOnnxRuntime || HasOption(flags, "opt_level")) return {};
  return {kLevels};
}

bool HasGraphs(const std::vector<SelectedCell>& cells) {
  return std::ranges::any_of(cells, [](const SelectedCell& selected) {
    return IsGraphFamily(selected.cell.op_type);
  });
}

}  // namespace qconform
