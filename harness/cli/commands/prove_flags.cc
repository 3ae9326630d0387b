#include "harness/cli/commands/prove_flags.h"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <tuple>

#include "cases/lattice/lattice.h"
#include "harness/cli/operand_text.h"
#include "harness/cli/shard.h"
#include "harness/sweep/readings.h"
#include "oracle/formats/number_format.h"

namespace qconform {

void AddTypeFlags(Command& command, ProveFlags& flags, bool required) {
  Flag types = command.Add("types", flags.types, "Types of x, y_scale and y");
  types.Type("X-SCALE-Y");
  if (required) {
    types.Required();
  } else {
    types.ShowDefault();
  }
  command.Add("--zero-point", flags.zero_point,
              "A value of y's type, or 0x and its code; absent: no y_zero_point");
  command.Add("--saturate", flags.saturate, "The attribute, of float8 types")
      .Between(0, 1)
      .ShowDefault();
  command.Add("--precision", flags.precision, "The attribute, as a type's name");
  command.Add("--since-version", flags.since_version,
              "Of QuantizeLinear; the newest where it is not given");
}

void AddSweepFlags(Command& command, ProveFlags& flags) {
  AddBackendFlags(command, flags.backend);
  command.AddSwitch("--as-tensors", flags.as_tensors,
                    "Run whole models on simd too, not its inner function");
  AddJobsFlag(command, flags.jobs, "Chunks done at the same time");
  Flag chunks = command.Add("--chunks", flags.chunks, "Only these numbered chunks");
  chunks.Type("N|FIRST-LAST");
  command
      .Add("--shard", flags.shard,
           "Only part I, from 0, of N parts of the chunks; also by TEST_SHARD_INDEX, "
           "GTEST_SHARD_INDEX and SLURM_ARRAY_TASK_ID")
      .Type("I/N")
      .Excludes(chunks);
  command
      .Add("--reading", flags.reading,
           "Judge by a reading of the open clauses, such as QL-04:f32_quotient")
      .Type("NAME");
  command.Add("--report", flags.report, "Write the proof as JSON").Type("FILE");
  command
      .Add("--journal", flags.journal,
           "Where finished chunks are kept; with --report: FILE.journal")
      .Type("FILE");
  command.AddSwitch("--resume", flags.resume,
                    "Do only the chunks that the journal does not have");
  command
      .Add("--counterexample", flags.counterexample,
           "Where the first mismatch goes, as a case to replay")
      .Type("FILE")
      .ShowDefault();
  command.AddSwitch("--no-progress", flags.no_progress, "No progress bar");
}

namespace {

Status CheckSinceVersion(int since_version) {
  std::string known;
  for (const auto& version : SinceVersions("QuantizeLinear")) {
    if (version.since_version == since_version) return Ok();
    known += (known.empty() ? "" : ", ") + std::to_string(version.since_version);
  }
  return Error{"--since-version " + std::to_string(since_version) +
               ": QuantizeLinear has no such version; it has " + known};
}

Status ReadChunks(const std::string& text, SweepOptions& options) {
  int64_t first = 0;
  const char* end = text.data() + text.size();
  auto [stopped, error] = std::from_chars(text.data(), end, first);
  int64_t last = first;
  if (error == std::errc() && stopped != end && *stopped == '-') {
    const auto second = std::from_chars(stopped + 1, end, last);
    stopped = second.ptr;
    error = second.ec;
  }
  if (error != std::errc() || stopped != end || first < 0 || last < first) {
    return Error{"--chunks '" + text + "' is not of the form N or FIRST-LAST"};
  }
  options.first = first;
  options.last = last + 1;
  return Ok();
}

// The reading of that name, of a question's.
template <typename Reading>
Result<Reading> FindReading(const std::vector<Reading>& readings,
                            const std::string& name) {
  std::string known;
  for (const Reading& reading : readings) {
    if (reading.name == name) return reading;
    known += (known.empty() ? "" : ", ") + reading.name;
  }
  return Error{"--reading '" + name + "': " +
               (known.empty() ? "this question has no reading but the canonical one"
                              : "of this question's, " + known + " is right")};
}

}  // namespace

Result<QuantizeLinearLine> LineOf(const ProveFlags& flags) {
  QuantizeLinearLine line;
  const auto versions = SinceVersions("QuantizeLinear");
  line.since_version =
      flags.since_version == 0 ? versions.back().since_version : flags.since_version;
  if (const Status status = CheckSinceVersion(line.since_version); !status) {
    return status.error();
  }
  std::vector<DataType> types;
  std::string rest = flags.types + "-";
  for (size_t at; (at = rest.find('-')) != std::string::npos; rest.erase(0, at + 1)) {
    types.push_back(ParseDataType(rest.substr(0, at)).value_or(DataType::kUndefined));
  }
  const std::vector<Cell> cells = CellsOf("QuantizeLinear");
  const bool known = std::any_of(cells.begin(), cells.end(), [&](const Cell& cell) {
    return cell.types == types && cell.since_version == line.since_version;
  });
  if (!known) {
    return Error{"types '" + flags.types + "': QuantizeLinear of since_version " +
                 std::to_string(line.since_version) +
                 " has none such; X-SCALE-Y as in FLOAT-FLOAT-UINT8 is right, "
                 "'qconform list cells --ids' prints them"};
  }
  line.x = types[0];
  line.y_scale = types[1];
  line.y = types[2];
  line.saturate = flags.saturate;
  if (line.saturate != 1 && !IsFloat8(line.y)) {
    return Error{"--saturate " + std::to_string(line.saturate) + ": y has type " +
                 std::string(DataTypeName(line.y)) + "; only float8 types have it"};
  }
  if (!flags.precision.empty()) {
    const auto precision = ParseDataType(flags.precision);
    using enum DataType;
    if (precision != kFloat && precision != kFloat16 && precision != kBfloat16 &&
        precision != kDouble) {
      return Error{"--precision '" + flags.precision +
                   "': FLOAT, FLOAT16, BFLOAT16 or DOUBLE is right"};
    }
    if (line.since_version < 23) {
      return Error{"--precision: QuantizeLinear has it since version 23"};
    }
    line.precision = static_cast<int64_t>(*precision);
  }
  if (!flags.zero_point.empty()) {
    const auto code = ParseOperand(line.y, flags.zero_point, "--zero-point");
    if (!code) return code.error();
    line.zero_point = *code;
  }
  if (!flags.scale.empty()) {
    const auto code = ParseOperand(line.y_scale, flags.scale, "--scale");
    if (!code) return code.error();
    line.scale = *code;
  }
  if (!flags.reading.empty()) {
    auto found = FindReading(OtherReadings(line), flags.reading);
    if (!found) return found.error();
    line = found->line;
  }
  return line;
}

Result<QLinearMatMulSums> SumsOf(const ProveFlags& flags) {
  QLinearMatMulSums sums;
  const auto y = ParseDataType(flags.y);
  if (!y || (*y != DataType::kUint8 && *y != DataType::kInt8 && !IsFloat8(*y))) {
    return Error{"--y '" + flags.y + "': UINT8, INT8 or a float8 type is right"};
  }
  sums.y = *y;
  for (const auto& [text, code, name] :
       {std::tuple(&flags.a_scale, &sums.a_scale, "--a-scale"),
        std::tuple(&flags.b_scale, &sums.b_scale, "--b-scale"),
        std::tuple(&flags.y_scale, &sums.y_scale, "--y-scale")}) {
    const auto parsed = ParseOperand(sums.scale, *text, name);
    if (!parsed) return parsed.error();
    *code = *parsed;
  }
  if (!flags.zero_point.empty()) {
    const auto parsed = ParseOperand(sums.y, flags.zero_point, "--zero-point");
    if (!parsed) return parsed.error();
    sums.y_zero_point = *parsed;
  }
  if (!flags.reading.empty()) {
    auto found = FindReading(OtherReadings(sums), flags.reading);
    if (!found) return found.error();
    sums = found->sums;
  }
  return sums;
}

Status ChooseChunks(const ProveFlags& flags, int64_t chunks, SweepOptions& options) {
  if (!flags.chunks.empty()) return ReadChunks(flags.chunks, options);
  const auto shard =
      ChooseShard(flags.shard, [](const char* name) { return getenv(name); });
  if (!shard) return shard.error();
  if (*shard) {
    if (const Status told = TouchStatusFile(**shard); !told) return told.error();
    options.first = chunks * (*shard)->index / (*shard)->count;
    options.last = chunks * ((*shard)->index + 1) / (*shard)->count;
  }
  return Ok();
}

}  // namespace qconform
