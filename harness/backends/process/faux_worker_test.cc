// Each way in which a worker can fail, and the verdict that it must cost: its
// cell's, and no other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cases/lattice/lattice.h"
#include "harness/backends/process/child_process.h"
#include "harness/backends/process/handshake.h"
#include "harness/backends/process/process_backend.h"
#include "harness/backends/process/worker_check.h"
#include "harness/core/oracle_model.h"
#include "harness/runner/runner.h"
#include "harness/runner/suites/negative_runner.h"
#include "harness/runner/testing/run_on.h"

namespace qconform {
namespace {

using testing::HasSubstr;

WorkerCommand Command(const std::string& mode, const std::string& at) {
  WorkerCommand command;
  command.words = {QCONFORM_FAUX_WORKER, mode, at};
  command.limits.timeout =
      std::chrono::milliseconds(mode.starts_with("hangs") ? 300 : 20000);
  command.limits.memory_bytes = uint64_t{256} << 20;
  command.start_timeout = std::chrono::milliseconds(5000);
  return command;
}

Result<std::unique_ptr<Backend>> Make(const std::string& mode,
                                      const std::string& at = "1") {
  return MakeProcessBackend({Command(mode, at), "process:faux " + mode, "process"});
}

void ExpectNoChildren() {
  int status = 0;
  EXPECT_EQ(waitpid(-1, &status, WNOHANG), -1) << "a child was left behind";
  EXPECT_EQ(errno, ECHILD);
}

constexpr const char* kCell = "QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor";
constexpr const char* kCells = "QuantizeLinear/10/*";  // four of them

struct Row {
  const char* mode;
  const char* at;   // "0": every run
  Verdict verdict;  // of the cell that is asked first, or of all where every run
  const char* words;
  bool all_cells = true;
};

class FauxWorker : public testing::TestWithParam<Row> {};

TEST_P(FauxWorker, GetsItsVerdict) {
  const Row& row = GetParam();
  {
    auto backend = Make(row.mode, row.at);
    ASSERT_TRUE(backend.ok()) << backend.error().message;
    // One cell is enough where every case needs a new worker.
    const bool every_run = std::string(row.at) == "0";
    const auto records = RunOn(**backend, {every_run ? kCells : kCell});
    ASSERT_EQ(records.size(), every_run ? 4u : 1u);
    EXPECT_EQ(records[0].verdict, row.verdict) << records[0].reason;
    EXPECT_THAT(records[0].reason, HasSubstr(row.words));
    const bool deviates = IsDeviation(row.verdict);
    if (deviates) {
      ASSERT_FALSE(records[0].counterexamples.empty());
      EXPECT_THAT(records[0].counterexamples[0].replay,
                  HasSubstr("qconform replay QuantizeLinear/10@"));
    }
    for (size_t i = 1; i < records.size() && row.all_cells; ++i) {
      EXPECT_EQ(records[i].verdict, row.verdict) << records[i].reason;
    }
  }
  ExpectNoChildren();
}

INSTANTIATE_TEST_SUITE_P(
    Modes, FauxWorker,
    testing::Values(
        Row{"honest", "0", Verdict::kConformant, ""},
        Row{"slow", "0", Verdict::kConformant, ""},
        Row{"floods_stderr", "1", Verdict::kConformant, ""},
        Row{"stays", "1", Verdict::kConformant, ""},
        Row{"lies_about_support", "0", Verdict::kUnsupported,
            "not in this release (https://example.com/1)"},
        Row{"small_support", "0", Verdict::kUnsupported, "handshake"},
        Row{"small_tensors", "0", Verdict::kUnsupported, "at most 1 elements"},
        Row{"hangs", "1", Verdict::kTimedOut,
            "no answer within 0.3 s and was killed; stderr: waiting for the device; "
            "this happened again alone in a fresh process"},
        Row{"hangs", "2", Verdict::kTimedOut,
            "; this did not happen again alone in a fresh process"},
        // Time is up for what says something all the time, too.
        Row{"hangs_dripping", "1", Verdict::kTimedOut, "no answer within 0.3 s"},
        Row{"hangs_in_prepare", "1", Verdict::kTimedOut,
            "no answer within 0.3 s and was killed; this happened again alone in a fresh "
            "process"},
        Row{"crashes_in_prepare", "1", Verdict::kCrashed,
            "killed by signal 6 (SIGABRT); this happened again alone in a fresh process"},
        Row{"crashes_in_prepare", "2", Verdict::kCrashed,
            "(SIGABRT), when the model was released or prepared again"},
        // Who comes next is asked in vain: it is said what is to blame.
        Row{"crashes_in_release", "1", Verdict::kCrashed,
            "alone in a fresh process it was killed by signal 6 (SIGABRT), when the "
            "model "
            "was released or prepared again"},
        Row{"crashes", "2", Verdict::kCrashed,
            "killed by signal 11 (SIGSEGV); stderr: assertion failed: cols % 16 == 0; "
            "this did not happen again alone in a fresh process"},
        Row{"crashes", "1", Verdict::kCrashed,
            "; this happened again alone in a fresh process"},
        Row{"crashes_on_some", "0", Verdict::kCrashed, "SIGABRT", false},
        Row{"exits", "2", Verdict::kCrashed, "exited with code 3"},
        Row{"closes", "1", Verdict::kFailed, "closed its output"},
        Row{"garbage_before", "1", Verdict::kFailed, "'Loading model...."},
        Row{"garbage_inside", "1", Verdict::kFailed, "cannot be read"},
        Row{"endless", "1", Verdict::kFailed, "got one to 0"},
        Row{"grows", "1", Verdict::kCrashed, "limit of 256 MiB"},
        Row{"wrong_type", "1", Verdict::kInvalidOutput, "y: expected type"},
        Row{"unknown_type", "1", Verdict::kInvalidOutput,
            "number 99 of TensorProto.DataType"},
        Row{"wrong_shape", "1", Verdict::kInvalidOutput, "y: expected shape"},
        Row{"short_data", "1", Verdict::kInvalidOutput, "bytes"},
        Row{"nowhere", "1", Verdict::kInvalidOutput,
            "expected a place in the shared memory"},
        Row{"shares_much", "1", Verdict::kFailed,
            "reply of worker 'faux' to run: expected at most 1048576 bytes of elements, "
            "got 10995116"},
        // What would take gigabytes once it is read.
        Row{"million_tensors", "1", Verdict::kFailed,
            "reply of worker 'faux' to run: expected a length of at most 5242880 bytes, "
            "got 30000005 bytes"},
        Row{"many_tensors", "1", Verdict::kFailed,
            "reply of worker 'faux' to run: expected at most 17 tensors, got 1000000"},
        Row{"many_dimensions", "1", Verdict::kFailed,
            "to run: expected at most 1088 dimensions, got 2000000"},
        Row{"many_unknown_fields", "1", Verdict::kFailed,
            "to run: expected at most 64 unknown fields, got 1000000"},
        Row{"announces_much", "1", Verdict::kFailed,
            "reply of worker 'faux' to run: expected a length of at most 5242880 bytes, "
            "got 50331648 bytes"},
        Row{"long_reason", "0", Verdict::kFailed,
            "to prepare: expected a reason of at most 65536 bytes, got 70000 bytes",
            false},
        Row{"wordy", "0", Verdict::kUnsupported, "www... (5000 bytes)"},
        Row{"too_many", "1", Verdict::kInvalidOutput, "outputs: expected 1, got 2"},
        Row{"none", "1", Verdict::kInvalidOutput, "outputs: expected 1, got 0"},
        Row{"out_of_order", "1", Verdict::kFailed, "reply: expected one to request"},
        Row{"answers_prepare", "1", Verdict::kFailed,
            "reply to run: expected outputs, got prepared"},
        Row{"answers_nothing", "1", Verdict::kFailed, "nothing known"},
        Row{"unsteady", "0", Verdict::kNonconformant, ""}),
    [](const auto& row) {
      return std::string(row.param.mode) + (row.param.at[0] == '2' ? "_later" : "") +
             std::to_string(row.index);
    });

TEST(ProcessBackend, ProgramThatRepeatsItsInput_IsNoWorker) {
  for (const uint64_t shared_bytes : {uint64_t{1} << 20, uint64_t{0}}) {
    WorkerCommand command = Command("", "");
    command.words = {"/bin/cat"};
    command.shared_bytes = shared_bytes;
    const auto made = MakeProcessBackend({command, "process:/bin/cat", "process"});
    ASSERT_FALSE(made.ok());
    EXPECT_THAT(made.error().message, HasSubstr("got an echo of the request"));
  }
  ExpectNoChildren();
}

// QL-51: a note, never a verdict, in the cases too that are asked twice.
TEST(ProcessBackend, OtherPaddingEachTime_IsNoDeviation) {
  auto backend = Make("dirty_padding", "0");
  ASSERT_TRUE(backend.ok()) << backend.error().message;
  std::vector<std::string> cells{"QuantizeLinear/21/FLOAT-FLOAT-INT4/per_tensor"};
  if (NewestOpsetVersion() >= 28) {
    cells.push_back("QuantizeLinear/28/FLOAT-FLOAT-FLOAT6E3M2/per_tensor");
  }
  const auto records = RunOn(**backend, cells, Level::kStandard);
  ASSERT_EQ(records.size(), cells.size());
  for (const CellRecord& record : records) {
    EXPECT_EQ(record.verdict, Verdict::kConformant) << record.cell << record.reason;
    const bool noted = std::ranges::any_of(record.observed, [](const Observation& one) {
      return one.Text().find("uninitialised_padding") != std::string::npos;
    });
    EXPECT_TRUE(noted) << record.cell;
  }
}

// QL-51: nor does the protocol depend on it.
TEST(WorkerCheck, OtherPaddingEachTime_SpeaksTheProtocol) {
  std::vector<DataType> types{DataType::kUint4};
  if (NewestOpsetVersion() >= 28) types.push_back(DataType::kFloat6E2M3);
  for (const DataType type : types) {
    const auto make = [type](int64_t elements, bool with_constants) {
      FedModel question;
      question.model.opset_version = type == DataType::kUint4 ? 21 : 28;
      question.model.ir_version = type == DataType::kUint4 ? 10 : 14;
      question.model.node = {
          "QuantizeLinear", "", {"x", "y_scale", "y_zero_point"}, {"y"}, {}};
      question.model.inputs = {{"x", DataType::kFloat, {elements}}};
      question.inputs = {Tensor::Zeros(DataType::kFloat, {elements})};
      Tensor scale = Tensor::Zeros(DataType::kFloat, {});
      const float one = 1;
      std::memcpy(scale.data.data(), &one, sizeof one);
      const std::pair<const char*, Tensor> others[] = {
          {"y_scale", scale}, {"y_zero_point", Tensor::Zeros(type, {})}};
      for (const auto& [name, tensor] : others) {
        if (with_constants) {
          question.model.initializers.push_back({name, tensor});
        } else {
          question.model.inputs.push_back({name, tensor.type, {}});
          question.inputs.push_back(tensor);
        }
      }
      question.model.outputs = {{"y", type, {elements}}};
      return question;
    };
    const auto answer = [](const FedModel& question) -> Result<Outputs> {
      const auto oracle = OracleModel::Create(question.model);
      if (!oracle) return oracle.error();
      const auto right = oracle->Evaluate(ViewsOf(question.inputs));
      if (!right) return right.error();
      return PackAnswer(*right);
    };
    const auto rows = CheckWorker(Command("dirty_padding", "0"), {make, answer});
    ASSERT_TRUE(rows) << rows.error().message;
    EXPECT_GT(rows->size(), 5u);
    for (const WorkerCheckRow& row : *rows) {
      EXPECT_EQ(row.outcome, WorkerCheckRow::Outcome::kOk)
          << DataTypeName(type) << " " << row.what << ": " << row.text;
    }
  }
}

// QL-12: any code, in the cases too that are asked twice; what came is told.
TEST(ProcessBackend, OtherCodesOfNanEachTime_AreNoDeviation) {
  auto backend = Make("unsteady_nan", "0");
  ASSERT_TRUE(backend.ok()) << backend.error().message;
  const auto records = RunOn(
      **backend, {"QuantizeLinear/10/FLOAT-FLOAT-UINT8/per_tensor"}, Level::kStandard);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].verdict, Verdict::kConformant) << records[0].reason;
  const bool noted = std::ranges::any_of(records[0].observed, [](const Observation& one) {
    return one.clause == "QL-12" &&
           std::ranges::count(one.varies_with, "repetition") == 1;
  });
  EXPECT_TRUE(noted);
}

