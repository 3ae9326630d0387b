#include "harness/certificate/testing/packages.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <utility>

#include "cases/model/serialize.h"
#include "harness/backends/oracle/oracle_backend.h"
#include "harness/runner/runner.h"
#include "harness/runner/suite.h"
#include "reports/report/journal.h"

namespace qconform {
namespace {

class FlawedModel final : public PreparedModel {
 public:
  explicit FlawedModel(std::unique_ptr<PreparedModel> right) : right_(std::move(right)) {}
  RunResult Run(std::span<const TensorView> inputs) override {
    RunResult result = right_->Run(inputs);
    if (auto* outputs = std::get_if<Outputs>(&result)) {
      Tensor& y = outputs->front();
      if (y.type == DataType::kFloat4E2M1 && !y.data.empty()) y.data[0] ^= std::byte{1};
    }
    return result;
  }

 private:
  std::unique_ptr<PreparedModel> right_;
};

class FlawedBackend final : public Backend {
 public:
  const BackendInfo& info() const override { return info_; }
  PrepareResult Prepare(const Model& model) override {
    if (model.outputs.front().type == DataType::kInt8) return Unsupported{"no INT8", ""};
    PrepareResult right = right_->Prepare(model);
    if (auto* prepared = std::get_if<std::unique_ptr<PreparedModel>>(&right)) {
      return std::make_unique<FlawedModel>(std::move(*prepared));
    }
    return right;
  }

 private:
  std::unique_ptr<Backend> right_ = MakeOracleBackend();
  BackendInfo info_ = {.kind = "oracle",
                       .name = "flawed",
                       .version = "1",
                       .vendor = "tests",
                       .device = "none",
                       .details = {}};
};

Report RunProfile(const AskedBackend& asked, const Profile& profile) {
  Backend& backend = *asked.backend;
  const std::vector<SelectedCell> cells = SelectCells(profile.cells).value();
  RunInfo info;
  info.tool = {.version = "0.1.0", .commit = "test"};
  info.suite = {.version = "0.1.0",
                .digest = SuiteDigest(SubjectsOf(profile.cells)),
                .onnx_version = std::string(OnnxVersion()),
                .level = "smoke",
                .seed = 1};
  info.selection.operators = OperatorsInUse();
  info.operators = OperatorRecords(SubjectsOf(profile.cells));
  info.selection.cell_patterns = profile.cells;
  info.selection.profile = SelectionName(profile);
  info.selection.cells = static_cast<int64_t>(cells.size());
  const BackendInfo& about = backend.info();
  info.backend = {about.kind, about.name, about.version, about.vendor, about.device,
                  "",         {}};
  RunRequest request{cells, Level::kSmoke, 1, 1, ReplayContext{about.name, {}, 1}};
  for (const AskedBackend::Setting& setting : asked.settings) {
    Variation& at = request.variations.emplace_back();
    at.setting = setting.name;
    at.backend = setting.backend;
    at.replay = ReplayContext{about.name, {setting.name}, 1};
    const size_t equals = setting.name.find('=');
    std::string& values = info.backend.details[setting.name.substr(0, equals)];
    values += (values.empty() ? "" : ",") + setting.name.substr(equals + 1);
  }
  info.machine.cpu_model = "a CPU";
  info.machine.cpu_features = {"avx2", "fma"};
  info.command_line = {"qconform", "certify"};
  info.start_time = "2026-08-01T12:00:00Z";
  std::vector<CellRecord> records;
  const std::atomic<bool> stop{false};
  [[maybe_unused]] const bool all = RunCells(
      backend, request,
      [&](CellRecord record) {
        record.time_ms = 1;
        record.explain_ms = 0;
        records.push_back(std::move(record));
      },
      stop);
  assert(all);
  return BuildReport(info, std::move(records), {}, true).value();
}

}  // namespace

std::unique_ptr<Backend> MakeFlawedBackend() { return std::make_unique<FlawedBackend>(); }

std::string WaiversOfFlawed() {
  KnownDifference wrong;
  wrong.cells = {"*-FLOAT4E2M1/blocked"};
  wrong.verdict = Verdict::kNonconformant;
  wrong.reason = "the first element is off by one code";
  wrong.owner = "somebody";
  wrong.expires = "2030-12-31";
  KnownDifference declined;
  declined.cells = {"*-INT8/blocked"};
  declined.verdict = Verdict::kUnsupported;
  declined.reason = "not built yet";
  declined.owner = "somebody else";
  declined.expires = "2030-12-31";
  return KnownDifferencesText({wrong, declined});
}

MadePackage MakePackageOf(const AskedBackend& backend, const std::string& known,
                          const std::string& private_key,
                          const std::vector<std::string>& cells) {
  MadePackage made;
  made.claim = {"Example Inc.", "kernels 2.1"};
  made.profile = FindProfile("microscaling").value();
  if (!cells.empty()) made.profile = PartOfProfile(made.profile, cells);
  made.report = RunProfile(backend, made.profile);
  made.known = known;
  made.private_key = private_key;
  made.files =
      MakePackage(backend, made.report, {made.claim, made.profile, known, private_key})
          .value();
  made.samples =
      ParseSamples(made.files.at(std::string(kSamplesFile)), kSamplesFile).value();
  made.loaded = ParseEnvironment(made.files.at(std::string(kEnvironmentFile))).value();
  return made;
}

void MadePackage::Reseal() {
  std::optional<KnownOutcome> outcome;
  files.erase(std::string(kKnownFile));
  if (!known.empty()) {
    outcome = ApplyKnownDifferences(ParseKnownDifferences(known, "known").value(), report,
                                    DateOf(report));
    files[std::string(kKnownFile)] = known;
  }
  const bool complete = report.complete;
  report =
      BuildReport(report.run, report.cells, report.node_tests, complete, report.negative)
          .value();
  files[std::string(kReportFile)] = ReportText(report);
  files[std::string(kJournalFile)] = JournalText(report.run, report.cells);
  files[std::string(kSamplesFile)] = SamplesText(samples);
  files[std::string(kEnvironmentFile)] = EnvironmentText(report, loaded);
  files[std::string(kProfileFile)] = profile.text;
  const Status sealed = SealPackage(report, claim, profile, outcome ? &*outcome : nullptr,
                                    loaded.backend, private_key, &files);
  assert(sealed.ok());
}

Sample* MadePackage::FindSample(const std::function<bool(const Sample&)>& wanted) {
  const auto found = std::find_if(samples.begin(), samples.end(), wanted);
  return found == samples.end() ? nullptr : &*found;
}

CellRecord* MadePackage::FindRow(const std::function<bool(const CellRecord&)>& wanted) {
  const auto found = std::find_if(report.cells.begin(), report.cells.end(), wanted);
  return found == report.cells.end() ? nullptr : &*found;
}

}  // namespace qconform
