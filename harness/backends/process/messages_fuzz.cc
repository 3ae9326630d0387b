// Any bytes that a worker or a harness writes to the pipe are a message or one error.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "harness/backends/process/messages.h"
#include "oracle/base/testing/fuzz_seeds.h"

namespace {

using namespace qconform;

std::string Seed(const google::protobuf::Message& message, char kind) {
  std::string frame;
  if (!worker::AppendFrame(message, frame).ok()) std::abort();
  return kind + frame.substr(worker::kLengthBytes);
}

worker::Tensor ExampleTensor() {
  worker::Tensor tensor;
  tensor.set_data_type(1);
  tensor.add_dims(2);
  tensor.add_dims(3);
  tensor.set_data(std::string(24, 'x'));
  return tensor;
}

// One request of each kind.
std::vector<worker::Request> Requests() {
  std::vector<worker::Request> requests(4);
  requests[0].mutable_hello()->set_protocol_version(worker::kProtocolVersion);
  requests[1].mutable_prepare()->set_model("model");
  requests[2].mutable_run()->set_handle(1);
  for (int i = 0; i < 2; ++i) *requests[2].mutable_run()->add_inputs() = ExampleTensor();
  requests[3].mutable_release()->set_handle(1);
  return requests;
}

// One reply of each kind, and one more error.
std::vector<worker::Reply> Replies() {
  std::vector<worker::Reply> replies(6);
  worker::HelloReply& hello = *replies[0].mutable_hello();
  hello.set_name("example");
  (*hello.mutable_details())["device"] = "cpu";
  hello.add_supports()->set_op_type("QuantizeLinear");
  replies[1].mutable_prepared()->set_handle(1);
  *replies[2].mutable_outputs()->add_tensors() = ExampleTensor();
  replies[3].mutable_unsupported()->set_url("https://example.com");
  replies[4].mutable_error()->set_text("failed");
  worker::Error& unsteady = *replies[5].mutable_error();
  unsteady.set_kind(worker::Error::NONDETERMINISTIC);
  *unsteady.mutable_first()->add_tensors() = ExampleTensor();
  worker::OtherOutputs& other = *unsteady.add_others();
  other.set_changed("threads");
  *other.mutable_outputs()->add_tensors() = ExampleTensor();
  return replies;
}

template <typename Message>
void RequireReadAsWritten(std::string_view bytes) {
  Message message, again;
  std::string frame;
  if (!worker::Parse(bytes, message) || !worker::AppendFrame(message, frame)) return;
  const Status read =
      worker::Parse(std::string_view(frame).substr(worker::kLengthBytes), again);
  Require(read.ok() && again.seq() == message.seq() &&
              again.body_case() == message.body_case(),
          "a message is read as it was written");
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  std::vector<std::string> seeds;
  for (const worker::Request& request : Requests()) {
    seeds.push_back(Seed(request, '\1'));
  }
  for (const worker::Reply& reply : Replies()) seeds.push_back(Seed(reply, '\0'));
  WriteSeedsIfAsked(seeds);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 2 == 0) {
    RequireReadAsWritten<worker::Reply>(bytes);
  } else {
    RequireReadAsWritten<worker::Request>(bytes);
  }
  return 0;
}
