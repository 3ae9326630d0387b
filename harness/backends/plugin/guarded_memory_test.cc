#include "harness/backends/plugin/guarded_memory.h"

#include <gtest/gtest.h>

namespace qconform {
namespace {

TEST(GuardedBuffer, PlaceAtEnd_TheNextByteIsAFault) {
  const auto buffer = GuardedBuffer::Create(100);
  ASSERT_TRUE(buffer.ok());
  const auto bytes = (*buffer)->PlaceAtEnd(100);
  bytes[99] = std::byte{1};
  EXPECT_DEATH(*const_cast<volatile std::byte*>(bytes.data() + 100) = std::byte{1}, "");
}

TEST(GuardedBuffer, PlaceAtStart_TheByteBeforeIsAFault) {
  const auto buffer = GuardedBuffer::Create(100);
  ASSERT_TRUE(buffer.ok());
  const auto bytes = (*buffer)->PlaceAtStart(100, 0);
  bytes[0] = std::byte{1};
  EXPECT_DEATH(*const_cast<volatile std::byte*>(bytes.data() - 1) = std::byte{1}, "");
}

TEST(GuardedBuffer, WrittenBesides_IsNotIntact) {
  const auto buffer = GuardedBuffer::Create(100);
  ASSERT_TRUE(buffer.ok());
  auto bytes = (*buffer)->PlaceAtEnd(100);
  EXPECT_TRUE((*buffer)->Intact());
  *(bytes.data() - 1) = std::byte{0};
  EXPECT_FALSE((*buffer)->Intact());
  bytes = (*buffer)->PlaceAtStart(100, 12);
  EXPECT_TRUE((*buffer)->Intact());
  *(bytes.data() + 100) = std::byte{0};
  EXPECT_FALSE((*buffer)->Intact());
}

TEST(GuardedPool, Take_GivesBackWhatWasReturned) {
  GuardedPool pool;
  const std::byte* place = nullptr;
  {
    const auto lease = pool.Take(5000);
    ASSERT_TRUE(lease.ok());
    EXPECT_GE((*lease)->capacity(), 5000u);
    place = (*lease)->PlaceAtStart(1, 0).data();
    const auto other = pool.Take(5000);
    EXPECT_NE((*other)->PlaceAtStart(1, 0).data(), place);
  }
  const auto empty = pool.Take(0);
  EXPECT_TRUE((*empty)->PlaceAtEnd(0).empty());
}

}  // namespace
}  // namespace qconform
