#include "reports/show/html.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string_view>

#include "reports/diff/diff.h"
#include "reports/record/codec.h"
#include "reports/record/evidence.h"
#include "reports/record/order.h"
#include "reports/show/xml.h"

namespace qconform {

// Generated from the files of reports/html/ (CMakeLists.txt).
std::string_view HtmlPage();
std::string_view HtmlStyle();
std::string_view HtmlScript();

namespace {

// A list of names that rows refer to by number.
class Names {
 public:
  int64_t Index(const std::string& name) {
    const auto [found, inserted] =
        index_.try_emplace(name, static_cast<int64_t>(names_.size()));
    if (inserted) names_.push_back(name);
    return found->second;
  }
  int64_t IndexOrNone(const std::string& name) { return name.empty() ? -1 : Index(name); }
  const Json& list() const { return names_; }

 private:
  std::map<std::string, int64_t> index_;
  Json names_ = Json::array();
};

// The tables that all reports of a page share, and their rows as arrays: small,
// and quick for a browser to read. decodeCell in html/data.js reads them.
class Encoder {
 public:
  explicit Encoder(std::vector<const Report*> reports) {
    std::set<std::pair<size_t, std::string>> operators, tiers;
    std::set<std::pair<std::vector<size_t>, std::string>> granularities;
    for (const Report* report : reports) {
      for (const CellRecord& cell : report->cells) {
        operators.emplace(OperatorRank(reports[0]->run.selection, cell.op_type),
                          cell.op_type);
        granularities.emplace(GranularityRank(cell.granularity), cell.granularity);
        for (const std::string& tier : TiersOf(cell)) tiers.emplace(TierRank(tier), tier);
        AddVerdicts(cell);
      }
    }
    // In these the number is the place on the page, too.
    for (const auto& [rank, name] : operators) operators_.Index(name);
    for (const auto& [rank, name] : granularities) granularities_.Index(name);
    for (const auto& [rank, name] : tiers) tiers_.Index(name);
  }

  Json Row(const CellRecord& cell, int64_t known) {
    Json types = Json::array();
    for (const DataType type : cell.types)
      types.push_back(types_.Index(std::string(DataTypeName(type))));
    Json opsets = Json::array();
    for (const OpsetRecord& opset : cell.opset_versions) {
      opsets.push_back(opset.opset_version);
      opsets.push_back(IndexOf(opset.verdict));
    }
    Json forms = Json::array();
    for (const FormRecord& form : cell.forms) {
      Json tiers = Json::array();
      for (const TierRecord& tier : form.tiers) {
        tiers.push_back(tiers_.Index(tier.tier));
        tiers.push_back(IndexOf(tier.verdict));
      }
      forms.push_back({forms_.Index(form.form), std::move(tiers)});
    }
    Json counts = Json::array();
    for (const TierCounts& tier : cell.tiers) {
      counts.push_back(tiers_.Index(tier.tier));
      counts.push_back(tier.elements);
      counts.push_back(tier.mismatches);
    }
    Json coverage = Json::array();
    for (const auto& [feature, count] : cell.coverage) {
      coverage.push_back(features_.Index(feature));
      coverage.push_back(count);
    }
    Json observed = Json::array();
    for (const Observation& one : cell.observed) {
      observed.push_back(strings_.Index(one.Text()));
    }
    Json why = Json::array();
    for (const std::string& sentence : DiagnosisSentences(cell)) {
      why.push_back(strings_.Index(sentence));
    }
    Json bound_only = Json::array();
    for (const BoundOnlyTier& tier : cell.bound_only) {
      bound_only.push_back(strings_.Index(tier.Text()));
    }
    Json examples = Json::array();
    for (const Counterexample& example : cell.counterexamples)
      examples.push_back(Example(example));
    return Json::array({operators_.Index(cell.op_type),
                        cell.since_version,
                        std::move(types),
                        granularities_.Index(cell.granularity),
                        IndexOf(cell.verdict),
                        Pattern(opsets),
                        Pattern(forms),
                        std::move(counts),
                        cell.cases,
                        cell.declined,
                        cell.free,
                        std::move(coverage),
                        strings_.IndexOrNone(cell.reading),
                        strings_.IndexOrNone(cell.diagnosis),
                        strings_.IndexOrNone(cell.reason),
                        std::move(observed),
                        std::move(examples),
                        std::round(cell.time_ms * 10) / 10,
                        cell.cell,
                        known,
                        std::move(why),
                        cell.example ? Example(*cell.example) : Json(),
                        strings_.Index(WorkedModelName(cell)),
                        cell.judged_at_opset_version,
                        std::move(bound_only)});
  }