// A y of a type that no operator gives is an answer as others are: an invalid model was
// accepted, a legal one answered wrongly.
TEST(ProcessBackend, AnswerOfAForeignType_IsJudgedByTheKindOfModel) {
  auto backend = Make("answers_all");
  ASSERT_TRUE(backend.ok()) << backend.error().message;
  std::map<ModelKind, int> visited;
  for (const NegativeModel& model : JudgedNegativeModels()) {
    if (++visited[model.kind] > 5) continue;
    const NegativeRecord record = RunNegativeModel(**backend, model);
    EXPECT_EQ(record.result, model.kind == ModelKind::kInvalid ? NegativeResult::kLax
                             : model.kind == ModelKind::kLegal
                                 ? NegativeResult::kDeviates
                                 : NegativeResult::kAccepted)
        << model.id << ": " << record.text;
    EXPECT_THAT(record.text, HasSubstr("number 9 of TensorProto.DataType")) << model.id;
  }
  EXPECT_EQ(visited.size(), 3u);
}

TEST(ProcessBackend, AWorkerThatDoesNotStart_IsNamedWithItsWords) {
  const struct {
    const char* mode;
    const char* words;
  } kRows[] = {
      {"dies_at_once", "exited with code 9 before it had answered; stderr: no licence"},
      {"future", "protocol: expected version 1, got 2"}};
  for (const auto& row : kRows) {
    const auto backend = Make(row.mode);
    ASSERT_FALSE(backend.ok()) << row.mode;
    EXPECT_THAT(backend.error().message, HasSubstr(row.words));
  }
  auto command = Command("mute", "1");
  command.start_timeout = std::chrono::milliseconds(100);
  command.limits.timeout = command.start_timeout;
  const auto mute = MakeProcessBackend({command, "process:faux", "process"});
  ASSERT_FALSE(mute.ok());
  EXPECT_THAT(mute.error().message, HasSubstr("no answer within"));
  command.words = {"/nonexistent/worker"};
  const auto missing = MakeProcessBackend({command, "process:faux", "process"});
  ASSERT_FALSE(missing.ok());
  EXPECT_THAT(missing.error().message,
              HasSubstr("cannot run '/nonexistent/worker': No such"));
  ExpectNoChildren();
}

