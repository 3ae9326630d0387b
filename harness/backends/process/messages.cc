#include "harness/backends/process/messages.h"

#include <google/protobuf/arena.h>

#include <utility>

#include "cases/model/tensor_proto.h"
#include "cases/model/text.h"
#include "worker.pb.h"

namespace qconform::worker {
namespace {

namespace wire = worker_protocol;

void ToWire(TensorMessage&& from, wire::Tensor& to) {
  to.set_data_type(from.data_type);
  to.mutable_dims()->Add(from.dims.begin(), from.dims.end());
  if (from.shared) {
    to.mutable_shared()->set_offset(from.shared->offset);
    to.mutable_shared()->set_size(from.shared->size);
  } else {
    to.set_data(std::move(from.data));
  }
}

TensorMessage FromWire(wire::Tensor& from) {
  TensorMessage to;
  to.data_type = from.data_type();
  to.dims.assign(from.dims().begin(), from.dims().end());
  if (from.has_shared()) {
    to.shared = SharedRange{from.shared().offset(), from.shared().size()};
  } else {
    to.data = std::move(*from.mutable_data());
  }
  return to;
}

void ToWire(OutputTensors&& from, wire::Outputs& to) {
  for (TensorMessage& tensor : from.tensors) {
    ToWire(std::move(tensor), *to.add_tensors());
  }
}

OutputTensors FromWire(wire::Outputs& from) {
  OutputTensors to;
  for (wire::Tensor& tensor : *from.mutable_tensors()) {
    to.tensors.push_back(FromWire(tensor));
  }
  return to;
}

ErrorReply FromWire(wire::Error& from) {
  ErrorReply to{std::move(*from.mutable_text())};
  if (from.kind() == wire::Error::INVALID_OUTPUT) {
    to.kind = ErrorReply::Kind::kInvalidOutput;
  } else if (from.kind() == wire::Error::NONDETERMINISTIC) {
    to.kind = ErrorReply::Kind::kNondeterministic;
  } else if (from.kind() == wire::Error::HARNESS) {
    to.kind = ErrorReply::Kind::kHarness;
  }
  if (from.others().empty()) return to;
  to.first = FromWire(*from.mutable_first());
  for (wire::OtherOutputs& other : *from.mutable_others()) {
    to.others.push_back({std::move(*other.mutable_changed()),
                         std::move(*other.mutable_text()),
                         FromWire(*other.mutable_outputs())});
  }
  return to;
}

template <typename Message>
Status Append(const Message& message, std::string& out) {
  const size_t size = message.ByteSizeLong();
  if (size > kMaxMessageBytes) {
    return Error{"a message of " + std::to_string(size) + " bytes is over the limit of " +
                 std::to_string(kMaxMessageBytes) + " bytes"};
  }
  const size_t begin = out.size();
  out.resize(begin + 4 + size);
  for (int i = 0; i < 4; ++i) {
    out[begin + i] = static_cast<char>(static_cast<uint8_t>(size >> (8 * i)));
  }
  message.SerializeWithCachedSizesToArray(reinterpret_cast<uint8_t*>(&out[begin + 4]));
  return Ok();
}

struct RequestToWire {
  wire::Request& to;
  void operator()(std::monostate) {}
  void operator()(Hello&& from) {
    auto& hello = *to.mutable_hello();
    hello.set_protocol_version(from.protocol_version);
    hello.set_harness(std::move(from.harness));
    hello.set_max_message_bytes(from.max_message_bytes);
    hello.set_shared_memory_path(std::move(from.shared_memory_path));
    hello.set_shared_memory_size(from.shared_memory_size);
  }
  void operator()(Prepare&& from) {
    if (from.compact_model.empty()) {
      to.mutable_prepare()->set_model(std::move(from.model));
    } else {
      to.mutable_prepare()->set_compact_model(std::move(from.compact_model));
    }
  }
  void operator()(Run&& from) {
    auto& run = *to.mutable_run();
    run.set_handle(from.handle);
    for (TensorMessage& input : from.inputs) ToWire(std::move(input), *run.add_inputs());
    if (from.output_room.size > 0) {
      run.mutable_output_room()->set_offset(from.output_room.offset);
      run.mutable_output_room()->set_size(from.output_room.size);
    }
    run.set_guarded(from.guarded);
  }
  void operator()(Release&& from) { to.mutable_release()->set_handle(from.handle); }
};

// Texts may come from foreign code; Protocol Buffers would not read what is no UTF-8.
struct ReplyToWire {
  wire::Reply& to;
  void operator()(std::monostate) {}
  void operator()(HelloReply&& from) {
    auto& hello = *to.mutable_hello();
    hello.set_protocol_version(from.protocol_version);
    hello.set_name(AsUtf8(from.name));
    hello.set_version(AsUtf8(from.version));
    hello.set_vendor(AsUtf8(from.vendor));
    hello.set_device(AsUtf8(from.device));
    hello.set_homepage(AsUtf8(from.homepage));
    for (const auto& [key, value] : from.details) {
      (*hello.mutable_details())[AsUtf8(key)] = AsUtf8(value);
    }
    hello.set_shared_memory(from.shared_memory);
    for (const OperatorSupport& support : from.supports) {
      auto& added = *hello.add_supports();
      added.set_op_type(AsUtf8(support.op_type));
      added.set_first_opset_version(support.first_opset_version);
      added.set_last_opset_version(support.last_opset_version);
    }
    hello.set_max_elements(from.max_elements);
  }
  void operator()(Prepared&& from) { to.mutable_prepared()->set_handle(from.handle); }
  void operator()(OutputTensors&& from) {
    ToWire(std::move(from), *to.mutable_outputs());
  }
  void operator()(Declined&& from) {
    to.mutable_unsupported()->set_reason(AsUtf8(from.reason));
    to.mutable_unsupported()->set_url(AsUtf8(from.url));
  }
  void operator()(RefusedReply&& from) {
    to.mutable_refused()->set_reason(AsUtf8(from.reason));
  }
  void operator()(ErrorReply&& from) {
    to.mutable_error()->set_text(AsUtf8(from.text));
    to.mutable_error()->set_kind(static_cast<wire::Error::Kind>(from.kind));
    if (from.others.empty()) return;
    ToWire(std::move(from.first), *to.mutable_error()->mutable_first());
    for (OtherOutputs& other : from.others) {
      auto& added = *to.mutable_error()->add_others();
      added.set_changed(std::move(other.changed));
      added.set_text(std::move(other.text));
      ToWire(std::move(other.outputs), *added.mutable_outputs());
    }
  }
};

HelloReply FromWire(const wire::HelloReply& from) {
  HelloReply hello;
  hello.protocol_version = from.protocol_version();
  hello.name = from.name();
  hello.version = from.version();
  hello.vendor = from.vendor();
  hello.device = from.device();
  hello.homepage = from.homepage();
  for (const auto& [key, value] : from.details()) hello.details[key] = value;
  hello.shared_memory = from.shared_memory();
  for (const auto& support : from.supports()) {
    hello.supports.push_back(
        {support.op_type(), support.first_opset_version(), support.last_opset_version()});
  }
  hello.max_elements = from.max_elements();
  return hello;
}

}  // namespace

std::optional<uint64_t> FrameLength(std::string_view bytes) {
  if (bytes.size() < kLengthBytes) return std::nullopt;
  uint64_t length = 0;
  for (size_t i = 0; i < kLengthBytes; ++i) {
    length |= uint64_t{static_cast<uint8_t>(bytes[i])} << (8 * i);
  }
  return length;
}

Status AppendFrame(Request request, std::string& out) {
  google::protobuf::Arena arena;
  auto& message = *google::protobuf::Arena::CreateMessage<wire::Request>(&arena);
  message.set_seq(request.seq);
  std::visit(RequestToWire{message}, std::move(request.body));
  return Append(message, out);
}

Status AppendFrame(Reply reply, std::string& out) {
  google::protobuf::Arena arena;
  auto& message = *google::protobuf::Arena::CreateMessage<wire::Reply>(&arena);
  message.set_seq(reply.seq);
  std::visit(ReplyToWire{message}, std::move(reply.body));
  return Append(message, out);
}

Result<Request> ParseRequest(std::string_view bytes) {
  google::protobuf::Arena arena;
  auto& message = *google::protobuf::Arena::CreateMessage<wire::Request>(&arena);
  if (!ParseQuietly(bytes, message)) {
    return Error{"the " + std::to_string(bytes.size()) +
                 " bytes are no Request of worker.proto"};
  }
  Request request{message.seq(), {}};
  switch (message.body_case()) {
    case wire::Request::kHello:
      request.body =
          Hello{message.hello().protocol_version(), message.hello().harness(),
                message.hello().max_message_bytes(), message.hello().shared_memory_path(),
                message.hello().shared_memory_size()};
      break;
    case wire::Request::kPrepare:
      request.body =
          Prepare{std::move(*message.mutable_prepare()->mutable_model()),
                  std::move(*message.mutable_prepare()->mutable_compact_model())};
      break;
    case wire::Request::kRun: {
      Run run{message.run().handle(), {}, {}, message.run().guarded()};
      for (auto& input : *message.mutable_run()->mutable_inputs()) {
        run.inputs.push_back(FromWire(input));
      }
      const auto& room = message.run().output_room();
      run.output_room = {room.offset(), room.size()};
      request.body = std::move(run);
      break;
    }
    case wire::Request::kRelease:
      request.body = Release{message.release().handle()};
      break;
    case wire::Request::BODY_NOT_SET:
      break;
  }
  return request;
}

Result<Reply> ParseReply(std::string_view bytes) {
  google::protobuf::Arena arena;
  auto& message = *google::protobuf::Arena::CreateMessage<wire::Reply>(&arena);
  if (!ParseQuietly(bytes, message)) {
    return Error{"the " + std::to_string(bytes.size()) +
                 " bytes are no Reply of worker.proto"};
  }
  Reply reply{message.seq(), {}};
  switch (message.body_case()) {
    case wire::Reply::kHello:
      reply.body = FromWire(message.hello());
      break;
    case wire::Reply::kPrepared:
      reply.body = Prepared{message.prepared().handle()};
      break;
    case wire::Reply::kOutputs:
      reply.body = FromWire(*message.mutable_outputs());
      break;
    case wire::Reply::kUnsupported:
      reply.body = Declined{message.unsupported().reason(), message.unsupported().url()};
      break;
    case wire::Reply::kRefused:
      reply.body = RefusedReply{message.refused().reason()};
      break;
    case wire::Reply::kError:
      reply.body = FromWire(*message.mutable_error());
      break;
    case wire::Reply::BODY_NOT_SET:
      break;
  }
  return reply;
}

}  // namespace qconform::worker