  void AddTables(Json* data) const {
    Json verdicts = Json::array();
    for (const Verdict verdict : verdicts_) verdicts.push_back(VerdictName(verdict));
    std::vector<DataType> types(AllDataTypes().begin(), AllDataTypes().end());
    std::sort(types.begin(), types.end(),
              [](DataType a, DataType b) { return TypeRank(a) < TypeRank(b); });
    Json order = Json::array();
    for (const DataType type : types) order.push_back(DataTypeName(type));
    (*data)["verdicts"] = std::move(verdicts);
    (*data)["typeOrder"] = std::move(order);
    (*data)["ops"] = operators_.list();
    (*data)["types"] = types_.list();
    (*data)["granularities"] = granularities_.list();
    (*data)["tiers"] = tiers_.list();
    (*data)["forms"] = forms_.list();
    (*data)["features"] = features_.list();
    (*data)["strings"] = strings_.list();
    (*data)["patterns"] = patterns_;
  }

 private:
  // Those of later versions, too: the page shows them by their names.
  void AddVerdicts(const CellRecord& cell) {
    verdicts_.insert(cell.verdict);
    for (const OpsetRecord& opset : cell.opset_versions) verdicts_.insert(opset.verdict);
    for (const FormRecord& form : cell.forms) {
      for (const TierRecord& tier : form.tiers) verdicts_.insert(tier.verdict);
    }
  }

  int64_t IndexOf(Verdict verdict) const {
    return std::distance(verdicts_.begin(), verdicts_.find(verdict));
  }

  static Json Value(const ValueRecord& value) {
    return Json::array({value.bits, value.value});
  }

  static Json Example(const Counterexample& example) {
    Json operands = Json::array();
    for (const OperandRecord& operand : example.operands) {
      operands.push_back({operand.name, DataTypeName(operand.type), operand.value.bits,
                          operand.value.value});
    }
    Json steps = Json::array();
    for (const WorkedStep& step : example.steps) {
      steps.push_back({step.step, step.expected, step.actual});
    }
    return Json::array({example.case_id, example.tier, example.operand_form,
                        example.index ? Json(*example.index) : Json(),
                        std::move(operands), Value(example.expected),
                        Value(example.actual), example.clause, example.message,
                        example.replay, example.reading, std::move(steps)});
  }

  // Most cells have the verdicts of many others.
  int64_t Pattern(const Json& pattern) {
    const auto [found, inserted] =
        pattern_index_.try_emplace(Dump(pattern), static_cast<int64_t>(patterns_.size()));
    if (inserted) patterns_.push_back(pattern);
    return found->second;
  }