// The first case of kCell.
OpCase FirstCase() {
  const auto cells = SelectCells({kCell});
  const SelectedCell& cell = cells->front();
  return *MakeCase(CasesOf(cell.cell, cell.versions, Level::kSmoke).front(), 1);
}

RunResult RunPrepared(PrepareResult& prepared, const OpCase& asked) {
  return std::get<std::unique_ptr<PreparedModel>>(prepared)->Run(ViewsOf(asked.inputs));
}

// A worker that ends in another way when the case is asked alone confirms nothing.
TEST(ProcessBackend, AnotherEndAlone_IsTold) {
  const std::string marker = "/tmp/qconform_faux_worker_" + std::to_string(getpid());
  WorkerCommand command = Command("hangs", "1");
  command.words = {
      "sh", "-c",
      "if mkdir " + marker +
          " 2>/dev/null; then exec \"$0\" hangs 1; fi; exec \"$0\" crashes 1",
      QCONFORM_FAUX_WORKER};
  auto backend = MakeProcessBackend({command, "process:sh", "process"});
  ASSERT_TRUE(backend.ok()) << backend.error().message;
  const OpCase asked = FirstCase();
  auto prepared = (*backend)->Prepare(asked.model);
  const RunResult result = RunPrepared(prepared, asked);
  rmdir(marker.c_str());
  ASSERT_TRUE(std::holds_alternative<BackendError>(result));
  EXPECT_EQ(std::get<BackendError>(result).kind, BackendError::Kind::kTimedOut);
  EXPECT_THAT(std::get<BackendError>(result).text,
              HasSubstr("no answer within 0.3 s and was killed; stderr: waiting for the "
                        "device; alone in a fresh process it was killed by signal 11"));
}

