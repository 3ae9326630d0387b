// qconform model: the quantized parts of a model, listed or judged.
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cases/model/model_file.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/model/judge_parts.h"
#include "harness/cli/model/listing.h"
#include "harness/cli/model/real_values.h"
#include "harness/cli/print/print.h"
#include "harness/parts/part.h"
#include "harness/reference_path/inputs.h"
#include "oracle/base/expected.h"
#include "oracle/base/text.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

struct ModelFlags {
  std::string file;
  std::vector<std::string> sizes;
  bool cells = false;
  bool json = false;
  JudgeFlags judge;
  RealValuesFlags real;
};

// Returns the sizes that the flags and the inputs give; those that they leave open are
// chosen.
Result<Sizes> ChosenSizes(const ModelFile& file, const std::vector<std::string>& flags,
                          const NamedTensors& inputs) {
  auto given = SizesOf(file, inputs);
  if (!given) return given.error();
  Sizes sizes = *std::move(given);
  bool has_other = false;
  for (const std::string& flag : flags) {
    const size_t equals = flag.rfind('=');
    const std::string name = equals == std::string::npos ? "" : flag.substr(0, equals);
    const auto size = ParseNumber<int64_t>(
        std::string_view(flag).substr(equals == std::string::npos ? 0 : equals + 1));
    constexpr int64_t kMost = int64_t{1} << 31;
    if (!size || *size < 1 || *size > kMost || equals == 0) {
      return Expected("--size", "NAME=N or N, with N from 1 to 2147483648",
                      "'" + flag + "'");
    }
    if (equals == std::string::npos) {
      sizes.other = *size;
      has_other = true;
    } else {
      const auto [known, added] = sizes.named.emplace(name, *size);
      if (!added && known->second != *size) {
        return Expected("--size " + name,
                        std::to_string(known->second) + ", as before or in the inputs",
                        std::to_string(*size));
      }
    }
  }
  return has_other ? sizes : file.ChooseSizes(std::move(sizes.named));
}

ExitCode JudgeModel(const ModelFile& file, const PartsOfModel& parts, const Sizes& sizes,
                    const ModelFlags& flags, NamedTensors inputs,
                    const std::vector<std::string>& command_line) {
  auto model = PlanParts(file, parts, sizes, flags.judge);
  if (!model) return Fail(model.error());
  if (!flags.real.inputs.empty()) {
    model->real_flags += "--inputs " + ShellWord(flags.real.inputs);
  }
  if (!flags.real.activations.empty()) {
    model->real_flags += model->real_flags.empty() ? "" : " ";
    model->real_flags += "--activations " + ShellWord(flags.real.activations);
  }
  if (!model->real_flags.empty()) {
    auto real = FindRealValues(file, flags.real, std::move(inputs), model->parts);
    if (!real) return Fail(real.error());
    model->real = *std::move(real);
  }
  return JudgeParts(*model, flags.judge, command_line);
}

ExitCode ListOrJudge(const ModelFlags& flags,
                     const std::vector<std::string>& command_line) {
  if (flags.cells && flags.json) {
    return Fail(Expected("model", "one of --cells and --json", "both"));
  }
  const bool judges = !flags.judge.backends.empty();
  if (judges && (flags.cells || flags.json)) {
    return Fail(Expected(flags.cells ? "--cells" : "--json", "no --backend", "both"));
  }
  const auto file = ModelFile::Open(flags.file);
  if (!file) return Fail(file.error());
  auto inputs = ReadRealInputs(*file, flags.real);
  if (!inputs) return Fail(inputs.error());
  const auto sizes = ChosenSizes(*file, flags.sizes, *inputs);
  if (!sizes) return Fail(sizes.error());
  const PartsOfModel parts = FindParts(*file, *sizes);
  if (judges) {
    return JudgeModel(*file, parts, *sizes, flags, *std::move(inputs), command_line);
  }
  if (flags.cells) {
    for (const std::string& id : CellsOfParts(parts)) {
      Print("--cells %s\n", id.c_str());
    }
    return ExitCode::kPass;
  }
  const std::string text =
      flags.json ? ListingJson(*file, parts) : ListingText(*file, parts);
  PrintDocument(text);
  return ExitCode::kPass;
}

}  // namespace

void AddModelCommand(Command& program, const std::vector<std::string>& command_line) {
  Command command = program.AddCommand(
      "model", "List the quantized parts of a model, or judge them on a backend");
  command.Footer(
      "Exit codes: without --backend 0 success, 2 bad usage or input; with it those of "
      "'run'.");
  command.Example("qconform model FILE.onnx",
                  "Which parts the model has, which cells they belong to");
  command.Example("qconform run $(qconform model FILE.onnx --cells)",
                  "Judge the cells that the model uses, with qconform's own cases");
  command.Example("qconform model FILE.onnx --backend onnxruntime --inputs DIR",
                  "Judge each part on ONNX Runtime, with directed and real inputs");
  const auto flags = std::make_shared<ModelFlags>();
  command.Add("file", flags->file, "The model; its external data lies below its folder")
      .Reads()
      .Required();
  command
      .Add("--size", flags->sizes,
           "The size of the dimensions with this name, or of all others that the "
           "model leaves open (repeatable)")
      .Type("[NAME=]N");
  command.AddSwitch("--cells", flags->cells,
                    "Print the cells of the parts as flags of 'run'");
  command.AddSwitch("--json", flags->json, "Print the parts as JSON");
  AddJudgeFlags(command, flags->judge);
  AddRealValuesFlags(command, flags->real);
  command.Does([command, flags, command_line]() -> ExitCode {
    const Status named = CheckBackendIsNamed(
        command, {"--inputs", "--activations", "--part", "--cases", "--store"});
    if (!named) return Fail(named.error());
    return ListOrJudge(*flags, command_line);
  });
}

}  // namespace qconform
