// What a call does to the process and its threads, and what they may do to it: memory,
// stacks, exceptions that are trapped, and its end.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cfenv>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#if defined(__unix__)
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "harness/backends/simd/test_public_api.h"

namespace {
std::atomic<int64_t> allocations = 0;
std::atomic<bool> overwrites = false;  // what is freed
}  // namespace

// Those of the whole program, counted.
void* operator new(size_t size) {
  ++allocations;
  void* p = std::malloc(size == 0 ? 1 : size);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, size_t size) noexcept {
  if (overwrites) std::memset(p, 0xEE, size);
  std::free(p);
}

namespace qconform::kernels {
namespace {

TEST(PublicApi, OneThread_AllocatesNothing) {
  constexpr size_t kRows = 96;
  constexpr size_t kColumns = 96;
  const std::array<int64_t, 2> shape = {kRows, kColumns};
  const std::vector<float> x(kRows * kColumns, 2.5f);
  const std::vector<float> scale(kRows * kColumns, 0.5f);
  const std::array<int64_t, 0> scalar{};
  const std::array<int64_t, 1> one_axis = {kColumns};
  const std::array<int64_t, 2> blocks = {kRows / 32, kColumns};
  const std::array<std::span<const int64_t>, 3> granularities = {scalar, one_axis,
                                                                 blocks};
  std::vector<std::byte> y(2 * kRows * kColumns);
  for (const Type type : {Type::kUint8, Type::kInt4, Type::kInt16, Type::kFloat8E4M3FN}) {
    for (const auto scale_shape : granularities) {
      const auto quantize = [&] {
        QuantizeLinearAttributes attributes;
        attributes.axis = scale_shape.size() == 2 ? 0 : 1;
        attributes.block_size = scale_shape.size() == 2 ? 32 : 0;
        size_t scales = 1;
        for (const int64_t size : scale_shape) scales *= static_cast<size_t>(size);
        const Input by = {Type::kFloat, scale_shape,
                          std::as_bytes(std::span(scale).first(scales))};
        const auto bytes = ByteSize(type, kRows * kColumns);
        return QuantizeLinear(In(Type::kFloat, shape, x), by, std::nullopt, type,
                              attributes, std::span(y).first(bytes));
      };
      EXPECT_FALSE(quantize());
      const int64_t before = allocations;
      const Error error = quantize();
      const int64_t made = allocations - before;
      EXPECT_FALSE(error) << error.message;
      EXPECT_EQ(made, 0);
    }
  }
}

// All types by all scales' types in all precisions, with or without zero points.
void EachKind(
    const std::function<void(const Input& x, const Input& y_scale,
                             const std::optional<Input>& y_zero_point, Type y_type,
                             Type precision, std::span<std::byte> y)>& call) {
  constexpr int64_t kCount = 1000;
  const std::array<int64_t, 1> vector = {kCount};
  const std::array<int64_t, 0> scalar{};
  std::vector<std::byte> x(4 * kCount);
  std::vector<std::byte> scale(4 * kCount);
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<std::byte>(i * 2654435761u >> 13);
    scale[i] = static_cast<std::byte>((i * 2246822519u >> 11) & 0x3F);
  }
  const std::vector<std::byte> zero_point(2 * kCount, std::byte{1});
  std::vector<std::byte> y(2 * kCount);
  using enum Type;
  for (const Type x_type : {kFloat, kFloat16, kBfloat16, kInt32}) {
    for (const Type scale_type : {kFloat, kFloat16, kBfloat16, kInt32, kFloat8E8M0}) {
      for (const Type y_type :
           {kUint8, kInt16, kInt4, kUint2, kFloat8E4M3FN, kFloat8E5M2FNUZ, kFloat4E2M1}) {
        for (const Type precision : {kUndefined, kFloat, kFloat16, kBfloat16, kDouble}) {
          for (const int kind : {0, 1, 2, 3}) {
            const int64_t scales = kind % 2 == 0 ? 1 : kCount;
            const auto shape = kind % 2 == 0 ? std::span<const int64_t>(scalar) : vector;
            const auto in = [&](Type type, std::span<const std::byte> data) {
              return Input{type, shape, data.first(ByteSize(type, scales))};
            };
            std::optional<Input> zero_points;
            if (kind >= 2) zero_points = in(y_type, zero_point);
            call({x_type, vector, std::span(x).first(ByteSize(x_type, kCount))},
                 in(scale_type, scale), zero_points, y_type, precision,
                 std::span(y).first(ByteSize(y_type, kCount)));
          }
        }
      }
    }
  }
}

#if defined(__GLIBC__)
TEST(PublicApi, TrappedExceptions_AreNotRaised_AndFlagsAreKept) {
  int calls = 0;
  int flagged = 0;
  EachKind([&](const Input& x, const Input& y_scale,
               const std::optional<Input>& y_zero_point, Type y_type, Type precision,
               std::span<std::byte> y) {
    std::feclearexcept(FE_ALL_EXCEPT);
    const int trapped = feenableexcept(FE_ALL_EXCEPT);  // of no effect on some CPUs
    const Error error = QuantizeLinear(x, y_scale, y_zero_point, y_type,
                                       {.axis = 0, .precision = precision}, y);
    if (trapped != -1) fedisableexcept(FE_ALL_EXCEPT);
    flagged += std::fetestexcept(FE_ALL_EXCEPT) != 0;
    EXPECT_FALSE(error) << error.message;
    ++calls;
  });
  EXPECT_EQ(calls, 4 * 5 * 7 * 5 * 4);
  EXPECT_EQ(flagged, 0);
}
#endif

#if defined(__unix__)
#if !defined(__SANITIZE_ADDRESS__)  // which takes a stack of its own for variables
TEST(PublicApi, StackOfTheHeader_IsEnough) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 192 << 10), 0);
  pthread_t thread;
  const auto run = [](void*) -> void* {
    EachKind([](const Input& x, const Input& y_scale,
                const std::optional<Input>& y_zero_point, Type y_type, Type precision,
                std::span<std::byte> y) {
      for (const int threads : {1, 2}) {
        EXPECT_FALSE(QuantizeLinear(x, y_scale, y_zero_point, y_type,
                                    {.axis = 0, .precision = precision}, y, threads));
      }
    });
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, nullptr), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}
#endif