// A report has one backend, and one that changes while it is judged is none.
TEST(ProcessBackend, WorkerThatCallsItselfAnotherLater_Fails) {
  auto backend = Make("other_each_time");
  ASSERT_TRUE(backend.ok()) << backend.error().message;
  const OpCase asked = FirstCase();
  auto first = (*backend)->Prepare(asked.model);
  ASSERT_TRUE(std::holds_alternative<Outputs>(RunPrepared(first, asked)));
  const auto alone = (*backend)->RunAlone(asked.model, ViewsOf(asked.inputs));
  ASSERT_TRUE(alone && std::holds_alternative<BackendError>(*alone));
  const BackendError& error = std::get<BackendError>(*alone);
  EXPECT_EQ(error.kind, BackendError::Kind::kFailed);
  EXPECT_THAT(error.text, testing::MatchesRegex(
                              "hello: expected 'faux' version '[0-9]+', as when it was "
                              "started first, got 'faux' version '[0-9]+'"));
}

TEST(ProcessBackend, WorkerThatWasIdle_IsNoFreshOne) {
  ProcessBackendOptions options{Command("crashes", "2"), "process:faux", "process"};
  options.ask_twice = false;
  auto backend = MakeProcessBackend(options);
  ASSERT_TRUE(backend.ok()) << backend.error().message;
  const OpCase asked = FirstCase();
  auto first = (*backend)->Prepare(asked.model);
  auto second = (*backend)->Prepare(asked.model);
  // Each has a worker of its own, and both have answered once.
  ASSERT_TRUE(std::holds_alternative<Outputs>(RunPrepared(first, asked)));
  ASSERT_TRUE(std::holds_alternative<Outputs>(RunPrepared(second, asked)));
  std::get<std::unique_ptr<PreparedModel>>(second).reset();
  const RunResult result = RunPrepared(first, asked);
  ASSERT_TRUE(std::holds_alternative<BackendError>(result));
  EXPECT_THAT(std::get<BackendError>(result).text,
              HasSubstr("this did not happen again alone in a fresh process"));
}

