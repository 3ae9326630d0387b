#include "harness/backends/process/messages.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "harness/backends/process/serve.h"
#include "oracle/base/file.h"

namespace qconform {
namespace {

worker::Request Release(uint64_t seq) {
  worker::Request request;
  request.set_seq(seq);
  request.mutable_release()->set_handle(9);
  return request;
}

TEST(FrameLength, IsReadFromFourBytes_TheLowestFirst) {
  const std::string bytes{"\x04\x03\x02\x81, and more"};
  EXPECT_EQ(worker::FrameLength(bytes), 0x81020304u);
  for (size_t size = 0; size < worker::kLengthBytes; ++size) {
    EXPECT_FALSE(worker::FrameLength(std::string_view(bytes).substr(0, size)));
  }
  std::string frame;
  ASSERT_TRUE(worker::AppendFrame(Release(7), frame));
  EXPECT_EQ(worker::FrameLength(frame), frame.size() - worker::kLengthBytes);
}

TEST(FrameReader, MessagesSentTogether_ComeOneByOne) {
  std::string frames;
  for (uint64_t seq = 1; seq <= 2; ++seq) {
    ASSERT_TRUE(worker::AppendFrame(Release(seq), frames));
  }
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_TRUE(WriteWhole(ends[1], frames + std::string(3, '\0')));  // cut in its length
  close(ends[1]);
  FrameReader reader(ends[0]);
  for (uint64_t seq = 1; seq <= 2; ++seq) {
    const auto frame = reader.Next();
    ASSERT_TRUE(frame.ok() && frame->has_value());
    worker::Request request;
    ASSERT_TRUE(worker::Parse(**frame, request));
    EXPECT_EQ(request.seq(), seq);
    EXPECT_EQ(reader.HasAnother(), seq == 1);
  }
  const auto cut = reader.Next();
  ASSERT_FALSE(cut.ok());
  EXPECT_EQ(cut.error().message,
            "message: expected all of its bytes, got the end of the input after 3");
  close(ends[0]);
}

TEST(FrameReader, EndBetweenMessages_IsTheEnd) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[1]);
  const auto end = FrameReader(ends[0]).Next();
  EXPECT_TRUE(end.ok() && !end->has_value());
  close(ends[0]);
}

}  // namespace
}  // namespace qconform
