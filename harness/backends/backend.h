// The interface between the harness and an implementation under test.
//
// A backend prepares a model once (compiles it) and then runs it on inputs. Each call
// returns exactly one of these: the result, Unsupported (declined, with the backend's
// words), Refused (the backend considers the model or the inputs invalid) or BackendError
// (it failed). Nothing here throws, and a backend never sees expected values. The harness
// asks by harness/backends/run_model.h.
#ifndef QCONFORM_HARNESS_BACKENDS_BACKEND_H_
#define QCONFORM_HARNESS_BACKENDS_BACKEND_H_

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cases/model/model.h"
#include "oracle/base/result.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// The implementation under test, as the report describes it.
struct BackendInfo {
  std::string kind;  // "simd", "oracle", ...: the part of --backend before the colon
  std::string name;  // as --backend names it: "simd:AVX2"
  std::string version;
  std::string vendor;
  std::string device;  // where it computes, such as the instruction set
  // Further facts, such as the options in force.
  std::map<std::string, std::string> details;
};

// Declined, not a pass and not a failure: before or instead of computing the backend said
// that it has no kernel for this operator, type, shape or opset_version.
struct Unsupported {
  std::string reason;
  std::string url;  // may be empty

  // Returns the reason, with the URL if there is one, as reports show it.
  std::string Words() const { return url.empty() ? reason : reason + " (" + url + ")"; }
};

// The answer to a graph of a backend that takes one node at a time.
inline Unsupported TakesOneNode() {
  return {"it takes one node at a time: with --compose it runs a graph node by node", ""};
}

// The backend took the model as its own and considers it or its inputs invalid. A legal
// model that is refused so is `refused_legal`.
struct Refused {
  std::string reason;
};

// The words of a refusal as reports show them.
inline std::string RefusedWords(const Refused& refused) {
  return "refused as invalid: " + refused.reason;
}

using Outputs = std::vector<Tensor>;

// An answer with different bits to the same inputs, run once more.
struct OtherAnswer {
  std::string changed;  // what was other then: "alignment", "threads", or "repetition"
  std::string text;     // where they differ, for people
  Outputs outputs;
};

// The first answer and those with other bits; all have the same types and shapes. The
// specification may leave the elements that differ free, so the judge decides.
struct UnsteadyAnswer {
  Outputs first;
  std::vector<OtherAnswer> others;
};

// There is no usable answer; `text` has the backend's words. kFailed: it raised or
// reported an error. kInvalidOutput: the output is malformed (a buffer that was not
// written completely, bytes beyond its end). kUnreadable: the output cannot be read (a
// worker that breaks the protocol). kNondeterministic: the answers to the same inputs
// differ between runs. kHarness: what adapts the implementation to this interface failed,
// which says nothing of the implementation; run_model.h makes it an Error of the harness.
struct BackendError {
  enum class Kind : uint8_t {
    kFailed,
    kInvalidOutput,
    kUnreadable,
    kNondeterministic,
    kCrashed,
    kTimedOut,
    kHarness
  };
  Kind kind = Kind::kFailed;
  std::string text;
  std::shared_ptr<const UnsteadyAnswer> unsteady{};  // of kNondeterministic, or null
};

inline BackendError HarnessFailed(const Error& error) {
  return {BackendError::Kind::kHarness, error.message};
}

using RunResult = std::variant<Outputs, Unsupported, Refused, BackendError>;

// A prepared model. Used from one thread at a time.
class PreparedModel {
 public:
  virtual ~PreparedModel() = default;
  // `inputs` are the model's graph inputs, in their order; inputs that are left out by
  // an empty name are missing.
  virtual RunResult Run(std::span<const TensorView> inputs) = 0;
};

using PrepareResult =
    std::variant<std::unique_ptr<PreparedModel>, Unsupported, Refused, BackendError>;

// Returns what a variant such as these two has in place of a value, as another of them;
// nothing if it has a value.
template <typename To, typename From>
std::optional<To> AnswerInstead(From& from) {
  if (auto* unsupported = std::get_if<Unsupported>(&from)) return std::move(*unsupported);
  if (auto* refused = std::get_if<Refused>(&from)) return std::move(*refused);
  if (auto* error = std::get_if<BackendError>(&from)) return std::move(*error);
  return std::nullopt;
}

// An implementation under test. Prepare may be called from several threads if
// concurrent() returns true.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual const BackendInfo& info() const = 0;
  virtual bool concurrent() const { return false; }
  // Returns the paths of the files whose code answers, if the backend runs in processes
  // of its own: programs, shared libraries and files that its command names. Libraries
  // may be loaded late, so the list is complete only after answers. Empty: this process
  // answers. A path may end in MappedCode's mark of a deleted file.
  virtual std::set<std::string> CodeFiles() { return {}; }
  virtual PrepareResult Prepare(const Model& model) = 0;
  // Runs a model in a process that was started for it and has answered nothing before.
  // Nothing if the backend has no processes of its own.
  virtual std::optional<RunResult> RunAlone(const Model& /*model*/,
                                            std::span<const TensorView> /*inputs*/) {
    return std::nullopt;
  }
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_BACKEND_H_