// All of it would go into every report.
TEST(ProcessBackend, WorkerThatSaysTooMuchOfItself_IsRefused) {
  const std::pair<const char*, const char*> rows[] = {
      {"long_vendor", "expected a vendor of at most 4096 bytes, got 5000"},
      {"long_detail", "expected a detail of at most 4096 bytes, got 5000"},
      {"many_operators", "expected at most 1024 operators, got 2000"},
      {"many_details", "expected at most 256 details, got 1000"}};
  for (const auto& [mode, words] : rows) {
    const auto backend = Make(mode);
    ASSERT_FALSE(backend.ok()) << mode;
    EXPECT_THAT(backend.error().message, HasSubstr(words));
  }
}

// b may be a constant, and y larger than both operands.
TEST(Handshake, MaxElements_AreOfEachTensor) {
  Model model;
  model.node.op_type = "QLinearMatMul";
  model.inputs = {{"a", DataType::kUint8, {9, 1}}};
  model.initializers = {{"b", Tensor::Zeros(DataType::kUint8, {1, 10})}};
  model.outputs = {{"y", DataType::kUint8, {9, 10}}};
  worker::HelloReply about;
  about.set_max_elements(90);
  EXPECT_FALSE(DeclinedByHello(about, model).has_value());
  about.set_max_elements(89);
  EXPECT_TRUE(DeclinedByHello(about, model).has_value());
  model.outputs[0].shape = {-1, -1};  // of names
  about.set_max_elements(10);
  EXPECT_FALSE(DeclinedByHello(about, model).has_value());
  about.set_max_elements(9);
  EXPECT_TRUE(DeclinedByHello(about, model).has_value());
}

