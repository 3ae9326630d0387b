// A worker that does what its first argument says and answers as the oracle does
// otherwise: each way to fail has its expected verdict in faux_worker_test.cc.
//
//   faux_worker MODE [N]     the N-th run (from 1), or preparation, goes wrong
//   faux_worker serves       is qconform's own worker with the oracle as the backend
//   faux_worker serves_whole is qconform's own worker with a backend that counts the
//   bytes
//                            of whole models
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cases/model/serialize.h"
#include "harness/backends/oracle/oracle_backend.h"
#include "harness/backends/process/messages.h"
#include "harness/backends/process/serve.h"
#include "harness/backends/whole_model.h"
#include "oracle/base/file.h"

namespace qconform {
namespace {

using worker::Reply;
using worker::Request;

class Faux {
 public:
  Faux(std::string mode, int at) : mode_(std::move(mode)), at_(at) {}

  void Serve() {
    FrameReader reader(0);
    for (;;) {
      const auto frame = reader.Next();
      if (!frame || !frame->has_value()) {
        if (Is("stays")) pause();
        return;
      }
      Request request;
      if (!worker::Parse(**frame, request)) return;
      Reply reply;
      reply.set_seq(request.seq());
      if (request.has_release()) {
        if (Is("crashes_in_release")) std::abort();
        prepared_.erase(request.release().handle());
        continue;
      }
      if (request.has_hello()) {
        if (Is("mute")) pause();
        if (Is("dies_at_once")) {
          std::fprintf(stderr, "no licence\n");
          std::exit(9);
        }
        Greet(reply);
      } else if (request.has_prepare()) {
        Prepare(request.prepare().model(), reply);
      } else {
        Run(request.run(), reply);
      }
      Send(reply);
    }
  }

 private:
  bool Is(const char* mode) const { return mode_ == mode; }

  void Greet(Reply& reply) const {
    worker::HelloReply& hello = *reply.mutable_hello();
    hello.set_protocol_version(Is("future") ? 2 : worker::kProtocolVersion);
    hello.set_name("faux");
    hello.set_version(Is("other_each_time") ? std::to_string(getpid()) : "1");
    const auto supports = [&](const char* op_type, int first) {
      worker::OperatorSupport& support = *hello.add_supports();
      support.set_op_type(op_type);
      support.set_first_opset_version(first);
    };
    if (Is("small_support")) supports("QuantizeLinear", 13);
    if (Is("lies_about_support")) supports("QuantizeLinear", 0);
    if (Is("small_tensors")) hello.set_max_elements(1);
    if (Is("other_support")) supports("QLinearMatMul", 10);
    if (Is("long_vendor")) hello.set_vendor(std::string(5000, 'v'));
    auto& details = *hello.mutable_details();
    if (Is("long_detail")) details["build"] = std::string(5000, 'd');
    if (Is("many_operators")) {
      for (int i = 0; i < 2000; ++i) supports("QuantizeLinear", 0);
    }
    if (Is("many_details")) {
      for (int i = 0; i < 1000; ++i) details[std::to_string(i)] = "";
    }
  }

  void Prepare(const std::string& bytes, Reply& reply) {
    if (++prepares_ == at_ && Is("hangs_in_prepare")) pause();
    if (prepares_ == at_ && Is("crashes_in_prepare")) std::abort();
    if (Is("lies_about_support")) {
      reply.mutable_unsupported()->set_reason("not in this release");
      reply.mutable_unsupported()->set_url("https://example.com/1");
      return;
    }
    if (Is("long_reason")) {
      reply.mutable_unsupported()->set_reason(std::string(70000, 'r'));
      return;
    }
    if (Is("wordy")) {
      reply.mutable_unsupported()->set_reason(std::string(5000, 'w'));
      return;
    }
    if (Is("escapes")) {
      reply.mutable_unsupported()->set_reason("\x1b[31mred");
      return;
    }
    if (Is("answers_all")) {
      reply.mutable_prepared()->set_handle(++handle_);
      return;
    }
    const auto model = ParseModel(bytes);
    if (!model) {
      reply.mutable_refused()->set_reason(model.error().message);
      return;
    }
    auto prepared = oracle_->Prepare(*model);
    if (auto* ready = std::get_if<std::unique_ptr<PreparedModel>>(&prepared)) {
      prepared_[++handle_] = std::move(*ready);
      reply.mutable_prepared()->set_handle(handle_);
    } else {
      reply.mutable_refused()->set_reason("the oracle refuses it");
    }
  }