  std::set<Verdict> verdicts_{AllVerdicts().begin(), AllVerdicts().end()};
  Names operators_, types_, granularities_, tiers_, forms_, features_, strings_;
  std::map<std::string, int64_t> pattern_index_;
  Json patterns_ = Json::array();
};

// [name, cells, one of them]
Json Counted(const std::map<std::string, int64_t>& counts,
             const std::map<std::string, std::string>& examples) {
  Json list = Json::array();
  for (const auto& [name, count] : counts) {
    const auto example = examples.find(name);
    list.push_back({name, count, example == examples.end() ? "" : example->second});
  }
  return list;
}

Json ReportToJson(const Report& report, const KnownOutcome* known, Encoder* encoder) {
  const RunInfo& run = report.run;
  Json json = Json::object();
  json["backend"] = run.backend.name;
  json["version"] = run.backend.version;
  json["vendor"] = run.backend.vendor;
  json["device"] = run.backend.device;
  json["complete"] = report.complete;
  json["selected"] = report.totals.selected;
  json["digest"] = report.results_digest;
  json["answers"] = report.answers_digest;
  json["start"] = run.start_time;
  json["duration"] = std::round(run.duration_s * 10) / 10;
  json["machine"] = run.machine.cpu_model;
  std::string command;
  for (const std::string& argument : run.command_line) {
    command += (command.empty() ? "" : " ") + argument;
  }
  json["command"] = command;
  json["tool"] = {{"name", run.tool.name},
                  {"version", run.tool.version},
                  {"commit", run.tool.commit}};
  json["suite"] = {
      {"level", run.suite.level},
      {"seed", std::to_string(run.suite.seed)},  // may exceed what a browser counts to
      {"onnx_version", run.suite.onnx_version},
      {"digest", run.suite.digest}};
  Json& entries = json["known"] = Json::array();
  Json& problems = json["problems"] = Json::array();
  if (known != nullptr) {
    for (const KnownDifference& entry : known->entries) {
      entries.push_back({{"reason", entry.reason},
                         {"url", entry.url},
                         {"owner", entry.owner},
                         {"expires", entry.expires}});
    }
    for (const KnownProblem& problem : known->problems)
      problems.push_back(problem.sentence);
  }
  Json& unspecified = json["unspecified"] = Json::array();
  for (const UnspecifiedRow& row : report.totals.unspecified) {
    unspecified.push_back({row.op_type, row.clause, row.input_class,
                           Counted(row.behaviours, row.examples),
                           Counted(row.varies_with, {})});
  }
  Json& mixed = json["mixed"] = Json::array();
  for (const MixedReadings& row : report.totals.mixed_readings) {
    mixed.push_back(
        {row.op_type, row.since_version, row.clause, Counted(row.readings, row.cells)});
  }
  Json& tests = json["nodeTests"] = Json::array();
  for (const NodeTestRecord& test : report.node_tests) {
    tests.push_back({test.name, NodeVerdictName(test.verdict), test.release,
                     test.opset_version, test.reason});
  }
  json["negativeCounts"] = NegativeCounts(report.negative);
  Json& negative = json["negative"] = Json::array();  // only what there is to look at
  for (const NegativeRecord& record : report.negative) {
    if (record.result > NegativeResult::kDeclined) continue;
    negative.push_back({record.id, NegativeResultName(record.result), record.clause,
                        record.text, IsDeviation(record.result)});
  }
  Json& findings = json["findings"] = Json::array();
  for (const FindingRecord& finding : report.findings) {
    findings.push_back({finding.id.Text(), finding.cells.size(), finding.elements,
                        finding.example ? CounterexampleSentence(*finding.example) : "",
                        finding.cells.front()});
  }
  Json& cells = json["cells"] = Json::array();
  for (const CellRecord& cell : report.cells) {
    int64_t entry = -1;
    if (known != nullptr) {
      const auto found = known->known_cells.find(cell.cell);
      if (found != known->known_cells.end()) entry = static_cast<int64_t>(found->second);
    }
    cells.push_back(encoder->Row(cell, entry));
  }
  return json;
}

// JSON as the text of a <script>: no `<` may begin a tag there.
std::string ScriptSafe(const std::string& json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace

std::string HtmlText(const Report& report, const HtmlOptions& options) {
  std::vector<const Report*> reports = {&report};
  if (options.before != nullptr) reports.push_back(options.before);
  Encoder encoder(reports);
  Json list = Json::array();
  list.push_back(ReportToJson(report, options.known, &encoder));
  if (options.before != nullptr)
    list.push_back(ReportToJson(*options.before, nullptr, &encoder));
  Json data = Json::object();
  encoder.AddTables(&data);
  data["explanations"] = options.explanations;
  data["reports"] = std::move(list);
  Json& changes = data["changes"] = Json::object();
  if (options.before != nullptr) {
    for (const CellChange& change : DiffReports(*options.before, report).cells) {
      changes[change.cell] = ChangeKindName(change.kinds.front());
    }
  }

  const std::map<std::string_view, std::string> values = {
      {"title",
       XmlEscaped(report.run.backend.name + ": conformance of ONNX quantization")},
      {"style", std::string(HtmlStyle())},
      {"data", ScriptSafe(Dump(data))},
      {"script", std::string(HtmlScript())}};
  std::string page;
  std::string_view rest = HtmlPage();
  for (size_t open = rest.find("{{"); open != std::string_view::npos;
       open = rest.find("{{")) {
    const size_t close = rest.find("}}", open);
    page += rest.substr(0, open);
    page += values.at(rest.substr(open + 2, close - open - 2));
    rest.remove_prefix(close + 2);
  }
  return page + std::string(rest);
}

}  // namespace qconform
