#include "harness/backends/process/process_backend.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <new>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include "cases/model/serialize.h"
#include "harness/backends/in_place.h"
#include "harness/backends/mapped_code.h"
#include "harness/backends/process/compact_model.h"
#include "harness/backends/process/handshake.h"
#include "harness/backends/same_bits.h"
#include "harness/backends/whole_model.h"
#include "oracle/base/shortage.h"

namespace qconform {
namespace {

// One of this many cases is asked twice, chosen by a hash of its bytes.
constexpr uint64_t kTwiceOneIn = 8;

bool IsFile(const std::string& path) {
  std::error_code none;
  return std::filesystem::is_regular_file(path, none);
}

uint64_t Hash(std::span<const std::byte> bytes, uint64_t hash) {
  for (const std::byte byte : bytes) {
    hash = (hash ^ static_cast<uint64_t>(byte)) * 0x100000001b3;  // FNV-1a
  }
  return hash;
}

// Returns where a shell would find the program.
std::string Located(const std::string& program) {
  const char* path = std::getenv("PATH");
  if (program.find('/') != std::string::npos || path == nullptr) return program;
  std::istringstream folders(path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string file = (folder.empty() ? "." : folder) + "/" + program;
    if (access(file.c_str(), X_OK) == 0 && IsFile(file)) return file;
  }
  return program;
}

// Returns the words of a command that are files, because the code of a script is not
// mapped.
std::set<std::string> FilesOf(const std::vector<std::string>& words) {
  std::set<std::string> files;
  for (size_t i = 0; i < words.size(); ++i) {
    std::error_code none;
    const std::string file = i == 0 ? Located(words[0]) : words[i];
    // Resolves links as the map does, so that each file is listed once.
    if (IsFile(file)) files.insert(std::filesystem::canonical(file, none).string());
  }
  return files;
}

class WorkerPool;

// What a worker calls itself and the device that it computes on.
std::string Identity(const worker::HelloReply& about) {
  std::string identity = "'" + about.name() + "' version '" + about.version() + "'";
  if (!about.vendor().empty()) identity += " of '" + about.vendor() + "'";
  if (!about.device().empty()) identity += " on '" + about.device() + "'";
  return identity;
}

// The pools of this process: workers that one does not use may be in the way of others.
class AllPools {
 public:
  static AllPools& Get() {
    static AllPools all;
    return all;
  }
  void Add(WorkerPool* pool) {
    const std::lock_guard lock(mutex_);
    pools_.insert(pool);
  }
  void Remove(WorkerPool* pool) {
    const std::lock_guard lock(mutex_);
    pools_.erase(pool);
  }
  // Ends the idle workers of all pools. Returns whether there were any.
  bool EndIdle();

 private:
  std::mutex mutex_;
  std::set<WorkerPool*> pools_;
};

// The workers that are alive and not in use; starts another one if there is none.
class WorkerPool {
 public:
  WorkerPool(WorkerCommand command, std::unique_ptr<WorkerLink> first)
      : command_(std::move(command)), identity_(Identity(first->about())) {
    idle_.push_back(std::move(first));
    AllPools::Get().Add(this);
  }
  ~WorkerPool() { AllPools::Get().Remove(this); }
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  using Taken = std::variant<std::unique_ptr<WorkerLink>, BackendError>;

  Taken Take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        auto link = std::move(idle_.back());
        idle_.pop_back();
        return link;
      }
    }
    return Start();
  }

  // Returns a worker that has answered nothing yet. Throws Shortage if none can be
  // started, even without idle workers. One has started before, so that this says nothing
  // about what is asked. `after` is how the last one ended, if it did.
  Taken Start(const std::string& after = "") {
    auto started = StartLink();
    if (started) {
      const std::string identity = Identity((*started)->about());
      if (identity == identity_) return *std::move(started);
      // A report is about one backend.
      return BackendError{BackendError::Kind::kFailed,
                          "hello: expected " + identity_ +
                              ", as when it was started first, got " + identity};
    }
    if (stopped()) return BackendError{BackendError::Kind::kFailed, "was interrupted"};
    throw Shortage("cannot start the backend again" +
                   (after.empty() ? "" : ", which " + after) + ": " +
                   started.error().message);
  }

  // Hands the idle workers over, which end with the result.
  std::vector<std::unique_ptr<WorkerLink>> TakeIdle() {
    const std::lock_guard lock(mutex_);
    return std::exchange(idle_, {});
  }

  // Returns a worker, if it can be used, after it is to release `handle`. Ends it instead
  // if there is no memory for that.
  void Return(std::unique_ptr<WorkerLink> link,
              std::optional<uint64_t> handle = std::nullopt) noexcept {
    if (!link || !link->usable()) return;
    try {
      if (handle) link->Release(*handle);
      const std::lock_guard lock(mutex_);
      idle_.push_back(std::move(link));
    } catch (const std::bad_alloc&) {
    }
  }

  // Returns the code of the idle workers. If a child is this program, its own code is
  // left out, because it is not the backend's.
  std::set<std::string> CodeFiles() {
    auto taken = Take();  // then at least one is alive
    if (auto* link = std::get_if<std::unique_ptr<WorkerLink>>(&taken)) {
      Return(std::move(*link));
    }
    std::set<std::string> paths;
    const std::lock_guard lock(mutex_);
    for (const auto& link : idle_) paths.merge(link->CodeFiles());
    if (command_.is_own) {
      for (const std::string& path : MappedCode(getpid())) paths.erase(path);
    } else {
      paths.merge(FilesOf(command_.words));
    }
    return paths;
  }

  // Returns whether the user stopped the run: a worker that ends then is not at fault.
  bool stopped() const {
    return command_.limits.stop != nullptr && *command_.limits.stop;
  }

 private:
  WorkerLink::Started StartLink() const {
    try {
      auto started = WorkerLink::Start(command_);
      if (started || stopped() || !AllPools::Get().EndIdle()) return started;
    } catch (...) {
      if (!CaughtShortage() || !AllPools::Get().EndIdle()) throw;
    }
    return WorkerLink::Start(command_);
  }

  WorkerCommand command_;
  const std::string identity_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<WorkerLink>> idle_;
};

