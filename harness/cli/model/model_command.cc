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
#include "harness/parts/part.h"
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
};

// Returns the sizes that the flags give; those that they leave open are chosen.
Result<Sizes> SizesOf(const ModelFile& file, const std::vector<std::string>& flags) {
  Sizes sizes;
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
  const auto sizes = SizesOf(*file, flags.sizes);
  if (!sizes) return Fail(sizes.error());
  const PartsOfModel parts = FindParts(*file, *sizes);
  if (!flags.judge.backends.empty()) {
    auto model = PlanParts(*file, parts, *sizes, flags.judge);
    if (!model) return Fail(model.error());
    for (const std::string& size : flags.sizes) {
      model->more_flags += " --size " + ShellWord(size);
    }
    return JudgeParts(*model, flags.judge, command_line);
  }
  if (flags.cells) {
    for (const std::string& id : CellsOfParts(parts)) {
      std::printf("--cells %s\n", id.c_str());
    }
    return ExitCode::kPass;
  }
  const std::string text =
      flags.json ? ListingJson(*file, parts) : ListingText(*file, parts);
  std::fputs(text.c_str(), stdout);
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
  command.Does([flags, command, command_line] {
    if (const Status named = CheckBackendIsNamed(
            command, {"--part", "--cases", "--seed", "--jobs", "--resume", "--fail-fast",
                      "--no-explain", "--name", "--report", "--store", "--verbose",
                      "--quiet", "--no-progress", "--allow-unsupported", "--exit-zero"});
        !named) {
      return Fail(named.error());
    }
    return ListModel(*flags, command_line);
  });
}

}  // namespace qconform
