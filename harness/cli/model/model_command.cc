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
      const auto input = sizes.named.find(name);
      if (!inputs.empty() && input != sizes.named.end() && input->second != *size) {
        return Expected("--size " + name,
                        std::to_string(input->second) + " as in --inputs",
                        std::to_string(*size));
      }
      sizes.named[name] = *size;
    }
  }
  return has_other ? sizes : file.ChooseSizes(std::move(sizes.named));
}

ExitCode ListModel(const ModelFlags& flags,
                   const std::vector<std::string>& command_line) {
  if (flags.cells && flags.json) {
    return Fail(Expected("model", "one of --cells and --json", "both"));
  }
  const auto file = ModelFile::Open(flags.file);
  if (!file) return Fail(file.error());
  auto inputs = ReadRealInputs(*file, flags.real);
  if (!inputs) return Fail(inputs.error());
  const auto sizes = ChosenSizes(*file, flags.sizes, *inputs);
  if (!sizes) return Fail(sizes.error());
  const PartsOfModel parts = FindParts(*file, *sizes);
  if (!flags.judge.backends.empty()) {
    auto model = PlanParts(*file, parts, *sizes, flags.judge);
    if (!model) return Fail(model.error());
    for (const std::string& size : flags.sizes) {
      model->more_flags += " --size " + ShellWord(size);
    }
    model->more_flags += FlagsOf(flags.real);
    if (!FlagsOf(flags.real).empty()) {
      auto real =
          FindRealValues(*file, flags.real, *std::move(inputs),
                         {parts, *sizes, flags.judge.backend.in_process}, model->parts);
      if (!real) return Fail(real.error());
      model->real = *std::move(real);
    }
    return JudgeParts(*model, flags.judge, command_line);
  }
  if (flags.cells) {
    for (const std::string& id : CellsOfParts(parts)) {
      Print("--cells %s\n", id.c_str());
    }
    return ExitCode::kPass;
  }
  if (flags.json) {
    PrintDocument(ListingJson(*file, parts));
  } else {
    PrintLines(ListingText(*file, parts));
  }
  return ExitCode::kPass;
}

}  // namespace

void AddModelCommand(Command& program, const std::vector<std::string>& command_line) {
  Command command = program.AddCommand(
      "model",
      "List the quantized parts of a model, or judge them on backends.\n"
      "A part is a quantized node, or a small graph of a float node with the nodes that\n"
      "dequantize its inputs and quantize its output. It is asked directed and random\n"
      "inputs for its own constants, attributes and shapes.");
  command.Example("qconform model FILE.onnx",
                  "Which parts the model has, which cells they belong to");
  command.Example("qconform run $(qconform model FILE.onnx --cells)",
                  "Judge the cells that the model uses, with qconform's own cases");
  command.Example("qconform model FILE.onnx --backend onnxruntime --store smallest",
                  "Judge the model's own parts, and keep a small case of each deviation");
  command.Example("qconform model FILE.onnx --backend onnxruntime --backend simd",
                  "Show two backends side by side");
  command.Example(
      "qconform model FILE.onnx --backend onnxruntime --inputs DIR",
      "Ask the parts the values of a real run too, and compare the whole model");
  const auto flags = std::make_shared<ModelFlags>();
  command.Add("file", flags->file, "The model; its external data lies below its folder")
      .Reads()
      .Required();
  command
      .Add("--size", flags->sizes,
           "The size of the dimensions with this name, or of all others that the "
           "model leaves open (repeatable)")
      .Type("[NAME=]N");
  const Flag cells = command.AddSwitch("--cells", flags->cells,
                                       "Print the cells of the parts as flags of 'run'");
  const Flag json = command.AddSwitch("--json", flags->json, "Print the parts as JSON");
  AddJudgeFlags(command, flags->judge).Excludes(cells).Excludes(json);
  AddRealValuesFlags(command, flags->real);
  command.Does([flags, command, command_line] {
    if (const Status named = CheckBackendIsNamed(command, {"--inputs",
                                                           "--activations",
                                                           "--part",
                                                           "--cases",
                                                           "--seed",
                                                           "--jobs",
                                                           "--shard",
                                                           "--resume",
                                                           "--fail-fast",
                                                           "--explain",
                                                           "--no-explain",
                                                           "--name",
                                                           "--report",
                                                           "--store",
                                                           "--verbose",
                                                           "--quiet",
                                                           "--no-progress",
                                                           "--known",
                                                           "--allow-unsupported",
                                                           "--exit-zero"});
        !named) {
      return Fail(named.error());
    }
    return ListModel(*flags, command_line);
  });
}

}  // namespace qconform
