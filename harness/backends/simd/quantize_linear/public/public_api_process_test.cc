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
#include <numeric>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#if defined(__unix__)
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "harness/backends/simd/core/testing/public_tensors.h"
#include "qconform/quantize_linear.h"

namespace {
std::atomic<int64_t> allocations = 0;
std::atomic<bool> overwrites = false;  // what is freed
}  // namespace

// Those of the whole program, counted. (Arrays' call these.)
void* operator new(size_t size) {
  ++allocations;
  void* p = std::malloc(size == 0 ? 1 : size);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
void* operator new(size_t size, std::align_val_t alignment) {
  ++allocations;
  const auto of = static_cast<size_t>(alignment);
  void* p = std::aligned_alloc(of, (size / of + 1) * of);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, size_t size) noexcept {
  if (overwrites) std::memset(p, 0xEE, size);
  std::free(p);
}

namespace qconform::kernels {
namespace {

// What is asked of a call besides its types.
struct Layout {
  Shape x;
  Shape y_scale;
  int64_t axis = 0;
  int64_t block_size = 0;
};
const std::array<Layout, 4> kSmall = {{
    {{1000}, {}},
    {{1000}, {1000}},
    {{96, 33}, {3, 33}, 0, 32},
    {{9, 513}, {9, 31}, 1, 17},
}};
// Enough elements for three threads: fewer than 1 << 14 each are not worth one.
const std::array<Layout, 3> kLarge = {{
    {{3 << 14}, {}},
    {{48, 1024}, {1024}, 1},
    {{96, 512}, {3, 512}, 0, 32},
}};

struct Types {
  std::vector<Type> x, y_scale, y, precision;
  size_t Count() const { return x.size() * y_scale.size() * y.size() * precision.size(); }
};
const Types kAllTypes = {
    {Type::kFloat, Type::kFloat16, Type::kBfloat16, Type::kInt32},
    {Type::kFloat, Type::kFloat16, Type::kBfloat16, Type::kInt32, Type::kFloat8E8M0},
    {Type::kUint8, Type::kInt16, Type::kInt4, Type::kUint2, Type::kFloat8E4M3FN,
     Type::kFloat8E5M2FNUZ, Type::kFloat6E2M3, Type::kFloat4E2M1},
    {Type::kUndefined, Type::kFloat, Type::kFloat16, Type::kBfloat16, Type::kDouble}};
const Types kFewTypes = {
    {Type::kFloat, Type::kInt32},
    {Type::kFloat, Type::kFloat16, Type::kInt32},
    {Type::kUint8, Type::kInt4, Type::kFloat8E4M3FN, Type::kFloat6E3M2},
    {Type::kUndefined, Type::kFloat, Type::kDouble}};

struct Call {
  Input x;
  Input y_scale;
  std::optional<Input> y_zero_point;
  Type y_type;
  QuantizeLinearAttributes attributes;
  std::span<std::byte> y;

  Error operator()(int threads) const {
    return QuantizeLinear(x, y_scale, y_zero_point, y_type, attributes, y, threads);
  }
};

// The layout with all of the types, with or without zero points.
void EachKind(const Layout& layout, const Types& types,
              const std::function<void(const Call&)>& work) {
  const auto size = [](const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
  };
  const int64_t n = size(layout.x);
  const int64_t scales = size(layout.y_scale);
  std::vector<std::byte> x(4 * static_cast<size_t>(n));
  std::vector<std::byte> scale(4 * static_cast<size_t>(scales));
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<std::byte>(i * 2654435761u >> 13);
  }
  for (size_t i = 0; i < scale.size(); ++i) {
    scale[i] = static_cast<std::byte>((i * 2246822519u >> 11) & 0x3F);
  }
  const std::vector<std::byte> zero_point(2 * static_cast<size_t>(scales), std::byte{1});
  std::vector<std::byte> y(2 * static_cast<size_t>(n));
  for (const Type x_type : types.x) {
    for (const Type scale_type : types.y_scale) {
      for (const Type y_type : types.y) {
        for (const Type precision : types.precision) {
          const auto in = [&](Type type, std::span<const std::byte> data) {
            return Input{type, layout.y_scale, data.first(ByteSize(type, scales))};
          };
          Call call = {.x = {x_type, layout.x, std::span(x).first(ByteSize(x_type, n))},
                       .y_scale = in(scale_type, scale),
                       .y_zero_point = std::nullopt,
                       .y_type = y_type,
                       .attributes = {.axis = layout.axis,
                                      .block_size = layout.block_size,
                                      .precision = precision},
                       .y = std::span(y).first(ByteSize(y_type, n))};
          work(call);
          call.y_zero_point = in(y_type, zero_point);
          work(call);
        }
      }
    }
  }
}

TEST(PublicApi, OneThread_AllocatesNothing) {
  EachKind({{1}, {}}, kFewTypes, [](const Call& call) { EXPECT_FALSE(call(1)); });
  size_t calls = 0;
  const auto run = [&](const Layout& layout, const Types& types) {
    EachKind(layout, types, [&](const Call& call) {
      const int64_t before = allocations;
      const Error error = call(1);
      const int64_t made = allocations - before;
      EXPECT_FALSE(error) << error.message;
      EXPECT_EQ(made, 0) << "call " << calls;
      ++calls;
    });
  };
  for (const Layout& layout : kSmall) run(layout, kAllTypes);
  for (const Layout& layout : kLarge) run(layout, kFewTypes);
  EXPECT_EQ(calls,
            2 * (kSmall.size() * kAllTypes.Count() + kLarge.size() * kFewTypes.Count()));
}

#if defined(__GLIBC__)
TEST(PublicApi, TrappedExceptions_AreNotRaised_AndFlagsAreKept) {
  size_t calls = 0;
  int flagged = 0;
  const auto run = [&](const Layout& layout, const Types& types, int threads) {
    EachKind(layout, types, [&](const Call& call) {
      std::feclearexcept(FE_ALL_EXCEPT);
      const int trapped = feenableexcept(FE_ALL_EXCEPT);  // of no effect on some CPUs
      const Error error = call(threads);
      if (trapped != -1) fedisableexcept(FE_ALL_EXCEPT);
      flagged += std::fetestexcept(FE_ALL_EXCEPT) != 0;
      EXPECT_FALSE(error) << error.message;
      ++calls;
    });
  };
  for (const Layout& layout : kSmall) run(layout, kAllTypes, 1);
  for (const Layout& layout : kLarge) run(layout, kFewTypes, 3);
  EXPECT_EQ(calls,
            2 * (kSmall.size() * kAllTypes.Count() + kLarge.size() * kFewTypes.Count()));
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
    for (const Layout& layout : kSmall) {
      EachKind(layout, kAllTypes, [](const Call& call) { EXPECT_FALSE(call(1)); });
    }
    for (const Layout& layout : kLarge) {
      EachKind(layout, kFewTypes, [](const Call& call) { EXPECT_FALSE(call(3)); });
    }
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

// Made before the first call, and so destroyed after all that a call makes; but after the
// library was initialized, and so before what that made: the threads are still there.
struct AtExit {
  ~AtExit() {
    if (calls) _exit(QuantizesRight(1) && QuantizesRight(2) ? 0 : 1);
  }
  bool calls = false;
} at_exit;

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)  // which must come first
#define QCONFORM_CALLS_LAST
std::atomic<bool> calls_last = false;

// Registered before any library is initialized, for none of them, and so called when all
// are through with their ends: the library's threads are gone.
extern "C" int __cxa_atexit(void (*function)(void*), void* argument, void* library);
void RegisterLast() {
  __cxa_atexit(
      [](void*) {
        if (calls_last) _exit(QuantizesRight(1) && QuantizesRight(3) ? 0 : 1);
      },
      nullptr, nullptr);
}
[[gnu::section(".preinit_array"),
  gnu::used]] void (*const register_last)() = RegisterLast;
#endif

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

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
// musl's default is 128 KB. Less is asked for here, as glibc gives a thread the stack of
// one that ended if it is no more than four times as large: StackOfTheHeader_IsEnough
// leaves one. Many calls: a helper that is late does nothing in a single one.
TEST(PublicApi, SmallDefaultStacks_AreNotThoseOfHelpers) {
  EXPECT_EQ(StatusOfChild([] {
              pthread_attr_t attributes;
              pthread_attr_init(&attributes);
              pthread_attr_setstacksize(&attributes, 32 << 10);
              if (pthread_setattr_default_np(&attributes) != 0) _exit(3);
              for (const Layout& layout : kLarge) {
                EachKind(layout, kFewTypes, [](const Call& call) {
                  if (call(3)) _exit(4);
                });
              }
              std::exit(0);
            }),
            0);
}
#endif

#if defined(QCONFORM_CALLS_LAST)
TEST(PublicApi, CallsAfterTheLibrarysEnd_AreServed) {
  EXPECT_EQ(StatusOfChild([] {
              calls_last = true;
              if (QuantizesRight(3)) std::exit(2);
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
