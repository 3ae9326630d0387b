#include "harness/cli/model/real_values.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "harness/backends/oracle/oracle_backend.h"
#include "harness/backends/registry/hosted_backend.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/print/print.h"
#include "harness/cli/vary/vary.h"
#include "harness/reference_path/first_deviation.h"
#include "harness/reference_path/inputs.h"
#include "harness/reference_path/joined_parts.h"
#include "harness/reference_path/whole_run.h"
#include "harness/runner/vary/minimal_set.h"
#include "oracle/base/stopwatch.h"
#include "oracle/base/text.h"
#include "reports/record/evidence.h"
#include "reports/show/terminal_text.h"

namespace qconform {
namespace {

// How long optimizers that make the difference are looked for.
constexpr double kOptimizerSeconds = 120;

// Who computes the values.
struct Computers {
  std::vector<std::unique_ptr<Backend>> judged;
  std::unique_ptr<Backend> others;  // may be null
  std::string why_no_others;
};

Computers MakeComputers(bool in_process) {
  Computers made;
  // A build without kernels, or a processor without their target, has the oracle.
  if (auto kernels = MakeHostedBackend("simd", {}, {})) {
    made.judged.push_back(*std::move(kernels));
  }
  made.judged.push_back(MakeOracleBackend());
  HostOptions host;
  if (in_process) host.where = HostOptions::Where::kInProcess;
  host.stop = &g_interrupted;
  host.timeout_per_case = std::chrono::minutes(10);
  auto others = MakeHostedBackend("onnxruntime", {{"opt_level", "disable"}}, host);
  if (others) {
    made.others = *std::move(others);
  } else {
    made.why_no_others = others.error().message;
  }
  return made;
}

// Returns how many of the parts get the values, and prints why the first others do not.
int64_t AddToParts(const ModelFile& file, const NamedTensors& values,
                   std::vector<PartQuestion>& parts) {
  constexpr int kMostNotes = 3;
  int64_t got = 0;
  int notes = 0;
  for (PartQuestion& part : parts) {
    // Its own constants it has already.
    const auto& inputs = part.models.front().inputs;
    const bool has_own = std::ranges::all_of(inputs, [&](const ValueInfo& input) {
      return file.FindConstant(input.name) != nullptr;
    });
    const std::string why = has_own ? "" : AddActivations(values, part);
    got += why.empty() ? 1 : 0;
    if (why.empty() || ++notes > kMostNotes) continue;
    Print("note: part %s is asked no real values: %s\n", part.part.name.c_str(),
          why.c_str());
  }
  return got;
}

Result<ReferenceValues> Compute(const ModelFile& file, const NamedTensors& inputs,
                                ValueNames wanted, bool in_process) {
  const Computers computers = MakeComputers(in_process);
  ReferencePath path{{}, computers.others.get()};
  for (const auto& backend : computers.judged) path.judged.push_back(backend.get());
  wanted.insert(file.outputs().begin(), file.outputs().end());
  auto values = EvaluateModel(file, path, inputs, wanted);
  if (!values) return values.error();
  for (const StoppedNode& node : values->stopped) {
    Print("note: the reference path stopped: %s\n", node.Words().c_str());
  }
  if (!values->stopped.empty() && !computers.why_no_others.empty()) {
    Print("note: it has no ONNX Runtime: %s\n", computers.why_no_others.c_str());
  }
  return values;
}

// Returns the parts that are asked together with their neighbours. Those that cannot be
// are left out: they are asked alone.
std::vector<PartQuestion> JoinedParts(const ModelFile& file, const PartsToAsk& all,
                                      const std::vector<PartQuestion>& parts) {
  std::vector<PartQuestion> joined;
  for (const PartQuestion& alone : parts) {
    const Part& part = all.parts.parts[static_cast<size_t>(alone.part.position)];
    const auto wider = JoinedWithNeighbours(file, part);
    if (!wider) continue;
    auto model = CutOut(file, *wider, all.sizes);
    if (!model) continue;
    PartRecord record = alone.part;
    record.name += " with the nodes next to it";
    record.position += static_cast<int64_t>(all.parts.parts.size());
    record.graph = wider->graph;
    auto question = MakePartQuestion(std::move(record), std::nullopt, wider->granularity,
                                     *std::move(model));
    if (!question) continue;
    question->asked_with = alone.part.name;
    joined.push_back(*std::move(question));
  }
  return joined;
}

// Looks for the optimizers without which the whole model agrees. Returns a sentence, or
// "" if the backend has none that can be switched off.
Result<std::string> OptimizersWords(const RealValues& real, const BackendFlags& flags,
                                    const std::atomic<bool>& stop) {
  auto varied = MakeVariedBackend(flags, {}, 0, &stop);
  if (!varied) return varied.error();
  OptimizerSwitches* optimizers =
      varied->variations.empty() ? nullptr : varied->variations.front().optimizers;
  if (optimizers == nullptr) return std::string();
  const auto names = optimizers->AllNames();
  if (!names) {
    return "The optimizers that may make the difference are not known: " +
           names.error().message + ".";
  }
  const Stopwatch watch;
  bool is_late = false;
  const auto passes = [&](const Names& off) -> Result<bool> {
    is_late = watch.seconds() > kOptimizerSeconds;
    if (is_late || stop) return Error{"it takes too long"};
    const auto backend = optimizers->Without(off);
    if (!backend) return backend.error();
    const auto run = CompareWholeRun(**backend, *real.file, real.inputs, real.values);
    if (!run) return run.error();
    return run->outcome == WholeRun::Outcome::kSame;
  };
  const auto found = FindMinimalSet(*names, optimizers->alone(), passes);
  if (!found) {
    return "The optimizers that may make the difference were not found: " +
           found.error().message + ".";
  }
  if (!*found) {
    return std::string(
        "Without all of the library's optimizers that can be switched off it differs "
        "too.");
  }
  return "Without the optimizer" + std::string((*found)->size() == 1 ? " " : "s ") +
         Joined(**found, ", ") +
         " (--backend-option optimization.disable_specified_optimizers=" +
         Joined(**found, ";") + ") the outputs have the bits of the composition.";
}

}  // namespace

void AddRealValuesFlags(Command& command, RealValuesFlags& flags) {
  command.Group("What is judged");
  command
      .Add("--inputs", flags.inputs,
           "Run the model on the inputs in this folder (NAME.npy, NAME.pb or the "
           "input_I.pb of a node test), ask each part the values that it then reads "
           "too, and compare the whole model on the backend with its composition")
      .Type("DIR");
  command
      .Add("--activations", flags.activations,
           "Ask the parts the recorded values in this folder too: NAME.npy or NAME.pb "
           "for each value that a part reads, with _ for characters that file names do "
           "not have")
      .Type("DIR");
}

std::string FlagsOf(const RealValuesFlags& flags) {
  std::string text;
  if (!flags.inputs.empty()) text += " --inputs " + ShellWord(flags.inputs);
  if (!flags.activations.empty()) {
    text += " --activations " + ShellWord(flags.activations);
  }
  return text;
}

Result<NamedTensors> ReadRealInputs(const ModelFile& file, const RealValuesFlags& flags) {
  if (flags.inputs.empty()) return NamedTensors();
  return ReadInputs(file, flags.inputs);
}

Result<RealValues> FindRealValues(const ModelFile& file, const RealValuesFlags& flags,
                                  NamedTensors inputs, const PartsToAsk& all,
                                  std::vector<PartQuestion>& parts) {
  RealValues real;
  real.file = &file;
  real.inputs = std::move(inputs);
  const auto count = static_cast<int64_t>(parts.size());
  if (!flags.activations.empty()) {
    const auto recorded =
        ReadActivations(file, ValuesThatAreRead(parts), flags.activations);
    if (!recorded) return recorded.error();
    const int64_t got = AddToParts(file, *recorded, parts);
    Print("activations %s: %lld of %s\n", flags.activations.c_str(),
          static_cast<long long>(got), Plural(count, "part").c_str());
  }
  if (flags.inputs.empty()) return real;
  real.joined = JoinedParts(file, all, parts);
  ValueNames wanted = ValuesThatAreRead(parts);
  wanted.merge(ValuesThatAreRead(real.joined));
  auto values = Compute(file, real.inputs, std::move(wanted), all.in_process);
  if (!values) return values.error();
  real.values = *std::move(values);
  NamedTensors known = real.inputs;
  known.insert(real.values.values.begin(), real.values.values.end());
  for (PartQuestion& joined : real.joined) AddActivations(known, joined);
  const int64_t got = AddToParts(file, known, parts);
  Print("inputs %s: %lld of %s get the values of this run\n", flags.inputs.c_str(),
        static_cast<long long>(got), Plural(count, "part").c_str());
  return real;
}

Result<WholeComparison> CompareWhole(Backend& backend, const RealValues& real,
                                     const PartRequest& request,
                                     const BackendFlags& flags,
                                     const std::atomic<bool>& stop) {
  const auto run = CompareWholeRun(backend, *real.file, real.inputs, real.values);
  if (!run) return run.error();
  std::optional<PathWalk> walk;
  std::optional<PathWalk> joined;
  if (run->outcome == WholeRun::Outcome::kDiffers) {
    PartRequest alone = request;
    alone.keep_smallest = nullptr;  // it was kept when the part was judged
    walk = WalkParts(backend, std::move(alone), stop);
  }
  const bool is_open = walk && !walk->first && !stop;
  if (is_open) {
    PartRequest wider = request;
    wider.parts = All(real.joined);
    wider.keep_smallest = nullptr;
    joined = WalkParts(backend, wider, stop);
    if (joined && joined->first) {
      // All cases give more evidence than the real values alone.
      const int64_t position = joined->first->part->position;
      std::erase_if(wider.parts, [&](const PartQuestion* part) {
        return part->part.position != position;
      });
      wider.keep_smallest = request.keep_smallest;
      RunParts(
          backend, wider, [&](CellRecord record) { joined->first = std::move(record); },
          stop);
    }
  }
  if (is_open && !joined) walk.reset();  // interrupted: nothing is concluded
  WholeComparison whole{Explain(*run, walk, joined, real.values, backend.info().name)};
  if (joined) whole.joined = std::move(joined->first);
  if (is_open && !stop) {
    const auto more = OptimizersWords(real, flags, stop);
    if (!more) return more.error();
    if (!more->empty()) whole.words += "\n" + *more;
  }
  return whole;
}

}  // namespace qconform
