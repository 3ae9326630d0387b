// What comes over the pipe, in both directions: any bytes are messages or one Error.
#include <unistd.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cases/model/serialize.h"
#include "harness/backends/process/compact_model.h"
#include "harness/backends/process/handshake.h"
#include "harness/backends/process/messages.h"
#include "harness/backends/process/serve.h"
#include "oracle/base/file.h"
#include "oracle/base/testing/tested_reader.h"

namespace qconform {
namespace {

std::string Frame(const google::protobuf::Message& message) {
  std::string frame;
  Require(worker::AppendFrame(message, frame).ok(), "a message can be written");
  return frame;
}

std::vector<std::string> Bodies(const auto& messages) {
  std::vector<std::string> bodies;
  for (const auto& message : messages) {
    bodies.push_back(Frame(message).substr(worker::kLengthBytes));
  }
  return bodies;
}

Model ExampleModel() {
  Model model;
  model.opset_version = 21;
  model.ir_version = 10;
  model.node = {"QuantizeLinear", "", {"x", "y_scale"}, {"y"}, {{"axis", int64_t{0}}}};
  model.inputs = {{"x", DataType::kFloat, {2, 3}}};
  model.outputs = {{"y", DataType::kUint8, {2, 3}}};
  model.initializers = {{"y_scale", Tensor::Zeros(DataType::kFloat, {})}};
  return model;
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
ReadAs RequireReadAsWritten(std::string_view bytes, Message& message) {
  const Status read = worker::Parse(bytes, message);
  if (!read) return Outcome(read);
  Message again;
  std::string frame;
  if (!worker::AppendFrame(message, frame)) return ReadAs::kError;
  Require(
      worker::Parse(std::string_view(frame).substr(worker::kLengthBytes), again).ok() &&
          again.seq() == message.seq() && again.body_case() == message.body_case(),
      "a message is read as it was written");
  return ReadAs::kWhole;
}

// What a worker says.
ReadAs ReadReply(std::string_view bytes) {
  worker::Reply reply;
  const ReadAs read = RequireReadAsWritten(bytes, reply);
  if (read == ReadAs::kWhole && reply.has_hello()) {
    if (const Status fits = CheckHello(reply.hello()); !fits) return Outcome(fits);
    DeclinedByHello(reply.hello(), ExampleModel());
  }
  return read;
}

// What a harness asks a worker.
ReadAs ReadRequest(std::string_view bytes) {
  worker::Request request;
  const ReadAs read = RequireReadAsWritten(bytes, request);
  if (read == ReadAs::kWhole && request.has_prepare()) {
    const std::string& model = request.prepare().model();
    if (!model.empty()) Outcome(ParseModel(model));
  }
  return read;
}

// The pipe itself: lengths and messages, up to its end.
ReadAs ReadFrames(std::string_view bytes) {
  if (bytes.size() > 60'000) return ReadAs::kError;  // what a pipe holds
  int ends[2];
  Require(pipe(ends) == 0, "a pipe can be made");
  const Descriptor in(ends[0]);
  Require(WriteWhole(ends[1], bytes) && close(ends[1]) == 0, "a pipe takes these bytes");
  FrameReader reader(in.get());
  for (ReadAs so_far = ReadAs::kPart;; so_far = ReadAs::kWhole) {
    const auto next = reader.Next();
    if (!next) return Outcome(next);
    if (!*next) return so_far;
    ReadRequest(**next);
  }
}

ReadAs ReadCompactModel(std::string_view bytes) {
  const Result<Model> model = DecodeCompactModel(bytes);
  if (!model) return Outcome(model);
  const Result<Model> again = DecodeCompactModel(EncodeCompactModel(*model));
  Require(again.ok() && *again == *model, "a model is read as it was written");
  return ReadAs::kWhole;
}

}  // namespace

std::vector<TestedReader> TestedReaders() {
  // Protobuf's messages end where their last field does, so a part may be a message;
  // the length in front tells them apart.
  return {{"worker_reply", ReadReply, [] { return Bodies(Replies()); }, true},
          {"worker_request", ReadRequest, [] { return Bodies(Requests()); }, true},
          {"worker_frames", ReadFrames,
           [] {
             std::vector<std::string> frames;
             for (const auto& request : Requests()) frames.push_back(Frame(request));
             return frames;
           }},
          {"compact_model", ReadCompactModel,
           [] { return std::vector{EncodeCompactModel(ExampleModel())}; }}};
}

}  // namespace qconform