bool AllPools::EndIdle() {
  std::vector<std::unique_ptr<WorkerLink>> ended;
  const std::lock_guard lock(mutex_);
  for (WorkerPool* pool : pools_) {
    for (auto& link : pool->TakeIdle()) ended.push_back(std::move(link));
  }
  return !ended.empty();
}

// Returns the error of two different answers to the same inputs, or nothing. They may
// differ in the unused bits of a last byte, which belong to no element.
std::optional<BackendError> Differ(const Outputs& first, Outputs&& second) {
  constexpr auto kKind = BackendError::Kind::kNondeterministic;
  if (!HaveSameForm(first, second)) {
    return BackendError{kKind, "gave a different type or shape when asked again"};
  }
  const auto where = FirstDifference(first, second);
  if (!where) return std::nullopt;
  std::string text = *where + " differs when the same case is asked again";
  UnsteadyAnswer unsteady{first, {}};
  unsteady.others.push_back({"repetition", text, std::move(second)});
  return BackendError{kKind, std::move(text),
                      std::make_shared<const UnsteadyAnswer>(std::move(unsteady))};
}

// Returns whether the worker ended, or was killed because it hung.
bool IsDeath(const BackendError* error) {
  return error != nullptr && (error->kind == BackendError::Kind::kCrashed ||
                              error->kind == BackendError::Kind::kTimedOut);
}

// A model as it is sent, and what may be answered to it.
struct AskedModel {
  AskedModel(const Model& model, bool is_own)
      : bytes(is_own ? EncodeCompactModel(model) : SerializeModel(model)),
        limits(RunReplyLimits(model, is_own)) {}

  std::string bytes;
  ReplyLimits limits;
};

// A model in a worker that has prepared it.
struct Place {
  std::unique_ptr<WorkerLink> link;  // may be null
  uint64_t handle = 0;
};

// Runs the model (with `inputs`, the case) alone in a fresh worker and adds to `error`
// whether that worker ends in the same way, or earlier cases contributed. Returns the
// fresh worker if it is alive.
Place Confirm(WorkerPool& pool, const AskedModel& model,
              std::optional<std::span<const TensorView>> inputs, BackendError& error) {
  if (pool.stopped()) return {};
  const auto not_asked = [&error](const BackendError& why) {
    error.text += "; it was not asked again alone in a fresh process: " + why.text;
    return Place{};
  };
  auto started = pool.Start(error.text);
  if (const auto* why = std::get_if<BackendError>(&started)) {
    return pool.stopped() ? Place{} : not_asked(*why);
  }
  Place place{std::get<std::unique_ptr<WorkerLink>>(std::move(started))};
  auto prepared = place.link->Prepare(model.bytes);
  const auto* handle = std::get_if<uint64_t>(&prepared);
  const auto* again = std::get_if<BackendError>(&prepared);
  RunResult result;
  if (handle != nullptr && inputs) {
    result = place.link->Run(*handle, *inputs, model.limits);
    again = std::get_if<BackendError>(&result);
  }
  if (again != nullptr && again->kind == BackendError::Kind::kHarness) {
    return not_asked(*again);
  }
  // A release has no reply: if it ends the worker, the next request shows that.
  if (handle != nullptr && !IsDeath(again)) {
    place.link->Release(*handle);
    prepared = place.link->Prepare(model.bytes);
    handle = std::get_if<uint64_t>(&prepared);
    again = std::get_if<BackendError>(&prepared);
    if (IsDeath(again)) {
      error.text += "; alone in a fresh process it " + again->text +
                    ", when the model was released or prepared again";
      return {};
    }
  }
  if (pool.stopped()) return {};
  if (!IsDeath(again)) {
    error.text += "; this did not happen again alone in a fresh process";
  } else if (again->kind == error.kind) {
    error.text += "; this happened again alone in a fresh process";
  } else {
    error.text += "; alone in a fresh process it " + again->text;
  }
  if (handle == nullptr || !place.link->usable()) {
    pool.Return(std::move(place.link));
    return {};
  }
  place.handle = *handle;
  return place;
}

