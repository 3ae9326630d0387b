#include "harness/certificate/samples.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "harness/backends/run_model.h"
#include "harness/certificate/base64.h"
#include "harness/compare/compare.h"
#include "harness/core/oracle_model.h"
#include "oracle/base/expected.h"
#include "oracle/base/json.h"
#include "oracle/base/sha256.h"

namespace qconform {
namespace {

constexpr size_t kLongestWords = 1000;

// Whether the generator's questions are aimed at the tier of G-02: "degenerate" at
// degenerate_scale, "overflow" at accumulator_overflow.
bool IsAimedAt(Tier tier, std::string_view generator) {
  const std::string_view name = TierName(tier);
  return name.starts_with(generator) || name.ends_with(generator);
}

// What a cell has a sample of each: operand forms, and contested tiers.
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

// The cases of one cell in an order that nobody chose.
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
      for (const Counterexample& example : report_.cells[row].counterexamples) {
        const auto key = ParseCaseId(example.case_id);
        if (!key) return key.error();
        const Result<bool> taken = Take(row, *key);
        if (!taken) return taken.error();
      }
    }
    const auto strata = Strata();
    for (size_t row = 0; row < cells_.size(); ++row) {
      if (!IsOfBackend(report_.cells[row].verdict)) continue;
      const std::vector<CaseKey> keys =
          Shuffled(cells_[row], report_.cells[row], level_, report_.results_digest);
      for (const auto& wanted : strata) {
        for (const CaseKey& key : keys) {
          if (!wanted(key)) continue;
          const Result<bool> taken = Take(row, key);
          if (!taken) return taken.error();
          if (*taken) break;
        }
      }
    }
    std::vector<PlannedSample> plan;
    for (auto& [place, key] : chosen_) plan.push_back({std::move(key), place.first});
    return plan;
  }

 private:
  // False where the output is too large; one that is chosen already counts.
  Result<bool> Take(size_t row, const CaseKey& key) {
    const std::pair place{row, CaseId(key)};
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
  std::map<std::pair<size_t, std::string>, CaseKey> chosen_;  // row, id
};

std::string BytesOf(const Tensor& tensor) {
  std::string bytes(tensor.data.size(), '\0');
  if (!bytes.empty()) std::memcpy(bytes.data(), tensor.data.data(), bytes.size());
  return bytes;
}

// A sample of one output has its fields itself, one of several an array of them.
void SetOutput(const Tensor& output, Json& json) {
  json["type"] = DataTypeName(output.type);
  json["shape"] = output.shape;
  json["data"] = Base64(BytesOf(output));
}

std::optional<Tensor> OutputIn(const Json& json) {
  const Json& type = json["type"];
  const Json& data = json["data"];
  const Json& shape = json["shape"];
  const auto bytes = data.is_string() ? FromBase64(data.text()) : std::nullopt;
  const auto parsed = type.is_string() ? ParseDataType(type.text()) : std::nullopt;
  const bool has_shape =
      shape.is_array() &&
      std::all_of(shape.begin(), shape.end(),
                  [](const Json& dimension) { return dimension.is_number_integer(); });
  if (!bytes || !parsed || !has_shape) return std::nullopt;
  Tensor output{*parsed, shape.get<Shape>(), std::vector<std::byte>(bytes->size())};
  if (!bytes->empty()) std::memcpy(output.data.data(), bytes->data(), bytes->size());
  return output;
}

// Reads one line; `place` is for errors.
Result<Sample> ParseSample(std::string_view line, const std::string& place) {
  const Json json = ParseJsonOrNull(line);
  const auto text = [&](const char* key) -> const std::string* {
    const Json& found = json[key];
    return found.is_string() ? &found.text() : nullptr;
  };
  if (!json.is_object() || text("case") == nullptr || text("inputs") == nullptr) {
    return Expected(place, "an object with \"case\" and \"inputs\"", "something else");
  }
  Sample sample{.case_id = *text("case"), .inputs = *text("inputs")};
  if (const std::string* words = text("declined")) {
    sample.kind = Sample::Kind::kDeclined;
    sample.words = *words;
    return sample;
  }
  if (const std::string* words = text("failed")) {
    sample.kind = Sample::Kind::kFailed;
    sample.words = *words;
    return sample;
  }
  const Json& several = json["outputs"];
  const std::vector<Json> outputs =
      several.is_array() ? std::vector<Json>(several.begin(), several.end())
                         : std::vector<Json>{json};
  for (const Json& one : outputs) {
    auto output = OutputIn(one);
    if (!output) {
      return Expected(place, "an output with \"type\", \"shape\" and \"data\" in base64",
                      "something else");
    }
    sample.outputs.push_back(*std::move(output));
  }
  return sample;
}

}  // namespace

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

Result<CaseAnswer> AnswerOf(const OpCase& op_case) {
  const auto oracle = OracleModel::Create(op_case.model);
  if (!oracle) return oracle.error();
  return oracle->Evaluate(ViewsOf(op_case.inputs));
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
    told(Sample::Kind::kDeclined, "refused as invalid: " + refused->reason);
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
  for (const Sample& sample : samples) {
    Json line = Json::object();
    line["case"] = sample.case_id;
    line["inputs"] = sample.inputs;
    switch (sample.kind) {
      case Sample::Kind::kAnswered:
        if (sample.outputs.size() == 1) {
          SetOutput(sample.outputs.front(), line);
          break;
        }
        line["outputs"] = Json::array();
        for (const Tensor& output : sample.outputs) {
          Json one = Json::object();
          SetOutput(output, one);
          line["outputs"].push_back(std::move(one));
        }
        break;
      case Sample::Kind::kDeclined:
        line["declined"] = sample.words;
        break;
      case Sample::Kind::kFailed:
        line["failed"] = sample.words;
        break;
    }
    text += Dump(line) + "\n";
  }
  return text;
}

Result<std::vector<Sample>> ParseSamples(std::string_view text, std::string_view name) {
  std::vector<Sample> samples;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    auto sample =
        ParseSample(text.substr(0, end),
                    std::string(name) + ", line " + std::to_string(samples.size() + 1));
    if (!sample) return sample.error();
    samples.push_back(*std::move(sample));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return samples;
}

}  // namespace qconform
