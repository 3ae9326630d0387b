#include "harness/certificate/samples.h"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "harness/backends/run_model.h"
#include "harness/certificate/base64.h"
#include "harness/certificate/settings.h"
#include "harness/compare/compare.h"
#include "harness/core/oracle_model.h"
#include "oracle/base/codec.h"
#include "oracle/base/sha256.h"
#include "oracle/tensor/data_type_json.h"

namespace qconform {
namespace {

constexpr size_t kLongestWords = 1000;

// Whether the generator aims its questions at the tier of G-02: "degenerate" at
// degenerate_scale, "overflow" at accumulator_overflow.
bool IsAimedAt(Tier tier, std::string_view generator) {
  const std::string_view name = TierName(tier);
  return name.starts_with(generator) || name.ends_with(generator);
}

// The kinds of which a cell has one sample each: operand forms, and contested tiers.
std::vector<std::function<bool(const CaseKey&)>> Strata() {
  std::vector<std::function<bool(const CaseKey&)>> strata;
  for (const OperandForm form :
       {OperandForm::kInputs, OperandForm::kInitializers, OperandForm::kParameters}) {
    strata.push_back([form](const CaseKey& key) { return key.form == form; });
  }
  for (int i = 1; i < kTierCount; ++i) {
    const auto tier = static_cast<Tier>(i);
    strata.push_back(
        [tier](const CaseKey& key) { return IsAimedAt(tier, key.generator); });
  }
  return strata;
}

// The cases of one cell in an order that no vendor can choose: `salt` is the suite's
// digest.
std::vector<CaseKey> Shuffled(const SelectedCell& cell, const CellRecord& row,
                              Level level, const std::string& salt) {
  std::vector<std::pair<std::string, CaseKey>> keys;
  for (CaseKey& key :
       CasesOf(cell.cell, cell.versions, level, row.judged_at_opset_version)) {
    keys.emplace_back(Sha256Hex(salt + CaseId(key)), std::move(key));
  }
  std::sort(keys.begin(), keys.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<CaseKey> shuffled;
  for (auto& [hash, key] : keys) shuffled.push_back(std::move(key));
  return shuffled;
}

class Planner {
 public:
  Planner(const Report& report, const std::vector<SelectedCell>& cells, Level level)
      : report_(report), cells_(cells), level_(level) {}

  Result<std::vector<PlannedSample>> Plan() {
    for (size_t row = 0; row < report_.cells.size(); ++row) {
      const CellRecord& record = report_.cells[row];
      const std::string setting = SettingOf(record);
      for (const Counterexample& example : record.counterexamples) {
        if (auto taken = TakeShown(row, setting, example); !taken) return taken.error();
      }
      for (const VariedRecord& at : record.varied) {
        if (at.setting == setting || !at.example) continue;
        if (auto taken = TakeShown(row, at.setting, *at.example); !taken) {
          return taken.error();
        }
      }
    }
    const auto strata = Strata();
    for (size_t row = 0; row < cells_.size(); ++row) {
      const CellRecord& record = report_.cells[row];
      if (!IsOfBackend(record.verdict)) continue;
      const std::vector<CaseKey> keys =
          Shuffled(cells_[row], record, level_, report_.run.suite.digest);
      const std::string setting = SettingOf(record);
      for (const auto& wanted : strata) {
        if (auto taken = TakeFirst(row, setting, keys, wanted); !taken) {
          return taken.error();
        }
      }
      const auto any = [](const CaseKey&) { return true; };
      for (const VariedRecord& at : record.varied) {
        if (at.setting == setting || !IsOfBackend(at.verdict)) continue;
        if (auto taken = TakeFirst(row, at.setting, keys, any); !taken) {
          return taken.error();
        }
      }
    }
    std::vector<PlannedSample> plan;
    for (auto& [place, key] : chosen_) {
      plan.push_back({std::move(key), std::get<0>(place), std::get<1>(place)});
    }
    return plan;
  }

 private:
  // Takes the case of a counterexample.
  Status TakeShown(size_t row, const std::string& setting,
                   const Counterexample& example) {
    const auto key = ParseCaseId(example.case_id);
    if (!key) return key.error();
    const Result<bool> taken = Take(row, setting, *key);
    if (!taken) return taken.error();
    return Ok();
  }

  // Takes the first wanted case that is small enough.
  Status TakeFirst(size_t row, const std::string& setting,
                   const std::vector<CaseKey>& keys,
                   const std::function<bool(const CaseKey&)>& wanted) {
    for (const CaseKey& key : keys) {
      if (!wanted(key)) continue;
      const Result<bool> taken = Take(row, setting, key);
      if (!taken) return taken.error();
      if (*taken) break;
    }
    return Ok();
  }

  // Returns false if the output is too large; true for a case that is chosen already.
  Result<bool> Take(size_t row, const std::string& setting, const CaseKey& key) {
    const std::tuple place{row, setting, CaseId(key)};
    if (chosen_.contains(place)) return true;
    const auto made = MakeCase(key, report_.run.suite.seed);
    if (!made) return made.error();
    size_t size = 0;
    for (const ValueInfo& output : made->model.outputs) {
      size += PackedByteSize(output.type, ElementCount(output.shape).value_or(0));
    }
    if (size > kLargestOutput || bytes_ + size > kMostOutputBytes) return false;
    bytes_ += size;
    chosen_.emplace(place, key);
    return true;
  }

  const Report& report_;
  const std::vector<SelectedCell>& cells_;
  const Level level_;
  size_t bytes_ = 0;
  std::map<std::tuple<size_t, std::string, std::string>, CaseKey>
      chosen_;  // row, setting, id
};

// The bytes of a tensor as base64.
struct Base64Data {
  std::vector<std::byte>& bytes;
};

void Convert(const JsonPlace& place, Base64Data& data) {
  const auto* first = reinterpret_cast<const char*>(data.bytes.data());
  if (!place.reads()) {
    place.target() = Json(Base64({first, data.bytes.size()}));
    return;
  }
  const auto text =
      place.source().is_string() ? FromBase64(place.source().text()) : std::nullopt;
  if (!place.Expect(text.has_value(), "data in base64")) return;
  const auto bytes = std::as_bytes(std::span(*text));
  data.bytes.assign(bytes.begin(), bytes.end());
}

}  // namespace

static void Describe(Fields& fields, Tensor& output) {
  fields.Required("type", output.type, "shape", output.shape, "data",
                  Base64Data{output.data});
}

static void Describe(Fields& fields, Sample& sample) {
  using Kind = Sample::Kind;
  fields.Required("case", sample.case_id);
  fields.Optional("setting", sample.setting);
  fields.Required("inputs", sample.inputs);
  if (fields.Has("failed")) sample.kind = Kind::kFailed;
  if (fields.Has("declined")) sample.kind = Kind::kDeclined;
  if (fields.Has("refused")) sample.kind = Kind::kRefused;
  if (sample.kind != Kind::kAnswered) {
    fields.Required(sample.kind == Kind::kDeclined  ? "declined"
                    : sample.kind == Kind::kRefused ? "refused"
                                                    : "failed",
                    sample.words);
  } else if (fields.reads() ? fields.Has("outputs") : sample.outputs.size() != 1) {
    fields.Required("outputs", sample.outputs);
  } else {  // one output has its fields in the sample itself
    if (fields.reads()) sample.outputs.emplace_back();
    Describe(fields, sample.outputs.front());
  }
}

Result<std::vector<PlannedSample>> PlanSamples(const Report& report,
                                               const std::vector<SelectedCell>& cells,
                                               Level level) {
  return Planner(report, cells, level).Plan();
}

std::string InputsDigest(const OpCase& op_case) {
  Sha256 hash;
  for (const Tensor& operand : op_case.operands) {
    hash.Update(std::to_string(static_cast<int>(operand.type)) +
                ShapeToString(operand.shape) + "\n");
    hash.Update(std::span<const std::byte>(operand.data));
  }
  return hash.FinishHex();
}

Result<Sample> TakeSample(Backend& backend, const OpCase& op_case,
                          const CaseAnswer& expected) {
  auto asked = RunModel(backend, op_case);
  if (!asked) return asked.error();
  Sample sample{.case_id = CaseId(op_case.key), .inputs = InputsDigest(op_case)};
  RunResult result = Settled(expected, *std::move(asked));
  const auto told = [&](Sample::Kind kind, const std::string& words) {
    sample.kind = kind;
    sample.words = words.substr(0, kLongestWords);
  };
  if (const auto* unsupported = std::get_if<Unsupported>(&result)) {
    told(Sample::Kind::kDeclined, unsupported->Words());
  } else if (const auto* refused = std::get_if<Refused>(&result)) {
    told(Sample::Kind::kRefused, RefusedWords(*refused));
  } else if (const auto* error = std::get_if<BackendError>(&result)) {
    told(Sample::Kind::kFailed, error->text);
  } else {
    auto& outputs = std::get<Outputs>(result);
    if (const std::string wrong = WrongForm(expected, outputs); !wrong.empty()) {
      told(Sample::Kind::kFailed, wrong);
    } else {
      sample.outputs = std::move(outputs);
    }
  }
  return sample;
}

std::string SamplesText(const std::vector<Sample>& samples) {
  std::string text;
  for (const Sample& sample : samples) text += Dump(ToJson(sample)) + "\n";
  return text;
}

Result<std::vector<Sample>> ParseSamples(std::string_view text, std::string_view name) {
  std::vector<Sample> samples;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    auto sample =
        ParseRecord<Sample>(text.substr(0, end), std::string(name) + ", line " +
                                                     std::to_string(samples.size() + 1));
    if (!sample) return sample.error();
    samples.push_back(*std::move(sample));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return samples;
}

}  // namespace qconform