using Prepared = std::variant<Place, Unsupported, Refused, BackendError>;

// Prepares the model in a worker of the pool.
Prepared PrepareIn(WorkerPool& pool, const AskedModel& model) {
  auto taken = pool.Take();
  if (auto* failed = std::get_if<BackendError>(&taken)) return std::move(*failed);
  auto& link = std::get<std::unique_ptr<WorkerLink>>(taken);
  auto prepared = link->Prepare(model.bytes);
  if (const auto* handle = std::get_if<uint64_t>(&prepared)) {
    return Place{std::move(link), *handle};
  }
  pool.Return(std::move(link));
  auto* error = std::get_if<BackendError>(&prepared);
  if (IsDeath(error)) {
    Place place = Confirm(pool, model, std::nullopt, *error);
    pool.Return(std::move(place.link), place.handle);
  }
  return *AnswerInstead<Prepared>(prepared);
}

class ProcessPrepared : public PreparedModel, public LendsInputMemory {
 public:
  ProcessPrepared(WorkerPool& pool, bool ask_twice, AskedModel model,
                  std::unique_ptr<WorkerLink> link, std::optional<uint64_t> handle)
      : pool_(pool),
        ask_twice_(ask_twice),
        model_(std::move(model)),
        link_(std::move(link)),
        handle_(handle) {}
  ~ProcessPrepared() override { GiveBack(); }

  std::span<std::byte> FirstInput(size_t bytes) override {
    return link_ ? link_->FirstInput(bytes) : std::span<std::byte>();
  }

  RunResult Run(std::span<const TensorView> inputs) override {
    // Inputs may lie there, and are needed again after the worker is gone.
    const auto kept = link_ ? link_->shared() : nullptr;
    if (!link_) {
      RunResult again = Connect();
      if (!link_) return again;
    }
    RunResult result =
        handle_ ? link_->Run(*handle_, inputs, model_.limits)
                : link_->PrepareAndRun(model_.bytes, inputs, model_.limits, handle_);
    if (!link_->usable()) {
      ReplaceLink(inputs, result);
      return result;
    }
    if (ask_twice_ && std::holds_alternative<Outputs>(result) && IsAskedTwice(inputs)) {
      RunResult second = link_->Run(*handle_, inputs, model_.limits);
      if (!link_->usable()) ReplaceLink(inputs, second);
      if (const auto* error = std::get_if<BackendError>(&second)) return *error;
      auto* outputs = std::get_if<Outputs>(&second);
      if (outputs == nullptr) {
        return BackendError{BackendError::Kind::kNondeterministic,
                            "declined the same case when asked again"};
      }
      if (auto differ = Differ(std::get<Outputs>(result), std::move(*outputs))) {
        return *std::move(differ);
      }
    }
    return result;
  }

 private:
  void GiveBack() noexcept { pool_.Return(std::move(link_), handle_); }

  // Prepares the model in another worker after the last one was lost. Returns empty
  // Outputs on success.
  RunResult Connect() {
    auto prepared = PrepareIn(pool_, model_);
    if (auto* place = std::get_if<Place>(&prepared)) {
      Adopt(std::move(*place));
      return Outputs{};
    }
    return *AnswerInstead<RunResult>(prepared);
  }

  void Adopt(Place place) {
    link_ = std::move(place.link);
    if (link_) handle_ = place.handle;
  }

  // Asks the case that ended the worker with `result` again.
  void ReplaceLink(std::span<const TensorView> inputs, RunResult& result) {
    link_.reset();
    auto* error = std::get_if<BackendError>(&result);
    if (IsDeath(error)) Adopt(Confirm(pool_, model_, inputs, *error));
  }

  static bool IsAskedTwice(std::span<const TensorView> inputs) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const TensorView& input : inputs) {
      hash = Hash(input.data.first(std::min<size_t>(input.data.size(), 64)), hash);
    }
    return (hash >> 32) % kTwiceOneIn == 0;
  }

  WorkerPool& pool_;
  bool ask_twice_;
  AskedModel model_;
  std::unique_ptr<WorkerLink> link_;  // null after it was lost
  std::optional<uint64_t> handle_;    // empty: the first Run prepares
};