  // Whether the model's inputs are those of about one case in three.
  static bool IsKiller(const worker::Run& run) {
    unsigned sum = 0;
    for (const char c : run.inputs(0).data()) sum += static_cast<unsigned char>(c);
    return sum % 3 == 0;
  }

  void Misbehave(const worker::Run& run) {
    if (Is("slow")) usleep(2000);
    if (Is("slower")) usleep(20000);
    if (Is("hangs_dripping")) {
      for (;;) {
        std::fputc('.', stderr);
        usleep(200);
      }
    }
    if (Is("hangs")) {
      std::fprintf(stderr, "waiting for the device\n");
      for (;;) pause();
    }
    if (Is("crashes")) {
      std::fprintf(stderr, "assertion failed: cols %% 16 == 0\n");
      signal(SIGSEGV, SIG_DFL);  // a sanitizer has a handler of its own
      raise(SIGSEGV);
    }
    if (Is("crashes_on_some") && IsKiller(run)) raise(SIGABRT);
    if (Is("exits")) std::exit(3);
    if (Is("closes")) {
      close(1);
      pause();
    }
    if (Is("garbage_before")) Say("Loading model...\n");
    if (Is("garbage_inside")) {
      const char bytes[] = "\x05\0\0\0hello";
      Say({bytes, 9});
    }
    if (Is("million_tensors")) SayOutputs(std::string("\x0a\0", 2), 15000000);
    if (Is("many_tensors")) SayOutputs(std::string("\x0a\0", 2), 1000000);
    if (Is("many_dimensions")) {
      std::string dims("\x12\x80\x89\x7a", 4);  // 2000000 bytes, each a number
      dims += std::string(2000000, '\1');
      SayOutputs("\x0a\x84\x89\x7a" + dims, 1);
    }
    if (Is("many_unknown_fields")) SayOutputs(std::string("\x78\1", 2), 1000000);
    if (Is("announces_much")) Say(std::string("\0\0\0\x03", 4));  // 48 MiB
    if (Is("endless")) {
      for (;;) Say(std::string(65536, '\0'));
    }
    if (Is("floods_stderr")) {
      for (int i = 0; i < 40000; ++i) std::fprintf(stderr, "line %d\n", i);
    }
    if (Is("grows")) {
      for (;;) {
        char* memory = static_cast<char*>(std::malloc(size_t{8} << 20));
        if (memory == nullptr) pause();
        std::memset(memory, 1, size_t{8} << 20);
        usleep(1000);
      }
    }
  }

  void Run(const worker::Run& run, Reply& reply) {
    ++runs_;
    if (Is("answers_all")) {  // of type BOOL, which no operator gives
      worker::Tensor& tensor = *reply.mutable_outputs()->add_tensors();
      tensor.set_data_type(9);
      tensor.add_dims(1);
      tensor.set_data(std::string(8, '\0'));
      return;
    }
    const auto found = prepared_.find(run.handle());
    if (found == prepared_.end()) {
      reply.mutable_error()->set_text("no such handle");
      return;
    }
    const bool now = runs_ == at_ || (at_ == 0);
    if (now) Misbehave(run);
    std::vector<TensorView> inputs;
    for (const worker::Tensor& input : run.inputs()) {
      inputs.push_back(
          {*DataTypeFromNumber(input.data_type()),
           std::span(input.dims().data(), static_cast<size_t>(input.dims_size())),
           std::as_bytes(std::span(input.data()))});
    }
    RunResult result = found->second->Run(inputs);
    auto* outputs = std::get_if<Outputs>(&result);
    if (outputs == nullptr) {
      reply.mutable_refused()->set_reason("the oracle refuses it");
      return;
    }
    Tensor& y = outputs->front();
    worker::Tensor message;
    message.set_data_type(static_cast<int32_t>(y.type));
    message.mutable_dims()->Add(y.shape.begin(), y.shape.end());
    std::string& data = *message.mutable_data();
    data.assign(reinterpret_cast<const char*>(y.data.data()), y.data.size());
    if (now && Is("wrong_type")) message.set_data_type(message.data_type() == 2 ? 3 : 2);
    if (now && Is("unknown_type")) message.set_data_type(99);
    if (now && Is("wrong_shape")) message.add_dims(2);
    if (now && Is("short_data") && !data.empty()) data.pop_back();
    if (Is("unsteady") && !data.empty()) {
      data[0] = static_cast<char>(data[0] ^ (runs_ & 1));
    }
    const bool is_of_x = inputs[0].data.size() == sizeof(float) * data.size();
    if (Is("unsteady_nan") && is_of_x) {  // as QL-12 allows
      for (size_t i = 0; i < data.size(); ++i) {
        float x;
        std::memcpy(&x, inputs[0].data.data() + i * sizeof(x), sizeof(x));
        if (std::isnan(x)) data[i] = static_cast<char>(runs_ & 0x7F);
      }
    }
    const auto count = ElementCount(y.shape);
    if (Is("dirty_padding") && !data.empty()) {
      const auto unused = std::to_integer<int>(~LastByteMask(y.type, *count));
      data.back() = static_cast<char>(data.back() ^ (0x55 * runs_ & unused));
    }
    if (now && Is("nowhere")) message.mutable_shared()->set_size(4);
    if (now && Is("shares_much")) message.mutable_shared()->set_size(uint64_t{1} << 40);
    worker::Outputs& tensors = *reply.mutable_outputs();
    *tensors.add_tensors() = message;
    if (now && Is("too_many")) *tensors.add_tensors() = message;
    if (now && Is("none")) tensors.clear_tensors();
    if (now && Is("out_of_order")) reply.set_seq(reply.seq() - 1);
    if (now && Is("answers_prepare")) reply.mutable_prepared()->set_handle(1);
    if (now && Is("answers_nothing")) reply.clear_body();
  }

