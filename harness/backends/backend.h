// What stands between the harness and an implementation under test.
//
// A backend is asked to prepare a model (compile it, once), then to run it on
// inputs. Both answer with exactly one of a closed list: the thing asked for,
// Unsupported (declined, with the backend's words), Refused (the model or the
// inputs are held to be invalid) or BackendError (it failed). Nothing here
// throws; expected values are never passed.
#ifndef QCONFORM_HARNESS_BACKENDS_BACKEND_H_
#define QCONFORM_HARNESS_BACKENDS_BACKEND_H_

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "cases/model/model.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// Who is under test; all of it goes into the report.
struct BackendInfo {
  std::string kind;  // "simd", "oracle", ...: what stands before the colon of --backend
  std::string name;  // as --backend names it: "simd:AVX2"
  std::string version;
  std::string vendor;
  std::string device;  // where it computes, such as the instruction set
  // Anything else worth keeping, such as the options in force.
  std::map<std::string, std::string> details;
};

// Declined: not a pass, not a failure.
struct Unsupported {
  std::string reason;
  std::string url;  // may be empty

  // As reports tell it: the reason, and the URL behind it where there is one.
  std::string Words() const { return url.empty() ? reason : reason + " (" + url + ")"; }
};

// Held to be an invalid model or invalid inputs.
struct Refused {
  std::string reason;
};

using Outputs = std::vector<Tensor>;

// What came with other bits when a backend ran the same inputs once more.
struct OtherAnswer {
  std::string changed;  // what was other then: "alignment", "threads", or "repetition"
  std::string text;     // where they differ, for people
  Outputs outputs;
};

// The first answer and those with other bits; all have the same types and shapes. No
// clause may fix the elements that differ (QL-12): who knows the right answer judges.
struct UnsteadyAnswer {
  Outputs first;
  std::vector<OtherAnswer> others;
};

// There is no answer, or one that cannot be used; `text` has the backend's words.
// kFailed: it raised or reported an error. kInvalidOutput: what came back has a wrong
// form (a buffer that was not wholly written, bytes beyond its end). kUnreadable: it gave
// no output that could be read (a worker that breaks the protocol). kNondeterministic:
// the answers to the same inputs differ between runs.
struct BackendError {
  enum class Kind : uint8_t {
    kFailed,
    kInvalidOutput,
    kUnreadable,
    kNondeterministic,
    kCrashed,
    kTimedOut
  };
  Kind kind = Kind::kFailed;
  std::string text;
  std::shared_ptr<const UnsteadyAnswer> unsteady{};  // of kNondeterministic, or null
};

using RunResult = std::variant<Outputs, Unsupported, Refused, BackendError>;

// A model made ready. Used from one thread at a time.
class PreparedModel {
 public:
  virtual ~PreparedModel() = default;
  // `inputs` are the model's graph inputs, in their order; an input left out by
  // an empty name is not among them.
  virtual RunResult Run(std::span<const TensorView> inputs) = 0;
};

using PrepareResult =
    std::variant<std::unique_ptr<PreparedModel>, Unsupported, Refused, BackendError>;

// An implementation under test. Prepare may be called from several threads
// where concurrent() says so.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual const BackendInfo& info() const = 0;
  virtual bool concurrent() const { return false; }
  // Paths of the files whose code answers, for one that runs in processes of its own:
  // programs, shared libraries, and what its command names. Libraries may be loaded
  // late, so that who has answered knows most. Empty: this process answers. A path
  // may end in MappedCode's mark of a file that is there no more.
  virtual std::set<std::string> CodeFiles() { return {}; }
  virtual PrepareResult Prepare(const Model& model) = 0;
};

}  // namespace qconform

#endif  // QCONFORM_HARNESS_BACKENDS_BACKEND_H_