// A whole model in a worker. It is run once or twice, so a worker that it ends is not
// replaced.
class WholePrepared : public PreparedModel {
 public:
  WholePrepared(WorkerPool& pool, Place place, const WholeModel& model)
      : pool_(pool), place_(std::move(place)), limits_(RunReplyLimits(model)) {}
  ~WholePrepared() override { pool_.Return(std::move(place_.link), place_.handle); }

  RunResult Run(std::span<const TensorView> inputs) override {
    if (!place_.link->usable()) {
      return BackendError{BackendError::Kind::kCrashed,
                          "ended when it ran the model before"};
    }
    return place_.link->Run(place_.handle, inputs, limits_);
  }

 private:
  WorkerPool& pool_;
  Place place_;
  ReplyLimits limits_;
};

class ProcessBackend : public Backend, public RunsWholeModels {
 public:
  ProcessBackend(BackendInfo info, ProcessBackendOptions options,
                 std::unique_ptr<WorkerLink> first)
      : info_(std::move(info)),
        ask_twice_(options.ask_twice),
        is_own_(options.command.is_own),
        about_(first->about()),
        pool_(std::move(options.command), std::move(first)) {}

  const BackendInfo& info() const override { return info_; }
  bool concurrent() const override { return true; }
  std::set<std::string> CodeFiles() override { return pool_.CodeFiles(); }

  PrepareResult Prepare(const Model& model) override {
    if (auto declined = DeclinedByHello(about_, model)) return *declined;
    AskedModel asked(model, is_own_);
    if (is_own_) {
      auto taken = pool_.Take();
      if (auto* failed = std::get_if<BackendError>(&taken)) return std::move(*failed);
      return std::make_unique<ProcessPrepared>(
          pool_, ask_twice_, std::move(asked),
          std::get<std::unique_ptr<WorkerLink>>(std::move(taken)), std::nullopt);
    }
    auto prepared = PrepareIn(pool_, asked);
    if (auto* place = std::get_if<Place>(&prepared)) {
      return std::make_unique<ProcessPrepared>(pool_, ask_twice_, std::move(asked),
                                               std::move(place->link), place->handle);
    }
    return *AnswerInstead<PrepareResult>(prepared);
  }

  PrepareResult PrepareWhole(const WholeModel& model) override {
    if (auto declined = WholeDeclinedByHello(about_, model)) return *declined;
    auto taken = pool_.Take();
    if (auto* failed = std::get_if<BackendError>(&taken)) return std::move(*failed);
    auto& link = std::get<std::unique_ptr<WorkerLink>>(taken);
    auto prepared = link->PrepareWhole(model);
    if (const auto* handle = std::get_if<uint64_t>(&prepared)) {
      return std::make_unique<WholePrepared>(pool_, Place{std::move(link), *handle},
                                             model);
    }
    pool_.Return(std::move(link));
    return *AnswerInstead<PrepareResult>(prepared);
  }

  std::optional<RunResult> RunAlone(const Model& model,
                                    std::span<const TensorView> inputs) override {
    if (auto declined = DeclinedByHello(about_, model)) return RunResult(*declined);
    auto started = pool_.Start();
    if (auto* failed = std::get_if<BackendError>(&started)) return std::move(*failed);
    WorkerLink& link = *std::get<std::unique_ptr<WorkerLink>>(started);
    const AskedModel asked(model, is_own_);
    auto prepared = link.Prepare(asked.bytes);
    if (const auto* handle = std::get_if<uint64_t>(&prepared)) {
      return link.Run(*handle, inputs, asked.limits);
    }
    return AnswerInstead<RunResult>(prepared);
  }

 private:
  BackendInfo info_;
  bool ask_twice_;
  bool is_own_;
  worker::HelloReply about_;
  WorkerPool pool_;
};

}  // namespace

Result<std::unique_ptr<Backend>> MakeProcessBackend(ProcessBackendOptions options) {
  auto started = WorkerLink::Start(options.command);
  if (!started) return started.error();
  auto& first = *started;
  const worker::HelloReply& about = first->about();
  BackendInfo info{.kind = options.kind,
                   .name = options.name,
                   .version = about.version(),
                   .vendor = about.vendor(),
                   .device = about.device(),
                   .details = {}};
  for (const auto& [key, value] : about.details()) {
    // Digests of code are this program's own words.
    info.details[(key.ends_with("sha256") ? "worker_" : "") + key] = value;
  }
  if (options.kind == "process") info.details["worker"] = about.name();
  if (!about.homepage().empty()) info.details["homepage"] = about.homepage();
  return std::unique_ptr<Backend>(std::make_unique<ProcessBackend>(
      std::move(info), std::move(options), std::move(first)));
}

}  // namespace qconform
