#include "harness/backends/process/reply_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdint>
#include <string>
#include <utility>

#include "harness/backends/process/messages.h"

namespace qconform {
namespace {

using testing::HasSubstr;
using worker::Reply;

Model ModelOf(Shape shape) {
  Model model;
  model.node.op_type = "QuantizeLinear";
  model.inputs = {{"x", DataType::kFloat, shape}};
  model.outputs = {{"y", DataType::kUint8, std::move(shape)}};
  return model;
}

// Returns a field of Protocol Buffers whose value is `bytes`.
std::string Field(int number, const std::string& bytes) {
  std::string field(1, static_cast<char>(number << 3 | 2));
  uint64_t size = bytes.size();
  for (; size >= 0x80; size >>= 7) field += static_cast<char>(size | 0x80);
  field += static_cast<char>(size);
  return field + bytes;
}

std::string Repeated(const std::string& bytes, size_t count) {
  std::string text;
  text.reserve(bytes.size() * count);
  for (size_t i = 0; i < count; ++i) text += bytes;
  return text;
}

std::string ErrorOf(const std::string& bytes, const ReplyLimits& limits) {
  const Status fits = CheckReply("reply", bytes, limits);
  return fits ? "" : fits.error().message;
}

uint64_t PeakBytes() {
  struct rusage used {};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<uint64_t>(used.ru_maxrss) * 1024;
}

TEST(CheckReply, WhatAWorkerMayAnswer_Fits) {
  Reply reply;
  worker::Tensor& tensor = *reply.mutable_outputs()->add_tensors();
  tensor.set_data_type(2);
  tensor.add_dims(1 << 20);
  tensor.add_dims(-1);
  tensor.set_data(std::string(1 << 20, 'x'));
  EXPECT_EQ(ErrorOf(reply.SerializeAsString(), RunReplyLimits(ModelOf({1 << 20}), false)),
            "");
  EXPECT_THAT(ErrorOf(reply.SerializeAsString(), RunReplyLimits(ModelOf({4}), false)),
              "");  // a wrong answer, which the judge describes
  reply.mutable_error()->set_text(std::string(60000, 'e'));
  for (int i = 0; i < 8; ++i) {
    worker::OtherOutputs& other = *reply.mutable_error()->add_others();
    *other.mutable_outputs()->add_tensors() = tensor;
  }
  EXPECT_EQ(ErrorOf(reply.SerializeAsString(), RunReplyLimits(ModelOf({1 << 20}), true)),
            "");
  reply.mutable_hello()->add_supports()->set_op_type("QuantizeLinear");
  EXPECT_EQ(ErrorOf(reply.SerializeAsString(), {}), "");
}

// Sizes that are named are known only when the model runs.
TEST(RunReplyLimits, NamedDimensions_LetAWorkerSendAllItCan) {
  EXPECT_EQ(RunReplyLimits(ModelOf({-1}), false).message_bytes(),
            worker::kMaxMessageBytes);
  EXPECT_LT(RunReplyLimits(ModelOf({1000}), false).message_bytes(), uint64_t{6} << 20);
  EXPECT_EQ(RunReplyLimits(ModelOf({int64_t{1} << 57}), true).message_bytes(),
            worker::kMaxMessageBytes);
}

// Each costs little in a message and much in memory; none is made to be counted.
TEST(CheckReply, TooMuch_IsCountedAndNotMade) {
  const ReplyLimits limits = RunReplyLimits(ModelOf({-1}), false);
  const std::string empty_tensor("\x0a\0", 2);
  const uint64_t before = PeakBytes();
  {
    const std::string reply = Field(4, Repeated(empty_tensor, 15000000));
    EXPECT_EQ(ErrorOf(reply, limits), "reply: expected at most 17 tensors, got 15000000");
  }
  {
    const std::string reply = Field(4, Field(1, Field(2, std::string(60000000, '\x01'))));
    EXPECT_EQ(ErrorOf(reply, limits),
              "reply: expected at most 1088 dimensions, got 60000000");
  }
  // One at a time, and in errors.
  EXPECT_EQ(ErrorOf(Field(4, Field(1, Repeated("\x10\x01", 2000))), limits),
            "reply: expected at most 1088 dimensions, got 2000");
  EXPECT_EQ(ErrorOf(Field(7, Field(4, Field(3, Repeated(empty_tensor, 400)))), limits),
            "reply: expected at most 17 tensors, got 400");
  EXPECT_EQ(ErrorOf(Field(7, Repeated(Field(4, ""), 5000)), limits),
            "reply: expected at most 16 other answers, got 5000");
  EXPECT_EQ(ErrorOf(Field(2, Repeated(Field(7, ""), 257)), limits),
            "reply: expected at most 256 details, got 257");
  EXPECT_EQ(ErrorOf(Field(2, Repeated(Field(9, ""), 1025)), limits),
            "reply: expected at most 1024 operators, got 1025");
  EXPECT_EQ(ErrorOf(Repeated(Field(14, ""), 100), limits),
            "reply: expected at most 64 unknown fields, got 100");
  // A number in the place of a text, which Protocol Buffers keeps as unknown.
  EXPECT_EQ(ErrorOf(Field(7, Repeated(std::string("\x08\x01", 2), 100)), limits),
            "reply: expected at most 64 unknown fields, got 100");
  EXPECT_EQ(ErrorOf(Field(7, Field(1, std::string(65537, 'e'))), limits),
            "reply: expected a text of at most 65536 bytes, got 65537 bytes");
  // The same shared memory again and again.
  Reply reply;
  for (int i = 0; i < 4; ++i) {
    reply.mutable_outputs()->add_tensors()->mutable_shared()->set_size(uint64_t{1} << 62);
  }
  EXPECT_THAT(ErrorOf(reply.SerializeAsString(), RunReplyLimits(ModelOf({9}), false)),
              HasSubstr("bytes of elements, got 18446744073709551615"));
  EXPECT_LT(PeakBytes() - before, uint64_t{200} << 20);
}

TEST(CheckReply, WhatCannotBeCounted_IsNotRead) {
  const std::string good = Field(4, Field(1, Field(3, "data")));
  for (size_t size = 1; size < good.size(); ++size) {
    EXPECT_THAT(ErrorOf(good.substr(0, size), {}), HasSubstr("cannot be read")) << size;
  }
  for (const std::string& bytes :
       {std::string("\x23\x24", 2),                     // a group
        std::string("\x02\0", 2),                       // the number 0
        std::string("\x08" + std::string(11, '\x80')),  // a number without an end
        std::string("\x22\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11)}) {
    EXPECT_THAT(ErrorOf(bytes, {}), HasSubstr("cannot be read"));
  }
  // Deeper than any message of the protocol.
  EXPECT_EQ(ErrorOf("", {}), "");
}

}  // namespace
}  // namespace qconform