// The shell that starts the worker, found in PATH, a file that it is given, the worker
// itself, and nothing of this test.
TEST(ProcessBackend, FilesWhoseCodeAnswers_AreThoseOfAllItsProcesses) {
  WorkerCommand command = Command("honest", "1");
  command.words = {
      "sh",          "-c",     "\"$0\" honest 1; exit 0", QCONFORM_FAUX_WORKER,
      "/etc/passwd", "no file"};
  auto backend = MakeProcessBackend({command, "process:sh", "process"});
  ASSERT_TRUE(backend.ok()) << backend.error().message;
  const std::set<std::string> files = (*backend)->CodeFiles();
  namespace fs = std::filesystem;
  EXPECT_THAT(files, testing::Contains(fs::canonical("/bin/sh").string()));
  EXPECT_THAT(files, testing::Contains(fs::canonical(QCONFORM_FAUX_WORKER).string()));
  EXPECT_THAT(files, testing::Contains("/etc/passwd"));
  EXPECT_THAT(files, testing::Contains(HasSubstr("libc.so")));
  EXPECT_THAT(files, testing::Not(
                         testing::Contains(fs::read_symlink("/proc/self/exe").string())));
}

// Returns null, with a failure of the test, if the worker did not start.
std::unique_ptr<WorkerLink> StartWorker(const WorkerCommand& command) {
  auto started = WorkerLink::Start(command);
  if (started) return *std::move(started);
  ADD_FAILURE() << started.error().message;
  return nullptr;
}

// Expects an error of the harness in place of an answer.
template <typename Answer>
void ExpectHarnessError(const Answer& answer, const std::string& words) {
  const auto* error = std::get_if<BackendError>(&answer);
  ASSERT_NE(error, nullptr) << answer.index();
  EXPECT_EQ(error->kind, BackendError::Kind::kHarness) << error->text;
  EXPECT_THAT(error->text, HasSubstr(words));
}

TEST(WorkerLink, InputsTooLongForTheProtocol_AreTheWorkersOnlyIfItTakesNoSharedMemory) {
  const Tensor input{
      DataType::kUint8, {int64_t{65} << 20}, std::vector<std::byte>(size_t{65} << 20)};
  const std::vector<TensorView> inputs{input.view()};
  auto command = Command("honest", "1");
  auto link = StartWorker(command);
  ASSERT_NE(link, nullptr);
  const RunResult declined = link->Run(1, inputs, {});
  ASSERT_TRUE(std::holds_alternative<Unsupported>(declined));
  EXPECT_THAT(std::get<Unsupported>(declined).reason,
              HasSubstr("do not fit into a message of the worker protocol"));
  EXPECT_TRUE(link->usable());

  command.shared_bytes = 0;  // none is offered
  link = StartWorker(command);
  ASSERT_NE(link, nullptr);
  ExpectHarnessError(link->Run(1, inputs, {}), "over the limit");
  command.shared_bytes = uint64_t{1} << 62;  // more than can be mapped
  link = StartWorker(command);
  ASSERT_NE(link, nullptr);
  ExpectHarnessError(link->Run(1, inputs, {}), "cannot make shared memory");

  command = Command("serves", "1");  // which takes shared memory
  command.shared_bytes = uint64_t{1} << 20;
  link = StartWorker(command);
  ASSERT_NE(link, nullptr);
  ExpectHarnessError(link->Run(1, inputs, {}), "over the limit");
  command.is_own = true;
  link = StartWorker(command);
  ASSERT_NE(link, nullptr);
  std::optional<uint64_t> handle;
  ExpectHarnessError(link->PrepareAndRun("model", inputs, {}, handle), "over the limit");
}

TEST(WorkerLink, WhatOurOwnChildCannotRead_IsAnErrorOfTheHarness) {
  auto command = Command("serves", "1");
  command.is_own = true;
  auto link = StartWorker(command);
  ASSERT_NE(link, nullptr);
  ExpectHarnessError(link->Prepare("no model"), "the model cannot be decoded");
  ExpectHarnessError(link->Run(77, {}, {}), "no model has the handle 77");
  command.is_own = false;  // now a model that someone else made
  link = StartWorker(command);
  ASSERT_NE(link, nullptr);
  EXPECT_TRUE(std::holds_alternative<Refused>(link->Prepare("no model")));
}