  // Answers the first run with so many copies of the bytes in Reply.outputs.
  void SayOutputs(const std::string& bytes, size_t count) const {
    const auto varint = [](uint64_t value) {
      std::string text;
      for (; value >= 0x80; value >>= 7) text += static_cast<char>(value | 0x80);
      return text + static_cast<char>(value);
    };
    const std::string head = "\x22" + varint(bytes.size() * count);
    const uint64_t length = head.size() + bytes.size() * count;
    for (int shift = 0; shift < 32; shift += 8) {
      const auto byte = static_cast<char>(length >> shift);
      Say({&byte, 1});
    }
    Say(head);
    std::string part;
    for (size_t i = 0; i < count; ++i) {
      part += bytes;
      if (part.size() > 65536 || i + 1 == count) Say(std::exchange(part, {}));
    }
    pause();
  }

  static void Say(std::string_view bytes) {
    if (!WriteWhole(1, bytes)) std::exit(1);
  }

  static void Send(const Reply& reply) {
    std::string frame;
    if (!worker::AppendFrame(reply, frame)) std::exit(1);
    Say(frame);
  }

  std::string mode_;
  int at_;  // 0: every run
  int runs_ = 0;
  int prepares_ = 0;
  uint64_t handle_ = 0;
  std::unique_ptr<Backend> oracle_ = MakeOracleBackend();
  std::map<uint64_t, std::unique_ptr<PreparedModel>> prepared_;
};

// Its answer to a whole model has one element for each output: how many bytes of the
// model are '7'.
class CountsBytes : public Backend, public RunsWholeModels {
 public:
  const BackendInfo& info() const override { return info_; }
  PrepareResult Prepare(const Model&) override { return Unsupported{"small", ""}; }
  PrepareResult PrepareWhole(const WholeModel& model) override {
    return std::make_unique<Prepared>(
        std::count(model.bytes.begin(), model.bytes.end(), '7'), model.outputs.size());
  }

 private:
  class Prepared : public PreparedModel {
   public:
    Prepared(int64_t count, size_t outputs) : count_(count), outputs_(outputs) {}
    RunResult Run(std::span<const TensorView>) override {
      Outputs outputs;
      for (size_t i = 0; i < outputs_; ++i) {
        outputs.push_back(Tensor::Zeros(DataType::kInt64, {}));
        std::memcpy(outputs.back().data.data(), &count_, sizeof count_);
      }
      return outputs;
    }

   private:
    int64_t count_;
    size_t outputs_;
  };

  BackendInfo info_{.kind = "counts",
                    .name = "counts",
                    .version = "1",
                    .vendor = "",
                    .device = "",
                    .details = {}};
};

bool Serves(std::unique_ptr<Backend> (*make)()) {
  return ServeBackend([make] { return Result(make()); }).ok();
}

}  // namespace
}  // namespace qconform

int main(int argc, char** argv) {
  using qconform::Backend;
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "serves") return qconform::Serves(qconform::MakeOracleBackend) ? 0 : 1;
  if (mode == "serves_whole") {
    return qconform::Serves(
               [] { return std::unique_ptr<Backend>(new qconform::CountsBytes); })
               ? 0
               : 1;
  }
  qconform::Faux(argc > 1 ? argv[1] : "honest", argc > 2 ? std::atoi(argv[2]) : 1)
      .Serve();
}
