// Whatever a worker or a harness writes to the pipe is a message or one error.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "harness/backends/process/messages.h"
#include "oracle/base/testing/fuzz_seeds.h"

namespace {

using namespace qconform;

std::string Seed(char kind, const std::string& frame) {
  return kind + frame.substr(4);  // the length left out
}
std::string RequestSeed(worker::Request request) {
  std::string frame;
  if (!worker::AppendFrame(std::move(request), frame).ok()) std::abort();
  return Seed('\1', frame);
}
std::string ReplySeed(worker::Reply reply) {
  std::string frame;
  if (!worker::AppendFrame(std::move(reply), frame).ok()) std::abort();
  return Seed('\0', frame);
}

template <typename Message>
void RequireSame(const Message& written, const Result<Message>& read) {
  Require(
      read.ok() && read->seq == written.seq && read->body.index() == written.body.index(),
      "a message is read as it was written");
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  worker::TensorMessage tensor;
  tensor.data_type = 1;
  tensor.dims = {2, 3};
  tensor.data = std::string(24, 'x');
  worker::HelloReply hello;
  hello.name = "example";
  hello.details["device"] = "cpu";
  hello.supports = {{"QuantizeLinear", 10, 25}};
  WriteSeedsIfAsked({
      RequestSeed({1, worker::Hello{}}),
      RequestSeed({2, worker::Prepare{"model"}}),
      RequestSeed({3, worker::Run{1, {tensor, tensor}}}),
      RequestSeed({4, worker::Release{1}}),
      ReplySeed({1, hello}),
      ReplySeed({2, worker::Prepared{1}}),
      ReplySeed({3, worker::OutputTensors{{tensor}}}),
      ReplySeed({4, worker::Declined{"no", "https://example.com"}}),
      ReplySeed({5, worker::ErrorReply{"failed"}}),
      ReplySeed({6, worker::ErrorReply{"unsteady",
                                       worker::ErrorReply::Kind::kNondeterministic,
                                       {{tensor}},
                                       {{"threads", "byte 3", {{tensor}}}}}}),
  });
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::string frame;
  if (data[0] % 2 == 0) {
    const Result<worker::Reply> reply = worker::ParseReply(bytes);
    if (!reply.ok() || !worker::AppendFrame(*reply, frame).ok()) return 0;
    RequireSame(*reply, worker::ParseReply(std::string_view(frame).substr(4)));
  } else {
    const Result<worker::Request> request = worker::ParseRequest(bytes);
    if (!request.ok() || !worker::AppendFrame(*request, frame).ok()) return 0;
    RequireSame(*request, worker::ParseRequest(std::string_view(frame).substr(4)));
  }
  return 0;
}