// Returns whether 1 << 16 elements are quantized as they should be.
bool QuantizesRight(int threads) {
  constexpr size_t kCount = 1 << 16;
  static const auto* const x = new std::vector<float>(kCount, 2.5f);
  const std::array<int64_t, 1> shape = {kCount};
  const std::array<int64_t, 0> scalar{};
  std::vector<std::byte> y(kCount);
  const Error error = QuantizeLinear(In(Type::kFloat, shape, *x),
                                     In(Type::kFloat, scalar, std::array<float, 1>{1}),
                                     std::nullopt, Type::kUint8, {}, y, threads);
  return !error && y == std::vector<std::byte>(kCount, std::byte{2});
}

// Made before the first call, and so destroyed after all that a call makes.
struct AtExit {
  ~AtExit() {
    if (calls) _exit(QuantizesRight(1) && QuantizesRight(2) ? 0 : 1);
  }
  bool calls = false;
} at_exit;

// Returns the status with which a child ends.
template <typename Work>
int StatusOfChild(const Work& work) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    overwrites = true;
    work();
    std::exit(2);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

TEST(PublicApi, CallsAtExit_AreServed) {
  ASSERT_TRUE(QuantizesRight(1));
  EXPECT_EQ(StatusOfChild([] {
              at_exit.calls = true;
              if (QuantizesRight(2)) std::exit(2);
            }),
            0);
}

#if defined(__GLIBC__)
// As musl's.
TEST(PublicApi, SmallDefaultStacks_AreNotThoseOfHelpers) {
  EXPECT_EQ(StatusOfChild([] {
              pthread_attr_t attributes;
              pthread_attr_init(&attributes);
              pthread_attr_setstacksize(&attributes, 128 << 10);
              pthread_setattr_default_np(&attributes);
              constexpr int64_t kRows = 1024;
              constexpr int64_t kColumns = 96;
              const std::vector<float> x(kRows * kColumns, 3);
              const std::vector<float> scale(kColumns, 2);
              const Shape shape = {kRows, kColumns};
              const Shape scale_shape = {kColumns};
              std::vector<std::byte> y(x.size());
              const Error error = QuantizeLinear(
                  In(Type::kFloat, shape, x), In(Type::kFloat, scale_shape, scale),
                  std::nullopt, Type::kUint8, {.axis = 1}, y, 3);
              const std::vector<std::byte> right(x.size(), std::byte{2});
              std::exit(error || y != right ? 1 : 0);
            }),
            0);
}
#endif

TEST(PublicApi, CallsOfOtherThreadsAtExit_AreServed) {
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(StatusOfChild([] {
                static std::atomic<bool> begun = false;
                std::thread([] {
                  while (QuantizesRight(3)) begun = true;
                  _exit(1);
                }).detach();
                while (!begun) std::this_thread::yield();
                std::exit(0);
              }),
              0);
  }
}
#endif

}  // namespace
}  // namespace qconform::kernels
