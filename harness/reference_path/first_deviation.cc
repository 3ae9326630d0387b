#include "harness/reference_path/first_deviation.h"

#include <algorithm>
#include <utility>

#include "cases/model/carried_type.h"
#include "cases/model/text.h"
#include "harness/reference_path/inputs.h"
#include "oracle/base/expected.h"
#include "reports/record/verdict.h"

namespace qconform {
namespace {

std::string Counted(size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// Whether the backend answered none of the part's activations.
bool IsDeclined(Verdict verdict) {
  return verdict == Verdict::kUnsupported || verdict == Verdict::kRefusedLegal;
}

// Returns "'fc1' (nonconformant, sum_wraps)", with the backend's words if it failed.
std::string VerdictWords(const CellRecord& record) {
  std::string text = Quoted(record.part ? record.part->name : record.cell) + " (" +
                     std::string(VerdictName(record.verdict));
  if (!record.diagnosis.empty()) text += ", " + record.diagnosis;
  text += ")";
  if (!record.reason.empty()) text += ": " + record.reason;
  return text;
}

// Returns why the outputs differ if no part deviates alone.
std::string JoinedWords(const std::optional<PathWalk>& joined) {
  if (joined && joined->first) {
    return "The first that deviates together with the nodes next to it, which quantize "
           "its inputs or dequantize its outputs, is " +
           VerdictWords(*joined->first) + ".";
  }
  std::string text =
      "The difference comes from how the backend joins parts, or from "
      "nodes between them, which are not judged";
  if (joined && joined->asked > 0) {
    text += "; no part deviates with the nodes next to it either (" +
            Counted(joined->asked, "part") + " asked)";
  }
  return text + ".";
}

// Returns which parts the walk says nothing about.
std::string GapWords(const PathWalk& walk) {
  std::string text;
  if (walk.declined > 0) {
    text += " The backend declined " + Counted(walk.declined, "part") + ".";
  }
  if (walk.not_asked > 0) {
    text += " " + Counted(walk.not_asked, "part") +
            " could not be asked, because the values that they read are not known.";
  }
  return text;
}

}  // namespace

ValueNames ValuesThatAreRead(const std::vector<PartQuestion>& parts) {
  ValueNames names;
  for (const PartQuestion& part : parts) {
    for (const ValueInfo& input : part.models.front().inputs) names.insert(input.name);
  }
  return names;
}

std::string AddActivations(const NamedTensors& values, PartQuestion& part) {
  std::vector<Tensor> inputs;
  for (const ValueInfo& input : part.models.front().inputs) {
    const auto found = values.find(input.name);
    const std::string what = "value " + Quoted(input.name);
    if (found == values.end()) return what + " is not known";
    const Tensor& value = found->second;
    bool fits = value.type == input.type && value.shape.size() == input.shape.size();
    for (size_t axis = 0; fits && axis < value.shape.size(); ++axis) {
      fits = input.shape[axis] <= value.shape[axis];
    }
    if (!fits) {
      return Expected(what,
                      CarriedTypeName(input.type) + " " + ShapeToString(input.shape),
                      CarriedTypeName(value.type) + " " + ShapeToString(value.shape))
          .message;
    }
    inputs.push_back(CroppedTo(value, input.shape));
  }
  part.activations.push_back(std::move(inputs));
  return "";
}

Result<bool> AddOwnConstants(const ModelFile& file, PartQuestion& part) {
  NamedTensors constants;
  for (const ValueInfo& input : part.models.front().inputs) {
    if (file.FindConstant(input.name) == nullptr) return false;
  }
  for (const ValueInfo& input : part.models.front().inputs) {
    auto constant = file.LoadConstant(input.name);
    if (!constant) return constant.error();
    constants.emplace(input.name, *std::move(constant));
  }
  return !constants.empty() && AddActivations(constants, part).empty();
}

std::optional<PathWalk> WalkParts(Backend& backend, PartRequest request,
                                  const std::atomic<bool>& stop) {
  PathWalk walk;
  const size_t all = request.parts.size();
  std::erase_if(request.parts,
                [](const PartQuestion* part) { return part->activations.empty(); });
  walk.asked = request.parts.size();
  walk.not_asked = all - walk.asked;
  request.directed = 0;
  request.random = 0;
  const auto take = [&walk](CellRecord record) {
    if (IsDeclined(record.verdict)) ++walk.declined;
    if (!IsDeviation(record.verdict) || !record.part) return;
    if (!walk.first || record.part->position < walk.first->part->position) {
      walk.first = std::move(record);
    }
  };
  if (!RunParts(backend, request, take, stop)) return std::nullopt;
  return walk;
}

std::string Explain(const WholeRun& run, const std::optional<PathWalk>& walk,
                    const std::optional<PathWalk>& joined, const ReferenceValues& values,
                    const std::string& backend) {
  using Outcome = WholeRun::Outcome;
  std::string text;
  switch (run.outcome) {
    case Outcome::kNothing:
      return "The whole model on " + backend + ": nothing is left to compare, because " +
             run.reason + ".";
    case Outcome::kNotRun:
      return "The whole model was not run on " + backend + ": " + run.reason;
    case Outcome::kSame:
      text = "The whole model on " + backend +
             ": its outputs have the bits of the composition.";
      break;
    case Outcome::kDiffers:
      text = "The whole model on " + backend + " differs from the composition:";
      for (const OutputDifference& difference : run.differences) {
        text += "\n  output " + Quoted(difference.name) + ": " + difference.text;
      }
      break;
  }
  if (!values.stopped.empty()) {
    text += "\nThe composition is not complete: " + values.stopped.front().Words() + ".";
  }
  if (!walk) return text;
  if (walk->first) {
    text +=
        "\nThe first part in the order of the graph that deviates on its right "
        "inputs is " +
        VerdictWords(*walk->first) + ".";
  } else if (walk->asked > walk->declined) {
    text += "\nNo part deviates alone on its right inputs (" +
            Counted(walk->asked - walk->declined, "part") + " asked). " +
            JoinedWords(joined);
  } else {
    text += "\nNo part could be asked its right inputs.";
  }
  return text + GapWords(*walk);
}

}  // namespace qconform
