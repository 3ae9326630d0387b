// A worker that does what its first argument says and answers as the oracle does
// otherwise: each way to fail has its expected verdict in faux_worker_test.cc.
//
//   faux_worker MODE [N]     the N-th run (from 1), or preparation, goes wrong
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cases/model/serialize.h"
#include "harness/backends/oracle/oracle_backend.h"
#include "harness/backends/process/messages.h"
#include "harness/backends/process/serve.h"

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
      auto request = worker::ParseRequest(**frame);
      if (!request) return;
      Reply reply{request->seq, {}};
      if (const auto* release = std::get_if<worker::Release>(&request->body)) {
        if (Is("crashes_in_release")) std::abort();
        prepared_.erase(release->handle);
        continue;
      }
      if (std::holds_alternative<worker::Hello>(request->body)) {
        if (Is("mute")) pause();
        if (Is("dies_at_once")) {
          std::fprintf(stderr, "no licence\n");
          std::exit(9);
        }
        Greet(reply);
      } else if (auto* prepare = std::get_if<worker::Prepare>(&request->body)) {
        Prepare(prepare->model, reply);
      } else {
        Run(std::get<worker::Run>(request->body), reply);
      }
      Send(std::move(reply));
    }
  }

 private:
  bool Is(const char* mode) const { return mode_ == mode; }

  void Greet(Reply& reply) const {
    worker::HelloReply hello;
    hello.protocol_version = Is("future") ? 2 : worker::kProtocolVersion;
    hello.name = "faux";
    hello.version = "1";
    if (Is("small_support")) hello.supports = {{"QuantizeLinear", 13, 0}};
    if (Is("lies_about_support")) hello.supports = {{"QuantizeLinear", 0, 0}};
    if (Is("small_tensors")) hello.max_elements = 1;
    if (Is("other_support")) hello.supports = {{"QLinearMatMul", 10, 0}};
    if (Is("long_vendor")) hello.vendor = std::string(5000, 'v');
    if (Is("long_detail")) hello.details["build"] = std::string(5000, 'd');
    if (Is("many_details")) {
      for (int i = 0; i < 1000; ++i) hello.details[std::to_string(i)] = "";
    }
    reply.body = hello;
  }

  void Prepare(const std::string& bytes, Reply& reply) {
    if (++prepares_ == at_ && Is("hangs_in_prepare")) pause();
    if (prepares_ == at_ && Is("crashes_in_prepare")) std::abort();
    if (Is("lies_about_support")) {
      reply.body = worker::Declined{"not in this release", "https://example.com/1"};
      return;
    }
    if (Is("escapes")) {
      reply.body = worker::Declined{"\x1b[31mred", ""};
      return;
    }
    if (Is("answers_all")) {
      reply.body = worker::Prepared{++handle_};
      return;
    }
    const auto model = ParseModel(bytes);
    if (!model) {
      reply.body = worker::RefusedReply{model.error().message};
      return;
    }
    auto prepared = oracle_->Prepare(*model);
    if (auto* ready = std::get_if<std::unique_ptr<PreparedModel>>(&prepared)) {
      prepared_[++handle_] = std::move(*ready);
      reply.body = worker::Prepared{handle_};
    } else {
      reply.body = worker::RefusedReply{"the oracle refuses it"};
    }
  }

  // Whether the model's inputs are those of about one case in three.
  static bool IsKiller(const worker::Run& run) {
    unsigned sum = 0;
    for (const char c : run.inputs[0].data) sum += static_cast<unsigned char>(c);
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
    if (Is("answers_all")) {  // of type INT64
      reply.body = worker::OutputTensors{{{7, {1}, std::string(8, '\0')}}};
      return;
    }
    const auto found = prepared_.find(run.handle);
    if (found == prepared_.end()) {
      reply.body = worker::ErrorReply{"no such handle"};
      return;
    }
    const bool now = runs_ == at_ || (at_ == 0);
    if (now) Misbehave(run);
    std::vector<TensorView> inputs;
    for (const auto& input : run.inputs) {
      inputs.push_back({*DataTypeFromNumber(input.data_type), input.dims,
                        std::as_bytes(std::span(input.data))});
    }
    RunResult result = found->second->Run(inputs);
    auto* outputs = std::get_if<Outputs>(&result);
    if (outputs == nullptr) {
      reply.body = worker::RefusedReply{"the oracle refuses it"};
      return;
    }
    Tensor& y = outputs->front();
    worker::TensorMessage message{
        static_cast<int32_t>(y.type),
        y.shape,
        {reinterpret_cast<const char*>(y.data.data()), y.data.size()}};
    if (now && Is("wrong_type")) message.data_type = message.data_type == 2 ? 3 : 2;
    if (now && Is("unknown_type")) message.data_type = 99;
    if (now && Is("wrong_shape")) message.dims.push_back(2);
    if (now && Is("short_data") && !message.data.empty()) message.data.pop_back();
    if (Is("unsteady") && !message.data.empty()) {
      message.data[0] = static_cast<char>(message.data[0] ^ (runs_ & 1));
    }
    const bool is_of_x = inputs[0].data.size() == sizeof(float) * message.data.size();
    if (Is("unsteady_nan") && is_of_x) {  // as QL-12 allows
      for (size_t i = 0; i < message.data.size(); ++i) {
        float x;
        std::memcpy(&x, inputs[0].data.data() + i * sizeof(x), sizeof(x));
        if (std::isnan(x)) message.data[i] = static_cast<char>(runs_ & 0x7F);
      }
    }
    const auto count = ElementCount(y.shape);
    if (Is("dirty_padding") && BitWidth(y.type) == 4 && *count % 2 != 0) {
      message.data.back() = static_cast<char>(message.data.back() ^ (runs_ << 4 & 0xF0));
    }
    if (now && Is("nowhere")) message.shared = worker::SharedRange{0, 4};
    worker::OutputTensors tensors;
    tensors.tensors.push_back(message);
    if (now && Is("too_many")) tensors.tensors.push_back(message);
    if (now && Is("none")) tensors.tensors.clear();
    if (now && Is("out_of_order")) reply.seq -= 1;
    reply.body = std::move(tensors);
    if (now && Is("answers_prepare")) reply.body = worker::Prepared{1};
    if (now && Is("answers_nothing")) reply.body = std::monostate();
  }

  static void Say(std::string_view bytes) {
    if (!WriteAll(1, bytes)) std::exit(1);
  }

  static void Send(Reply reply) {
    std::string frame;
    if (!worker::AppendFrame(std::move(reply), frame)) std::exit(1);
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

}  // namespace
}  // namespace qconform

int main(int argc, char** argv) {
  qconform::Faux(argc > 1 ? argv[1] : "honest", argc > 2 ? std::atoi(argv[2]) : 1)
      .Serve();
}