// Returns null, with a failure of the test, if the program did not start.
std::unique_ptr<ChildProcess> StartChild(const std::vector<std::string>& words) {
  auto started = ChildProcess::Start(words);
  if (started) return *std::move(started);
  ADD_FAILURE() << started.error().message;
  return nullptr;
}

TEST(ChildProcess, ItsEnd_IsSeenWhereAnotherHoldsItsOutput) {
  auto child = StartChild({"sh", "-c", "sleep 60 & exit 3"});
  ASSERT_NE(child, nullptr);
  const auto start = std::chrono::steady_clock::now();
  const auto got = child->Exchange("", {.timeout = std::chrono::seconds(30)});
  const auto* failure = std::get_if<ChildFailure>(&got);
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->kind, ChildFailure::Kind::kExited);
  EXPECT_NE(failure->text.find("exited with code 3"), std::string::npos) << failure->text;
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

// What we ignore is ours to handle; a child knows nothing of it.
TEST(ChildProcess, ItsSignals_AreThoseOfAnyProgram) {
  for (const int signal : {SIGXFSZ, SIGPIPE}) {
    const auto handler = std::signal(signal, SIG_IGN);
    auto child = StartChild({"sh", "-c", "kill -" + std::to_string(signal) + " $$"});
    ASSERT_NE(child, nullptr);
    const auto got = child->Exchange("", {.timeout = std::chrono::seconds(30)});
    std::signal(signal, handler);
    const auto* failure = std::get_if<ChildFailure>(&got);
    ASSERT_NE(failure, nullptr);
    EXPECT_THAT(failure->text, HasSubstr("was killed by signal"));
  }
}

TEST(ChildProcess, ThatClosedItsInput_IsToldSo) {
  auto child = StartChild({"sh", "-c", "exec <&-; echo; exec sleep 60"});
  ASSERT_NE(child, nullptr);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const auto got = child->Exchange("asked", {.timeout = std::chrono::seconds(30)});
  const auto* failure = std::get_if<ChildFailure>(&got);
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->kind, ChildFailure::Kind::kClosed);
  EXPECT_EQ(failure->text, "closed its input before it had read the request");
}

// The limit is for all that the command starts: it may be a script.
TEST(ProcessBackend, MemoryOfAWorkersParent_IsNotAllThatCounts) {
  WorkerCommand command = Command("grows", "1");
  command.words = {"sh", "-c", "\"$0\" grows 1; exit 0", QCONFORM_FAUX_WORKER};
  auto backend = MakeProcessBackend({command, "process:sh", "process"});
  ASSERT_TRUE(backend.ok()) << backend.error().message;
  const auto records = RunOn(**backend, {kCell});
  ASSERT_EQ(records.size(), 1u);
  EXPECT_THAT(records[0].reason, HasSubstr("limit of 256 MiB"));
}

// A case that hangs would keep the run for its timeout: stop ends it at once.
TEST(ProcessBackend, Stop_EndsAHangingCase) {
  std::atomic<bool> stop{false};
  auto command = Command("hangs", "1");
  command.limits.timeout = std::chrono::milliseconds(60000);
  command.limits.stop = &stop;
  {
    auto backend = MakeProcessBackend({command, "process:faux hangs", "process"});
    ASSERT_TRUE(backend.ok());
    const auto selected = SelectCells({kCells});
    const RunRequest request{.cells = *selected,
                             .level = Level::kSmoke,
                             .seed = 1,
                             .jobs = 1,
                             .replay = {"process:faux", {}, 1}};
    const auto start = std::chrono::steady_clock::now();
    std::thread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      stop = true;
    });
    int records = 0;
    const auto all = RunCells(
        **backend, request, [&](CellRecord) { ++records; }, stop);
    stopper.join();
    EXPECT_FALSE(all);
    EXPECT_EQ(records, 0) << "half a cell has no verdict";
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  }
  ExpectNoChildren();
}

}  // namespace
}  // namespace qconform
